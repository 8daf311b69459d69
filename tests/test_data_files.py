"""Files of rules: whatever stands in them, an error names the file and the place, and soon."""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engines import charlemagne_data, data_files, richard_cards, richard_data
from engines.data_files import (
    LARGEST_FILE,
    LONGEST_LINE,
    DataError,
    Wrong,
    digest,
    exactly,
    several,
    shown,
    truth,
    whole,
)
from tests.cli import examples

CHECKS: dict[str, Callable[[str, str], object]] = {
    "richard.toml": richard_data.checked,
    "richard_counselors.toml": richard_cards.checked_counselors,
    "richard_events.toml": richard_cards.checked_events,
    "charlemagne.toml": charlemagne_data.checked,
}


def refusal(check: Callable[[str, str], object], text: str) -> DataError:
    with pytest.raises(DataError) as caught:
        check(text, "mine.toml")
    assert caught.value.file == "mine.toml"
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 600
    return caught.value


# What cannot be shown

NEVER = "something too large to be shown"


def nested(deep: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(deep):
        value = [value]
    return value


def dotted(deep: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(deep):
        value = {"a": value}
    return value


def monsters() -> list[object]:
    """Such as no test may be named after."""
    digits = 16**9000  # "0x" and 9,000 digits in a file
    return [digits, -digits, [1, digits], {"a": digits}, nested(100_000), dotted(100_000)]


def test_a_value_too_large_to_be_shown_is_no_error_of_its_own() -> None:
    assert {shown(value) for value in monsters()} == {NEVER}
    assert shown(nested(3000)).startswith(("[[[[", NEVER))
    for value in monsters():
        for check in (whole(0, 7), several(1, 2, "ours", whole(0, 7)), truth):
            with pytest.raises(Wrong, match=NEVER):
                check(value)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(json_values)
@examples(100)
def test_anything_is_shown_in_a_few_printable_characters(value: object) -> None:
    assert shown(value).isprintable()
    assert shown(value).isascii()
    assert len(shown(value)) <= 63


# A whole file

NUMBER = "0x" + "f" * 900


@pytest.mark.parametrize("file", CHECKS)
@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("0x" + "f" * 9000, "a line has more than 1,000 characters"),
        ("x = 0x" + "f" * 9000, "a line has more than 1,000 characters"),
        ("x = " + "[" * 3000 + "]" * 3000, "a line has more than 1,000 characters"),
        ("x = " + "[\n" * 3000 + "]\n" * 3000, "nested too deeply"),
        ("x = " + "9" * 900, "no such entry"),
        (".".join("a" * 40_000) + " = 1", "a line has more than 1,000 characters"),
        ("[", "not a TOML file"),
        ("", "missing"),
        ("x = 1\nx = 2", "not a TOML file"),
    ],
)
def test_monstrous_files_are_refused_at_once(file: str, text: str, told: str) -> None:
    before = time.perf_counter()
    assert told in str(refusal(CHECKS[file], text))
    assert time.perf_counter() - before < 5


@pytest.mark.parametrize("name", ["richard.toml", "charlemagne.toml"])
@pytest.mark.parametrize("word", ["value", "by_players", "tag", "why"])
@pytest.mark.parametrize(
    "value",
    [NUMBER, f"[{NUMBER}, 4]", "[" * 400 + "]" * 400, "{a" + ".a" * 400 + " = 1}", "nan"],
    ids=["number", "numbers", "list", "table", "nan"],
)
def test_monstrous_values_are_refused_in_their_entry(name: str, word: str, value: str) -> None:
    text = (data_files.FOLDER / name).read_text("utf-8")
    rest = text.partition("[players]\n")[2].partition("\n\n")[2]
    said = {"value": "[2, 4]", "tag": '"R"', word: value}
    body = "".join(f"{key} = {val}\n" for key, val in said.items())
    error = refusal(CHECKS[name], f"[players]\n{body}\n{rest}")
    assert error.entry == "players" or "nested too deeply" in error.reason
    assert refusal(CHECKS[name], f"{text}\n[x]\n{word} = {value}\n").entry in ("x", "")


def test_a_long_line_is_as_long_as_it_may_be() -> None:
    ours = (data_files.FOLDER / "charlemagne.toml").read_text("utf-8")
    line = "#" * LONGEST_LINE
    assert charlemagne_data.checked(f"{ours}\n{line}\n", "x").players == (2, 4)
    refusal(charlemagne_data.checked, f"{ours}\n{line}#\n")


@given(st.binary(max_size=60))
@examples(60)
def test_a_file_of_any_bytes_is_text_or_refused(tmp_path_factory: Any, data: bytes) -> None:
    path = tmp_path_factory.mktemp("files") / "mine.toml"
    path.write_bytes(data)
    try:
        text = data.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = 1 + data[: error.start].count(b"\n")
        with pytest.raises(DataError, match=f"line {line}: not UTF-8 text at byte {error.start}; "):
            data_files.read(path)
    else:
        assert data_files.read(path) == text.replace("\r\n", "\n").replace("\r", "\n")


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    with pytest.raises(DataError, match="No such file"):
        data_files.read(path)
    with pytest.raises(DataError, match="cannot be read"):
        data_files.read(tmp_path)
    with pytest.raises(DataError, match="cannot be read"):
        data_files.read("nul\0")
    path.write_bytes(b"#" * LARGEST_FILE)
    assert len(data_files.read(path)) == LARGEST_FILE
    path.write_bytes(b"#" * (LARGEST_FILE + 1))
    with pytest.raises(DataError, match="larger than it may be") as caught:
        data_files.read(path)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


# Checks


@pytest.mark.parametrize("value", [True, 1.0, "1", None, [1], -1, 8])
def test_a_whole_number_is_one_in_its_range(value: object) -> None:
    with pytest.raises(Wrong):
        whole(0, 7)(value)
    with pytest.raises(Wrong):
        several(1, 2, "ours", whole(0, 7))([value])
    assert whole(0, 7)(7) == 7


@pytest.mark.parametrize("value", [[], [1, 2, 3], "12", 1, {"a": 1}])
def test_several_numbers_are_as_many_as_are_wanted(value: object) -> None:
    with pytest.raises(Wrong, match="1 to 2 numbers are wanted, ours, not"):
        several(1, 2, "ours", whole(0, 7))(value)
    assert several(1, 2, "ours", whole(0, 7))([1, 2]) == (1, 2)


def test_true_is_not_one() -> None:
    assert truth(True) is True
    with pytest.raises(Wrong, match="true or false is wanted, not 1"):
        truth(1)


def test_names_are_exactly_those_that_are_wanted() -> None:
    exactly(("a", "b"), {"b": 1, "a": 2}, "x")
    with pytest.raises(DataError, match=r"x: \[of.c\]: no such entry; there is a, b"):
        exactly(("a", "b"), {"a": 1, "c": 2}, "x", "of.")
    with pytest.raises(DataError, match=r"x: \[of.b\]: missing"):
        exactly(("a", "b"), {"a": 1}, "x", "of.")


def test_a_digest_takes_numbers_as_keys_for_texts() -> None:
    assert digest({"a": (1, 2), 10: None, 9: 1}) == digest({"10": None, "a": [1, 2], "9": 1})
    assert digest({"a": 1}) != digest({"a": 2})
