"""Game records: text and games are inverse, and whatever is wrong is found and placed."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cython_core.errors import GameError, IllegalMove, IllegalPosition, NotationError
from engines import record_games, records
from engines.records import LARGEST, Record, RecordError, decode, parse, replay, split_lines
from engines.rr import Position, Rules, move_texts
from tests.cli import examples
from tests.test_rr_laws import all_rules, studies, walk

FINISHED = "tqC/qMp/GmG r PT k"


@st.composite
def games(draw: st.DrawFn) -> Record:
    """From the start, from later on, or from a position set up by hand; finished or not."""
    if draw(st.integers(0, 4)) == 0:
        return Record(draw(studies(most_cards=6)))
    dice = Random(draw(st.integers(0, 999)))
    skipped = walk(dice.choice, draw(all_rules), draw(st.integers(0, 15)))
    start = position = skipped[-1]
    moves: list[str] = []
    for _ in range(draw(st.integers(0, 15))):
        if not position.over:
            moves.append(dice.choice(position.legal_moves()))
            position = position.play(moves[-1])
    return Record(start, moves)


@st.composite
def scribbled(draw: st.DrawFn, record: Record) -> str:
    """The record as somebody may have typed it."""
    blanks = st.text(" \t", max_size=3)
    noise = st.sampled_from(["", "\t", "; queen adjacent", "  ;Cb2 \u00fc", ";"])
    *header, first = split_lines(records.format(record))[:4]
    game, *options = header
    written = [game, *draw(st.permutations([*options, first]))]
    moves = list(record.moves)
    while moves:
        together = draw(st.integers(1, len(moves)))
        gap = draw(st.text(" \t", min_size=1, max_size=3))
        written.append(gap.join(moves[:together]))
        moves = moves[together:]
    lines: list[str] = []
    for line in written:
        lines += draw(st.lists(noise, max_size=2))
        lines.append(draw(blanks) + line + draw(blanks))
    text = draw(st.sampled_from(["\n", "\r\n", "\r"])).join(lines)
    return draw(st.sampled_from(["", "\ufeff"])) + text


# Laws


@given(games())
@examples(80)
def test_text_and_record_are_inverse(record: Record) -> None:
    text = records.format(record)
    read = parse(text)
    assert read == record
    assert hash(read) == hash(record)
    assert records.format(read) == text == str(record)
    assert (read.places, read.rules) == (record.places, record.rules)


@given(st.data(), games())
@examples(80)
def test_a_scribbled_record_is_the_same_game(data: st.DataObject, record: Record) -> None:
    text = data.draw(scribbled(record))
    read = parse(text)
    assert read == record
    assert parse(decode(text.encode("utf-8"))) == record
    lines = split_lines(text)
    for move, (line, column) in zip(read.moves, read.places, strict=True):
        assert lines[line - 1][column - 1 :].startswith(move)


@given(games())
@examples(40)
def test_a_replay_plays_the_moves_from_the_start(record: Record) -> None:
    first, *others = replay(record)
    assert first == record.start
    assert len(others) == len(record.moves)
    for move, after in zip(record.moves, others, strict=True):
        first = first.play(move)
        assert first == after


@given(games(), st.sampled_from([text for text in move_texts(Rules()) if text]))
@examples(80)
def test_a_record_takes_a_move_exactly_when_it_is_legal(record: Record, move: str) -> None:
    legal = move in replay(record)[-1].legal_moves()
    text = records.format(record) + move
    if legal:
        assert parse(text).moves == (*record.moves, move)
        return
    with pytest.raises(RecordError) as caught:
        parse(text)
    assert caught.value.line == 5 + len(record.moves)
    assert caught.value.column in range(1, len(move) + 1)


keys = st.sampled_from(["game", "rr", "queen", "ray", "ending", "position", "start", "game rr\n"])
moves = st.sampled_from(["Cb2", "Kb3xb2", "Kb2", f"position {FINISHED}", "\x1b[31m", "\ud800"])
blanks = st.sampled_from(["\n", "\r", " ", "\t", ";", "\0", "\ufeff", "\u00a0"])


@given(st.lists(keys | moves | blanks | st.text(max_size=5), max_size=20).map("".join))
@examples(200)
def test_any_text_is_read_or_refused_with_its_place(text: str) -> None:
    error = refusal(text)
    if error is None:
        assert parse(records.format(parse(text))) == parse(text)
        return
    assert str(error).isprintable()
    assert len(str(error)) < 600
    if error.line is not None:
        lines = split_lines(text)
        assert 1 <= error.line <= len(lines)
        assert error.column is not None
        assert 1 <= error.column <= len(lines[error.line - 1]) + 1


def refusal(text: str) -> RecordError | None:
    try:
        parse(text)
    except RecordError as error:
        return error
    return None


@given(st.binary(max_size=40) | st.text(max_size=20).map(lambda text: text.encode("utf-16")))
@examples(100)
def test_any_bytes_are_text_or_refused(data: bytes) -> None:
    try:
        text = decode(data)
    except RecordError:
        return
    assert text.encode("utf-8") == data


# Errors


@pytest.mark.parametrize(
    ("text", "line", "column", "told"),
    [
        ("", None, None, "begins with the line 'game rr'"),
        ("\n ; nothing\n", None, None, "no game here"),
        ("\nCb2", 2, 1, "begins with the line 'game rr'"),
        ("queen ray\ngame rr", 1, 1, "begins with the line 'game rr'"),
        (" game chess", 1, 7, "no game 'chess'; there is rr"),
        ("game", 1, 5, "no game ''"),
        ("game rr rr", 1, 6, "no game 'rr rr'"),
        ("game rr\nquen ray", 2, 1, "no key 'quen'; there is game, queen, ending, position"),
        ("game rr\n  Queen ray", 2, 3, "no key 'Queen'"),
        ("game rr\nqueen", 2, 6, "queen is ray or adjacent, not ''"),
        ("game rr\nending  soon", 2, 9, "ending is face-up or occupied, not 'soon'"),
        ("game rr\nqueen ray\nqueen ray", 3, 1, "'queen' has been given before"),
        ("game rr\ngame rr", 2, 1, "'game' has been given before"),
        ("game rr\nCb2\n queen ray", 3, 2, "'queen' must stand before the first move"),
        ("game rr\nCb2\nGAME rr", 3, 1, "'GAME' must stand before the first move"),
        ("game rr\nposition tqC r", 2, 13, "three ranks"),
        ("game rr\nposition", 2, 9, "four fields"),
        ("game rr\nposition tqX/qMp/GmG r PT k", 2, 12, "'X' is no card"),
        ("game rr\nCb2  Kz1", 2, 7, "after the card comes a square"),
        ("game rr\nCb2 ;why not", 2, 5, "a comment needs a line of its own"),
        ("game rr\nCb2\n\0", 3, 1, "NUL"),
        ("game rr\nCb2\u00a0Kb3", 2, 4, "Citizen has no effect"),
    ],
)
def test_what_does_not_parse_is_placed(
    text: str, line: int | None, column: int | None, told: str
) -> None:
    with pytest.raises(RecordError) as caught:
        parse(text)
    error = caught.value
    assert (error.line, error.column) == (line, column)
    assert told in str(error)
    assert isinstance(error.cause, NotationError)
    assert error.cause.column == column


@pytest.mark.parametrize(
    ("text", "line", "column", "told", "cause"),
    [
        ("game rr\n Cb2 Kb2", 2, 6, "b2 is not free", IllegalMove),
        ("game rr\nKb2", 2, 1, "Regality cannot play K now, only C", IllegalMove),
        (f"game rr\nposition {FINISHED}\n\nTb2", 4, 1, "the game is over", IllegalMove),
        (f"game rr\nposition {FINISHED}\nthe end", 3, 1, "no key 'the'", NotationError),
        ("game rr\nposition KK./.../... r K -", 2, 10, "more than two of K", IllegalPosition),
    ],
)
def test_what_breaks_the_rules_is_placed(
    text: str, line: int, column: int, told: str, cause: type[GameError]
) -> None:
    with pytest.raises(RecordError) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert told in str(caught.value)
    assert isinstance(caught.value.cause, cause)


def test_a_move_after_the_end_of_a_played_game_is_refused() -> None:
    start = Position.parse("tQC/K.p/.mG b PMT kqg")
    finished = Record(start, ["Ga1xa2", "Mb2~a1", "Qa2~ne"])
    assert replay(finished)[-1].over
    with pytest.raises(RecordError, match=r"line 8, column 1: the game is over"):
        Record(start, [*finished.moves, "Ka2"])


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        (b"game rr\n\xff", 2, 1),
        ("game rr\r\n; M\u00fcller, Mu\u00f1oz".encode("latin-1"), 2, 4),
        ("game rr\nCb2".encode("utf-16"), None, None),
        (b";" * (LARGEST + 1), None, None),
    ],
)
def test_bytes_that_are_no_record(data: bytes, line: int | None, column: int | None) -> None:
    with pytest.raises(RecordError) as caught:
        decode(data)
    assert (caught.value.line, caught.value.column) == (line, column)


def test_size_is_limited_whatever_stands_in_it() -> None:
    with pytest.raises(RecordError, match="larger than a record may be"):
        parse("game rr\n" + "\n" * LARGEST)
    for filling in (" ", "\n", "\r", "Cb2 "):
        with pytest.raises(RecordError):
            parse(("game chess\n" + filling * LARGEST)[:LARGEST])
        with pytest.raises(RecordError):
            parse(("game rr\nCb2 Kb2" + filling * LARGEST)[:LARGEST])


# Values


def test_the_defaults_of_a_record() -> None:
    record = parse("game rr")
    assert record == Record(Position.start())
    assert records.format(record) == "game rr\nqueen ray\nending face-up\nposition start\n"


def test_a_record_never_changes() -> None:
    record = parse("game rr\nCb2")
    with pytest.raises(AttributeError, match="cannot set moves"):
        record.moves = ()
    assert record != Record(Position.start(), ["Ca1"])
    assert record != "game rr"
    assert copy.deepcopy(record) == pickle.loads(pickle.dumps(record)) == record
    assert repr(record) == "<Record of rr, 1 moves>"


def test_an_error_survives_pickling() -> None:
    with pytest.raises(RecordError) as caught:
        parse("game rr\nKb2")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.line, again.column) == (str(caught.value), 2, 1)


def test_an_unknown_game_has_no_record() -> None:
    with pytest.raises(ValueError, match="no game 'chess'; there is rr"):
        Record(Position.start(), game="chess")


class Dice(record_games.Game):
    """A stand-in with chance: an outcome is a line of its own, blanks and all."""

    name = "dice"
    options: Mapping[str, tuple[str, ...]] = {}

    def entries(self, line: str) -> list[tuple[int, str]]:
        text = line.strip()
        return [(line.index(text) + 1, text)] if text.startswith("=") else super().entries(line)

    def start(self, chosen: Mapping[str, str], text: str, files: Mapping[str, str]) -> Position:
        return Rolls(())  # type: ignore[return-value]

    def header(self, start: Position) -> tuple[dict[str, str], str]:
        return {}, "start"


class Rolls(tuple[str, ...]):
    over = False

    def play(self, move: str) -> Rolls:
        return Rolls((*self, move))


def test_a_game_with_chance_can_be_added(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(record_games.GAMES, "dice", Dice())
    record = parse("game dice\nA B\n = 3 Barley\nC")
    assert record.moves == ("A", "B", "= 3 Barley", "C")
    assert record.places == ((2, 1), (2, 3), (3, 2), (4, 1))
    assert records.format(record) == "game dice\nposition start\nA\nB\n= 3 Barley\nC\n"
    assert parse(records.format(record)) == record
    assert replay(record)[-1] == record.moves
