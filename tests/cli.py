"""Runs `solve` for the tests: in this process, as a process of its own, or on a terminal."""

from __future__ import annotations

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

import solvers
from solvers.cli import main
from tests.reference import rr as twin

ROOT = Path(solvers.__file__).parents[1]
COMMAND = (sys.executable, "-m", "solvers.cli")
PATIENCE = 60  # seconds before a process counts as hanging

# A position that takes no time and a way from it to the end, and boards that are full.
MIDDLE = "tQC/K.p/.mG b PMT kqg"
TO_THE_END = "Ga1xa2 Mb2~a1 Qa2~ne"
FINISHED = "tqC/qMp/GmG r PT k"  # Religion has one more
TIED_IF_OCCUPIED = "KQP/G#w/kqp r M m"
# No game leads to these two, so they must be searched: for a second or two, and for longer.
SEARCHED = ".../K../MK. r QPMGW qpgwt"
SEARCHED_FOR_LONG = ".C./.../.K. r KQPMGW qpmgwt"

VARIANTS = [
    ["--queen", queen, "--ending", ending]
    for queen in ("ray", "adjacent")
    for ending in ("face-up", "occupied")
]


@dataclass(frozen=True)
class Outcome:
    """What one run of `solve` left behind."""

    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        """Lines of standard output, which must end with a line end."""
        *lines, rest = self.out.split("\n")
        assert rest == ""
        return lines

    @property
    def answers(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.lines]

    @property
    def answer(self) -> dict[str, Any]:
        assert (self.status, self.err) == (0, "")
        (answer,) = self.answers
        return answer


def solve(*arguments: str, stdin: bytes = b"", encoding: str = "utf-8") -> Outcome:
    """Run the command in this process. Any exception but SystemExit is the test's failure."""
    out, err = io.BytesIO(), io.BytesIO()
    with (
        mock.patch("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin), "utf-8")),
        mock.patch("sys.stdout", io.TextIOWrapper(out, encoding, newline="\n")),
        mock.patch("sys.stderr", io.TextIOWrapper(err, encoding, "backslashreplace", newline="\n")),
    ):
        try:
            status: object = main(list(arguments))
        except SystemExit as exit:
            status = exit.code or 0
        sys.stdout.flush()
        sys.stderr.flush()
        assert isinstance(status, int)
        return Outcome(status, out.getvalue().decode(encoding), err.getvalue().decode(encoding))


def environment(**changes: str) -> dict[str, str]:
    """This process's environment without what would change how `solve` prints."""
    unwanted = ("PYTHONUNBUFFERED", "PYTHONIOENCODING", "PYTHONUTF8", "NO_COLOR", "COLUMNS")
    kept = {name: value for name, value in os.environ.items() if name not in unwanted}
    return {**kept, **changes}


def process(
    *arguments: str, stdin: bytes = b"", command: tuple[str, ...] = COMMAND, **env: str
) -> Outcome:
    """Run a real process, `solve` unless said otherwise."""
    done = subprocess.run(
        [*command, *arguments],
        input=stdin,
        capture_output=True,
        cwd=ROOT,
        env=environment(**env),
        timeout=PATIENCE,
        check=False,
    )
    return Outcome(done.returncode, done.stdout.decode(), done.stderr.decode())


@contextlib.contextmanager
def running(*arguments: str, **how: Any) -> Iterator[subprocess.Popen[bytes]]:
    """A real `solve` that goes on meanwhile; killed if it outlives the block.

    Ctrl-C reaches it even where this process was started with Ctrl-C ignored.
    """
    usual: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    usual |= {"cwd": ROOT, "env": environment()}
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        child = subprocess.Popen([*COMMAND, *arguments], **{**usual, **how})
    finally:
        signal.signal(signal.SIGINT, before)
    with child:
        try:
            yield child
        finally:
            if child.poll() is None:
                child.kill()


def on_terminal(*arguments: str, terminal: str = "stdout", **env: str) -> Outcome:
    """Run a real process with one stream on a terminal and the other in a file."""
    import pty

    leader, follower = pty.openpty()
    with tempfile.TemporaryFile() as file:
        streams: dict[str, Any] = {"stdout": file, "stderr": file, terminal: follower}
        child = subprocess.Popen(
            [*COMMAND, *arguments],
            stdin=subprocess.DEVNULL,
            cwd=ROOT,
            env=environment(**{"TERM": "xterm", "LC_ALL": "C.UTF-8", **env}),
            **streams,
        )
        with child:
            os.close(follower)
            shown = b"".join(iter(lambda: _read(leader), b"")).replace(b"\r\n", b"\n").decode()
            os.close(leader)
            status = child.wait(PATIENCE)
        file.seek(0)
        kept = file.read().decode()
    return Outcome(status, *((shown, kept) if terminal == "stdout" else (kept, shown)))


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # how Linux says that nobody is left on the other side
        return b""


def examples(number: int) -> settings:
    """How many random cases a property is tried on, however long one takes."""
    return settings(
        max_examples=number, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )


@dataclass(frozen=True)
class Case:
    """A position late in a game under some rules, and the moves that led to it."""

    state: twin.State
    rules: twin.Rules
    played: tuple[str, ...]

    @property
    def text(self) -> str:
        return twin.format_state(self.state)

    @property
    def options(self) -> list[str]:
        return ["--queen", self.rules.queen, "--ending", self.rules.ending]


rule_sets = st.builds(
    twin.Rules, st.sampled_from(("ray", "adjacent")), st.sampled_from(("face-up", "occupied"))
)


@st.composite
def late_cases(draw: st.DrawFn, rules: st.SearchStrategy[twin.Rules] = rule_sets) -> Case:
    """Few cards are left in hand, or none is needed any more."""
    chosen = draw(rules)
    state = twin.parse("start")
    played: list[str] = []
    for _ in range(draw(st.integers(10, 15))):
        moves = twin.legal(state, chosen)
        if not moves:
            break
        played.append(moves[draw(st.integers(0, len(moves) - 1))])
        state = twin.play(state, played[-1], chosen)
    return Case(state, chosen, tuple(played))
