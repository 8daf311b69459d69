"""Exact solutions of RR positions: the value, the value of every legal move, a best line.

>>> from engines.rr import Position
>>> solution = Solver().solve(Position.parse("tQC/K.p/.mG b PMT kqg"))
>>> solution.value, solution.best[:2]
(1, ('Ga1xa2', 'Ga1xb1'))
"""

from __future__ import annotations

import time

from cython_core.rr_search import Search, Transpositions
from engines.rr import Position, Rules
from solvers.crew import share

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Progress = Callable[[int, int, int], None]  # moves valued, moves in all, nodes so far

# Transposition table, 2**bits entries: enough for so many cards in hand, and quick to touch.
TABLE_BITS = ((6, 16), (9, 20), (15, 25))


class Solution:
    """The exact solution of one position, and how it was found.

    `value`: final margin for the side to move under perfect play, cards (-9..9).
    `moves`: that value for each legal move, in ascending text order; empty when the game is over.
    `best`: all moves that reach `value`. `line`: best play to the end, if it was asked for; in
    each position the first best move in text order. `method`: "table", "search", or "result" for a
    finished game. `nodes`: positions searched, or looked up for the values of the moves.
    `seconds`: wall time, the line included.
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
        best = self.value
        return tuple([move for move, value in self.moves.items() if value == best])

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
        self._known: dict[Rules, Transpositions] = {}

    def solve(self, position: Position, *, line: bool = False) -> Solution:
        """Value every legal move. Ctrl-C stops all threads and is passed on."""
        if position.over:
            return Solution(position, {})
        start = time.perf_counter()
        values, nodes = self._values(position)
        best_line: tuple[str, ...] = ()
        if line:
            best_line, more = self._line(position, max(values.values()))
            nodes += more
        seconds = time.perf_counter() - start
        return Solution(position, values, best_line, "search", nodes, seconds)

    def _values(self, position: Position) -> tuple[dict[str, int], int]:
        """Value of each legal move, and the nodes searched; each thread takes the next move."""
        core, known, moves = (
            position.to_core(),
            self._transpositions(position),
            position.legal_moves(),
        )
        searches = [Search(core, known) for _ in range(min(self._threads, len(moves)))]
        values: list[int | None] = [None] * len(moves)

        def work(i: int, thread: int) -> None:
            values[i] = searches[thread].move_value(core, position.parse_move(moves[i]))

        def stop() -> None:
            for search in searches:
                search.stop()

        def watch() -> None:
            if self._progress:
                done = sum(value is not None for value in values)
                self._progress(done, len(moves), sum(search.nodes for search in searches))

        share(work, range(len(moves)), len(searches), stop=stop, watch=watch)
        found = [value for value in values if value is not None]
        return dict(zip(moves, found, strict=True)), sum(search.nodes for search in searches)

    def _line(self, position: Position, value: int) -> tuple[tuple[str, ...], int]:
        """Best play to the end, and the nodes searched for it."""
        search = Search(position.to_core(), self._transpositions(position))
        line: list[str] = []

        def walk(_: int, __: int) -> None:
            here, wanted = position, value
            while not here.over:
                core = here.to_core()
                for move in here.legal_moves():
                    found = search.move_value(core, here.parse_move(move))
                    if found is None:  # stopped
                        return
                    if found == wanted:
                        break
                line.append(move)
                here, wanted = here.play(move), -wanted

        share(walk, [0], 1, stop=search.stop)
        return tuple(line), search.nodes

    def _transpositions(self, position: Position) -> Transpositions:
        cards = sum(map(len, position.hands))
        bits = next(bits for most, bits in TABLE_BITS if cards <= most)
        known = self._known.get(position.rules)
        if known is None or known.bits < bits:
            self._known[position.rules] = known = Transpositions(bits)
        return known
