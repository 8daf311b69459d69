"""Richard I: laws that hold in every game, whatever is played.

`python -m tests.test_richard_laws GAMES` plays so many whole games, as many in each of the 36
settings, and checks the laws at every decision.
"""

from __future__ import annotations

import pickle
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cython_core import richard as core
from cython_core.errors import IllegalMove
from cython_core.game import perft
from engines import knowledge
from engines.richard import (
    ACTIONS,
    CHARACTERS,
    COLOURS,
    COUNSELORS,
    EVENTS,
    FEWEST_PLAYERS,
    MOST_PLAYERS,
    PRESETS,
    Position,
)
from tests.cli import examples

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


# Positions as values


@st.composite
def histories(draw: st.DrawFn) -> tuple[Position, Position]:
    """Two games by the same rules, the second one often like the first for some of the way."""
    preset = draw(st.sampled_from(PRESETS))
    players = draw(st.integers(3, 8) if preset == "full" else st.integers(2, 3))
    counselors, events = draw(st.sampled_from(COUNSELORS)), draw(st.sampled_from(EVENTS))
    start = Position.start(players, counselors, events, preset=preset)
    luck = random.Random(draw(st.integers(0, 9999)))
    one = start
    for _ in range(draw(st.integers(0, 120))):
        if not one.over:
            one = one.play(one.pick(luck.random()))
    other = start
    for edge in one.history[: draw(st.integers(0, len(one.history)))]:
        other = other.play_edge(edge)
    for _ in range(draw(st.integers(0, 4))):
        if not other.over:
            other = other.play(other.pick(luck.random()))
    return one, other


def learned(position: Position) -> list[object]:
    """All that was ever played; the cards of one draw in the order of the colours."""
    found: list[object] = []
    at, run, formed = position.beginning(), None, 0
    for edge in position.history:
        after = at.play_edge(edge)
        draw = (at.node, formed) if at.node.what in ("deal", "draw", "reveal") else None
        if draw is None or draw != run:
            found.append([])
        run = draw
        found[-1] = sorted([*found[-1], edge])  # type: ignore[misc]
        formed += sum(after.piles["supply"]) > sum(at.piles["supply"])
        at = after
    return found


@given(histories())
@examples(150)
def test_positions_are_equal_if_and_only_if_everybody_learned_the_same(
    both: tuple[Position, Position],
) -> None:
    one, other = both
    same = learned(one) == learned(other)
    assert (one == other) is same
    assert (one != other) is not same
    assert len({one, other}) == (1 if same else 2)
    if same:
        assert hash(one) == hash(other)
        assert everything(one) == everything(other)
        seats = range(len(one.points))
        assert [one.info_key(s) for s in seats] == [other.info_key(s) for s in seats]
        assert [one.view_key(s) for s in seats] == [other.view_key(s) for s in seats]


def test_cards_of_one_draw_in_another_order_make_an_equal_position() -> None:
    start = Position.start(3)
    one, other = (start.play(a).play(b) for a, b in ("by", "yb"))
    assert one.history != other.history
    assert one == other
    assert hash(one) == hash(other)
    assert one.play("b") != other.play("y")


@given(histories())
@examples(60)
def test_a_position_survives_pickling(both: tuple[Position, Position]) -> None:
    for position in both:
        again = pickle.loads(pickle.dumps(position))
        assert again == position
        assert hash(again) == hash(position)
        assert (again.history, again.rules, again.words) == (
            position.history,
            position.rules,
            position.words,
        )
        assert everything(again) == everything(position)


def test_other_rules_make_other_positions() -> None:
    starts = [
        Position.start(players, counselors, events, preset=preset)
        for preset, numbers in (("full", PLAYERS), ("mini", (2, 3)), ("micro", (2, 3)))
        for players, counselors, events in product(numbers, COUNSELORS, EVENTS)
    ]
    assert len(set(starts)) == len(starts) == 36 + 2 * 12
    assert Position.start(3) == Position.start(3)
    assert Position.start(3) != "game richard"


@pytest.mark.parametrize("players", PLAYERS)
def test_a_position_without_a_past_cannot_be_pickled(players: int) -> None:
    position = Position.start(players)
    while position.turn < 2:
        position = position.play(position.pick(0.5))
    sampled = Position(knowledge.of(position, 0).sampler().sample())
    for without in (sampled, Position(position.to_core())):
        assert without.rules is None
        assert without != position
        with pytest.raises(TypeError, match="without a past cannot be pickled"):
            pickle.dumps(without)


# The laws once more, through the compiled core, in as many games as one likes

COUNSELORS_OF_BOTH = [(side, n) for side in range(2) for n in range(1, 15)]  # § Components
SLOW = 20  # of so many games one is played as slowly as can be
GIFTS = {ACTIONS.index(text): [text[5:].count(c) for c in COLOURS] for text in ACTIONS
         if text.startswith("give ")}  # fmt: skip
ONE_CARD = [[int(i == at) for i in range(6)] for at in range(6)]


def slow_edge(state: core.Richard, edges: list[int], what: str) -> int:
    """The first of those that `slowest` has."""
    cards = state.cards["revealed" if what == "reveal" else "crusade"]
    least, found = 1 << 30, 0
    for edge in edges:
        more = ONE_CARD[edge] if what == "reveal" else GIFTS[edge]
        b, y, p, w, r, g = map(int.__add__, cards, more)
        cost = abs(r - g) + abs(y - w) + 3 * max(0, b - p + 1)
        if cost < least:
            least, found = cost, edge
    return found


def check_table(state: core.Richard, before: list[list[int]], gone: list[tuple[int, int]]) -> int:
    """At a decision; the turn. `before`: counselors held at the last one; `gone`: those played."""
    cards, public = state.cards, state.public
    piles = (cards["supply"], cards["reserve"], cards["crusade"], cards["revealed"])
    assert list(map(sum, zip(*piles, *cards["hands"], strict=True))) == CARDS
    assert public["turn"] <= LAST_TURN
    assert public["time"] <= 12
    assert public["crusaders"] <= 10
    assert public["saladin"] <= 10
    if cards["counselors"] != before:
        sides = public["sides"]
        for seat, held in enumerate(cards["counselors"]):
            gone += [(sides[seat], number) for number in before[seat] if number not in held]
        places = [*zip(sides, cards["counselors"], strict=True), *enumerate(cards["decks"])]
        everywhere = [*gone, *((side, n) for side, numbers in places for n in numbers)]
        assert sorted(everywhere) == COUNSELORS_OF_BOTH
        before[:] = cards["counselors"]
    return int(public["turn"])


def checked_game(state: core.Richard, luck: random.Random, slow: bool) -> tuple[int, int, int]:
    """Plays to the end; the ending from 1 for A, the last turn, and how many decisions it took."""
    players = len(state.public["sides"])
    before: list[list[int]] = [[] for _ in range(players)]
    gone: list[tuple[int, int]] = []
    decisions = turn = 0
    while True:
        edges = state.legal_actions()
        if edges:
            decisions += 1
            now = check_table(state, before, gone)
            assert turn <= now <= turn + 1
            turn = now
            if slow and edges[0] in GIFTS:
                state.play(slow_edge(state, edges, "give"))
            else:
                state.play(edges[int(luck.random() * len(edges))])
        elif slow and state.node()[2] == "reveal":
            state.play(slow_edge(state, [edge for edge, _ in state.outcomes()], "reveal"))
        elif not state.sample(luck.random()):
            break
    check_table(state, before, gone)
    public, returns = state.public, state.utilities()
    tracks = [public[name] for name in ("crusaders", "saladin", "time", "treasury")]
    assert public["ending"] == 1 + tracks.index(0)
    assert abs(sum(returns)) < 1e-9
    assert all(-1 / (players - 1) - 1e-9 < value < 1 + 1e-9 for value in returns)
    return public["ending"], public["turn"], decisions


def soak(setting: tuple[int, str, str], games: range) -> tuple[Counter[str], int, int]:
    """How many games ended how, the last turn of the longest, and how many decisions there were."""
    start = Position.start(*setting).to_core(log=False)
    endings: Counter[str] = Counter()
    longest = decisions = 0
    for game in games:
        luck = random.Random(f"{setting} {game}")
        ending, turn, made = checked_game(start.copy(log=False), luck, game % SLOW == 0)
        endings[" ABCD"[ending]] += 1
        longest, decisions = max(longest, turn), decisions + made
    return endings, longest, decisions


@pytest.mark.parametrize(("players", "counselors", "events"), SETTINGS)
def test_the_laws_hold_through_the_compiled_core(
    players: int, counselors: str, events: str
) -> None:
    """One in a hundred of the 100,000 games that `main` is meant for."""
    games = 28
    endings, longest, decisions = soak((players, counselors, events), range(games))
    assert endings.total() == games
    assert len(endings) > 1
    assert decisions > 5 * players * games
    assert 5 < longest <= LAST_TURN


@pytest.mark.parametrize("events", EVENTS)
def test_slow_games_through_the_compiled_core_come_near_the_last_turn(events: str) -> None:
    state = Position.start(4, "off", events).to_core(log=False)
    turns = [checked_game(state.copy(log=False), random.Random(i), True)[1] for i in range(40)]
    assert 30 < max(turns) <= LAST_TURN


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    begun = time.perf_counter()
    all_endings: Counter[str] = Counter()
    longest_of_all = decided = 0
    for number, setting in enumerate(SETTINGS):
        share = range(games * number // len(SETTINGS), games * (number + 1) // len(SETTINGS))
        endings, longest, decisions = soak(setting, share)
        all_endings += endings
        longest_of_all, decided = max(longest_of_all, longest), decided + decisions
        told = " ".join(f"{ending} {endings[ending]}" for ending in "ABCD")
        seconds = time.perf_counter() - begun
        print(*setting, f"{len(share)} games, {told}, {longest} turns, {seconds:.0f} s", flush=True)
    told = " ".join(f"{ending} {all_endings[ending]}" for ending in "ABCD")
    print(
        f"{all_endings.total():,} games keep to the laws: {told}; {decided:,} decisions,"
        f" at most {longest_of_all} turns, {time.perf_counter() - begun:.0f} s"
    )


if __name__ == "__main__":
    main()
