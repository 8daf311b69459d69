"""Richard I: the core against the twin.

`python -m tests.test_richard_twin GAMES` plays so many whole games in each of the 36 settings, and
as many with texts of the cards that nobody ever thought of.
"""

from __future__ import annotations

import random
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby, product
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
from engines.richard_cards import ORDERS
from tests.cli import examples
from tests.reference import richard as twin
from tests.test_richard_cards import (
    counselor_cards,
    event_cards,
    written_counselors,
    written_events,
)

PLAYERS = range(FEWEST_PLAYERS, MOST_PLAYERS + 1)
SETTINGS = list(product(PLAYERS, COUNSELORS, EVENTS))
GAMES = 4  # in each setting; the whole soak is 20,000 in all
CARDS = dict(zip(COLOURS, (24, 24, 24, 24, 33, 36), strict=True))  # § Components
LAST_TURN = 36  # ruling "Length"
UNORDERED = ("deal", "draw", "reveal")  # ruling "Moves and chance"


def twin_of(start: Position) -> twin.Game:
    """A game of the twin by the rules of a position; numbers and texts of the files unchecked."""
    assert start.rules is not None
    players, counselors, events, preset, _ = start.rules
    options: dict[str, object] = {"counselors": "off" if counselors == "off" else "house"}
    if counselors not in COUNSELORS:
        cards = tomllib.loads(Path(counselors).read_text("utf-8"))["counselors"]
        options["counselor_texts"] = {
            side: {
                int(n): (card["when"], card.get(side, card.get("both")))
                for n, card in cards.items()
            }
            for side in (twin.JOHN, twin.RICHARD)
        }
    if events not in EVENTS:
        file = tomllib.loads(Path(events).read_text("utf-8"))
        options["event_texts"] = {int(n): card["lines"] for n, card in file["events"].items()}
        events = file["order"]
    if preset != "full":
        data = richard_data.load(preset).at(players)
        in_play = data.pop("characters")
        options |= data
        options["characters"] = tuple(c for i, c in enumerate(CHARACTERS) if in_play >> i & 1)
        options["per_john"] = options.pop("crusade_per_john")
        options["per_richard"] = options.pop("crusade_per_richard")
    return twin.Game(twin.Rules(players=players, events=events, **options))  # type: ignore[arg-type]


def piles_of(game: twin.Game) -> dict[str, object]:
    return {
        "supply": list(game.supply()),
        "reserve": list(game.reserve()),
        "crusade": list(game.crusade()),
        "revealed": list(game.revealed()),
        "hands": [list(hand) for hand in game.hands()],
        "counselors": [list(held) for held in game.counselors()],
        "decks": [sorted(game._counselor_decks[side]) for side in (twin.JOHN, twin.RICHARD)],
    }


def edges_of(position: Position, game: twin.Game) -> list[str]:
    """The texts that may come next, after checking that both sides agree on them."""
    node, (kind, *whose) = position.node, game.node()
    assert node.kind == kind
    if node.kind == "over":
        assert position.returns() == pytest.approx(game.returns())
        assert sum(position.returns()) == pytest.approx(0)
        assert position.ending == game.ending() != ""
        return []
    if node.kind == "chance":
        assert [node.what] == whose
        assert list(position.outcomes().items()) == game.outcomes()
        assert position.legal_moves() == ()
        return list(position.outcomes())
    assert [node.seat] == whose
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


def play_both(start: Position, seed: int) -> None:
    source = random.Random(seed)
    game, position = twin_of(start), start
    while edges := edges_of(position, game):
        text = source.choice(edges)
        for viewer in range(len(position.points)):
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
        play_both(Position.start(players, counselors, events), seed)


# Texts of somebody's own


def play_both_by_own_texts(
    players: int,
    counselors: dict[int, tuple[str, list[str], list[str]]],
    order: str,
    events: dict[int, list[str]],
    seed: int,
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder) / "counselors.toml", Path(folder) / "events.toml"
        files[0].write_text(written_counselors(counselors), "utf-8")
        files[1].write_text(written_events(order, events), "utf-8")
        play_both(Position.start(players, str(files[0]), str(files[1])), seed)


own_texts = given(
    st.sampled_from(PLAYERS),
    counselor_cards(),
    st.sampled_from(ORDERS),
    event_cards(),
    st.integers(0, 2**32),
)
test_whole_games_by_any_texts_are_the_same_in_core_and_twin = examples(40)(
    own_texts(play_both_by_own_texts)
)


# What the seats know


@dataclass
class Keys:
    """Of the states of one game: the core's keys, against what the twin says."""

    checked: int = 0
    info_keys: dict[object, int] = field(default_factory=dict)
    infos: dict[object, object] = field(default_factory=dict)
    view_keys: dict[object, int] = field(default_factory=dict)
    views: dict[object, object] = field(default_factory=dict)

    def check(self, position: Position, game: twin.Game, viewer: int) -> None:
        self.checked += 1
        info, key = game.info(viewer), position.info_key(viewer)
        assert self.info_keys.setdefault((viewer, info), key) == key
        assert self.infos.setdefault((viewer, key), info) == info
        view, key = game.view(viewer), position.view_key(viewer)
        assert self.views.setdefault((viewer, key), view) == view
        if position.node.what != "draw":  # how many cards are still to come is not in the twin's
            assert self.view_keys.setdefault((viewer, view), key) == key


def whole_tree(position: Position, game: twin.Game) -> Iterator[tuple[Position, twin.Game]]:
    """Every state of core and twin, after checking that both sides have the same."""
    yield position, game
    edges = edges_of(position, game)
    for text in edges:
        after = game if text == edges[-1] else game.copy()
        after.apply(text)
        yield from whole_tree(position.play(text), after)


@pytest.mark.parametrize(("players", "size"), [(2, 1_819), (3, 6_109)])
def test_the_whole_micro_game_is_the_twins_and_so_are_its_keys(players: int, size: int) -> None:
    start = Position.start(players, "off", preset="micro")
    keys, count = Keys(), 0
    for position, game in whole_tree(start, twin_of(start)):
        count += 1
        assert position.piles == piles_of(game)
        assert list(position.points) == game.points()
        for viewer in range(players):
            keys.check(position, game, viewer)
    assert count == size
    assert len(keys.views) < len(keys.infos) < keys.checked / 2


@pytest.mark.parametrize(("players", "events"), [(2, "off"), (2, "shuffled"), (3, "historical")])
def test_keys_of_small_games_with_counselors(players: int, events: str) -> None:
    """Some states are met again and again, by different ways."""
    start, source = Position.start(players, "house", events, preset="mini"), random.Random(players)
    keys = Keys()
    for _ in range(150):
        position, game = start, twin_of(start)
        while edges := edges_of(position, game):
            for viewer in range(players):
                keys.check(position, game, viewer)
            text = source.choice(edges)
            position = position.play(text)
            game.apply(text)
    assert len(keys.views) < len(keys.infos) < keys.checked


def alike(start: Position, viewer: int, seed: int) -> Iterator[tuple[Position, twin.Game]]:
    """The states of two games in which one seat learns the same for as long as can be."""
    source = random.Random(seed)
    both = [(start, twin_of(start)), (start, twin_of(start))]
    while True:
        yield from both
        (first, _), (second, _) = both
        choice = {text: first.label(text, viewer) for text in edges_of(*both[0])}
        others = {text: second.label(text, viewer) for text in edges_of(*both[1])}
        common = [text for text, label in choice.items() if label in others.values()]
        if not common:
            return
        text = source.choice(common)
        other = source.choice([o for o, label in others.items() if label == choice[text]])
        for at, played in enumerate((text, other)):
            position, game = both[at]
            game.apply(played)
            both[at] = position.play(played), game


@pytest.mark.parametrize("players", PLAYERS)
def test_keys_are_equal_while_a_seat_learns_the_same(players: int) -> None:
    start = Position.start(players, "house", "shuffled")
    keys, seats = Keys(), random.Random(players)
    for seed in range(5):
        own = seed % players
        for position, game in alike(start, own, 100 * players + seed):
            for viewer in (own, seats.randrange(players)):
                keys.check(position, game, viewer)
    assert len(keys.infos) < keys.checked
    assert keys.checked > 1000


def reordered(texts: list[tuple[object, str]], source: random.Random) -> list[str]:
    """The cards of every draw in another order. What is equal in front of them is one draw."""
    found = []
    for _, draw in groupby(texts, key=lambda each: each[0]):
        cards = [text for _, text in draw]
        source.shuffle(cards)
        found += cards
    return found


@pytest.mark.parametrize("players", PLAYERS)
def test_the_order_within_one_draw_is_in_nobodys_key(players: int) -> None:
    source = random.Random(players)
    start = position = Position.start(players, "house", "shuffled")
    texts: list[tuple[object, str]] = []
    formed = 0
    while not position.over:
        node, text = (
            position.node,
            source.choice(list(position.outcomes() or position.legal_moves())),
        )
        after = position.play(text)
        texts.append(((node, formed) if node.what in UNORDERED else len(texts), text))
        formed += sum(after.piles["supply"]) > sum(position.piles["supply"])
        position = after
    other = reordered(texts, source)
    assert other != [text for _, text in texts]
    keys = Keys()
    for played in ([text for _, text in texts], other):
        position, game = start, twin_of(start)
        for text in played:
            edges_of(position, game)
            position = position.play(text)
            game.apply(text)
            for viewer in {0, source.randrange(players)}:
                keys.check(position, game, viewer)
    assert keys.checked / 2 < len(keys.infos) < keys.checked


def swapping(hand: str) -> tuple[Position, twin.Game]:
    """Seat 0 looks into that hand of seat 1."""
    position = Position.start(3)
    game = twin_of(position)
    texts = (*"bypwrg", *hand, *"bypwrg", "richard", "john", "richard", "10", "7", "8")
    for text in (*texts, "merchant", "exciseman", "arms", "b", "counselor 10", "@1"):
        assert text in edges_of(position, game)
        position = position.play(text)
        game.apply(text)
    return position, game


def test_a_hand_that_lies_open_is_seen_until_a_card_is_taken() -> None:
    states = [swapping(hand) for hand in ("bbbyyy", "bbbyyw")]
    keys = Keys()
    for position, game in states:
        for viewer in range(3):
            keys.check(position, game, viewer)
    (one, _), (other, _) = states
    assert one.legal_moves() != other.legal_moves()
    assert one.view_key(0) != other.view_key(0)
    assert one.view_key(2) == other.view_key(2)
    assert one.info_key(0) != other.info_key(0)
    assert one.info_key(2) == other.info_key(2)


def test_whoever_was_not_asked_does_not_see_which_card_was_taken() -> None:
    keys, states = Keys(), []
    for text in "by":
        position, game = swapping("bbbyyy")
        game.apply(text)
        states.append((position.play(text), game))
        for viewer in range(3):
            keys.check(*states[-1], viewer)
    (one, _), (other, _) = states
    for viewer, same in enumerate((False, False, True)):
        assert (one.view_key(viewer) == other.view_key(viewer)) is same
        assert (one.info_key(viewer) == other.info_key(viewer)) is same


# Data, counts, refusals


def test_move_texts_are_those_of_the_twin() -> None:
    assert list(ACTIONS) == twin.ACTIONS
    assert len(set(ACTIONS)) == len(ACTIONS) == 212
    assert twin.CHARACTERS == CHARACTERS
    assert twin.COLOURS == COLOURS


@pytest.mark.parametrize("players", PLAYERS)
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
def test_options_that_do_not_exist_are_refused(options: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match="not"):
        Position.start(*options)


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 556
    for setting in SETTINGS:
        for seed in range(games):
            play_both(Position.start(*setting), 1_000_000 + seed)
        print(*setting, f"{games} games agree", flush=True)
    settings(max_examples=games, deadline=None)(own_texts(play_both_by_own_texts))()
    print(f"{games} games by texts of any kind agree", flush=True)


if __name__ == "__main__":
    main()
