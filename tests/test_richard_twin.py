"""Richard I: the core against the twin, and laws that hold in every game.

`python -m tests.test_richard_twin GAMES` plays so many whole games in each of the 36 settings.
"""

from __future__ import annotations

import random
import sys
from itertools import product

import pytest

from cython_core.errors import IllegalMove
from cython_core.game import perft
from engines import richard_data
from engines.richard import (
    ACTIONS,
    CHARACTERS,
    COLOURS,
    COUNSELORS,
    EVENTS,
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    Position,
    numbers,
)
from tests.reference import richard as twin

SETTINGS = list(product(range(FEWEST_PLAYERS, MOST_PLAYERS + 1), COUNSELORS, EVENTS))
GAMES = 6  # in each setting; the whole soak is 20,000 in all
CARDS = dict(zip(COLOURS, (24, 24, 24, 24, 33, 36), strict=True))  # § Components
LAST_TURN = 36  # ruling "Length"


def piles_of(game: twin.Game) -> dict[str, object]:
    return {
        "supply": list(game.supply()),
        "reserve": list(game.reserve()),
        "crusade": list(game.crusade()),
        "revealed": list(game.revealed()),
        "hands": [list(hand) for hand in game.hands()],
        "counselors": [list(held) for held in game.counselors()],
    }


def edges_of(position: Position, game: twin.Game) -> list[str]:
    """The texts that may come next, after checking that both sides agree on them."""
    node, other = position.node, game.node()
    assert node.kind == other[0]
    if node.kind == "over":
        assert position.returns() == pytest.approx(game.returns())
        assert sum(position.returns()) == pytest.approx(0)
        assert position.ending != ""
        return []
    if node.kind == "chance":
        assert node.what == other[1]
        assert list(position.outcomes().items()) == game.outcomes()
        assert position.legal_moves() == ()
        return list(position.outcomes())
    assert node.seat == other[1]
    assert list(position.legal_moves()) == game.legal()
    assert position.outcomes() == {}
    return list(position.legal_moves())


def check_laws(position: Position) -> None:
    piles = position.piles
    for i, colour in enumerate(COLOURS):
        everywhere = [piles[pile][i] for pile in ("supply", "reserve", "crusade", "revealed")]
        assert sum(everywhere) + sum(hand[i] for hand in piles["hands"]) == CARDS[colour]
    assert position.turn <= LAST_TURN
    tracks = position.tracks
    assert tracks["time"] <= 12
    assert max(tracks["crusaders"], tracks["saladin"]) <= 10


def play_both(players: int, counselors: str, events: str, seed: int) -> None:
    source = random.Random(seed)
    game = twin.Game(twin.Rules(players=players, counselors=counselors, events=events))
    position = Position.start(players, counselors, events)
    while edges := edges_of(position, game):
        text = source.choice(edges)
        for viewer in range(players):
            assert position.label(text, viewer) == game.observe(text, viewer), text
        position = position.play(text)
        game.apply(text)
        assert position.piles == piles_of(game), text
        assert list(position.points) == game.points(), text
        assert position.tracks == game.tracks(), text
        check_laws(position)


@pytest.mark.parametrize(("players", "counselors", "events"), SETTINGS)
def test_whole_games_are_the_same_in_core_and_twin(
    players: int, counselors: str, events: str
) -> None:
    for seed in range(GAMES):
        play_both(players, counselors, events, seed)


def test_move_texts_are_those_of_the_twin() -> None:
    assert list(ACTIONS) == twin.ACTIONS
    assert len(set(ACTIONS)) == len(ACTIONS) == 204
    assert twin.CHARACTERS == CHARACTERS
    assert twin.COLOURS == COLOURS


@pytest.mark.parametrize("players", range(FEWEST_PLAYERS, MOST_PLAYERS + 1))
def test_the_numbers_are_those_of_the_twin(players: int) -> None:
    ours, theirs = numbers(players), twin.Rules(players=players)
    for name in ("hand", "contributed", "revealed", "time", "crusaders", "saladin", "treasury",
                 "placing_bonus", "last_slow_turn"):  # fmt: skip
        assert ours[name] == getattr(theirs, name)
    for name in ("supply", "reserve", "crusade_base", "sides"):
        assert tuple(ours[name]) == getattr(theirs, name)
    assert tuple(ours["crusade_per_john"]) == theirs.per_john
    assert tuple(ours["crusade_per_richard"]) == theirs.per_richard


def test_perft_counts_moves_and_outcomes_as_the_twin_does() -> None:
    """From the first option node on, after the first card of every deal: a small tree."""
    game = twin.Game(twin.Rules(players=3))
    position = Position.start(3, "off", "off")
    while position.turn == 0:
        text = edges_of(position, game)[0]
        game.apply(text)
        position = position.play(text)
    for text in ("exciseman", "inquisitor", "merchant", "g"):
        game.apply(text)
        position = position.play(text)
    for depth in range(5):
        assert perft(position.to_core(), depth) == twin.perft(game, depth)


@pytest.mark.parametrize("players", [2, 3])
def test_the_whole_tree_of_the_micro_game_is_the_twins(players: int) -> None:
    data = richard_data.load("micro", None).at(players)
    rules = twin.Rules(
        players=players,
        counselors="off",
        events="off",
        characters=_in_play(data.pop("characters")),
        per_john=data.pop("crusade_per_john"),
        per_richard=data.pop("crusade_per_richard"),
        **data,
    )
    core = Position.start(players, "off", "off", preset="micro").to_core()
    depth = 0
    while count := perft(core, depth):
        assert count == twin.perft(rules, depth)
        depth += 1
    assert twin.perft(rules, depth) == 0
    assert depth > 15


def _in_play(characters: int) -> tuple[str, ...]:
    return tuple(name for i, name in enumerate(CHARACTERS) if characters >> i & 1)


def test_an_impossible_move_is_refused_and_changes_nothing() -> None:
    position = Position.start(3)
    before = position.piles
    for text in ("john", "x", "", "1", "give -"):
        with pytest.raises(IllegalMove, match="not possible here"):
            position.play(text)
    assert position.piles == before


def test_copies_are_independent() -> None:
    position = Position.start(4)
    mutable = position.to_core()
    mutable.play(mutable.outcomes()[0][0])
    assert position.piles["supply"] == [12] * 6
    del position
    assert mutable.node()[0] == "chance"
    with pytest.raises(TypeError, match="unhashable"):
        hash(mutable)


@pytest.mark.parametrize(
    "options", [(2,), (9,), (4, "none"), (4, "house", "on")], ids=lambda options: str(options)
)
def test_options_that_do_not_exist_are_refused(options: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="not"):
        Position.start(*options)


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 556
    for setting in SETTINGS:
        for seed in range(games):
            play_both(*setting, 1_000_000 + seed)
        print(*setting, f"{games} games agree", flush=True)


if __name__ == "__main__":
    main()
