"""Exact solutions of RR positions: the value, the value of every legal move, a best line.

>>> from engines.rr import Position
>>> solution = Solver().solve(Position.parse("tQC/K.p/.mG b PMT kqg"))
>>> solution.value, solution.best[:2]
(1, ('Ga1xa2', 'Ga1xb1'))
"""

from __future__ import annotations

import threading
import time

from cython_core.rr_search import Search, Table
from engines.rr import Position, Rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Progress = Callable[[int, int, int], None]  # moves valued, moves in all, nodes so far

PROGRESS_INTERVAL = 0.1  # seconds
# Transposition table, 2**bits entries: enough for so many cards in hand, and quick to touch.
TABLE_BITS = ((6, 16), (9, 20), (15, 25))


class Solution:
    """The exact solution of one position, and how it was found.

    `value`: final margin for the side to move under perfect play, cards (-9..9).
    `moves`: that value for each legal move, in ascending text order; empty when the game is over.
    `best`: all moves that reach `value`. `line`: best play to the end, if it was asked for; in
    each position the first best move in text order. `nodes`: positions searched. `seconds`: wall
    time. `method`: "search" or, for a finished game, "result".
    """

    __slots__ = ("line", "method", "moves", "nodes", "position", "seconds", "value")

    def __init__(
        self,
        position: Position,
        moves: dict[str, int],
        line: tuple[str, ...] = (),
        method: str = "result",
        nodes: int = 0,
        seconds: float = 0.0,
    ) -> None:
        self.position = position
        self.moves = moves
        self.value = max(moves.values()) if moves else position.margin
        self.line = line
        self.method = method
        self.nodes = nodes
        self.seconds = seconds

    @property
    def best(self) -> tuple[str, ...]:
        return tuple(move for move, value in self.moves.items() if value == self.value)

    @property
    def result(self) -> str:
        """One of win, loss, draw: for the side to move."""
        return "win" if self.value > 0 else "loss" if self.value < 0 else "draw"


class Solver:
    """Exhaustive alpha-beta search. What it learns in one call serves the next.

    Values are the same for any number of threads; node counts repeat with one thread only.
    `progress(moves valued, moves in all, nodes)` is called some ten times a second.
    """

    def __init__(self, threads: int = 1, progress: Progress | None = None) -> None:
        if threads < 1:
            raise ValueError(f"threads must be 1 or more, not {threads}")
        self._threads = threads
        self._progress = progress
        self._tables: dict[Rules, Table] = {}

    def solve(self, position: Position, *, line: bool = False) -> Solution:
        """Value every legal move. Ctrl-C stops all threads and is passed on."""
        if position.over:
            return Solution(position, {})
        start = time.perf_counter()
        crew = _Crew(position, self._table(position), self._threads)
        values = crew.run(self._progress)
        best_line = self._line(position, max(values.values())) if line else ()
        seconds = time.perf_counter() - start
        return Solution(position, values, best_line, "search", crew.nodes, seconds)

    def _table(self, position: Position) -> Table:
        cards = sum(map(len, position.hands))
        bits = next(bits for most, bits in TABLE_BITS if cards <= most)
        known = self._tables.get(position.rules)
        if known is None or known.bits < bits:
            self._tables[position.rules] = known = Table(bits)
        return known

    def _line(self, position: Position, value: int) -> tuple[str, ...]:
        search = Search(position.core(), self._table(position))
        line: list[str] = []
        while not position.over:
            core = position.core()
            move = next(
                move
                for move in position.legal_moves()
                if search.move_value(core, position.parse_move(move)) == value
            )
            line.append(move)
            position = position.play(move)
            value = -value
        return tuple(line)


class _Crew:
    """Threads that take one root move after the other and share a table."""

    def __init__(self, position: Position, table: Table, threads: int) -> None:
        self.position = position
        self.moves = position.legal_moves()
        self.values: list[int | None] = [None] * len(self.moves)
        self.next_move = iter(range(len(self.moves)))
        self.failure: BaseException | None = None
        core = position.core()
        self.searches = [Search(core, table) for _ in range(min(threads, len(self.moves)))]

    @property
    def nodes(self) -> int:
        return sum(search.nodes for search in self.searches)

    def run(self, progress: Progress | None) -> dict[str, int]:
        crew = [
            threading.Thread(target=self._work, args=(search,), daemon=True)
            for search in self.searches
        ]
        for member in crew:
            member.start()
        try:
            for member in crew:
                while member.is_alive():  # only this thread, the main one, sees signals
                    member.join(PROGRESS_INTERVAL)
                    if progress:
                        done = sum(value is not None for value in self.values)
                        progress(done, len(self.moves), self.nodes)
        except BaseException:
            self._stop()
            raise
        if self.failure:
            raise self.failure
        values = [value for value in self.values if value is not None]
        return dict(zip(self.moves, values, strict=True))

    def _work(self, search: Search) -> None:
        try:
            core = self.position.core()
            for i in self.next_move:
                self.values[i] = search.move_value(core, self.position.parse_move(self.moves[i]))
                if self.values[i] is None:
                    return
        except BaseException as failure:  # handed to the thread that waits
            self.failure = failure
            self._stop()

    def _stop(self) -> None:
        for search in self.searches:
            search.stop()
