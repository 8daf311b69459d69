"""RR: position text, move text, validation, errors, and `Position` as a value."""

from __future__ import annotations

import pickle
import re
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from cython_core import rr as core
from cython_core.errors import GameError, IllegalMove, IllegalPosition, NotationError
from engines.rr import (
    FIGURES,
    LETTERS,
    LONGEST_TEXT,
    START,
    Fault,
    Position,
    Rules,
    Setup,
    Side,
    move_texts,
    parse,
    validate,
)
from engines.rr import format as text_of
from tests.reference import rr as twin
from tests.test_rr_laws import all_rules, examples, positions, reachable, studies
from tests.test_rr_twin import twin_rules

EXAMPLE = "tQC/K.p/.mG b PMT kqg"


@st.composite
def nonsense(draw: st.DrawFn) -> Setup:
    """Anything that has a text: any figures anywhere, any hands."""
    return Setup(
        draw(st.text(FIGURES + ".#", min_size=9, max_size=9)),
        draw(st.sampled_from(Side)),
        draw(st.text(LETTERS, max_size=10)),
        draw(st.text(LETTERS.lower(), max_size=10)),
    )


@st.composite
def near_misses(draw: st.DrawFn) -> Setup:
    """A consistent position with some squares, cards in hand, or the side changed."""
    setup = draw(positions).setup
    cells = list(setup.cells)
    for _ in range(draw(st.integers(0, 3))):
        cells[draw(st.integers(0, 8))] = draw(st.sampled_from(FIGURES + "..##"))
    hands = [setup.regality, setup.religion.upper()]
    for _ in range(draw(st.integers(0, 2))):
        which, at = draw(st.integers(0, 1)), draw(st.integers(0, 8))
        drawn = draw(st.sampled_from(("", *LETTERS)))
        hands[which] = hands[which][:at] + drawn + hands[which][at + 1 :]
    side = draw(st.sampled_from((setup.side, setup.side, setup.side.other)))
    return Setup("".join(cells), side, hands[0], hands[1].lower())


setups = nonsense() | near_misses()


# Position text


@given(setups)
@examples(300)
def test_parse_is_the_inverse_of_format(setup: Setup) -> None:
    again = parse(text_of(setup))
    assert again == setup
    assert (again.cells, again.side) == (setup.cells, setup.side)
    assert (again.regality, again.religion) == (setup.regality, setup.religion)


@given(setups, st.randoms(use_true_random=False))
@examples(200)
def test_hands_are_read_in_any_order_and_written_in_one(setup: Setup, luck: Random) -> None:
    board, side, *hands = text_of(setup).split(" ")
    shuffled = ["".join(luck.sample(hand, len(hand))) for hand in hands]
    text = " ".join([board, side, *shuffled])
    assert text_of(parse(text)) == text_of(setup)
    assert str(parse(text)) == text_of(setup)


@given(setups)
@examples(200)
def test_the_canonical_text_is_the_twins(setup: Setup) -> None:
    board, side, regality, religion = text_of(setup).split(" ")
    text = f"{board} {side} {regality[::-1]} {religion[::-1]}"
    assert twin.format_state(twin.parse(text)) == text_of(parse(text))


@given(setups)
@examples(100)
def test_setups_are_equal_exactly_when_their_texts_are(setup: Setup) -> None:
    assert setup == parse(str(setup))
    assert hash(setup) == hash(parse(str(setup)))
    other = Setup(setup.cells, setup.side.other, setup.regality, setup.religion)
    assert setup != other
    assert setup != str(setup)


def test_a_setup_has_its_squares_from_a1_to_c3() -> None:
    setup = parse(EXAMPLE)
    assert setup.cells == ".mGK.ptQC"
    assert (setup.side, setup.regality, setup.religion) == (Side.RELIGION, "PMT", "kqg")
    assert repr(setup) == f"<Setup {EXAMPLE}>"


def test_a_setup_sorts_its_hands() -> None:
    assert text_of(Setup("." * 9, Side.REGALITY, "TWGMPQKC", "tk")).endswith("r CKQPMGWT kt")


def test_start_stands_for_the_first_position() -> None:
    assert text_of(parse("start")) == START
    assert str(Position.start()) == START
    assert Position.parse("start") == Position.start() == Position.parse(START)


UNREADABLE = [
    # too much, too little
    ("", 1, "four fields"),
    ("starts", 7, "four fields"),
    (".../.../...", 12, "four fields"),
    (".../.../... r -", 16, "four fields"),
    (".../.../... r - - ", 18, "four fields"),
    (".../.../... r - - kq", 18, "four fields"),
    (" .../.../... r - -", 17, "four fields"),
    (".../.../... r - " + "k" * 85, 101, "longer"),
    ("." * 5000, 101, "longer"),
    # characters that no text has
    (".../.\t./... r - -", 6, "U+0009"),
    (".../.../... r - -\n", 18, "U+000A"),
    (".../.../... r Ｋ -", 15, "U+FF2B"),  # noqa: RUF001
    (".../.../... \x7f - -", 13, "U+007F"),
    # the board
    ("..x/.../... r - -", 3, "'x'"),
    (".../.../..1 r - -", 11, "'1'"),
    (".../.-./... r - -", 6, "'-'"),
    ("../.../... r - -", 3, "rank 3"),
    ("..../.../... r - -", 4, "rank 3"),
    (".../../... r - -", 7, "rank 2"),
    (".../....../... r - -", 8, "rank 2"),
    (".../.../.. r - -", 11, "rank 1"),
    (".../.../.... r - -", 12, "rank 1"),
    ("/.../... r - -", 1, "rank 3"),
    (".../... r - -", 8, "three ranks"),
    ("... r - -", 4, "three ranks"),
    (" r - -", 1, "rank 3"),
    (".../.../.../ r - -", 12, "three ranks"),
    (".../.../.../... r - -", 12, "three ranks"),
    # the side
    (".../.../... w - -", 13, "'w'"),
    (".../.../... R - -", 13, "'R'"),
    (".../.../... rb - -", 13, "'rb'"),
    (".../.../...  - -", 13, "''"),
    # the hands
    (".../.../... r KqQ -", 16, "'q'"),
    (".../.../... r KQX -", 17, "'X'"),
    (".../.../... r -K -", 15, "'-'"),
    (".../.../... r K- -", 16, "'-'"),
    (".../.../... r K# -", 16, "'#'"),
    (".../.../... r  k", 15, "missing"),
    (".../.../... r K ", 17, "missing"),
    (".../.../... r K K", 17, "'K'"),
    (".../.../... r - kqz", 19, "'z'"),
]


@pytest.mark.parametrize(("text", "column", "named"), UNREADABLE)
def test_an_unreadable_position_is_refused_with_the_column(
    text: str, column: int, named: str
) -> None:
    with pytest.raises(NotationError, match=re.escape(named)) as caught:
        parse(text)
    assert caught.value.column == column
    assert len(caught.value.message) < 300
    with pytest.raises(ValueError, match=r".+"):
        twin.parse(text if len(text) < LONGEST_TEXT else "")


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("..x/.../... w - -", 3),
        (".../.../.... w - -", 12),
        ("..x/.../... r K", 3),
        ("..../..x/... r - -", 4),
        (".../.../... w x -", 13),
        (".../.../... r x X", 15),
    ],
)
def test_of_two_faults_the_column_is_that_of_the_first(text: str, column: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse(text)
    assert caught.value.column == column


def test_a_text_as_long_as_allowed_is_read() -> None:
    text = ".../.../... r - " + "k" * (LONGEST_TEXT - 16)
    assert len(text) == LONGEST_TEXT
    assert text_of(parse(text)) == text


@given(setups, st.data())
@examples(200)
def test_a_foreign_character_is_pointed_at(setup: Setup, data: st.DataObject) -> None:
    text = text_of(setup)
    at = data.draw(st.sampled_from([i for i, char in enumerate(text) if char != " "]))
    with pytest.raises(NotationError, match="!") as caught:
        parse(text[:at] + "!" + text[at + 1 :])
    assert caught.value.column == at + 1


@given(setups, st.data())
@examples(200)
def test_a_text_cut_short_is_in_error_behind_its_end(setup: Setup, data: st.DataObject) -> None:
    text = text_of(setup)
    length = data.draw(st.integers(0, text.rindex(" ") + 1))
    with pytest.raises(NotationError) as caught:
        parse(text[:length])
    assert caught.value.column == length + 1


@given(st.text(max_size=120) | st.text(FIGURES + "./#-rb !1", max_size=40))
@examples(300)
def test_any_text_is_read_or_refused_as_by_the_twin(text: str) -> None:
    if _is_read(text):
        assert text_of(parse(text)) == twin.format_state(twin.parse(text))
        return
    with pytest.raises(NotationError) as caught:
        parse(text)
    assert caught.value.column in range(1, len(text) + 2)
    if len(text) <= LONGEST_TEXT:
        with pytest.raises(ValueError, match=r".+"):
            twin.parse(text)


def _is_read(text: str) -> bool:
    try:
        parse(text)
    except NotationError:
        return False
    return True


# Move text

GRAMMAR = re.compile(
    r"[CKQPMGWT][abc][123](x[abc][123]|~[abc][123]|~(n|ne|e|se|s|sw|w|nw|all|o|d))?"
)


@given(positions)
@examples(100)
def test_move_text_and_action_are_inverse_for_every_legal_move(position: Position) -> None:
    actions = position.to_core().legal_actions()
    texts = [position.format_move(action) for action in actions]
    assert sorted(texts) == list(position.legal_moves())
    assert [position.parse_move(text) for text in texts] == actions
    assert all(GRAMMAR.fullmatch(text) for text in texts)


@pytest.mark.parametrize(("queen", "effects_of_queen"), [("ray", 8), ("adjacent", 1)])
def test_every_action_has_one_text_and_every_text_one_action(
    queen: str, effects_of_queen: int
) -> None:
    texts = move_texts(Rules(queen))
    assert len(texts) == core.ACTION_COUNT
    readable = [text for text in texts if text]
    # C and T; K, G, W and M at nine squares; Q; P at two sets.
    assert len(readable) == 9 * (2 * 1 + 4 * 10 + 1 + effects_of_queen + 3)
    assert len(set(readable)) == len(readable)
    assert all(GRAMMAR.fullmatch(text) for text in readable)


@given(positions, st.integers())
@examples(100)
def test_an_integer_that_is_no_action_has_no_text(position: Position, action: int) -> None:
    texts = dict(enumerate(move_texts(position.rules)))
    if texts.get(action):
        assert position.format_move(action) == texts[action]
    else:
        with pytest.raises(ValueError, match=str(action)):
            position.format_move(action)


@pytest.mark.parametrize(
    ("text", "queen", "column", "named"),
    [
        ("", "ray", 1, "''"),
        ("Xa1", "ray", 1, "'X'"),
        ("ka1", "ray", 1, "'k'"),
        (" Ka1", "ray", 1, "' '"),
        ("Qa1~n" * 1000, "ray", 4, "Queen"),
        ("K", "ray", 2, "''"),
        ("Ka", "ray", 2, "'a'"),
        ("Kd1", "ray", 2, "'d1'"),
        ("Ka4", "ray", 2, "'a4'"),
        ("K1a", "ray", 2, "'1a'"),
        ("KA1", "ray", 2, "'A1'"),
        ("Ka1x", "ray", 4, "'x'"),
        ("Ka1 xa2", "ray", 4, "' xa2'"),
        ("Ka1xa2 ", "ray", 4, "'xa2 '"),
        ("Ka1~a2", "ray", 4, "'~a2'"),
        ("Ka1xd2", "ray", 4, "'xd2'"),
        ("Ma1xa2", "ray", 4, "'xa2'"),
        ("Ma1~n", "ray", 4, "'~n'"),
        ("Pa1~x", "ray", 4, "~d ~o"),
        ("Qa1~all", "ray", 4, "queen=ray"),
        ("Qa1~north", "ray", 4, "~n ~ne ~e ~se ~s ~sw ~w ~nw"),
        ("Qa1~n", "adjacent", 4, "queen=adjacent"),
        ("Ta1xa2", "ray", 4, "no effect"),
        ("Ca1~o", "ray", 4, "no effect"),
    ],
)
def test_an_unreadable_move_is_refused_with_the_column(
    text: str, queen: str, column: int, named: str
) -> None:
    position = Position.parse(".../.C./... b KQPMGWT kqpmgwt", Rules(queen))
    for read in (position.parse_move, position.play):
        with pytest.raises(NotationError, match=re.escape(named)) as caught:
            read(text)
        assert caught.value.column == column
        assert len(caught.value.message) < 300


@given(positions, st.text(max_size=8) | st.text("KQPMGWTCabc123x~nesw", max_size=6))
@examples(200)
def test_any_move_text_is_played_or_refused_with_its_cause(position: Position, text: str) -> None:
    if text in position.legal_moves():
        assert position.play(text).side == position.side.other
    else:
        readable = text in move_texts(position.rules) and text != ""
        with pytest.raises(IllegalMove if readable else NotationError):
            position.play(text)


@pytest.mark.parametrize(
    ("before", "move", "named"),
    [
        (START, "Kb2", "Regality cannot play K now, only C"),
        (".../.C./... b KQPMGWT kqpmgwt", "Ca1", "Religion cannot play C now, only KQPMGWT"),
        (".../.C./... r KQPMGWT qpmgwt", "Kb2", "b2 is not free"),
        (".../g#./... r KQPMGWT kqpmwt", "Tb2", "free squares: a1 a3 b1 b3 c1 c2 c3"),
        (".../.C./... b KQPMGWT kqpmgwt", "Ka1xa2", "there is Ka1 Ka1xb2"),
        (".../.C./... b KQPMGWT kqpmgwt", "Ka1xc3", "Ka1xc3 is not legal"),
        (".../.C./... b KQPMGWT kqpmgwt", "Ka1xa1", "Ka1xa1 is not legal"),
        (".../.C./... b KQPMGWT kqpmgwt", "Qa1~n", "there is Qa1 Qa1~ne"),
        ("kpQ/wGM/gtT r K m", "Ka1", "over"),
    ],
)
def test_an_illegal_move_is_refused_with_its_reason(before: str, move: str, named: str) -> None:
    position = Position.parse(before)
    for read in (position.parse_move, position.play):
        with pytest.raises(IllegalMove, match=re.escape(named)):
            read(move)
    assert str(position) == before


def test_an_illegal_action_is_an_illegal_move() -> None:
    position = Position.start()
    with pytest.raises(IllegalMove, match="719"):
        position.play(719)
    assert position.play(position.parse_move("Cb2")) == position.play("Cb2")


# Validation


@given(setups)
@examples(500)
def test_validation_gives_all_the_reasons_that_the_twin_gives(setup: Setup) -> None:
    for rules in Rules.variants():
        faults = validate(setup, rules)
        assert sorted(faults) == twin.problems(twin.parse(text_of(setup)), twin_rules(rules))


@given(setups, all_rules)
@examples(200)
def test_a_position_stands_exactly_when_nothing_is_wrong_with_it(
    setup: Setup, rules: Rules
) -> None:
    faults = validate(setup, rules)
    if not faults:
        position = Position(setup, rules)
        assert position.setup == setup
        assert position.hands == (setup.regality, setup.religion)
        assert position.rules == rules
        return
    with pytest.raises(IllegalPosition) as caught:
        Position(setup, rules)
    assert caught.value.reasons == tuple(faults.values())
    assert str(caught.value) == "; ".join(faults.values())
    assert len(set(faults.values())) == len(faults)


@given(studies())
@examples(100)
def test_positions_made_consistent_stand_by_the_twin_as_well(position: Position) -> None:
    assert twin.problems(twin.parse(str(position)), twin_rules(position.rules)) == []


# Of each reason, a setup that it alone forbids, and one as near as possible that may stand.
BORDERS = [
    (Fault.NO_FREE_SQUARE, "#Cm/wKM/tTp r Q k", "#Cm/wK./tTp r Q m"),
    (Fault.TWO_FACE_DOWN, "##m/w.M/tTC r QP qp", "#.m/w.M/tTC r QP qp"),
    (Fault.REPEAT_IN_HAND, "qCm/w.M/tTP r KK pg", "qCm/w.M/tTP r KQ pg"),
    (Fault.TOO_MANY_OF_A_CARD, "qCM/w.M/tTP r QM gp", "qCM/w.M/tTP r QG gp"),
    (Fault.TWO_CITIZENS, "qCc/w.M/tTP r KQ p", "qCk/w.M/tTP r KQ p"),
    (Fault.CITIZEN_IN_HAND, ".../.../... b CQPMT qpmtk", ".../.../... b QPMT cqpmt"),
    (Fault.CITIZEN_IN_HAND, "qkm/w.M/tTP r CQ p", "qCm/w.M/tTP r KQ p"),
    (Fault.CASTLE_ALSO_IN_HAND, "qCm/w.M/TgP r TQ p", "qCm/w.M/tgP r TQ p"),
    (Fault.CASTLE_ALSO_IN_HAND, "qCm/w.M/tgP b Q tp",
     "qCm/w.M/TgP b Q tp"),
    (Fault.TWO_CASTLES_ONE_SIDE, "qCm/w.M/TTP r KQ p", "qCm/w.M/TtP r KQ p"),
    (Fault.TWO_CASTLES_ONE_SIDE, "qCm/w.M/ttP r KQ p", "qCm/w.M/tTP r KQ p"),
    (Fault.HAND_SIZES, "qCm/w.M/tTP r Q pk", "qCm/w.M/tTP b Q pk"),
    (Fault.HAND_SIZES, "qCm/w.M/tTP r KQG p", "qCm/w.M/tTP r KQG pk"),
    (Fault.TOO_FEW_CARDS, "qCm/w.M/tTP r K -", "qCm/w.M/tTP r Q -"),
    (Fault.TOO_FEW_CARDS, "#Cm/w.M/tTP r KQ k", "#Cm/w.M/tTP r KQ kp"),
]  # fmt: skip


@pytest.mark.parametrize(("fault", "beyond", "within"), BORDERS)
def test_each_reason_alone_forbids_a_position(fault: Fault, beyond: str, within: str) -> None:
    assert set(validate(parse(beyond))) == {fault}
    assert validate(parse(within)) == {}
    assert Position.parse(within).setup == parse(within)
    with pytest.raises(IllegalPosition):
        Position.parse(beyond)


def test_the_examples_show_every_reason() -> None:
    assert {fault for fault, _, _ in BORDERS} == set(Fault)


def test_all_reasons_come_at_once() -> None:
    setup = parse("TTk/#K#/ckC r CTKKKQPM kk")
    assert set(validate(setup)) == set(Fault) - {Fault.TOO_FEW_CARDS}
    assert set(validate(parse("##./.../... r K k"))) == {Fault.TWO_FACE_DOWN, Fault.TOO_FEW_CARDS}


# Names


def test_unknown_rules_are_refused_by_name() -> None:
    with pytest.raises(ValueError, match=r"queen.*ray, adjacent.*'sideways'"):
        Rules("sideways")
    with pytest.raises(ValueError, match=r"ending.*face-up, occupied.*'never'"):
        Rules(ending="never")


def test_rules_are_values() -> None:
    assert Rules() == Rules("ray", "face-up")
    assert len(set(Rules.variants())) == len(Rules.variants()) == 4
    assert Rules.variants()[0] == Rules()
    assert Rules() != ("ray", "face-up")
    for rules in Rules.variants():
        assert rules == Rules(rules.queen, rules.ending)
        assert hash(rules) == hash(Rules(rules.queen, rules.ending))
        assert repr(rules) == f"Rules(queen={rules.queen!r}, ending={rules.ending!r})"
        assert pickle.loads(pickle.dumps(rules)) == rules


def test_rules_are_immutable() -> None:
    rules = Rules()
    for name in ("queen", "ending", "other"):
        with pytest.raises(AttributeError):
            setattr(rules, name, "adjacent")
    assert rules == Rules()


def test_sides_have_letters_and_names() -> None:
    assert [side.letter for side in Side] == ["r", "b"]
    assert [str(side) for side in Side] == ["Regality", "Religion"]
    assert [side.other for side in Side] == [Side.RELIGION, Side.REGALITY]


def test_errors_are_value_errors_and_survive_pickling() -> None:
    errors: list[GameError] = [
        NotationError("no such card", 3),
        NotationError("no place to blame"),
        IllegalPosition(("one reason", "another")),
        IllegalMove("not here"),
    ]
    for error in errors:
        again = pickle.loads(pickle.dumps(error))
        assert isinstance(error, ValueError)
        assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))


# `Position` as a value


@given(positions)
@examples(100)
def test_bytes_and_pickles_give_the_position_back(position: Position) -> None:
    again = [Position.from_bytes(position.to_bytes())]
    again += [
        pickle.loads(pickle.dumps(position, protocol))
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1)
    ]
    for other in again:
        assert other == position
        assert (other.rules, str(other)) == (position.rules, str(position))
        assert other.legal_moves() == position.legal_moves()


@given(st.binary(max_size=80))
@example(b"")
@example(b"RR1")
@example(b"RR1 ray face-up ")
@example(b"RR1 ray face-up nonsense")
@example(b"RR1 ray face-up\t.../.../... r CKQPMGWT kqpmgwt")
@example(b"RR2 ray face-up .../.../... r CKQPMGWT kqpmgwt")
@example(b"rr1 ray face-up .../.../... r CKQPMGWT kqpmgwt")
@example(b"RR1 lines face-up .../.../... r CKQPMGWT kqpmgwt")
@example(b"RR1 ray never .../.../... r CKQPMGWT kqpmgwt")
@example(b"RR1 face-up ray .../.../... r CKQPMGWT kqpmgwt")
@example(b"RR1 ray face-up .../.../... r CKQPMGWT kqpmgw\xff")
@example(b"\xff\xfe\x00")
@examples(200)
def test_hostile_bytes_are_not_readable(data: bytes) -> None:
    with pytest.raises(NotationError):
        Position.from_bytes(data)


def test_bytes_of_an_inconsistent_position_are_refused_with_the_reasons() -> None:
    with pytest.raises(IllegalPosition) as caught:
        Position.from_bytes(b"RR1 ray face-up ##./.../... r K k")
    assert len(caught.value.reasons) == 2


@given(positions, st.data())
@examples(300)
def test_damaged_bytes_are_refused_or_are_another_position(
    position: Position, data: st.DataObject
) -> None:
    written = position.to_bytes()
    at = data.draw(st.integers(0, len(written)))
    cut = data.draw(st.integers(0, 3))
    patch = data.draw(
        st.binary(max_size=3) | st.text(FIGURES + "./# -", max_size=3).map(str.encode)
    )
    try:
        other = Position.from_bytes(written[:at] + patch + written[at + cut :])
    except (NotationError, IllegalPosition):
        return
    assert validate(other.setup, other.rules) == {}
    assert Position.from_bytes(other.to_bytes()) == other


@pytest.mark.parametrize(
    "data", [b"RR1 ray face-up start", b"RR1 ray face-up .../.../... r KQPMGWTC kqpmgwt"]
)
def test_bytes_that_nothing_wrote_are_refused_though_the_text_can_be_read(data: bytes) -> None:
    with pytest.raises(NotationError):
        Position.from_bytes(data)


def test_positions_reached_on_two_ways_are_equal() -> None:
    one = Position.start()
    for move in ("Cb2", "Ta1", "Tc3", "Mb1"):
        one = one.play(move)
    other = Position.start()
    for move in ("Cb2", "Mb1", "Tc3", "Ta1"):
        other = other.play(move)
    assert one == other
    assert hash(one) == hash(other)
    assert len({one, other}) == 1


@given(positions)
@examples(60)
def test_positions_are_equal_exactly_when_rules_and_text_are(position: Position) -> None:
    for rules in Rules.variants():
        if not validate(position.setup, rules):
            other = Position(position.setup, rules)
            assert (other == position) == (rules == position.rules)
            assert len({other, position}) == 1 + (rules != position.rules)
    for move in position.legal_moves()[::20]:
        assert position.play(move) != position
    assert position != str(position)
    assert position != position.setup


def test_positions_with_other_figures_on_the_board_are_not_equal() -> None:
    one = Position.parse("kwC/.../... r QPMT qpmt")
    other = Position.parse("gwC/.../... r QPMT qpmt")
    assert one.to_core().key == other.to_core().key
    assert one != other


@given(positions)
@examples(60)
def test_playing_returns_a_new_position_and_leaves_the_old_one_alone(position: Position) -> None:
    before = (str(position), hash(position), position.legal_moves(), position.to_core().key)
    for move in position.legal_moves()[::20]:
        after = position.play(move)
        assert after is not position
        assert after.rules == position.rules
        for answer in after.legal_moves()[:1]:
            assert after.play(answer) != after
    assert (str(position), hash(position), position.legal_moves(), position.to_core().key) == before


@given(reachable())
@examples(60)
def test_the_core_of_a_position_is_a_copy(position: Position) -> None:
    game, before = position.to_core(), str(position)
    assert isinstance(game, core.RR)
    for action in game.legal_actions()[:1]:
        game.play(action)
        assert game.key != position.to_core().key
    assert str(position) == before


def test_the_properties_of_a_position_cannot_be_set() -> None:
    position = Position.parse(EXAMPLE)
    for name in ("rules", "setup", "side", "hands", "over", "margin", "winner", "other"):
        with pytest.raises(AttributeError):
            setattr(position, name, None)
    assert str(position) == EXAMPLE


def test_the_fields_of_a_setup_cannot_be_set() -> None:
    setup = parse(EXAMPLE)
    for name in ("cells", "side", "regality", "religion", "other"):
        with pytest.raises(AttributeError):
            setattr(setup, name, getattr(setup, name, ""))


def test_a_position_shows_how_to_make_it() -> None:
    position = Position.parse(EXAMPLE, Rules("adjacent"))
    assert repr(position) == (
        f"Position.parse('{EXAMPLE}', Rules(queen='adjacent', ending='face-up'))"
    )


def test_the_core_is_not_hashable() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(Position.start().to_core())
