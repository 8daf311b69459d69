"""The OpenSpiel game `charlemagne`: OpenSpiel's own test, and information sets beside the core."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pyspiel
import pytest

from engines.openspiel import register

register()
MICRO_HISTORIES = 7_841


def load(players: int, farmstead: str, preset: str) -> pyspiel.Game:
    options = {"players": players, "farmstead": farmstead, "preset": preset}
    return pyspiel.load_game("charlemagne", options)


def below(state: pyspiel.State) -> Iterator[pyspiel.State]:
    """A state and all that come after it."""
    yield state
    for action in state.legal_actions():
        yield from below(state.child(action))


@pytest.mark.parametrize(
    ("players", "farmstead", "preset"),
    [(2, "random", "micro"), (2, "choice", "mini"), (3, "random", "full"), (4, "random", "full")],
)
def test_openspiels_own_simulation_test_passes(players: int, farmstead: str, preset: str) -> None:
    game = load(players, farmstead, preset)
    pyspiel.random_sim_test(game, num_sims=1, serialize=preset != "full", verbose=False)


def test_information_sets_of_micro_are_those_of_the_core() -> None:
    """One player and one set of legal actions in each; strings are equal iff the keys are."""
    movers: dict[str, tuple[int, tuple[int, ...]]] = {}
    keys: dict[tuple[int, str], int] = {}
    strings: dict[tuple[int, int], str] = {}
    histories = 0
    for state in below(load(2, "random", "micro").new_initial_state()):
        histories += 1
        mover = state.current_player()
        for player in range(2):
            string, key = state.information_state_string(player), state.position.info_key(player)
            assert keys.setdefault((player, string), key) == key
            assert strings.setdefault((player, key), string) == string
        if mover >= 0:
            seen = (mover, tuple(state.legal_actions()))
            assert movers.setdefault(state.information_state_string(mover), seen) == seen
        elif state.is_chance_node():
            assert sum(chance for _, chance in state.chance_outcomes()) == pytest.approx(1)
        else:
            assert sum(state.returns()) == pytest.approx(0)
    assert histories == MICRO_HISTORIES


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_resampled_state_looks_the_same_to_its_player(players: int) -> None:
    luck = random.Random(players)
    state = load(players, "choice", "full").new_initial_state()
    different = 0
    for _ in range(250):
        if state.is_terminal():
            break
        if luck.random() < 0.1:
            player = luck.randrange(players)
            other = state.resample_from_infostate(player, luck.random)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.current_player() == state.current_player()
            assert len(other.history()) == len(state.history())
            different += other.history() != state.history()
        state.apply_action(luck.choice(state.legal_actions()))
    assert different > 10
