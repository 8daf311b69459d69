"""`solve new`, `solve show` and `solve perft` for Charlemagne."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cython_core.game import perft
from engines.charlemagne import CARDS, FARMSTEADS, KINDS, PRIVILEGES, Position
from engines.data_files import FOLDER
from engines.records import LARGEST, parse, replay
from solvers.cli.charlemagne_board import drawn, seen
from tests.cli import Outcome, examples, process, solve

MICRO = ("--players", "2", "--preset", "micro")
THREE = ("--players", "3", "--seed", "1")


def new(*arguments: str) -> str:
    outcome = solve("new", "charlemagne", *arguments)
    assert (outcome.status, outcome.err) == (0, "")
    return outcome.out


def show(record: str, *arguments: str) -> Outcome:
    return solve("show", "charlemagne", "-", *arguments, stdin=record.encode())


def shown(record: str, *arguments: str) -> str:
    outcome = show(record, *arguments)
    assert (outcome.status, outcome.err) == (0, "")
    return outcome.out


def assert_refused(outcome: Outcome, status: int = 2, told: str = "") -> None:
    assert (outcome.status, outcome.out) == (status, "")
    assert outcome.err.startswith("solve: ")
    assert told in outcome.err
    assert len(outcome.err) < 3000
    assert all(char == "\n" or char.isprintable() for char in outcome.err)


settings = st.tuples(st.integers(2, 4), st.sampled_from(FARMSTEADS))


def options(setting: tuple[int, str]) -> list[str]:
    players, farmstead = setting
    return ["--players", str(players), "--farmstead", farmstead]


# new


@given(settings, st.integers(0, 2**63 - 1), st.integers(0, 90), st.integers(0, 90))
@examples(25)
def test_a_seed_makes_one_game_and_more_moves_go_on_with_it(
    setting: tuple[int, str], seed: int, moves: int, more: int
) -> None:
    arguments = [*options(setting), "--seed", str(seed), "--moves"]
    text = new(*arguments, str(moves))
    assert new(*arguments, str(moves)) == text
    assert new(*arguments, str(moves + more)).startswith(text)
    record = parse(text)
    assert str(record) == text
    assert record.rules[:2] == setting
    nodes = [position.node.kind for position in replay(record)]
    assert nodes[-1] in ("decision", "over")
    assert nodes[:-1].count("decision") == moves or nodes[-1] == "over"


def test_a_seeds_game_is_the_same_everywhere() -> None:
    lines = new("--players", "3", "--seed", "1", "--moves", "2").split("\n")
    assert [line for line in lines if " start " in line] == START
    assert sum(line.startswith("card ") for line in lines) == 24
    assert lines[-3:] == ["0 bid s", "0 bid s", ""]


START = [
    "0 start b1", "0 start r4", "0 start s2", "1 start b1", "1 start r2", "1 start s2",
    "2 start b3", "2 start r2", "2 start s0",
]  # fmt: skip


def test_seeds_differ_and_games_are_played_to_their_end() -> None:
    games = {new("--players", "4", "--seed", str(seed)) for seed in range(20)}
    assert len(games) == 20
    for farmstead in FARMSTEADS:
        whole = new(*THREE, "--moves", "100000", "--farmstead", farmstead)
        assert replay(parse(whole))[-1].over


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "--players"),
        (["--players", "3"], "--seed"),
        (["--players", "9", "--seed", "1"], "from 2 to 8"),
        (["--players", "5", "--seed", "1"], "2 to 4 play Charlemagne, not 5; choose another"),
        (["--players", "4", "--seed", "1", "--preset", "mini"], "2 play the mini game, not 4"),
        (["--players", "3", "--seed", "1", "--preset", "big"], "--preset"),
        (["--players", "3", "--seed", "1", "--moves", "x"], "from 0 to 100000"),
        (["--players", "3", "--seed", "1", "--farmstead", "on"], "--farmstead: farmstead is one"),
        (["--players", "3", "--seed", "1", "--events", "off"], "an option of Richard I, not of"),
        (["--players", "3", "--seed", "1", "--seat", "3"], "the seats 0 to 2"),
        (["--players", "3", "--seed", "1", "--short"], "It goes with --seat"),
        (["--players", "3", "--seed", "1", "\x1b[31m"], "unrecognized"),
    ],
)
def test_new_games_that_make_no_sense(arguments: list[str], told: str) -> None:
    assert_refused(solve("new", "charlemagne", *arguments), 2, told)


def test_options_of_charlemagne_are_not_those_of_richard() -> None:
    start = ("--players", "3", "--seed", "1", "--farmstead", "random")
    told = "--farmstead: an option of Charlemagne, not of Richard I"
    assert_refused(solve("new", "richard", *start), 2, told)
    assert_refused(solve("perft", "richard", *start, "--depth", "1"), 2, told)


# show


@given(settings, st.integers(0, 999), st.integers(0, 200))
@examples(25)
def test_everything_is_shown_when_no_seat_is_named(
    setting: tuple[int, str], seed: int, moves: int
) -> None:
    text = new(*options(setting), "--seed", str(seed), "--moves", str(moves))
    position = replay(parse(text))[-1]
    answer = json.loads(shown(text, "--json"))
    table, piles = position.public, position.piles
    assert list(answer["stock"]["kinds"].values()) == piles["stock"]
    for number, seat in enumerate(answer["seats"]):
        assert list(seat["storage"]["kinds"].values()) == piles["storages"][number]
        assert seat["hand"]["held"] == [CARDS[card] for card in piles["hands"][number]]
        assert list(seat["privileges"].values()) == table["privileges"][number]
        assert list(seat["bid"].values()) == table["bids"][number]
        assert list(seat["raise"].values()) == table["raises"][number]
        for name in ("points", "huts", "builders", "passed", "plundered", "poor"):
            assert seat[name] == table[name][number]
    assert answer["year"] == position.year
    assert (answer["card"]["name"] if answer["card"] else "") == position.card
    assert answer["castle"]["built"] == table["built"]
    assert answer["moves"] == list(position.legal_moves())
    assert answer["node"] == position.node._asdict()
    assert answer["returns"] == (position.returns() if position.over else None)


@given(settings, st.integers(0, 999), st.integers(0, 200), st.integers(0, 3))
@examples(25)
def test_a_seat_sees_what_is_its_own_and_only_sizes_of_the_rest(
    setting: tuple[int, str], seed: int, moves: int, seat: int
) -> None:
    viewer = seat % setting[0]
    text = new(*options(setting), "--seed", str(seed), "--moves", str(moves))
    position = replay(parse(text))[-1]
    answer = json.loads(shown(text, "--json", "--seat", str(viewer)))
    table = shown(text, "--seat", str(viewer)).split("\n")
    piles = position.piles
    assert answer["stock"] == {"pieces": sum(piles["stock"]), "kinds": None}
    for number, one in enumerate(answer["seats"]):
        storage, hand = piles["storages"][number], piles["hands"][number]
        assert one["storage"]["pieces"] == sum(storage)
        assert one["hand"]["cards"] == len(hand)
        row = next(line for line in table if line.startswith(f"{number}   "))
        if number == viewer:
            assert list(one["storage"]["kinds"].values()) == storage
            assert one["hand"]["held"] == [CARDS[card] for card in hand]
            assert "?" not in row
        else:
            assert one["storage"]["kinds"] is one["hand"]["held"] is None
            assert row.count("?") == sum(storage)
    mine = position.node[:2] == ("decision", viewer)
    assert (answer["moves"] is not None) == mine


def test_a_seat_is_not_shown_what_it_cannot_know() -> None:
    """Two games that it cannot tell apart look alike, also within a draw or the deal."""
    for seed in range(8):
        luck, viewer = Random(seed), seed % 3
        start = first = second = Position.start(3, "choice")
        for _ in range(150):
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
            views = [seen(position, start, viewer) for position in (first, second)]
            assert views[0] == views[1]
            assert drawn(views[0]) == drawn(views[1])
        assert seen(first, start, None) != seen(second, start, None)


def test_the_drawing() -> None:
    text = new(*THREE, "--moves", "12")
    lines = shown(text, "--seat", "1").split("\n")
    assert lines[:7] == [
        "Charlemagne, 3 players, as seat 1 sees it",
        "farmstead random, full game",
        "",
        "year 999 (1), on the table: millennium",
        "a piece is worth, for unrest: b 2 r 1 s 4 k 3",
        "castle: 0 of 6 pieces built; points of those to come: 1 1 1 2 2 3",
        "solved: nothing",
    ]
    assert lines[8].split() == [
        "seat", "VP", "huts", "builders", "storage", "cards", "bid", "privileges",
    ]  # fmt: skip
    assert lines[10].split() == ["1", "0", "2", "0", "brrs", "(4)", "8", "skkk", "-"]
    assert any(line.startswith("seat 1 holds war-") for line in lines)
    assert not any(line.startswith("seat 0 holds") for line in lines)
    assert "next: seat 2 bids" in lines
    for seed in range(8):
        whole = shown(new("--players", "4", "--seed", str(seed), "--moves", str(seed * 50)))
        assert all(len(line) <= 110 and line.isascii() for line in whole.split("\n"))
    before = shown("game charlemagne\nplayers 3\n")
    assert "next: seat 0 draws the first pieces" in before


def test_at_the_end_the_winner_is_named_and_nothing_opened() -> None:
    text = new(*THREE, "--moves", "100000")
    position = replay(parse(text))[-1]
    answer = json.loads(shown(text, "--json", "--seat", "0"))
    assert answer["returns"] == position.returns()
    assert answer["seats"][1]["storage"]["kinds"] is None
    last = shown(text, "--seat", "0").split("\n")[-2]
    best = max(position.returns())
    wins = [str(seat) for seat, value in enumerate(position.returns()) if value == best]
    assert last == f"over, the castle is built; won by seat {' and '.join(wins)}"


def test_a_record_may_stand_in_a_file(tmp_path: Path) -> None:
    text = new(*THREE)
    path = tmp_path / "game.txt"
    path.write_text(text, "utf-8")
    assert solve("show", "charlemagne", str(path)).out == shown(text)
    piped = process("show", "charlemagne", "-", "--seat", "0", stdin=text.encode())
    assert (piped.status, piped.out) == (0, shown(text, "--seat", "0"))


@pytest.mark.parametrize(
    ("record", "status", "told"),
    [
        (b"", 2, "standard input: no game here"),
        (b"game rr\nCb2\n", 2, "the record of a game of rr, not of charlemagne"),
        (b"game richard\n", 2, "the record of a game of richard, not of charlemagne"),
        (b"game charlemagne\n\n  0 bid b\n", 3, "line 3, column 3: '0 bid b' is not possible"),
        (b"game charlemagne\n0 Start b\n", 2, "line 2, column 1: '0 Start b' is neither"),
        (b"game charlemagne\nplayers 5\n", 2, "line 2, column 9: players is 4 or 2 or 3, not '5'"),
        (b"game charlemagne\n\xff\n", 2, "line 2, column 1: byte 0xff is not UTF-8"),
        (b"\0" * 50, 2, "NUL"),
        (b"game charlemagne\n\x1b[31m\n", 2, "\\x1b[31m"),
        (b";" * (LARGEST + 1), 2, "larger than a record may be"),
    ],
)
def test_bad_records(record: bytes, status: int, told: str) -> None:
    assert_refused(solve("show", "charlemagne", "-", stdin=record), status, told)


def test_bad_files_and_seats(tmp_path: Path) -> None:
    missing = str(tmp_path / "none.txt")
    assert_refused(solve("show", "charlemagne", missing), 2, "No such file")
    assert_refused(solve("show", "charlemagne"), 2, "FILE")
    text = "game charlemagne\nplayers 3\n"
    assert_refused(show(text, "--seat", "3"), 2, "the seats 0 to 2, not 3")
    assert_refused(show(text, "--seat", "8"), 2, "from 0 to 7")
    assert_refused(show(text, "--counselors", "x"), 2, "an option of Richard I, not of Charlem")


# Files of one's own


def of_ones_own(folder: Path) -> str:
    text = (FOLDER / "charlemagne.toml").read_text("utf-8")
    path = folder / "my-cards.toml"
    path.write_text(text.replace("[huts_start]\nvalue = 2", "[huts_start]\nvalue = 5"), "utf-8")
    return str(path)


def test_a_game_by_a_file_of_ones_own_is_shown_by_it(tmp_path: Path) -> None:
    cards = of_ones_own(tmp_path)
    text = new(*THREE, "--moves", "9", "--cards", cards)
    assert re.findall(r"^(\w+) sha256:[0-9a-f]{64}$", text, re.MULTILINE) == ["preset"]
    answer = json.loads(shown(text, "--json", "--cards", cards))
    assert [seat["huts"] for seat in answer["seats"]] == [5, 5, 5]
    assert "farmstead random, of one's own game" in shown(text, "--cards", cards)
    told = "somebody's own; their file must be given (--cards FILE)"
    assert_refused(show(text), 2, told)
    assert_refused(show(text), 2, "standard input, line 4, column 8")
    other = str(FOLDER / "charlemagne.toml")
    assert_refused(show(text, "--cards", other), 2, "of this game are others than those in")
    assert_refused(show(text, "--cards", f"{cards}.gone"), 2, "my-cards")


def test_no_game_begins_by_a_file_that_is_not_there_or_bad(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    assert_refused(solve("new", "charlemagne", *THREE, "--cards", str(path)), 2, "No such file")
    path.write_text("x = 1", "utf-8")
    told = "mine.toml: [x]: no such entry"
    assert_refused(solve("new", "charlemagne", *THREE, "--cards", str(path)), 2, told)
    richards = str(FOLDER / "richard.toml")
    told = "richard.toml: [hand]: no such entry; there is pieces"
    assert_refused(solve("new", "charlemagne", *THREE, "--cards", richards), 2, told)


# perft


def total(*arguments: str) -> int:
    outcome = solve("perft", "charlemagne", *arguments)
    assert (outcome.status, outcome.err) == (0, "")
    return int(outcome.lines[-1])


@pytest.mark.parametrize("farmstead", FARMSTEADS)
def test_a_count_begins_after_the_setup_of_the_seed(farmstead: str) -> None:
    arguments = ("--players", "3", "--seed", "5", "--farmstead", farmstead)
    position = replay(parse(new(*arguments)))[-1]
    assert position.node.what == "bid"
    for depth in range(4):
        expected = perft(position.to_core(), depth)
        assert total(*arguments, "--depth", str(depth)) == expected
        divided = solve("perft", "charlemagne", *arguments, "--depth", str(depth), "--divide").lines
        assert sum(int(line.split(": ")[1]) for line in divided[:-1]) == (expected if depth else 0)
        assert int(divided[-1]) == expected


def test_the_whole_micro_game_is_counted() -> None:
    counts = [total(*MICRO, "--seed", "1", "--deal", "--depth", str(depth)) for depth in range(60)]
    assert sum(counts) == 7_841
    answer = solve("perft", "charlemagne", *MICRO, "--seed", "1", "--deal", "--depth", "1",
                   "--divide", "--json").answer  # fmt: skip
    assert answer == {
        "game": "charlemagne", "players": 2, "seed": 1, "farmstead": "random",
        "preset": "micro", "cards": None, "deal": True, "depth": 1,
        "divide": {"b0": 1, "b1": 1}, "perft": 2,
    }  # fmt: skip


def test_numbers_of_ones_own_are_counted_by(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text((FOLDER / "charlemagne_micro.toml").read_text("utf-8"), "utf-8")
    where = ("--seed", "1", "--deal", "--depth", "9", "--players", "2")
    assert total(*where, "--cards", str(path)) == total(*where, "--preset", "micro")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--players", "3", "--seed", "1"], "--depth"),
        (["--players", "5", "--seed", "1", "--depth", "1"], "2 to 4 play Charlemagne, not 5"),
        (["--players", "3", "--seed", "1", "--depth", "-1"], "from 0 to"),
        (["--players", "3", "--seed", "1", "--depth", "1", "--queen", "ray"], "unrecognized"),
        (["--players", "3", "--seed", "1", "--depth", "1", "--events", "off"], "of Richard I"),
    ],
)
def test_counts_that_make_no_sense(arguments: list[str], told: str) -> None:
    assert_refused(solve("perft", "charlemagne", *arguments), 2, told)


# help


@pytest.mark.parametrize("command", ["new", "show", "perft charlemagne"])
def test_the_examples_of_the_help_work(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.txt").write_text(new(*THREE), "utf-8")
    outcome = solve(*command.split(), "--help")
    assert (outcome.status, outcome.err) == (0, "")
    found = re.findall(r"^  solve (\w+ charlemagne .*)", outcome.out, re.MULTILINE)
    assert found
    for example in found:
        text = b""
        for part in re.sub(r" > .*", "", example).split(" | "):
            done = solve(*shlex.split(part.removeprefix("solve ")), stdin=text)
            assert (done.status, done.err) == (0, "")
            text = done.out.encode()


def test_kinds_and_privileges_stand_in_one_order_everywhere() -> None:
    answer: dict[str, Any] = json.loads(shown(new(*THREE), "--json"))
    assert "".join(answer["stock"]["kinds"]) == KINDS
    assert tuple(answer["king"]) == PRIVILEGES
