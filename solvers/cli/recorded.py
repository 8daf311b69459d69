"""Reading the record of a game from a file or from standard input."""

from __future__ import annotations

import os
import sys

from cython_core.errors import NotationError
from engines import records
from engines.records import Record, RecordError
from solvers.cli.errors import CommandError, Refusal


def read(argument: str, game: str) -> Record:
    """The record of this game. Raises CommandError with place and reason."""
    name = "standard input" if argument == "-" else repr(argument)
    data = _bytes(argument, name)
    text = ""
    try:
        text = records.decode(data)
        record = records.parse(text)
    except RecordError as error:
        raise _refusal(error, name, text) from error
    if record.game != game:
        raise CommandError(f"{name}: the record of a game of {record.game}, not of {game}")
    return record


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
