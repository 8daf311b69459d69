"""What OpenSpiel wants to know of each game before it is played."""

from __future__ import annotations

from typing import Any

import pyspiel

from cython_core import rr as core
from engines.openspiel import adapter
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


GAMES = ((RR_TYPE, RRGame),)
