"""The checker of RR values, against a walk through small games with the slow twin."""

import random
from array import array
from functools import cache
from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cython_core.rr_verify import START, Count, Mismatch, Report, verify
from tests.reference import rr

VARIANTS = [
    rr.Rules(queen, ending) for queen in ("ray", "adjacent") for ending in ("face-up", "occupied")
]

ROOTS = [
    "gQ./K#t/.wm r MPT kpq",
    "tQC/..p/K.m b MG qgp",
    "K.m/#pQ/g.C r MWP kq",
    "..Q/pkM/cqT r KGM pw",  # Religion's Castle is nowhere
    "Qp#/mKg/Mq. b KT wpt",  # one free square
    "..w/gKq/kp. r QPMT mtw",
]


def on_one_side(content: str, side: str) -> bool:
    return content.isalpha() and content.isupper() == (side == "r")


def packed(state: rr.State) -> int:
    """The packed position as the checker's module describes it."""
    other = "b" if state.side == "r" else "r"
    hands = {"r": state.regality, "b": state.religion}
    fields = [
        (0, [on_one_side(content, state.side) for content in state.board]),
        (9, [on_one_side(content, other) for content in state.board]),
        (18, [content in "Tt" for content in state.board]),
        (27, [content == rr.FACE_DOWN for content in state.board]),
        (36, [card in hands[state.side].upper() for card in rr.HAND_ORDER]),
        (44, [card in hands[other].upper() for card in rr.HAND_ORDER]),
    ]
    return sum(bit << shift + index for shift, bits in fields for index, bit in enumerate(bits))


def quarter_turn(board: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(board[3 * (2 - index % 3) + index // 3] for index in range(9))


def mirrored(board: tuple[str, ...]) -> tuple[str, ...]:
    return board[6:] + board[3:6] + board[:3]


@cache
def key(state: rr.State) -> int:
    """The smallest packed number of the eight symmetric positions."""
    found = []
    board = state.board
    for _ in range(4):
        board = quarter_turn(board)
        for image in (board, mirrored(board)):
            found.append(packed(rr.State(image, state.side, state.regality, state.religion)))
    return min(found)


class Walk:
    """All positions from a root with the twin's values, ply by ply."""

    def __init__(self, root: rr.State, rules: rr.Rules, plies: int = 15, solve: bool = True):
        self.plies: list[dict[int, rr.State]] = [{key(root): root}]
        # For each key: the keys of its successors, and the margins of games that end there.
        self.options: dict[int, set[int]] = {}
        self.margins: dict[int, set[int]] = {}
        while len(self.plies) < plies and self.plies[-1]:
            self.plies.append(self._after(self.plies[-1], rules))
        self.plies = [ply for ply in self.plies if ply]
        self.values: dict[int, int] = {}
        if solve:
            memo: dict[rr.State, int] = {}
            for ply in self.plies:
                self.values |= {k: rr.minimax(state, rules, memo) for k, state in ply.items()}

    def _after(self, ply: dict[int, rr.State], rules: rr.Rules) -> dict[int, rr.State]:
        found: dict[int, rr.State] = {}
        for k, state in ply.items():
            nexts = [rr.play(state, move, rules) for move in rr.legal(state, rules)]
            self.margins[k] = {-rr.margin(n) for n in nexts if rr.finished(n, rules)}
            going_on = {key(n): n for n in nexts if not rr.finished(n, rules)}
            self.options[k] = set(going_on)
            found |= going_on
        return found

    def expected(self, claims: dict[int, int], k: int) -> int:
        return max(self.margins[k] | {-claims[after] for after in self.options[k]})


@cache
def walk_from(text: str, rules: rr.Rules) -> Walk:
    return Walk(rr.parse(text), rules)


def checked(walk: Walk, rules: rr.Rules, claims: dict[int, int], threads: int = 2) -> Report:
    """The checker's report; it must ask for each position of the walk, once and in order."""
    asked: list[int] = []

    def values(positions: memoryview) -> object:
        asked.extend(positions)
        return array("b", [claims[position] for position in positions])

    root = packed(next(iter(walk.plies[0].values())))
    adjacent, occupied = rules.queen == "adjacent", rules.ending == "occupied"
    report = verify(values, adjacent, occupied, root=root, threads=threads)
    assert asked == [k for ply in walk.plies for k in sorted(ply)]
    return report


def count(values: list[int]) -> Count:
    wins, losses = sum(v > 0 for v in values), sum(v < 0 for v in values)
    return Count(len(values), wins, losses, len(values) - wins - losses)


def true_report(walk: Walk) -> Report:
    record = b"".join(
        k.to_bytes(7, "little") + walk.values[k].to_bytes(1, "little", signed=True)
        for ply in walk.plies
        for k in sorted(ply)
    )
    plies = tuple(count([walk.values[k] for k in ply]) for ply in walk.plies)
    totals = count([walk.values[k] for ply in walk.plies for k in ply])
    return Report(plies, totals, 0, (), sha256(record).hexdigest(), True)


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
@pytest.mark.parametrize("text", ROOTS)
def test_right_values_pass(text: str, rules: rr.Rules) -> None:
    assert rr.problems(rr.parse(text), rules) == []
    walk = walk_from(text, rules)
    assert checked(walk, rules, walk.values) == true_report(walk)


@pytest.mark.parametrize("rules", VARIANTS, ids=str)
def test_right_values_pass_late_in_a_random_game(rules: rr.Rules) -> None:
    choose = random.Random(2).choice
    state = rr.parse("start")
    for _ in range(10):
        state = rr.play(state, choose(rr.legal(state, rules)), rules)
    walk = Walk(state, rules)
    assert checked(walk, rules, walk.values) == true_report(walk)


@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_one_wrong_value_is_caught(data: st.DataObject) -> None:
    rules = data.draw(st.sampled_from(VARIANTS))
    walk = walk_from(data.draw(st.sampled_from(ROOTS)), rules)
    ply = data.draw(st.sampled_from(walk.plies))  # so that the root and the last are often drawn
    spoiled = data.draw(st.sampled_from(sorted(ply)))
    wrong = st.integers(-128, 127).filter(lambda value: value != walk.values[spoiled])
    claims = walk.values | {spoiled: data.draw(wrong)}

    report = checked(walk, rules, claims, threads=data.draw(st.sampled_from([1, 2])))

    expected = {
        Mismatch(k, claims[k], walk.expected(claims, k))
        for k in claims
        if claims[k] != walk.expected(claims, k)
    }
    assert not report.verdict
    assert spoiled in {mismatch.position for mismatch in expected}
    assert report.mismatches == len(expected)
    assert len(set(report.examples)) == len(report.examples) == min(len(expected), 10)
    assert set(report.examples) <= expected
    assert report.sha256 != true_report(walk).sha256


def test_the_report_does_not_depend_on_the_number_of_threads() -> None:
    walk = walk_from(ROOTS[-1], VARIANTS[0])
    claims = {k: value if k % 3 else -value for k, value in walk.values.items()}
    one, two, five = (checked(walk, VARIANTS[0], claims, threads) for threads in (1, 2, 5))
    assert one.mismatches > 10
    assert one == two == five


class Enough(Exception):
    pass


def test_the_game_starts_with_the_citizen() -> None:
    walk = Walk(rr.parse("start"), VARIANTS[0], plies=3, solve=False)
    asked: list[int] = []

    def stop_after_three_plies(ply: int, positions: int) -> None:
        assert positions == len(asked)
        if positions == sum(map(len, walk.plies)):
            raise Enough

    def zeros(positions: memoryview) -> bytes:
        asked.extend(positions)
        return bytes(len(positions))

    assert packed(rr.parse("start")) == START
    with pytest.raises(Enough):
        verify(zeros, progress=stop_after_three_plies)
    assert asked == [k for ply in walk.plies for k in sorted(ply)]


@pytest.mark.parametrize("length", [0, 2])
def test_as_many_values_as_positions_are_needed(length: int) -> None:
    with pytest.raises(ValueError, match="1 positions"):
        verify(lambda positions: bytes(length))


@pytest.mark.parametrize(
    "text",
    [
        "KQp/mgw/kqC r PM pm",  # finished
        "KQp/mg#/kqC r PM pm",  # no free square
        "#Qp/mg./k#C r PMT pmt",  # two cards face down
        "KTp/.../... r QPMGT qpmgt",  # the Castle is also in hand
        "TTp/.../... r QPMGK qpmgk",  # two Castles of one side
        "K../.../... r CQPMGWT kqpmgwt",  # a Citizen after the first move
        ".../.../... r QPMGWT kqpmgwt",  # hands of wrong sizes
        "..Q/pkM/cqT r KG kg",  # too few cards
    ],
)
def test_a_root_has_to_be_consistent(text: str) -> None:
    with pytest.raises(ValueError, match="not a position"):
        verify(lambda positions: bytes(len(positions)), root=packed(rr.parse(text)))
