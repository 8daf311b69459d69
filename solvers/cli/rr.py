"""`solve rr`: the exact value and the best moves of RR positions."""

from __future__ import annotations

from engines.rr import Position, Rules
from solvers.cli import rr_answers
from solvers.cli.options import Parser, add_cache, add_rules, strong_solver
from solvers.cli.questions import Questions, answer_all
from solvers.cli.screen import Progress
from solvers.exact import Solution, Solver

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from solvers.cli.errors import Refusal

DESCRIPTION = """\
Exact value and best moves of an RR position: from the table of all reachable positions, which is
built once in about a second and kept (see --cache), or by search where the table does not reach.
"""

EPILOG = """\
A position is BOARD SIDE REGALITY-HAND RELIGION-HAND: three ranks from rank 3 down, '.' empty,
'#' face down, UPPER case faces Regality, lower case Religion; r or b is to move; '-' is an empty
hand. Cards: C Citizen, K King, Q Queen, P Princess, M Minister, G General, W Magician, T Castle.

A move is a card (upper case) and a square, a1 to c3 with a1 bottom left, then its effect if there
is one: x and the banished square; ~ and the turned square (Minister); ~n ~ne ~e ... (Queen, n is
towards rank 3) or ~all; ~o or ~d (Princess, orthogonal or diagonal). Cb2 Kb2xa1 Mc1~b2 Qa1~ne

examples:
  solve rr --position start
  solve rr --position 'tQC/K.p/.mG b PMT kqg' --moves
  solve rr --position start --after 'Cb2 Kb3xb2' --line
  solve rr --position positions.txt --json
  cat positions.txt | solve rr --position - --json
"""


def parser() -> Parser:
    p = Parser("solve rr", DESCRIPTION, EPILOG)
    p.add_argument(
        "--position", required=True, metavar="TEXT|FILE|start|-",
        help="the position; a file of positions; or - for one position a line on standard input",
    )  # fmt: skip
    p.add_argument("--after", metavar="MOVES", default="", help="moves played from there first")
    add_rules(p)
    p.add_argument("--moves", action="store_true", help="show the value of every legal move")
    p.add_argument("--line", action="store_true", help="show one line of best play to the end")
    p.add_argument("--json", action="store_true", help="one JSON object a position, one a line")
    p.add_argument("--quiet", action="store_true", help="no board and no progress, one line each")
    p.add_argument("--search", action="store_true", help="search instead of using the table")
    add_cache(p)
    return p


def run(arguments: list[str]) -> int:
    args = parser().parse_args(arguments)
    rules = Rules(args.queen, args.ending)
    questions = Questions(args.position)
    progress = Progress("solving", quiet=args.quiet)
    solver = Solver(args.threads, progress.nodes) if args.search else strong_solver(args, progress)

    def answer(position: Position) -> str:
        with progress:
            solution = solver.solve(position, line=args.line or args.json)
        return _answer(solution, args, questions.batch)

    def refused(refusal: Refusal, text: str) -> str:
        return rr_answers.refused(refusal, text, as_json=args.json)

    return answer_all(questions, args.after, rules, answer, refused)


def _answer(solution: Solution, args: argparse.Namespace, batch: bool) -> str:
    if args.json:
        return rr_answers.as_json(solution)
    if batch or args.quiet:
        return rr_answers.one_line(solution, args.moves, args.line)
    return rr_answers.drawn(solution, args.moves, args.line)
