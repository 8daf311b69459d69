"""Richard I: laws that hold in every game, whatever is played."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from cython_core.errors import IllegalMove
from cython_core.game import perft
from engines.richard import (
    ACTIONS,
    CHARACTERS,
    COLOURS,
    COUNSELORS,
    EVENTS,
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    Position,
)

PLAYERS = range(FEWEST_PLAYERS, MOST_PLAYERS + 1)
SETTINGS = list(product(PLAYERS, COUNSELORS, EVENTS))
CARDS = [24, 24, 24, 24, 33, 36]  # § Components, by colour
LAST_TURN = 36
GARBAGE = (
    *("", " ", "-", "?", "B", "bb", "john ", " john", "John", "0", "3", "19", "-1", "none1"),
    *("@", "@8", "@-1", "@0x", "@8b", "@0bb", "offer", "offer -1", "offer 37", "offer ?"),
    *("give", "give ", "give ?", "give ??", "give yb", "give gggg", "counselor", "counselor 12"),
    *("counselor 14", "event 1", "reveal r", "draw b", "0 draw b", "pass ", "returns", "\n", "é"),
)


def edges(position: Position) -> tuple[str, ...]:
    return position.legal_moves() or tuple(position.outcomes())


def game(seed: int, players: int, counselors: str, events: str) -> Iterator[tuple[Position, str]]:
    """All positions of a random game, each with what is played there; nothing at the end."""
    source = random.Random(seed)
    position = Position.start(players, counselors, events)
    while position.node.kind != "over":
        text = source.choice(edges(position))
        yield position, text
        position = position.play(text)
    yield position, ""


def everything(position: Position) -> tuple[Any, ...]:
    return (
        position.node,
        position.points,
        position.tracks,
        position.turn,
        position.ending,
        position.piles,
        position.returns(),
        position.legal_moves(),
        position.outcomes(),
    )


def in_public(position: Position) -> dict[str, Any]:
    """What anybody at the table can see or count."""
    piles = position.piles
    return {
        "tracks": position.tracks,
        "turn": position.turn,
        "points": position.points,
        "ending": position.ending,
        "supply": sum(piles["supply"]),
        "reserve": piles["reserve"],
        "crusade": sum(piles["crusade"]),
        "revealed": piles["revealed"],
        "hands": [sum(hand) for hand in piles["hands"]],
        "counselors": [len(held) for held in piles["counselors"]],
    }


def told_to_all(position: Position, text: str) -> str:
    """The label of those who are not involved: of three seats at most two are."""
    labels = [position.label(text, viewer) for viewer in range(len(position.points))]
    return min(labels, key=lambda label: (-label.count("?"), len(label)))


def by_label(position: Position) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for text in edges(position):
        found.setdefault(told_to_all(position, text), []).append(text)
    return found


@pytest.mark.parametrize(("players", "counselors", "events"), SETTINGS)
def test_what_is_legal_can_be_played_and_nothing_else(
    players: int, counselors: str, events: str
) -> None:
    """All move texts, all outcome texts and garbage, at one node of each kind and some more."""
    numbers = tuple(str(number) for number in range(20))
    candidates = {*ACTIONS, *numbers, *COLOURS, *GARBAGE}
    source = random.Random(players)
    seen: set[str] = set()
    for position, _ in game(100 + players, players, counselors, events):
        what = position.node.what
        if what in seen and source.random() > 0.02:
            continue
        seen.add(what)
        possible = set(edges(position))
        assert len(possible) == len(edges(position))
        assert possible <= candidates
        for text in candidates:
            if text in possible:
                assert position.play(text).turn >= position.turn
                continue
            with pytest.raises(IllegalMove):
                position.play(text)
            with pytest.raises(IllegalMove):
                position.label(text, 0)
    assert {"deal", "loyalty", "place", "option", "give", "reveal", ""} <= seen


@pytest.mark.parametrize("players", PLAYERS)
def test_a_position_does_not_change_when_it_is_played_on(players: int) -> None:
    for position, text in game(7, players, "house", "shuffled"):
        if not text:
            break
        before = everything(position)
        position.label(text, 0)
        first, second = position.play(text), position.play(text)
        assert everything(position) == before
        assert everything(first) == everything(second)


@pytest.mark.parametrize(("players", "counselors", "events"), SETTINGS)
def test_no_card_is_lost_or_made(players: int, counselors: str, events: str) -> None:
    for seed in range(2):
        gone: set[tuple[int, int]] = set()
        sides: list[str] = []
        before: list[list[int]] = [[] for _ in range(players)]
        for position, text in game(seed, players, counselors, events):
            piles = position.piles
            rows = [piles[name] for name in ("supply", "reserve", "crusade", "revealed")]
            rows += piles["hands"]
            assert [sum(column) for column in zip(*rows, strict=True)] == CARDS
            assert min(min(row) for row in rows) >= 0
            held = piles["counselors"]
            for seat in range(players):
                assert all(1 <= number <= 14 for number in held[seat])
                lost = set(before[seat]) - set(held[seat])
                gone |= {(sides[seat] == "john", number) for number in lost}
            in_hand = [
                (sides[seat] == "john", number) for seat in range(players) for number in held[seat]
            ]
            assert len(set(in_hand)) == len(in_hand)  # one of each number a side
            assert not gone & set(in_hand)  # never a second time
            before = [list(numbers) for numbers in held]
            if position.node.what == "loyalty":
                sides.append(text)


@pytest.mark.parametrize(("players", "counselors", "events"), SETTINGS)
def test_tracks_and_turns_stay_within_their_bounds(
    players: int, counselors: str, events: str
) -> None:
    for seed in range(2):
        turn = 0
        for position, text in game(50 + seed, players, counselors, events):
            tracks = position.tracks
            assert 0 <= tracks["time"] <= 12
            assert 0 <= tracks["crusaders"] <= 10
            assert 0 <= tracks["saladin"] <= 10
            assert tracks["treasury"] >= 0
            assert turn <= position.turn <= min(turn + 1, LAST_TURN)
            turn = position.turn
            if text:
                assert position.ending == ""
                assert position.returns() == [0] * players
            else:
                assert 0 in tracks.values()


@pytest.mark.parametrize(("players", "counselors", "events"), SETTINGS)
def test_returns_are_zero_sum_and_share_the_win(players: int, counselors: str, events: str) -> None:
    for seed in range(3):
        *_, (position, _) = game(200 + seed, players, counselors, events)
        returns = position.returns()
        assert position.ending in ("A", "B", "C", "D")
        assert edges(position) == ()
        assert sum(returns) == pytest.approx(0)
        winners = [seat for seat in range(players) if returns[seat] > -1 / (players - 1) + 1e-9]
        for seat in winners:
            assert position.points[seat] == max(position.points)
            share = (players / len(winners) - 1) / (players - 1)
            assert returns[seat] == pytest.approx(share)


def slowest(position: Position) -> list[str]:
    """What keeps a game going: more purple than blue cards, all the others in balance."""
    piles, what = position.piles, position.node.what
    if what not in ("give", "reveal"):
        return list(edges(position))

    def cost(text: str) -> int:
        pile = piles["revealed" if what == "reveal" else "crusade"]
        cards = text.removeprefix("give ")
        b, y, p, w, r, g = (n + cards.count(c) for n, c in zip(pile, COLOURS, strict=True))
        return int(abs(r - g) + abs(y - w) + 3 * max(0, b - p + 1))

    least = min(map(cost, edges(position)))
    return [text for text in edges(position) if cost(text) == least]


@pytest.mark.parametrize("players", PLAYERS)
def test_games_that_take_their_time_end_all_the_same(players: int) -> None:
    longest = 0
    for seed in range(3):
        source = random.Random(seed)
        position = Position.start(players)
        while position.node.kind != "over":
            position = position.play(source.choice(slowest(position)))
            assert position.turn <= LAST_TURN
        longest = max(longest, position.turn)
    assert longest > 18


@pytest.mark.parametrize(("counselors", "events"), list(product(COUNSELORS, EVENTS)))
@pytest.mark.parametrize("players", PLAYERS)
def test_nodes_depend_on_public_facts_alone(players: int, counselors: str, events: str) -> None:
    """Two games in which everybody is told the same, whatever the cards are, ask the same."""
    different = 0
    for seed in range(4 if players < 5 else 2):
        source = random.Random(1000 * players + seed)
        one = two = Position.start(players, counselors, events)
        while True:
            assert one.node == two.node
            if one.node.kind == "over":
                break
            assert in_public(one) == in_public(two)
            different += one.piles["hands"] != two.piles["hands"]
            ours, theirs = by_label(one), by_label(two)
            common = [label for label in ours if label in theirs]
            if not common:
                break  # what is shown next cannot be the same
            label = source.choice(common)
            text = source.choice(ours[label])
            other = source.choice(theirs[label])
            if one.node.what == "offer":  # all offers will be shown
                text = other = source.choice([t for t in ours[label] if t in theirs[label]])
            one, two = one.play(text), two.play(other)
    assert different > 100


@pytest.mark.parametrize("counselors", COUNSELORS)
@pytest.mark.parametrize("players", PLAYERS)
def test_labels_of_cards_drawn_are_the_owners_alone(players: int, counselors: str) -> None:
    for position, text in game(11, players, counselors, "shuffled"):
        kind, seat, what = position.node
        if kind != "chance":
            continue
        for viewer in range(players):
            label = position.label(text, viewer)
            if what in ("event", "reveal"):
                assert label == f"{what} {text}"
                continue
            word = "counselor" if what == "counselor" else "draw"
            assert label == f"{seat} {word} {text if viewer == seat else '?'}"


@pytest.mark.parametrize("counselors", COUNSELORS)
@pytest.mark.parametrize("players", PLAYERS)
def test_labels_of_contributions_show_how_many_cards_and_no_colour(
    players: int, counselors: str
) -> None:
    for position, text in game(12, players, counselors, "off"):
        kind, seat, what = position.node
        if what != "give":
            continue
        assert kind == "decision"
        for move in (text, *position.legal_moves()):
            cards = move.removeprefix("give ").replace("-", "")
            for viewer in range(players):
                hidden = f"{seat} give {'?' * len(cards) or '-'}"
                expected = f"{seat} {move}" if viewer == seat else hidden
                assert position.label(move, viewer) == expected


@pytest.mark.parametrize("counselors", COUNSELORS)
@pytest.mark.parametrize("players", PLAYERS)
def test_labels_of_offers(players: int, counselors: str) -> None:
    """Tax offers are public; those of a tournament are the owner's until the last one is made."""
    tournaments = 0
    for seed in range(4):
        character: dict[int, str] = {}
        offers: list[str] = []
        tournament = False
        for position, text in game(20 + seed, players, counselors, "off"):
            _, seat, what = position.node
            if what == "place":
                character[seat] = text
                assert text in CHARACTERS
            if what == "option":
                tournament, offers = character[seat] == "arms", []
            if what != "offer":
                continue
            offers.append(text.removeprefix("offer "))
            end = f" = {','.join(offers)}" if tournament and len(offers) == players else ""
            for viewer in range(players):
                label = position.label(text, viewer)
                if viewer == seat or not tournament:
                    assert label == f"{seat} {text}{end}"
                else:
                    assert label == f"{seat} offer ?{end}"
            tournaments += bool(end)
    assert tournaments > 0


@pytest.mark.parametrize("counselors", COUNSELORS)
@pytest.mark.parametrize("players", PLAYERS)
def test_labels_of_other_decisions(players: int, counselors: str) -> None:
    """Everybody learns the text, but for a swap; hands are shown to those who own or ask them."""
    for seed in range(3):
        swapped = -1  # whose hand counselor 10 reached into; -2: not chosen yet
        colours = 0
        for position, text in game(30 + seed, players, counselors, "shuffled"):
            kind, seat, what = position.node
            if kind != "decision" or what in ("give", "offer"):
                continue
            if text == "counselor 10":
                swapped, colours = -2, 0
            named = int(text[1]) if text.startswith("@") else -1
            hidden_colour = what == "colour" and swapped >= 0
            for viewer in range(players):
                label = position.label(text, viewer)
                if named >= 0:
                    assert label.startswith(f"{seat} {text}")
                    hand = position.piles["hands"][named]
                    cards = "".join(c * n for c, n in zip(COLOURS, hand, strict=True))
                    if viewer == seat:
                        assert label.endswith(f"({cards})")
                    elif viewer != named:
                        assert "(" not in label
                elif hidden_colour and viewer not in (seat, swapped):
                    assert label == f"{seat} ?"
                else:
                    assert label == f"{seat} {text}"
            if swapped == -2 and named >= 0:
                swapped = named
            elif hidden_colour:
                colours += 1
                swapped = -1 if colours == 2 else swapped


@pytest.mark.parametrize("players", PLAYERS)
def test_nobody_is_a_viewer_without_a_seat(players: int) -> None:
    position = Position.start(players)
    for viewer in (-1, players):
        with pytest.raises(ValueError, match="no seat"):
            position.label("b", viewer)


@pytest.mark.parametrize(("players", "counselors", "events"), SETTINGS)
def test_perft_of_depth_one_counts_the_edges(players: int, counselors: str, events: str) -> None:
    for position, text in game(300, players, counselors, events):
        core = position.to_core()
        assert perft(core, 0) == 1
        if text:
            assert perft(core, 1) == len(edges(position))


@pytest.mark.parametrize(("players", "counselors", "events"), SETTINGS)
def test_weights_are_cards(players: int, counselors: str, events: str) -> None:
    """Outcomes are those cards that are there, each as often as it is there."""
    for position, _ in game(400, players, counselors, events):
        kind, _, what = position.node
        assert (position.outcomes() == {}) == (kind != "chance")
        assert (position.legal_moves() == ()) == (kind != "decision")
        if kind == "chance" and what not in ("counselor", "event"):
            pile = position.piles["crusade" if what == "reveal" else "supply"]
            present = {c: n for c, n in zip(COLOURS, pile, strict=True) if n}
            assert position.outcomes() == present
        elif kind == "chance":
            assert set(position.outcomes().values()) == {1}
