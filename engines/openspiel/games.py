"""What OpenSpiel wants to know of each game before it is played."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pyspiel

from cython_core import rr as core
from engines import (
    charlemagne,
    charlemagne_labels,
    charlemagne_views,
    record_games,
    records,
    richard,
    richard_labels,
    richard_views,
)
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


def _hidden_type(
    short_name: str, long_name: str, players: tuple[int, int], parameters: dict[str, Any]
) -> pyspiel.GameType:
    """Of a game with chance and hidden cards. `players`: fewest and most."""
    return pyspiel.GameType(
        short_name=short_name,
        long_name=long_name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=players[1],
        min_num_players=players[0],
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters,
    )


class HiddenGame(pyspiel.Game):  # type: ignore[misc]
    """A game with chance and hidden cards; parameters are the options of `Position.start`.

    Returns are (n·s - 1)/(n - 1) for a share s of the win among n players. A subclass says of what
    its tensors are made: `view`, the table as a player sees it, and `row`, one thing learned.
    """

    game_type: pyspiel.GameType
    engine: ModuleType
    most_outcome = 0  # the largest id of an outcome

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        chosen = {**self.game_type.parameter_specification, **(params or {})}
        self.start = self.engine.Position.start(**chosen)
        decisions, outcomes = self.start.bounds
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.engine.ACTIONS),
            max_chance_outcomes=self.most_outcome + 1,
            num_players=chosen["players"],
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=decisions,
        )
        super().__init__(self.game_type, info, params or {})
        self.most_outcomes = outcomes

    @property
    def row_width(self) -> int:
        """Numbers in a row."""
        raise NotImplementedError

    def view(self, position: Any, player: int) -> dict[str, list[int]]:
        """The table as a player sees it, part by part."""
        raise NotImplementedError

    def row(self, label: Any) -> list[int]:
        """One thing that a player has learned."""
        raise NotImplementedError

    def new_initial_state(self, text: str | None = None) -> hidden.HiddenState:
        """Before the first card, or where a record of a game by these rules stands."""
        state = hidden.HiddenState(self, self.start)
        if text is not None:
            name = self.start.game
            record = records.parse(text, record_games.GAMES[name].files(self.start))
            if record.game != name or record.start != self.start:
                raise ValueError("the record of a game by other rules")
            for edge in records.replay(record)[-1].history:
                state.apply_action(edge)
        return state

    def max_chance_nodes_in_history(self) -> int:
        return int(self.most_outcomes)

    def make_py_observer(
        self, iig_obs_type: Any = None, params: dict[str, Any] | None = None
    ) -> hidden.HiddenObserver:
        return hidden.HiddenObserver(self, iig_obs_type, params)


class RichardGame(HiddenGame):
    """Richard I. Chance outcomes are colours from 0, or the numbers of counselors and events."""

    game_type = _hidden_type(
        "richard_i",
        "Richard I",
        (2, richard.MOST_PLAYERS),
        {"players": 4, "counselors": "house", "events": "off", "preset": "full"},
    )
    engine = richard
    most_outcome = richard_labels.EVENT_CARDS

    @property
    def row_width(self) -> int:
        return 6 + len(self.start.points) + len(richard_labels.COLOURS)

    def view(self, position: Any, player: int) -> dict[str, list[int]]:
        """`engines.richard_views.view_of`."""
        return richard_views.view_of(position, player)

    def row(self, label: richard_labels.Label) -> list[int]:
        """1 + kind of node (`KINDS`), 1 + seat, 1 + action or outcome (0: hidden), cards of a
        contribution, 1 + what an inspection found (0: none), offers shown [n], whether a hand is
        shown, that hand by colour [6].
        """
        return [
            1 + richard_labels.KINDS.index(label.kind),
            1 + label.seat,
            0 if label.edge is None else 1 + label.edge,
            label.cards,
            0 if label.found is None else 1 + label.found,
            *label.offers,
            *[0] * (len(self.start.points) - len(label.offers)),
            int(label.hand is not None),
            *(label.hand or [0] * len(richard_labels.COLOURS)),
        ]


class CharlemagneGame(HiddenGame):
    """Charlemagne. Chance outcomes are numbers of pieces, seats for cards, incomes in base 3."""

    game_type = _hidden_type(
        "charlemagne",
        "Charlemagne",
        (charlemagne.FEWEST_PLAYERS, charlemagne.MOST_PLAYERS),
        {"players": 4, "farmstead": "random", "preset": "full"},
    )
    engine = charlemagne
    most_outcome = 80  # two privileges of each of four kinds

    @property
    def row_width(self) -> int:
        return 6 + len(charlemagne_labels.KINDS)

    def view(self, position: Any, player: int) -> dict[str, list[int]]:
        """`engines.charlemagne_views.view_of`."""
        return charlemagne_views.view_of(position, player)

    def row(self, label: charlemagne_labels.Label) -> list[int]:
        """1 + kind of node (`NODES`), 1 + seat, 1 + the kind drawn or card dealt (0: neither), 1 +
        action or outcome (0: hidden), what a bribe or call was told to find (0: nothing was told,
        1: not what it looked for, 2: that), whether a storage is shown, that storage by kind [4].
        """
        return [
            1 + charlemagne_labels.NODES.index(label.kind),
            1 + label.seat,
            0 if label.item is None else 1 + label.item,
            0 if label.edge is None else 1 + label.edge,
            0 if label.found is None else 1 + label.found,
            int(label.shown is not None),
            *(label.shown or [0] * len(charlemagne_labels.KINDS)),
        ]


GAMES = (
    (RR_TYPE, RRGame),
    (RichardGame.game_type, RichardGame),
    (CharlemagneGame.game_type, CharlemagneGame),
)
