"""Puzzles: RR positions in which exactly one legal move wins, found by random play and graded.

Difficulty is 1, and 1 more for each of these:
- there are more than MANY_MOVES moves to choose from;
- best play lasts LONG_LINE moves or more, those of both sides counted;
- a greedy player goes wrong at once;
- the winning move is quiet: it banishes and turns nothing.

A greedy player makes the move after which the most face-up cards are theirs, counted as margin;
among equal ones the first in text order.
"""

from __future__ import annotations

import random
from collections import Counter

from engines.rr import DEFAULT_RULES, Position, Rules

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from solvers.exact import Solution, Solver
    from solvers.strong import StrongSolver

    Progress = Callable[[int, int, str], None]  # puzzles found, puzzles wanted, a note

CARDS = 15  # § Contents: cards in all, all of them in hand at the start
# Cards in hand in a puzzle. With fewer the side to move holds a single card at most; with more the
# board holds the Citizen at most, and no such position has one winning move under any rules.
FEWEST_CARDS, MOST_CARDS = 3, 13
TRIES = 5000  # positions tried in a row without a new puzzle before the search gives up

MANY_MOVES = 20
LONG_LINE = 5
HARDEST = 5


class Greedy:
    """What a greedy player does in a position: the move, and its margin right afterwards."""

    __slots__ = ("margin", "move")

    def __init__(self, position: Position) -> None:
        margins = {move: -position.play(move).margin for move in position.legal_moves()}
        self.move = max(margins, key=lambda move: margins[move])
        self.margin = margins[self.move]


class Puzzle:
    """A position with one winning move.

    `solution`: its exact solution, with a line of best play. `greedy`: the greedy first move.
    `greedy_fails_at`: the first move of that line (1, 3, ...) at which a greedy player would let
    the win go; None if never.
    """

    __slots__ = ("greedy", "greedy_fails_at", "solution")

    def __init__(self, solution: Solution, greedy_fails_at: int | None) -> None:
        self.solution = solution
        self.greedy = Greedy(solution.position)
        self.greedy_fails_at = greedy_fails_at

    @property
    def position(self) -> Position:
        return self.solution.position

    @property
    def move(self) -> str:
        """The one that wins."""
        return self.solution.best[0]

    @property
    def counts(self) -> dict[int, int]:
        """How many moves are worth so much, the best value first."""
        counted = Counter(self.solution.moves.values())
        return {value: counted[value] for value in sorted(counted, reverse=True)}

    @property
    def difficulty(self) -> int:
        """From 1 to HARDEST; the formula stands at the top of this module."""
        return 1 + sum(
            (
                len(self.solution.moves) > MANY_MOVES,
                len(self.solution.line) >= LONG_LINE,
                self.greedy_fails_at == 1,
                is_quiet(self.move),
            )
        )


def is_quiet(move: str) -> bool:
    """Whether the move is no more than card and square."""
    return len(move) == 3


def is_puzzle(solution: Solution) -> bool:
    return sum(value > 0 for value in solution.moves.values()) == 1


def puzzles(
    solver: Solver | StrongSolver,
    count: int,
    seed: int,
    cards: int,
    rules: Rules = DEFAULT_RULES,
    progress: Progress | None = None,
) -> Iterator[Puzzle]:
    """Up to so many different puzzles with so many cards in hand, both hands together.

    The same seed gives the same puzzles everywhere. It ends early after TRIES tries in a row that
    give no new one. Raises ValueError for an impossible number of cards.
    """
    if not FEWEST_CARDS <= cards <= MOST_CARDS:
        raise ValueError(f"cards must be {FEWEST_CARDS} to {MOST_CARDS}, not {cards}")
    dice = random.Random(seed)  # noqa: S311 - a repeatable choice of positions keeps no secret
    seen: set[str] = set()
    tries = 0
    while len(seen) < count and tries < TRIES:
        tries += 1
        if progress:
            progress(len(seen), count, f"{len(seen)} of {count}")
        position = random_position(dice, CARDS - cards, rules)
        if position is None or str(position) in seen:
            continue
        if is_puzzle(solver.solve(position)):
            seen.add(str(position))
            tries = 0
            yield grade(position, solver)


def random_position(dice: random.Random, plies: int, rules: Rules) -> Position | None:
    """After so many random moves from the start; None if the game is over by then.

    Of the generator only `random()` is used: its sequence never changes between Pythons.
    """
    core = Position.start(rules).to_core()
    for _ in range(plies):
        moves = core.legal_actions()
        if not moves:
            return None
        core.play(moves[int(dice.random() * len(moves))])
    if core.over:
        return None
    return Position.from_core(core, rules)


def grade(position: Position, solver: Solver | StrongSolver) -> Puzzle:
    """Play best play through, with a greedy player looking on."""
    solution = solver.solve(position, line=True)
    for number, move in enumerate(solution.line, start=1):
        winners_turn = number % 2 == 1
        if winners_turn and solver.solve(position).moves[Greedy(position).move] <= 0:
            return Puzzle(solution, number)
        position = position.play(move)
    return Puzzle(solution, None)
