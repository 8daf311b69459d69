"""RR: laws that hold in every position, and the random positions that the other tests share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Protocol, TypeVar

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from cython_core import rr as core
from cython_core.errors import IllegalMove, NotationError
from cython_core.game import perft
from cython_core.rr_search import Search, Transpositions
from engines.rr import (
    DIRECTIONS,
    EMPTY,
    FACE_DOWN,
    LETTERS,
    SQUARES,
    Position,
    Rules,
    Setup,
    Side,
    move_texts,
    validate,
)
from solvers.exact import Solver

T = TypeVar("T")
MOST_PLIES = 15  # one a card


def examples(number: int) -> settings:
    """How many random cases a law is tried on, however long one takes."""
    return settings(
        max_examples=number, deadline=None, suppress_health_check=[HealthCheck.too_slow]
    )


# Random positions. Whoever chooses may be Hypothesis or a seeded generator.


class Choose(Protocol):
    """Picks one of some options."""

    def __call__(self, options: Sequence[T], /) -> T: ...


def walk(choose: Choose, rules: Rules, plies: int = MOST_PLIES) -> list[Position]:
    """Every position on a way of chosen moves, from the start so many plies on or to the end."""
    way = [Position.start(rules)]
    while len(way) <= plies and not way[-1].over:
        way.append(way[-1].play(choose(way[-1].legal_moves())))
    return way


def study(choose: Choose, rules: Rules, most_cards: int, most_to_fill: int = 9) -> Position:
    """A consistent position as one sets it up by hand, with so many cards in both hands at most.

    Squares left to fill are as few as none: then it is a finished game.
    """
    side = choose(tuple(Side))
    hands = ["", ""]
    cards = choose(range(1, most_cards + 1))
    for n in range(cards):
        holder = side if n % 2 == 0 else side.other
        hands[holder] += choose([card for card in "KQPMGWT" if card not in hands[holder]])
    others = sum(card not in "KGW" for hand in hands for card in hand)
    # There are 15 cards, so a board with many of them in hand has empty squares.
    to_fill = choose(range(max(0, cards - 6), max(cards - 6, min(others, most_to_fill)) + 1))
    down = int(to_fill > 1 and choose((False, True)))
    cells = EMPTY * (to_fill - down) + FACE_DOWN * down
    while len(cells) < 9:
        cells += choose(_figures_that_fit(cells, hands))
    places = list(range(9))
    cells = "".join(cells[places.pop(choose(range(len(places))))] for _ in range(9))
    return Position(Setup(cells, side, hands[0], hands[1].lower()), rules)


def _figures_that_fit(cells: str, hands: Sequence[str]) -> list[str]:
    seen = Counter((cells + hands[0] + hands[1]).upper())
    turnable = [card for card in "CKQPMGW" if seen[card] < (1 if card == "C" else 2)]
    castles = [
        castle
        for castle, hand in zip("Tt", hands, strict=True)
        if castle not in cells and "T" not in hand
    ]
    return turnable + [card.lower() for card in turnable] + castles


def chooser(draw: st.DrawFn) -> Choose:
    def choose(options: Sequence[T], /) -> T:
        return draw(st.sampled_from(options))

    return choose


all_rules = st.sampled_from(Rules.variants())


@st.composite
def ways(draw: st.DrawFn, plies: int = MOST_PLIES) -> list[Position]:
    return walk(chooser(draw), draw(all_rules), plies)


@st.composite
def reachable(draw: st.DrawFn) -> Position:
    return walk(chooser(draw), draw(all_rules), draw(st.integers(0, MOST_PLIES)))[-1]


@st.composite
def studies(
    draw: st.DrawFn,
    most_cards: int = 14,
    most_to_fill: int = 9,
    rules: st.SearchStrategy[Rules] = all_rules,
) -> Position:
    return study(chooser(draw), draw(rules), most_cards, most_to_fill)


positions = reachable() | studies()
small_studies = studies(most_cards=4, most_to_fill=3)


def value_of(position: Position) -> int:
    """The exact value by alpha-beta alone: no table, no symmetry."""
    game = position.to_core()
    value = Search(game).value(game)
    assert value is not None
    return value


def core_of(setup: Setup, rules: Rules) -> core.RR:
    game = rules.new_core()
    game.setup(setup.cells, setup.side, setup.regality, setup.religion)
    return game


# Moves


def succeeds(play: Callable[[T], object], move: T) -> bool:
    try:
        play(move)
    except (IllegalMove, NotationError):
        return False
    return True


@given(positions)
@examples(60)
def test_an_action_is_legal_exactly_when_it_can_be_played(position: Position) -> None:
    legal = position.to_core().legal_actions()
    assert legal == [a for a in range(core.ACTION_COUNT) if succeeds(position.play, a)]
    assert position.legal_moves() == tuple(sorted(position.format_move(a) for a in legal))


@given(positions)
@examples(40)
def test_a_core_refuses_an_illegal_action_and_stays_as_it_was(position: Position) -> None:
    game, untouched = position.to_core(), position.to_core()
    for action in set(range(-1, core.ACTION_COUNT + 1)) - set(game.legal_actions()):
        with pytest.raises(IllegalMove):
            game.play(action)
    assert (game.key, game.cells, game.hands, game.to_move) == (
        untouched.key,
        untouched.cells,
        untouched.hands,
        untouched.to_move,
    )


@given(positions, st.integers())
@examples(60)
def test_an_integer_that_is_no_action_is_an_illegal_move(position: Position, action: int) -> None:
    assume(not 0 <= action < core.ACTION_COUNT)
    with pytest.raises(IllegalMove):
        position.play(action)


@given(positions)
@examples(30)
def test_a_move_text_is_legal_exactly_when_it_can_be_played(position: Position) -> None:
    texts = {text for rules in Rules.variants() for text in move_texts(rules)}
    assert (
        tuple(text for text in sorted(texts) if succeeds(position.play, text))
        == position.legal_moves()
    )


@given(positions, st.data())
@examples(200)
def test_a_mangled_move_text_is_legal_exactly_when_it_can_be_played(
    position: Position, data: st.DataObject
) -> None:
    text = data.draw(st.sampled_from(position.legal_moves() or ("Ca1",)))
    at = data.draw(st.integers(0, len(text)))
    cut = data.draw(st.integers(0, 2))
    patch = data.draw(st.text("CKQPMGWTabc123x~nesodwl ", max_size=2))
    mangled = text[:at] + patch + text[at + cut :]
    assert succeeds(position.play, mangled) == (mangled in position.legal_moves())


@given(positions)
@examples(60)
def test_an_effect_is_a_move_only_next_to_the_same_move_without(position: Position) -> None:
    moves = position.legal_moves()
    assert {move[:3] for move in moves} == {move for move in moves if len(move) == 3}


@given(positions)
@examples(30)
def test_no_two_moves_lead_to_the_same_position(position: Position) -> None:
    children = {position.play(move) for move in position.legal_moves()}
    assert len(children) == len(position.legal_moves())


# Cards and plies


def cards_in(position: Position) -> Counter[str]:
    """The cards in hands and face up on the board."""
    setup = position.setup
    everything = setup.cells + setup.regality + setup.religion
    return Counter(card for card in everything.upper() if card in LETTERS)


@given(st.data(), all_rules)
@examples(60)
def test_cards_are_conserved_less_those_banished(data: st.DataObject, rules: Rules) -> None:
    position = Position.start(rules)
    cards = cards_in(position)
    assert cards.total() == MOST_PLIES
    while not position.over:
        move = data.draw(st.sampled_from(position.legal_moves()))
        if "x" in move:
            cards[position.setup.cells[SQUARES.index(move[4:])].upper()] -= 1
        position = position.play(move)
        assert cards_in(position) == +cards


@given(ways())
@examples(60)
def test_a_game_takes_nine_plies_and_one_for_each_refilled_square(way: list[Position]) -> None:
    end = way[-1]
    refilled = MOST_PLIES - cards_in(end).total() - end.setup.cells.count(FACE_DOWN)
    assert end.over
    assert len(way) - 1 == 9 + refilled <= MOST_PLIES


@given(ways())
@examples(60)
def test_the_sides_alternate(way: list[Position]) -> None:
    assert [position.side for position in way] == [Side(n % 2) for n in range(len(way))]


@given(ways())
@examples(60)
def test_each_turn_takes_one_card_from_the_hand_of_the_side_to_move(way: list[Position]) -> None:
    for before, after in pairwise(way):
        assert len(after.hands[before.side]) == len(before.hands[before.side]) - 1
        assert set(after.hands[before.side]) < set(before.hands[before.side])
        assert after.hands[before.side.other] == before.hands[before.side.other]


# States


@given(ways())
@examples(60)
def test_every_position_on_the_way_validates_clean(way: list[Position]) -> None:
    for position in way:
        assert validate(position.setup, position.rules) == {}


@given(ways())
@examples(60)
def test_a_position_reached_equals_the_same_one_set_up(way: list[Position]) -> None:
    for reached in way:
        placed = Position(reached.setup, reached.rules)
        assert placed == reached
        assert placed.to_core().key == reached.to_core().key
        assert placed.legal_moves() == reached.legal_moves()
        assert (placed.over, placed.margin) == (reached.over, reached.margin)


@given(positions)
@examples(60)
def test_copies_are_independent(position: Position) -> None:
    original = position.to_core()
    copy = original.copy()
    before = (original.key, original.cells, original.hands, original.to_move)
    for action in original.legal_actions()[-1:]:
        copy.play(action)
        assert (original.key, original.cells, original.hands, original.to_move) == before
        assert copy.key != original.key
        original.play(action)
    assert (copy.key, copy.cells, copy.hands) == (original.key, original.cells, original.hands)


@given(positions)
@examples(60)
def test_a_game_is_over_exactly_when_there_is_no_move(position: Position) -> None:
    assert position.over == (position.legal_moves() == ())
    assert position.over == (EMPTY not in position.setup.cells)


@given(positions)
@examples(100)
def test_the_winner_is_the_side_ahead_once_the_game_is_over(position: Position) -> None:
    faces = position.setup.cells
    lead = sum(map(str.isupper, faces)) - sum(map(str.islower, faces))
    assert position.margin == (lead if position.side == Side.REGALITY else -lead)
    ahead = {1: Side.REGALITY, -1: Side.RELIGION, 0: None}[(lead > 0) - (lead < 0)]
    assert position.winner == (ahead if position.over else None)


def sight(setup: Setup) -> tuple[object, ...]:
    """What the rules see: the squares as the side to move sees them, and both hands."""
    mine = str.isupper if setup.side == Side.REGALITY else str.islower
    squares = [
        cell if cell in (EMPTY, FACE_DOWN) else (mine(cell), cell in "Tt") for cell in setup.cells
    ]
    hands = (setup.regality, setup.religion.upper())
    return (*squares, hands[setup.side], hands[setup.side.other])


@given(positions, st.permutations(range(9)))
@examples(60)
def test_core_keys_are_equal_exactly_when_the_rules_see_the_same(
    position: Position, order: list[int]
) -> None:
    setups = [position.setup] + [position.play(move).setup for move in position.legal_moves()]
    setups += [swap_colours(setup) for setup in setups[:20]]
    setups += [shuffle_figures(setup, order) for setup in setups[:20]]
    pairs = {(sight(setup), core_of(setup, position.rules).key) for setup in setups}
    assert len(pairs) == len({seen for seen, _ in pairs}) == len({key for _, key in pairs})


def shuffle_figures(setup: Setup, order: Sequence[int]) -> Setup:
    """The same facings with the figures, Castles too, dealt to the squares in another order."""
    taken = [i for i in range(9) if setup.cells[i].isalpha()]
    deal = dict(zip(taken, sorted(taken, key=order.index), strict=True))
    cells = list(setup.cells)
    for i in taken:
        figure = setup.cells[deal[i]]
        cells[i] = figure.upper() if cells[i].isupper() else figure.lower()
    return Setup("".join(cells), setup.side, setup.regality, setup.religion)


def test_a_new_core_is_the_start() -> None:
    for rules in Rules.variants():
        assert rules.new_core().key == Position.start(rules).to_core().key
        assert rules.new_core().legal_actions() == Position.start(rules).to_core().legal_actions()


@pytest.mark.parametrize(
    ("cells", "side", "regality", "religion"),
    [
        ("TTTTTTTT.", 2, "K", "k"),
        ("TTTTTTTT.", -1, "K", "k"),
        ("TTTTTTTT", 0, "K", "k"),
        ("TTTTTTTT..", 0, "K", "k"),
        ("TTTTTTTTX", 0, "K", "k"),
        ("TTTTTTTT/", 0, "K", "k"),
        ("TTTTTTTT.", 0, "KX", "k"),
        ("TTTTTTTT.", 0, "K", "k-"),
    ],
)
def test_a_core_refuses_a_foreign_alphabet_and_stays_as_it_was(
    cells: str, side: int, regality: str, religion: str
) -> None:
    game = Position.parse("kpC/w.g/... r QM mt").to_core()
    before = (game.key, game.cells, game.hands, game.to_move)
    with pytest.raises(ValueError, match=r".+"):
        game.setup(cells, side, regality, religion)
    assert (game.key, game.cells, game.hands, game.to_move) == before


# Symmetry


def turned(which: int, x: int, y: int) -> tuple[int, int]:
    """One of the eight symmetries of the square, about its centre."""
    x = -x if which & 1 else x
    y = -y if which & 2 else y
    return (y, x) if which & 4 else (x, y)


SQUARE_AT = {(i % 3 - 1, i // 3 - 1): name for i, name in enumerate(SQUARES)}
DIRECTION_AT = dict(
    zip(
        [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)],
        DIRECTIONS,
        strict=True,
    )
)
IMAGES = [
    {
        name: names[turned(which, *at)]
        for names in (SQUARE_AT, DIRECTION_AT)
        for at, name in names.items()
    }
    for which in range(8)
]


def image_of_move(which: int, move: str) -> str:
    effect = move[4:]
    return move[0] + IMAGES[which][move[1:3]] + move[3:4] + IMAGES[which].get(effect, effect)


def image_of(which: int, position: Position) -> Position:
    setup = position.setup
    cells = dict(zip(map(IMAGES[which].get, SQUARES), setup.cells, strict=True))
    turned_cells = "".join(cells[name] for name in SQUARES)
    return Position(Setup(turned_cells, setup.side, setup.regality, setup.religion), position.rules)


def test_there_are_eight_symmetries() -> None:
    assert len({tuple(sorted(image.items())) for image in IMAGES}) == 8


@given(positions)
@examples(30)
def test_the_eight_symmetries_preserve_moves_and_perft(position: Position) -> None:
    moves, count = position.legal_moves(), perft(position.to_core(), 2)
    for which in range(8):
        image = image_of(which, position)
        assert set(image.legal_moves()) == {image_of_move(which, move) for move in moves}
        assert perft(image.to_core(), 2) == count


@given(positions, st.data())
@examples(60)
def test_a_move_and_a_symmetry_may_change_places(position: Position, data: st.DataObject) -> None:
    for move in position.legal_moves()[data.draw(st.integers(0, 9)) :: 10]:
        for which in range(8):
            moved_first = image_of(which, position.play(move))
            turned_first = image_of(which, position).play(image_of_move(which, move))
            assert moved_first == turned_first


@given(small_studies)
@examples(60)
def test_the_eight_symmetries_preserve_the_value(position: Position) -> None:
    assert {value_of(image_of(which, position)) for which in range(8)} == {value_of(position)}


def swap_colours(setup: Setup) -> Setup:
    return Setup(
        setup.cells.swapcase(), setup.side.other, setup.religion.upper(), setup.regality.lower()
    )


@given(positions)
@examples(60)
def test_swapping_colours_preserves_moves_margin_and_key(position: Position) -> None:
    swapped = Position(swap_colours(position.setup), position.rules)
    assert swapped.legal_moves() == position.legal_moves()
    assert (swapped.over, swapped.margin) == (position.over, position.margin)
    assert swapped.to_core().key == position.to_core().key
    for move in position.legal_moves()[::40]:
        assert swapped.play(move).setup == swap_colours(position.play(move).setup)


@given(small_studies)
@examples(60)
def test_swapping_colours_preserves_the_value(position: Position) -> None:
    swapped = Position(swap_colours(position.setup), position.rules)
    assert value_of(swapped) == value_of(position)
    assert Solver().solve(swapped).moves == Solver().solve(position).moves


# Counting and solving


@given(positions)
@examples(30)
def test_perft_is_the_sum_over_the_children(position: Position) -> None:
    game = position.to_core()
    children = [position.play(move).to_core() for move in position.legal_moves()]
    assert perft(game, 0) == 1
    assert perft(game, 1) == len(children)
    for depth in (2, 3) if len(children) < 50 else (2,):
        assert perft(game, depth) == sum(perft(child, depth - 1) for child in children)


@given(small_studies)
@examples(30)
def test_perft_finds_nothing_beyond_the_longest_game(position: Position) -> None:
    cards = sum(map(len, position.hands))
    assert perft(position.to_core(), cards + 1) == perft(position.to_core(), 10**6) == 0
    assert perft(position.to_core(), 1) == len(position.legal_moves())


def test_perft_refuses_a_negative_depth() -> None:
    with pytest.raises(ValueError, match="-1"):
        perft(Position.start().to_core(), -1)


@given(small_studies)
@examples(80)
def test_a_value_is_the_best_of_minus_the_values_of_the_children(position: Position) -> None:
    solution = Solver().solve(position)
    values = {move: -value_of(position.play(move)) for move in position.legal_moves()}
    assert solution.moves == values
    assert tuple(solution.moves) == position.legal_moves()
    assert solution.value == (max(values.values()) if values else position.margin)
    assert solution.best == tuple(move for move in values if values[move] == solution.value)
    assert solution.value == value_of(position)
    sign = (solution.value > 0) - (solution.value < 0)
    assert solution.result == {-1: "loss", 0: "draw", 1: "win"}[sign]


@given(studies(most_cards=5, most_to_fill=4))
@examples(60)
def test_the_line_of_best_play_leads_to_a_finished_game_with_the_value(position: Position) -> None:
    solution = Solver().solve(position, line=True)
    value, here = solution.value, position
    for move in solution.line:
        assert move == Solver().solve(here).best[0]
        here, value = here.play(move), -value
    assert here.over
    assert here.margin == value


@given(studies(most_cards=6, most_to_fill=4))
@examples(60)
def test_solutions_are_the_same_for_any_number_of_threads(position: Position) -> None:
    alone, two, three = (Solver(threads).solve(position, line=True) for threads in (1, 2, 3))
    assert alone.moves == two.moves == three.moves
    assert alone.best == two.best == three.best
    assert alone.line == two.line == three.line


@given(st.lists(studies(most_cards=5, most_to_fill=3), min_size=2, max_size=6))
@examples(30)
def test_what_a_solver_learnt_changes_no_later_answer(batch: list[Position]) -> None:
    experienced = Solver()
    for position in batch:
        assert experienced.solve(position).moves == Solver().solve(position).moves


@given(small_studies)
@examples(40)
def test_node_counts_repeat_with_one_thread(position: Position) -> None:
    first, again = Solver().solve(position), Solver().solve(position)
    assert first.nodes == again.nodes >= len(position.legal_moves())


@given(studies(most_cards=6, most_to_fill=4, rules=st.builds(Rules, st.sampled_from(Rules.QUEENS))))
@examples(60)
def test_nine_face_up_cards_make_every_value_odd(position: Position) -> None:
    solution = Solver().solve(position)
    assert all(value % 2 == 1 for value in (solution.value, *solution.moves.values()))


def test_a_solver_without_threads_is_refused() -> None:
    with pytest.raises(ValueError, match="threads"):
        Solver(0)


def test_a_long_solution_reports_its_progress() -> None:
    position = Position.parse("MQ./..#/..g b KPWT kqpmt")  # takes a few tenths of a second
    seen: list[tuple[int, int, int]] = []
    solution = Solver(progress=lambda *report: seen.append(report)).solve(position)
    assert seen
    assert seen == sorted(seen)
    assert {moves for _, moves, _ in seen} == {len(solution.moves)}
    assert all(done <= moves and nodes <= solution.nodes for done, moves, nodes in seen)


def test_a_stopped_search_returns_nothing() -> None:
    game = Position.start().to_core()
    search = Search(game, Transpositions(16))
    search.stop()
    assert search.value(game) is None
    assert search.move_value(game, game.legal_actions()[0]) is None


def test_a_search_refuses_a_game_of_other_rules_and_an_illegal_action() -> None:
    search = Search(Position.start().to_core())
    with pytest.raises(ValueError, match="variants"):
        search.value(Position.start(Rules(queen="adjacent")).to_core())
    with pytest.raises(IllegalMove):
        search.move_value(Position.start().to_core(), core.ACTION_COUNT - 1)


@pytest.mark.parametrize("bits", [-1, 0, 35])
def test_a_table_of_an_odd_size_is_refused(bits: int) -> None:
    with pytest.raises(ValueError, match="table size"):
        Transpositions(bits)
