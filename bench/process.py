"""Whole `solve` processes, measured from outside."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

# Python recompiles its sources at every start under the one, and flushes every write under the
# other: neither is how people run a program.
UNUSUAL = ("PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED")
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in UNUSUAL}


def timed(work):
    """Result of a call, and its wall seconds."""
    start = time.perf_counter()
    result = work()
    return result, time.perf_counter() - start


def solve(*arguments: str, stdin: Path | None = None) -> tuple[str, float, int]:
    """Output, wall seconds and peak kilobytes of one `solve` process that writes to a file."""
    with tempfile.TemporaryFile("w+") as output:
        start = time.perf_counter()
        with subprocess.Popen(
            [sys.executable, "-m", "solvers.cli", *arguments],
            stdin=stdin.open() if stdin else None,
            stdout=output,
            env=ENVIRONMENT,
        ) as child:
            _, status, usage = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - start
        assert child.returncode == 0, arguments
        output.seek(0)
        return output.read(), seconds, usage.ru_maxrss
