"""RR solved for good: the table of all reachable positions, built, kept and asked.

A table takes about a second to build and is kept in the cache folder, one file a rule set.
"""

from __future__ import annotations

import os
import time
from array import array
from pathlib import Path

from cython_core import rr_solve, rr_table
from cython_core.rr_table import DamagedTable, Table
from engines.rr import Position, Rules, move_ranks, move_texts
from solvers import store
from solvers.crew import share
from solvers.exact import Solution, Solver

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Progress = Callable[[int, int], None]  # bytes done, bytes in all

DEFAULT_THREADS = os.cpu_count() or 1
CACHE_VARIABLE = "SOLVE_CACHE"


def cache_folder(chosen: str | None = None) -> Path:
    """Where tables are kept: as chosen, else SOLVE_CACHE, else the user's cache folder."""
    chosen = chosen or os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen)
    import platformdirs

    return Path(platformdirs.user_cache_dir("threecrowns", appauthor=False))


def table_path(rules: Rules, folder: Path) -> Path:
    return folder / f"rr-{rules.queen}-{rules.ending}.table"


def build(
    rules: Rules, threads: int = DEFAULT_THREADS, progress: Progress | None = None
) -> bytearray:
    """Solve every reachable position from nothing. Returns the packed values of all layers.

    The bytes are the same for any number of threads. Ctrl-C stops all threads.
    """
    layers = rr_solve.Layers(*rules.flags)
    sizes = rr_solve.layer_bytes(rules.ending == "occupied")
    packed = bytearray(sum(sizes))
    end = len(packed)
    for ply in range(rr_solve.LAST_PLY, 0, -1):
        out = memoryview(packed)[end - sizes[ply] : end]
        layers.begin(ply)

        def solve(chunk: int, _: int) -> None:
            layers.solve(chunk)

        def pack(part: int, _: int, out: memoryview = out) -> None:
            layers.pack(out, part, threads)

        share(solve, range(rr_solve.CHUNKS), threads)
        share(pack, range(threads), threads)
        end -= sizes[ply]
        if progress:
            progress(len(packed) - end, len(packed))
    return packed


def _header(rules: Rules) -> dict[str, object]:
    return {
        "what": "rr strong solution",
        "rules": rules.digest(),
        "layout": rr_solve.LAYOUT,
        "block": rr_table.BLOCK_BYTES,
    }


def _checksums(packed: bytearray, threads: int) -> list[int]:
    blocks = memoryview(packed)
    starts = range(0, len(packed), rr_table.BLOCK_BYTES)
    sums = [0] * len(starts)

    def sum_part(part: int, _: int) -> None:
        for i in range(part, len(starts), threads):
            sums[i] = rr_table.checksum(blocks[starts[i] : starts[i] + rr_table.BLOCK_BYTES])

    share(sum_part, range(threads), threads)
    return sums


def load(rules: Rules, folder: Path) -> Table:
    """The table in the cache folder. Raises FileNotFoundError, OSError or store.UnusableFile."""
    size = sum(rr_solve.layer_bytes(rules.ending == "occupied"))
    blocks = -(-size // rr_table.BLOCK_BYTES)
    packed, checksums = store.read(table_path(rules, folder), _header(rules), blocks, size)
    return Table(*rules.flags, packed, checksums)


def save(rules: Rules, packed: bytearray, folder: Path, threads: int = DEFAULT_THREADS) -> Path:
    """Keep a built table. Raises OSError."""
    path = table_path(rules, folder)
    store.write(path, _header(rules), packed, _checksums(packed, threads))
    return path


class StrongSolver:
    """Answers from the table, which it loads or builds on first need; searches what lies outside.

    `folder` is where tables are kept, by default `cache_folder()`. `progress(bytes solved, bytes in
    all)` is called while a table is built. `warn` is told, in a sentence, whatever went wrong with
    the cache: nothing wrong there keeps an answer from being given.
    """

    def __init__(
        self,
        folder: Path | None = None,
        *,
        search: Solver | None = None,
        threads: int = DEFAULT_THREADS,
        progress: Progress | None = None,
        warn: Callable[[str], None] = lambda message: None,
    ) -> None:
        self._folder = folder or cache_folder()
        self._search = search or Solver(threads)
        self._threads = threads
        self._progress = progress
        self._warn = warn
        self._tables: dict[Rules, Table] = {}

    def solve(self, position: Position, *, line: bool = False) -> Solution:
        """As `exact.Solver.solve`."""
        if position.over:
            return Solution(position, {})
        start = time.perf_counter()
        try:
            found = self._look_up(position, line)
        except DamagedTable as damage:
            self._rebuild(position.rules, str(damage))
            found = self._look_up(position, line)
        if found is None:
            return self._search.solve(position, line=line)
        values, best_line = found
        seconds = time.perf_counter() - start
        return Solution(position, values, best_line, "table", len(values), seconds)

    def values(self, positions: Sequence[Position]) -> list[int]:
        """Exact margins for the sides to move, of many positions of one rule set; the fast way."""
        if not positions:
            return []
        rules = positions[0].rules
        if any(position.rules != rules for position in positions):
            raise ValueError("the positions must all have the same rules")
        keys = array("Q", [position.key for position in positions])
        found = array("b", bytes(len(keys)))
        self.table(rules, checked=True).lookup(keys, found)
        return [
            self._search.solve(position).value if value == rr_table.ABSENT else value
            for position, value in zip(positions, found, strict=True)
        ]

    def table(self, rules: Rules, *, checked: bool = False) -> Table:
        """The table of a rule set: from the cache, or built now and kept there.

        `checked`: every block of it now, not when it is first touched.
        """
        if rules not in self._tables:
            try:
                self._tables[rules] = load(rules, self._folder)
            except FileNotFoundError:
                self._rebuild(rules)
            except (OSError, store.UnusableFile, DamagedTable) as error:
                self._rebuild(rules, _reason(error))
        if checked:
            try:
                self._tables[rules].check_all()
            except DamagedTable as damage:
                self._rebuild(rules, str(damage))
        return self._tables[rules]

    def _rebuild(self, rules: Rules, why: str | None = None) -> None:
        path = table_path(rules, self._folder)
        if why is not None:
            self._warn(f"the table {path} cannot be used: {why}; building it again")
        packed = build(rules, self._threads, self._progress)
        try:
            save(rules, packed, self._folder, self._threads)
        except OSError as error:
            self._warn(
                f"the table {path} cannot be kept: {_reason(error)}; this answer comes from memory"
                " (--cache DIR chooses another folder)"
            )
        self._tables[rules] = Table(*rules.flags, packed)

    def _look_up(
        self, position: Position, line: bool
    ) -> tuple[dict[str, int], tuple[str, ...]] | None:
        rules = position.rules
        found = self.table(rules).solve(position.to_core(), move_ranks(rules), line)
        if found is None:
            return None
        actions, values, best = found
        text = move_texts(rules).__getitem__
        return dict(zip(map(text, actions), values, strict=True)), tuple(map(text, best))


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
