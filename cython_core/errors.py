"""Errors of every game, by cause.

All are ``ValueError``: a caller who does not care about the cause can catch that.
"""

from __future__ import annotations


class GameError(ValueError):
    """Something a caller handed in does not fit the rules of the game."""


class NotationError(GameError):
    """A text that does not parse.

    ``column`` counts characters from 1 and points at the first offending one; it is ``None``
    where no single place is to blame.
    """

    def __init__(self, message: str, column: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.column = column

    def __reduce__(self) -> tuple[type[NotationError], tuple[str, int | None]]:
        return type(self), (self.message, self.column)


class IllegalPosition(GameError):
    """A position that parses but cannot stand. ``reasons`` holds every one, not just the first."""

    def __init__(self, reasons: tuple[str, ...]) -> None:
        super().__init__("; ".join(reasons))
        self.reasons = reasons

    def __reduce__(self) -> tuple[type[IllegalPosition], tuple[tuple[str, ...]]]:
        return type(self), (self.reasons,)


class IllegalMove(GameError):
    """A well-formed move that the rules do not allow in this position."""
