r"""What every move of a recorded RR game was worth, by exact solution.

>>> from engines import records
>>> from solvers.exact import Solver
>>> text = "game rr\nposition tQC/K.p/.mG b PMT kqg\nGa1xa2 Mb2 Qa2"
>>> found = review(records.parse(text), Solver())
>>> [(judged.move, judged.verdict, judged.before, judged.after) for judged in found.moves]
[('Ga1xa2', 'best', 1, 1), ('Mb2', 'slip', -1, -3), ('Qa2', 'slip', 3, 1)]
>>> print(found.tally(Side.REGALITY))
1 move: 0 best, 1 slip, 0 blunders, 2 given away
"""

from __future__ import annotations

from engines.records import Record, replay
from engines.rr import Position, Side

TYPE_CHECKING = False
if TYPE_CHECKING:
    from solvers.exact import Solution, Solver
    from solvers.strong import StrongSolver

BEST, SLIP, BLUNDER = "best", "slip", "blunder"
VERDICTS = (BEST, SLIP, BLUNDER)


class Judgement:
    """One move and what it was worth, in final margins for the side that made it (-9..9).

    `before`: under perfect play from here. `after`: once the move is made.
    """

    __slots__ = ("move", "number", "solution")

    def __init__(self, number: int, move: str, solution: Solution) -> None:
        self.number = number
        self.move = move
        self.solution = solution

    @property
    def side(self) -> Side:
        return self.solution.position.side

    @property
    def before(self) -> int:
        return self.solution.value

    @property
    def after(self) -> int:
        return self.solution.moves[self.move]

    @property
    def cost(self) -> int:
        """Margin given away, 0 or more."""
        return self.before - self.after

    @property
    def best(self) -> tuple[str, ...]:
        """Every move that would have given nothing away."""
        return self.solution.best

    @property
    def verdict(self) -> str:
        """A slip loses margin but keeps the result; a blunder makes the result worse."""
        if self.cost == 0:
            return BEST
        return SLIP if result_of(self.before) == result_of(self.after) else BLUNDER


def result_of(value: int) -> str:
    return "win" if value > 0 else "loss" if value < 0 else "draw"


class Tally:
    """One side's moves counted by verdict, and the margin it gave away in all."""

    __slots__ = ("counts", "given_away", "moves")

    def __init__(self, judged: list[Judgement]) -> None:
        verdicts = [one.verdict for one in judged]
        self.moves = len(judged)
        self.counts = {verdict: verdicts.count(verdict) for verdict in VERDICTS}
        self.given_away = sum(one.cost for one in judged)

    def __str__(self) -> str:
        best, slips, blunders = self.counts.values()
        return (
            f"{_counted(self.moves, 'move')}: {best} best, {_counted(slips, 'slip')},"
            f" {_counted(blunders, 'blunder')}, {self.given_away} given away"
        )


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


class Review:
    """Every move of a game judged. `final`: the solution of the position after the last one."""

    __slots__ = ("final", "moves", "record")

    def __init__(self, record: Record, moves: tuple[Judgement, ...], final: Solution) -> None:
        self.record = record
        self.moves = moves
        self.final = final

    @property
    def position(self) -> Position:
        return self.final.position

    def tally(self, side: Side) -> Tally:
        return Tally([judged for judged in self.moves if judged.side == side])


def review(record: Record, solver: Solver | StrongSolver) -> Review:
    """Solve every position of the game, from the last to the first."""
    solutions = [solver.solve(position) for position in reversed(replay(record))]
    final, *before = solutions
    judged = [
        Judgement(number, move, solution)
        for number, (move, solution) in enumerate(
            zip(record.moves, reversed(before), strict=True), start=1
        )
    ]
    return Review(record, tuple(judged), final)
