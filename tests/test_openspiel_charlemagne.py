"""The OpenSpiel game `charlemagne`: OpenSpiel's own tests and algorithms, whole trees, resampling.

`python -m tests.test_openspiel_charlemagne` writes the golden playthroughs anew; with `sizes` it
counts the small games through.

With either farmstead (seats from 0; sets: information sets at which that seat decides):

| game  | histories | terminal | sets             | decisions          | longest |
|-------|-----------|----------|------------------|--------------------|---------|
| micro |     7,841 |    1,783 | 3,077, 1,757     | 3,214, 1,974       |      41 |
| mini  | 3,192,630 |  949,591 | 808,864, 678,452 | 1,099,036, 986,285 |      58 |
"""

from __future__ import annotations

import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, ismcts, mcts

from engines import charlemagne_labels, charlemagne_views
from engines.charlemagne import ACTIONS, FARMSTEADS, KINDS, Position
from engines.openspiel import register
from tests.test_charlemagne_twin import both_of
from tests.test_openspiel_richard import (
    NOW,
    PLAYTHROUGHS,
    RECALL,
    Seen,
    assert_bijection,
    at_random,
    indented,
    nash_conv,
    replayed,
    searched,
    seeded,
    sets_of,
    walk,
)

register()
HEADER = 5  # lines before what was learned


def load(players: int, farmstead: str = "random", preset: str = "full") -> pyspiel.Game:
    options = {"players": players, "farmstead": farmstead, "preset": preset}
    return pyspiel.load_game("charlemagne", options)


def micro() -> pyspiel.Game:
    return load(2, preset="micro")


def middle(plies: int = 150, players: int = 3, seed: int = 1) -> pyspiel.State:
    game = load(players, "choice")
    return at_random(game.new_initial_state(), random.Random(seed), plies)


# -- OpenSpiel's own test --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "farmstead", "preset"),
    [
        (2, "random", "micro"),
        (2, "choice", "micro"),
        (2, "random", "mini"),
        (2, "choice", "mini"),
        (2, "random", "full"),
    ],
)
def test_openspiels_own_simulation_test_passes(players: int, farmstead: str, preset: str) -> None:
    """Of whole games most is copying tensors: with four players it takes half a minute."""
    game, whole = load(players, farmstead, preset), preset == "full"
    sims = 1 if whole else 5
    pyspiel.random_sim_test(game, num_sims=sims, serialize=not whole, verbose=False)


# -- the whole tree of the micro game --------------------------------------------------------------


@cache
def tree() -> tuple[Seen, ...]:
    _, game = both_of(2, preset="micro")
    other: Any = game
    return tuple(walk(micro().new_initial_state(), ((), ()), other))


def test_size_of_the_tree() -> None:
    nodes = tree()
    assert len(nodes) == 7_841
    assert sum(seen.state.is_terminal() for seen in nodes) == 1_783
    movers = Counter(found[0].state.current_player() for found in sets_of(nodes).values())
    assert [movers[seat] for seat in range(2)] == [3_077, 1_757]
    decisions = Counter(seen.state.current_player() for seen in nodes)
    assert [decisions[seat] for seat in range(2)] == [3_214, 1_974]
    assert max(len(seen.state.history()) for seen in nodes) == 41


def test_everything_in_an_information_set_has_the_same_player_and_moves() -> None:
    found: dict[str, tuple[int, int, tuple[int, ...]]] = {}
    shared = 0
    for seen in tree():
        mover = seen.state.current_player()
        for viewer, seat in enumerate(seen.seats):
            facts = viewer, mover, seen.legal if viewer == mover else ()
            shared += seat.text in found
            assert found.setdefault(seat.text, facts) == facts
    assert shared > 1000


def test_nobody_forgets_what_it_knew_and_did() -> None:
    pasts: dict[str, object] = {}
    for seen in tree():
        for seat in seen.seats:
            assert pasts.setdefault(seat.text, seat.past) == seat.past


def test_strings_are_equal_where_keys_are() -> None:
    sets = assert_bijection(
        (seat.text, (viewer, seat.key)) for seen in tree() for viewer, seat in enumerate(seen.seats)
    )
    assert sets < 2 * len(tree())  # some do share one


def test_strings_are_equal_where_the_twin_says_that_the_same_was_learned() -> None:
    assert_bijection(
        (seat.text, (viewer, learned))
        for seen in tree()
        for viewer, (seat, learned) in enumerate(zip(seen.seats, seen.learned, strict=True))
    )


def test_tensors_are_equal_where_strings_are() -> None:
    game = micro()
    for kind in (RECALL, NOW):
        observer = game.make_py_observer(kind)

        def both(observer: Any = observer) -> Iterator[tuple[object, object]]:
            for seen in tree()[::2]:
                for viewer in range(2):
                    observer.set_from(seen.state, viewer)
                    yield observer.string_from(seen.state, viewer), observer.tensor.tobytes()

        assert assert_bijection(both()) > 1000


def test_states_say_what_the_observers_say() -> None:
    game = micro()
    recall, now = game.make_py_observer(RECALL), game.make_py_observer(NOW)
    for seen in tree()[::20]:
        state = seen.state
        for viewer in range(2):
            recall.set_from(state, viewer)
            now.set_from(state, viewer)
            assert state.information_state_tensor(viewer) == recall.tensor.tolist()
            assert state.observation_tensor(viewer) == now.tensor.tolist()
            assert state.information_state_string(viewer) == recall.string_from(state, viewer)
            assert state.observation_string(viewer) == now.string_from(state, viewer)


def test_equal_observations_have_equal_moves() -> None:
    found: dict[str, tuple[int, ...]] = {}
    for seen in tree():
        mover = seen.state.current_player()
        if mover >= 0:
            observation = seen.state.observation_string(mover)
            assert found.setdefault(observation, seen.legal) == seen.legal


def test_chances_and_returns_are_the_engines() -> None:
    for seen in tree():
        state, core = seen.state, Position.start(2, preset="micro").to_core()
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


def test_returns_of_whole_games_are_the_twins() -> None:
    source = random.Random(8)
    for players in (2, 3, 4):
        position, game = both_of(players)
        state = at_random(load(players).new_initial_state(), source, 10_000)
        for edge in state.history():
            game.apply(position.edge_text(edge))
            position = position.play_edge(edge)
        assert state.returns() == pytest.approx(game.returns())
        assert any(state.returns()) or len(game.winners()) == players


# -- what the tensors hold -------------------------------------------------------------------------


@pytest.mark.parametrize("plies", [0, 15, 60, 150, 220, 10_000])
def test_the_parts_of_the_tensor_are_the_view(plies: int) -> None:
    state = middle(plies)
    observer = state.get_game().make_py_observer(NOW)
    for viewer in range(3):
        observer.set_from(state, viewer)
        parts = {name: part.astype(int).tolist() for name, part in observer.dict.items()}
        assert parts == charlemagne_views.view_of(state.position, viewer)
        assert parts["storage"] == state.position.piles["storages"][viewer]
        assert np.flatnonzero(parts["hand"]).tolist() == state.position.piles["hands"][viewer]
        assert parts["points"] == list(state.position.points)


def test_the_rows_of_the_tensor_are_the_lines_of_the_string() -> None:
    game = load(4, "choice")
    observer, source = game.make_py_observer(RECALL), random.Random(4)
    state, seen = game.new_initial_state(), Counter[str]()
    while not state.is_terminal():
        at_random(state, source, 60)
        for viewer in range(4):
            observer.set_from(state, viewer)
            lines = state.information_state_string(viewer).splitlines()[HEADER:]
            rows = observer.dict["labels"].astype(int)
            assert not rows[len(lines) :].any()
            for row, line in zip(rows[: len(lines)].tolist(), lines, strict=True):
                label = label_in(row)
                assert charlemagne_labels.line_of(label) == line
                seen["hidden"] += label.edge is None
                seen["found"] += label.found is not None
                seen["shown"] += label.shown is not None
    assert min(seen["hidden"], seen["found"], seen["shown"]) > 0


def label_in(row: list[int]) -> charlemagne_labels.Label:
    kind, seat, item, edge, found, is_shown, *shown = row
    assert is_shown or not any(shown)
    return charlemagne_labels.Label(
        charlemagne_labels.NODES[kind - 1],
        seat - 1,
        item - 1 if item else None,
        edge - 1 if edge else None,
        bool(found - 1) if found else None,
        tuple(shown) if is_shown else None,
    )


# -- resampling ------------------------------------------------------------------------------------


def hidden_part(state: pyspiel.State) -> str:
    """Where the pieces and cards are."""
    return str(state.position.piles)


def odds_of(seen: Seen) -> float:
    """Of a history against the others of its set: by its chances alone."""
    odds, state = 1.0, seen.state.get_game().new_initial_state()
    for edge in seen.state.history():
        if state.is_chance_node():
            odds *= dict(state.chance_outcomes())[edge]
        state.apply_action(edge)
    return odds


def shared_sets() -> list[tuple[str, list[Seen]]]:
    """Information sets with more than one history."""
    return [(text, nodes) for text, nodes in sets_of(tree()).items() if len(nodes) > 1]


def test_resampled_states_have_the_odds_of_the_true_ones() -> None:
    """By Pearson's statistic over all information sets together."""
    draws, surprise, freedom = 50, 0.0, 0.0
    for text, nodes in shared_sets():
        viewer, source = nodes[0].state.current_player(), random.Random(text)
        odds: dict[str, float] = defaultdict(float)
        for seen in nodes:
            odds[hidden_part(seen.state)] += odds_of(seen)
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
    assert freedom > 100
    assert abs(surprise - freedom) < 5 * (2 * freedom) ** 0.5


def test_resampled_states_look_the_same_and_have_a_true_past() -> None:
    game = micro()
    for text, nodes in [*sets_of(tree()).items()][::6] + shared_sets():
        viewer, legal = nodes[0].state.current_player(), list(nodes[0].legal)
        histories = [seen.state.history() for seen in nodes]
        state = nodes[-1].state.resample_from_infostate(viewer, seeded(1))
        assert state.information_state_string(viewer) == text
        assert state.current_player() == viewer
        assert state.legal_actions() == legal
        assert state.history() in histories
        assert str(replayed(game, state.history())) == str(state)


def test_every_true_history_is_resampled_whatever_the_truth() -> None:
    sets = shared_sets()
    for text, nodes in sets:
        viewer, seed = nodes[0].state.current_player(), random.Random(text).randrange(100)
        wanted = {tuple(seen.state.history()) for seen in nodes}
        found: set[tuple[int, ...]] = set()
        for at in range(seed, seed + 60):
            states = [seen.state.resample_from_infostate(viewer, seeded(at)) for seen in nodes[:2]]
            assert states[0].history() == states[1].history()
            found.add(tuple(states[0].history()))
            if found == wanted:
                break
        assert found == wanted
    assert len(sets) > 100


@pytest.mark.parametrize(("players", "farmstead"), [(2, "random"), (3, "random"), (4, "choice")])
def test_resampling_the_whole_game(players: int, farmstead: str) -> None:
    game, source = load(players, farmstead), random.Random(5)
    state, others = game.new_initial_state(), 0
    while not at_random(state, source, 90).is_terminal():
        for viewer in range(players):
            again = state.resample_from_infostate(viewer, seeded(viewer))
            assert again.information_state_string(viewer) == state.information_state_string(viewer)
            assert again.observation_string(viewer) == state.observation_string(viewer)
            assert again.current_player() == state.current_player()
            if viewer == state.current_player():
                assert again.legal_actions() == state.legal_actions()
            assert str(again.resample_from_infostate(viewer, seeded(viewer))) == str(again)
            others += hidden_part(again) != hidden_part(state)
    assert others > 2


def test_resampling_uses_one_random_number() -> None:
    state, numbers = middle(100), iter([0.25])
    again = state.resample_from_infostate(0, lambda: next(numbers))
    assert str(again) == str(state.resample_from_infostate(0, lambda: 0.25))
    assert str(again) != str(state.resample_from_infostate(0, lambda: 0.75))


def test_nothing_is_resampled_when_the_game_is_over() -> None:
    state = at_random(micro().new_initial_state(), random.Random(1), 100)
    with pytest.raises(ValueError, match="the game is over"):
        state.resample_from_infostate(0, seeded(1))


# -- OpenSpiel's algorithms ------------------------------------------------------------------------


def test_openspiels_ismcts_plays_the_whole_game() -> None:
    played = [searched(middle(60), 4, 3, seed) for seed in (1, 1, 2, 3)]
    assert played[0] == played[1]
    assert len({tuple(history) for history in played}) > 1


def test_openspiels_ismcts_plays_micro_games_to_the_end() -> None:
    played = []
    for seed in (1, 1, 2, 3):
        state = micro().new_initial_state()
        played.append(searched(state, 20, 100, seed))
        assert state.is_terminal()
    assert played[0] == played[1]
    assert len({tuple(history) for history in played}) > 1


def test_openspiels_ismcts_resamples_as_it_does_by_default() -> None:
    state = micro().new_initial_state()
    while state.is_chance_node():
        at_random(state, random.Random(2), 1)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = ismcts.ISMCTSBot(micro(), evaluator, 1.4, 30, random_state=np.random.RandomState(2))
    assert len(state.legal_actions()) > 1
    assert bot.step(state) in state.legal_actions()


@cache
def uniform() -> float:
    return nash_conv(micro(), policy.UniformRandomPolicy(micro()))


def test_nash_conv_of_random_play() -> None:
    assert uniform() == pytest.approx(1.433160, abs=1e-5)


def test_openspiels_cfr_converges() -> None:
    game = micro()
    solver = cfr.CFRPlusSolver(game)
    for _ in range(4):  # 0.636 after two of them, 0.128 after six
        solver.evaluate_and_update_policy()
    assert 0 <= nash_conv(game, solver.average_policy()) < 0.27


# -- states from text, and options -----------------------------------------------------------------


@pytest.mark.parametrize("plies", [0, 3, 100, 10_000])
@pytest.mark.parametrize(
    ("players", "farmstead", "preset"),
    [(4, "choice", "full"), (2, "random", "full"), (2, "random", "micro")],
)
def test_a_state_is_made_from_its_text(
    players: int, farmstead: str, preset: str, plies: int
) -> None:
    game = load(players, farmstead, preset)
    state = at_random(game.new_initial_state(), random.Random(6), plies)
    again = game.new_initial_state(str(state))
    assert str(again) == str(state)
    assert again.history() == state.history()
    assert again.legal_actions() == state.legal_actions()
    assert again.returns() == state.returns()


def test_states_are_serialized() -> None:
    state = middle(150)
    text = pyspiel.serialize_game_and_state(state.get_game(), state)
    _, again = pyspiel.deserialize_game_and_state(text)
    assert str(again) == str(state)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("game rr\n", "by other rules"),
        ("game richard\nplayers 4\n", "by other rules"),
        ("game charlemagne\nplayers 3\n", "by other rules"),
        ("game charlemagne\nplayers 4\nfarmstead choice\n", "by other rules"),
        ("game charlemagne\nplayers 4\nseat 0\n", "not a whole game"),
        ("game charlemagne\nplayers 4\n0 start x\n", "line 3"),
        ("start", "begins with"),
    ],
)
def test_records_of_other_games_are_refused(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        load(4).new_initial_state(text)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"players": 5}, "2 to 4 play"),
        ({"players": 1}, "2 to 4 play"),
        ({"players": 3, "preset": "micro"}, "2 play the micro game"),
        ({"preset": "tiny"}, "presets are"),
        ({"farmstead": "none"}, "farmstead is one of"),
    ],
    ids=str,
)
def test_bad_parameters_are_refused(options: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        pyspiel.load_game("charlemagne", options)


def test_unknown_parameters_are_refused() -> None:
    with pytest.raises(pyspiel.SpielError, match="Unknown parameter"):
        pyspiel.load_game("charlemagne", {"colour": "red"})
    with pytest.raises(ValueError, match="takes no parameters"):
        micro().make_py_observer(RECALL, {"colour": "red"})


def test_an_illegal_action_is_refused() -> None:
    state = middle(150)
    while state.is_chance_node():
        at_random(state, random.Random(1), 1)
    before = str(state)
    for action in set(range(len(ACTIONS))) - set(state.legal_actions()):
        with pytest.raises((pyspiel.SpielError, RuntimeError), match="neither a legal move nor"):
            state.apply_action(action)
    assert str(state) == before


def test_a_clone_goes_its_own_way() -> None:
    state = middle(50)
    before, other = str(state), state.clone()
    at_random(other, random.Random(1), 20)
    assert str(state) == before != str(other)


def test_actions_and_outcomes_have_the_texts_of_the_game() -> None:
    state = load(2).new_initial_state()
    assert state.action_to_string(state.current_player(), 3) == f"{KINDS[0]}3"
    while state.is_chance_node():
        at_random(state, random.Random(1), 1)
    player = state.current_player()
    for action in state.legal_actions():
        assert state.action_to_string(player, action) == ACTIONS[action]
        assert state.string_to_action(ACTIONS[action]) == action


# -- golden playthroughs ---------------------------------------------------------------------------

GOLDEN = [(2, farmstead, "micro", seed) for farmstead, seed in zip(FARMSTEADS, (8, 9), strict=True)]


@pytest.mark.parametrize("setting", GOLDEN, ids=str)
def test_golden_playthrough(setting: tuple[int, str, str, int]) -> None:
    """Made by `python -m tests.test_openspiel_charlemagne`."""
    assert playthrough(*setting) == golden_path(*setting).read_text("utf-8")


def golden_path(players: int, farmstead: str, preset: str, seed: int) -> Path:
    return PLAYTHROUGHS / f"charlemagne_{preset}_{players}_{farmstead}.txt"


def playthrough(players: int, farmstead: str, preset: str, seed: int) -> str:
    """A random game: what may come and what came, what its players knew, how it ended."""
    state = load(players, farmstead, preset).new_initial_state()
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
        lines += ["", f"player {player} knows", *indented(state.information_state_string(player))]
    return "\n".join(lines) + "\n"


# -- by hand ---------------------------------------------------------------------------------------


def write_playthroughs() -> None:
    for setting in GOLDEN:
        golden_path(*setting).write_text(playthrough(*setting), "utf-8")


def say_sizes() -> None:
    for preset in ("micro", "mini"):
        for farmstead in FARMSTEADS:
            print(f"{preset} {farmstead}: {size_of(preset, farmstead)}")


def size_of(preset: str, farmstead: str) -> str:
    """By the keys of information sets."""
    start = Position.start(2, farmstead, preset=preset).to_core(log=True)
    left, histories, terminal, longest = [(start, 0)], 0, 0, 0
    sets: tuple[set[int], set[int]] = (set(), set())
    decisions = Counter[int]()
    while left:
        state, depth = left.pop()
        histories, longest = histories + 1, max(longest, depth)
        moves = state.legal_actions()
        edges = moves or [edge for edge, _ in state.outcomes()]
        terminal += not edges
        if moves:
            seat = state.node()[1]
            sets[seat].add(state.key(seat))
            decisions[seat] += 1
        for edge in edges:
            after = state.copy(True)
            after.play(edge)
            left.append((after, depth + 1))
    return (
        f"{histories:,} histories, {terminal:,} terminal, sets {[len(s) for s in sets]},"
        f" decisions {[decisions[seat] for seat in range(2)]}, longest {longest}"
    )


if __name__ == "__main__":
    say_sizes() if "sizes" in sys.argv[1:] else write_playthroughs()
