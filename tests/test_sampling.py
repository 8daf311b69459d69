"""What is sampled for a seat of Richard I: states that it cannot rule out, all of them, with the
odds that counting every possible game gives.

`python -m tests.test_sampling SAMPLES [--witnesses W]` checks so many samples at random moments of
random games, and replays W of their pasts with the twin.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from cython_core.richard import Richard
from cython_core.richard_knowledge import RichardSampler
from engines import knowledge, richard_data
from engines.richard import ACTIONS, CHARACTERS, COLOURS, COUNSELORS, EVENTS, PRESETS, Position
from engines.richard_labels import outcome_text
from tests.reference import richard as twin
from tests.sampling import (
    LONGEST,
    ODDS,
    PATIENCE,
    SAMPLES,
    SEED,
    State,
    be_alike,
    compare,
    soak,
)

CARDS = [24, 24, 24, 24, 33, 36]  # § Components, by colour


# The same game for the twin


def rules_of(position: Position) -> twin.Rules:
    rules = position.rules
    assert rules is not None
    found = richard_data.load(rules.preset, rules.cards).at(rules.players)
    characters = found.pop("characters")
    return twin.Rules(
        players=rules.players,
        counselors=rules.counselors,
        events=rules.events,
        characters=tuple(name for i, name in enumerate(CHARACTERS) if characters >> i & 1),
        per_john=found.pop("crusade_per_john"),
        per_richard=found.pop("crusade_per_richard"),
        **found,
    )


def replay(rules: twin.Rules, edges: bytes | list[int]) -> twin.Game:
    game = twin.Game(rules)
    for edge in edges:
        kind, *what = game.node()
        game.apply(ACTIONS[edge] if kind == "decision" else outcome_text(str(what[0]), edge))
    return game


def piles_of(game: twin.Game) -> dict[str, object]:
    return {
        "supply": game.supply(),
        "reserve": game.reserve(),
        "crusade": game.crusade(),
        "revealed": game.revealed(),
        "hands": game.hands(),
        "counselors": game.counselors(),
    }


# Random moments of random games


def start(luck: Random) -> Position:
    preset = luck.choice((*PRESETS, *["full"] * 4))
    players = luck.randint(3, 8) if preset == "full" else luck.randint(2, 3)
    return Position.start(players, luck.choice(COUNSELORS), luck.choice(EVENTS), preset=preset)


def lively(position: Position, luck: Random) -> str:
    """A random edge; what shows or moves hidden cards comes more often."""
    moves = position.legal_moves()
    wanted = [text for text in moves if text == "2" or text.startswith("counselor")]
    if wanted and luck.random() < 0.6:
        return luck.choice(wanted)
    return position.pick(luck.random())


def moments(seed: int, share: float) -> Iterator[tuple[Position, int]]:
    luck = Random(seed)
    position = start(luck)
    while not position.over:
        if luck.random() < share:
            yield position, luck.randrange(len(position.points))
        position = position.play(lively(position, luck))


def sizes(cards: dict[str, Any]) -> list[object]:
    """What anybody can count."""
    return [
        sum(cards["supply"]), cards["reserve"], sum(cards["crusade"]), cards["revealed"],
        [sum(hand) for hand in cards["hands"]], [len(held) for held in cards["counselors"]],
    ]  # fmt: skip


def table_of(core: Richard) -> dict[str, Any]:
    names = ["turn", "first", "event", "time", "crusaders", "saladin", "treasury"]
    names += ["points", "sides"]
    public = core.public
    return {name: public[name] for name in names}


class Moment:
    """A seat at a moment of a game, and all that its samples are checked for."""

    def __init__(self, position: Position, seat: int) -> None:
        self.position, self.seat = position, seat
        self.known = knowledge.of(position, seat)
        self.sampler: RichardSampler = self.known.sampler()
        self.core = position.to_core()
        self.cards = self.core.cards
        self.total = self._total(self.cards)
        self.decides = position.node.kind == "decision" and position.node.seat == seat

    @staticmethod
    def _total(cards: dict[str, Any]) -> list[int]:
        piles = [cards[name] for name in ("supply", "reserve", "crusade", "revealed")]
        return [sum(column) for column in zip(*piles, *cards["hands"], strict=True)]

    def check(self) -> None:
        sample = self.sampler.sample()
        cards, seat = sample.cards, self.seat
        rules = self.position.rules
        assert rules is not None
        assert self._total(cards) == self.total
        assert rules.preset != "full" or self.total == CARDS
        assert sizes(cards) == sizes(self.cards)
        assert cards["hands"][seat] == self.cards["hands"][seat]
        assert cards["counselors"][seat] == self.cards["counselors"][seat]
        assert sample.key(seat, False) == self.core.key(seat, False)
        assert table_of(sample) == table_of(self.core)
        assert sample.node() == self.core.node()
        if self.decides:
            assert sample.legal_actions() == self.core.legal_actions()
        elif sample.node()[0] == "decision":
            assert sample.legal_actions() != []

    @cached_property
    def truth(self) -> twin.Game:
        return replay(rules_of(self.position), self.position.history)

    def check_witness(self) -> None:
        """The twin plays the past of a sample, and the seat learns what it learned."""
        sample, edges = self.sampler.complete()
        game = replay(self.truth.rules, edges)
        assert game.info(self.seat) == self.truth.info(self.seat)
        assert game.view(self.seat) == self.truth.view(self.seat)
        assert piles_of(game) == {name: sample.cards[name] for name in piles_of(game)}
        assert game.points() == sample.public["points"] == list(self.position.points)


@pytest.mark.parametrize("seed", range(24))
def test_samples_look_like_the_truth(seed: int) -> None:
    for position, seat in moments(seed, 0.08):
        moment = Moment(position, seat)
        for _ in range(20):
            moment.check()


@pytest.mark.parametrize("seed", range(100, 118))
def test_the_past_of_every_sample_is_a_game_that_the_seat_cannot_rule_out(seed: int) -> None:
    """Inspections, hands seen, payments and offers are among the labels, so they hold."""
    for position, seat in moments(seed, 0.03):
        moment = Moment(position, seat)
        for index in range(3):
            moment.check_witness()
            whole = moment.known.complete(seed + index)
            assert whole.piles == moment.known.sample(seed + index).piles
            assert whole.points == position.points
            assert knowledge.of(whole, seat) == moment.known


# Hard facts


def inspections(seed: int) -> Iterator[tuple[Position, str]]:
    """Every moment at which a hand is looked into, and the move."""
    luck = Random(seed)
    position = start(luck)
    while not position.over:
        text = lively(position, luck)
        if position.node.what in ("player", "player colour"):
            yield position, text
        position = position.play(text)


def test_what_an_inspection_found_is_so_in_every_sample() -> None:
    counts = hands = 0
    for seed in range(12):
        for position, text in inspections(seed):
            after, target = position.play(text), int(text[1])
            if len(after.history) > 250:
                break
            for seat in range(len(position.points)):
                label = position.label(text, seat)
                found = re.search(r" = (\d+)", label)
                seen = re.search(r"\((\w*)\)", label)
                sampler = knowledge.of(after, seat).sampler(seed)
                for _ in range(4):
                    hand = Position(sampler.sample()).piles["hands"][target]
                    if found:
                        colour = COLOURS.index(text[2:] or "g")
                        assert hand[colour] == int(found[1])
                        counts += 1
                    if seen:
                        assert hand == [seen[1].count(colour) for colour in COLOURS]
                        hands += 1
    assert counts > 300
    assert hands > 100


# Counting all games that a seat cannot rule out

COSTS = {
    ("inquisitor", "2"): "gg",
    ("merchant", "2"): "bbww",
    ("spy", "2"): "pp",
    ("regent", "2"): COLOURS,
}


def odds(hand: list[int], cards: str) -> float:
    """Of drawing just these cards from a hand, at one go."""
    ways = math.prod(math.comb(n, cards.count(c)) for c, n in zip(COLOURS, hand, strict=True))
    return ways / math.comb(sum(hand), len(cards))


def prior(game: twin.Game, text: str, shown: bool) -> float:
    """How much an edge counts. `shown`: whether its secret offer has been shown since."""
    outcomes = dict(game.outcomes())
    if outcomes:
        return outcomes[text] / sum(outcomes.values())
    seat, what = decision_of(game)
    hands = game.hands()
    hand = hands[seat]
    if what == "contribution":
        return odds(hand, text.removeprefix("give ").removeprefix("-"))
    if what.startswith(("colour for the bandit", "colour to give")):
        return odds(hand, text)
    if what.startswith("colour to take from"):
        return odds(hands[int(what[-1])], text)
    if what.startswith("colour for return"):
        return odds(hand, 2 * text)
    if what == "offer in the tax":
        return odds(hand, "y" * int(text.removeprefix("offer ")))
    if what == "offer in the tournament":
        if shown:
            return odds(hand, "r" * int(text.removeprefix("offer ")))
        return 1 / (1 + hand[COLOURS.index("r")])
    if what == "option":
        return odds(hand, COSTS.get((str(game.influenced()[seat]), text), ""))
    if text == "return":
        return odds(hand, {16: "w", 17: "y"}[game.event() or 0])
    return 1.0


def decision_of(game: twin.Game) -> tuple[int, str]:
    """Whose it is, and what is decided."""
    node = dict(game.view(0))["node"]
    assert isinstance(node, tuple)
    kind, seat, what, *_ = node
    assert kind == "decision"
    return seat, what


def state_of(piles: dict[str, Any]) -> State:
    """Hidden cards; counselors, which do not depend on them, have a test of their own."""
    return tuple(str(piles[name]) for name in ("hands", "supply", "crusade"))


def everything(game: twin.Game) -> State:
    """All that the rest of a game depends on, given what is public."""
    seats = range(game.rules.players)
    return *state_of(piles_of(game)), *(game.view(seat) for seat in seats)


def labels_of(position: Position, seat: int) -> list[str]:
    """What a seat has been told by the twin."""
    game, labels = twin.Game(rules_of(position)), []
    for text in replay(rules_of(position), position.history).history():
        labels.append(game.observe(text, seat))
        game.apply(text)
    return labels


def is_shown(labels: list[str], at: int) -> bool:
    """Whether the tournament that an offer belongs to has been settled since."""
    while at < len(labels) and " offer" in labels[at]:
        if "=" in labels[at]:
            return True
        at += 1
    return False


def count_through(position: Position, seat: int) -> dict[State, float] | None:
    """The probability of every state that the seat cannot rule out; None if they are too many."""
    labels = labels_of(position, seat)
    texts = replay(rules_of(position), position.history).history()
    worlds: dict[State, tuple[float, twin.Game]] = {(): (1.0, twin.Game(rules_of(position)))}
    for at, label in enumerate(labels):
        shown = is_shown(labels, at)
        after: dict[State, tuple[float, twin.Game]] = {}
        for weight, game in worlds.values():
            edges = [text for text in game.edges() if game.observe(text, seat) == label]
            if game.node() == ("chance", "counselor"):
                edges = [texts[at]]
            for n, text in enumerate(edges):
                part = weight * prior(game, text, shown)
                world = game if n == len(edges) - 1 else game.copy()
                world.apply(text)
                key = everything(world)
                before, _ = after.get(key, (0.0, world))
                after[key] = before + part, world
        worlds = after
        if len(worlds) > PATIENCE:
            return None
    total = sum(weight for weight, _ in worlds.values())
    found: Counter[State] = Counter()
    for weight, game in worlds.values():
        found[state_of(piles_of(game))] += weight / total  # type: ignore[assignment]
    return dict(found)


def sample_states(position: Position, seat: int, samples: int) -> Counter[State]:
    sampler = knowledge.of(position, seat).sampler(SEED)
    return Counter(state_of(sampler.sample().cards) for _ in range(samples))


def agree(position: Position, seat: int, exact: dict[State, float]) -> None:
    be_alike(exact, sample_states(position, seat, SAMPLES), labels_of(position, seat))


# Small games

MINI = {
    "players": [2, 2], "hand": 2, "sides": [2, 2], "supply": [0, 0, 1, 0, 3, 3],
    "reserve": [0, 1, 2, 0, 2, 3], "crusade_base": [0, 0, 0, 0, 1, 1],
    "crusade_per_john": [0] * 6, "crusade_per_richard": [0] * 6, "contributed": 1, "revealed": 2,
    "time": 4, "crusaders": 5, "saladin": 5, "treasury": 3, "placing_bonus": False,
    "last_slow_turn": 0, "characters": ["exciseman", "arms", "spy"],
}  # fmt: skip


def small_game(folder: Path, **numbers: Any) -> Path:
    """A file of numbers."""
    file = folder / "small.toml"
    if "players" in numbers:
        numbers["players"] = [numbers["players"]] * 2
    file.write_text(
        "".join(
            f'[{name}]\nvalue = {str(value).lower()}\ntag = "H"\n'
            for name, value in (MINI | numbers).items()
        )
    )
    return file


class Situation(NamedTuple):
    """`told`: what the last things that the seat was told look like. Small numbers are `MINI`."""

    about: str
    told: str
    numbers: dict[str, Any] = {}  # noqa: RUF012 - never changed
    players: int = 2
    counselors: str = "off"
    events: str = "off"
    preset: str = ""
    fewest: int = 3  # states
    prefer: tuple[str, ...] = ()  # moves and outcomes


SPIES: dict[str, Any] = {"characters": ["inquisitor", "spy", "bandit", "merchant"]}
HIDDEN_GIFT = r"(?m)^\d give \?+$"
SITUATIONS = [
    Situation("a contribution, micro", HIDDEN_GIFT, preset="micro", fewest=2),
    Situation("two contributions, mini", r"give \?\n(.*\n)*\d give \?", players=3, preset="mini"),
    Situation("cards revealed, mini", r"give \?\n(.*\n)*reveal", preset="mini", fewest=2),
    Situation("offers not shown yet, mini", r"offer \?$", players=3, preset="mini"),
    Situation("a tournament settled, mini", r"offer \d = [01],[1-9]$", preset="mini"),
    Situation(
        "a tax not settled", r"[01] offer [1-9]$",
        {"supply": [0, 3, 0, 0, 2, 2], "characters": ["exciseman", "bandit"]},
    ),
    Situation(
        "an exact count", r"@\d = 1(\n.*){1,9}$",
        {"players": 3, "characters": ["inquisitor", "bandit", "merchant"], "hand": 2}, 3,
    ),
    Situation(
        "an exact count before contributions and reveals",
        r"@\d\w? = 1\n(.*\n)*\d give \?\n(.*\n)*reveal",
        {"players": 3, "characters": ["inquisitor", "bandit", "merchant"], "hand": 2}, 3,
    ),
    Situation("a hand seen, then draws", r"@\d\w? = \d \(\w+\)\n(.*\n)*\d draw \?", SPIES),
    Situation("a hand seen, then a gift", r"@\d\w? = \d \(\w{2,}\)\n(.*\n)*\d give \?", SPIES),
    Situation("the Bandit is paid", r"1 [12]\n1 [prg]\n(.*\n)*\d give \?", SPIES),
    Situation("the Spy is paid", r"[01] 2\n[01] @\d[bypwrg] = \d \(\w*\)(\n.*){,4}$",
              {**SPIES, "supply": [0, 0, 4, 0, 2, 1]}, fewest=2, prefer=("spy", "p", "2")),
    Situation("a card swapped by others", r"\d @\d\n(\d \?\n)\d \?",
              {"players": 3, "sides": [3, 3], "characters": ["arms", "bandit", "merchant"]},
              3, "house", prefer=("10", "counselor 10")),
    Situation("a supply formed anew", r"2 draw \?(\n.*){3,}$",
              {"players": 3, "supply": [0, 0, 1, 0, 3, 3],
               "characters": ["arms", "merchant", "exciseman"]}, 3),
    Situation("cards returned for an event", r"event 17\n(.*\n)*[01] return",
              {"supply": [0, 3, 0, 0, 2, 2], "characters": ["arms", "bandit", "merchant"]},
              events="shuffled", fewest=2, prefer=("17", "y", "return")),
    Situation("two alike returned", r"counselor 11\n\d [bypwrg]\n", {}, 2, "house",
              fewest=2, prefer=("11", "counselor 11")),
    Situation("two alike, not chosen yet", r"counselor 11$", {}, 2, "house",
              fewest=2, prefer=("11", "counselor 11")),
    Situation("both hands known, both gifts revealed",
              r"@\d = \d \(\w+\)\n(.*\n)*\d give \?\n\d give \?\n(.*\n)*reveal",
              {"players": 3, "characters": ["inquisitor", "bandit", "arms"], "revealed": 6}, 3),
]  # fmt: skip


def preferred(position: Position, luck: Random, texts: tuple[str, ...]) -> str:
    there = {*position.legal_moves(), *position.outcomes()} if luck.random() < 0.8 else ()
    return next((text for text in texts if text in there), "")


def find(situation: Situation, file: Path | None, seed: int) -> tuple[Position, int, Any]:
    """The first moment in random games that a situation describes, and its states."""
    luck = Random(seed)
    told = re.compile(situation.told)
    options: dict[str, Any] = {"preset": situation.preset} if situation.preset else {"cards": file}
    for _ in range(3000):
        position = Position.start(
            situation.players,
            situation.counselors,
            situation.events,
            **options,
        )
        seat = luck.randrange(situation.players)
        labels: list[str] = []
        while not position.over:
            text = preferred(position, luck, situation.prefer) or lively(position, luck)
            labels.append(position.label(text, seat))
            position = position.play(text)
            if position.over or luck.random() < 0.5 or not told.search("\n".join(labels)):
                continue
            if len(labels) > LONGEST:
                break
            exact = count_through(position, seat)
            if exact and len(exact) >= situation.fewest:
                return position, seat, exact
    raise LookupError(situation.about)


@pytest.mark.parametrize("situation", SITUATIONS, ids=lambda situation: situation.about)
def test_samples_come_as_often_as_counting_all_games_says(
    situation: Situation, tmp_path: Path
) -> None:
    file = small_game(tmp_path, **situation.numbers)
    for seed in range(2):
        agree(*find(situation, file, seed))


def random_small_game(luck: Random, folder: Path) -> Position:
    players = luck.choice((2, 2, 3))
    file = small_game(
        folder,
        players=players,
        hand=luck.choice((1, 2, 2)),
        supply=[0, luck.choice((0, 1)), luck.choice((0, 2)), 0, 3, luck.choice((3, 4))],
        contributed=luck.choice((1, 1, 2)),
        revealed=luck.choice((1, 2, 3, 4, 6)),
        crusade_base=luck.choice(([0] * 6, [0, 0, 0, 0, 1, 1], [0, 0, 1, 0, 1, 0])),
        reserve=[0, luck.choice((0, 1)), luck.choice((1, 2)), 0, luck.choice((1, 2)), 2],
        characters=luck.sample(CHARACTERS, luck.choice((3, 4))),
        placing_bonus=luck.random() < 0.3,
    )
    counselors, events = luck.choice(("off", "off", "house")), luck.choice(("off", "shuffled"))
    position = Position.start(players, counselors, events, cards=file)
    for _ in range(luck.randrange(8, 60)):
        after = position.play(lively(position, luck))
        if after.over:
            break
        position = after
    return position


@pytest.mark.parametrize("seed", range(40))
def test_samples_of_random_small_games_come_as_often_as_they_should(
    seed: int, tmp_path: Path
) -> None:
    luck = Random(seed)
    position = random_small_game(luck, tmp_path)
    seat = luck.randrange(len(position.points))
    exact = count_through(position, seat)
    if exact is None:
        pytest.skip("too many states to count")
    agree(position, seat, exact)


@pytest.mark.parametrize("sides", ["john john richard", "richard john richard"])
def test_every_counselor_is_as_likely_as_any_other(sides: str) -> None:
    """Of those that the seat does not hold itself, one each."""
    position = Position.start(3)
    for text in ("b" * 6 + "y" * 6 + "p" * 6, *sides.split(), "3", "4", "5"):
        for part in text if len(text) > 10 else [text]:
            position = position.play(part)
    sampler = knowledge.of(position, 0).sampler(SEED)
    found: Counter[State] = Counter()
    for _ in range(SAMPLES):
        mine, *others = sampler.sample().cards["counselors"]
        assert mine == [3]
        found[tuple(number for held in others for number in held)] += 1
    friends = [side == sides.split()[0] for side in sides.split()]
    pairs: list[State] = [
        (one, other) for one in range(1, 15) for other in range(1, 15)
        if not (friends[1] and one == 3) and not (friends[2] and other == 3)
        and not (friends[1] == friends[2] and one == other)
    ]  # fmt: skip
    result = compare(dict.fromkeys(pairs, 1 / len(pairs)), found)
    assert not result.foreign
    assert not result.missing
    assert result.deviation < ODDS


# The test itself


def test_the_comparison_notices_what_is_wrong() -> None:
    exact: dict[State, float] = {("a",): 0.5, ("b",): 0.3, ("c",): 0.2}
    luck = Random(3)
    right: Counter[State] = Counter(luck.choices(list(exact), list(exact.values()), k=SAMPLES))
    found = compare(exact, right)
    assert not found.missing
    assert not found.foreign
    assert abs(found.deviation) < ODDS
    assert compare(exact, Counter({("a",): 10_000, ("b",): 6_000, ("d",): 4_000})).foreign
    assert compare(exact, Counter({("a",): 12_500, ("b",): 7_500})).missing == [("c",)]
    biased: Counter[State] = Counter({("a",): 10_400, ("b",): 5_800, ("c",): 3_800})
    assert compare(exact, biased).deviation > ODDS


def test_counting_through_is_right_where_it_can_be_done_by_hand() -> None:
    """Two players have a red or green card each, of two of either in the supply; seat 1 has red."""
    position = Position.start(2, "off", preset="micro").play("r").play("r")
    exact = count_through(position, 1)
    assert exact is not None
    by_hand = {str([[0, 0, 0, 0, 1, 0]] * 2): 1 / 3,
               str([[0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 1, 0]]): 2 / 3}  # fmt: skip
    assert {state[0]: p for state, p in exact.items()} == pytest.approx(by_hand)


# The soak


def seats_at_moments(seed: int) -> Iterator[Moment]:
    return (Moment(*moment) for moment in moments(seed, 0.03))


if __name__ == "__main__":
    soak(__doc__, seats_at_moments)
