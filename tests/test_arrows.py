"""Imports go one way: see the table of folders in the README."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("cython_core", "engines", "solvers", "tests", "bench")
ALLOWED = {
    "cython_core": {"cython_core"},
    "engines": {"cython_core", "engines"},
    "solvers": {"cython_core", "engines", "solvers"},
}
IMPORT = re.compile(
    r"^\s*(?:from\s+(?P<base>[\w.]+)\s+c?import\s+(?P<names>\([^)]*\)|[^#\n]*)"
    r"|c?import\s+(?P<direct>[^#\n]*))",
    re.MULTILINE,
)
# The checker of the strong solution writes the rules again: nothing of ours may help it.
ALLOWED_TO_VERIFIER = {"cpython", "libc"} | sys.stdlib_module_names


def imported(text: str, package: str = "") -> set[str]:
    """Every module a source names in an import or cimport, dotted; relative ones in a package."""
    modules = set()
    for match in IMPORT.finditer(text):
        if match["base"]:
            base = match["base"]
            if base.startswith("."):
                base = f"{package}.{base.lstrip('.')}".rstrip(".")
            names = re.findall(r"\w+", match["names"])
            modules |= {base, *(f"{base}.{name}" for name in names)}
        else:
            modules |= {part.split(" as ")[0].strip() for part in match["direct"].split(",")}
    return modules


def sources(folder: str) -> list[Path]:
    return [
        path
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".py", ".pyx", ".pxd", ".pyi"}
    ]


def strays(folder: str, text: str) -> set[str]:
    ours = {module for module in imported(text, folder) if module.split(".")[0] in FOLDERS}
    return {module for module in ours if module.split(".")[0] not in ALLOWED[folder]}


@pytest.mark.parametrize("folder", sorted(ALLOWED))
def test_a_folder_imports_only_what_stands_below_it(folder: str) -> None:
    assert sources(folder)
    for path in sources(folder):
        assert not strays(folder, path.read_text("utf-8")), path


def test_only_the_openspiel_border_knows_pyspiel() -> None:
    for folder in ALLOWED:
        for path in sources(folder):
            if "openspiel" not in path.relative_to(ROOT).parts:
                modules = {module.split(".")[0] for module in imported(path.read_text("utf-8"))}
                assert not modules & {"pyspiel", "open_spiel"}, path


def test_the_checker_shares_nothing_with_the_solver() -> None:
    paths = [path for path in sources("cython_core") if path.stem == "rr_verify"]
    assert paths
    for path in paths:
        modules = imported(path.read_text("utf-8"), "cython_core")
        assert {module.split(".")[0] for module in modules} <= ALLOWED_TO_VERIFIER, path


@pytest.mark.parametrize(
    ("line", "stray"),
    [
        ("from solvers.exact import Solver", "solvers.exact"),
        ("    import engines.rr as rr, os", "engines.rr"),
        ("from engines cimport rr", "engines.rr"),
        ("cimport solvers", "solvers"),
        ("from solvers import (\n    exact,\n    strong,\n)", "solvers.strong"),
    ],
)
def test_an_import_against_the_arrows_would_be_seen(line: str, stray: str) -> None:
    assert stray in strays("cython_core", line)


def test_a_relative_import_is_seen_for_what_it_is() -> None:
    assert "cython_core.rr" in imported("from . cimport rr\n", "cython_core")
    assert "cython_core.rr.Board" in imported("from .rr cimport (\n    Board,\n)", "cython_core")
