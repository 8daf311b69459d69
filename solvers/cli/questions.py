"""What `--position` names: one text, or the lines of a file or of standard input."""

from __future__ import annotations

import os
import stat
import sys
from itertools import chain

from cython_core.errors import GameError
from engines.rr import Position, Rules
from solvers.cli.errors import EXIT_OK, CommandError, Refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import BinaryIO

LONGEST_LINE = 4096  # bytes; more cannot be a position, and is not kept
UTF8_MARK = b"\xef\xbb\xbf"
UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


class Question:
    """A text, and where it stands."""

    __slots__ = ("text", "where")

    def __init__(self, text: str, where: str) -> None:
        self.text = text
        self.where = where


class Questions:
    """Iterate for texts and where they stand.

    `batch` tells whether to answer line by line, `live` whether somebody may be waiting for each
    answer before asking on.
    """

    def __init__(self, argument: str) -> None:
        self.batch = self.live = False
        if argument == "-":
            if sys.stdin is None:
                raise CommandError("--position -: standard input is closed")
            self.batch = True
            self.live = not _is_file(sys.stdin.buffer)
            self._questions = _numbered(sys.stdin.buffer)
        elif argument == "start" or not os.path.exists(argument):
            is_word = " " not in argument
            where = "position (there is no file of that name either)" if is_word else "position"
            self._questions = iter([Question(argument, where)])
        else:
            self._questions = self._read_file(argument)

    def _read_file(self, path: str) -> Iterator[Question]:
        """A file with one position is one question; with more it is a batch."""
        if os.path.isdir(path):
            raise CommandError(f"--position: {path!r} is a folder, not a file of positions")
        try:
            questions = _lines_of(path)
            first = next(questions, None)
            second = next(questions, None)
        except OSError as error:
            raise CommandError(f"--position: cannot read {path!r}: {error.strerror}") from error
        if first is None:
            raise CommandError(f"--position: {path!r} holds no position")
        if second is None:
            return iter([Question(first.text, f"{path}, {first.where}")])
        self.batch = True
        return chain([first, second], questions)

    def __iter__(self) -> Iterator[Question]:
        return self._questions


def _is_file(stream: BinaryIO) -> bool:
    try:
        return stat.S_ISREG(os.fstat(stream.fileno()).st_mode)
    except OSError:  # no real stream, such as a test's
        return False


def _lines_of(path: str) -> Iterator[Question]:
    with open(path, "rb") as file:
        start = file.peek(len(UTF8_MARK))
        if start.startswith(UTF16_MARKS):
            raise CommandError(
                f"--position: {path!r} is UTF-16; save it as plain text (ASCII or UTF-8)"
            )
        if start.startswith(UTF8_MARK):
            file.read(len(UTF8_MARK))
        yield from _numbered(file)


def _numbered(stream: BinaryIO) -> Iterator[Question]:
    """The lines that are not blank, stripped, of bounded length whatever comes in.

    Bytes that are not ASCII come out as lone surrogates, which no notation accepts.
    """
    number = 0
    while line := stream.readline(LONGEST_LINE):
        number += 1
        overlong = not line.endswith(b"\n") and _skip_line(stream)
        if not overlong:
            line = line.strip()
        if line.strip() or overlong:
            yield Question(line.decode("ascii", "surrogateescape"), f"line {number}")


def _skip_line(stream: BinaryIO) -> bool:
    """Read to the end of the line. Returns whether that was more than white space."""
    more = False
    while rest := stream.readline(1 << 20):
        more = more or bool(rest.strip())
        if rest.endswith(b"\n"):
            break
    return more


def position_of(question: Question, after: str, rules: Rules) -> Position:
    """The position of a text, `after` these moves. Raises Refusal, which names the place."""
    try:
        position = Position.parse(question.text, rules)
    except GameError as error:
        raise Refusal(error, question.text, question.where) from error
    end = 0
    for count, move in enumerate(after.split(), start=1):
        at = after.index(move, end)
        end = at + len(move)
        try:
            position = position.play(move)
        except GameError as error:
            raise Refusal(error, after, f"move {count} of --after", at) from error
    return position


def answer_all(
    questions: Questions,
    after: str,
    rules: Rules,
    answer: Callable[[Position], str],
    refused: Callable[[Refusal, str], str],
) -> int:
    """Print the answer to every question; the exit status, in a batch that of the first bad line.

    In a batch a refusal is printed in the place of the answer; a single one is raised.
    """
    status = EXIT_OK
    for question in questions:
        try:
            position = position_of(question, after, rules)
        except Refusal as refusal:
            if not questions.batch:
                raise
            status = status or refusal.code
            text = refused(refusal, question.text)
        else:
            text = answer(position)
        print(text, flush=questions.live)
    return status
