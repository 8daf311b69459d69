"""`solve puzzles`: positions in which exactly one move wins, graded, on paper or as JSON."""

from __future__ import annotations

import json

from engines.rr import Rules
from solvers.cli.errors import EXIT_OK, CommandError, complain
from solvers.cli.options import Parser, add_cache, add_rules, strong_solver, whole_number
from solvers.cli.rr_answers import in_words
from solvers.cli.screen import BOLD, Progress, Screen
from solvers.puzzles import CARDS, FEWEST_CARDS, HARDEST, MOST_CARDS, TRIES, Puzzle, puzzles

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

DESCRIPTION = "Positions in which exactly one move wins."
EPILOG = f"""\
A puzzle is a position, reached by random play from the start, in which exactly one legal move wins.
The same options give the same puzzles on every machine; no position comes twice. If {TRIES:,}
random positions in a row give no new puzzle, the search ends with what it has found.

A greedy player makes the move after which the margin of face-up cards is best for them at once,
the first in text order among equals. Difficulty is 1, and 1 more for each of these: more than 20
moves to choose from; best play lasts 5 moves or more (of both sides); a greedy player goes wrong
at once; the winning move banishes and turns nothing.

With --json: game, rules, seed, cards, number, position, side, value, move_count, values (how many
moves are worth how much), plies (of best play), greedy (its move, the margin right after it, what
it is worth, and fails_at: the move of best play where greed first loses the win, or null),
difficulty, solution, line.

examples:
  solve puzzles rr --count 3 --seed 1
  solve puzzles rr --count 20 --seed 2026 --cards 8 --no-solutions > worksheet.txt
  solve puzzles rr --count 100 --seed 7 --json
"""

MOST_PUZZLES = 1000
LARGEST_SEED = 2**63 - 1
DEFAULT_CARDS = 7
RULE_WIDTH = 60


def parser() -> Parser:
    p = Parser("solve puzzles", DESCRIPTION, EPILOG)
    p.add_argument("game", choices=["rr"])
    p.add_argument(
        "--count", type=whole_number(1, MOST_PUZZLES), required=True, metavar="N",
        help=f"how many, 1 to {MOST_PUZZLES}",
    )  # fmt: skip
    p.add_argument(
        "--seed", type=whole_number(0, LARGEST_SEED), required=True, metavar="S",
        help="which ones: a number, 0 or more",
    )  # fmt: skip
    p.add_argument(
        "--cards", type=whole_number(0, CARDS), default=DEFAULT_CARDS, metavar="K",
        help="cards in hand, both hands together:"
        f" {FEWEST_CARDS} (a last choice) to {MOST_CARDS} (an opening); default {DEFAULT_CARDS}",
    )  # fmt: skip
    p.add_argument("--no-solutions", action="store_true", help="leave the solutions out")
    p.add_argument("--json", action="store_true", help="one JSON object a puzzle, one a line")
    add_rules(p)
    add_cache(p)
    return p


def run(arguments: list[str]) -> int:
    args = parser().parse_args(arguments)
    _check_cards(args.cards)
    found = _find(Rules(args.queen, args.ending), args)
    if len(found) < args.count:
        complain(
            f"found {len(found)} of {args.count} puzzles: {TRIES:,} random positions in a row with"
            f" {args.cards} cards in hand gave no new one; another --cards may have more"
        )
    if args.json:
        for number, puzzle in enumerate(found, start=1):
            print(json.dumps(_as_json(puzzle, number, args)))
    elif found:
        print(_drawn(found, solutions=not args.no_solutions))
    return EXIT_OK


def _check_cards(cards: int) -> None:
    if FEWEST_CARDS <= cards <= MOST_CARDS:
        return
    why = (
        "with fewer the side to move holds one card at most, which is hardly a choice"
        if cards < FEWEST_CARDS
        else "with more the board holds the Citizen at most, and no such position is a puzzle"
    )
    raise CommandError(f"--cards must be {FEWEST_CARDS} to {MOST_CARDS}, not {cards}: {why}")


def _find(rules: Rules, args: argparse.Namespace) -> list[Puzzle]:
    with Progress("finding puzzles") as progress:
        solver = strong_solver(args, progress)
        return list(puzzles(solver, args.count, args.seed, args.cards, rules, progress))


def _as_json(puzzle: Puzzle, number: int, args: argparse.Namespace) -> dict[str, object]:
    solution = puzzle.solution
    answer: dict[str, object] = {
        "game": "rr",
        "rules": {"queen": args.queen, "ending": args.ending},
        "seed": args.seed,
        "cards": args.cards,
        "number": number,
        "position": str(puzzle.position),
        "side": puzzle.position.side.letter,
        "value": solution.value,
        "move_count": len(solution.moves),
        "values": [{"value": value, "count": count} for value, count in puzzle.counts.items()],
        "plies": len(solution.line),
        "greedy": _greedy_as_json(puzzle, hidden=args.no_solutions),
        "difficulty": puzzle.difficulty,
    }
    if not args.no_solutions:
        answer |= {"solution": puzzle.move, "line": solution.line}
    return answer


def _greedy_as_json(puzzle: Puzzle, *, hidden: bool) -> dict[str, object]:
    """With solutions hidden, a greedy move that is the solution is null."""
    greedy = puzzle.greedy
    return {
        "move": None if hidden and greedy.move == puzzle.move else greedy.move,
        "margin": greedy.margin,
        "value": puzzle.solution.moves[greedy.move],
        "fails_at": puzzle.greedy_fails_at,
    }


def _drawn(found: list[Puzzle], *, solutions: bool) -> str:
    """For people: all puzzles with their grades, then all solutions."""
    screen = Screen()
    rule = screen.glyphs["h"] * RULE_WIDTH
    parts = []
    for number, puzzle in enumerate(found, start=1):
        parts += [*_puzzle(number, puzzle, screen), "", rule]
    if solutions:
        parts += ["", screen.paint("Solutions", BOLD), ""]
        for number, puzzle in enumerate(found, start=1):
            parts += _solution(number, puzzle)
    else:
        parts.pop()
    return "\n".join(parts).rstrip("\n")


def _puzzle(number: int, puzzle: Puzzle, screen: Screen) -> list[str]:
    position = puzzle.position
    return [
        screen.paint(f"Puzzle {number}: {position.side} to move and win", BOLD),
        "",
        *screen.board(position),
        "",
        f"Position: {position}",
        *_grading(puzzle),
    ]


def _grading(puzzle: Puzzle) -> list[str]:
    fates = ", ".join(_fate(value, count) for value, count in puzzle.counts.items())
    return [
        f"{len(puzzle.solution.moves)} moves: {fates}",
        f"Best play lasts {_counted(len(puzzle.solution.line), 'move')}",
        f"A greedy player {_greedy(puzzle)}",
        f"Difficulty {puzzle.difficulty} of {HARDEST}",
    ]


def _fate(value: int, count: int) -> str:
    """Such as "4 lose by 1"."""
    verb = "draw" if value == 0 else "win" if value > 0 else "lose"
    by = f" by {abs(value)}" if value else ""
    return f"{count} {verb}{'s' if count == 1 else ''}{by}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _greedy(puzzle: Puzzle) -> str:
    """Where greed goes wrong; it does not give the solution away."""
    greedy, at = puzzle.greedy, puzzle.greedy_fails_at
    if at is None:
        return "never lets the win go"
    if at > 1:
        return f"finds the first move but lets the win go at move {at} of best play"
    value = puzzle.solution.moves[greedy.move]
    fate = f"loses by {-value}" if value else "only draws"
    return f"takes {greedy.move}, for a margin of {greedy.margin:+d} at once, and {fate}"


def _solution(number: int, puzzle: Puzzle) -> list[str]:
    move, value = puzzle.move, puzzle.solution.value
    return [
        f"{number:4}. {move} ({in_words(move, puzzle.position)}) wins by {value}",
        f"      Best play: {' '.join(puzzle.solution.line)}",
    ]
