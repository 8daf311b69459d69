"""The texts of Richard I: what our files say, and that every bad file is refused by name."""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cython_core.errors import NotationError
from engines import richard_cards
from engines.richard_cards import (
    CONDITIONS,
    EFFECTS,
    FIELDS,
    ORDERS,
    PHRASES,
    SIDES,
    TRACKS,
    WHEN,
    Counselors,
    Events,
    as_numbers,
    checked_counselors,
    checked_events,
    counselors,
    digest,
    events,
    parse,
)
from engines.richard_data import COLOURS, FOLDER, DataError
from tests.cli import examples

COUNSELORS_TEXT = (FOLDER / "richard_counselors.toml").read_text("utf-8")
EVENTS_TEXT = (FOLDER / "richard_events.toml").read_text("utf-8")
KINDS = (*WHEN, "event")

# Richard's card, then John's where it differs.
HOUSE_COUNSELORS = {
    1: ("end", "ending B: 3 points", "ending A: 3 points"),
    2: ("end", "ending C: 3 points", "ending D: 3 points"),
    3: ("end", "treasury >= 12: 3 points / treasury >= 8: 2 points",
        "treasury <= 3: 3 points / treasury <= 6: 2 points"),
    4: ("end", "crusaders > saladin: 2 points", "saladin > crusaders: 2 points"),
    5: ("end", "1 points per 2 r at most 3", "1 points per 2 g at most 3"),
    6: ("end", "time <= 4: 2 points", "time >= 6: 2 points"),
    7: ("action", "take 2 r", "take 2 g"),
    8: ("action", "choose 2"),
    9: ("action", "draw 3"),
    10: ("action", "swap"),
    11: ("action", "return 2 alike for 2 points"),
    12: ("contribution", "one more"),
    13: ("reveal", "ignore g", "ignore r"),
    14: ("influence", "repeat"),
}  # fmt: skip
HOUSE_EVENTS = {
    1: "slowed: john +1 / hastened: richard +1",
    2: "rose: treasury +1",
    3: "won: saladin -1",
    4: "not won: crusaders -1",
    5: "won: treasury -1",
    6: "won: richard +1 / lost: john +1",
    7: "not lost: crusaders +1",
    8: "won: saladin -1 / lost: crusaders -1",
    9: "fell: john +1",
    10: "won: treasury +2",
    11: "won: richard +1 / lost: john +1",
    12: "hastened: time -1 / slowed: time +1",
    13: "lost: crusaders -1",
    14: "rose: crusaders +1",
    15: "lost: saladin +1",
    16: "return w for 1 points",
    17: "return y for 1 points",
    18: "each draws 1",
}

# Every phrase and all that it may say, written a second time.
OUTCOMES = ("won", "lost", "drawn", "slowed", "hastened", "rose", "fell")
SAID: dict[str, tuple[Any, ...]] = {
    "ending": ("ending {}", "ABCD"),
    "at least": ("{} >= {}", TRACKS, range(256)),
    "at most": ("{} <= {}", TRACKS, range(256)),
    "above": ("{} > {}", TRACKS, TRACKS),
    "happened": ("{}", OUTCOMES),
    "not happened": ("not {}", OUTCOMES),
    "points": ("{} points", range(1, 21)),
    "per": ("{} points per {} {} at most {}", range(1, 21), range(1, 21), "bypwrg", range(1, 21)),
    "take": ("take {} {}", range(1, 21), "bypwrg"),
    "choose": ("choose {}", (1, 2)),
    "draw": ("draw {}", range(1, 21)),
    "swap": ("swap",),
    "cash": ("return {} alike for {} points", range(1, 7), range(1, 21)),
    "one more": ("one more",),
    "ignore": ("ignore {}", "bypwrg"),
    "repeat": ("repeat",),
    "track": ("{} {:+}", TRACKS, [*range(-20, 0), *range(1, 21)]),
    "side": ("{} {:+}", ("john", "richard", "everybody"), [*range(-20, 0), *range(1, 21)]),
    "return": ("return {} for {} points", "bypwrg", range(1, 21)),
    "each draws": ("each draws {}", range(1, 21)),
}  # fmt: skip


def on_card(name: str, old: str, new: str) -> str:
    """Our file of counselors or events with one card changed."""
    text = COUNSELORS_TEXT if name.startswith("counselors") else EVENTS_TEXT
    before, mark, rest = text.partition(f"[{name}]\n")
    card, end, after = rest.partition("\n[")
    assert mark, name
    assert old in card, name
    return before + mark + card.replace(old, new, 1) + end + after


def body(name: str, *lines: str) -> str:
    """Our file with another body of one card."""
    text = COUNSELORS_TEXT if name.startswith("counselors") else EVENTS_TEXT
    _, _, rest = text.partition(f"[{name}]\n")
    return on_card(name, rest.partition("\n[")[0], "".join(f"{line}\n" for line in lines))


def counselor(number: int, when: str, *lines: str) -> str:
    shown = f"both = {json.dumps(lines)}"
    return body(f"counselors.{number}", f'when = "{when}"', shown, 'tag = "H"')


def event(number: int, *lines: str) -> str:
    return body(f"events.{number}", f"lines = {json.dumps(lines)}", 'tag = "H"')


def without(name: str, text: str) -> str:
    return re.sub(rf"\[{re.escape(name)}\]\n(.+\n)+", "", text)


def checked(text: str) -> Counselors | Events:
    """As the file that it resembles."""
    check = checked_events if "[events." in text else checked_counselors
    return check(text, "mine.toml")


def refusal(text: str, check: Callable[[str, str], object] | None = None) -> DataError:
    with pytest.raises(DataError) as caught:
        check(text, "mine.toml") if check else checked(text)
    assert caught.value.file == "mine.toml"
    assert str(caught.value).startswith("mine.toml: ")
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 400
    return caught.value


# What our files say


def test_the_house_counselors_are_those_of_the_rules() -> None:
    ours = counselors()
    assert list(ours.cards) == ["john", "richard"]
    for at, side in ((1, "richard"), (-1, "john")):
        found = {
            number: (card.when, " / ".join(line.text for line in card.lines))
            for number, card in ours.cards[side].items()
        }
        assert found == {number: (card[0], card[at]) for number, card in HOUSE_COUNSELORS.items()}


def test_the_house_events_are_those_of_the_rules() -> None:
    ours = events()
    assert ours.order == "shuffled"
    found = {n: " / ".join(line.text for line in lines) for n, lines in ours.cards.items()}
    assert found == HOUSE_EVENTS


def test_all_house_cards_carry_the_tag_of_a_house_ruling() -> None:
    assert COUNSELORS_TEXT.count('\ntag = "H"\n') == len(HOUSE_COUNSELORS)
    assert EVENTS_TEXT.count('\ntag = "H"\n') == len(HOUSE_EVENTS)


def test_our_files_are_read_once_and_a_users_file_each_time(tmp_path: Path) -> None:
    assert counselors() is counselors()
    assert events() is events()
    path = tmp_path / "mine.toml"
    for lines in (["won: time +1"], ["everybody -2"]):
        path.write_text(event(3, *lines), "utf-8")
        mine = events(str(path))
        assert [line.text for line in mine.cards[3]] == lines
        assert (mine.file, mine.cards[4]) == (str(path), events().cards[4])


def test_any_number_may_have_any_when() -> None:
    mine = checked_counselors(
        body("counselors.1", 'when = "reveal"', 'john = ["ignore b"]', 'richard = ["ignore w"]',
             'tag = "S"'),
        "mine.toml",
    )  # fmt: skip
    assert [(mine.cards[side][1].when, mine.cards[side][1].lines[0].text) for side in SIDES] == [
        ("reveal", "ignore b"),
        ("reveal", "ignore w"),
    ]
    assert checked(counselor(12, "end", "20 points"))  # one more may be nowhere
    assert checked(counselor(14, "action", "draw 20"))


# Laws


@st.composite
def texts(draw: st.DrawFn, kind: str) -> str:
    """A line that a card of a kind may say."""

    def phrase(phrases: tuple[richard_cards.Phrase, ...]) -> str:
        names = [phrase.name for phrase in phrases if phrase.kind == kind]
        text, *choices = SAID[draw(st.sampled_from(names))]
        return str(text.format(*(draw(st.sampled_from(list(choice))) for choice in choices)))

    effect = phrase(EFFECTS)
    if kind in ("end", "event") and draw(st.booleans()):
        return f"{phrase(CONDITIONS)}: {effect}"
    return effect


kinds_and_texts = st.sampled_from(KINDS).flatmap(lambda kind: st.tuples(st.just(kind), texts(kind)))


def test_every_phrase_is_known_here_too() -> None:
    assert set(SAID) == set(PHRASES)
    assert len(PHRASES) == len(CONDITIONS + EFFECTS)
    assert {phrase.kind for phrase in EFFECTS} == set(KINDS)
    for phrase in PHRASES.values():
        assert set(phrase.fills.split()) <= set(FIELDS) - {"condition", "effect"}


@given(kinds_and_texts)
@examples(400)
def test_text_and_line_are_inverse(said: tuple[str, str]) -> None:
    kind, text = said
    line = parse(text, kind)
    assert line.text == text
    assert parse(line.text, kind) == line


@pytest.mark.parametrize("name", SAID)
def test_every_choice_of_every_word_is_understood(name: str) -> None:
    text, *choices = SAID[name]
    phrase = PHRASES[name]
    for at, choice in enumerate(choices):
        for value in choice:
            values = [next(iter(each)) for each in choices]
            values[at] = value
            written = text.format(*values)
            if phrase in EFFECTS:
                said: object = parse(written, phrase.kind).effect
            else:
                effect = "time +1" if phrase.kind == "event" else "1 points"
                said = parse(f"{written}: {effect}", phrase.kind).condition
            assert said == (name, *values)


@given(st.sampled_from(KINDS), st.text() | kinds_and_texts.map(lambda said: said[1]))
@examples(300)
def test_any_text_is_a_line_or_refused(kind: str, text: str) -> None:
    try:
        line = parse(text, kind)
    except NotationError:
        with pytest.raises(NotationError, match=r"^no (effect|condition) [ -~]+$"):
            parse(text, kind)
    else:
        assert line.text == text


def written_counselors(cards: dict[int, tuple[str, list[str], list[str]]]) -> str:
    """A file, from the last card to the first."""
    return "\n".join(
        f"[counselors.{n}]\ntag = 'D'\nrichard = {json.dumps(richard)}\n"
        f"john = {json.dumps(john)}\nwhen = '{when}'"
        for n, (when, john, richard) in reversed(cards.items())
    )


@st.composite
def counselor_cards(draw: st.DrawFn) -> dict[int, tuple[str, list[str], list[str]]]:
    cards = {}
    whens = list(WHEN)
    for number in range(1, 15):
        when = draw(st.sampled_from(whens))
        if when in ("contribution", "influence"):
            whens.remove(when)
        lines = st.lists(texts(when), min_size=1, max_size=4 if when == "end" else 1)
        cards[number] = (when, draw(lines), draw(lines))
    return cards


def written_events(order: str, cards: dict[int, list[str]]) -> str:
    """A file, from the last card to the first."""
    lines = (f"[events.{n}]\nlines = {json.dumps(card)}\ntag = 'S'" for n, card in cards.items())
    return "\n".join((f"order = '{order}'", *reversed(list(lines))))


@st.composite
def event_cards(draw: st.DrawFn) -> dict[int, list[str]]:
    def card() -> list[str]:
        lines: list[str] = draw(st.lists(texts("event"), min_size=1, max_size=4))
        alone = [line for line in lines if "return" in line or "draws" in line]
        return alone[:1] or lines

    return {number: card() for number in range(1, 19)}


@given(st.sampled_from(ORDERS), event_cards())
@examples(30)
def test_all_events_that_can_be_said_are_read_as_said(
    order: str, cards: dict[int, list[str]]
) -> None:
    mine = checked_events(written_events(order, cards), "mine.toml")
    assert mine.order == order
    assert {n: [line.text for line in card] for n, card in mine.cards.items()} == cards
    numbers = as_numbers(None, mine)["event_cards"]
    assert [len(card) for card in numbers] == [0, *map(len, cards.values())]


@given(counselor_cards())
@examples(40)
def test_all_counselors_that_can_be_said_are_read_as_said(
    cards: dict[int, tuple[str, list[str], list[str]]],
) -> None:
    mine = checked_counselors(written_counselors(cards), "mine.toml")
    found = {
        n: (mine.cards["john"][n].when,
            *([line.text for line in mine.cards[side][n].lines] for side in SIDES))
        for n in range(1, 15)
    }  # fmt: skip
    assert found == cards
    numbers = as_numbers(mine, None)["counselor_cards"]
    for deck, side in zip(numbers, SIDES, strict=True):
        for (when, lines), n in zip(deck[1:], range(1, 15), strict=True):
            assert (when, len(lines)) == (
                list(WHEN).index(cards[n][0]), len(mine.cards[side][n].lines)
            )  # fmt: skip
            assert all(len(line) == 8 and max(map(abs, line)) <= 255 for line in lines)


# Digests


def test_the_same_texts_in_another_layout_have_the_same_digest() -> None:
    cards = {
        n: (when, said[-1].split(" / "), said[0].split(" / "))
        for n, (when, *said) in HOUSE_COUNSELORS.items()
    }
    mine = checked_counselors("# ours\r\n" + written_counselors(cards), "mine.toml")
    assert mine.file != counselors().file
    assert digest(mine) == digest(counselors())
    reordered = "\n".join(
        f"events.{n} = {{tag = 'R', lines = [\n{json.dumps(said.split(' / '))[1:-1]},\n]}}"
        for n, said in reversed(HOUSE_EVENTS.items())
    )
    mine_too = checked_events(f"{reordered}\norder = '''\nshuffled'''", "mine.toml")
    assert digest(mine_too) == digest(events())


def test_other_texts_have_other_digests() -> None:
    swapped = COUNSELORS_TEXT.replace("john =", "j =").replace("richard =", "john =")
    changed: list[Counselors | Events] = [
        counselors(),
        events(),
        checked(event(3, "won: saladin -2")),
        checked(event(3, "saladin -1")),
        checked(event(8, "lost: crusaders -1", "won: saladin -1")),
        checked(EVENTS_TEXT.replace('"shuffled"', '"historical"')),
        checked(counselor(8, "action", "choose 1")),
        checked(swapped.replace("j =", "richard =")),
    ]
    digests = [digest(value) for value in changed]
    assert len(set(digests)) == len(digests)
    assert all(re.fullmatch("[0-9a-f]{64}", each) for each in digests)


def test_a_digest_is_that_of_canonical_json() -> None:
    ours = events()
    cards = {
        str(n): [[line.condition and list(line.condition), list(line.effect)] for line in lines]
        for n, lines in ours.cards.items()
    }
    text = json.dumps({"cards": cards, "order": "shuffled"}, sort_keys=True, separators=(",", ":"))
    assert text.index('"10":') < text.index('"2":')
    assert '"4":[[["not happened","won"],["track","crusaders",-1]]]' in text
    assert digest(ours) == hashlib.sha256(text.encode()).hexdigest()


# Numbers for the compiled core


@pytest.mark.parametrize(
    ("kind", "text", "line"),
    [
        ("end", "20 points", (0, 0, 0, 0, 20, 0, 0, 0)),
        ("end", "ending A: 3 points", (1, 1, 0, 0, 3, 0, 0, 0)),
        ("end", "ending D: 3 points", (1, 4, 0, 0, 3, 0, 0, 0)),
        ("end", "treasury >= 12: 3 points", (2, 3, 12, 0, 3, 0, 0, 0)),
        ("end", "time <= 0: 2 points", (3, 0, 0, 0, 2, 0, 0, 0)),
        ("end", "saladin <= 255: 1 points", (3, 2, 255, 0, 1, 0, 0, 0)),
        ("end", "crusaders > saladin: 2 points", (4, 1, 2, 0, 2, 0, 0, 0)),
        ("end", "1 points per 2 r at most 3", (0, 0, 0, 1, 1, 4, 2, 3)),
        ("end", "time >= 6: 2 points per 5 b at most 8", (2, 0, 6, 1, 2, 0, 5, 8)),
        ("action", "take 2 g", (0, 0, 0, 2, 2, 5, 0, 0)),
        ("action", "choose 2", (0, 0, 0, 3, 2, 0, 0, 0)),
        ("action", "draw 3", (0, 0, 0, 4, 3, 0, 0, 0)),
        ("action", "swap", (0, 0, 0, 5, 0, 0, 0, 0)),
        ("action", "return 6 alike for 2 points", (0, 0, 0, 6, 2, 0, 6, 0)),
        ("contribution", "one more", (0, 0, 0, 7, 0, 0, 0, 0)),
        ("reveal", "ignore p", (0, 0, 0, 8, 0, 2, 0, 0)),
        ("influence", "repeat", (0, 0, 0, 9, 0, 0, 0, 0)),
        ("event", "won: treasury +2", (5, 0, 0, 10, 2, 3, 0, 0)),
        ("event", "lost: time -1", (5, 1, 0, 10, -1, 0, 0, 0)),
        ("event", "drawn: crusaders -20", (5, 2, 0, 10, -20, 1, 0, 0)),
        ("event", "slowed: john +1", (5, 3, 0, 11, 1, 0, 0, 0)),
        ("event", "hastened: richard -3", (5, 4, 0, 11, -3, 1, 0, 0)),
        ("event", "rose: everybody +1", (5, 5, 0, 11, 1, 2, 0, 0)),
        ("event", "not fell: saladin -1", (6, 6, 0, 10, -1, 2, 0, 0)),
        ("event", "return w for 5 points", (0, 0, 0, 12, 5, 3, 0, 0)),
        ("event", "not won: each draws 2", (6, 0, 0, 13, 2, 0, 0, 0)),
    ],
)
def test_a_line_in_numbers(kind: str, text: str, line: tuple[int, ...]) -> None:
    if kind == "event":
        mine: Any = checked_events(event(18, text), "mine.toml")
        assert as_numbers(None, mine)["event_cards"][18] == [line]
        return
    number = {"contribution": 12, "influence": 14}.get(kind, 13)
    mine = checked_counselors(counselor(number, kind, text), "mine.toml")
    john, richard = as_numbers(mine, None)["counselor_cards"]
    assert john[number] == richard[number] == (list(WHEN).index(kind), [line])


def test_our_cards_in_numbers() -> None:
    numbers = as_numbers(counselors(), events())
    assert set(numbers) == {"counselor_cards", "event_cards"}
    john, richard = numbers["counselor_cards"]
    assert john[3] == (0, [(3, 3, 3, 0, 3, 0, 0, 0), (3, 3, 6, 0, 2, 0, 0, 0)])
    assert richard[3] == (0, [(2, 3, 12, 0, 3, 0, 0, 0), (2, 3, 8, 0, 2, 0, 0, 0)])
    assert [when for when, _ in john] == [0] * 7 + [1] * 5 + [2, 3, 4]
    assert [len(lines) for _, lines in richard] == [0, 1, 1, 2] + [1] * 11
    lines = numbers["event_cards"]
    assert lines[6] == lines[11] == [(5, 0, 0, 11, 1, 1, 0, 0), (5, 1, 0, 11, 1, 0, 0, 0)]
    assert [len(card) for card in lines] == [0, 2, 1, 1, 1, 1, 2, 1, 2, 1, 1, 2, 2, *[1] * 6]


def test_no_cards_in_numbers() -> None:
    no_counselors: list[Any] = [[(0, [])] * 15] * 2
    no_events: list[Any] = [[]] * 19
    assert as_numbers(None, None) == {"counselor_cards": no_counselors, "event_cards": no_events}
    assert as_numbers(None, events())["counselor_cards"] == no_counselors
    assert as_numbers(counselors(), None)["event_cards"] == no_events


def test_nobody_can_spoil_our_cards_through_their_numbers() -> None:
    before = as_numbers(counselors(), events())
    spoiled = as_numbers(counselors(), events())
    spoiled["counselor_cards"][0][1][1].clear()
    spoiled["event_cards"][1].clear()
    assert as_numbers(counselors(), events()) == before


# What is refused


@pytest.mark.parametrize(
    ("text", "entry", "told"),
    [
        # files
        ("[", "", "not a TOML file"),
        ("a = " + "[\n" * 5000, "", "not a TOML file: nested too deeply"),
        ("a = 1\na = 2", "", "not a TOML file: 'Cannot overwrite"),
        (".".join("a" * 40_000) + " = 1", "", "a line has more than 1,000 characters"),
        ("", "counselors", "missing"),
        ("counselors = 1", "counselors", "a table of cards is wanted"),
        ("counselors = []", "counselors", "a table of cards is wanted"),
        ("x = 1\n" + COUNSELORS_TEXT, "x", "no such entry; there is counselors"),
        ("order = 'shuffled'\n" + COUNSELORS_TEXT, "order", "no such entry"),
        (COUNSELORS_TEXT + '\n["a\\n\\u001b"]\n', r"a\n\x1b", "no such entry"),
        (EVENTS_TEXT + "\n[counselors.1]\n", "counselors", "no such entry; there is order, events"),
        (EVENTS_TEXT.replace('order = "shuffled"', ""), "order", "missing"),
        (EVENTS_TEXT.replace('"shuffled"', '"Shuffled"'), "order",
         "the order is one of the texts shuffled historical, not 'Shuffled'"),
        (EVENTS_TEXT.replace('"shuffled"', "1"), "order", "the order is one of the texts"),
        (EVENTS_TEXT.replace('"shuffled"', '["shuffled"]'), "order", "is one of the texts"),
        # counts of cards
        (without("counselors.7", COUNSELORS_TEXT), "counselors.7", "missing"),
        (without("events.18", EVENTS_TEXT), "events.18", "missing"),
        (COUNSELORS_TEXT + "\n[counselors.15]\n", "counselors.15", "there is 1, 2, 3"),
        (COUNSELORS_TEXT + "\n[counselors.0]\n", "counselors.0", "no such entry"),
        (COUNSELORS_TEXT + "\n[counselors.01]\n", "counselors.01", "no such entry"),
        (COUNSELORS_TEXT + '\n[counselors."7\\n"]\n', r"counselors.7\n", "no such entry"),
        (EVENTS_TEXT + "\n[events.19]\n", "events.19", "16, 17, 18"),
        (EVENTS_TEXT + "\n[events.-1]\n", "events.-1", "no such entry"),
        (COUNSELORS_TEXT + "\n[counselors.7]\n", "", "not a TOML file"),
        # words
        (without("counselors.7", "counselors.7 = 'take 2 r'\n" + COUNSELORS_TEXT),
         "counselors.7", "a table with when, tag, both, john, richard is wanted"),
        (without("events.7", "events.7 = []\n" + EVENTS_TEXT), "events.7",
         "a table with tag, lines is wanted"),
        (on_card("counselors.7", "when", "what"), "counselors.7", "no word 'what'; there is when"),
        (on_card("counselors.8", "both", "lines"), "counselors.8", "no word 'lines'"),
        (on_card("events.7", "lines", "both"), "events.7", "no word 'both'; there is tag, lines"),
        (on_card("events.7", 'tag = "H"', ""), "events.7", "the tag is one of the texts R D S H"),
        (on_card("events.7", '"H"', '"RD"'), "events.7", "R D S H, not 'RD'"),
        (on_card("events.7", '"H"', '""'), "events.7", "R D S H, not ''"),
        (on_card("counselors.7", '"H"', "1"), "counselors.7", "the tag is one of the texts"),
        (on_card("counselors.7", '"H"', "0x" + "f" * 900), "counselors.7", "the tag is one of"),
        (on_card("counselors.7", '"H"', "{a" + ".a" * 400 + " = 1}"), "counselors.7", "the tag is"),
        (on_card("counselors.7", '"H"', ("[{a" + ".a" * 400 + " = [\n") * 9 + "]}]" * 9),
         "counselors.7", "the tag is one of the texts R D S H"),  # 3,600 deep
        (on_card("counselors.7", '"action"', '"Action"'), "counselors.7",
         "when is one of the texts end action contribution reveal influence, not 'Action'"),
        (on_card("counselors.7", '"action"', "{}"), "counselors.7", "when is one of the texts end"),
        (on_card("counselors.7", 'when = "action"', ""), "counselors.7", "when is one of"),
        (on_card("counselors.7", '"action"', '"event"'), "counselors.7", "not 'event'"),
        (on_card("counselors.7", "john", "both"), "counselors.7", "either both, or john and"),
        (on_card("counselors.7", 'john = ["take 2 g"]', ""), "counselors.7", "either both, or"),
        (on_card("counselors.8", 'both = ["choose 2"]', ""), "counselors.8", "either both, or"),
        (on_card("counselors.7", "john", "both = ['swap']\njohn"), "counselors.7", "either both"),
        # counts of lines
        (on_card("events.7", "lines = ", "lines.x = "), "events.7",
         "lines: 1 to 4 lines are wanted, texts in a list"),
        (body("events.7", 'tag = "H"'), "events.7", "lines: 1 to 4 lines are wanted"),
        (body("events.7", 'lines = "won: time +1"', 'tag = "H"'), "events.7", "texts in a list"),
        (body("events.7", "lines = [1]", 'tag = "H"'), "events.7", "texts in a list"),
        (event(7), "events.7", "1 to 4 lines are wanted, not 0"),
        (event(7, *["time +1"] * 5), "events.7", "1 to 4 lines are wanted, not 5"),
        (counselor(1, "end"), "counselors.1", "both: 1 to 4 lines are wanted, not 0"),
        (counselor(1, "end", *["1 points"] * 5), "counselors.1", "1 to 4 lines are wanted, not 5"),
        (counselor(9, "action"), "counselors.9", "both: exactly one line is wanted, not 0"),
        (counselor(9, "action", "swap", "swap"), "counselors.9", "exactly one line is wanted, not"),
        (on_card("counselors.13", '["ignore r"]', "['ignore r', 'ignore b']"), "counselors.13",
         "john: exactly one line is wanted, not 2"),
        # cards that do not go together
        (counselor(3, "contribution", "one more"), "counselors.12",
         "only one number may say one more, and 3 does"),
        (counselor(13, "influence", "repeat"), "counselors.14",
         "only one number may say repeat, and 13 does"),
        (event(7, "each draws 1", "time +1"), "events.7",
         "a card with 'each draws 1' has only that one line"),
        (event(7, "time +1", "won: return w for 1 points"), "events.7",
         "a card with 'won: return w for 1 points' has only that one line"),
        # what a line may say, where
        (counselor(9, "action", "won: draw 3"), "counselors.9",
         "no condition 'won'; there is none here"),
        (counselor(9, "action", "one more"), "counselors.9",
         "no effect 'one more'; there is take 1..20 COLOUR, choose 1..2, draw 1..20, swap, return"
         " 1..6 alike for 1..20 points; COLOUR is b y p w r g"),
        (counselor(9, "end", "draw 3"), "counselors.9", "no effect 'draw 3'; there is 1..20 po"),
        (counselor(9, "end", "won: 3 points"), "counselors.9",
         "no condition 'won'; there is ending ENDING, TRACK >= 0..255, TRACK <= 0..255, TRACK >"
         " TRACK; TRACK is time crusaders saladin treasury; ENDING is A B C D"),
        (counselor(12, "contribution", "two more"), "counselors.12", "there is one more"),
        (counselor(14, "influence", "again"), "counselors.14", "effect 'again'; there is repeat"),
        (event(7, "3 points"), "events.7", "no effect '3 points'; there is TRACK +-1..20, SIDE"),
        (event(7, "ending A: time +1"), "events.7",
         "no condition 'ending A'; there is OUTCOME, not OUTCOME; OUTCOME is won lost"),
        # unknown words and impossible numbers
        (counselor(9, "action", "take 2 x"), "counselors.9",
         "no effect 'take 2 x'; one of b y p w r g is wanted, not 'x'"),
        (counselor(9, "action", "take 21 r"), "counselors.9", "one of 1..20 is wanted, not '21'"),
        (counselor(9, "action", "take 0 r"), "counselors.9", "one of 1..20 is wanted, not '0'"),
        (counselor(9, "action", "take +2 r"), "counselors.9", "1..20 is wanted, not '+2'"),
        (counselor(9, "action", "take 02 r"), "counselors.9", "1..20 is wanted, not '02'"),
        (counselor(9, "action", "draw \u0663"), "counselors.9", r"wanted, not '\u0663'"),
        (counselor(9, "action", "draw " + "9" * 900), "counselors.9", "wanted, not '99999"),
        (counselor(9, "action", "choose 3"), "counselors.9", "1..2 is wanted, not '3'"),
        (counselor(9, "action", "return 7 alike for 1 points"), "counselors.9", "1..6 is wanted"),
        (counselor(9, "action", "return 1 alike for 21 points"), "counselors.9", "1..20 is wanted"),
        (counselor(9, "action", "draw  3"), "counselors.9", "no effect 'draw  3'; there is"),
        (counselor(9, "action", "draw 3\n"), "counselors.9", r"no effect 'draw 3\n'; there is"),
        (counselor(9, "action", "\x1b[31m"), "counselors.9", r"no effect '\x1b[31m'"),
        (counselor(9, "action", "Swap"), "counselors.9", "no effect 'Swap'"),
        (counselor(9, "action", ""), "counselors.9", "no effect ''"),
        (counselor(13, "reveal", "ignore red"), "counselors.13", "w r g is wanted, not 'red'"),
        (counselor(1, "end", "ending E: 1 points"), "counselors.1", "A B C D is wanted, not 'E'"),
        (counselor(1, "end", "time >= 256: 1 points"), "counselors.1", "0..255 is wanted"),
        (counselor(1, "end", "time >= -1: 1 points"), "counselors.1", "0..255 is wanted, not '-1'"),
        (counselor(1, "end", "tide > time: 1 points"), "counselors.1",
         "no condition 'tide > time'; one of time crusaders saladin treasury is wanted, not"),
        (counselor(1, "end", "time < 3: 1 points"), "counselors.1", "no condition 'time < 3'; the"),
        (counselor(1, "end", "time > 3: 1 points"), "counselors.1", "is wanted, not '3'"),
        (counselor(1, "end", ": 1 points"), "counselors.1", "no condition ''; there is ending"),
        (counselor(1, "end", "time <= 3:1 points"), "counselors.1", "no effect 'time <= 3:1 po"),
        (counselor(1, "end", "time <= 3: ending A: 1 points"), "counselors.1", "no condition"),
        (counselor(1, "end", "1 point"), "counselors.1", "no effect '1 point'; there is"),
        (counselor(1, "end", "-1 points"), "counselors.1", "1..20 is wanted, not '-1'"),
        (counselor(1, "end", "1 points per 2 r at most 21"), "counselors.1", "wanted, not '21'"),
        (event(7, "drew: time +1"), "events.7", "one of won lost drawn slowed"),
        (event(7, "not drew: time +1"), "events.7", "hastened rose fell is wanted, not 'drew'"),
        (event(7, "time +21"), "events.7", "no effect 'time +21'; one of +-1..20 is wanted, not"),
        (event(7, "time 1"), "events.7", "one of +-1..20 is wanted, not '1'"),
        (event(7, "time +0"), "events.7", "one of +-1..20 is wanted, not '+0'"),
        (event(7, "jon +1"), "events.7",
         "no effect 'jon +1'; there is TRACK +-1..20, SIDE +-1..20, return COLOUR for 1..20"
         " points, each draws 1..20; COLOUR is b y p w r g; TRACK is time crusaders saladin"
         " treasury; SIDE is john richard everybody"),
        (event(7, "return x for 1 points"), "events.7", "one of b y p w r g is wanted, not 'x'"),
        (event(7, "each draws 0"), "events.7", "one of 1..20 is wanted, not '0'"),
    ],
)  # fmt: skip
def test_what_cannot_be_played_by_is_refused(text: str, entry: str, told: str) -> None:
    error = refusal(text)
    assert error.entry == entry
    assert told in str(error)
    assert str(error).startswith(f"mine.toml: [{entry}]: " if entry else "mine.toml: ")


def test_a_file_of_the_other_kind_is_refused() -> None:
    assert refusal(EVENTS_TEXT, checked_counselors).entry == "order"
    assert refusal(COUNSELORS_TEXT, checked_events).entry == "counselors"


@pytest.mark.parametrize("load", [counselors, events])
def test_a_file_that_cannot_be_read_is_refused(
    load: Callable[[str | Path], object], tmp_path: Path
) -> None:
    for data, told in (
        (None, "No such file"),
        (b"\xff", "not UTF-8 text at byte 0"),
        (b"#\n" * 50_001, "larger than it may be"),
    ):
        path = tmp_path / "mine.toml"
        if data is not None:
            path.write_bytes(data)
        with pytest.raises(DataError, match=told) as caught:
            load(path)
        assert (caught.value.file, caught.value.entry) == (str(path), "")
    with pytest.raises(DataError, match="cannot be read"):
        load(tmp_path)
    with pytest.raises(DataError, match="cannot be read"):
        load("nul\0")


# Hostile files

PIECES = (
    "[", "]", "[[", '"', "'", "\n", "=", ".", ",", "{", "}", "{}", "[]", "[[]]", "nan", "-1",
    "1e999", "true", "1979-05-27", "0x" + "f" * 600, "9" * 900, "a.a" * 300, "[" * 900, "both",
    "john", "when", "tag", "lines", "order", "one more", "points", "+1", ": ", " ", "15", "0",
    "#", "\x00", "\x1b", "\ufeff", "\u2028", "\\n", "\\u0000", "\U0010ffff", '"action"', '"end"',
    '"repeat"',
)  # fmt: skip


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """One of our files after a few cuts, pieces put in, and swaps of its lines."""
    text = draw(st.sampled_from((COUNSELORS_TEXT, EVENTS_TEXT)))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        if draw(st.booleans()):
            cut = draw(st.integers(0, 12))
            piece = draw(st.sampled_from(PIECES) | st.text(max_size=3))
            text = text[:at] + piece + text[at + cut :]
        else:
            lines = text.split("\n")
            one = draw(st.integers(0, len(lines) - 1))
            other = draw(st.integers(0, len(lines) - 1))
            lines[one] = draw(st.sampled_from((lines[other], "")))
            text = "\n".join(lines)
    return text


@given(mutated(), st.sampled_from((checked_counselors, checked_events)))
@examples(500)
def test_a_hostile_text_is_read_or_refused(text: str, check: Callable[[str, str], Any]) -> None:
    try:
        found = check(text, "mine.toml")
    except DataError:
        refusal(text, check)
    else:
        assert as_numbers(*((found, None) if check is checked_counselors else (None, found)))
        assert digest(found)


VALUES = (
    "-1", "0x" + "f" * 900, "true", "nan", '""', '"x"', "[]", "[[]]", '[["swap"]]', "[1]", "{}",
    "[{}]", "1979-05-27", '["won: time +1", 1]', '["\\u0000"]', "{a" + ".a" * 450 + " = 1}",
    '"end"', '"H"',
)  # fmt: skip


@given(
    st.sampled_from([f"counselors.{n}" for n in HOUSE_COUNSELORS])
    | st.sampled_from([f"events.{n}" for n in HOUSE_EVENTS]),
    st.integers(0, 9),
    st.sampled_from(VALUES),
)
@examples(300)
def test_a_value_of_the_wrong_kind_is_refused_on_its_card(name: str, at: int, value: str) -> None:
    text = COUNSELORS_TEXT if name.startswith("counselors") else EVENTS_TEXT
    _, _, rest = text.partition(f"[{name}]\n")
    lines = rest.partition("\n[")[0].strip().split("\n")
    word, _, before = lines[at % len(lines)].partition(" = ")
    if value != before:
        lines[at % len(lines)] = f"{word} = {value}"
        assert refusal(body(name, *lines)).entry == name


@given(st.binary(max_size=60))
@examples(100)
def test_a_file_of_any_bytes_is_refused_with_its_name(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mine.toml"
        path.write_bytes(data)
        for load in (counselors, events):
            with pytest.raises(DataError) as caught:
                load(path)
            assert caught.value.file == str(path)


def test_our_names_agree_with_the_numbers() -> None:
    assert COLOURS == "bypwrg"
    assert ORDERS == ("shuffled", "historical")
    assert (richard_cards.END, richard_cards.INFLUENCE, len(WHEN)) == (0, 4, 5)
    assert (richard_cards.NOT_HAPPENED, richard_cards.EACH_DRAWS) == (6, 13)
