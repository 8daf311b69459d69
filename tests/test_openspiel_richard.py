"""The OpenSpiel game `richard_i`: OpenSpiel's own tests and algorithms, whole trees, resampling.

`python -m tests.test_openspiel_richard` writes the golden playthroughs anew; with `speed`, it says
how fast the game is.

Without counselors (seats from 0; sets: information sets at which that seat decides):

| game                     | histories | terminal | sets                  | longest |
|--------------------------|-----------|----------|-----------------------|---------|
| micro, 2 players         |     1,819 |      788 | 144, 154              |      15 |
| micro, 3 players         |     6,109 |    1,620 | 464, 412, 468         |      21 |
| micro, 2, historical     |     1,827 |      788 | 144, 154              |      16 |
| micro, 2, shuffled       |    36,663 |   14,964 | 3,066, 3,200          |      18 |
| mini, 2 players          |   743,593 |  337,098 | 17,599, 15,052        |      28 |
| mini, 3 players          |   849,553 |  371,556 | 4,236, 4,494, 4,773   |      26 |
"""

from __future__ import annotations

import math
import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import (
    cfr,
    exploitability,
    external_sampling_mccfr,
    ismcts,
    mcts,
)

from engines import richard_data, richard_labels
from engines.openspiel import register
from engines.richard import ACTIONS, CHARACTERS, COLOURS, SIDES, Position
from tests.reference import richard as twin

register()
PLAYTHROUGHS = Path(__file__).parent / "playthroughs"
DATA = Path(richard_data.__file__).parent / "data"
OWN_FILES = {
    "counselors": str(DATA / "richard_counselors.toml"),
    "events": str(DATA / "richard_events.toml"),
}
RECALL = pyspiel.IIGObservationType(perfect_recall=True)
NOW = pyspiel.IIGObservationType(perfect_recall=False)
RED = COLOURS.index("r")


def load(players: int, counselors: str, events: str, preset: str = "full") -> pyspiel.Game:
    options = {"players": players, "counselors": counselors, "events": events, "preset": preset}
    return pyspiel.load_game("richard_i", options)


def micro(players: int, events: str = "off") -> pyspiel.Game:
    return load(players, "off", events, "micro")


def at_random(state: pyspiel.State, source: random.Random, plies: int) -> pyspiel.State:
    """So many cards and moves further on, or at the end; cards by weight."""
    for _ in range(plies):
        if state.is_terminal():
            break
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(source.choices(outcomes, chances)[0])
        else:
            state.apply_action(source.choice(state.legal_actions()))
    return state


def replayed(game: pyspiel.Game, history: list[int]) -> pyspiel.State:
    state = game.new_initial_state()
    for action in history:
        state.apply_action(action)
    return state


# -- OpenSpiel's own test --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "counselors", "events", "preset"),
    [
        (2, "off", "off", "micro"),
        (2, "house", "shuffled", "micro"),
        (3, "house", "off", "micro"),
        (3, "off", "historical", "micro"),
        (2, "off", "shuffled", "mini"),
        (2, "house", "off", "mini"),
        (3, "off", "off", "mini"),
        (3, "house", "historical", "mini"),
        (3, "off", "shuffled", "full"),
        (4, "house", "off", "full"),
        (5, "off", "historical", "full"),
    ],
)
def test_openspiels_own_simulation_test_passes(
    players: int, counselors: str, events: str, preset: str
) -> None:
    sims = 1 if preset == "full" else 5
    game = load(players, counselors, events, preset)
    pyspiel.random_sim_test(game, num_sims=sims, serialize=True, verbose=False)


@pytest.mark.parametrize(
    ("players", "counselors", "events"),
    [(6, "house", "shuffled"), (7, "off", "off"), (8, "house", "historical")],
)
def test_openspiels_own_simulation_test_passes_with_many_players(
    players: int, counselors: str, events: str
) -> None:
    """Most of it is copying tensors."""
    game = load(players, counselors, events)
    pyspiel.random_sim_test(game, num_sims=1, serialize=False, verbose=False)


# -- whole trees -----------------------------------------------------------------------------------


class Seat(NamedTuple):
    """What one seat is told at a node; `past`: what it was told and did at its own ones before."""

    text: str
    key: int
    past: tuple[tuple[str, int], ...]


class Seen(NamedTuple):
    state: pyspiel.State
    seats: tuple[Seat, ...]
    legal: tuple[int, ...]  # for the player to move
    learned: tuple[object, ...]  # by seat, by the twin


def walk(state: pyspiel.State, pasts: tuple[Any, ...], game: twin.Game | None) -> Iterator[Seen]:
    """Every history from here on, itself first."""
    position, player = state.position, state.current_player()
    seats = tuple(
        Seat(state.information_state_string(seat), position.info_key(seat), past)
        for seat, past in enumerate(pasts)
    )
    legal = tuple(state.legal_actions())
    learned = tuple(game.info(seat) for seat in range(len(pasts))) if game else ()
    yield Seen(state, seats, legal if player >= 0 else (), learned)
    for action in legal:
        after = list(pasts)
        if player >= 0:
            after[player] = *pasts[player], (seats[player].text, action)
        branch = None
        if game:
            branch = game.copy()
            branch.apply(position.edge_text(action))
        yield from walk(state.child(action), tuple(after), branch)


@cache
def tree(players: int, events: str) -> tuple[Seen, ...]:
    state = micro(players, events).new_initial_state()
    game = twin.Game(twin_rules(players)) if events == "off" and players == 2 else None
    return tuple(walk(state, ((),) * players, game))


def twin_rules(players: int) -> twin.Rules:
    data = richard_data.load("micro").at(players)
    in_play = data.pop("characters")
    return twin.Rules(
        players=players,
        counselors="off",
        events="off",
        characters=tuple(name for i, name in enumerate(CHARACTERS) if in_play >> i & 1),
        per_john=data.pop("crusade_per_john"),
        per_richard=data.pop("crusade_per_richard"),
        **data,
    )


def sets_of(nodes: tuple[Seen, ...]) -> dict[str, list[Seen]]:
    """Information sets at which their player decides."""
    found: dict[str, list[Seen]] = defaultdict(list)
    for seen in nodes:
        player = seen.state.current_player()
        if player >= 0:
            found[seen.seats[player].text].append(seen)
    return found


def assert_bijection(pairs: Iterator[tuple[object, object]]) -> int:
    """No two of either side share one of the other. Returns how many pairs there are."""
    there: dict[object, object] = {}
    back: dict[object, object] = {}
    for one, other in pairs:
        assert there.setdefault(one, other) == other
        assert back.setdefault(other, one) == one
    return len(there)


TREES = pytest.mark.parametrize(
    ("players", "events"), [(2, "off"), (3, "off"), (2, "historical"), (2, "shuffled")]
)
SMALL_TREES = pytest.mark.parametrize("players", [2, 3])


@pytest.mark.parametrize(
    ("players", "events", "histories", "terminal", "sets"),
    [
        (2, "off", 1_819, 788, [144, 154]),
        (3, "off", 6_109, 1_620, [464, 412, 468]),
        (2, "historical", 1_827, 788, [144, 154]),
        (2, "shuffled", 36_663, 14_964, [3_066, 3_200]),
    ],
)
def test_size_of_the_tree(
    players: int, events: str, histories: int, terminal: int, sets: list[int]
) -> None:
    nodes = tree(players, events)
    assert len(nodes) == histories
    assert sum(seen.state.is_terminal() for seen in nodes) == terminal
    movers = Counter(found[0].state.current_player() for found in sets_of(nodes).values())
    assert [movers[seat] for seat in range(players)] == sets


@TREES
def test_everything_in_an_information_set_has_the_same_player_and_moves(
    players: int, events: str
) -> None:
    found: dict[str, tuple[int, int, tuple[int, ...]]] = {}
    for seen in tree(players, events):
        mover = seen.state.current_player()
        for viewer, seat in enumerate(seen.seats):
            facts = viewer, mover, seen.legal if viewer == mover else ()
            assert found.setdefault(seat.text, facts) == facts


@TREES
def test_nobody_forgets_what_it_knew_and_did(players: int, events: str) -> None:
    pasts: dict[str, object] = {}
    for seen in tree(players, events):
        for seat in seen.seats:
            assert pasts.setdefault(seat.text, seat.past) == seat.past


@TREES
def test_strings_are_equal_where_keys_are(players: int, events: str) -> None:
    sets = assert_bijection(
        (seat.text, (viewer, seat.key))
        for seen in tree(players, events)
        for viewer, seat in enumerate(seen.seats)
    )
    assert sets < len(tree(players, events)) * players  # some do share one


def test_strings_are_equal_where_the_twin_says_that_the_same_was_learned() -> None:
    assert_bijection(
        (seat.text, (viewer, learned))
        for seen in tree(2, "off")
        for viewer, (seat, learned) in enumerate(zip(seen.seats, seen.learned, strict=True))
    )


@SMALL_TREES
def test_tensors_are_equal_where_strings_are(players: int) -> None:
    game = micro(players)
    for kind in (RECALL, NOW):
        observer = game.make_py_observer(kind)

        def both(observer: Any = observer) -> Iterator[tuple[object, object]]:
            for seen in tree(players, "off")[:: 3 * players - 5]:
                for viewer in range(players):
                    observer.set_from(seen.state, viewer)
                    yield observer.string_from(seen.state, viewer), observer.tensor.tobytes()

        assert assert_bijection(both()) > 1000


@SMALL_TREES
def test_states_say_what_the_observers_say(players: int) -> None:
    game = micro(players)
    recall, now = game.make_py_observer(RECALL), game.make_py_observer(NOW)
    for seen in tree(players, "off")[:: 5 * players]:
        state = seen.state
        for viewer in range(players):
            recall.set_from(state, viewer)
            now.set_from(state, viewer)
            assert state.information_state_tensor(viewer) == recall.tensor.tolist()
            assert state.observation_tensor(viewer) == now.tensor.tolist()
            assert state.information_state_string(viewer) == recall.string_from(state, viewer)
            assert state.observation_string(viewer) == now.string_from(state, viewer)


def test_equal_observations_have_equal_moves() -> None:
    found: dict[str, tuple[int, ...]] = {}
    for seen in tree(2, "off"):
        mover = seen.state.current_player()
        if mover >= 0:
            observation = seen.state.observation_string(mover)
            assert found.setdefault(observation, seen.legal) == seen.legal


@TREES
def test_chances_and_returns_are_the_engines(players: int, events: str) -> None:
    for seen in tree(players, events)[:: 5 if events == "shuffled" else 1]:
        state, core = seen.state, Position.start(players, "off", events, preset="micro").to_core()
        for edge in state.history():
            core.play(edge)
        assert state.returns() == core.utilities()
        assert sum(state.returns()) == pytest.approx(0)
        assert max(map(abs, state.returns())) <= 1
        assert any(state.returns()) <= state.is_terminal()
        if state.is_chance_node():
            outcomes = core.outcomes()
            total = sum(weight for _, weight in outcomes)
            assert state.chance_outcomes() == [(edge, w / total) for edge, w in outcomes]
            assert sum(chance for _, chance in state.chance_outcomes()) == pytest.approx(1)
        else:
            assert list(seen.legal) == core.legal_actions()


# -- what the tensors hold -------------------------------------------------------------------------


def middle(plies: int = 100, seed: int = 1) -> pyspiel.State:
    game = load(4, "house", "shuffled")
    return at_random(game.new_initial_state(), random.Random(seed), plies)


@pytest.mark.parametrize("plies", [0, 10, 40, 70, 100, 130, 10_000])
def test_the_parts_of_the_tensor_say_how_the_table_looks(plies: int) -> None:
    state = middle(plies)
    observer = state.get_game().make_py_observer(NOW)
    position, piles = state.position, state.position.piles
    for viewer in range(4):
        observer.set_from(state, viewer)
        parts = {name: part.astype(int).tolist() for name, part in observer.dict.items()}
        kind, mover, what = position.node
        node = [richard_labels.KINDS[i] for i in np.flatnonzero(parts.pop("node"))]
        assert node == ([] if kind == "over" else [what])
        assert np.flatnonzero(parts.pop("seat")).tolist() == [viewer]
        assert np.flatnonzero(parts.pop("to_move")).tolist() == ([mover] if mover >= 0 else [])
        assert np.flatnonzero(parts.pop("first")).tolist() == [position.first]
        events = [position.event] if position.event else []
        assert (np.flatnonzero(parts.pop("event")) + 1).tolist() == events
        assert words(parts.pop("sides"), SIDES) == list(position.sides)
        assert words(parts.pop("characters"), CHARACTERS) == list(position.characters)
        assert words(parts.pop("former"), CHARACTERS) == list(position.former)
        counselors = parts.pop("counselors")
        assert len(counselors) == 14
        assert (np.flatnonzero(counselors) + 1).tolist() == piles["counselors"][viewer]
        left = parts.pop("events_left")
        assert (np.flatnonzero(left) + 1).tolist() == list(position.events_left)
        assert sum(parts.pop("open")) == 0  # no hand lies open at these moments
        assert parts == {
            "task": list(position.task),
            "loyalty": list(position.loyalty_cards),
            "decks": [len(deck) for deck in piles["decks"]],
            "ignored": list(position.ignored),
            "turn": [position.turn],
            "tracks": [position.tracks[t] for t in ("time", "crusaders", "saladin", "treasury")],
            "points": list(position.points),
            "hand": piles["hands"][viewer],
            "hands": [sum(hand) for hand in piles["hands"]],
            "counselor_counts": [len(held) for held in piles["counselors"]],
            "reserve": piles["reserve"],
            "revealed": piles["revealed"],
            "supply": [sum(piles["supply"])],
            "crusade": [sum(piles["crusade"])],
            "offers": position.offers(viewer),
        }


def words(part: list[int], names: tuple[str, ...]) -> list[str]:
    rows = np.array(part).reshape(4, len(names))
    return ["".join(names[i] for i in np.flatnonzero(row)) for row in rows]


def test_every_seat_sees_its_own_offers_alone_in_a_tournament() -> None:
    game, source = load(3, "off", "off"), random.Random(3)
    seen = Counter[str]()
    for _ in range(40):
        state = game.new_initial_state()
        while not state.is_terminal():
            offers = [state.position.offers(viewer) for viewer in range(3)]
            if state.position.node.what == "offer":
                own = [offers[viewer][viewer] for viewer in range(3)]
                told = "all" if offers == [own] * 3 else "own"
                for viewer in range(3):
                    hidden = [0] * 3
                    hidden[viewer] = own[viewer]
                    assert offers[viewer] in (own, hidden)
                seen[told if any(own) else "none"] += 1
            at_random(state, source, 1)
    assert min(seen["all"], seen["own"], seen["none"]) > 10


def test_the_rows_of_the_tensor_are_the_lines_of_the_string() -> None:
    game = load(4, "house", "shuffled")
    observer, source = game.make_py_observer(RECALL), random.Random(4)
    state, seen = game.new_initial_state(), Counter[str]()
    while not state.is_terminal():
        at_random(state, source, 25)
        for viewer in range(4):
            observer.set_from(state, viewer)
            lines = state.information_state_string(viewer).splitlines()[6:]
            rows = observer.dict["labels"].astype(int).tolist()
            assert rows[len(lines) :] == [[0] * game.row_width] * (len(rows) - len(lines))
            for row, line in zip(rows, lines, strict=False):
                label = label_in(row, 4, line.count(","))
                assert richard_labels.line_of(label) == line
                seen["hidden"] += label.edge is None
                seen["found"] += label.found is not None
                seen["hand"] += label.hand is not None
                seen["offers"] += label.offers != ()
    assert min(seen["hidden"], seen["found"], seen["hand"], seen["offers"]) > 0


def label_in(row: list[int], players: int, is_last_offer: bool) -> richard_labels.Label:
    kind, seat, edge, cards, found = row[:5]
    offers, shown, hand = row[5 : 5 + players], row[5 + players], row[6 + players :]
    assert is_last_offer or not any(offers)
    assert shown or not any(hand)
    return richard_labels.Label(
        richard_labels.KINDS[kind - 1],
        seat - 1,
        edge - 1 if edge else None,
        cards,
        found - 1 if found else None,
        tuple(offers) if is_last_offer else (),
        tuple(hand) if shown else None,
    )


# -- resampling ------------------------------------------------------------------------------------


def seeded(seed: int) -> Callable[[], float]:
    return random.Random(seed).random


def hidden_part(state: pyspiel.State) -> str:
    """Where the cards are, and offers that only their owners know."""
    position = state.position
    own = [position.offers(seat)[seat] for seat in range(state.num_players())]
    return f"{position.piles} {own}"


def odds_of(seen: Seen, viewer: int) -> float:
    """Of a history against the others of its set, for the viewer's sampler: every shuffle is fair,
    a card that somebody else gave was any of that hand, and an offer that nobody has seen yet is
    any that can be made.
    """
    odds, secret = 1.0, 1.0
    state = seen.state.get_game().new_initial_state()
    for edge in seen.state.history():
        position = state.position
        node, text = position.node, position.edge_text(edge)
        label = position.label(text, viewer)
        hand = position.piles["hands"][max(node.seat, 0)]
        others = node.seat != viewer
        if state.is_chance_node():
            odds *= dict(state.chance_outcomes())[edge]
        elif node.what == "give" and others:
            odds *= part_of(hand, [text.split()[1].count(colour) for colour in COLOURS])
        elif node.what == "offer" and label.split()[2] == "?":
            secret /= hand[RED] + 1
        if node.what == "offer" and "=" in label:
            secret = 1.0
            odds *= shown_offers(position, label, viewer)
        elif node.what == "offer" and others and label.split()[2] != "?":
            odds *= one_colour(hand, COLOURS.index("y"), int(label.split()[2]))
        state.apply_action(edge)
    return odds * secret


def shown_offers(position: Position, label: str, viewer: int) -> float:
    """Of a tournament. Its offers are shown in order, the caller's first."""
    hands = position.piles["hands"]
    offers = [int(offer) for offer in label.split(" = ")[1].split(",")]
    last, odds = position.node.seat, 1.0
    for i, offer in enumerate(offers):
        seat = (last + 1 + i) % len(hands)
        if seat != viewer:
            odds *= one_colour(hands[seat], RED, offer)
    return odds


def one_colour(hand: list[int], colour: int, cards: int) -> float:
    return part_of(hand, [cards * (i == colour) for i in range(len(COLOURS))])


def part_of(hand: list[int], cards: list[int]) -> float:
    """The chance to draw just these from a hand."""
    ways = math.prod(math.comb(there, taken) for there, taken in zip(hand, cards, strict=True))
    return ways / math.comb(sum(hand), sum(cards))


@pytest.mark.parametrize(("players", "draws"), [(2, 60), (3, 6)])
def test_resampled_states_have_the_odds_of_the_true_ones(players: int, draws: int) -> None:
    """By Pearson's statistic over all information sets together."""
    surprise = freedom = 0.0
    for text, nodes in sets_of(tree(players, "off")).items():
        viewer, source = nodes[0].state.current_player(), random.Random(text)
        odds: dict[str, float] = defaultdict(float)
        for seen in nodes:
            odds[hidden_part(seen.state)] += odds_of(seen, viewer)
        if len(odds) == 1:
            continue
        truth, total = source.choice(nodes).state, sum(odds.values())
        found = Counter(
            hidden_part(truth.resample_from_infostate(viewer, source.random)) for _ in range(draws)
        )
        assert set(found) <= set(odds)
        for part, weight in odds.items():
            expected = draws * weight / total
            assert found[part] > 0 or expected < 15
            surprise += (found[part] - expected) ** 2 / expected
        freedom += len(odds) - 1
    assert freedom > 200
    assert abs(surprise - freedom) < 5 * math.sqrt(2 * freedom)


@pytest.mark.parametrize("players", [2, 3])
def test_resampled_states_look_the_same_and_have_a_true_past(players: int) -> None:
    game = micro(players)
    for text, nodes in sets_of(tree(players, "off")).items():
        viewer, legal = nodes[0].state.current_player(), list(nodes[0].legal)
        histories = [seen.state.history() for seen in nodes]
        for seed in range(4 - players):
            state = nodes[seed % len(nodes)].state.resample_from_infostate(viewer, seeded(seed))
            assert state.information_state_string(viewer) == text
            assert state.current_player() == viewer
            assert state.legal_actions() == legal
            assert state.history() in histories
            assert str(replayed(game, state.history())) == str(state)


@pytest.mark.parametrize("players", [2, 3])
def test_what_is_resampled_does_not_depend_on_the_truth(players: int) -> None:
    for text, nodes in sets_of(tree(players, "off")).items():
        viewer, seed = nodes[0].state.current_player(), random.Random(text).randrange(100)
        states = [seen.state.resample_from_infostate(viewer, seeded(seed)) for seen in nodes]
        assert len({tuple(state.history()) for state in states}) == 1


def test_every_true_history_is_resampled() -> None:
    for nodes in sets_of(tree(2, "off")).values():
        viewer, truth = nodes[0].state.current_player(), nodes[0].state
        wanted = {tuple(seen.state.history()) for seen in nodes}
        found: set[tuple[int, ...]] = set()
        for seed in range(100 if len(nodes) > 1 else 1):
            found.add(tuple(truth.resample_from_infostate(viewer, seeded(seed)).history()))
        assert found == wanted


@pytest.mark.parametrize(("counselors", "events"), [("house", "shuffled"), ("off", "historical")])
def test_resampling_the_whole_game(counselors: str, events: str) -> None:
    game, source = load(4, counselors, events), random.Random(5)
    state, other_cards = game.new_initial_state(), 0
    while not at_random(state, source, 40).is_terminal():
        for viewer in range(4):
            again = state.resample_from_infostate(viewer, seeded(viewer))
            assert again.information_state_string(viewer) == state.information_state_string(viewer)
            assert again.observation_string(viewer) == state.observation_string(viewer)
            assert again.current_player() == state.current_player()
            if viewer == state.current_player():
                assert again.legal_actions() == state.legal_actions()
            assert str(replayed(game, again.history())) == str(again)
            assert str(again.resample_from_infostate(viewer, seeded(viewer))) == str(again)
            other_cards += hidden_part(again) != hidden_part(state)
    assert other_cards > 10


def test_resampling_uses_one_random_number() -> None:
    state, numbers = middle(60), iter([0.25])
    again = state.resample_from_infostate(0, lambda: next(numbers))
    assert str(again) == str(state.resample_from_infostate(0, lambda: 0.25))
    assert str(again) != str(state.resample_from_infostate(0, lambda: 0.75))


def test_nothing_is_resampled_when_all_cards_are_open() -> None:
    state = at_random(micro(2).new_initial_state(), random.Random(1), 100)
    with pytest.raises(ValueError, match="the game is over"):
        state.resample_from_infostate(0, seeded(1))


# -- OpenSpiel's algorithms ------------------------------------------------------------------------


def searcher(game: pyspiel.Game, simulations: int, seed: int) -> ismcts.ISMCTSBot:
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(seed))
    bot = ismcts.ISMCTSBot(
        game, evaluator, 1.4, simulations, random_state=np.random.RandomState(seed + 1)
    )
    luck = random.Random(seed + 2)
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, luck.random))
    return bot


def searched(state: pyspiel.State, simulations: int, moves: int, seed: int) -> list[int]:
    """The history after so many more moves, each searched for, cards at random."""
    bot, source = searcher(state.get_game(), simulations, seed), random.Random(seed)
    while moves and not state.is_terminal():
        if state.is_chance_node():
            at_random(state, source, 1)
        else:
            state.apply_action(bot.step(state))
            moves -= 1
    return list(state.history())


def test_openspiels_ismcts_plays_the_whole_game() -> None:
    played = [searched(middle(45), 12, 4, seed) for seed in (1, 1, 2, 3)]
    assert played[0] == played[1]
    assert len({tuple(history) for history in played}) > 1


@SMALL_TREES
def test_openspiels_ismcts_plays_micro_games_to_the_end(players: int) -> None:
    played = []
    for seed in (1, 1, 2, 3):
        state = micro(players).new_initial_state()
        played.append(searched(state, 25, 100, seed))
        assert state.is_terminal()
        assert any(state.returns())
    assert played[0] == played[1]
    assert len({tuple(history) for history in played}) > 1


def test_openspiels_ismcts_resamples_as_it_does_by_default() -> None:
    game = micro(2)
    state = at_random(game.new_initial_state(), random.Random(2), 2)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(game, evaluator, 1.4, 30, random_state=np.random.RandomState(2))
    assert len(state.legal_actions()) > 1
    assert bot.step(state) in state.legal_actions()


def value(state: pyspiel.State, player: int) -> float:
    """Where only cards are still to come."""
    if state.is_terminal():
        return float(state.returns()[player])
    outcomes = state.chance_outcomes()
    return float(sum(chance * value(state.child(edge), player) for edge, chance in outcomes))


def last_decisions(players: int) -> Iterator[tuple[pyspiel.State, dict[int, float]]]:
    """A state of every set that nobody decides after, and what each move is worth there."""
    for nodes in sets_of(tree(players, "off")).values():
        state = nodes[0].state
        player, node = state.current_player(), state.position.node
        if node.what != "give" or player != players - 1 or len(nodes[0].legal) == 1:
            continue
        odds = [odds_of(seen, player) for seen in nodes]
        yield state, {
            action: sum(
                weight * value(seen.state.child(action), player)
                for weight, seen in zip(odds, nodes, strict=True)
            ) / sum(odds)
            for action in nodes[0].legal
        }  # fmt: skip


def test_openspiels_ismcts_finds_the_best_last_moves() -> None:
    found = 0
    for state, values in last_decisions(2):
        second, best = sorted(values.values())[-2:]
        if best - second > 0.3:
            bot = searcher(state.get_game(), 200, found)
            assert values[bot.step(state)] == best
            found += 1
    assert found == 28


def nash_conv(game: pyspiel.Game, found: policy.Policy) -> float:
    return float(exploitability.nash_conv(game, found))


@pytest.mark.parametrize(
    ("solver", "players", "iterations", "bound"),
    [
        (cfr.CFRSolver, 2, 10, 0.09),  # measured: 0.0845
        (cfr.CFRPlusSolver, 2, 10, 0.026),  # 0.0241
    ],
)
def test_openspiels_cfr_converges(solver: Any, players: int, iterations: int, bound: float) -> None:
    game = micro(players)
    found = solver(game)
    for _ in range(iterations):
        found.evaluate_and_update_policy()
    assert 0 <= nash_conv(game, found.average_policy()) < bound


@pytest.mark.parametrize(
    ("players", "uniform"), [(2, 0.520833), (3, 0.629102)], ids=lambda value: str(value)
)
def test_nash_conv_of_random_play(players: int, uniform: float) -> None:
    game = micro(players)
    assert nash_conv(game, policy.UniformRandomPolicy(game)) == pytest.approx(uniform, abs=1e-5)


@pytest.mark.parametrize(
    ("players", "iterations", "bound"),
    [(2, 300, 0.4), (3, 20, 0.5)],  # 0.52 and 0.63 before
)
def test_openspiels_external_sampling_lowers_nash_conv(
    players: int, iterations: int, bound: float
) -> None:
    game, before = micro(players), np.random.get_state()
    np.random.seed(5)  # what that solver draws from
    try:
        solver = external_sampling_mccfr.ExternalSamplingSolver(game)
        for _ in range(iterations):
            solver.iteration()
    finally:
        np.random.set_state(before)
    assert nash_conv(game, solver.average_policy()) < bound


# -- states from text, and options -----------------------------------------------------------------


@pytest.mark.parametrize("plies", [0, 3, 50, 10_000])
@pytest.mark.parametrize(
    ("players", "counselors", "events", "preset"),
    [(4, "house", "shuffled", "full"), (3, "off", "off", "full"), (2, "off", "off", "micro")],
)
def test_a_state_is_made_from_its_text(
    players: int, counselors: str, events: str, preset: str, plies: int
) -> None:
    game = load(players, counselors, events, preset)
    state = at_random(game.new_initial_state(), random.Random(6), plies)
    again = game.new_initial_state(str(state))
    assert str(again) == str(state)
    assert again.history() == state.history()
    assert again.legal_actions() == state.legal_actions()
    assert again.returns() == state.returns()


def test_a_state_with_files_of_ones_own_is_made_from_its_text() -> None:
    game = load(4, **OWN_FILES)
    state = at_random(game.new_initial_state(), random.Random(6), 60)
    assert str(game.new_initial_state(str(state))) == str(state)


def test_files_of_ones_own_are_played_by() -> None:
    game, house = load(4, **OWN_FILES), load(4, "house", "shuffled")
    state = at_random(game.new_initial_state(), random.Random(6), 150)
    assert replayed(house, state.history()).position.piles == state.position.piles
    _, again = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))
    assert str(again) == str(state)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("game rr\n", "by other rules"),
        ("game richard\nplayers 3\ncounselors off\n", "by other rules"),
        ("game richard\nplayers 4\ncounselors off\nevents shuffled\n", "by other rules"),
        ("game richard\ncounselors off\nseat 0\n", "not a whole game"),
        ("game richard\ncounselors off\n0 deal x\n", "line 3"),
        ("start", "begins with"),
    ],
)
def test_records_of_other_games_are_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        load(4, "off", "off").new_initial_state(text)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"players": 9}, "3 to 8 play"),
        ({"players": 2}, "3 to 8 play"),
        ({"players": 4, "preset": "micro"}, "2 to 3 play the micro game"),
        ({"preset": "tiny"}, "presets are"),
        ({"counselors": "on"}, "counselors are"),
        ({"events": "on"}, "events are"),
    ],
    ids=str,
)
def test_bad_parameters_are_refused(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        pyspiel.load_game("richard_i", options)


def test_unknown_parameters_are_refused() -> None:
    with pytest.raises(pyspiel.SpielError, match="Unknown parameter"):
        pyspiel.load_game("richard_i", {"colour": "red"})
    with pytest.raises(ValueError, match="takes no parameters"):
        micro(2).make_py_observer(RECALL, {"colour": "red"})


def test_an_illegal_action_is_refused() -> None:
    state = middle(50)
    before = str(state)
    for action in set(range(len(ACTIONS))) - set(state.legal_actions()):
        with pytest.raises((pyspiel.SpielError, RuntimeError), match="neither a legal move nor"):
            state.apply_action(action)
    assert str(state) == before


def test_a_clone_goes_its_own_way() -> None:
    state = middle(50)
    before, twin_state = str(state), state.clone()
    at_random(twin_state, random.Random(1), 20)
    assert str(state) == before != str(twin_state)


# -- golden playthroughs ---------------------------------------------------------------------------

GOLDEN = [(2, "house", "shuffled", 2), (2, "off", "off", 8), (3, "off", "off", 9)]


@pytest.mark.parametrize("setting", GOLDEN, ids=str)
def test_golden_playthrough(setting: tuple[int, str, str, int]) -> None:
    """Made by `python -m tests.test_openspiel_richard`."""
    assert playthrough(*setting) == golden_path(*setting).read_text("utf-8")


def golden_path(players: int, counselors: str, events: str, seed: int) -> Path:
    return PLAYTHROUGHS / f"richard_i_micro_{players}_{counselors}_{events}.txt"


def playthrough(players: int, counselors: str, events: str, seed: int) -> str:
    """A random game: what may come and what came, what its players knew, how it ended."""
    state = load(players, counselors, events, "micro").new_initial_state()
    source, lines = random.Random(seed), [f"game: {state.get_game()}"]
    while not state.is_terminal():
        player = state.current_player()
        if state.is_chance_node():
            possible = [
                f"{state.action_to_string(player, action)} {chance:.6f}"
                for action, chance in state.chance_outcomes()
            ]
        else:
            possible = [f"{a} {state.action_to_string(player, a)}" for a in state.legal_actions()]
        who = "chance" if state.is_chance_node() else f"player {player}"
        lines += ["", f"{who}: {', '.join(possible)}"]
        if player >= 0 and len(possible) > 1:
            lines += indented(state.observation_string(player))
        at_random(state, source, 1)
        lines.append(f"-> {state.history()[-1]}")
    lines += ["", f"returns: {' '.join(f'{value:.6f}' for value in state.returns())}"]
    for player in range(players):
        lines += ["", f"player {player} knows"]
        lines += indented(state.information_state_string(player))
    return "\n".join(lines) + "\n"


def indented(text: str) -> list[str]:
    return [f"    {line}" for line in text.splitlines()]


# -- by hand ---------------------------------------------------------------------------------------


def write_playthroughs() -> None:
    for setting in GOLDEN:
        golden_path(*setting).write_text(playthrough(*setting), "utf-8")


def per_second(act: Callable[[], object], seconds: float = 2.0) -> float:
    times, start = 0, time.perf_counter()
    while (spent := time.perf_counter() - start) < seconds:
        act()
        times += 1
    return times / spent


def say_speed() -> None:
    """In the middle of a game of four, with counselors and events."""
    state = middle(150)
    while state.is_chance_node() or len(state.legal_actions()) < 2:
        at_random(state, random.Random(1), 1)
    viewer, luck = state.current_player(), random.Random(1)
    recall = state.get_game().make_py_observer(RECALL)
    acts: dict[str, Callable[[], object]] = {
        "information state strings": lambda: state.information_state_string(viewer),
        "information state tensors": lambda: state.information_state_tensor(viewer),
        "the same in the observer's array": lambda: recall.set_from(state, viewer),
        "observation strings": lambda: state.observation_string(viewer),
        "observation tensors": lambda: state.observation_tensor(viewer),
        "resampled states": lambda: state.resample_from_infostate(viewer, luck.random),
    }
    print(f"after {len(state.history())} moves and cards, a second:")
    for name, act in acts.items():
        print(f"{per_second(act):10,.0f} {name}")
    for name, at in (("whole game", state), ("micro", replayed(micro(2), [4, 5]))):
        bot = searcher(at.get_game(), 20, 1)
        rate = 20 * per_second(lambda bot=bot, at=at: bot.run_search(at))  # type: ignore[misc]
        print(f"{rate:10,.0f} simulations of OpenSpiel's Python ISMCTS, {name}")


if __name__ == "__main__":
    say_speed() if "speed" in sys.argv[1:] else write_playthroughs()
