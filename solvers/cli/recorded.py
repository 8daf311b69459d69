"""Reading the record of a game from a file or from standard input."""

from __future__ import annotations

import os
import sys

from cython_core.errors import NotationError
from engines import records
from engines.records import Record, RecordError
from solvers.cli.errors import CommandError, Refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeVar

    from engines.knowledge import Knowledge
    from engines.record_games import Files

    Found = TypeVar("Found", Record, Knowledge, Record | Knowledge)


def read(argument: str, game: str) -> Record:
    """The record of this game. Raises CommandError with place and reason."""
    name, text = _text(argument)
    try:
        record = records.parse(text)
    except RecordError as error:
        raise _refusal(error, name, text) from error
    return _of_game(record, game, name)


def read_either(argument: str, game: str, files: Files) -> Record | Knowledge:
    """The record of this game, or what one seat knows of it. Raises CommandError."""
    from engines import knowledge

    name, text = _text(argument)
    try:
        is_knowledge = records.seat_of(text) is not None
        found = knowledge.parse(text, files) if is_knowledge else records.parse(text, files)
    except RecordError as error:
        raise _refusal(error, name, text) from error
    return _of_game(found, game, name)


def _of_game(found: Found, game: str, name: str) -> Found:
    if found.game != game:
        raise CommandError(f"{name}: the record of a game of {found.game}, not of {game}")
    return found


def _text(argument: str) -> tuple[str, str]:
    """What to call it, and what stands there."""
    name = "standard input" if argument == "-" else repr(argument)
    try:
        return name, records.decode(_bytes(argument, name))
    except RecordError as error:
        raise _refusal(error, name, "") from error


def _bytes(argument: str, name: str) -> bytes:
    """What stands there, but no more than shows that it is too much."""
    most = records.LARGEST + 1
    if argument == "-" and sys.stdin is None:
        raise CommandError("standard input is closed")
    if os.path.isdir(argument):
        raise CommandError(f"{name} is a folder, not a record of a game")
    try:
        if argument == "-":
            return sys.stdin.buffer.read(most)
        with open(argument, "rb") as file:
            return file.read(most)
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise CommandError(f"cannot read {name}: {why}") from error


def _refusal(error: RecordError, name: str, text: str) -> CommandError:
    """With the line it speaks of, where there is one that can be shown."""
    if error.line is None or not text:
        return CommandError(f"{name}: {error}")
    has_column = isinstance(error.cause, NotationError) and error.cause.column is not None
    offset = error.column - 1 if error.column and not has_column else None
    line = records.split_lines(text)[error.line - 1]
    return Refusal(error.cause, line, f"{name}, line {error.line}", offset)
