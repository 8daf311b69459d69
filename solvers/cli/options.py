"""Options that several commands share, and a parser that fits the command line as a whole."""

from __future__ import annotations

import argparse

from engines.rr import Rules
from solvers.cli.errors import CommandError, complain
from solvers.exact import Solver
from solvers.strong import DEFAULT_THREADS, StrongSolver, cache_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    from solvers.cli.screen import Progress

MOST_THREADS = 256
LONGEST_QUOTE = 300
WIDTH = 100  # of help, characters
EXIT_STATUSES = """
exit status: 0 done, 1 the machine failed, 2 usage or a text that does not parse, 3 a position or
move that breaks the rules (in a batch: that of the first bad line), 4 a proof that failed,
130 interrupted
"""


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """As wide as our texts; asking the terminal costs an import at every start."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=WIDTH)


class Parser(argparse.ArgumentParser):
    """No abbreviations, texts laid out as written, and errors that no terminal obeys."""

    def __init__(self, prog: str, description: str, epilog: str) -> None:
        super().__init__(
            prog=prog,
            description=description,
            epilog=epilog + EXIT_STATUSES,
            formatter_class=_Formatter,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        if len(message) > LONGEST_QUOTE:
            message = message[:LONGEST_QUOTE] + "..."
        if message.startswith("unrecognized arguments"):
            message += "\n(a position or a list of moves has blanks in it: put it in quotes)"
        raise CommandError(f"{message}\n{self.prog} --help explains the options")


def whole_number(least: int, most: int) -> Callable[[str], int]:
    """The type of an option that takes a whole number in a range."""

    def convert(text: str) -> int:
        if text.isascii() and text.isdecimal() and len(text) < 20 and least <= int(text) <= most:
            return int(text)
        raise argparse.ArgumentTypeError(f"must be a whole number from {least} to {most}")

    return convert


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
        "--cache", metavar="DIR",
        help="folder for tables, some 90 or 180 MB a rule set (else SOLVE_CACHE, else the user's"
        " cache folder)",
    )  # fmt: skip
    parser.add_argument(
        "--threads", type=whole_number(1, MOST_THREADS), default=DEFAULT_THREADS, metavar="N",
        help="threads to work with (default: all cores); never changes an answer",
    )  # fmt: skip


def strong_solver(args: argparse.Namespace, progress: Progress) -> StrongSolver:
    """The solver that the options of `add_cache` ask for."""
    return StrongSolver(
        cache_folder(args.cache),
        search=Solver(args.threads, progress.nodes),
        threads=args.threads,
        progress=progress,
        warn=complain,
    )
