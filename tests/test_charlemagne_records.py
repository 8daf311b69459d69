"""Charlemagne as text: records, labels, and the table in short. What is written can be read."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cython_core.errors import IllegalMove, NotationError
from engines import charlemagne_labels, charlemagne_setup, charlemagne_table, lines, records
from engines.charlemagne import CARDS, FARMSTEADS, PRESETS, Position
from engines.charlemagne_labels import CHANCES, DRAWS, Label, line_of, parse_line, text_of
from engines.charlemagne_table import ASKED, TableError
from engines.charlemagne_views import view_of
from engines.data_files import FOLDER
from engines.record_games import node_prefix
from engines.records import LARGEST, Record, RecordError, parse, replay
from tests.cli import examples

HEAD = "game charlemagne\nplayers 2\nfarmstead random\npreset full\n"
FIRST = "0 start b2\n0 start r3\n0 start s1\n1 start b1\n1 start r2\n1 start s2\n"
MICRO = "game charlemagne\nplayers 2\nfarmstead random\npreset micro\n"
MINE = "sha256:" + 64 * "0"  # no file has that digest
FILES = {"cards": str(FOLDER / "charlemagne.toml")}


def begun(draw: st.DrawFn) -> Position:
    preset = draw(st.sampled_from(PRESETS))
    return Position.start(
        draw(st.integers(2, 4)) if preset == "full" else 2,
        draw(st.sampled_from(FARMSTEADS)),
        preset=preset,
        cards=draw(st.sampled_from((None, FILES["cards"]))) if preset == "full" else None,
    )


@st.composite
def games(draw: st.DrawFn, longest: int = 250) -> tuple[Record, Position]:
    """A record and the position it was made from, some finished."""
    start = position = begun(draw)
    luck = Random(draw(st.integers(0, 9999)))
    entries: list[str] = []
    for _ in range(draw(st.integers(0, longest))):
        if position.over:
            break
        text = position.pick(luck.random())
        entries.append(lines.join(node_prefix(position), text))
        position = position.play(text)
    return Record(start, entries, game="charlemagne"), position


def walk(seed: int, players: int = 3, farmstead: str = "choice") -> Iterator[tuple[Position, str]]:
    """A whole random game, step by step: positions and what is played there."""
    position, luck = Position.start(players, farmstead), Random(seed)
    while not position.over:
        text = position.pick(luck.random())
        yield position, text
        position = position.play(text)


def everything(position: Position) -> object:
    """All that can be asked of a position."""
    return (
        position.node, position.item, position.piles, position.public, position.points,
        position.year, position.card, position.returns(), position.returns("rank"),
        position.legal_moves(), position.outcomes(), position.rules, position.words,
    )  # fmt: skip


# Records


@given(games())
@examples(60)
def test_text_and_record_are_inverse(game: tuple[Record, Position]) -> None:
    record, position = game
    text = records.format(record)
    read = parse(text, FILES)
    assert read == record
    assert hash(read) == hash(record)
    assert records.format(read) == text == str(record) == str(position)
    assert (read.places, read.rules) == (record.places, record.rules)


@given(games())
@examples(40)
def test_a_replay_leads_to_the_position_it_was_made_from(game: tuple[Record, Position]) -> None:
    record, position = game
    positions = replay(parse(records.format(record), FILES))
    assert len(positions) == len(record.moves) + 1
    assert everything(positions[-1]) == everything(position)
    assert positions[-1] == position == pickle.loads(pickle.dumps(position))
    assert hash(positions[-1]) == hash(position)


@pytest.mark.parametrize("farmstead", FARMSTEADS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_whole_games_replay(players: int, farmstead: str) -> None:
    for seed in range(3):
        *_, (last, text) = walk(seed, players, farmstead)
        position = last.play(text)
        read = replay(parse(str(position)))[-1]
        assert read.over
        assert read == position
        assert everything(read) == everything(position)


@given(games(60))
@examples(25)
def test_no_two_steps_of_a_node_are_written_alike(game: tuple[Record, Position]) -> None:
    for position in replay(game[0]):
        steps = position.outcomes() or position.legal_moves()
        assert len({lines.join(node_prefix(position), text) for text in steps}) == len(steps)
        ids = position.legal_actions() or [edge for edge, _ in position.weights()]
        assert [position.edge_text(edge) for edge in ids] == list(steps)


@given(
    games(60),
    st.integers(0, 3),
    st.sampled_from(["start b2", "rule end", "bid pass", "bid b", "church b", "loot b0"]),
)
@examples(60)
def test_a_step_is_taken_exactly_when_it_is_possible(
    game: tuple[Record, Position], seat: int, step: str
) -> None:
    record, position = game
    entry = f"{seat} {step}"
    steps = position.outcomes() or position.legal_moves()
    text = records.format(record) + entry
    if entry in {lines.join(node_prefix(position), text) for text in steps}:
        assert parse(text, FILES).moves == (*record.moves, entry)
        return
    with pytest.raises(RecordError) as caught:
        parse(text, FILES)
    assert (caught.value.line, caught.value.column) == (5 + len(record.moves), 1)


words = st.sampled_from(
    ["game charlemagne\n", "players 3\n", "farmstead choice\n", "0 start b2\n", "1 start ", "\n",
     "card war-castle-b @1\n", "preset micro\n", f"preset {MINE}\n", " ", ";", "\0", "0 bid stop\n",
     "position start\n", "\x1b[31m", "-1 start b1\n"]
)  # fmt: skip


@given(st.lists(words | st.text(max_size=4), max_size=15).map("".join))
@examples(150)
def test_any_text_is_read_or_refused_with_its_place(text: str) -> None:
    text = "game charlemagne\n" + text
    try:
        record = parse(text)
    except RecordError as error:
        refused: RecordError = error
    else:
        assert parse(records.format(record)) == record
        return
    assert str(refused).isprintable()
    assert len(str(refused)) < 700
    if refused.line is not None:
        assert 1 <= refused.line <= len(records.split_lines(text)) + 1
        assert refused.column is not None


def test_a_record_reads_well() -> None:
    dealt = f"{MICRO}0 start b0\n0 start r1\n1 start b0\n1 start r0\n"
    cards = "card war-privilege-b @1\ncard war-castle-b @0\n"
    year = ["0 bid r", "0 bid stop", "1 bid k", "1 bid stop", "0 bid pass", "1 rule end"]
    fall = ["0 rule end", "1 mercy decline", "1 lead war-privilege-b"]
    record = parse(dealt + cards + "\n".join([*year, *fall]))
    assert record.moves[6:] == (*year, *fall)
    assert replay(record)[-1].node == ("decision", 1, "bid")


def test_blanks_comments_and_defaults() -> None:
    text = "\ufeff;mine\r\n game\tcharlemagne\r\nplayers  2\r\n\r\n\t0   start\tb2 \r\n"
    record = parse(text)
    assert record.moves == ("0 start b2",)
    assert record.places == ((5, 2),)
    assert records.format(record) == HEAD + "0 start b2\n"
    assert parse("game charlemagne").rules == Position.start().rules == (4, "random", "full", None)


def test_a_record_can_be_copied_and_never_changes() -> None:
    record = parse(HEAD + FIRST)
    assert copy.deepcopy(record) == pickle.loads(pickle.dumps(record)) == record
    assert record != parse(HEAD.replace("random", "choice") + FIRST)
    assert repr(record) == "<Record of charlemagne, 6 moves>"


@pytest.mark.parametrize(
    ("text", "line", "column", "told"),
    [
        ("game charlemagne\nplayers 5", 2, 9, "players is 4 or 2 or 3, not '5'"),
        ("game charlemagne\nfarmstead off", 2, 11, "farmstead is random or choice, not 'off'"),
        ("game charlemagne\npreset micro\nfarmstead choice", 3, 11, "2 play the micro game, not 4"),
        ("game charlemagne\nposition start", 2, 1, "no key 'position'"),
        ("game charlemagne\nevents off", 2, 1, "no key 'events'; there is game, players, farmst"),
        ("game charlemagne\nplayers 3\nplayers 3", 3, 1, "has been given before"),
        (f"game charlemagne\npreset {MINE}", 2, 8, "must be given (--cards FILE)"),
        (HEAD + "0 start b2\nplayers 3", 6, 1, "must stand before the first move"),
        (HEAD + "  0 Start b", 5, 3, "is neither a move nor a card, such as '0 start b2'"),
        (HEAD + "9 start b2", 5, 1, "neither a move nor a card"),
        (HEAD + "0 start b2 0 start r3", 5, 1, "neither a move nor a card"),
        (HEAD + "0 start b2 ; mine", 5, 12, "a comment needs a line of its own"),
        (HEAD + "0 start ?", 5, 1, "neither a move nor a card"),
    ],
)
def test_what_does_not_parse_is_placed(text: str, line: int, column: int, told: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert told in str(caught.value)
    assert isinstance(caught.value.cause, NotationError)


@pytest.mark.parametrize(
    ("steps", "line", "told"),
    [
        ("1 start b2", 5, "'1 start b2' is not possible here; there is 0 start b0, 0 start b1"),
        ("0 loot b2", 5, "not possible here"),
        ("0 start b9", 5, "not possible here"),
        (FIRST + "card war-castle-b @0", 11, "there is card war-privilege-b @0, card war-priv"),
        (FIRST + "card war-privilege-b @2", 11, "not possible here"),
        (FIRST + "0 bid pass", 11, "not possible here"),
    ],
)
def test_what_breaks_the_rules_is_placed(steps: str, line: int, told: str) -> None:
    with pytest.raises(RecordError) as caught:
        parse(HEAD + steps)
    assert (caught.value.line, caught.value.column) == (line, 1)
    assert told in str(caught.value)
    assert isinstance(caught.value.cause, IllegalMove)


def test_nothing_follows_the_end() -> None:
    position = Position.start(2, preset="micro")
    while not position.over:
        position = position.play(position.pick(0))
    with pytest.raises(RecordError, match="the game is over"):
        parse(f"{position}0 rule end\n")
    with pytest.raises(IllegalMove, match="nothing: the game is over"):
        position.play("end")


def test_size_is_limited_whatever_stands_in_it() -> None:
    for filling in (" ", "\n", "0 start b0\n", "card ", ";"):
        with pytest.raises(RecordError):
            parse((HEAD + filling * LARGEST)[: LARGEST + 1])


def of_ones_own(folder: Path, change: tuple[str, str] = ("", "")) -> str:
    text = Path(FILES["cards"]).read_text("utf-8")
    assert change[0] in text
    path = folder / "my-cards.toml"
    path.write_text(text.replace(*change, 1), "utf-8")
    return str(path)


def test_a_file_of_ones_own_is_named_by_what_it_says(tmp_path: Path) -> None:
    path = of_ones_own(tmp_path, ("[huts_start]\nvalue = 2", "[huts_start]\nvalue = 3"))
    record = Record(Position.start(3, cards=path), ["0 start b0"], game="charlemagne")
    preset = str(record).split("\n")[3]
    assert preset.startswith("preset sha256:")
    assert str(tmp_path) not in str(record)
    read = parse(str(record), {"cards": path})
    assert (read, hash(read), str(read)) == (record, hash(record), str(record))
    assert replay(read)[-1].public["huts"] == [3, 3, 3]
    moved = tmp_path / "moved.toml"
    moved.write_text("# mine\r\n" + Path(path).read_text("utf-8"), "utf-8")
    assert parse(str(record), {"cards": str(moved)}) == record
    with pytest.raises(RecordError, match="the preset of this game are others than those in"):
        parse(str(record), FILES)
    assert record != Record(Position.start(3), ["0 start b0"], game="charlemagne")
    dumped = pickle.dumps(replay(record)[-1])
    Path(path).write_text(Path(FILES["cards"]).read_text("utf-8"), "utf-8")
    with pytest.raises(ValueError, match="other files than those that are there now"):
        pickle.loads(dumped)


def test_a_state_without_a_past_has_no_record() -> None:
    position = Position(Position.start(3).to_core())
    with pytest.raises(ValueError, match="a record begins where a game begins"):
        str(Record(position, game="charlemagne"))
    with pytest.raises(ValueError, match="a record begins where a game begins"):
        str(Record(Position.start(3).play("b3"), game="charlemagne"))
    assert str(position).startswith("charlemagne, without a past")


# Labels


DECIDED = ("lead", "change", "bid", "reward", "rule", "raid", "farmstead", "number")


def labels_of(position: Position, text: str) -> Iterator[tuple[Label, str]]:
    """What every seat learns from it, and the text of RULES.md for that."""
    steps = position.outcomes() or position.legal_moves()
    ids = position.legal_actions() or [edge for edge, _ in position.weights()]
    edge = ids[list(steps).index(text)]
    for viewer in range(len(position.points)):
        yield Label(*position.to_core().label(edge, viewer)), position.label(text, viewer)


def without_item(label: Label) -> Label:
    """Which kind a hidden draw is about is not said."""
    return label._replace(item=None) if label.kind in DRAWS and label.edge is None else label


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_line_and_what_a_seat_learns_are_inverse(players: int) -> None:
    seen = set()
    for seed in range(4):
        for position, text in walk(seed, players):
            for label, short in labels_of(position, text):
                line = line_of(label)
                assert parse_line(line) == without_item(label)
                assert line_of(parse_line(line)) == line
                assert text_of(label) == short
                seen.add((label.kind, label.edge is None, label.found, label.shown is None))
    assert {kind for kind, *_ in seen} >= {*CHANCES, *DECIDED} - {"extra"}
    assert ("rule", False, False, False) in seen
    assert ("rule", False, False, True) in seen
    assert ("rule", False, True, True) in seen


@pytest.mark.parametrize(
    ("line", "label"),
    [
        ("0 start b2", Label("start", 0, 0, 2)),
        ("0 start ?", Label("start", 0, None, None)),
        ("3 alms s12", Label("alms", 3, 2, 12)),
        ("card war-castle-b ?", Label("card", -1, 4, None)),
        ("card millennium @3", Label("card", -1, 24, 3)),
        ("2 income rk", Label("income", 2, None, 3 + 27)),
        ("2 income -", Label("income", 2, None, 0)),
        ("1 rule bribe @0 = k", Label("rule", 1, None, 60, True)),
        ("1 rule bribe @0 = -", Label("rule", 1, None, 60, False)),
        ("1 rule bribe @0 = - (bbrs)", Label("rule", 1, None, 60, False, (2, 1, 1, 0))),
        ("2 farmstead b = -", Label("farmstead", 2, None, 25, False)),
        ("2 farmstead b", Label("farmstead", 2, None, 25)),
        ("2 farmstead random", Label("farmstead", 2, None, 65)),
        ("1 number 3", Label("number", 1, None, 73)),
        ("1 reward mill @0", Label("reward", 1, None, 35)),
        ("1 raid yield builder", Label("raid", 1, None, 53)),
        ("0 lead war-privilege-b", Label("lead", 0, None, 0)),
    ],
)
def test_lines_as_they_are_written(line: str, label: Label) -> None:
    assert parse_line(line) == label
    assert line_of(label) == line


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("", "is nothing that a seat learns"),
        ("0 deal b", "is nothing that a seat learns"),
        ("4 start b2", "is nothing that a seat learns"),
        ("0 card war-castle-b @1", "a seat comes first, save for a card"),
        ("start b2", "a seat comes first, save for a card"),
        ("card war-castle-b", "a card, and then ? @0 @1 @2 @3 is wanted"),
        ("card war-castle-b @4", "a card, and then"),
        ("card war-castle @1", "a card, and then"),
        ("0 start b13", "a letter of brsk and how many, to 12"),
        ("0 start b02", "a letter of brsk"),
        ("0 start x1", "a letter of brsk"),
        ("0 start", "a letter of brsk"),
        ("0 income ?", "pieces are letters in the order brsk"),
        ("0 income kr", "pieces are letters in the order brsk"),
        ("0 income bbb", "nobody has so many privileges of a kind"),
        ("0 bid ?", "is no move at a node of this kind (bid)"),
        ("0 rule fight", "is no move at a node of this kind (rule)"),
        ("0 rule bribe @1", "what did it find?"),
        ("0 rule bribe @1 = s", "is nothing that a seat learns"),
        ("0 rule hut = k", "nothing is found by that"),
        ("0 farmstead b = k", "nothing is found by that"),
        ("0 farmstead random = -", "nothing is found by that"),
        ("0 rule bribe @1 = k (b)", "a storage is seen where no Knight is found"),
        ("0 farmstead b = - (b)", "a storage is seen where no Knight is found"),
        ("0 rule hut (b)", "a storage is seen where no Knight is found"),
        ("0 rule bribe @1 = - (bk)", "a storage that is seen has no Knight in it"),
        ("0 rule bribe @1 = - (sb)", "pieces are letters in the order"),
        ("0 rule bribe @1 = - ()", "pieces are letters in the order"),
        ("0 rule bribe @1 = - (-)", "no storage that is seen has so many pieces"),
        ("0 rule bribe @1 = - (" + 26 * "b" + ")", "no storage that is seen has so many pieces"),
    ],
)
def test_what_no_seat_learns_is_refused(line: str, told: str) -> None:
    with pytest.raises(NotationError) as caught:
        parse_line(line)
    assert told in str(caught.value)


@given(st.text(max_size=30) | st.sampled_from(["0 start b2", "card war-castle-b ?"]))
@examples(100)
def test_any_line_is_read_or_refused(line: str) -> None:
    try:
        label = parse_line(line)
    except NotationError as error:
        told = str(error)
    else:
        assert line_of(label) == line
        return
    assert told.isprintable()


def test_pieces_are_written_as_they_are_read() -> None:
    for counts in ((0, 0, 0, 0), (2, 0, 1, 3), (16, 16, 16, 16)):
        assert charlemagne_labels.pieces_of(charlemagne_labels.pieces_text(counts)) == counts


# Views


def test_a_view_says_no_more_than_a_seat_may_see() -> None:
    """Two games that a seat cannot tell apart look alike to it, and have equal keys."""
    for seed in range(6):
        luck, viewer = Random(seed), seed % 3
        first = second = Position.start(3, "choice")
        for _ in range(250):
            if first.over:
                break
            text = first.pick(luck.random())
            learned = first.label(text, viewer)
            others = [
                other
                for other in second.outcomes() or second.legal_moves()
                if second.label(other, viewer) == learned
            ]
            if not others:
                break
            first, second = first.play(text), second.play(luck.choice(others))
            assert first.info_key(viewer) == second.info_key(viewer)
            assert view_of(first, viewer) == view_of(second, viewer)
            assert first.view_key(viewer) == second.view_key(viewer)
        assert first != second


def test_a_view_has_one_shape() -> None:
    shapes = {
        tuple((name, len(part)) for name, part in view_of(position, 1).items())
        for position, _ in walk(1)
    }
    assert len(shapes) == 1


# The table in short


def seen_tables(seed: int, players: int) -> Iterator[tuple[Position, charlemagne_table.Table]]:
    for position, _ in walk(seed, players):
        if position.node.what in ASKED and (
            position.node.what != "bid" or "pass" in position.legal_moves()
        ):
            yield position, charlemagne_table.seen(position, seed % players)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_table_and_its_text_are_inverse(players: int) -> None:
    kinds = set()
    for seed in range(2):
        for position, table in seen_tables(seed, players):
            text = charlemagne_table.lines_of(table)
            assert text[0] == "table"
            assert all(len(line) < 500 for line in text)
            shown = table if "card" in ASKED[table.next[1]] else table._replace(card=None)
            assert charlemagne_table.parse(text[1:], players) == shown
            assert charlemagne_table.parse(text[:0:-1], players) == shown
            assert table.year == position.public["year"]
            kinds.add(table.next[1])
    assert kinds >= {"lead", "bid", "reward", "rule", "farmstead", "mercy"}


def test_a_table_hides_what_the_seat_does_not_know() -> None:
    for position, table in seen_tables(1, 3):
        for seat, row in enumerate(table.seats):
            assert row.resources == position.public["resources"][seat]
            assert row.cards == position.public["hands"][seat]
            if seat == 1:
                assert (row.unknown, row.unseen) == (0, 0)
                assert list(row.storage) == position.piles["storages"][seat]
            else:
                assert (sum(row.storage), row.hand) == (0, ())


def test_what_lies_open_no_more_is_remembered() -> None:
    leader, settled = -1, False
    for position, text in walk(3, 4):
        what = position.node.what
        if what in ("change", "rule"):
            table = charlemagne_table.seen(position, 0)
            assert table.leader == (leader if what == "change" else 0)
            assert table.settled == (settled if what == "rule" else False)
        if what == "lead":
            leader = position.node.seat
        if what == "rule" and text != "hut":
            settled = text == "builder"


def test_no_table_is_seen_in_the_middle_of_something() -> None:
    refused = set()
    for position, _ in walk(1, 4):
        what = position.node.what
        laid = what == "bid" and "stop" in position.legal_moves()
        if what not in ASKED or laid:
            refused.add(what)
            with pytest.raises(ValueError, match=f"at a node of this kind \\({what}\\)"):
                charlemagne_table.seen(position, 0)
    assert refused >= {"start", "card", "bid", "raid", "harvest", "income"}


TABLE = [
    "next 1 bid",
    "solved millennium",
    "card war-castle-b",
    "passed -",
    "bid 0 - bk",
    "player 0 1 2 0 b ??? unrest-privilege-k,?",
    "player 1 0 2 0 - bbsk taxes-castle-r",
]


def test_a_table_by_hand() -> None:
    table = charlemagne_table.parse(TABLE, 2)
    assert table.next == (1, "bid")
    assert table.card == CARDS.index("war-castle-b")
    assert (table.bids[0], table.raises[0]) == ((0, 0, 0, 0), (1, 0, 0, 1))
    assert table.seats[0].hand == (CARDS.index("unrest-privilege-k"),)
    assert (table.seats[0].unknown, table.seats[0].unseen) == (3, 1)
    assert table.seats[1].storage == (2, 0, 1, 1)
    assert charlemagne_table.lines_of(table)[1:] == TABLE


@pytest.mark.parametrize(
    ("old", "new", "line", "told"),
    [
        ("next 1 bid", "", 6, "the table lacks next"),
        ("next 1 bid", "next 2 bid", 0, "next: from 0 to 1, not 2"),
        ("next 1 bid", "next 1 raid", 0, "next: a seat and one of lead, change, bid"),
        ("next 1 bid", "next 1 rule", 2, "no key 'card' of such a table; there is next, winner"),
        ("passed -", "passed 1,1", 3, "passed: a seat stands there twice"),
        ("passed -", "passed 2", 3, "passed: from 0 to 1, not 2"),
        ("passed -", "", 6, "the table lacks passed"),
        ("passed -", "solved -", 3, "solved has been given before"),
        ("solved millennium", "solved millennium,millennium", 1, "a card stands there twice"),
        ("card war-castle-b", "card war", 2, "card: no card 'war'"),
        ("bid 0 - bk", "bid 0 bk", 4, "bid 0: two words are wanted"),
        ("bid 0 - bk", "bid 2 - bk", 4, "no key 'bid 2' of such a table"),
        ("bid 0 - bk", "bid 0 - kb", 4, "bid 0: 'kb': pieces are letters in the order brsk"),
        ("player 0 1", "player 0 x", 5, "player 0: a whole number is wanted, not 'x'"),
        ("player 0 1 2 0", "player 0 1 7 0", 5, "from 0 to 6, not 7"),
        (" taxes-castle-r", "", 6, "player 1: six words are wanted"),
        ("???", "?b?", 5, "pieces are letters in the order"),
        ("bbsk", "bbsk" + 22 * "?", 6, "at most 25 letters of brsk"),
        ("bbsk", "-?", 6, "at most 25 letters of brsk"),
        ("unrest-privilege-k,?", "?" + 30 * ",?", 5, "there are only 25 cards"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused(old: str, new: str, line: int, told: str) -> None:
    text = [row.replace(old, new) for row in TABLE]
    with pytest.raises(TableError) as caught:
        charlemagne_table.parse([row for row in text if row], 2)
    assert told in str(caught.value)
    assert caught.value.line == line
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.line) == (str(caught.value), line)


def test_a_true_table_has_no_problems() -> None:
    for players in (2, 3, 4):
        for seed in range(3):
            start = Position.start(players, "choice")
            for position, table in seen_tables(seed, players):
                assert charlemagne_setup.problems(start, table, seed % players) == [], position


def test_the_table_of_the_rules_can_be() -> None:
    text = (FOLDER.parents[1] / "RULES.md").read_text("utf-8")
    _, _, rest = text.partition("preset mini\nseat 0\ntable\n")
    table = charlemagne_table.parse(rest.partition("\n```")[0].split("\n"), 2)
    start = Position.start(2, preset="mini")
    assert charlemagne_setup.problems(start, table, 0) == []
    assert charlemagne_setup.problems(start, table, 1)[0].startswith("player 1: one's own")


FULL_TABLE = [
    "next 0 bid",
    "solved millennium,war-castle-b",
    "card war-castle-k",
    "passed -",
    "bid 1 b k",
    "bid 2 - sk",
    "player 0 1 2 0 b bbsk " + ",".join(CARDS[:4] + CARDS[6:9]),
    "player 1 1 3 1 - ??? " + ",".join("???????"),
    "player 2 0 2 0 s bb?? unrest-castle-s," + ",".join("???????"),
]
RULE_TABLE = [
    "next 0 rule", "winner 2", "solved millennium,war-castle-b", "settled no", "plundered 1",
    "player 0 1 3 1 b bbsk " + ",".join(CARDS[:4] + CARDS[6:9]),
    "player 1 1 3 1 - ??? " + ",".join("????????"),
    "player 2 0 2 0 s bb?? unrest-castle-s," + ",".join("???????"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("table", "old", "new", "told"),
    [
        (FULL_TABLE, "", "", ""),
        (RULE_TABLE, "", "", ""),
        (FULL_TABLE, "unrest-castle-s", "war-castle-b", "war-castle-b is in two places"),
        (FULL_TABLE, "unrest-castle-s", "?", ""),
        (FULL_TABLE, "unrest-castle-s,", "", "but other hands hold 14 that are not named"),
        (FULL_TABLE, "bbsk", "bbs?", "player 0: one's own pieces and cards are known"),
        (FULL_TABLE, "solved millennium,", "solved ", "solved: the first card solved is millenn"),
        (FULL_TABLE, "player 0 1", "player 0 9", "points in all; the cards solved give 2 to 5"),
        (FULL_TABLE, "player 1 1 3 1", "player 1 1 3 4", "player 1: 4 builders are too many"),
        (FULL_TABLE, " ??? ", " ????????? ", "player 1: 9 pieces; at most 8 now"),
        (FULL_TABLE, " b bbsk", " bbb bbsk", "1 privileges b too many"),
        (FULL_TABLE, "bbsk", "bbbbbbbbbbb", "player 0: 11 pieces; at most 10"),
        (FULL_TABLE, "passed -", "passed 0", "next: seat 0 has passed"),
        (FULL_TABLE, "passed -", "passed 1,2", "with one noble left the bidding is over"),
        (FULL_TABLE, "passed -", "passed 1", "bid 1: who has passed has nothing on the board"),
        (FULL_TABLE, "bid 1 b k", "bid 1 bk -", "bid 1: the last raise is at least one piece"),
        (FULL_TABLE, "bid 1 b k", "bid 1 s k", "bids: no two totals are equal"),
        (FULL_TABLE, "bid 1 b k", "bid 0 kk k", "next: seat 0 has the highest total"),
        (RULE_TABLE, "plundered 1", "plundered 0,1", "plundered: nobody plunders himself"),
        (RULE_TABLE, "settled no", "settled yes", ""),
        (RULE_TABLE, "winner 2", "winner 1", ""),
        (RULE_TABLE, " bb??", " " + 13 * "?", "player 2: 13 pieces; at most 12 now"),
        (RULE_TABLE, " ??? ", " " + 11 * "?" + " ", "player 1: 11 pieces; at most 10 now"),
    ],
)
def test_tables_that_cannot_be_are_refused(table: list[str], old: str, new: str, told: str) -> None:
    text = [row.replace(old, new) for row in table]
    read = charlemagne_table.parse(text, 3)
    reasons = charlemagne_setup.problems(Position.start(3), read, 0)
    if told:
        assert any(told in reason for reason in reasons), reasons
    else:
        assert reasons == []


@given(st.lists(st.text(min_size=1, max_size=12).filter(str.split) | st.sampled_from(TABLE)))
@examples(100)
def test_any_lines_are_a_table_or_refused(text: list[str]) -> None:
    with_error: TableError | None = None
    try:
        table = charlemagne_table.parse(text, 2)
    except TableError as error:
        with_error = error
    else:
        assert charlemagne_table.parse(charlemagne_table.lines_of(table)[1:], 2) == table
    assert with_error is None or str(with_error).isprintable()
