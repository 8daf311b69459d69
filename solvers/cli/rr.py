"""`solve rr`: the exact value and the best moves of RR positions."""

from __future__ import annotations

import argparse

from engines.rr import Rules
from solvers.cli import rr_answers
from solvers.cli.errors import EXIT_OK, Refusal, warn
from solvers.cli.questions import Questions, position_of
from solvers.cli.screen import Progress
from solvers.exact import Solution, Solver
from solvers.strong import DEFAULT_THREADS, StrongSolver, cache_folder

EPILOG = """\
A position is BOARD SIDE REGALITY-HAND RELIGION-HAND: three ranks from rank 3 down, '.' empty,
'#' face down, UPPER case faces Regality, lower case Religion; r or b is to move; '-' is an empty
hand. Cards: C Citizen, K King, Q Queen, P Princess, M Minister, G General, W Magician, T Castle.

examples:
  solve rr --position start
  solve rr --position 'tQC/K.p/.mG b PMT kqg' --moves
  solve rr --position start --after 'Cb2 Kb3xb2' --line
  solve rr --position game.txt --json
  cat positions.txt | solve rr --position - --json

exit status: 0 done, 2 usage or a text that does not parse, 3 a position or move that breaks the
rules (in a batch: that of the first bad line), 130 interrupted
"""


MOST_THREADS = 256


def add_rules(parser: argparse.ArgumentParser) -> None:
    """The options that choose the house variants."""
    parser.add_argument(
        "--queen", choices=Rules.QUEENS, default=Rules.QUEENS[0],
        help="the Queen turns one line to the edge (default), or all adjacent cards",
    )  # fmt: skip
    parser.add_argument(
        "--ending", choices=Rules.ENDINGS, default=Rules.ENDINGS[0],
        help="the game ends with nine face-up cards (default), or nine filled squares",
    )  # fmt: skip


def add_cache(parser: argparse.ArgumentParser) -> None:
    """Where tables are kept, and how many threads make one."""
    parser.add_argument(
        "--cache", metavar="DIR", help="folder for tables (else SOLVE_CACHE, else the user's cache)"
    )
    parser.add_argument(
        "--threads", type=_threads, default=DEFAULT_THREADS, metavar="N",
        help="threads to work with (default: all cores); never changes an answer",
    )  # fmt: skip


def _threads(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST_THREADS:
        raise argparse.ArgumentTypeError(f"must be 1 to {MOST_THREADS}, not {text!r}")
    return int(text)


def parser() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(
        prog="solve rr",
        description="Exact value and best moves of an RR position, from the table of all positions"
        " (built once, in about a second) or by search.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
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
    status = EXIT_OK
    with Progress("solving", quiet=args.quiet) as progress:
        solver = _solver(args, progress)
        for text in questions:
            try:
                position = position_of(text, args.after, rules)
            except Refusal as refusal:
                if not questions.batch:
                    raise
                print(rr_answers.refused(refusal, text, as_json=args.json))
                status = status or refusal.code
                continue
            solution = solver.solve(position, line=args.line or args.json)
            print(_answer(solution, args, questions.batch))
    return status


def _solver(args: argparse.Namespace, progress: Progress) -> Solver | StrongSolver:
    search = Solver(args.threads, progress.nodes)
    if args.search:
        return search
    return StrongSolver(
        cache_folder(args.cache), search=search, threads=args.threads, progress=progress, warn=warn
    )


def _answer(solution: Solution, args: argparse.Namespace, batch: bool) -> str:
    if args.json:
        return rr_answers.as_json(solution)
    if batch or args.quiet:
        return rr_answers.one_line(solution, args.moves, args.line)
    return rr_answers.drawn(solution, args.moves, args.line)
