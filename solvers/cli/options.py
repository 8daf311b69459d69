"""Options that several commands share, and a parser that fits the command line as a whole."""

from __future__ import annotations

import argparse

from engines.rr import Rules
from solvers.cli.errors import CommandError
from solvers.strong import DEFAULT_THREADS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

MOST_THREADS = 256
LONGEST_QUOTE = 300


class Parser(argparse.ArgumentParser):
    """No abbreviations, texts laid out as written, and errors that no terminal obeys."""

    def __init__(self, prog: str, description: str, epilog: str) -> None:
        super().__init__(
            prog=prog,
            description=description,
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
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
