"""Charlemagne: laws that hold in every game, whatever is played.

`python -m tests.test_charlemagne_laws GAMES` plays so many whole games, as many in each of the six
settings, and checks the laws at every decision.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import product
from math import comb
from typing import Any

import pytest

from cython_core import charlemagne as core
from cython_core.errors import IllegalMove
from cython_core.game import perft
from engines.charlemagne import ACTIONS, CARDS, FARMSTEADS, KINDS, Position

PLAYERS = range(2, 5)
SETTINGS = list(product(PLAYERS, FARMSTEADS))
VALUES = ("win", "margin", "rank")

# § Game parts; § Setting up Charlemagne
PIECES = [16, 16, 16, 16]
PRIVILEGES_OF_A_KIND = [2, 2, 2, 2]
HUTS = 6
SERF = KINDS.index("s")

# § Order of play, and the page's Bounds
FIRST_YEAR, FEWEST_YEARS, MOST_YEARS = 999, 7, 23
IN_A_YEAR = {2: 83, 3: 129, 4: 177}  # decisions
IN_A_GAME = {2: 1_909, 3: 2_967, 4: 4_071}
WITH_OUTCOMES = {2: 2_643, 3: 4_056, 4: 5_515}
LARGEST_STORAGE, LARGEST_WEIGHT, MOST_EDGES = 25, 1_472_581_440, 13
STORAGE_LIMIT = 10

FROM_STOCK = ("start", "loot", "harvest", "extra")
DRAWS = (*FROM_STOCK, "alms")
DECISIONS = {
    *("lead", "change", "bid", "reward", "rule", "raid", "mercy", "number", "gift", "church"),
}
CHANCES = {*DRAWS, "card", "income"}
GARBAGE = (
    *("", " ", "-", "?", "B", "bb", "b ", " b", "b0 ", "b-1", "b17", "r", "k0", "k1", "0", "stop "),
    *("Pass", "pass!", "mill@0", "mill @4", "mill @-1", "forage", "forage @", "forage @4", "bribe"),
    *(
        "ask @",
        "ask @4",
        "number",
        "number 0",
        "number 13",
        "number -1",
        "yield  builder",
        "random b",
    ),
    *("card", "war-castle-r", "war-castle-b @4", "war-castle-b @-1", "war-castle-b @", "0 bid s"),
    *("0 start b2", "returns", "brs", "bbbb", "kb", "\n", "é", "end end"),
)


def edges(position: Position) -> tuple[str, ...]:
    return position.legal_moves() or tuple(position.outcomes())


class Player:
    """Does what it likes best most of the time, or anything."""

    def __init__(self, seed: object) -> None:
        self.source = random.Random(str(seed))
        self.zeal = self.source.choice((0, 0.5, 0.9))
        self.liking: dict[str, float] = {}

    def choice(self, texts: tuple[str, ...]) -> str:
        if self.source.random() < self.zeal:
            return max(texts, key=lambda text: self.liking.setdefault(text, self.source.random()))
        return self.source.choice(texts)


def game(seed: int, players: int, farmstead: str) -> Iterator[tuple[Position, str]]:
    """All positions of a game, each with what is played there; nothing at the end."""
    player = Player(f"{seed} {players} {farmstead}")
    position = Position.start(players, farmstead)
    while not position.over:
        possible = edges(position)
        decision = position.node.kind == "decision"
        text = player.choice(possible) if decision else player.source.choice(possible)
        yield position, text
        position = position.play(text)
    yield position, ""


def everything(position: Position) -> tuple[Any, ...]:
    return (
        position.node,
        position.public,
        position.piles,
        position.returns(),
        position.legal_moves(),
        position.outcomes(),
    )


# Moves


@pytest.mark.parametrize(("players", "farmstead"), SETTINGS)
def test_what_is_legal_can_be_played_and_nothing_else(players: int, farmstead: str) -> None:
    """All move texts, outcome texts and garbage, at one node of each kind and some more."""
    draws = [f"{kind}{number}" for kind in KINDS for number in range(17)]
    deals = [f"{card} @{seat}" for card in CARDS for seat in range(4)]
    incomes = ["".join(k * n for k, n in zip(KINDS, counts, strict=True)) or "-"
               for counts in product(range(3), repeat=4)]  # fmt: skip
    candidates = {*ACTIONS, *draws, *deals, *incomes, *GARBAGE}
    wanted = DECISIONS | CHANCES | {""} | ({"farmstead"} if farmstead == "choice" else set())
    source, seen = random.Random(players), set[str]()
    for seed in range(40):
        for position, _ in game(100 + seed, players, farmstead):
            what = position.node.what
            if what in seen and source.random() > 0.002:
                continue
            seen.add(what)
            possible = edges(position)
            assert len(set(possible)) == len(possible) <= MOST_EDGES
            assert candidates >= set(possible)
            for text in candidates:
                if text in possible:
                    assert everything(position.play(text)) != everything(position)
                    continue
                with pytest.raises(IllegalMove):
                    position.play(text)
                with pytest.raises(IllegalMove):
                    position.label(text, 0)
        if seen == wanted:
            break
    assert seen == wanted


@pytest.mark.parametrize(("players", "farmstead"), SETTINGS)
def test_ids_that_are_not_possible_are_refused_and_change_nothing(
    players: int, farmstead: str
) -> None:
    seen = set[str]()
    for position, _ in game(7, players, farmstead):
        if position.node.what in seen:
            continue
        seen.add(position.node.what)
        state = position.to_core(log=True)
        possible = state.legal_actions() or [outcome for outcome, _ in state.outcomes()]
        assert possible == sorted(set(possible))
        essence = state.essence()
        for edge in (
            *range(-3, 120),
            255,
            256,
            2**31,
            -(2**31),
            2**32 + possible[0] if possible else 0,
        ):
            if edge not in possible:
                with pytest.raises(IllegalMove):
                    state.play(edge)
        assert state.essence() == essence
        for edge in possible:
            copy = state.copy()
            copy.play(edge)
            assert copy.essence() != essence
        assert state.essence() == essence
    assert len(seen) > 10


@pytest.mark.parametrize("players", PLAYERS)
def test_a_position_does_not_change_when_it_is_played_on(players: int) -> None:
    for position, text in game(8, players, "choice"):
        if not text:
            break
        before = everything(position)
        position.label(text, 0)
        first, second = position.play(text), position.play(text)
        mutable = position.to_core(log=True)
        other = mutable.copy()
        mutable.play((mutable.legal_actions() or [edge for edge, _ in mutable.outcomes()])[-1])
        assert everything(position) == before
        assert everything(first) == everything(second)
        assert other.essence() == position.to_core(log=True).essence() != mutable.essence()


def test_a_copy_outlives_what_it_was_copied_from() -> None:
    position = Position.start(3)
    state = position.to_core(log=True).copy().copy()
    position = position.play("b8")
    del position
    while state.sample(0.5):
        pass
    assert state.node() == ("decision", 0, "bid")
    with pytest.raises(TypeError, match="unhashable"):
        hash(state)


@pytest.mark.parametrize(("players", "farmstead"), SETTINGS)
def test_perft_of_depth_one_counts_the_edges(players: int, farmstead: str) -> None:
    for position, _ in game(300, players, farmstead):
        state = position.to_core(log=True)
        assert perft(state, 0) == 1
        assert perft(state, 1) == len(edges(position))


# Chance


def drawn_from(position: Position, asked: str) -> list[int]:
    """The pool of a draw, by kind; `asked`: the last `ask @t`."""
    piles = position.piles
    if position.node.what == "alms":
        return list(piles["storages"][int(asked[-1])])
    return list(piles["stock"])


@pytest.mark.parametrize(("players", "farmstead"), SETTINGS)
def test_weights_are_hypergeometric_and_sum_to_binomials(players: int, farmstead: str) -> None:
    seen = Counter[str]()
    asked = ""
    for seed in range(4):
        for position, text in game(400 + seed, players, farmstead):
            kind, seat, what = position.node
            outcomes = position.outcomes()
            asked = text if text.startswith("ask") else asked
            assert (outcomes == {}) == (kind != "chance")
            assert (position.legal_moves() == ()) == (kind != "decision")
            seen[what] += 1
            if what in DRAWS:
                pool = drawn_from(position, asked)
                at = KINDS.index(next(iter(outcomes))[0])
                x, y = pool[at], sum(pool[at + 1 :])
                # For everybody the storages are as they will be after the draw.
                due = position.public["resources"][seat] - sum(position.piles["storages"][seat])
                weights = [comb(x, j) * comb(y, due - j) for j in range(due + 1)]
                assert outcomes == {f"{KINDS[at]}{j}": w for j, w in enumerate(weights) if w}
                assert sum(outcomes.values()) == comb(x + y, due)
                assert max(outcomes.values()) <= LARGEST_WEIGHT
            elif what == "card":
                hands = position.piles["hands"]
                card = CARDS[position.piles["undealt"][0]]
                places = {f"{card} @{i}": 24 // players - len(hand) for i, hand in enumerate(hands)}
                assert outcomes == {text: free for text, free in places.items() if free}
                assert sum(outcomes.values()) == len(position.piles["undealt"])
            elif what == "income":
                held, stock = position.public["privileges"][seat], position.piles["stock"]
                given = (k * min(n, m) for k, n, m in zip(KINDS, held, stock, strict=True))
                assert outcomes == {"".join(given) or "-": 1}
    assert set(seen) >= CHANCES - {"extra", "alms"}


def test_the_largest_weight_is_the_starts() -> None:
    outcomes = Position.start(4).outcomes()
    assert outcomes["b2"] == max(outcomes.values()) == LARGEST_WEIGHT
    assert sum(outcomes.values()) == comb(64, 8) == 4_426_165_368


@pytest.mark.parametrize(("players", "farmstead"), SETTINGS)
def test_a_draw_is_always_three_nodes(players: int, farmstead: str) -> None:
    """However forced: how many nodes there are tells nobody what was drawn."""
    for seed in range(3):
        kinds = ""
        for position, text in game(500 + seed, players, farmstead):
            if position.node.what in DRAWS:
                kinds += text[0]
            else:
                assert kinds == "brs" * (len(kinds) // 3)
                kinds = ""


# What is there


@pytest.mark.parametrize(("players", "farmstead"), SETTINGS)
def test_nothing_is_lost_or_made(players: int, farmstead: str) -> None:
    for seed in range(3):
        for position, _ in game(seed, players, farmstead):
            check_conservation(position.piles, position.public, position.node.what)


def check_conservation(piles: dict[str, Any], public: dict[str, Any], what: str) -> None:
    """§ Game parts: 64 pieces, 8 privileges, 25 cards."""
    everywhere = [piles["stock"], *piles["storages"], *piles["bids"], *piles["raises"]]
    counts = list(map(sum, zip(*everywhere, strict=True)))
    counts[SERF] += sum(piles["builders"])
    assert counts == PIECES
    assert min(map(min, everywhere)) >= 0
    privileges = zip(public["king"], *public["privileges"], strict=True)
    assert list(map(sum, privileges)) == PRIVILEGES_OF_A_KIND
    cards = [*piles["undealt"], *public["solved"]]
    for hand in piles["hands"]:
        cards += hand
    if public["card"] is not None:
        cards.append(public["card"])
    assert sorted(cards) == list(range(len(CARDS)))
    # The validity of a position, but for the card being rewarded.
    assert len(public["solved"]) == public["year"] - (what in BEFORE_SOLVED)
    castle = sum("castle" in CARDS[card] for card in public["solved"])
    assert public["built"] == castle <= 6
    assert (castle == 6) == (what == "")


BEFORE_SOLVED = ("start", "card", "lead", "change", "bid")
IN_WINTER_AND_SPRING = (*BEFORE_SOLVED, "reward")


@pytest.mark.parametrize(("players", "farmstead"), SETTINGS)
def test_huts_storages_and_hands_stay_within_their_bounds(players: int, farmstead: str) -> None:
    for seed in range(3):
        for position, _ in game(50 + seed, players, farmstead):
            check_bounds(position.piles, position.public, position.node.what)


def check_bounds(piles: dict[str, Any], public: dict[str, Any], what: str) -> None:
    for huts, builders in zip(public["huts"], public["builders"], strict=True):
        assert 0 <= builders <= huts <= HUTS
    sizes = list(map(sum, piles["storages"]))
    assert max(sizes) <= LARGEST_STORAGE
    if what in IN_WINTER_AND_SPRING:
        bids = map(sum, piles["bids"])
        raises = map(sum, piles["raises"])
        assert max(map(sum, zip(sizes, bids, raises, strict=True))) <= STORAGE_LIMIT
    elif what not in DRAWS:
        assert sizes == public["resources"]
    assert max(map(len, piles["hands"])) <= 24 // len(sizes)


@pytest.mark.parametrize(("players", "farmstead"), SETTINGS)
def test_years_and_decisions_are_as_many_as_there_can_be(players: int, farmstead: str) -> None:
    for seed in range(6):
        year, steps, by_year = 1, 0, Counter[int]()
        for position, text in game(60 + seed, players, farmstead):
            assert year <= position.public["year"] <= year + 1
            year = position.public["year"]
            assert position.year == FIRST_YEAR - 1 + year
            steps += 1
            by_year[year] += position.node.kind == "decision"
            if text:
                assert position.returns() == [0] * players
        assert FEWEST_YEARS <= year <= MOST_YEARS
        assert max(by_year.values()) <= IN_A_YEAR[players]
        assert by_year.total() <= IN_A_GAME[players]
        assert steps <= WITH_OUTCOMES[players]


@pytest.mark.parametrize(("wish", "years"), [("castle", 7), ("privilege", 23)])
@pytest.mark.parametrize("players", PLAYERS)
def test_the_shortest_game_has_seven_years_and_the_longest_23(
    players: int, wish: str, years: int
) -> None:
    """Everybody passes, so that the right to lead goes round, and leads what he wishes to."""
    position = Position.start(players)
    dealt = Counter[str]()
    while not position.over:
        possible, what = edges(position), position.node.what
        text = possible[0]
        if what == "card":
            reward = "castle" if "castle" in text else "privilege"
            turn = -1 - dealt[reward] % players
            dealt[reward] += 1
            wanted = f"@{turn % players}"
            text = next((text for text in possible if text.endswith(wanted)), possible[-1])
        elif what == "lead":
            text = next((text for text in possible if wish in text), text)
        else:
            text = next((text for text in ("pass", "end") if text in possible), text)
        position = position.play(text)
    assert position.public["year"] == years
    assert position.year == FIRST_YEAR - 1 + years


VALUES_OF_A_PIECE = {  # the page, by kind
    "war": (1, 3, 2, 4),
    "taxes": (3, 4, 1, 2),
    "disaster": (4, 2, 3, 1),
    "unrest": (2, 1, 4, 3),
}


@pytest.mark.parametrize(("players", "farmstead"), SETTINGS)
def test_a_raise_beats_all_others_and_who_can_beat_them_may_raise(
    players: int, farmstead: str
) -> None:
    raises = 0
    for seed in range(6):
        for position, text in game(80 + seed, players, farmstead):
            _, seat, what = position.node
            if what != "bid":
                continue
            public, storage = position.public, position.piles["storages"][seat]
            problem = "unrest" if position.card == "millennium" else position.card.split("-")[0]
            totals = [
                sum(v * (a + b) for v, a, b in zip(VALUES_OF_A_PIECE[problem], *bid, strict=True))
                for bid in zip(public["bids"], public["raises"], strict=True)
            ]
            own = totals.pop(seat)
            legal = position.legal_moves()
            assert legal != ()
            if text == "stop":
                assert own > max(totals)
                raises += 1
            if "pass" in legal:
                all_in = sum(map(int.__mul__, storage, VALUES_OF_A_PIECE[problem]))
                assert (legal != ("pass",)) == (own + all_in > max(totals))
    assert raises > 50


# The end


def test_nobody_is_a_viewer_without_a_seat() -> None:
    for players in PLAYERS:
        position = Position.start(players)
        for viewer in (-1, players):
            with pytest.raises(ValueError, match="no seat"):
                position.label("b2", viewer)


@pytest.mark.parametrize(("players", "farmstead"), SETTINGS)
def test_returns_are_zero_sum_and_in_the_order_of_the_results(players: int, farmstead: str) -> None:
    for seed in range(5):
        *_, (position, _) = game(200 + seed, players, farmstead)
        check_end(position.to_core(log=True))


def check_end(state: core.Charlemagne) -> None:
    """Ruling "End": points, then privileges, then resources; and the values."""
    public = state.public
    sizes = [sum(storage) for storage in state.cards["storages"]]
    held = [sum(privileges) for privileges in public["privileges"]]
    results = list(zip(public["points"], held, sizes, strict=True))
    players = len(results)
    values = {value: state.utilities(value) for value in VALUES}
    for by_seat in values.values():
        assert abs(sum(by_seat)) < 1e-9
    share = 1 / results.count(max(results))
    for seat, result in enumerate(results):
        won = share if result == max(results) else 0
        assert abs(values["win"][seat] - (players * won - 1) / (players - 1)) < 1e-9
        others = (sum(public["points"]) - result[0]) / (players - 1)
        assert abs(values["margin"][seat] - (result[0] - others)) < 1e-9
        places = [i for i, other in enumerate(sorted(results, reverse=True)) if other == result]
        place = sum(places) / len(places)
        assert abs(values["rank"][seat] - (1 - 2 * place / (players - 1))) < 1e-9


# What is public, and what each seat learns


def told_to_all(position: Position, text: str) -> str:
    """What a seat learns that is not involved."""
    _, seat, what = position.node
    if what == "card":
        return f"card {text.split()[0]} ?"
    if what in DRAWS:
        return f"{seat} {what} ?"
    labels = [position.label(text, viewer) for viewer in range(len(position.points))]
    return min(labels, key=len)


def by_label(position: Position, viewer: int | None) -> dict[str, list[str]]:
    """The possible texts by what the viewer learns, or what everybody learns."""
    found: dict[str, list[str]] = {}
    for text in edges(position):
        label = told_to_all(position, text) if viewer is None else position.label(text, viewer)
        found.setdefault(label, []).append(text)
    return found


def two_games(
    players: int, farmstead: str, seed: int, viewer: int | None
) -> Iterator[tuple[Position, Position]]:
    """Two games that are the same for everybody, or for one viewer, as long as can be."""
    player = Player(f"{seed} {players} {farmstead} {viewer}")
    one = two = Position.start(players, farmstead)
    while True:
        yield one, two
        ours, theirs = by_label(one, viewer), by_label(two, viewer)
        common = tuple(label for label in ours if label in theirs)
        if not common:
            return
        label = player.choice(common)
        one = one.play(player.source.choice(ours[label]))
        two = two.play(player.source.choice(theirs[label]))


@pytest.mark.parametrize(("players", "farmstead"), SETTINGS)
def test_nodes_depend_on_public_facts_alone(players: int, farmstead: str) -> None:
    """Two games in which everybody is told the same, whatever the pieces are, ask the same."""
    different, seen = 0, Counter[str]()
    for seed in range(30):
        for one, two in two_games(players, farmstead, seed, None):
            assert one.node == two.node
            assert one.public == two.public
            different += one.piles["storages"] != two.piles["storages"]
            seen[one.node.what] += 1
            if one.node.what == "card":
                assert one.piles["undealt"] == two.piles["undealt"]
    assert different > 1000
    assert set(seen) >= {"lead", "bid", "reward", "rule", "raid", "church", "loot", "harvest"}


@pytest.mark.parametrize(("players", "farmstead"), SETTINGS)
def test_legal_moves_depend_on_what_the_mover_knows(players: int, farmstead: str) -> None:
    """Two games in which one seat learns the same offer it the same moves, and show it the same."""
    different, seen = 0, Counter[str]()
    for seed in range(40):
        own = seed % players
        for one, two in two_games(players, farmstead, seed, own):
            assert one.node == two.node
            assert one.public == two.public
            mine = [(at.piles["storages"][own], at.piles["hands"][own]) for at in (one, two)]
            assert mine[0] == mine[1]
            assert one.to_core(log=True).key(own) == two.to_core(log=True).key(own)
            if one.node.seat == own and one.node.kind == "decision":
                assert one.legal_moves() == two.legal_moves()
                different += one.piles["storages"] != two.piles["storages"]
                seen[one.node.what] += 1
    assert different > 300
    assert set(seen) >= {"lead", "bid", "reward", "rule", "raid", "church"}


def label_of(position: Position, text: str, viewer: int, asked: str) -> str:
    """RULES.md, Labels; `asked`: the last `ask @t`."""
    _, seat, what = position.node
    if what == "card":
        card, receiver = text.split(" @")
        return f"card {card} @{receiver}" if viewer == int(receiver) else f"card {card} ?"
    if what in DRAWS:
        knows = viewer == seat or (what == "alms" and viewer == int(asked[-1]))
        return f"{seat} {what} {text if knows else '?'}"
    if what == "income":
        return f"{seat} income {text}"
    piles, found = position.piles, ""
    if text.startswith("bribe"):
        storage = piles["storages"][int(text[-1])]
        found = " = k" if storage[KINDS.index("k")] else " = -"
        if found == " = -" and viewer == seat:
            found += f" ({''.join(k * n for k, n in zip(KINDS, storage, strict=True))})"
    elif what == "farmstead" and text != "random" and not piles["stock"][KINDS.index(text)]:
        found = " = -"
    return f"{seat} {text}{found}"


@pytest.mark.parametrize(("players", "farmstead"), SETTINGS)
def test_labels_are_those_of_the_table(players: int, farmstead: str) -> None:
    seen: Counter[str] = Counter()
    for seed in range(7):
        asked = ""
        for position, text in game(700 + seed, players, farmstead):
            asked = text if text.startswith("ask") else asked
            for other in edges(position):
                for viewer in range(players):
                    label = position.label(other, viewer)
                    assert label == label_of(position, other, viewer, asked)
                    end = label.split(" = ")[-1][:1] if " = " in label else label[-1:]
                    seen[f"{position.node.what} {end}"] += 1
    wanted = {"rule k", "rule -", "loot ?", "harvest ?", "start ?", "card ?"}
    assert wanted | ({"alms ?"} if players > 2 else set()) <= set(seen)
    if farmstead == "choice":
        assert "farmstead b" in seen


# The laws once more, through the compiled core, in as many games as one likes

CASTLE_CARDS = [card for card, name in enumerate(CARDS) if "castle" in name]


def liking_of(luck: random.Random) -> list[float]:
    """What is done first, by action id; half of the players hurry to the castle or away from it."""
    liking = [luck.random() for _ in ACTIONS]
    haste = luck.choice((-2, 0, 0, 2))
    for card in CASTLE_CARDS:
        liking[card] += haste
    return liking


def checked_game(state: core.Charlemagne, luck: random.Random) -> tuple[int, int, Counter[str]]:
    """Plays to the end; the last year, how many decisions it took, and the nodes it went by."""
    players = len(state.public["points"])
    zeal, liking = luck.choice((0, 0.5, 0.9)), liking_of(luck)
    year = decisions = in_year = steps = 0
    nodes: Counter[str] = Counter()
    while True:
        steps += 1
        moves = state.legal_actions()
        if not moves:
            if not state.sample(luck.random()):
                break
            continue
        what = state.node()[2]
        nodes[what] += 1
        piles, public = state.cards, state.public
        check_conservation(piles, public, what)
        check_bounds(piles, public, what)
        assert len(moves) <= MOST_EDGES
        if public["year"] != year:
            assert public["year"] == year + 1
            year, in_year = year + 1, 0
        decisions, in_year = decisions + 1, in_year + 1
        assert in_year <= IN_A_YEAR[players]
        eager = luck.random() < zeal
        state.play(max(moves, key=liking.__getitem__) if eager else luck.choice(moves))
    public = state.public
    check_conservation(state.cards, public, "")
    check_end(state)
    assert FEWEST_YEARS <= public["year"] <= MOST_YEARS
    assert decisions <= IN_A_GAME[players]
    assert steps - 1 <= WITH_OUTCOMES[players]
    return public["year"], decisions, nodes


def soak(setting: tuple[int, str], games: range) -> tuple[Counter[int], int, Counter[str]]:
    """How many games ended in which year, the decisions of the longest, and all nodes."""
    start = Position.start(*setting).to_core(log=False)
    years: Counter[int] = Counter()
    nodes: Counter[str] = Counter()
    longest = 0
    for number in games:
        year, decisions, met = checked_game(
            start.copy(log=False), random.Random(f"{setting} {number}")
        )
        years[year] += 1
        longest = max(longest, decisions)
        nodes += met
    return years, longest, nodes


@pytest.mark.parametrize(("players", "farmstead"), SETTINGS)
def test_the_laws_hold_through_the_compiled_core(players: int, farmstead: str) -> None:
    """Half a percent of the 100,000 games that `main` is meant for."""
    games = 80
    years, longest, nodes = soak((players, farmstead), range(games))
    assert years.total() == games
    assert min(years) < 12 < 18 < max(years)
    assert set(nodes) == DECISIONS | ({"farmstead"} if farmstead == "choice" else set())
    assert longest > 100 * players


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    begun = time.perf_counter()
    years: Counter[int] = Counter()
    nodes: Counter[str] = Counter()
    for number, setting in enumerate(SETTINGS):
        share = range(games * number // len(SETTINGS), games * (number + 1) // len(SETTINGS))
        ended, longest, met = soak(setting, share)
        years += ended
        nodes += met
        print(
            *setting,
            f"{len(share)} games, years {min(ended)} to {max(ended)}, {met.total():,} decisions,"
            f" {longest} in the longest, {time.perf_counter() - begun:.0f} s",
            flush=True,
        )
    print(
        f"{years.total():,} games keep to the laws: {nodes.total():,} decisions,"
        f" years {min(years)} to {max(years)}, {time.perf_counter() - begun:.0f} s"
    )
    print(dict(nodes))


if __name__ == "__main__":
    main()
