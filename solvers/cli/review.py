"""`solve review`: what every move of a recorded game was worth."""

from __future__ import annotations

import json

from engines.rr import Position, Side
from solvers.cli.errors import EXIT_OK
from solvers.cli.options import Parser, add_cache, strong_solver
from solvers.cli.recorded import read
from solvers.cli.rr_answers import verdict
from solvers.cli.screen import BOLD, Progress, Screen
from solvers.review import BEST, BLUNDER, Judgement, Review, Tally, result_of, review

DESCRIPTION = "Judge every move of a recorded game by exact solution."
EPILOG = """\
A record is a text file: the line "game rr"; then, if they are wanted, lines with the keys queen,
ending and position; then the moves, one or several a line. Blank lines and lines that begin with
";" are skipped. The game need not be finished.

    game rr
    ; a line like this one is a comment
    queen ray
    position start
    Cb2
    Kb3xb2

All values are final margins of cards under perfect play, for the side that moves. A move is
  best      if it gives nothing away,
  slip      if it gives margin away but keeps the result,
  blunder   if it makes a win a draw or a loss, or a draw a loss.

With --json: moves (number, line, side, move, before, after, cost, verdict, best), summary (for "r"
and "b": moves, best, slips, blunders, given_away) and final (position, over, side, value, result,
best).

examples:
  solve review rr game.txt
  solve review rr - --json < game.txt
"""

ALTERNATIVES_NAMED = 3


def parser() -> Parser:
    p = Parser("solve review", DESCRIPTION, EPILOG)
    p.add_argument("game", choices=["rr"])
    p.add_argument("file", metavar="FILE|-", help="the record; - reads standard input")
    p.add_argument("--json", action="store_true", help="one JSON object on one line")
    add_cache(p)
    return p


def run(arguments: list[str]) -> int:
    args = parser().parse_args(arguments)
    record = read(args.file, args.game)
    with Progress("reviewing") as progress:
        solver = strong_solver(args, progress)
        found = review(record, solver)
    print(as_json(found) if args.json else drawn(found))
    return EXIT_OK


def as_json(found: Review) -> str:
    record, final = found.record, found.final
    answer = {
        "game": record.game,
        "rules": record.rules.as_dict(),
        "start": str(record.start),
        "moves": [
            {
                "number": judged.number,
                "line": line,
                "side": judged.side.letter,
                "move": judged.move,
                "before": judged.before,
                "after": judged.after,
                "cost": judged.cost,
                "verdict": judged.verdict,
                "best": judged.best,
            }
            for judged, (line, _) in zip(found.moves, record.places, strict=True)
        ],
        "summary": {side.letter: _summary(found.tally(side)) for side in Side},
        "final": {
            "position": str(found.position),
            "over": found.position.over,
            "side": found.position.side.letter,
            "value": final.value,
            "result": final.result,
            "best": final.best,
        },
    }
    return json.dumps(answer)


def _summary(tally: Tally) -> dict[str, int]:
    best, slips, blunders = tally.counts.values()
    return {
        "moves": tally.moves,
        "best": best,
        "slips": slips,
        "blunders": blunders,
        "given_away": tally.given_away,
    }


def drawn(found: Review) -> str:
    """The review for people: the moves, a summary for each side, and how the game stands."""
    screen = Screen()
    rules = found.record.rules
    parts = [f"Rules: queen {rules.queen}, ending {rules.ending}"]
    if found.record.start != Position.start(rules):
        parts.append(f"From {found.record.start}")
    parts += ["", *_move_lines(found, screen), ""]
    parts += [f"{screen.side(side)}  {found.tally(side)}" for side in Side]
    parts += ["", *screen.board(found.position), "", f"Position: {found.position}"]
    return "\n".join([*parts, screen.paint(verdict(found.final), BOLD)])


def _move_lines(found: Review, screen: Screen) -> list[str]:
    if not found.moves:
        return ["No move has been made."]
    head = f"{'':3} {'side':10}  {'move':8} {'before':>6} {'after':>6}  verdict"
    return [head, *(_move_line(judged, screen) for judged in found.moves)]


def _move_line(judged: Judgement, screen: Screen) -> str:
    return (
        f"{judged.number:3} {screen.side(judged.side)}  {judged.move:8} {judged.before:+6d}"
        f" {judged.after:+6d}  {_judged(judged, screen)}"
    )


def _judged(judged: Judgement, screen: Screen) -> str:
    if judged.verdict == BEST:
        return BEST
    lost = f"gives away {judged.cost}"
    if judged.verdict == BLUNDER:
        lost = f"a {result_of(judged.before)} becomes a {result_of(judged.after)}"
    named = ", ".join(judged.best[:ALTERNATIVES_NAMED])
    others = len(judged.best) - ALTERNATIVES_NAMED
    more = f" and {others} more" if others > 0 else ""
    return f"{screen.paint(judged.verdict, BOLD)}: {lost}; best {named}{more}"
