"""RR: names, position text, move text, validation and the immutable `Position`.

The rules themselves are compiled (`cython_core.rr`); rulings and notation stand in RULES.md.
Rulebook sections are cited as §.

    >>> from engines.rr import Position
    >>> after = Position.start().play("Cb2").play("Kb3xb2")
    >>> print(after)
    .k./.#./... r KQPMGWT qpmgwt
    >>> after.legal_moves()[:3]
    ('Ga1', 'Ga2', 'Ga3')
"""

from __future__ import annotations

import enum
from array import array
from functools import lru_cache

from cython_core import rr as core
from cython_core.errors import IllegalMove, IllegalPosition, NotationError

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
    return _format(setup.cells, setup.side, setup.regality, setup.religion)


def _format(cells: str, side: int, regality: str, religion: str) -> str:
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


class Position:
    """A consistent position under some rules, finished or not. An immutable value.

    Raises IllegalPosition, with every reason, for a setup that cannot stand.
    """

    __slots__ = ("_core", "_rules")
    _core: core.RR
    _rules: Rules

    def __init__(self, setup: Setup, rules: Rules = DEFAULT_RULES) -> None:
        faults = validate(setup, rules)
        if faults:
            raise IllegalPosition(tuple(faults.values()))
        self._rules = rules
        self._core = rules.new_core()
        self._core.setup(setup.cells, setup.side, setup.regality, setup.religion)

    @classmethod
    def start(cls, rules: Rules = DEFAULT_RULES) -> Position:
        return cls.parse(START, rules)

    @classmethod
    def parse(cls, text: str, rules: Rules = DEFAULT_RULES) -> Position:
        """From position text. Raises NotationError or IllegalPosition."""
        return cls(parse(text), rules)

    @classmethod
    def from_core(cls, core: core.RR, rules: Rules) -> Position:
        """From a compiled state, which must come from legal play under these rules; a copy."""
        position = object.__new__(cls)
        position._rules = rules
        position._core = core.copy()
        return position

    @property
    def rules(self) -> Rules:
        return self._rules

    @property
    def setup(self) -> Setup:
        return Setup(self._core.cells, self.side, *self._core.hands)

    @property
    def side(self) -> Side:
        """Side to move. When the game is over: the side that would be."""
        return Side(self._core.to_move)

    @property
    def cells(self) -> str:
        """The nine squares a1 b1 c1 a2 ... c3, as in `Setup`."""
        return self._core.cells

    @property
    def hands(self) -> tuple[str, str]:
        """(Regality's in upper case, Religion's in lower case), in hand order."""
        return self._core.hands

    @property
    def over(self) -> bool:
        return self._core.over

    @property
    def margin(self) -> int:
        """Face-up cards facing the side to move less those facing the other, as they lie now."""
        return self._core.margin

    @property
    def winner(self) -> Side | None:
        """Who won a finished game; None for a tie or while it goes on."""
        if not self.over or self.margin == 0:
            return None
        return self.side if self.margin > 0 else self.side.other

    def to_core(self) -> core.RR:
        """A mutable copy of the compiled state, for search kernels."""
        return self._core.copy()

    @property
    def key(self) -> int:
        """All that the rules see of it, 52 bits; the figures on the board are not in it."""
        return self._core.key

    def legal_actions(self) -> list[int]:
        """Action ids of all legal moves, ascending; none when the game is over."""
        return self._core.legal_actions()

    def legal_moves(self) -> tuple[str, ...]:
        """Texts of all legal moves, ascending; none when the game is over."""
        texts = move_texts(self._rules)
        return tuple(sorted([texts[action] for action in self._core.legal_actions()]))

    def parse_move(self, text: str) -> int:
        """The action id of a legal move. Raises NotationError or IllegalMove."""
        action = _actions(self._rules).get(text)
        if action is None:
            raise _unreadable_move(text, self._rules)
        if action not in self._core.legal_actions():
            raise IllegalMove(self._why_illegal(text))
        return action

    def _why_illegal(self, text: str) -> str:
        """Names the first part of the move that no legal move shares, and what would do instead."""
        legal = self.legal_moves()
        if not legal:
            return f"{text} is not legal: the game is over"
        card, square = text[:1], text[:3]
        if not any(move.startswith(card) for move in legal):
            cards = "".join(sorted({move[0] for move in legal}, key=LETTERS.index))
            return f"{text} is not legal: {self.side} cannot play {card} now, only {cards}"
        if not any(move.startswith(square) for move in legal):
            squares = " ".join(sorted({move[1:3] for move in legal}))
            return f"{text} is not legal: {square[1:]} is not free; free squares: {squares}"
        if text[3:4] == "x" and self.cells.count(EMPTY) == 1:
            return f"{text} is not legal: no card banishes from the last free square"
        effects = " ".join(move for move in legal if move.startswith(square))
        return f"{text} is not legal: that effect changes no card here; there is {effects}"

    def format_move(self, action: int) -> str:
        """The text of an action id, legal here or not. Raises ValueError for no move at all."""
        text = move_texts(self._rules)[action] if 0 <= action < core.ACTION_COUNT else ""
        if not text:
            raise ValueError(f"{action} is not the id of a move")
        return text

    def play(self, move: str | int) -> Position:
        """The position after one move, given as text or action id. Raises as `parse_move`."""
        after = self.from_core(self._core, self._rules)
        after._core.play(self.parse_move(move) if isinstance(move, str) else move)
        return after

    def __str__(self) -> str:
        return _format(self._core.cells, self._core.to_move, *self._core.hands)

    def __repr__(self) -> str:
        return f"Position.parse({str(self)!r}, {self._rules!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self._rules == other._rules and str(self) == str(other)

    def __hash__(self) -> int:
        return hash((self._rules, str(self)))

    def __copy__(self) -> Position:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Position:
        return self

    def to_bytes(self) -> bytes:
        """A versioned form for storage: all that `from_bytes` needs."""
        return f"RR1 {self._rules.queen} {self._rules.ending} {self}".encode("ascii")

    @classmethod
    def from_bytes(cls, data: bytes) -> Position:
        """Raises NotationError or IllegalPosition for bytes that `to_bytes` did not write."""
        fields = data.decode("ascii", "replace").split(" ", 3)
        if len(fields) != 4 or fields[0] != "RR1":
            raise NotationError("not an RR position of version 1")
        try:
            rules = Rules(fields[1], fields[2])
        except ValueError as error:
            raise NotationError(str(error)) from None
        position = cls.parse(fields[3], rules)
        if position.to_bytes() != data:
            raise NotationError("an RR position, but not in its canonical form")
        return position

    def __reduce__(self) -> tuple[object, tuple[bytes]]:
        return Position.from_bytes, (self.to_bytes(),)


_move_texts: dict[str, tuple[str, ...]] = {}
_action_ids: dict[str, dict[str, int]] = {}
_move_ranks: dict[str, array[int]] = {}


def move_texts(rules: Rules = DEFAULT_RULES) -> tuple[str, ...]:
    """Move text by action id; '' where an id is no move. Shape: [core.ACTION_COUNT]."""
    if rules.queen not in _move_texts:
        _move_texts[rules.queen] = tuple(
            card + square + effect if effect is not None else ""
            for card in LETTERS
            for square in SQUARES
            for effect in _effect_texts(card, rules)
        )
    return _move_texts[rules.queen]


def move_ranks(rules: Rules = DEFAULT_RULES) -> array[int]:
    """Place of each action id in ascending text order, for kernels. Shape: [core.ACTION_COUNT]."""
    if rules.queen not in _move_ranks:
        texts = move_texts(rules)
        ranks = array("H", bytes(2 * len(texts)))
        for rank, action in enumerate(sorted(range(len(texts)), key=texts.__getitem__)):
            ranks[action] = rank
        _move_ranks[rules.queen] = ranks
    return _move_ranks[rules.queen]


def _effect_texts(card: str, rules: Rules) -> list[str | None]:
    """What follows card and square in each of the ten effect slots; None for no such effect."""
    effects: list[str | None] = [""]
    if card in BANISHERS:
        effects += ["x" + target for target in SQUARES]
    elif card == "M":
        effects += ["~" + target for target in SQUARES]
    elif card == "Q":
        effects += ["~" + way for way in (DIRECTIONS if rules.queen == "ray" else ("all",))]
    elif card == "P":
        effects += ["~d", "~o"]
    return effects + [None] * (10 - len(effects))


def _actions(rules: Rules) -> dict[str, int]:
    """Action id by move text; the inverse of `move_texts`."""
    if rules.queen not in _action_ids:
        _action_ids[rules.queen] = {
            text: action for action, text in enumerate(move_texts(rules)) if text
        }
    return _action_ids[rules.queen]


def _unreadable_move(text: str, rules: Rules) -> NotationError:
    """What is wrong with a text that is no move, and where."""
    card, square, effect = text[:1], text[1:3], text[3:]
    if card not in tuple(LETTERS):
        return NotationError(f"a move starts with a card, one of {LETTERS}, not {card!r}", 1)
    if square not in SQUARES:
        return NotationError(f"after the card comes a square, a1 to c3, not {square!r}", 2)
    known = [known for known in _effect_texts(card, rules)[1:] if known]
    if not known:
        return NotationError(f"{NAMES[card][0]} has no effect, so nothing follows the square", 4)
    variant = f" (queen={rules.queen})" if card == "Q" else ""
    return NotationError(
        f"no effect of {NAMES[card][0]}{variant} is written {effect[:20]!r};"
        f" it has {' '.join(known)} (moves are separated by blanks)",
        4,
    )
