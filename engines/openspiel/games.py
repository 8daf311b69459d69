"""What OpenSpiel wants to know of each game before it is played."""

from __future__ import annotations

from typing import Any

import pyspiel

from cython_core import rr as core
from engines import records, richard, richard_labels, richard_views
from engines.openspiel import adapter, hidden
from engines.rr import Position, Rules

LONGEST_RR = 15  # plies
MOST_ALLIES = 9  # cards

RR_TYPE = pyspiel.GameType(
    short_name="rr",
    long_name="RR",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={"queen": Rules.QUEENS[0], "ending": Rules.ENDINGS[0]},
)


class RRGame(pyspiel.Game):  # type: ignore[misc]
    """RR with `queen` and `ending` as parameters; player 0 is Regality and starts.

    Returns are margins: own face-up allies less the other side's, -9 to 9.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        params = params or {}
        self.rules = Rules(
            params.get("queen", Rules.QUEENS[0]), params.get("ending", Rules.ENDINGS[0])
        )
        info = pyspiel.GameInfo(
            num_distinct_actions=core.ACTION_COUNT,
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-MOST_ALLIES,
            max_utility=MOST_ALLIES,
            utility_sum=0.0,
            max_game_length=LONGEST_RR,
        )
        super().__init__(RR_TYPE, info, params)

    def new_initial_state(self, text: str = "start") -> adapter.RRState:
        """The start, or any position written as position text."""
        return adapter.RRState(self, Position.parse(text, self.rules))

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> adapter.RRObserver:
        return adapter.RRObserver(iig_obs_type, params)


RICHARD_TYPE = pyspiel.GameType(
    short_name="richard_i",
    long_name="Richard I",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=richard.MOST_PLAYERS,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={
        "players": 4, "counselors": "house", "events": "off", "preset": "full",
    },
)  # fmt: skip


class RichardGame(pyspiel.Game):  # type: ignore[misc]
    """Richard I with the options of `engines.richard.Position.start` as parameters.

    Returns are (n·s - 1)/(n - 1) for a share s of the win among n players. Chance outcomes are
    colours from 0, or the numbers of counselors and events.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = {**RICHARD_TYPE.parameter_specification, **(params or {})}
        self.start = richard.Position.start(
            chosen["players"], chosen["counselors"], chosen["events"], preset=chosen["preset"]
        )
        decisions, outcomes = self.start.bounds
        info = pyspiel.GameInfo(
            num_distinct_actions=len(richard.ACTIONS),
            max_chance_outcomes=richard_labels.EVENT_CARDS + 1,
            num_players=chosen["players"],
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=decisions,
        )
        super().__init__(RICHARD_TYPE, info, params or {})
        self.most_outcomes = outcomes
        self.row_width = len(self.row(richard_labels.Label("deal", 0, None)))

    view = staticmethod(richard_views.view_of)

    def row(self, label: richard_labels.Label) -> list[int]:
        """What was learned: 1 + kind of node (`KINDS`), 1 + seat, 1 + action or outcome (0:
        hidden), cards of a contribution, 1 + what an inspection found (0: none), offers shown [n],
        whether a hand is shown, that hand by colour [6].
        """
        found = 0 if label.found is None else 1 + label.found
        edge = 0 if label.edge is None else 1 + label.edge
        hidden = self.start.points[len(label.offers) :]  # all 0
        kind = 1 + richard_labels.KINDS.index(label.kind)
        hand = label.hand or (0,) * len(richard_labels.COLOURS)
        shown = int(label.hand is not None)
        return [
            kind,
            1 + label.seat,
            edge,
            label.cards,
            found,
            *label.offers,
            *hidden,
            shown,
            *hand,
        ]

    def new_initial_state(self, text: str | None = None) -> hidden.HiddenState:
        """Before the first card, or where a record of a game by these rules stands."""
        state = hidden.HiddenState(self, self.start)
        if text is not None:
            record = records.parse(text)
            if record.game != "richard" or record.start != self.start:
                raise ValueError("the record of a game by other rules")
            for edge in records.replay(record)[-1].history:
                state.apply_action(edge)
        return state

    def max_chance_nodes_in_history(self) -> int:
        return self.most_outcomes

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> hidden.HiddenObserver:
        return hidden.HiddenObserver(self, iig_obs_type, params)


GAMES = ((RR_TYPE, RRGame), (RICHARD_TYPE, RichardGame))
