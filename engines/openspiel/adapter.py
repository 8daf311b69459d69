"""The bridge to OpenSpiel: it translates and never decides.

A state keeps immutable `Position`s and nothing else: OpenSpiel copies attributes one by one, and a
value cannot be copied wrongly.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from cython_core.errors import IllegalMove
from engines.rr import LETTERS, Position, Side

BOARD_PLANES = ("faces_regality", "faces_religion", "castle", "face_down")


class RRState(pyspiel.State):  # type: ignore[misc]
    """A position of RR. Its text form is position text."""

    def __init__(self, game: pyspiel.Game, position: Position) -> None:
        super().__init__(game)
        self.first = position
        self.position = position

    def current_player(self) -> int:
        return pyspiel.PlayerId.TERMINAL if self.position.over else int(self.position.side)

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal_actions()

    def _apply_action(self, action: int) -> None:
        try:
            self.position = self.position.play(action)
        except IllegalMove as error:
            raise pyspiel.SpielError(str(error)) from error

    def _action_to_string(self, player: int, action: int) -> str:
        return self.position.format_move(action)

    def is_terminal(self) -> bool:
        return self.position.over

    def returns(self) -> list[float]:
        if not self.position.over:
            return [0.0, 0.0]
        margin = float(self.position.margin)
        return [margin, -margin] if self.position.side == Side.REGALITY else [-margin, margin]

    def __str__(self) -> str:
        return str(self.position)


class RRObserver:
    """What both players see, which is everything.

    Tensor, all 0 or 1, in this order: `board` [4, 3, 3] (planes: faces Regality, faces Religion,
    Castle, face down; ranks 1 to 3; files a to c), `hands` [2, 8] (Regality, Religion; cards
    C K Q P M G W T), `to_move` [2]. The string is position text; where perfect recall is asked
    for, the first position and the actions since.
    """

    def __init__(self, iig_obs_type: Any, params: dict[str, Any] | None) -> None:
        if params:
            raise ValueError(f"this observer takes no parameters, not {params}")
        self._recall = bool(iig_obs_type is not None and iig_obs_type.perfect_recall)
        pieces = {"board": (len(BOARD_PLANES), 3, 3), "hands": (2, len(LETTERS)), "to_move": (2,)}
        self.tensor = np.zeros(sum(int(np.prod(shape)) for shape in pieces.values()), np.float32)
        self.dict: dict[str, np.ndarray[Any, Any]] = {}
        at = 0
        for name, shape in pieces.items():
            size = int(np.prod(shape))
            self.dict[name] = self.tensor[at : at + size].reshape(shape)
            at += size

    def set_from(self, state: RRState, player: int) -> None:
        self.tensor.fill(0)
        position = state.position
        board = self.dict["board"].reshape(len(BOARD_PLANES), 9)
        for square, cell in enumerate(position.cells):
            board[0, square] = cell.isupper()
            board[1, square] = cell.islower()
            board[2, square] = cell in "Tt"
            board[3, square] = cell == "#"
        for side, hand in enumerate(position.hands):
            for card in hand.upper():
                self.dict["hands"][side, LETTERS.index(card)] = 1
        if not position.over:
            self.dict["to_move"][position.side] = 1

    def string_from(self, state: RRState, player: int) -> str:
        return f"{state.first}; {state.history_str()}" if self._recall else str(state)
