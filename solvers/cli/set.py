"""`solve set`: who wins a match of sets under perfect play, and why."""

from __future__ import annotations

import json

from engines.rr import Position, Rules, Side
from solvers.cli.errors import EXIT_OK, CommandError, echo
from solvers.cli.options import Parser, add_cache, add_rules, strong_solver
from solvers.cli.screen import BOLD, Progress, Screen
from solvers.sets import Match, PlayedSet, forecast, match_winner

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from solvers.sets import Score

DESCRIPTION = "Who wins a match of sets under perfect play, set by set."
EPILOG = """\
A match goes to the side that first wins two sets; the loser of a set says who starts the next
(rulebook, "3 Set Match"). Without --starter, Regality starts at 0-0 and the loser of the last set
chooses later on; at 1-1 both cases are shown, since the score does not say who that was.
House ruling: a drawn set counts for nobody and is played again with the same starter.

With --json: starter, winner and chosen_by are "r" (Regality), "b" (Religion) or null (nobody);
start_value is the margin of a set for whoever starts it. At 1-1 without --starter the answer is a
list of two such objects.

examples:
  solve set rr
  solve set rr --score 1-0
  solve set rr --score 1-1 --starter religion --json
"""

STARTERS = {str(side).lower(): side for side in Side}


def parser() -> Parser:
    p = Parser("solve set", DESCRIPTION, EPILOG)
    p.add_argument("game", choices=["rr"])
    p.add_argument(
        "--score", default="0-0", metavar="REGALITY-RELIGION",
        help="sets won so far, such as 1-0 (default: 0-0)",
    )  # fmt: skip
    p.add_argument("--starter", choices=STARTERS, help="who starts the next set")
    p.add_argument("--json", action="store_true", help="one JSON object (or list) on one line")
    add_rules(p)
    add_cache(p)
    return p


def run(arguments: list[str]) -> int:
    args = parser().parse_args(arguments)
    score = _score(args.score)
    starter = STARTERS.get(args.starter)
    if starter is not None and match_winner(score) is not None:
        raise CommandError(f"--starter: the match is over at {args.score}; no further set starts")
    rules = Rules(args.queen, args.ending)
    start_value = _start_value(rules, args)
    matches = forecast(start_value, score, starter)
    print((_as_json if args.json else _in_words)(matches, start_value, score, rules))
    return EXIT_OK


def _score(text: str) -> Score:
    numbers = text.split("-")
    if len(numbers) != 2 or not all(n.isascii() and n.isdecimal() and len(n) == 1 for n in numbers):
        raise CommandError(
            "--score: must be the sets won so far by Regality and by Religion, such as 1-0,"
            f" not '{echo(text)}'"
        )
    score = int(numbers[0]), int(numbers[1])
    try:
        match_winner(score)
    except ValueError as error:
        raise CommandError(f"--score: {error}; give REGALITY-RELIGION, such as 1-0") from error
    return score


def _start_value(rules: Rules, args: argparse.Namespace) -> int:
    """For whoever starts: the two sides differ only in name."""
    with Progress("solving") as progress:
        solver = strong_solver(args, progress)
        return solver.solve(Position.start(rules)).value


def _as_json(matches: tuple[Match, ...], start_value: int, score: Score, rules: Rules) -> str:
    cases = [
        {
            "game": "rr",
            "rules": rules.as_dict(),
            "score": _scored(score),
            "starter": _letter(match.sets[0].starter) if match.sets else None,
            "winner": _letter(match.winner),
            "sets": [
                {
                    "starter": _letter(played.starter),
                    "chosen_by": _letter(played.chosen_by),
                    "winner": _letter(played.winner),
                    "margin": played.margin,
                }
                for played in match.sets
            ],
            "start_value": start_value,
        }
        for match in matches
    ]
    return json.dumps(cases if len(cases) > 1 else cases[0])


def _letter(side: Side | None) -> str | None:
    return None if side is None else side.letter


def _scored(score: Score) -> str:
    return f"{score[0]}-{score[1]}"


def _in_words(matches: tuple[Match, ...], start_value: int, score: Score, rules: Rules) -> str:
    screen = Screen()
    over = match_winner(score)
    if over is not None:
        verdict = f"The match is over: {over} has won it, {max(score)} sets to {min(score)}."
        return screen.paint(verdict, BOLD)
    lines = [_why(start_value)]
    if len(matches) > 1:
        lines.append(
            f"At {_scored(score)} it matters who lost the last set, which the score does not say:"
            " there are two cases."
        )
    for match in matches:
        lines += ["", *_case(match, score, screen, several=len(matches) > 1)]
    return "\n".join(lines)


def _why(start_value: int) -> str:
    if start_value == 0:
        return "Under perfect play every set is a draw."
    fate = "wins" if start_value > 0 else "loses"
    return (
        f"Under perfect play whoever starts a set {fate} it by {abs(start_value)},"
        " and the loser of a set says who starts the next."
    )


def _case(match: Match, score: Score, screen: Screen, *, several: bool) -> list[str]:
    lines = [f"If {match.sets[0].chosen_by} lost the last set:"] if several else []
    lines += [
        f"Set {number}: {_told(played)}"
        for number, played in enumerate(match.sets, start=sum(score) + 1)
    ]
    if match.winner is None:
        lines.append(
            "A drawn set counts for nobody and is played again with the same starter (house"
            " ruling), so the match is never decided."
        )
        return [*lines, screen.paint("The match is a draw.", BOLD)]
    final = match.sets[-1].score
    verdict = f"{match.winner} wins the match, {max(final)} sets to {min(final)}."
    return [*lines, screen.paint(verdict, BOLD)]


def _told(played: PlayedSet) -> str:
    """Such as "Religion, who lost the last set, chooses to start and wins by 1: 1-1."."""
    chooser, starter, winner = played.chosen_by, played.starter, played.winner
    if chooser is None:
        start = f"{starter} starts"
    elif chooser == starter:
        start = f"{chooser}, who lost the last set, chooses to start"
    else:
        start = f"{chooser}, who lost the last set, lets {starter} start"
    if winner is None:
        return f"{start}; it is a draw."
    told_last = starter if chooser is None else chooser
    subject = "and" if winner == told_last else f"and {winner}"
    return f"{start} {subject} wins by {played.margin}: {_scored(played.score)}."
