"""The bridge to OpenSpiel for games with hidden cards: it translates and never decides.

A state keeps one immutable `Position` and nothing else. What a player is told comes from its
knowledge alone (`engines.knowledge`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pyspiel

from cython_core.errors import IllegalMove
from engines import knowledge

SEEDS = 2**53  # a float between 0 and 1 tells so many apart


class HiddenState(pyspiel.State):  # type: ignore[misc]
    """A position with a past. Its text form is the record of the game so far."""

    def __init__(self, game: pyspiel.Game, position: Any) -> None:
        super().__init__(game)
        self.position = position

    def current_player(self) -> int:
        kind, seat, _ = self.position.node
        if kind == "over":
            return int(pyspiel.PlayerId.TERMINAL)
        return seat if kind == "decision" else int(pyspiel.PlayerId.CHANCE)

    def _legal_actions(self, player: int) -> list[int]:
        return self.position.legal_actions() if player == self.position.node.seat else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        outcomes = self.position.weights()
        total = sum(weight for _, weight in outcomes)
        return [(outcome, weight / total) for outcome, weight in outcomes]

    def _apply_action(self, action: int) -> None:
        try:
            self.position = self.position.play_edge(action)
        except IllegalMove as error:
            raise pyspiel.SpielError(str(error)) from error

    def _action_to_string(self, player: int, action: int) -> str:
        return str(self.position.edge_text(action))

    def is_terminal(self) -> bool:
        return bool(self.position.over)

    def returns(self) -> list[float]:
        return list(self.position.returns())

    def __str__(self) -> str:
        return str(self.position)

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> HiddenState:
        """A state that the player cannot tell from this one, by its history too.

        `sampler` gives numbers from 0 to below 1, as OpenSpiel has it; one of them is used.
        """
        known = knowledge.of(self.position, player)
        state = self.get_game().new_initial_state()
        for edge in known.complete(int(sampler() * SEEDS)).history:
            state.apply_action(edge)
        return state  # type: ignore[no-any-return]


class HiddenObserver:
    """What one player sees now, or has ever learned where perfect recall is asked for.

    The tensor holds the parts that the game names and describes (`view`), counts as they are. With
    perfect recall the part `labels` [most moves and outcomes, width] follows: a row for everything
    learned, in order, as `row` describes it. Strings: these parts; with perfect recall the text of
    `engines.knowledge`.
    """

    def __init__(self, game: Any, iig_obs_type: Any, params: dict[str, Any] | None) -> None:
        if params:
            raise ValueError(f"this observer takes no parameters, not {params}")
        if iig_obs_type is not None and not (
            iig_obs_type.public_info
            and iig_obs_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        ):
            raise ValueError("observers tell what is public and what the one player knows")
        self._recall = iig_obs_type is not None and bool(iig_obs_type.perfect_recall)
        self._view, self._row = game.view, game.row
        shapes: dict[str, tuple[int, ...]]
        shapes = {name: (len(part),) for name, part in game.view(game.start, 0).items()}
        if self._recall:
            shapes["labels"] = (sum(game.start.bounds), game.row_width)
        self.tensor = np.zeros(sum(int(np.prod(shape)) for shape in shapes.values()), np.float32)
        self.dict: dict[str, np.ndarray[Any, Any]] = {}
        at = 0
        for name, shape in shapes.items():
            size = int(np.prod(shape))
            self.dict[name] = self.tensor[at : at + size].reshape(shape)
            at += size

    def set_from(self, state: HiddenState, player: int) -> None:
        for name, part in self._view(state.position, player).items():
            self.dict[name][:] = part
        if self._recall:
            rows = self.dict["labels"]
            rows.fill(0)
            for row, label in zip(rows, knowledge.labels_of(state.position, player), strict=False):
                row[:] = self._row(label)

    def string_from(self, state: HiddenState, player: int) -> str:
        if self._recall:
            return knowledge.text_of(state.position, player)
        parts = self._view(state.position, player)
        return "\n".join(f"{name} {' '.join(map(str, part))}" for name, part in parts.items())
