"""RR: sides, house variants, and what a position text says before anybody asks if it can stand.

Rulings and notation stand in RULES.md; rulebook sections are cited as §.
"""

from __future__ import annotations

import enum
from functools import lru_cache

from cython_core import rr as core
from cython_core.errors import NotationError

LETTERS = core.LETTERS
FIGURES = LETTERS + LETTERS.lower()
EMPTY, FACE_DOWN = core.EMPTY, core.FACE_DOWN
START = ".../.../... r CKQPMGWT kqpmgwt"
SQUARES = ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
DIRECTIONS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
BOARD_ALPHABET = frozenset(FIGURES + "./#")
HAND_ALPHABETS = (frozenset(LETTERS), frozenset(LETTERS.lower()))
BANISHERS = "KGW"
VERSION = 1  # of the rules as compiled; raised by hand whenever a value could change
LONGEST_TEXT = 100  # characters; no position comes near


class Side(enum.IntEnum):
    """The two sides. Regality has the red backs and sits below rank 1 (§ Preparations)."""

    REGALITY = core.REGALITY
    RELIGION = core.RELIGION

    @property
    def letter(self) -> str:
        return "rb"[self]

    @property
    def other(self) -> Side:
        return Side(1 - self)

    def __str__(self) -> str:
        return self.name.capitalize()


SIDES = tuple(Side)

# § Card Effects: what the card of a letter is called on either side.
NAMES = {
    "C": ("Citizen", "Citizen"),
    "K": ("King", "Hierophant"),
    "Q": ("Queen", "Cardinal"),
    "P": ("Princess", "Saint"),
    "M": ("Minister", "Bishop"),
    "G": ("General", "Paladin"),
    "W": ("Magician", "Monk"),
    "T": ("Castle", "Temple"),
}


class Rules:
    """The house variants in force. Immutable.

    `queen`: "ray" (one line to the edge) or "adjacent" (all cards around her).
    `ending`: "face-up" (nine face-up cards) or "occupied" (nine filled squares).
    Raises ValueError for any other word.
    """

    __slots__ = ("ending", "queen")
    QUEENS = ("ray", "adjacent")
    ENDINGS = ("face-up", "occupied")

    queen: str
    ending: str

    def __init__(self, queen: str = "ray", ending: str = "face-up") -> None:
        if queen not in self.QUEENS:
            raise ValueError(f"queen must be one of {', '.join(self.QUEENS)}, not {queen!r}")
        if ending not in self.ENDINGS:
            raise ValueError(f"ending must be one of {', '.join(self.ENDINGS)}, not {ending!r}")
        object.__setattr__(self, "queen", queen)
        object.__setattr__(self, "ending", ending)

    @classmethod
    def variants(cls) -> tuple[Rules, ...]:
        """All four, the default first."""
        return tuple(cls(queen, ending) for queen in cls.QUEENS for ending in cls.ENDINGS)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Rules are immutable: cannot set {name}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rules):
            return NotImplemented
        return self.queen == other.queen and self.ending == other.ending

    def __hash__(self) -> int:
        return hash((self.queen, self.ending))

    def __repr__(self) -> str:
        return f"Rules(queen={self.queen!r}, ending={self.ending!r})"

    def __reduce__(self) -> tuple[type[Rules], tuple[str, str]]:
        return Rules, (self.queen, self.ending)

    def digest(self) -> str:
        """SHA-256 of what the rules are: it marks all data that was computed from them."""
        import hashlib

        text = (
            f'{{"ending":"{self.ending}","game":"rr","queen":"{self.queen}","version":{VERSION}}}'
        )
        return hashlib.sha256(text.encode("ascii")).hexdigest()

    @property
    def flags(self) -> tuple[bool, bool]:
        """(queen adjacent, ending occupied), as the compiled core takes them."""
        return self.queen == "adjacent", self.ending == "occupied"

    def as_dict(self) -> dict[str, str]:
        return {"queen": self.queen, "ending": self.ending}

    def new_core(self) -> core.RR:
        return core.RR(*self.flags)


DEFAULT_RULES = Rules()


class Setup:
    """What a position text says, sense or nonsense. Immutable.

    `cells`: nine characters, squares a1 b1 c1 a2 ... c3 ('.' empty, '#' face down, upper case
    faces Regality). `regality`, `religion`: hands, upper and lower case, sorted in hand order.
    """

    __slots__ = ("cells", "regality", "religion", "side")
    cells: str
    side: Side
    regality: str
    religion: str

    def __init__(self, cells: str, side: Side, regality: str, religion: str) -> None:
        set_once = object.__setattr__
        set_once(self, "cells", cells)
        set_once(self, "side", side)
        set_once(self, "regality", _in_hand_order(regality))
        set_once(self, "religion", _in_hand_order(religion))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a Setup is immutable: cannot set {name}")

    def __reduce__(self) -> tuple[type[Setup], tuple[str, Side, str, str]]:
        return Setup, (self.cells, self.side, self.regality, self.religion)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Setup) and format(self) == format(other)

    def __hash__(self) -> int:
        return hash(format(self))

    def __str__(self) -> str:
        return format(self)

    def __repr__(self) -> str:
        return f"<Setup {self}>"


@lru_cache(maxsize=1 << 12)
def _in_hand_order(hand: str) -> str:
    return "".join(sorted(hand, key=FIGURES.index))


def parse(text: str) -> Setup:
    """Read one position text, or the word "start". Raises NotationError with the column."""
    if text == "start":
        text = START
    if len(text) > LONGEST_TEXT:
        raise NotationError(f"longer than any position ({len(text)} characters)", LONGEST_TEXT + 1)
    if not (text.isascii() and text.isprintable()):
        at = next(i for i, char in enumerate(text) if not " " <= char <= "~")
        raise NotationError(f"{_name(text[at])} has no place in a position: plain ASCII", at + 1)
    fields = text.split(" ")
    if len(fields) != 4:
        raise _bad_fields(fields)
    board, side, regality, religion = fields
    at_side = len(board) + 2
    at_regality = at_side + len(side) + 1
    at_religion = at_regality + len(regality) + 1
    return Setup(
        _parse_board(board),
        _parse_side(side, at_side),
        _parse_hand(regality, at_regality, Side.REGALITY),
        _parse_hand(religion, at_religion, Side.RELIGION),
    )


def _bad_fields(fields: list[str]) -> NotationError:
    """What is wrong with another number of fields than four: a fault before the last, or that."""
    columns = _columns(fields)
    try:
        if len(fields) in (2, 3):
            _parse_board(fields[0])
            _parse_side(fields[1], columns[1])
        if len(fields) == 3:
            _parse_hand(fields[2], columns[2], Side.REGALITY)
    except NotationError as error:
        return error
    return NotationError(
        f"a position has four fields, BOARD SIDE REGALITY-HAND RELIGION-HAND, not {len(fields)}"
        f" (one space between them; for example {START!r})",
        columns[4] - 1 if len(fields) > 4 else columns[-1] + len(fields[-1]),
    )


def _name(char: str) -> str:
    """What to call a character that cannot be shown; undecoded bytes are lone surrogates."""
    undecoded = "\udc80" <= char <= "\udcff"
    return f"byte 0x{ord(char) - 0xDC00:02x}" if undecoded else f"character U+{ord(char):04X}"


def _columns(fields: list[str]) -> list[int]:
    """Column of the first character of each field, from 1."""
    columns = [1]
    for field in fields:
        columns.append(columns[-1] + len(field) + 1)
    return columns[:-1]


def _parse_board(text: str) -> str:
    ranks = text.split("/")
    if not BOARD_ALPHABET.issuperset(text) or [len(rank) for rank in ranks] != [3, 3, 3]:
        raise min(_board_errors(text, ranks), key=lambda error: error.column or 0)
    return ranks[2] + ranks[1] + ranks[0]


def _board_errors(text: str, ranks: list[str]) -> list[NotationError]:
    """The first error of each kind in a board that has one."""
    errors = [
        NotationError(
            f"{letter!r} is no card; the board has the letters {LETTERS} in either case,"
            " '.' for an empty square, '#' for a face-down card",
            column,
        )
        for column, letter in _strangers(text, BOARD_ALPHABET)[:1]
    ]
    columns = _columns(ranks)
    for i, rank in enumerate(ranks[:3]):
        if len(rank) != 3:
            message = f"rank {3 - i} has {len(rank)} squares, not 3"
            errors.append(NotationError(message, columns[i] + min(len(rank), 3)))
    if len(ranks) != 3:
        message = f"the board has three ranks with '/' between, not {len(ranks)}"
        column = columns[3] - 1 if len(ranks) > 3 else len(text) + 1
        errors.append(NotationError(message, column))
    return errors


def _strangers(text: str, alphabet: frozenset[str]) -> list[tuple[int, str]]:
    """Column and letter of all that does not belong."""
    return [(i, letter) for i, letter in enumerate(text, start=1) if letter not in alphabet]


def _parse_side(text: str, column: int) -> Side:
    if text not in ("r", "b"):
        raise NotationError(
            f"the side to move is r (Regality) or b (Religion), not {text!r}", column
        )
    return SIDES["rb".index(text)]


def _parse_hand(text: str, column: int, side: Side) -> str:
    if text == "-":
        return ""
    if not text:
        raise NotationError("a hand is missing; an empty one is written '-'", column)
    if not HAND_ALPHABETS[side].issuperset(text):
        at, letter = _strangers(text, HAND_ALPHABETS[side])[0]
        letters = LETTERS if side == Side.REGALITY else LETTERS.lower()
        raise NotationError(
            f"{letter!r} does not belong in {side}'s hand, which has letters of {letters}",
            column + at - 1,
        )
    return text


def format(setup: Setup) -> str:
    """The one canonical text of a setup; the inverse of `parse`."""
    return format_fields(setup.cells, setup.side, setup.regality, setup.religion)


def format_fields(cells: str, side: int, regality: str, religion: str) -> str:
    ranks = f"{cells[6:9]}/{cells[3:6]}/{cells[0:3]}"
    return f"{ranks} {'rb'[side]} {regality or '-'} {religion or '-'}"


class Fault(enum.StrEnum):
    """Why a setup cannot stand (ruling "Study positions" in RULES.md)."""

    NO_FREE_SQUARE = "no-free-square"
    TWO_FACE_DOWN = "two-face-down"
    REPEAT_IN_HAND = "repeat-in-hand"
    TOO_MANY_OF_A_CARD = "too-many-of-a-card"
    TWO_CITIZENS = "two-citizens"
    CITIZEN_IN_HAND = "citizen-in-hand"
    CASTLE_ALSO_IN_HAND = "castle-also-in-hand"
    TWO_CASTLES_ONE_SIDE = "two-castles-one-side"
    HAND_SIZES = "hand-sizes"
    TOO_FEW_CARDS = "too-few-cards"


def validate(setup: Setup, rules: Rules = DEFAULT_RULES) -> dict[Fault, str]:
    """Every reason why the setup is inconsistent, with a sentence each; empty if it can stand."""
    faults: dict[Fault, str] = {}
    cells, side = setup.cells, setup.side
    hands = (setup.regality, setup.religion.upper())
    everything = cells.upper() + hands[0] + hands[1]
    count = everything.count
    free, down = cells.count(EMPTY), cells.count(FACE_DOWN)

    finished = free == 0 and (down == 0 or (down == 1 and rules.ending == "occupied"))
    if free == 0 and not finished:
        faults[Fault.NO_FREE_SQUARE] = "no square is free, so the side to move cannot place a card"
    if down > 1:
        faults[Fault.TWO_FACE_DOWN] = f"{down} cards lie face down; at a decision at most one does"

    for holder, hand in zip(SIDES, hands, strict=True):
        if len(set(hand)) < len(hand):
            faults[Fault.REPEAT_IN_HAND] = f"{holder}'s hand repeats a card"
    crowded = [card for card in LETTERS[1:] if count(card) > 2]
    if crowded:
        faults[Fault.TOO_MANY_OF_A_CARD] = f"more than two of {', '.join(crowded)} in all"

    if count("C") > 1:
        faults[Fault.TWO_CITIZENS] = f"{count('C')} Citizens in all; there is only one"
    if "C" in hands[1 - side] or ("C" in hands[side] and free < len(cells)):
        faults[Fault.CITIZEN_IN_HAND] = (
            "the Citizen is in a hand; only the side to move may hold it, before the first card"
        )

    for holder, castle in zip(SIDES, "Tt", strict=True):
        if castle in cells and "T" in hands[holder]:
            faults[Fault.CASTLE_ALSO_IN_HAND] = f"{holder}'s Castle is on the board and in the hand"
        if cells.count(castle) > 1:
            faults[Fault.TWO_CASTLES_ONE_SIDE] = f"two Castles face {holder}"

    mine, theirs = len(hands[side]), len(hands[1 - side])
    if mine - theirs not in (0, 1):
        faults[Fault.HAND_SIZES] = (
            f"{side} is to move with {mine} cards against {theirs}; it must hold"
            " as many or one more"
        )
    to_fill = 0 if finished else free + down
    both = hands[0] + hands[1]
    banishers = both.count("K") + both.count("G") + both.count("W")
    if mine + theirs < to_fill + banishers:
        faults[Fault.TOO_FEW_CARDS] = (
            f"{mine + theirs} cards in hand cannot fill {to_fill} squares"
            f" and those that {banishers} banishing cards may free"
        )
    return faults
