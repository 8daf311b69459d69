"""Shared by all tests: a cache folder of their own, so that no user's tables are touched."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

VARIABLE = "SOLVE_CACHE"
_folder = tempfile.TemporaryDirectory(prefix="threecrowns-tests-")
_before = os.environ.get(VARIABLE)


def pytest_configure() -> None:
    """Also for doctests and for the processes that tests start."""
    os.environ[VARIABLE] = _folder.name


def pytest_unconfigure() -> None:
    if _before is None:
        os.environ.pop(VARIABLE, None)
    else:
        os.environ[VARIABLE] = _before
    _folder.cleanup()


@pytest.fixture(scope="session")
def cache() -> Path:
    """The cache folder of the whole run; tables are built there once."""
    return Path(_folder.name)
