"""Exit statuses, and errors told to a person: what, where, and what to do."""

from __future__ import annotations

import contextlib
import os
import sys

from cython_core.errors import GameError, IllegalMove, IllegalPosition, NotationError

EXIT_OK = 0
EXIT_FAILED = 1  # the request was fine, the machine was not
EXIT_USAGE = 2  # usage, or a text that does not parse
EXIT_POSITION = 3  # a position or move that parses but breaks the rules
EXIT_DISPROVED = 4
EXIT_INTERRUPTED = 130

LONGEST_ECHO = 120  # characters of a bad text that are shown again
LONGEST_COMPLAINT = 2000


class CommandError(Exception):
    """A request that cannot be carried out; the text says why and what to do instead."""

    def __init__(self, message: str, code: int = EXIT_USAGE) -> None:
        super().__init__(message)
        self.code = code


class Refusal(CommandError):
    """A position or a list of moves that was refused: the error, the text, and what it was for.

    `column` counts characters of `text` from 1, or is None where no single place is to blame;
    `offset` is how many of them stand before what the error speaks of.
    """

    def __init__(self, error: GameError, text: str, where: str, offset: int | None = None) -> None:
        self.text = text
        self.where = where
        self.reasons = error.reasons if isinstance(error, IllegalPosition) else (str(error),)
        at = error.column if isinstance(error, NotationError) else None
        if offset is None:
            self.column = at
        else:
            self.column = offset + (at or 1)
        broken = isinstance(error, IllegalPosition | IllegalMove)
        super().__init__(self._explanation(), EXIT_POSITION if broken else EXIT_USAGE)

    def _explanation(self) -> str:
        """Several lines for a person, with a caret under the offending character."""
        at = self.column
        place = self.where if at is None else f"{self.where}, column {at}"
        first, *others = self.reasons
        lines = [f"{place}: {first}", *(f"  and {reason}" for reason in others)]
        start = 0 if at is None or at <= LONGEST_ECHO else at - LONGEST_ECHO // 2
        before = "..." if start else ""
        lines.append(f"    {before}{echo(self.text[start:])}")
        if at is not None:
            lines.append("    " + " " * len(before + printable(self.text[start : at - 1])) + "^")
        return "\n".join(lines)


def complain(message: str) -> None:
    """Tell a person, on standard error, in characters that no terminal obeys."""
    if len(message) > LONGEST_COMPLAINT:
        message = message[:LONGEST_COMPLAINT] + "..."
    text = "\n".join(printable(line) for line in message.split("\n"))
    try:
        print(f"solve: {text}", file=sys.stderr, flush=True)
    except OSError:  # nobody listens; the exit status still tells
        silence(sys.stderr)


def silence(stream: object) -> None:
    """Send what a broken stream still holds nowhere, so that the interpreter's exit is quiet."""
    with contextlib.suppress(OSError, AttributeError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())  # type: ignore[attr-defined]


def printable(text: str) -> str:
    """The text with all but plain ASCII escaped, so that no terminal obeys it.

    Bytes that came in as lone surrogates are shown as the bytes they were.
    """
    return "".join(char if " " <= char <= "~" else _escaped(char) for char in text)


def _escaped(char: str) -> str:
    byte = char.encode("ascii", "surrogateescape") if "\udc80" <= char <= "\udcff" else None
    return f"\\x{(byte or char.encode())[0]:02x}" if byte or char < "\x80" else ascii(char)[1:-1]


def echo(text: str) -> str:
    """A bad text for an error message: printable and not too long."""
    shown = printable(text[:LONGEST_ECHO])
    return shown if len(text) <= LONGEST_ECHO else shown + "..."
