"""The OpenSpiel game `rr`: OpenSpiel's own tests, its algorithms, and its minimax against ours."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import generate_playthrough, minimax

from engines.openspiel import register
from engines.rr import LETTERS, Position, Rules
from solvers.exact import Solver
from solvers.strong import StrongSolver

register()
PLAYTHROUGHS = Path(__file__).parent / "playthroughs"
VARIANTS = [pytest.param(rules, id=f"{rules.queen},{rules.ending}") for rules in Rules.variants()]
MIDDLE = "tQC/K.p/.mG b PMT kqg"
POSITIONS_A_VARIANT = 500  # with at most four cards in hand


def load(rules: Rules) -> pyspiel.Game:
    return pyspiel.load_game("rr", {"queen": rules.queen, "ending": rules.ending})


def late_position(rules: Rules, source: random.Random) -> Position:
    while True:
        position = Position.start(rules)
        while not position.over and sum(map(len, position.hands)) > 4:
            position = position.play(source.choice(position.legal_actions()))
        if not position.over:
            return position


def test_registering_twice_does_no_harm() -> None:
    assert register() == register() == ("rr", "richard_i", "charlemagne")


@pytest.mark.parametrize("rules", VARIANTS)
def test_openspiels_own_simulation_test_passes(rules: Rules) -> None:
    pyspiel.random_sim_test(load(rules), num_sims=30, serialize=True, verbose=False)


@pytest.mark.parametrize("rules", VARIANTS)
def test_values_equal_openspiels_minimax(rules: Rules, cache: Path) -> None:
    game, source = load(rules), random.Random(11)
    solver = StrongSolver(cache)
    for _ in range(POSITIONS_A_VARIANT):
        position = late_position(rules, source)
        state = game.new_initial_state(str(position))
        value, _ = minimax.alpha_beta_search(
            game, state=state, maximum_depth=15, maximizing_player_id=int(position.side)
        )
        assert value == solver.solve(position).value, position


@pytest.mark.parametrize("rules", VARIANTS)
def test_a_random_game_is_the_same_on_both_sides_of_the_border(rules: Rules) -> None:
    source = random.Random(12)
    for _ in range(20):
        state, position = load(rules).new_initial_state(), Position.start(rules)
        while not state.is_terminal():
            assert state.current_player() == position.side
            assert state.legal_actions() == position.legal_actions()
            assert state.returns() == [0.0, 0.0]
            action = source.choice(state.legal_actions())
            assert state.action_to_string(action) == position.format_move(action)
            state.apply_action(action)
            position = position.play(action)
            assert str(state) == str(position)
        assert position.over
        assert state.returns()[position.side] == position.margin
        assert sum(state.returns()) == 0


def test_a_clone_goes_its_own_way() -> None:
    state = load(Rules()).new_initial_state()
    twin = state.clone()
    twin.apply_action(twin.legal_actions()[0])
    assert str(state) != str(twin)
    assert str(state) == str(Position.start())


def test_information_strings_tell_first_positions_apart() -> None:
    game = load(Rules())
    start, middle = game.new_initial_state(), game.new_initial_state(MIDDLE)
    assert start.information_state_string(0) != middle.information_state_string(0)


def test_an_illegal_action_is_refused() -> None:
    state = load(Rules()).new_initial_state()
    with pytest.raises((pyspiel.SpielError, RuntimeError), match="not legal"):
        state.apply_action(1)
    assert str(state) == str(Position.start())


def test_the_tensor_says_what_the_position_says() -> None:
    game = load(Rules())
    state = game.new_initial_state(MIDDLE)
    observer = game.make_py_observer()
    observer.set_from(state, 0)
    board = observer.dict["board"].reshape(4, 9)
    cells = "".join(
        "#" if down else "." if not up + low else "T" if castle and up else "t" if castle else
        "X" if up else "x"
        for up, low, castle, down in board.T
    )  # fmt: skip
    kinds = str.maketrans(dict.fromkeys("CKQPMGW", "X") | dict.fromkeys("ckqpmgw", "x"))
    assert cells == Position.parse(MIDDLE).cells.translate(kinds)
    hands = [{LETTERS[card] for card in np.flatnonzero(hand)} for hand in observer.dict["hands"]]
    assert hands == [set("PMT"), set("KQG")]
    assert observer.dict["to_move"].tolist() == [0, 1]
    assert game.observation_tensor_size() == observer.tensor.size == 54
    assert np.array_equal(state.observation_tensor(1), observer.tensor)


@pytest.mark.parametrize("rules", VARIANTS)
def test_golden_playthrough(rules: Rules) -> None:
    """Made by `python -m tests.test_openspiel_rr`."""
    name = f"rr_{rules.queen}_{rules.ending}.txt"
    golden = (PLAYTHROUGHS / name).read_text("utf-8")
    assert playthrough(rules) == golden


def playthrough(rules: Rules) -> str:
    game = f"rr(queen={rules.queen},ending={rules.ending})"
    source, position, actions = random.Random(13), Position.start(rules), []
    while not position.over:
        actions.append(source.choice(position.legal_actions()))
        position = position.play(actions[-1])
    text: str = generate_playthrough.playthrough(game, actions)
    return text.rstrip("\n") + "\n"


def test_openspiels_tree_search_finds_a_best_move() -> None:
    text = "tQC/KGp/.mG r PMT kq"
    game = load(Rules())
    state = game.new_initial_state(text)
    evaluator = pyspiel.RandomRolloutEvaluator(4, 7)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 2_000, 100, True, 7, False)
    found = state.action_to_string(bot.mcts_search(state).best_child().action)
    best = Solver().solve(Position.parse(text)).best
    assert len(best) < len(state.legal_actions())
    assert found in best


def test_openspiel_plays_whole_games_between_bots() -> None:
    game = load(Rules())
    bots = [pyspiel.make_uniform_random_bot(seat, 20 + seat) for seat in range(2)]
    returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, 3)
    assert returns[0] == -returns[1] != 0


def main() -> None:
    """Write the golden playthroughs anew."""
    PLAYTHROUGHS.mkdir(exist_ok=True)
    for rules in Rules.variants():
        path = PLAYTHROUGHS / f"rr_{rules.queen}_{rules.ending}.txt"
        path.write_text(playthrough(rules), "utf-8")


if __name__ == "__main__":
    main()
