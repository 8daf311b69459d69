"""`solve rr` as people, scripts and attackers use it: answers, errors, exit statuses."""

from __future__ import annotations

import json
import os
import re
import signal
import string
import sys
import time
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.cli import (
    COMMAND,
    FINISHED,
    MIDDLE,
    SEARCHED,
    SEARCHED_FOR_LONG,
    TIED_IF_OCCUPIED,
    TO_THE_END,
    VARIANTS,
    Case,
    Outcome,
    environment,
    examples,
    late_cases,
    on_terminal,
    process,
    rule_sets,
    running,
    solve,
)
from tests.reference import rr as twin

SIDES = {"r": "Regality", "b": "Religion"}
LETTERS = "CKQPMGWT"
NAMES = {
    "r": ("Citizen", "King", "Queen", "Princess", "Minister", "General", "Magician", "Castle"),
    "b": ("Citizen", "Hierophant", "Cardinal", "Saint", "Bishop", "Paladin", "Monk", "Temple"),
}
OPTIONS = [
    "--position",
    "--after",
    "--queen",
    "--ending",
    "--json",
    "--moves",
    "--line",
    "--quiet",
    "--threads",
]
TEN_PLIES = "Cb1 Ga1xb1 Qc3~sw Pa2~o Pc1 Qa3~e Kb1 Mb3~a3 Gc2xc1 Kb2"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")

needs_posix = pytest.mark.skipif(os.name != "posix", reason="speaks of POSIX signals and streams")
needs_linux = pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="speaks of /dev, /proc"
)


def rr(*arguments: str, stdin: bytes = b"", encoding: str = "utf-8") -> Outcome:
    return solve("rr", *arguments, stdin=stdin, encoding=encoding)


def batch(text: bytes, *options: str) -> Outcome:
    return rr("--position", "-", *options, stdin=text)


def without_effort(answer: dict[str, Any]) -> dict[str, Any]:
    return {field: value for field, value in answer.items() if field != "solver"}


def name_of(card: str, side: str) -> str:
    return NAMES[side][LETTERS.index(card)]


def is_plain(text: str) -> bool:
    """Whether no terminal would obey the text."""
    return all(char in "\n\t" or char.isprintable() for char in text)


def assert_refused(outcome: Outcome, status: int = 2) -> None:
    """One clear error: nothing on standard output, a short and harmless text on the other."""
    assert outcome.status == status
    assert outcome.out == ""
    assert outcome.err.strip()
    assert len(outcome.err) < 3000
    assert is_plain(outcome.err)
    assert "Traceback" not in outcome.err


def pointed_at(err: str) -> tuple[int, str]:
    """The column that an error names, and what stands above its caret."""
    above, caret = next(
        (above, line)
        for above, line in zip(err.split("\n"), err.split("\n")[1:], strict=False)
        if line.strip() == "^"
    )
    named = re.search(r"\bcolumn (\d+)", err)
    assert named
    return int(named[1]), above[caret.index("^") :][:1]


# Answers in JSON


@given(late_cases())
@examples(40)
def test_a_json_answer_has_every_field_and_agrees_with_the_slow_reference(case: Case) -> None:
    answer = rr("--json", "--position", case.text, *case.options).answer
    values = twin.move_values(case.state, case.rules)
    value = max(values.values(), default=twin.margin(case.state))
    solver = answer.pop("solver")
    line = answer.pop("line")
    moves = answer.pop("moves")
    assert answer == {
        "game": "rr",
        "rules": {"queen": case.rules.queen, "ending": case.rules.ending},
        "position": case.text,
        "side": case.state.side,
        "value": value,
        "result": "win" if value > 0 else "loss" if value < 0 else "draw",
        "best": sorted(move for move in values if values[move] == value),
    }
    assert all(set(entry) == {"move", "value"} for entry in moves)
    assert {entry["move"]: entry["value"] for entry in moves} == values
    assert len(moves) == len(values)
    assert set(solver) == {"method", "nodes", "seconds"}
    assert isinstance(solver["method"], str)
    assert isinstance(solver["nodes"], int)
    assert isinstance(solver["seconds"], float)
    state = case.state
    for move in line:
        state = twin.play(state, move, case.rules)
    assert twin.finished(state, case.rules)
    assert twin.margin(state) == (value if len(line) % 2 == 0 else -value)


@given(late_cases())
@examples(15)
def test_a_position_and_the_moves_that_lead_to_it_have_the_same_answer(case: Case) -> None:
    moves = " ".join(case.played)
    there = rr("--json", "--position", case.text, *case.options).answer
    led = rr("--json", "--position", "start", "--after", moves, *case.options).answer
    assert without_effort(led) == without_effort(there)


@given(late_cases())
@examples(15)
def test_what_to_show_and_how_hard_to_work_do_not_change_a_json_answer(case: Case) -> None:
    plain = rr("--json", "--position", case.text, *case.options).answer
    more = ["--moves", "--line", "--quiet", "--threads", "3"]
    shown = rr("--json", "--position", case.text, *case.options, *more).answer
    assert without_effort(shown) == without_effort(plain)


@given(late_cases(), st.randoms(use_true_random=False))
@examples(15)
def test_hands_may_be_written_in_any_order(case: Case, random: Random) -> None:
    *before, regality, religion = case.text.split(" ")
    hands = ["".join(random.sample(hand, len(hand))) for hand in (regality, religion)]
    shuffled = rr("--json", "--position", " ".join([*before, *hands]), *case.options).answer
    assert shuffled["position"] == case.text


def test_the_word_start_is_the_starting_position() -> None:
    written = rr("--json", "--position", twin.START, "--after", TEN_PLIES)
    word = rr("--json", "--position", "start", "--after", TEN_PLIES)
    assert without_effort(word.answer) == without_effort(written.answer)


# Answers for people


def shown_board(out: str) -> str:
    """The board as read from its drawing: letters, dots and '#', rank 3 first."""
    ranks = {}
    for line in out.split("\n"):
        if re.match(r"\s*[123]\s*[│|]", line):
            number, *cells = re.split("[│|]", line)
            letters = [re.sub("[^A-Za-z#▒]", "", cell)[:1] or "." for cell in cells[:3]]
            ranks[int(number)] = "".join(letters).replace("▒", "#")
    return "/".join(ranks[rank] for rank in (3, 2, 1))


@given(late_cases(), st.sampled_from(("utf-8", "ascii")))
@examples(40)
def test_people_see_the_board_the_hands_the_verdict_and_the_best_moves(
    case: Case, encoding: str
) -> None:
    outcome = rr("--position", case.text, *case.options, encoding=encoding)
    answer = rr("--json", "--position", case.text, *case.options).answer
    assert (outcome.status, outcome.err) == (0, "")
    board, side, regality, religion = case.text.split(" ")
    assert shown_board(outcome.out) == board
    for owner, hand in (("r", regality), ("b", religion)):
        (holding,) = (
            line for line in outcome.lines if f"{SIDES[owner]} " in line and "hold" in line
        )
        assert ("to move" in holding) == (owner == side and bool(answer["moves"]))
        assert all(name_of(card, owner) in holding for card in hand.upper() if card != "-")
    value = answer["value"]
    winner = SIDES[side if value > 0 else "rb"[side == "r"]]
    verb = "wins" if answer["moves"] else "won"
    if value:
        assert f"{winner} {verb} by {abs(value)}\n" in outcome.out
    else:
        assert re.search(r"\b(draw|tie)\b", outcome.out)
        assert not re.search(r"\b(wins|won)\b", outcome.out)
    words = outcome.out.split()
    assert set(answer["best"]) <= set(words)
    if answer["moves"]:
        first = answer["best"][0]
        (line,) = (line for line in outcome.lines if line.split()[:1] == [first])
        assert name_of(first[0], side) in line
        assert first[1:3] in line.split(None, 1)[1]
        assert re.search(r"search|table", outcome.lines[-1])


def test_a_finished_board_says_who_won() -> None:
    for text, options in ((MIDDLE, ["--after", TO_THE_END]), (FINISHED, [])):
        outcome = rr("--position", text, *options, "--moves", "--line")
        assert (outcome.status, outcome.err) == (0, "")
        assert "over" in outcome.out
        assert "Religion won by 1\n" in outcome.out
        assert "to move" not in outcome.out
        assert "Best" not in outcome.out
    answer = rr("--position", FINISHED, "--json").answer
    assert (answer["value"], answer["result"]) == (-1, "loss")
    assert answer["best"] == answer["moves"] == answer["line"] == []


def test_a_tied_board_is_a_draw() -> None:
    options = ["--position", TIED_IF_OCCUPIED, "--ending", "occupied"]
    assert "draw" in rr(*options).out
    answer = rr(*options, "--json").answer
    assert (answer["value"], answer["result"]) == (0, "draw")


@given(late_cases(), st.sampled_from(("utf-8", "ascii")))
@examples(25)
def test_moves_shows_a_grid_of_cards_and_squares_with_the_value_of_every_move(
    case: Case, encoding: str
) -> None:
    plain = rr("--position", case.text, *case.options, encoding=encoding).lines
    outcome = rr("--position", case.text, *case.options, "--moves", encoding=encoding)
    values = twin.move_values(case.state, case.rules)
    rows = [
        [cell.strip() for cell in re.split("[│|]", line)[1:-1]]
        for line in outcome.lines[: -len(plain[-1:])]
        if re.match("[│|]", line)
    ]
    if not values:
        assert rows == []
        return
    (_, *squares), *body = rows
    assert sorted(squares) == sorted({move[1:3] for move in values})
    assert sorted(row[0] for row in body) == sorted({move[0] for move in values})
    for card, *cells in body:
        for square, cell in zip(squares, cells, strict=True):
            there = [values[move] for move in values if move[:3] == card + square]
            assert int(cell.rstrip("* ")) == max(there)
            assert cell.endswith("*") == (max(there) == max(values.values()))
    # Each move's own value: a line is headed by the value of all moves on it.
    listed: dict[str, int] = {}
    for line in outcome.lines:
        if re.match(r"\s+[+-]\d\s", line):
            value = int(line.split()[0])
            listed |= dict.fromkeys(line.split()[1:], value)
        elif listed and line.startswith("   "):
            listed |= dict.fromkeys(line.split(), value)
    assert listed == values


@given(late_cases())
@examples(15)
def test_line_shows_best_play_to_the_end(case: Case) -> None:
    line = rr("--json", "--position", case.text, *case.options).answer["line"]
    plain = rr("--position", case.text, *case.options)
    shown = rr("--position", case.text, *case.options, "--line")
    assert (shown.status, shown.err) == (0, "")
    assert " ".join(line) in " ".join(shown.out.split())
    if len(line) > 1:
        assert " ".join(line) not in " ".join(plain.out.split())


@given(late_cases(), st.lists(st.sampled_from(("--moves", "--line")), unique=True))
@examples(15)
def test_quiet_says_it_all_on_one_line(case: Case, more: list[str]) -> None:
    outcome = rr("--quiet", "--position", case.text, *case.options, *more)
    answer = rr("--json", "--position", case.text, *case.options).answer
    assert (outcome.status, outcome.err) == (0, "")
    (line,) = outcome.lines
    assert line.isascii()
    assert case.text in line
    assert set(answer["best"]) <= set(line.split())


@needs_posix
def test_colours_appear_on_a_terminal_only_and_carry_no_meaning_of_their_own() -> None:
    arguments = ("rr", "--position", MIDDLE, "--moves", "--line")
    coloured = on_terminal(*arguments)
    assert (coloured.status, coloured.err) == (0, "")
    assert COLOUR.search(coloured.out)
    piped = process(*arguments, PYTHONIOENCODING="utf-8")
    assert "\x1b" not in piped.out
    timeless = re.compile(r"\d+\.\d+ s")
    assert timeless.sub("", COLOUR.sub("", coloured.out)) == timeless.sub("", piped.out)


@needs_posix
@pytest.mark.parametrize(
    ("terminal", "colourless"),
    [({"NO_COLOR": "1"}, True), ({"TERM": "dumb"}, True), ({"NO_COLOR": ""}, False)],
)
def test_colours_can_be_switched_off(terminal: dict[str, str], colourless: bool) -> None:
    outcome = on_terminal("rr", "--position", MIDDLE, **terminal)
    assert outcome.status == 0
    assert ("\x1b" not in outcome.out) == colourless


@needs_posix
def test_json_is_never_coloured() -> None:
    outcome = on_terminal("rr", "--position", MIDDLE, "--json")
    assert json.loads(outcome.out)["position"] == MIDDLE
    assert "\x1b" not in outcome.out


def test_a_terminal_that_shows_only_ascii_gets_a_drawing_in_ascii() -> None:
    for encoding in ("ascii", "ascii:strict", "latin-1"):
        outcome = process("rr", "--position", MIDDLE, "--moves", PYTHONIOENCODING=encoding)
        assert (outcome.status, outcome.err) == (0, "")
        assert outcome.out.isascii()
        assert shown_board(outcome.out) == MIDDLE.split()[0]


@needs_posix
@pytest.mark.parametrize("form", [["--json"], []])
def test_an_answer_that_took_a_while_is_on_standard_output_though_progress_was_shown(
    form: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "positions.txt"
    file.write_text(f"{SEARCHED}\n{MIDDLE}\n")
    for position, answers in ((SEARCHED, 1), (str(file), 2)):
        outcome = on_terminal("rr", "--position", position, *form, terminal="stderr")
        assert outcome.status == 0
        assert not re.search(r'wins by|"value"', outcome.err)
        assert len(re.findall(r'wins by|"value": -?\d, "result"', outcome.out)) == answers


@needs_posix
def test_the_very_first_answer_is_on_standard_output_too(tmp_path: Path) -> None:
    outcome = on_terminal(
        "rr", "--position", "start", "--json", terminal="stderr", SOLVE_CACHE=str(tmp_path)
    )
    assert outcome.status == 0
    assert outcome.answers[0]["position"] == twin.START


# Texts that do not parse, positions that cannot be, moves that are not allowed


def test_a_bad_character_is_pointed_at_wherever_it_stands() -> None:
    for at in range(len(MIDDLE)):
        if MIDDLE[at] == " ":
            continue
        text = MIDDLE[:at] + "!" + MIDDLE[at + 1 :]
        outcome = rr("--position", text)
        assert_refused(outcome)
        assert text in outcome.err
        assert pointed_at(outcome.err) == (at + 1, "!")
        (answer,) = batch(text.encode(), "--json").answers
        assert answer["position"] == text
        assert (answer["error"]["code"], answer["error"]["column"]) == (2, at + 1)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("", 1, 1),
        (" ", 1, 2),
        ("hello", 1, 6),
        ("tQC/K.p b PMT kqg", 1, 8),
        ("tQC/K.p/.mG/... b PMT kqg", 12, 13),
        ("tQCK/K.p/.mG b PMT kqg", 4, 4),
        ("tQ/K.p/.mG b PMT kqg", 3, 3),
        ("tQC/K.p/.mG w PMT kqg", 13, 13),
        ("tQC/K.p/.mG b pmt kqg", 15, 15),
        ("tQC/K.p/.mG b PMT KQG", 19, 19),
        ("tQC/K.p/.mG b PMT", 18, 18),
        ("tQC/K.p/.mG b PMT kqg 1", 22, 23),
        ("tQC/K.p/.mG  b PMT kqg", 12, 24),
        ("tQC/K.p/.mG b PMT kqg\n", 22, 22),
        ("tQC/K.p/.mG b PMT k\u00e9g", 20, 20),
    ],
)
def test_a_text_that_does_not_parse_is_refused_with_its_place(
    text: str, first: int, last: int
) -> None:
    outcome = rr("--position", text)
    assert_refused(outcome)
    assert first <= pointed_at(outcome.err)[0] <= last


@pytest.mark.parametrize(
    ("text", "reasons"),
    [
        ("ttt/ttt/... b PMT kqg", 3),
        ("##Q/K.p/.mG b PMT kqg", 1),
        ("tQC/K.p/.mC b PMT kqg", 1),
        ("tQC/K.p/.mG b PPP kkk", 2),
        ("tQC/K.p/.mG r PMT -", 1),
        (".../.../... b CKQPMGWT kqpmgwt", 2),
        (".../.../... r K k", 1),
        ("tQC/K#p/.mG b - -", 1),
        ("tQC/K#p/wmG b PMT kqg", 1),
    ],
)
def test_an_inconsistent_position_is_refused_with_every_reason(text: str, reasons: int) -> None:
    outcome = rr("--position", text)
    assert_refused(outcome, status=3)
    assert text in outcome.err
    (answer,) = batch(text.encode(), "--json").answers
    assert answer["error"]["code"] == 3
    assert len(answer["error"]["reasons"]) >= len(twin.problems(twin.parse(text), twin.Rules()))
    assert len(answer["error"]["reasons"]) >= min(reasons, 2)
    assert all(reason in outcome.err for reason in answer["error"]["reasons"])


@pytest.mark.parametrize("move", ["Ma1", "Ka1", "Tb2x", "Mb2~b2", "Cb2", "Mb2~a3"])
def test_a_move_that_cannot_be_played_is_pointed_at(move: str) -> None:
    after = f"Ga1xa2  {move}   Qa2"
    outcome = rr("--position", MIDDLE, "--after", after)
    legal = twin.legal(twin.play(twin.parse(MIDDLE), "Ga1xa2", twin.Rules()), twin.Rules())
    assert move not in legal
    assert_refused(outcome, status=2 if move == "Tb2x" else 3)
    assert "--after" in outcome.err
    column, char = pointed_at(outcome.err)
    assert 9 <= column < 9 + len(move)
    assert char == after[column - 1]


def test_a_move_after_the_end_is_refused() -> None:
    outcome = rr("--position", MIDDLE, "--after", f"{TO_THE_END} Pa1")
    assert_refused(outcome, status=3)
    assert "over" in outcome.err


@given(st.text(alphabet=string.printable, max_size=40) | st.text(max_size=10))
@examples(40)
def test_any_text_after_after_is_played_or_refused(text: str) -> None:
    outcome = rr("--position", MIDDLE, f"--after={text}")
    if not text.split():
        assert outcome.status == 0
    elif outcome.status:
        assert_refused(outcome, status=outcome.status)
        assert outcome.status in (2, 3)


ALL_CHARACTERS = st.characters(exclude_categories=())  # lone surrogates and controls too


@given(st.text(ALL_CHARACTERS, max_size=60))
@example("\ud800")
@example("\udcff")
@example("\x00")
@example("a\x00b")
@example("\x1b]0;title\x07")
@example("\u202e\u2028\x9b31m")
@example("é" * 300)
@example("/" * 5000)
@example(".")
@examples(100)
def test_any_text_as_a_position_is_refused_in_a_harmless_way(text: str) -> None:
    outcome = rr(f"--position={text}")
    if text == "-":
        return
    assert_refused(outcome, status=outcome.status)
    assert outcome.status in (2, 3)


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A good position text with one or two characters lost, added or changed; and its rules."""
    case = draw(late_cases())
    text = case.text
    for _ in range(draw(st.integers(1, 2))):
        at = draw(st.integers(0, len(text) - 1))
        what = draw(st.sampled_from([*"KQPMGWTCkqpmgwtc.#/ rb-!é\t\x1b", ""]))
        text = text[:at] + what + text[at + draw(st.integers(0, 1)) :]
    return text, case.options


@given(damaged())
@examples(100)
def test_a_damaged_position_is_judged_as_the_slow_reference_judges_it(
    case: tuple[str, list[str]],
) -> None:
    text, options = case
    outcome = rr(f"--position={text}", "--json", *options)
    status = judged(text, twin.Rules(options[1], options[3]))  # type: ignore[arg-type]
    if status:
        assert_refused(outcome, status)
    else:
        assert outcome.answer["position"] == twin.format_state(twin.parse(text))


def judged(text: str, rules: twin.Rules) -> int:
    """The exit status that a position text deserves."""
    try:
        state = twin.parse(text)
    except ValueError:
        return 2
    return 3 if twin.problems(state, rules) else 0


ESCAPES = "\x1b[31mred\x1b]0;title\x07\x9b1m\r\x08"


@pytest.mark.parametrize(
    "arguments",
    [
        ["rr", "--position", ESCAPES],
        ["rr", "--position", MIDDLE, "--after", ESCAPES],
        ["rr", "--position", MIDDLE, "--after", f"Ga1{ESCAPES}"],
        ["rr", "--position", MIDDLE, f"--{ESCAPES}"],
        ["rr", "--position", MIDDLE, ESCAPES],
        ["rr", "--position", MIDDLE, "--queen", ESCAPES],
        ["rr", "--position", MIDDLE, "--threads", ESCAPES],
        [ESCAPES, "--position", MIDDLE],
    ],
)
def test_no_error_repeats_a_terminal_escape_sequence(arguments: list[str]) -> None:
    assert_refused(solve(*arguments))


@pytest.mark.parametrize("name", ["\x1b[31mred", "\x07"])
def test_no_error_about_a_file_repeats_a_terminal_escape_sequence(
    name: str, tmp_path: Path
) -> None:
    folder, file = tmp_path / name, tmp_path / f"{name}.txt"
    try:
        folder.mkdir()
        file.write_bytes(b"")
    except OSError:
        pytest.skip("no such file names here")
    assert_refused(rr("--position", str(folder)))
    assert_refused(rr("--position", str(file)))


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_no_answer_in_a_batch_repeats_a_terminal_escape_sequence(form: list[str]) -> None:
    outcome = batch(b"\x1b[31mred\n\x9b1m\xff\xfe\x08\x00\x07\n" + MIDDLE.encode(), *form)
    assert (outcome.status, outcome.err) == (2, "")
    assert len(outcome.lines) == 3
    assert is_plain(outcome.out)
    assert outcome.out.isascii()


HUGE = "x" * 30_000


@pytest.mark.parametrize(
    "arguments",
    [
        [HUGE],
        ["rr", "--position", HUGE],
        ["rr", "--position", MIDDLE + " " * 30_000],
        ["rr", "--position", MIDDLE, "--after", HUGE],
        ["rr", "--position", MIDDLE, "--after", f"Ga1xa2 M{HUGE}"],
        ["rr", "--position", MIDDLE, f"--{HUGE}"],
        ["rr", "--position", MIDDLE, HUGE],
        ["rr", "--position", MIDDLE, "--queen", HUGE],
        ["rr", "--position", MIDDLE, "--threads", HUGE],
        ["rr", "--position", MIDDLE, "--threads", "9" * 30_000],
    ],
)
def test_a_huge_argument_gets_a_short_error(arguments: list[str]) -> None:
    assert_refused(process(*arguments))


def test_an_error_points_at_the_place_even_in_a_long_list_of_moves() -> None:
    outcome = rr("--position", MIDDLE, "--after", "Ga1xa2" + " " * 300 + "Zb2")
    assert_refused(outcome)
    assert "Zb2" in outcome.err
    assert "column 307" in outcome.err


# Batches


@st.composite
def batches(draw: st.DrawFn) -> tuple[bytes, twin.Rules]:
    """Lines good, bad, blank and hostile, with line ends of both kinds, or none at the end."""
    rules = draw(rule_sets)
    same = st.just(rules)
    line = st.one_of(
        late_cases(same).map(lambda case: case.text.encode()),
        late_cases(same).map(lambda case: case.text.encode() + b" "),
        st.sampled_from([b"", b" ", b"\t", b"\r", b"ttt/ttt/... b PMT kqg", b"-", b"\xef\xbb\xbf"]),
        st.binary(max_size=30).map(lambda line: line.replace(b"\n", b"")),
        st.binary(max_size=30).map(lambda line: b"tQC/K.p/.mG " + line.replace(b"\n", b"")),
        st.integers(3900, 9000).map(lambda size: b"x" * size),
    ).filter(lambda line: not line.strip(b" \t\r") or bool(line.strip()))
    ends = st.sampled_from([b"\n", b"\r\n"])
    text = b"".join(draw(st.lists(st.builds(lambda line, end: line + end, line, ends), max_size=8)))
    return (text[:-1] if draw(st.booleans()) else text), rules


@given(batches())
@examples(80)
def test_each_line_of_a_batch_that_is_not_blank_has_its_answer_in_its_place(
    case: tuple[bytes, twin.Rules],
) -> None:
    text, rules = case
    options = ["--queen", rules.queen, "--ending", rules.ending]
    outcome = batch(text, "--json", *options)
    asked = [line.strip(b" \t\r") for line in text.split(b"\n") if line.strip(b" \t\r")]
    expected = [judged(line.decode("latin-1"), rules) for line in asked]
    assert outcome.err == ""
    assert outcome.out.isascii()
    assert len(outcome.answers) == len(asked)
    for line, status, answer in zip(asked, expected, outcome.answers, strict=True):
        if status:
            assert set(answer) == {"position", "error"}
            assert set(answer["error"]) == {"code", "column", "reasons"}
            assert answer["error"]["code"] == status
            assert answer["error"]["reasons"]
            assert (answer["error"]["column"] is None) == (status == 3)
        else:
            alone = rr("--json", "--position", line.decode(), *options).answer
            assert without_effort(answer) == without_effort(alone)
    assert outcome.status == next((status for status in expected if status), 0)
    for_people = batch(text, *options)
    assert (for_people.status, for_people.err) == (outcome.status, "")
    assert len(for_people.lines) == len(asked)


def test_the_exit_status_of_a_batch_is_that_of_its_first_bad_line() -> None:
    good, unreadable, inconsistent = MIDDLE, "what?", "ttt/ttt/... b PMT kqg"
    for lines, status in (
        ([good, good], 0),
        ([good, unreadable, inconsistent], 2),
        ([inconsistent, good, unreadable], 3),
        ([], 0),
    ):
        outcome = batch("\n".join(lines).encode())
        assert (outcome.status, len(outcome.lines), outcome.err) == (status, len(lines), "")


def test_moves_to_play_first_are_played_from_every_line_of_a_batch() -> None:
    outcome = batch(f"{MIDDLE}\n{FINISHED}\n{MIDDLE}\n".encode(), "--json", "--after", "Ga1xa2")
    first, second, third = outcome.answers
    assert outcome.status == 3
    assert without_effort(first) == without_effort(third)
    assert first["position"] == "tQC/#.p/gmG r PMT kq"
    assert second["error"]["code"] == 3


def test_what_follows_a_long_run_of_spaces_still_counts() -> None:
    for size in (10, 4000, 4096, 5000, 70_000, 3_000_000):
        blanks = b" " * size
        outcome = batch(blanks + MIDDLE.encode() + b"\n" + blanks + b"\n", "--json")
        assert len(outcome.lines) == 1
        outcome = batch(MIDDLE.encode() + blanks + b"and more\n", "--json")
        assert len(outcome.lines) == 1
        assert outcome.status == 2
        assert "error" in outcome.answers[0]


def test_a_line_of_many_megabytes_needs_no_memory_and_the_next_line_is_answered() -> None:
    code = (
        "import sys, tracemalloc; from solvers.cli import main; tracemalloc.start();"
        "status = main(sys.argv[1:]); print(tracemalloc.get_traced_memory()[1], file=sys.stderr);"
        "sys.exit(status)"
    )
    huge = b"x" * 50_000_000 + b"\n"
    for text in (huge + MIDDLE.encode(), MIDDLE.encode() + b"\n" + huge):
        outcome = process(
            "rr", "--position", "-", "--json", stdin=text, command=(sys.executable, "-c", code)
        )
        assert outcome.status == 2
        assert sorted("error" in answer for answer in outcome.answers) == [False, True]
        assert len(outcome.out) < 100_000
        assert int(outcome.err) < 10_000_000


# Files


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "positions.txt"


@given(batches().map(lambda case: case[0]))
@examples(15)
def test_a_file_of_several_positions_is_answered_like_standard_input(
    tmp_path_factory: pytest.TempPathFactory, text: bytes
) -> None:
    text = f"{MIDDLE}\n\n{FINISHED}\r\n".encode() + text
    file = tmp_path_factory.getbasetemp() / "batch.txt"
    file.write_bytes(text)
    for form in ([], ["--json"]):
        from_file, from_stdin = rr("--position", str(file), *form), batch(text, *form)
        if form:
            assert list(map(without_effort, from_file.answers)) == list(
                map(without_effort, from_stdin.answers)
            )
        else:
            assert from_file == from_stdin
        assert (from_file.status, from_file.err) == (from_stdin.status, "")


@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\n\n", "\r\n \t\r\n"])
def test_a_file_of_one_position_is_answered_like_its_text(file: Path, end: str) -> None:
    file.write_bytes((MIDDLE + end).encode())
    seconds = re.compile(r"\d+\.\d+ s")
    shown = rr("--position", str(file))
    assert seconds.sub("", shown.out) == seconds.sub("", rr("--position", MIDDLE).out)
    assert (shown.status, shown.err) == (0, "")
    file.write_bytes(("?" + end).encode())
    assert_refused(rr("--position", str(file)))


def test_a_file_with_the_byte_order_mark_of_utf_8_is_read_all_the_same(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + MIDDLE.encode())
    outcome = rr("--json", "--position", str(file))
    assert outcome.status == 0
    assert outcome.answers[0]["position"] == MIDDLE


def test_a_file_in_utf_16_is_refused_by_name(file: Path) -> None:
    file.write_bytes(MIDDLE.encode("utf-16"))
    outcome = rr("--position", str(file))
    assert_refused(outcome)
    assert "UTF-16" in outcome.err
    assert is_plain(outcome.err)


@pytest.mark.parametrize("content", [b"", b"\n", b" \r\n\t\n"])
def test_an_empty_file_is_refused_by_name(file: Path, content: bytes) -> None:
    file.write_bytes(content)
    outcome = rr("--position", str(file))
    assert_refused(outcome)
    assert file.name in outcome.err


def test_a_folder_is_refused_by_name(tmp_path: Path) -> None:
    outcome = rr("--position", str(tmp_path))
    assert_refused(outcome)
    assert tmp_path.name in outcome.err
    assert "folder" in outcome.err or "directory" in outcome.err


@needs_linux
def test_an_unreadable_file_is_refused_by_name(file: Path) -> None:
    file.write_text(MIDDLE)
    file.chmod(0)
    unreadable = str(file)
    if os.access(file, os.R_OK):  # the administrator may read everything but this
        unreadable = "/proc/self/mem"
    outcome = rr("--position", unreadable)
    assert_refused(outcome)
    assert unreadable in outcome.err


def test_a_file_that_is_not_there_is_told_from_a_position(file: Path) -> None:
    for name in (str(file), "postions.txt"):
        outcome = rr("--position", name)
        assert_refused(outcome)
        assert "file" in outcome.err.replace(name, "")


def test_the_words_start_and_minus_mean_the_same_beside_files_of_that_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rr("--position", MIDDLE)
    monkeypatch.chdir(tmp_path)
    for name in ("start", "-"):
        (tmp_path / name).write_text("nonsense")
    assert batch(MIDDLE.encode(), "--json").answer["position"] == MIDDLE
    assert rr("--position", "start", "--after", TEN_PLIES).status == 0


# Usage


def test_help_explains_every_option_and_gives_examples() -> None:
    for flag in ("--help", "-h"):
        outcome = rr(flag)
        assert (outcome.status, outcome.err) == (0, "")
        assert all(option in outcome.out for option in OPTIONS)
        assert outcome.out.count("solve rr --position") >= 3
        assert "example" in outcome.out


def test_the_examples_in_the_help_work() -> None:
    quoted = re.findall(r"solve rr --position '([^']+)'(.*)", rr("--help").out)
    assert quoted
    for text, options in quoted:
        assert rr("--position", text, *options.split()).status == 0


def test_solve_alone_shows_the_help_and_is_a_usage_error() -> None:
    alone, asked = solve(), solve("--help")
    assert (alone.status, asked.status) == (2, 0)
    assert asked.err == ""
    assert alone.out + alone.err == asked.out
    for expected in ("solve rr", "solve perft", "example", "--version"):
        assert expected in asked.out


def test_the_version_is_shown() -> None:
    outcome = solve("--version")
    assert (outcome.status, outcome.err) == (0, "")
    assert re.fullmatch(r"threecrowns \d+\.\d+\S*\n", outcome.out)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (["nonsense"], "nonsense"),
        (["RR", "--position", "start"], "RR"),
        ([""], "command"),
        (["--nonsense"], "--nonsense"),
        (["rr"], "--position"),
        (["rr", "start"], "--position"),
        (["rr", "--position"], "--position"),
        (["rr", "--position", MIDDLE, "--nonsense"], "--nonsense"),
        (["rr", "--position", MIDDLE, "--js"], "--js"),
        (["rr", "--position", *MIDDLE.split()], "PMT"),
        (["rr", "--position", MIDDLE, "--queen", "king"], "adjacent"),
        (["rr", "--position", MIDDLE, "--ending", "never"], "occupied"),
        (["rr", "--position", MIDDLE, "--threads", "0"], "--threads"),
        (["rr", "--position", MIDDLE, "--threads", "-3"], "--threads"),
        (["rr", "--position", MIDDLE, "--threads", "two"], "--threads"),
        (["rr", "--position", MIDDLE, "--threads", ""], "--threads"),
    ],
)
def test_wrong_usage_is_refused_and_what_is_wrong_is_named(
    arguments: list[str], named: str
) -> None:
    outcome = solve(*arguments)
    assert_refused(outcome)
    assert named in outcome.err.split("error:")[-1]


def test_more_threads_than_anybody_has_do_no_harm() -> None:
    for threads in ("256", "10000", "1000000000000000000000"):
        outcome = rr("--position", MIDDLE, "--json", "--threads", threads)
        if outcome.status:
            assert_refused(outcome)
        else:
            alone = rr("--position", MIDDLE, "--json", "--threads", "1")
            assert without_effort(outcome.answer) == without_effort(alone.answer)


def test_every_house_variant_is_told_back() -> None:
    for options in VARIANTS:
        answer = rr("--position", MIDDLE, "--json", *options).answer
        assert answer["rules"] == {"queen": options[1], "ending": options[3]}


# Real processes: streams, signals, start-up


@pytest.mark.parametrize("form", [["--json"], ["--moves", "--line"]])
def test_a_real_process_answers_as_this_one_does(form: list[str]) -> None:
    real = process("rr", "--position", MIDDLE, *form, PYTHONIOENCODING="utf-8")
    here = rr("--position", MIDDLE, *form)
    effort = re.compile(r"\d+\.\d+ s|\"solver\".*")
    assert effort.sub("", real.out) == effort.sub("", here.out)
    assert (real.status, real.err) == (here.status, here.err) == (0, "")


def test_a_cold_start_loads_no_heavy_library() -> None:
    code = (
        "import sys; from solvers.cli import main; status = main(sys.argv[1:]);"
        "heavy = {'numpy', 'rich', 'pyspiel', 'msgspec'} & {n.split('.')[0] for n in sys.modules};"
        "sys.exit(status or ' '.join(sorted(heavy)) or 0)"
    )
    for form in (["--json"], ["--moves", "--line"], ["--quiet"]):
        outcome = process("rr", "--position", MIDDLE, *form, command=(sys.executable, "-c", code))
        assert (outcome.status, outcome.err) == (0, "")


@needs_posix
@pytest.mark.parametrize(
    ("arguments", "stdin"),
    [
        (["rr", "--position", MIDDLE], b""),
        (["rr", "--position", "-"], (MIDDLE + "\n").encode() * 500),
        (["rr", "--position", "-", "--json"], b"bad\n" + (MIDDLE + "\n").encode() * 500),
        (["rr", "--help"], b""),
        (["--help"], b""),
        ([], b""),
    ],
)
def test_a_closed_pipe_is_quiet(arguments: list[str], stdin: bytes) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with running(*arguments, stdout=writer) as child:
        os.close(writer)
        _, err = child.communicate(stdin, timeout=60)
    assert err == b""
    assert child.returncode in (0, 2, 141, -signal.SIGPIPE)


@needs_posix
def test_a_reader_that_leaves_halfway_is_met_with_silence() -> None:
    with running("rr", "--position", "-", "--json") as child:
        assert child.stdin
        assert child.stdout
        assert child.stderr
        try:
            child.stdin.write((MIDDLE + "\n").encode() * 2000)
            child.stdin.close()
        except BrokenPipeError:
            pass
        child.stdout.readline()
        child.stdout.close()
        assert child.stderr.read() == b""
        assert child.wait(60) in (0, 141, -signal.SIGPIPE)


@needs_posix
@pytest.mark.parametrize("threads", ["1", "2"])
@pytest.mark.parametrize("last", [SEARCHED_FOR_LONG, ""])
def test_ctrl_c_stops_a_search_or_a_wait_for_input_within_two_seconds(
    threads: str, last: str
) -> None:
    with running("rr", "--position", "-", "--json", "--threads", threads) as child:
        assert child.stdin
        child.stdin.write(f"{MIDDLE}\n{last}\n".encode())
        child.stdin.flush()
        time.sleep(0.8)
        child.send_signal(signal.SIGINT)
        asked = time.monotonic()
        out, err = child.communicate(timeout=60)
        assert time.monotonic() - asked < 2
    assert child.returncode == 130
    assert len(err.splitlines()) == 1
    assert b"Traceback" not in err
    assert [json.loads(line)["position"] for line in out.splitlines()] == [MIDDLE]


@needs_posix
def test_ctrl_c_in_the_very_first_answer_stops_within_two_seconds(tmp_path: Path) -> None:
    cache = environment(SOLVE_CACHE=str(tmp_path))
    with running("rr", "--position", "start", "--threads", "1", env=cache) as child:
        time.sleep(0.5)
        finished = child.poll() is not None
        child.send_signal(signal.SIGINT)
        asked = time.monotonic()
        _, err = child.communicate(timeout=60)
        assert time.monotonic() - asked < 2
    assert child.returncode == (0 if finished else 130)
    assert b"Traceback" not in err


WITHOUT_STREAM = (
    sys.executable,
    "-c",
    "import os, sys; os.close(int(sys.argv[1]));"
    f"os.execv(sys.executable, {list(COMMAND)!r} + sys.argv[2:])",
)


@needs_posix
@pytest.mark.parametrize("stream", [0, 1, 2])
def test_a_missing_stream_is_no_reason_to_crash(stream: int) -> None:
    for text in ("-", MIDDLE, "bad"):
        outcome = process(str(stream), "rr", "--position", text, command=WITHOUT_STREAM)
        assert "Traceback" not in outcome.err
        assert "Exception" not in outcome.err
        if text == MIDDLE and stream != 1:
            assert outcome.status == 0
            assert "Religion wins by 1" in outcome.out
        if text == "bad":
            assert outcome.status == 2


@needs_linux
def test_a_full_disk_is_told_without_a_traceback() -> None:
    for arguments in (["rr", "--position", MIDDLE], ["rr", "--help"], ["--help"]):
        with open("/dev/full", "wb") as full, running(*arguments, stdout=full) as child:
            _, err = child.communicate(b"", timeout=60)
        assert child.returncode != 0
        assert err
        assert b"Traceback" not in err
        assert b"Exception" not in err
