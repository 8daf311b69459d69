from collections.abc import Callable
from typing import NamedTuple

START: int

class Mismatch(NamedTuple):
    position: int
    claimed: int
    expected: int

class Count(NamedTuple):
    positions: int
    wins: int
    losses: int
    draws: int

class Report(NamedTuple):
    plies: tuple[Count, ...]
    totals: Count
    mismatches: int
    examples: tuple[Mismatch, ...]
    sha256: str
    verdict: bool

def verify(
    values: Callable[[memoryview], object],  # returns a buffer, which has no type before 3.12
    queen_adjacent: bool = False,
    ending_occupied: bool = False,
    *,
    root: int | None = None,
    threads: int = 2,
    progress: Callable[[int, int], object] | None = None,
) -> Report: ...
