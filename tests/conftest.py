"""Shared by all tests: a cache folder of their own, so that no user's tables are touched."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(scope="session", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One cache folder for the whole run, also for the processes that tests start."""
    folder = tmp_path_factory.mktemp("cache")
    before = os.environ.get("SOLVE_CACHE")
    os.environ["SOLVE_CACHE"] = str(folder)
    yield folder
    if before is None:
        del os.environ["SOLVE_CACHE"]
    else:
        os.environ["SOLVE_CACHE"] = before
