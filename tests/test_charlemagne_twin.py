"""Charlemagne: the core against the twin.

`python -m tests.test_charlemagne_twin GAMES [SEED]` plays so many whole games, from this seed on:
in all six settings, in the mini game, and by numbers that nobody ever thought of.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from cython_core.errors import IllegalMove
from cython_core.game import perft
from engines import charlemagne_data
from engines.charlemagne import ACTIONS, CARDS, FARMSTEADS, KINDS, PRIVILEGES, Position
from tests.reference import charlemagne as twin

PLAYERS = range(2, 5)
SETTINGS = list(product(PLAYERS, FARMSTEADS))
GAMES = 12  # in each setting; the whole soak is 20,000 in all
VALUES = ("win", "margin", "rank")
FIRST_YEAR = 999

Values = dict[str, Any]  # numbers to play by, as `charlemagne_data` has them


def rules_of(values: Values, players: int, farmstead: str) -> twin.Rules:
    named = {
        **values,
        "cards": tuple(CARDS[card] for card in values["cards"]),
        "first_card": CARDS[values["first_card"]],
    }
    return twin.Rules(players=players, farmstead=farmstead, **named)  # type: ignore[arg-type]


def both_of(
    players: int, farmstead: str = "random", preset: str = "full"
) -> tuple[Position, twin.Game]:
    """A game of the core and of the twin; of the whole game by the twin's own numbers."""
    position = Position.start(players, farmstead, preset=preset)
    if preset == "full":
        return position, twin.Game(twin.Rules(players, farmstead))  # type: ignore[arg-type]
    values = charlemagne_data.load(preset).at(players)
    return position, twin.Game(rules_of(values, players, farmstead))


# How they play: what a text's first words weigh, where it is not 1

Style = dict[str, float]

ANYTHING: Style = {}
BIDDER: Style = {"pass": 0.05, "stop": 0.3}
BUILDER: Style = {
    "pass": 0.2,
    "stop": 3,
    "end": 0.2,
    "forage": 0.3,
    "bribe": 0.3,
    "hut": 6,
    "builder": 6,
    **{f"{problem}-castle": 8 for problem in twin.PROBLEMS},
}
PLUNDERER: Style = {"end": 0.15, "forage": 6, "bribe": 2, "pass": 4, "hut": 0.5, "defend": 0.5}
MISER: Style = {"pass": 8, "end": 20, "stop": 4, "mill": 3, "decline": 0.2}
BEGGAR: Style = {"end": 0.02, "pass": 0.5, "decline": 0.1, "hut": 0.2, "yield builder": 4}
STYLES = (ANYTHING, BIDDER, BUILDER, PLUNDERER, MISER, BEGGAR)


def weight_of(text: str, style: Style) -> float:
    return next((weight for words, weight in style.items() if text.startswith(words)), 1)


@dataclass
class Table:
    """Players of different styles, and luck that is fair or wild."""

    source: random.Random
    players: int

    def __post_init__(self) -> None:
        self.styles = [self.source.choice(STYLES) for _ in range(self.players)]
        if self.source.random() < 0.3:
            self.styles = self.styles[:1] * self.players
        self.fair = self.source.random() < 0.7

    def choice(self, position: Position, edges: list[str]) -> str:
        kind, seat, _ = position.node
        if kind == "decision":
            weights = [weight_of(text, self.styles[seat]) for text in edges]
        elif self.fair:
            weights = [float(weight) for weight in position.outcomes().values()]
        else:
            weights = [1.0] * len(edges)
        return self.source.choices(edges, weights)[0]


# What must be the same


def edges_of(position: Position, game: twin.Game) -> list[str]:
    """The texts that may come next, after checking that both sides agree on them."""
    node = position.node
    assert tuple(node) == game.node()
    outcomes, moves = position.outcomes(), list(position.legal_moves())
    assert list(outcomes.items()) == game.outcomes()
    assert moves == game.legal()
    assert bool(moves) == (node.kind == "decision")
    assert bool(outcomes) == (node.kind == "chance")
    return moves or list(outcomes)


def check_tables(position: Position, game: twin.Game) -> None:
    """Everything on the table, the hidden things too."""
    public, piles = position.public, position.piles
    raises = game.last_raises()
    earlier = [
        [a - b for a, b in zip(bid, last, strict=True)]
        for bid, last in zip(game.bids(), raises, strict=True)
    ]
    assert piles["storages"] == game.storages()
    assert piles["stock"] == game.stock()
    assert [[CARDS[card] for card in hand] for hand in piles["hands"]] == game.hands()
    assert public["bids"] == piles["bids"] == earlier
    assert public["raises"] == piles["raises"] == raises
    assert public["huts"] == game.huts()
    assert public["builders"] == piles["builders"] == game.builders()
    assert public["privileges"] == game.privileges()
    assert public["king"] == game.king()
    assert public["points"] == game.points()
    assert public["passed"] == game.passed()
    assert public["built"] == game.castle()
    assert public["year"] == game.year()
    what = position.node.what
    solved = game.solved()
    if what == "reward":  # its card is on the table no more, and for the twin not solved yet
        assert public["card"] is None
        solved.append(game.table())
    elif what not in ("start", "card"):
        assert public["card"] == (CARDS.index(game.table()) if game.table() else None)
    assert [CARDS[card] for card in public["solved"]] == sorted(solved, key=CARDS.index)
    if what not in ("start", "card"):
        assert public["hands"] == list(map(len, game.hands()))
    if game.opener() >= 0:
        assert public["opener"] == game.opener()
    if game.winner() >= 0:
        assert public["winner"] == game.winner()
    view = dict(game.view(0))
    assert public["resources"] == list(view["sizes of the storages"])  # type: ignore[call-overload]
    if what in ("rule", "raid"):
        plundered = [seat for seat, at in enumerate(public["plundered"]) if at]
        assert plundered == list(view["plundered"])  # type: ignore[call-overload]
    if what in ("farmstead", "harvest", "income", "extra", "mercy", "number", "alms", "gift"):
        assert public["poor"] == list(view["needy"])  # type: ignore[call-overload]


def check_end(position: Position, game: twin.Game) -> None:
    assert position.year == FIRST_YEAR - 1 + game.year()
    assert list(position.points) == game.points()
    for value, theirs in zip(VALUES, (game.returns, game.margins, game.ranks), strict=True):
        ours = position.to_core(log=True).utilities(value)
        assert ours == pytest.approx(theirs())
        assert sum(ours) == pytest.approx(0)
    assert position.returns() == pytest.approx(game.returns())


def play_both(position: Position, game: twin.Game, seed: int) -> Counter[str]:
    """One whole game; how often there was what kind of node."""
    players = len(position.points)
    table = Table(random.Random(seed), players)
    nodes: Counter[str] = Counter()
    while edges := edges_of(position, game):
        nodes[position.node.what] += 1
        text = table.choice(position, edges)
        labels = [position.label(text, viewer) for viewer in range(players)]
        other = table.source.choice(edges)
        for viewer in range(players):
            assert position.label(other, viewer) == game.observe(other, viewer), other
        position = position.play(text)
        game.apply(text)
        assert labels == [game.info(viewer)[-1][1] for viewer in range(players)], text
        check_tables(position, game)
    check_end(position, game)
    return nodes


EVERY_NODE = {
    *("start", "loot", "harvest", "extra", "alms", "card", "income"),
    *("lead", "change", "bid", "reward", "rule", "raid", "mercy", "number", "gift", "church"),
}


@pytest.mark.parametrize(("players", "farmstead"), SETTINGS)
def test_whole_games_are_the_same_in_core_and_twin(players: int, farmstead: str) -> None:
    nodes: Counter[str] = Counter()
    for seed in range(GAMES):
        nodes += play_both(*both_of(players, farmstead), seed)
    assert set(nodes) == EVERY_NODE | ({"farmstead"} if farmstead == "choice" else set())


# Numbers of somebody's own


def file_of(values: Values, players: int, folder: Path) -> Path:
    """The numbers as a file, for so many players."""
    named = {
        **values,
        "cards": [CARDS[card] for card in values["cards"]],
        "first_card": CARDS[values["first_card"]],
        "players": [players, players],
    }
    path = folder / "numbers.toml"
    path.write_text(
        "".join(
            f"[{name}]\nvalue = {list(value) if isinstance(value, tuple) else value!r}\ntag = 'H'\n"
            for name, value in named.items()
        ),
        "utf-8",
    )
    return path


def any_values(source: random.Random, players: int) -> Values:
    """Numbers of any kind that a game can be played by."""
    kinds = source.sample(range(4), source.randint(2, 4))
    most = source.choice((3, 6, 16))
    pieces = tuple(source.randint(1, most) if kind in kinds else 0 for kind in range(4))
    limit = source.randint(1, 10)
    huts = source.randint(0, 6)
    cards = source.sample(range(len(CARDS)), players * source.randint(1, 24 // players) + 1)
    castle_cards = sum("castle" in CARDS[card] for card in cards)
    if castle_cards == 0 or sum(pieces) < players:
        return any_values(source, players)
    return {
        "pieces": pieces,
        "privileges": tuple(source.randint(0, 2) for _ in range(4)),
        "castle": tuple(
            source.randint(1, 9) for _ in range(source.randint(1, min(6, castle_cards)))
        ),
        "huts": huts,
        "huts_start": source.randint(0, huts),
        "start": source.randint(1, min(8, limit, sum(pieces) // players)),
        "storage_limit": limit,
        "mercy_limit": source.randint(0, min(5, limit // 2)),
        "loot": source.randint(0, 2),
        "farmstead_income": source.randint(0, 1),
        **{
            f"value_{problem}": tuple(source.randint(1, 9) for _ in range(4))
            for problem in twin.PROBLEMS
        },
        "cards": tuple(sorted(cards[1:])),
        "first_card": cards[0],
    }


def play_both_by_any_values(seed: int) -> Counter[str]:
    source = random.Random(seed)
    players, farmstead = source.choice(PLAYERS), source.choice(FARMSTEADS)
    values = any_values(source, players)
    with tempfile.TemporaryDirectory() as folder:
        cards = file_of(values, players, Path(folder))
        position = Position.start(players, farmstead, cards=cards)
    return play_both(position, twin.Game(rules_of(values, players, farmstead)), seed)


def test_whole_games_by_any_numbers_are_the_same_in_core_and_twin() -> None:
    nodes: Counter[str] = Counter()
    for seed in range(60):
        nodes += play_both_by_any_values(seed)
    assert set(nodes) == {*EVERY_NODE, "farmstead"}


# What the seats know

WITHOUT_A_WINNER = ("start", "card", "lead", "change", "bid", "")


def what_matters(game: twin.Game, viewer: int) -> tuple[object, ...]:
    """Of what the twin lets a seat see, all that can still make a difference."""
    view = dict(game.view(viewer))
    what = game.node()[2]
    solved = view.pop("solved")
    assert isinstance(solved, tuple)
    del view["number"]  # the sizes of the storages tell as much
    if what not in ("lead", "change"):
        del view["leader"]
    if what != "change":
        del view["opener"]  # the bidding goes round by seats
    if what in WITHOUT_A_WINNER:
        del view["winner"]
    if what == "church":
        view["last kind"] = view["last kind"] or KINDS[0]  # nothing is ruled out by either
    return (*view.values(), tuple(sorted(solved)))


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
        state = position.to_core(log=True)
        info, key = game.info(viewer), state.key(viewer, True)
        assert self.info_keys.setdefault((viewer, info), key) == key
        assert self.infos.setdefault((viewer, key), info) == info
        view, key = what_matters(game, viewer), state.key(viewer, False)
        assert self.view_keys.setdefault((viewer, view), key) == key
        assert self.views.setdefault((viewer, key), view) == view


def whole_tree(
    position: Position, game: twin.Game, depth: int = 0
) -> Iterator[tuple[Position, twin.Game, int]]:
    """Every state of core and twin with its depth; both sides have the same."""
    yield position, game, depth
    edges = edges_of(position, game)
    if not edges:
        check_end(position, game)
    for text in edges:
        after = game if text == edges[-1] else game.copy()
        after.apply(text)
        yield from whole_tree(position.play(text), after, depth + 1)


def test_the_whole_micro_game_is_the_twins_and_so_are_its_keys() -> None:
    start = both_of(2, preset="micro")
    keys, depths = Keys(), Counter[int]()
    for position, game, depth in whole_tree(*start):
        depths[depth] += 1
        check_tables(position, game)
        for viewer in range(2):
            keys.check(position, game, viewer)
    assert depths.total() == 7_841
    assert len(keys.views) < len(keys.infos) < keys.checked == 2 * 7_841
    state = start[0].to_core(log=True)
    for depth in range(max(depths) + 2):
        assert perft(state, depth) == depths[depth]


@pytest.mark.parametrize("preset", ["micro", "mini"])
def test_keys_of_small_games(preset: str) -> None:
    """Some states are met again and again, by different ways."""
    keys = Keys()
    for seed in range(300):
        position, game = both_of(2, preset=preset)
        table = Table(random.Random(seed), 2)
        while edges := edges_of(position, game):
            for viewer in range(2):
                keys.check(position, game, viewer)
            text = table.choice(position, edges)
            position = position.play(text)
            game.apply(text)
    assert len(keys.views) < len(keys.infos) < keys.checked


Both = tuple[Position, twin.Game]


def alike(start: list[Both], viewer: int, seed: int) -> Iterator[Both]:
    """The states of two games in which one seat learns the same for as long as can be."""
    table = Table(random.Random(seed), len(start[0][0].points))
    both = list(start)
    while True:
        yield from both
        (first, _), (second, _) = both
        ours = {text: first.label(text, viewer) for text in edges_of(*both[0])}
        theirs = {text: second.label(text, viewer) for text in edges_of(*both[1])}
        common = [text for text, label in ours.items() if label in theirs.values()]
        if not common:
            return
        text = table.source.choice(common)
        if first.node.kind == "decision":
            styled = table.choice(first, list(ours))
            text = styled if styled in common else text
        other = table.source.choice([o for o, label in theirs.items() if label == ours[text]])
        for at, played in enumerate((text, other)):
            position, game = both[at]
            game.apply(played)
            both[at] = position.play(played), game


@pytest.mark.parametrize(("players", "farmstead"), SETTINGS)
def test_keys_are_equal_while_a_seat_learns_the_same(players: int, farmstead: str) -> None:
    keys, seats = Keys(), random.Random(players)
    for seed in range(12):
        own = seed % players
        start = [both_of(players, farmstead) for _ in range(2)]
        for position, game in alike(start, own, 100 * players + seed):
            for viewer in (own, seats.randrange(players)):
                keys.check(position, game, viewer)
    assert len(keys.infos) < keys.checked
    assert keys.checked > 1000


# Counts, numbers, refusals


def test_move_texts_are_those_of_the_twin() -> None:
    assert list(ACTIONS) == twin.ACTIONS
    assert len(set(ACTIONS)) == len(ACTIONS) == 83
    assert list(CARDS) == twin.CARDS
    assert KINDS == twin.KINDS
    assert dict(zip(KINDS, PRIVILEGES, strict=True)) == twin.PRIVILEGES


@pytest.mark.parametrize("players", PLAYERS)
def test_the_numbers_are_those_of_the_twin(players: int) -> None:
    values = charlemagne_data.load().at(players)
    assert rules_of(values, players, "random") == twin.Rules(players)


@pytest.mark.parametrize(
    ("preset", "players", "depth"),
    [("full", 2, 3), ("full", 3, 3), ("full", 4, 3), ("mini", 2, 9)],
)
def test_perft_counts_moves_and_outcomes_as_the_twin_does(
    preset: str, players: int, depth: int
) -> None:
    position, game = both_of(players, preset=preset)
    for steps in range(depth + 1):
        assert perft(position.to_core(log=True), steps) == twin.perft(game, steps) > 0


@pytest.mark.parametrize(("players", "farmstead"), SETTINGS)
def test_perft_from_the_middle_of_a_game(players: int, farmstead: str) -> None:
    """A few steps on from one node of each kind."""
    position, game = both_of(players, farmstead)
    table = Table(random.Random(players), players)
    seen: set[str] = set()
    while edges := edges_of(position, game):
        if position.node.what not in seen:
            seen.add(position.node.what)
            for depth in range(1, 3):
                assert perft(position.to_core(log=True), depth) == twin.perft(game, depth)
        text = table.choice(position, edges)
        position = position.play(text)
        game.apply(text)
    assert len(seen) > 10
    assert perft(position.to_core(log=True), 1) == twin.perft(game, 1) == 0


def test_an_impossible_move_is_refused_by_both_and_changes_nothing() -> None:
    position, game = both_of(3)
    before = position.piles
    for text in ("pass", "b9", "r0", "", "0 start b2", "b"):
        with pytest.raises(IllegalMove, match="not possible here"):
            position.play(text)
        with pytest.raises(ValueError, match="not possible here"):
            game.apply(text)
    assert position.piles == before
    assert game.history() == []


@pytest.mark.parametrize(
    "options", [(1,), (5,), (4, "none"), (4, ""), (0, "random")], ids=lambda options: str(options)
)
def test_options_that_do_not_exist_are_refused_by_both(options: tuple[Any, ...]) -> None:
    with pytest.raises(ValueError, match="not"):
        Position.start(*options)
    with pytest.raises(ValueError, match=r"not|unknown"):
        twin.Rules(*options)


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    begun = time.perf_counter()
    all_nodes: Counter[str] = Counter()
    kinds = [*SETTINGS, (2, "mini"), (0, "any numbers")]
    for at, (players, what) in enumerate(kinds):
        share = range(games * at // len(kinds), games * (at + 1) // len(kinds))
        nodes: Counter[str] = Counter()
        for seed in range(first + share.start, first + share.stop):
            if what == "mini":
                nodes += play_both(*both_of(players, preset="mini"), seed)
            elif players:
                nodes += play_both(*both_of(players, what), seed)
            else:
                nodes += play_both_by_any_values(seed)
        all_nodes += nodes
        seconds = time.perf_counter() - begun
        print(
            f"{players} {what}: {len(share)} games, {nodes.total()} nodes, {seconds:.0f} s",
            flush=True,
        )
    print(f"{games:,} games agree, at {all_nodes.total():,} nodes: {dict(all_nodes)}")


if __name__ == "__main__":
    main()
