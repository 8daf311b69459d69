"""The compiled side of the strong solution: short enough to run under sanitizers too."""

from __future__ import annotations

import random
from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cython_core.rr_search import Search, Transpositions
from cython_core.rr_solve import CHUNKS, LAST_PLY, Layers, layer_bytes
from cython_core.rr_table import ABSENT, DamagedTable, Table
from engines.rr import LETTERS, Position, Rules, Setup, Side, move_ranks, validate
from solvers.strong import build

VARIANTS = (Rules(), Rules("adjacent", "occupied"))
SETUPS = 4_000  # random ones a variant, of which about one in ten can stand


@pytest.fixture(scope="module", params=VARIANTS, ids=str)
def solved(request: pytest.FixtureRequest) -> tuple[Rules, Table]:
    rules: Rules = request.param
    return rules, Table(*rules.flags, build(rules))


def search_value(position: Position, known: Transpositions) -> int | None:
    core = position.to_core()
    return Search(core, known).value(core)


def test_reachable_positions_have_the_values_that_search_finds(
    solved: tuple[Rules, Table],
) -> None:
    rules, table = solved
    source, known = random.Random(21), Transpositions(20)
    for _ in range(250):
        core = rules.new_core()
        for _ in range(source.randrange(7, 14)):
            if not core.over:
                core.play(source.choice(core.legal_actions()))
        position = Position.from_core(core, rules)
        assert table.value(core) == search_value(position, known), position


def study_positions(rules: Rules, source: random.Random, count: int) -> list[Position]:
    """Consistent positions set up at random: some reachable, some not."""
    found = []
    for _ in range(count):
        cells = "".join(source.choice(".#" + 2 * (LETTERS[1:] + LETTERS[1:].lower()))
                        for _ in range(9))  # fmt: skip
        size = source.randrange(1, 4)
        hands = ["".join(source.sample(LETTERS[1:], size)) for _ in range(2)]
        side = source.choice(list(Side))
        setup = Setup(cells, side, hands[0], hands[1].lower())
        if not validate(setup, rules):
            found.append(Position(setup, rules))
    return found


def test_study_positions_have_right_values_or_none(solved: tuple[Rules, Table]) -> None:
    """Ruling "Study positions": what is consistent stays so, and never leaves the index."""
    rules, table = solved
    source, known = random.Random(22), Transpositions(20)
    positions = study_positions(rules, source, SETUPS)
    values = [table.value(position.to_core()) for position in positions]
    assert values.count(None) < len(values)
    assert len(positions) > 50
    for position, value in zip(positions, values, strict=True):
        assert value in (None, search_value(position, known)), position


def test_a_value_is_that_of_the_best_move(solved: tuple[Rules, Table]) -> None:
    rules, table = solved
    source = random.Random(23)
    for position in [*study_positions(rules, source, SETUPS // 4), Position.start(rules)]:
        core = position.to_core()
        found = table.solve(core, move_ranks(rules))
        if not position.over and found is not None:
            assert table.value(core) == max(found[1]), position


@settings(max_examples=300, deadline=None)
@given(st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 2**52 - 1), max_size=50))
def test_any_number_may_be_looked_up(solved: tuple[Rules, Table], keys: list[int]) -> None:
    _, table = solved
    found = array("b", bytes(len(keys)))
    table.lookup(array("Q", keys), found)
    assert all(-9 <= value <= 9 or value == ABSENT for value in found)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_any_number_near_a_position_may_be_looked_up(
    solved: tuple[Rules, Table], data: st.DataObject
) -> None:
    """A few bits away from real positions, where an index would be most easily misled."""
    rules, table = solved
    core = rules.new_core()
    for _ in range(data.draw(st.integers(0, 13))):
        if not core.over:
            core.play(data.draw(st.sampled_from(core.legal_actions())))
    key = core.key
    for bit in data.draw(st.lists(st.integers(0, 51), max_size=4)):
        key ^= 1 << bit
    table.lookup(array("Q", [key]), array("b", b"\0"))


def test_misuse_is_refused(solved: tuple[Rules, Table]) -> None:
    rules, table = solved
    layers = Layers(*rules.flags)
    for misuse in (
        lambda: layers.pack(bytearray(0), 0, 1),
        lambda: layers.solve(0),
        lambda: layers.begin(LAST_PLY - 1),
        lambda: Table(*rules.flags, b"x", None).check_all(),
        lambda: table.lookup(array("Q", [0]), array("b")),
        lambda: table.solve(rules.new_core(), array("H", [0])),
    ):
        with pytest.raises((ValueError, DamagedTable)):
            misuse()
    layers.begin(LAST_PLY)
    for misuse in (
        lambda: layers.solve(CHUNKS),
        lambda: layers.solve(-1),
        lambda: layers.pack(bytearray(3), 0, 1),
        lambda: layers.pack(bytearray(layer_bytes(rules.flags[1])[LAST_PLY]), 1, 1),
        lambda: layers.begin(LAST_PLY),
    ):
        with pytest.raises(ValueError, match=r".+"):
            misuse()
