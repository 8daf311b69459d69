"""What `--position` names: one text, or the lines of a file or of standard input."""

from __future__ import annotations

import os
import sys

from cython_core.errors import GameError
from engines.rr import Position, Rules
from solvers.cli.errors import CommandError, Refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

LONGEST_LINE = 4096  # bytes; the rest of a longer line is skipped unread


class Questions:
    """`batch` tells whether to answer line by line. Iterate for the texts, blank lines skipped."""

    def __init__(self, argument: str) -> None:
        self.batch = False
        self._lines: Iterator[str] = iter([argument])
        if argument == "-":
            self.batch = True
            self._lines = read_lines(sys.stdin.buffer)
        elif os.path.isdir(argument):
            raise CommandError(f"--position: {argument!r} is a folder, not a file of positions")
        elif os.path.exists(argument):
            self._lines = self._read_file(argument)

    def _read_file(self, path: str) -> Iterator[str]:
        """A file with one position is one question; with more it is a batch."""
        try:
            with open(path, "rb") as file:
                lines = list(read_lines(file))
        except OSError as error:
            raise CommandError(f"--position: cannot read {path!r}: {error.strerror}") from error
        if not lines:
            raise CommandError(f"--position: {path!r} holds no position")
        self.batch = len(lines) > 1
        return iter(lines)

    def __iter__(self) -> Iterator[str]:
        return self._lines


def read_lines(stream: BinaryIO) -> Iterator[str]:
    """The lines that are not blank, stripped, of bounded length whatever comes in.

    Bytes that are not ASCII come out as lone surrogates, which no notation accepts.
    """
    while line := stream.readline(LONGEST_LINE):
        rest = line
        while not rest.endswith(b"\n"):
            rest = stream.readline(1 << 20)
            if not rest:
                break
        text = line.strip(b" \t\r\n").decode("ascii", "surrogateescape")
        if text:
            yield text


def position_of(text: str, after: str, rules: Rules) -> Position:
    """The position of a text, `after` these moves. Raises Refusal, which names the place."""
    try:
        position = Position.parse(text, rules)
    except GameError as error:
        raise Refusal(error, text, "position") from error
    offset = 0
    for count, move in enumerate(after.split(), start=1):
        offset = after.index(move, offset)
        try:
            position = position.play(move)
        except GameError as error:
            raise Refusal(error, after, f"move {count} of --after", offset) from error
        offset += len(move)
    return position
