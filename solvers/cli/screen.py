"""How things look on a terminal: colour only there, and never the only carrier of meaning."""

from __future__ import annotations

import os
import sys
import time

from engines.rr import EMPTY, FACE_DOWN, NAMES, Position, Side

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import TracebackType
    from typing import TextIO

SECONDS_BEFORE_PROGRESS = 0.5

# Corners and lines of a drawn grid, marks of the two sides, a face-down card.
FANCY = {"top": "┌┬┐", "mid": "├┼┤", "low": "└┴┘", "h": "─", "v": "│", "sides": "▲▼", "down": "▒▒"}
PLAIN = {"top": "+++", "mid": "+++", "low": "+++", "h": "-", "v": "|", "sides": "^v", "down": "##"}
COLOURS = {Side.REGALITY: "31", Side.RELIGION: "34"}
BOLD = "1"


class Screen:
    """A text stream: whether it takes colour, and which characters it can show."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self.stream = stream or sys.stdout
        self.colour = (
            self.stream.isatty()
            and not os.environ.get("NO_COLOR")
            and os.environ.get("TERM") != "dumb"
        )
        self.glyphs = FANCY if _can_show("".join(FANCY.values()), self.stream) else PLAIN

    def paint(self, text: str, code: str) -> str:
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour else text

    def side(self, side: Side) -> str:
        """Mark and name of a side, such as "▲ Regality"."""
        return self.paint(f"{self.glyphs['sides'][side]} {side}", COLOURS[side])

    def card(self, cell: str) -> str:
        """One square of the board, two characters wide."""
        if cell == EMPTY:
            return "  "
        if cell == FACE_DOWN:
            return self.glyphs["down"]
        side = Side.REGALITY if cell.isupper() else Side.RELIGION
        return self.paint(cell + self.glyphs["sides"][side], COLOURS[side])

    def grid(self, rows: list[list[str]], widths: list[int]) -> list[str]:
        """Lines of a drawn table. `widths` are of what is seen: cells may hold colour codes."""
        glyphs = self.glyphs

        def rule(ends: str) -> str:
            return ends[0] + ends[1].join(glyphs["h"] * (w + 2) for w in widths) + ends[2]

        lines = [rule(glyphs["top"])]
        for row in rows:
            lines.append(glyphs["v"] + glyphs["v"].join(f" {cell} " for cell in row) + glyphs["v"])
            lines.append(rule(glyphs["mid"]))
        lines[-1] = rule(glyphs["low"])
        return lines

    def board(self, position: Position) -> list[str]:
        """The nine squares as Regality sees them, with files and ranks, and both hands."""
        cells = position.cells
        rows = [[self.card(cell) for cell in cells[at : at + 3]] for at in (6, 3, 0)]
        lines = self.grid(rows, [2, 2, 2])
        numbered = [f"{3 - i // 2 if i % 2 else ' '} {line}" for i, line in enumerate(lines)]
        return [*numbered, "    a    b    c", "", *self._hands(position)]

    def _hands(self, position: Position) -> list[str]:
        lines = []
        for side in Side:
            hand = position.hands[side]
            names = ", ".join(f"{card} {NAMES[card.upper()][side]}" for card in hand)
            marker = "to move, " if side == position.side and not position.over else ""
            lines.append(f"{self.side(side)} {marker}holds {names or 'no cards'}")
        return lines


def _can_show(text: str, stream: TextIO) -> bool:
    try:
        text.encode(stream.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


class Progress:
    """A progress bar on standard error, once the wait is long enough, and only on a terminal.

    A context for each wait; the bar is gone when it ends.
    """

    def __init__(self, what: str, quiet: bool = False) -> None:
        self._what = what
        self._start = 0.0
        self._wanted = not quiet and sys.stderr.isatty()
        self._bar: _Bar | None = None

    def __call__(self, done: int, total: int, note: str = "") -> None:
        if not self._wanted or time.perf_counter() - self._start < SECONDS_BEFORE_PROGRESS:
            return
        if self._bar is None:
            self._bar = _Bar(self._what)
        self._bar.show(done, total, note)

    def nodes(self, done: int, total: int, nodes: int) -> None:
        """The same for a search: moves valued, moves in all, positions searched."""
        self(done, total, f"{done}/{total} moves, {nodes:,} positions")

    def __enter__(self) -> Progress:
        self._start = time.perf_counter()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._bar:
            self._bar.close()
            self._bar = None


class _Bar:
    """The bar itself; rich is imported only when one is drawn."""

    def __init__(self, what: str) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as RichProgress

        self._bar = RichProgress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} % {task.fields[note]}"),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
            redirect_stdout=False,  # answers are not the bar's to print
            redirect_stderr=False,
        )
        self._task = self._bar.add_task(what, total=None, note="")
        self._bar.start()

    def show(self, done: int, total: int, note: str) -> None:
        self._bar.update(self._task, completed=done, total=total, note=note)

    def close(self) -> None:
        self._bar.stop()
