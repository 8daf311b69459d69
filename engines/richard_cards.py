"""What the counselors and events of Richard I do: files of texts, checked before they are played.

A file of counselors has a table `[counselors.1]` to `[counselors.14]` with `when`, a `tag`, and the
lines of `both` decks or of `john` and `richard`. A file of events has `order` and a table
`[events.1]` to `[events.18]` with a `tag` and `lines`. A line is an effect or `CONDITION: EFFECT`,
in the phrases below. Tags are those of `data_files`. Source: RULES.md, house rulings.

    >>> (line := counselors().cards["richard"][3].lines[0])
    Line(condition=('at least', 'treasury', 12), effect=('points', 3))
    >>> line.text
    'treasury >= 12: 3 points'
    >>> parse("not won: crusaders -1", "event") == events().cards[4][0]
    True
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from cython_core.errors import NotationError
from engines import data_files
from engines.data_files import FOLDER, TAGS, DataError, Wrong, exactly, shown
from engines.richard_data import COLOURS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

# Codes: cython_core/richard_table.pxd has the same.
END, ACTION, CONTRIBUTION, REVEAL, INFLUENCE = range(5)
ALWAYS, ENDING, AT_LEAST, AT_MOST, ABOVE, HAPPENED, NOT_HAPPENED = range(7)
POINTS, POINTS_PER, TAKE, CHOOSE, DRAW, SWAP, CASH, ONE_MORE, IGNORE, REPEAT = range(10)
TRACK, SIDE, RETURN, EACH_DRAWS = range(10, 14)
FIELDS = ("condition", "left", "right", "effect", "amount", "a", "b", "c")  # of a coded line

WHEN = ("end", "action", "contribution", "reveal", "influence")  # these by code
SIDES = ("john", "richard")
TRACKS = ("time", "crusaders", "saladin", "treasury")
OUTCOMES = ("won", "lost", "drawn", "slowed", "hastened", "rose", "fell")
ORDERS = ("shuffled", "historical")
COUNSELORS, EVENTS = 14, 18
MOST_LINES = 4


class Phrase(NamedTuple):
    """How a condition or an effect is written, and what the compiled core is given for it.

    `kind`: the `when` of the counselors that may say it, or "event". `text`: a name in WORDS stands
    for any of its texts, `1..20` for a number, `+-1..20` for one with its sign, another word for
    itself. `fills`: one of FIELDS for each of those that stand for something, in order.
    """

    kind: str
    name: str
    text: str
    code: int
    fills: str = ""


# The texts that a word of a phrase stands for, with their codes.
WORDS = {
    "COLOUR": {colour: code for code, colour in enumerate(COLOURS)},
    "TRACK": {track: code for code, track in enumerate(TRACKS)},
    "SIDE": {side: code for code, side in enumerate((*SIDES, "everybody"))},
    "ENDING": {ending: code for code, ending in enumerate("ABCD", 1)},
    "OUTCOME": {outcome: code for code, outcome in enumerate(OUTCOMES)},
}

# The whole vocabulary.
CONDITIONS = (
    Phrase("end", "ending", "ending ENDING", ENDING, "left"),
    Phrase("end", "at least", "TRACK >= 0..255", AT_LEAST, "left right"),
    Phrase("end", "at most", "TRACK <= 0..255", AT_MOST, "left right"),
    Phrase("end", "above", "TRACK > TRACK", ABOVE, "left right"),
    Phrase("event", "happened", "OUTCOME", HAPPENED, "left"),
    Phrase("event", "not happened", "not OUTCOME", NOT_HAPPENED, "left"),
)
EFFECTS = (
    Phrase("end", "points", "1..20 points", POINTS, "amount"),
    Phrase("end", "per", "1..20 points per 1..20 COLOUR at most 1..20", POINTS_PER, "amount b a c"),
    Phrase("action", "take", "take 1..20 COLOUR", TAKE, "amount a"),
    Phrase("action", "choose", "choose 1..2", CHOOSE, "amount"),
    Phrase("action", "draw", "draw 1..20", DRAW, "amount"),
    Phrase("action", "swap", "swap", SWAP),
    Phrase("action", "cash", "return 1..6 alike for 1..20 points", CASH, "b amount"),
    Phrase("contribution", "one more", "one more", ONE_MORE),
    Phrase("reveal", "ignore", "ignore COLOUR", IGNORE, "a"),
    Phrase("influence", "repeat", "repeat", REPEAT),
    Phrase("event", "track", "TRACK +-1..20", TRACK, "a amount"),
    Phrase("event", "side", "SIDE +-1..20", SIDE, "a amount"),
    Phrase("event", "return", "return COLOUR for 1..20 points", RETURN, "a amount"),
    Phrase("event", "each draws", "each draws 1..20", EACH_DRAWS, "amount"),
)
PHRASES = {phrase.name: phrase for phrase in CONDITIONS + EFFECTS}
ONCE = ("contribution", "influence")  # at most one number of counselors may be of such a kind
ALONE = ("return", "each draws")  # an event with such an effect has no other line

Said: TypeAlias = tuple[str | int, ...]  # the name of a phrase, then what stands for its words


class Line(NamedTuple):
    """What a line says: `("at most", "time", 4)` or None, and `("points", 2)`."""

    condition: Said | None
    effect: Said

    @property
    def text(self) -> str:
        """As it stands in a file; `parse` is the inverse."""
        return ": ".join(_written(said) for said in self if said is not None)


class Card(NamedTuple):
    """A counselor of one deck. `when`: one of WHEN."""

    when: str
    lines: tuple[Line, ...]


class Counselors(NamedTuple):
    """A checked file. `cards`: by side, then by number from 1 to 14. Shared: not to be changed."""

    file: str
    cards: Mapping[str, Mapping[int, Card]]


class Events(NamedTuple):
    """A checked file. `order`: one of ORDERS; `cards`: lines by number from 1 to 18. Shared."""

    file: str
    order: str
    cards: Mapping[int, tuple[Line, ...]]


# Lines and their text


def parse(text: str, kind: str) -> Line:
    """A line of a counselor, `kind` being its `when`, or of an "event". Raises NotationError."""
    condition, colon, effect = text.rpartition(": ")
    said = _parsed(condition, "condition", CONDITIONS, kind) if colon else None
    return Line(said, _parsed(effect, "effect", EFFECTS, kind))


def _parsed(text: str, what: str, vocabulary: Sequence[Phrase], kind: str) -> Said:
    phrases = [phrase for phrase in vocabulary if phrase.kind == kind]
    almost = []
    for phrase in phrases:
        if match := _pattern(phrase.text).fullmatch(text):
            slots = list(zip(_slots(phrase.text), match.groups(), strict=True))
            wrong = [(name, word) for name, word in slots if word not in _choices(name)]
            if not wrong:
                values = (word if name in WORDS else int(word) for name, word in slots)
                return (phrase.name, *values)
            almost += wrong if len(wrong) == 1 else []
    reason = _unfit(*almost[0]) if len(almost) == 1 else _possible(phrases)
    raise NotationError(f"no {what} {shown(text)}; {reason}")


def _unfit(name: str, word: str) -> str:
    return f"one of {' '.join(WORDS.get(name, [name]))} is wanted, not {shown(word)}"


def _possible(phrases: Sequence[Phrase]) -> str:
    texts = ", ".join(phrase.text for phrase in phrases) or "none here"
    used = {word for phrase in phrases for word in phrase.text.split()}
    meant = [f"{name} is {' '.join(words)}" for name, words in WORDS.items() if name in used]
    return "; ".join((f"there is {texts}", *meant))


def _written(said: Said) -> str:
    values = iter(said[1:])
    words = []
    for word in PHRASES[str(said[0])].text.split():
        sign = "+" if word.startswith("+-") else ""
        words.append(f"{next(values):{sign}}" if _choices(word) else word)
    return " ".join(words)


@cache
def _choices(word: str) -> dict[str, int]:
    """The texts that a word of a phrase stands for, with codes; none if it stands for itself."""
    if word in WORDS:
        return WORDS[word]
    least, dots, most = word.removeprefix("+-").partition("..")
    if not dots:
        return {}
    numbers = range(int(least), int(most) + 1)
    if word.startswith("+-"):
        return {f"{n:+}": n for n in (*numbers, *(-n for n in numbers))}
    return {str(n): n for n in numbers}


def _slots(text: str) -> list[str]:
    return [word for word in text.split() if _choices(word)]


@cache
def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(" ".join(r"(\S+)" if _choices(w) else re.escape(w) for w in text.split()))


# Files


def counselors(path: str | Path | None = None) -> Counselors:
    """Ours, or those of a user's file. Raises DataError."""
    return _ours()[0] if path is None else checked_counselors(data_files.read(path), str(path))


def events(path: str | Path | None = None) -> Events:
    """Ours, or those of a user's file. Raises DataError."""
    return _ours()[1] if path is None else checked_events(data_files.read(path), str(path))


@cache
def _ours() -> tuple[Counselors, Events]:
    return counselors(FOLDER / "richard_counselors.toml"), events(FOLDER / "richard_events.toml")


def checked_counselors(text: str, file: str) -> Counselors:
    """The counselors in a text. `file` is its name, for errors. Raises DataError."""
    tables = data_files.tables(text, file, ("counselors",))
    found = _cards(tables["counselors"], "counselors", COUNSELORS, _counselor, file)
    for when in ONCE:
        numbers = [number for number, decks in found.items() if decks["john"].when == when]
        if len(numbers) > 1:
            said = found[numbers[0]]["john"].lines[0].text
            reason = f"only one number may say {said}, and {numbers[0]} does"
            raise DataError(file, f"counselors.{numbers[1]}", reason)
    cards = {side: {number: decks[side] for number, decks in found.items()} for side in SIDES}
    return Counselors(file, cards)


def checked_events(text: str, file: str) -> Events:
    """The events in a text. `file` is its name, for errors. Raises DataError."""
    tables = data_files.tables(text, file, ("order", "events"))
    try:
        order = _one_of(tables["order"], ORDERS, "the order")
    except Wrong as wrong:
        raise DataError(file, "order", str(wrong)) from None
    return Events(file, order, _cards(tables["events"], "events", EVENTS, _event, file))


def _cards(
    cards: object, name: str, count: int, check: Callable[[object], Any], file: str
) -> dict[int, Any]:
    """All cards of a table of them, checked, by number."""
    if not isinstance(cards, dict):
        raise DataError(file, name, "a table of cards is wanted")
    numbers = {str(number): number for number in range(1, count + 1)}
    exactly(numbers, cards, file, f"{name}.")
    found = {}
    for key, number in numbers.items():
        try:
            found[number] = check(cards[key])
        except (Wrong, NotationError) as wrong:
            raise DataError(file, f"{name}.{key}", str(wrong)) from None
    return found


def _counselor(table: object) -> dict[str, Card]:
    """The card of each side."""
    card = _card(table, ("when", "tag", "both", *SIDES))
    when = _one_of(card.get("when"), WHEN, "when")
    decks = [word for word in ("both", *SIDES) if word in card]
    if decks not in (["both"], [*SIDES]):
        raise Wrong("either both, or john and richard, is wanted")
    most = MOST_LINES if when == "end" else 1
    lines = {deck: _lines(card[deck], deck, when, most) for deck in decks}
    return {side: Card(when, lines.get(side) or lines["both"]) for side in SIDES}


def _event(table: object) -> tuple[Line, ...]:
    card = _card(table, ("tag", "lines"))
    lines = _lines(card.get("lines"), "lines", "event", MOST_LINES)
    alone = [line.text for line in lines if line.effect[0] in ALONE]
    if alone and len(lines) > 1:
        raise Wrong(f"a card with {shown(alone[0])} has only that one line")
    return lines


def _card(table: object, words: Sequence[str]) -> dict[str, Any]:
    """A table of no other words, its tag checked."""
    if not isinstance(table, dict):
        raise Wrong(f"a table with {', '.join(words)} is wanted")
    for word in table:
        if word not in words:
            raise Wrong(f"no word {shown(word)}; there is {', '.join(words)}")
    _one_of(table.get("tag"), tuple(TAGS), "the tag")
    return table


def _lines(value: object, name: str, kind: str, most: int) -> tuple[Line, ...]:
    wanted = "exactly one line is" if most == 1 else f"1 to {most} lines are"
    if not isinstance(value, list) or not all(isinstance(text, str) for text in value):
        raise Wrong(f"{name}: {wanted} wanted, texts in a list")
    if not 1 <= len(value) <= most:
        raise Wrong(f"{name}: {wanted} wanted, not {len(value)}")
    return tuple(parse(text, kind) for text in value)


def _one_of(value: object, words: tuple[str, ...], what: str) -> str:
    if isinstance(value, str) and value in words:
        return value
    raise Wrong(f"{what} is one of the texts {' '.join(words)}, not {shown(value)}")


# What the compiled core is given


def as_numbers(counselors: Counselors | None, events: Events | None) -> dict[str, list[Any]]:
    """All texts in codes. None: no cards, all are empty.

    `counselor_cards`: John's and Richard's, each from number 0, which is empty, to 14, a card being
    `(when, lines)`. `event_cards`: lines of 0, which is empty, to 18. A line has the FIELDS.
    """
    decks = [counselors.cards[side] if counselors else {} for side in SIDES]
    cards = [[deck.get(n, Card("end", ())) for n in range(COUNSELORS + 1)] for deck in decks]
    lines = [events.cards.get(n, ()) if events else () for n in range(EVENTS + 1)]
    return {
        "counselor_cards": [
            [(WHEN.index(card.when), list(map(_coded, card.lines))) for card in deck]
            for deck in cards
        ],
        "event_cards": [list(map(_coded, card)) for card in lines],
    }


def _coded(line: Line) -> tuple[int, ...]:
    fields = dict.fromkeys(FIELDS, 0)
    for said, what in zip(line, ("condition", "effect"), strict=True):
        if said:
            phrase = PHRASES[str(said[0])]
            fields[what] = phrase.code
            slots = zip(phrase.fills.split(), _slots(phrase.text), said[1:], strict=True)
            for field, slot, value in slots:
                fields[field] = value if isinstance(value, int) else _choices(slot)[value]
    return tuple(fields.values())


def digest(value: Counselors | Events) -> str:
    """SHA-256 of what the cards say, in canonical JSON: all but the name of the file."""
    said = {name: part for name, part in value._asdict().items() if name != "file"}
    return data_files.digest(said)
