"""RR: the compiled core against the slow twin, and the search against itself without its table.

All samples are seeded: every run asks the same questions.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random

import pytest

from cython_core.rr_search import Search, Transpositions
from engines.rr import EMPTY, FACE_DOWN, Position, Rules
from solvers.exact import Solver
from tests.reference import rr as twin
from tests.test_rr_laws import study, walk

VARIANTS = [pytest.param(rules, id=f"{rules.queen}-{rules.ending}") for rules in Rules.variants()]


def twin_rules(rules: Rules) -> twin.Rules:
    return twin.Rules(
        "adjacent" if rules.queen == "adjacent" else "ray",
        "occupied" if rules.ending == "occupied" else "face-up",
    )


def cards_in_hand(position: Position) -> int:
    return sum(map(len, position.hands))


def squares_to_fill(position: Position) -> int:
    cells = position.setup.cells
    return 0 if position.over else cells.count(EMPTY) + cells.count(FACE_DOWN)


# Games


def agree(position: Position) -> twin.State:
    """What the twin says of the same text: the same in everything."""
    state, rules = twin.parse(str(position)), twin_rules(position.rules)
    assert twin.format_state(state) == str(position)
    assert list(position.legal_moves()) == twin.legal(state, rules)
    assert position.over == twin.finished(state, rules)
    assert position.margin == twin.margin(state)
    assert twin.problems(state, rules) == []
    return state


def play_a_game(position: Position, luck: Random, looks_aside: int) -> None:
    """Step by step to the end. The twin plays on from its own states, not from the core's."""
    rules = twin_rules(position.rules)
    state = agree(position)
    while not position.over:
        moves = position.legal_moves()
        for move in luck.sample(moves, min(looks_aside, len(moves))):
            played = twin.format_state(twin.play(state, move, rules))
            assert str(position.play(move)) == played
        move = luck.choice(moves)
        position, state = position.play(move), twin.play(state, move, rules)
        assert agree(position) == state


@pytest.mark.parametrize("rules", VARIANTS)
def test_games_from_the_start_go_the_same_way(rules: Rules) -> None:
    luck = Random(1)
    for _ in range(100):
        play_a_game(Position.start(rules), luck, looks_aside=3)


@pytest.mark.parametrize("rules", VARIANTS)
def test_games_from_positions_set_up_by_hand_go_the_same_way(rules: Rules) -> None:
    luck = Random(2)
    for _ in range(200):
        play_a_game(study(luck.choice, rules, most_cards=14), luck, looks_aside=3)


@pytest.mark.parametrize("rules", VARIANTS)
def test_every_move_of_late_positions_leads_to_the_same_position(rules: Rules) -> None:
    luck = Random(3)
    for _ in range(300):
        position = study(luck.choice, rules, most_cards=6, most_to_fill=3)
        state = twin.parse(str(position))
        for move in position.legal_moves():
            after = twin.play(state, move, twin_rules(rules))
            assert str(position.play(move)) == twin.format_state(after)


# Values


def late_in_random_games(luck: Random, rules: Rules, most_cards: int) -> Iterator[Position]:
    """Positions of random games, each once, with at least one move and so few cards in hand."""
    seen: set[Position] = set()
    while True:
        for position in walk(luck.choice, rules):
            late = not position.over and cards_in_hand(position) <= most_cards
            if late and position not in seen:
                seen.add(position)
                yield position


def set_up_by_hand(
    luck: Random, rules: Rules, most_cards: int, least_to_fill: int, most_to_fill: int
) -> Iterator[Position]:
    while True:
        position = study(luck.choice, rules, most_cards, most_to_fill)
        if squares_to_fill(position) >= least_to_fill:
            yield position


def sample(rules: Rules) -> list[Position]:
    """500 positions with five cards in hand at most; the twin needs seconds for four squares."""
    luck = Random(4)
    return [
        *islice(late_in_random_games(luck, rules, 5), 250),
        *islice(set_up_by_hand(luck, rules, 5, 1, 3), 170),
        *islice(set_up_by_hand(luck, rules, 5, 3, 3), 30),
        *islice(set_up_by_hand(luck, rules, 4, 2, 4), 50),
    ]


@pytest.mark.parametrize("rules", VARIANTS)
def test_values_and_best_moves_are_those_of_plain_minimax(rules: Rules) -> None:
    memo: dict[twin.State, int] = {}
    solver = Solver()
    positions = sample(rules)
    assert len(positions) == 500
    for position in positions:
        expected = twin.move_values(twin.parse(str(position)), twin_rules(rules), memo)
        best = max(expected.values())
        solution = solver.solve(position)
        assert solution.moves == expected
        assert solution.value == best
        assert solution.best == tuple(sorted(m for m in expected if expected[m] == best))


@pytest.mark.parametrize("rules", VARIANTS)
def test_a_value_with_a_table_is_that_without_one(rules: Rules) -> None:
    luck = Random(5)
    plain = Search(rules.new_core())
    # One holds all; in the other two nearly every entry is soon overwritten.
    searches = [Search(rules.new_core(), Transpositions(bits)) for bits in (18, 8, 1)]
    positions = [
        *islice(late_in_random_games(luck, rules, 7), 200),
        *islice(set_up_by_hand(luck, rules, 7, 1, 7), 200),
        *islice(set_up_by_hand(luck, rules, 7, 4, 7), 100),
    ]
    assert len(positions) == 500
    for position in positions:
        game = position.to_core()
        value = plain.value(game)
        assert value is not None
        assert [search.value(game) for search in searches] == [value] * len(searches)


@pytest.mark.parametrize("rules", VARIANTS)
def test_values_of_positions_with_more_cards_agree_with_and_without_a_table(rules: Rules) -> None:
    luck = Random(6)
    for position in islice(set_up_by_hand(luck, rules, 9, 5, 6), 12):
        game = position.to_core()
        search = Search(game, Transpositions(16))
        plain = Search(game)
        for action in game.legal_actions()[::20]:
            assert search.move_value(game, action) == plain.move_value(game, action)
        assert search.value(game) == plain.value(game)


def test_the_table_saves_nodes_and_a_second_question_costs_one() -> None:
    position = next(set_up_by_hand(Random(7), Rules(), 7, 6, 7))
    game = position.to_core()
    plain, search = Search(game), Search(game, Transpositions(16))
    assert plain.value(game) == search.value(game)
    assert search.nodes < plain.nodes
    before = search.nodes
    assert search.value(game) == plain.value(game)
    assert search.nodes == before + 1
