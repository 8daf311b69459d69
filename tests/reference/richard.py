"""Richard I, written slowly and plainly: a second opinion on the rules.

Nothing here is meant to be fast.  The game itself is one Python generator that reads like the
rulebook: it yields a node whenever somebody has to choose or a card has to be turned, and
receives the text of what was chosen or turned.  Every rule names the heading of the rulebook (§)
or the ruling that it follows.
"""

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Literal

# --------------------------------------------------------------------------------------------
# § Components
# --------------------------------------------------------------------------------------------

# Blue (commerce), yellow (wealth), purple (time), white (alliances), red (Crusaders), green
# (Saladin): this order everywhere.
COLOURS = "bypwrg"

CHARACTERS = (
    "exciseman",
    "inquisitor",
    "merchant",
    "spy",
    "arms",
    "regent",
    "chancellor",
    "bandit",
)

JOHN = "john"
RICHARD = "richard"

# § Components: 14 counselor cards for each side, 18 Crusade event cards.
COUNSELORS = range(1, 15)
EVENTS = range(1, 19)
NUMBERED_EVENTS = range(1, 13)

# Ruling "Numbers": no track goes below 0; the treasury alone has no upper end.
HIGHEST = {"time": 12, "crusaders": 10, "saladin": 10}

# --------------------------------------------------------------------------------------------
# The texts of all moves; a move's id is its place in this list
# --------------------------------------------------------------------------------------------


def _give_texts(size: int) -> list[str]:
    """Every multiset of so many cards, in the dictionary order of the colours."""
    if size == 0:
        return ["give -"]
    return ["give " + "".join(cards) for cards in combinations_with_replacement(COLOURS, size)]


ACTIONS: list[str] = [
    JOHN,
    RICHARD,
    *CHARACTERS,
    "1",
    "2",
    "none",
    *COLOURS,
    *(f"@{seat}" for seat in range(8)),
    *(f"@{seat}{colour}" for seat in range(8) for colour in COLOURS),
    *(f"offer {number}" for number in range(37)),
    *_give_texts(0),
    *_give_texts(1),
    *_give_texts(2),
    *_give_texts(3),
    *(f"counselor {number}" for number in COUNSELORS),
    "pass",
    "return",
]

_ID_OF = {text: number for number, text in enumerate(ACTIONS)}

# --------------------------------------------------------------------------------------------
# The texts of the counselors and of the events
# --------------------------------------------------------------------------------------------

# Each card says what it does in a small language of its own.  Nothing else in this file knows what
# a card of a certain number does: the lines are read where and when they are carried out.

# When a counselor is of use, and its lines of text.
CounselorText = tuple[str, list[str]]

# Ruling "House counselors": number, when, Richard's lines, John's lines.
_HOUSE_COUNSELORS: list[tuple[int, str, list[str], list[str]]] = [
    (1, "end", ["ending B: 3 points"], ["ending A: 3 points"]),
    (2, "end", ["ending C: 3 points"], ["ending D: 3 points"]),
    (
        3,
        "end",
        ["treasury >= 12: 3 points", "treasury >= 8: 2 points"],
        ["treasury <= 3: 3 points", "treasury <= 6: 2 points"],
    ),
    (4, "end", ["crusaders > saladin: 2 points"], ["saladin > crusaders: 2 points"]),
    (5, "end", ["1 points per 2 r at most 3"], ["1 points per 2 g at most 3"]),
    (6, "end", ["time <= 4: 2 points"], ["time >= 6: 2 points"]),
    (7, "action", ["take 2 r"], ["take 2 g"]),
    (8, "action", ["choose 2"], ["choose 2"]),
    (9, "action", ["draw 3"], ["draw 3"]),
    (10, "action", ["swap"], ["swap"]),
    (11, "action", ["return 2 alike for 2 points"], ["return 2 alike for 2 points"]),
    (12, "contribution", ["one more"], ["one more"]),
    (13, "reveal", ["ignore g"], ["ignore r"]),
    (14, "influence", ["repeat"], ["repeat"]),
]


def house_counselors() -> dict[str, dict[int, CounselorText]]:
    """By side and number."""
    return {
        JOHN: {number: (when, of_john) for number, when, _, of_john in _HOUSE_COUNSELORS},
        RICHARD: {number: (when, of_richard) for number, when, of_richard, _ in _HOUSE_COUNSELORS},
    }


def house_events() -> dict[int, list[str]]:
    """Ruling "House events": I to XII are 1 to 12, those without a numeral 13 to 18."""
    return {
        1: ["slowed: john +1", "hastened: richard +1"],
        2: ["rose: treasury +1"],
        3: ["won: saladin -1"],
        4: ["not won: crusaders -1"],
        5: ["won: treasury -1"],
        6: ["won: richard +1", "lost: john +1"],
        7: ["not lost: crusaders +1"],
        8: ["won: saladin -1", "lost: crusaders -1"],
        9: ["fell: john +1"],
        10: ["won: treasury +2"],
        11: ["won: richard +1", "lost: john +1"],
        12: ["hastened: time -1", "slowed: time +1"],
        13: ["lost: crusaders -1"],
        14: ["rose: crusaders +1"],
        15: ["lost: saladin +1"],
        16: ["return w for 1 points"],
        17: ["return y for 1 points"],
        18: ["each draws 1"],
    }


def condition_and_effect(line: str) -> tuple[str, str]:
    """The two parts of a line; the condition is empty if there is none."""
    if ": " not in line:
        return "", line
    condition, effect = line.split(": ")
    return condition, effect


# --------------------------------------------------------------------------------------------
# Rules: what a game is set up with
# --------------------------------------------------------------------------------------------

# Stands for a number that the rulebook makes depend on the number of players.
BY_PLAYERS = -1


@dataclass(frozen=True)
class Rules:
    """The number of players, the options, and the data of the game.

    hand, sides and revealed are filled in by the number of players unless they are given.
    All tuples of six follow the order of COLOURS; sides and its like are (John, Richard).
    The texts count only if the game is played with counselors or events; "house" is then any
    set of counselor texts, and "shuffled" or "historical" the order of any set of events.
    """

    players: int = 4
    counselors: Literal["off", "house"] = "off"
    events: Literal["off", "shuffled", "historical"] = "off"
    # Side, then number: when the counselor is of use, and its lines.
    counselor_texts: Mapping[str, Mapping[int, CounselorText]] = field(
        default_factory=house_counselors, hash=False
    )
    # The lines of each event by number.
    event_texts: Mapping[int, list[str]] = field(default_factory=house_events, hash=False)
    characters: tuple[str, ...] = CHARACTERS
    # § Setup: 6 cards to each player, 7 with five or more.
    hand: int = BY_PLAYERS
    # § Setup: the supply is 12 cards of each colour.  Ruling "Numbers": the reserve is the rest
    # of the 24 24 24 24 33 36; the Crusade deck is taken out of it later.
    supply: tuple[int, ...] = (12, 12, 12, 12, 12, 12)
    reserve: tuple[int, ...] = (12, 12, 12, 12, 21, 24)
    # § The Crusade deck
    crusade_base: tuple[int, ...] = (1, 1, 1, 1, 0, 0)
    per_john: tuple[int, ...] = (0, 0, 0, 0, 2, 0)
    per_richard: tuple[int, ...] = (0, 0, 0, 0, 0, 2)
    # § Setup: loyalty cards, 2 a side with up to four players, 3 with five or six, else 4.
    sides: tuple[int, int] = (BY_PLAYERS, BY_PLAYERS)
    # § 4 - Contributing to the outcome of the Crusade
    contributed: int = 2
    # § 5 - Outcome of the Crusade: twice the number of players.
    revealed: int = BY_PLAYERS
    # § Setup: the markers.
    time: int = 12
    crusaders: int = 10
    saladin: int = 10
    treasury: int = 8
    # § 2 - Influencing the characters: the last player's two cards.
    placing_bonus: bool = True
    # Ruling "Length": after this turn nothing raises the time counter any more.
    last_slow_turn: int = 24

    def __post_init__(self) -> None:
        # The dataclass is frozen, so the defaults by number of players go in by this back door.
        if self.hand == BY_PLAYERS:
            object.__setattr__(self, "hand", 6 if self.players <= 4 else 7)
        if self.sides == (BY_PLAYERS, BY_PLAYERS):
            of_each = 2 if self.players <= 4 else 3 if self.players <= 6 else 4
            object.__setattr__(self, "sides", (of_each, of_each))
        if self.revealed == BY_PLAYERS:
            object.__setattr__(self, "revealed", 2 * self.players)
        self._check()

    def _check(self) -> None:
        if not 2 <= self.players <= 8:
            raise ValueError("there are 3 to 8 players (2 in a reduced game)")
        if self.counselors not in ("off", "house"):
            raise ValueError(f"unknown counselors: {self.counselors!r}")
        if self.events not in ("off", "shuffled", "historical"):
            raise ValueError(f"unknown events: {self.events!r}")
        if len(set(self.characters)) != len(self.characters):
            raise ValueError("a character is there once")
        if any(character not in CHARACTERS for character in self.characters):
            raise ValueError(f"unknown character in {self.characters!r}")
        if len(self.characters) < self.players:
            raise ValueError("every player needs a character")
        for cards in (self.supply, self.reserve, self.crusade_base, self.per_john):
            self._check_six(cards)
        self._check_six(self.per_richard)
        if min(self.sides) < 0 or sum(self.sides) < self.players:
            raise ValueError("every player needs a loyalty card")
        if self.hand < 0 or self.revealed < 0:
            raise ValueError("hand and revealed are not below 0")
        self._check_texts()
        # A contribution has at most three cards, and a counselor may add one.
        most = 2 if self.counselors == "house" and self._numbers_for("contribution") else 3
        if not 0 <= self.contributed <= most:
            raise ValueError(f"0 to {most} cards can be contributed")
        for name, highest in HIGHEST.items():
            if not 0 <= getattr(self, name) <= highest:
                raise ValueError(f"{name} is 0 to {highest}")
        if self.treasury < 0:
            raise ValueError("the treasury is not below 0")

    def _check_texts(self) -> None:
        if sorted(self.counselor_texts) != [JOHN, RICHARD]:
            raise ValueError("each side has counselors of its own")
        for texts in self.counselor_texts.values():
            if sorted(texts) != list(COUNSELORS):
                raise ValueError("there are 14 counselors on each side")
        if sorted(self.event_texts) != list(EVENTS):
            raise ValueError("there are 18 events")
        for when in ("contribution", "influence"):
            if len(self._numbers_for(when)) > 1:
                raise ValueError(f"only one counselor can be for the {when}")

    def _numbers_for(self, when: str) -> list[int]:
        """The counselors of either side that are of use then."""
        return [
            number
            for number in COUNSELORS
            if any(texts[number][0] == when for texts in self.counselor_texts.values())
        ]

    @staticmethod
    def _check_six(cards: tuple[int, ...]) -> None:
        if len(cards) != len(COLOURS) or min(cards) < 0:
            raise ValueError(f"six numbers, none below 0, are needed: {cards!r}")


# --------------------------------------------------------------------------------------------
# Heaps of cards: how many there are of each colour
# --------------------------------------------------------------------------------------------

Cards = dict[str, int]


def _cards(counts: tuple[int, ...]) -> Cards:
    return dict(zip(COLOURS, counts, strict=True))


def _no_cards() -> Cards:
    return dict.fromkeys(COLOURS, 0)


def _size(cards: Cards) -> int:
    return sum(cards.values())


def _present(cards: Cards) -> list[str]:
    """The colours of which there is at least one card."""
    return [colour for colour in COLOURS if cards[colour] > 0]


def _counts(cards: Cards) -> list[int]:
    return [cards[colour] for colour in COLOURS]


def _shown(cards: Cards) -> str:
    """A hand laid open, such as 'bbyg'."""
    return "".join(colour * cards[colour] for colour in COLOURS)


# --------------------------------------------------------------------------------------------
# Nodes
# --------------------------------------------------------------------------------------------

# What a viewer (second argument) learns when a text (first argument) is chosen or turned.
Label = Callable[[str, int], str]


@dataclass(frozen=True)
class Decision:
    """One player has to choose.

    what says what is chosen, and what for, in words that everybody may hear.  before is the colour
    that was taken just before, if this is the second of two choices; only the seats of insiders
    know it, or everybody if that is None.
    """

    seat: int
    what: str
    moves: list[str]
    label: Label
    before: str = ""
    insiders: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Chance:
    """A card is turned, for one seat or, if that is None, for all."""

    kind: str
    seat: int | None
    outcomes: list[tuple[str, int]]
    label: Label


Node = Decision | Chance

# A part of the game: it yields nodes, is sent texts, and returns nothing, a text or a set.
Steps = Generator[Node, str, None]
Choice = Generator[Node, str, str]

NodeName = tuple[Literal["decision"], int] | tuple[Literal["chance"], str] | tuple[Literal["over"]]


def _decide(
    seat: int,
    what: str,
    moves: list[str],
    label: Label | None = None,
    before: str = "",
    insiders: tuple[int, ...] | None = None,
) -> Choice:
    """One player chooses; without a label of its own the choice is public."""

    def public(text: str, viewer: int) -> str:
        return f"{seat} {text}"

    in_order = sorted(moves, key=lambda text: _ID_OF[text])
    return (yield Decision(seat, what, in_order, label or public, before, insiders))


# What one seat has learned from a text: the kind of the node, and the label.
Learned = tuple[str, str]


@dataclass
class Run:
    """Cards turned one after the other in the same draw, or any single other step."""

    kind: str
    seat: int | None
    # How often a new supply had been formed when the run began.
    refills: int
    # For each viewer the labels in the order of time.
    labels: list[list[str]]


# Ruling "Moves and chance": the order within one draw is in nobody's information.
UNORDERED = ("deal", "draw", "reveal")


# --------------------------------------------------------------------------------------------
# Scoring that needs nothing but numbers
# --------------------------------------------------------------------------------------------


def half_up(number: int) -> int:
    """Half of it.  § Setup, Important note: roundings go upwards."""
    return share_up(number, 2)


def share_up(number: int, sharers: int) -> int:
    """The number divided equally, rounded upwards."""
    whole = number // sharers
    return whole if whole * sharers == number else whole + 1


def tax_prizes(offers: dict[int, int]) -> dict[int, int]:
    """§ Exciseman: PP of each offering player.

    The most cards earn 3 PP, the next lower number 1 PP, everybody with the same number the
    same.  An offer of no card earns nothing.
    """
    positive = sorted({number for number in offers.values() if number > 0}, reverse=True)
    prizes = {}
    for seat, number in offers.items():
        if number == 0:
            prizes[seat] = 0
        elif number == positive[0]:
            prizes[seat] = 3
        elif number == positive[1]:
            prizes[seat] = 1
        else:
            prizes[seat] = 0
    return prizes


def tournament_prizes(offers: dict[int, int], caller: int) -> dict[int, int]:
    """§ Master at arms: PP of each player; offers are in clockwise order from the caller."""
    seats_from_the_caller = list(offers)
    assert seats_from_the_caller[0] == caller
    # Sorting keeps the order of those who offered equally many: § "ties are resolved in favor
    # of the player who called ... and then clockwise".
    ranking = sorted(seats_from_the_caller, key=lambda seat: offers[seat], reverse=True)
    prizes = dict.fromkeys(offers, 0)
    # Ruling "Master at arms": a prize needs at least one card.
    if offers[ranking[0]] > 0:
        prizes[ranking[0]] += 3
    if offers[ranking[1]] > 0:
        prizes[ranking[1]] += 1
    # "Not the winner": somebody else is first, or nobody is.
    caller_won = ranking[0] == caller and offers[caller] > 0
    if not caller_won:
        prizes[caller] += 1
    return prizes


def ending_of(crusaders: int, saladin: int, time: int, treasury: int) -> str:
    """§ End of the Game: the letter of the first condition that holds, or nothing."""
    if crusaders == 0:
        return "A"
    if saladin == 0:
        return "B"
    if time == 0:
        return "C"
    if treasury == 0:
        return "D"
    return ""


# § End of the Game: whom each ending favours.
FAVOURED = {"A": JOHN, "B": RICHARD, "C": RICHARD, "D": JOHN}


def final_share(ending: str, treasury: int, sharers: int) -> int:
    """§ End of the Game: PP for each of the players on the favoured side."""
    if ending == "A":
        return share_up(8, sharers)
    if ending == "B":
        return share_up(treasury, sharers)
    if ending == "C":
        return share_up(half_up(treasury), sharers)
    return share_up(4, sharers)


def end_condition_holds(condition: str, ending: str, tracks: dict[str, int]) -> bool:
    """`ending A`, `TRACK >= N`, `TRACK <= N` or `TRACK > TRACK`, on final values."""
    if condition == "":
        return True
    words = condition.split()
    if words[0] == "ending":
        return ending == words[1]
    track, sign, other = words
    if sign == ">=":
        return tracks[track] >= int(other)
    if sign == "<=":
        return tracks[track] <= int(other)
    assert sign == ">"
    return tracks[track] > tracks[other]


def end_effect(effect: str, hand: Cards) -> int:
    """`N points`, or `N points per M COLOUR at most K`; the hand is the final one."""
    words = effect.split()
    points = int(words[0])
    if words[1:] == ["points"]:
        return points
    _, _, _, every, colour, _, _, most = words
    # § Setup, Important note: a part of M cards counts like M cards.
    return min(points * share_up(hand[colour], int(every)), int(most))


def end_score(text: CounselorText, ending: str, tracks: dict[str, int], hand: Cards) -> int:
    """PP of one counselor that is still held after the final shares."""
    when, lines = text
    if when != "end":
        return 0
    for line in lines:
        condition, effect = condition_and_effect(line)
        # Only the first line that fits is for the taking.
        if end_condition_holds(condition, ending, tracks):
            return end_effect(effect, hand)
    return 0


def event_condition_holds(condition: str, happened: set[str]) -> bool:
    """One of the words for what happened in phase 5, or `not` and such a word."""
    if condition == "":
        return True
    if condition.startswith("not "):
        return condition.removeprefix("not ") not in happened
    return condition in happened


# --------------------------------------------------------------------------------------------
# The game
# --------------------------------------------------------------------------------------------


class Game:
    """One game: the table with everything on it, and the script of the rulebook."""

    def __init__(self, rules: Rules | None = None) -> None:
        self.rules = rules if rules is not None else Rules()
        players = self.rules.players
        self._history: list[str] = []
        self._learned: list[Run] = []

        # § Setup
        self._supply = _cards(self.rules.supply)
        self._reserve = _cards(self.rules.reserve)
        self._crusade = _no_cards()
        self._lying = _no_cards()  # the revealed cards of the Crusade deck
        self._ignored = _no_cards()  # those of them that do not count
        self._hands = [_no_cards() for _ in range(players)]
        self._points = [0] * players
        self._sides: list[str] = []
        self._loyalty_cards = {JOHN: self.rules.sides[0], RICHARD: self.rules.sides[1]}
        self._held: list[list[int]] = [[] for _ in range(players)]
        self._counselor_decks = {JOHN: list(COUNSELORS), RICHARD: list(COUNSELORS)}
        self._event_deck = list(EVENTS)
        self._event: int | None = None
        self._tracks = {
            "time": self.rules.time,
            "crusaders": self.rules.crusaders,
            "saladin": self.rules.saladin,
            "treasury": self.rules.treasury,
        }
        self._turn = 1
        self._first = 0
        self._refills = 0
        # The offers made so far, by seat, while there is a tax or a tournament.
        self._tax: dict[int, int] = {}
        self._tournament: dict[int, int] = {}
        # The character of this turn and that of last turn, by seat.
        self._influenced: list[str | None] = [None] * players
        self._last_influenced: list[str | None] = [None] * players
        self._ending = ""

        self._script = self._whole_game()
        self._node: Node | None = next(self._script)

    # ----------------------------------------------------------------------------------------
    # Setup, turns, end
    # ----------------------------------------------------------------------------------------

    def _whole_game(self) -> Steps:
        yield from self._setup()
        while True:
            yield from self._one_turn()
            # § End of the Game: tested at the end of each turn.
            self._ending = ending_of(**self._tracks)
            if self._ending:
                break
            # § Turn Structure: the first player card goes one seat clockwise.
            self._first = (self._first + 1) % self.rules.players
            self._turn += 1
        self._final_scoring()

    def _setup(self) -> Steps:
        """§ Setup, in the order of the ruling "Setup, in this order"."""
        players = range(self.rules.players)
        for seat in players:
            for _ in range(self.rules.hand):
                yield from self._draw_one(seat, "deal")

        for seat in players:
            left = [side for side, cards in self._loyalty_cards.items() if cards > 0]
            side = yield from _decide(seat, "loyalty", left)
            self._loyalty_cards[side] -= 1
            self._sides.append(side)

        if self.rules.counselors == "house":
            for seat in players:
                yield from self._draw_counselor(seat)

        # § The Crusade deck
        self._to_crusade_deck(self.rules.crusade_base)
        for side in self._sides:
            self._to_crusade_deck(self.rules.per_john if side == JOHN else self.rules.per_richard)

    def _to_crusade_deck(self, wanted: tuple[int, ...]) -> None:
        for colour, number in _cards(wanted).items():
            taken = min(number, self._reserve[colour])
            self._reserve[colour] -= taken
            self._crusade[colour] += taken

    def _one_turn(self) -> Steps:
        """§ Turn Structure"""
        yield from self._event_is_revealed()
        yield from self._influence()
        for seat in self._clockwise_from(self._first):
            yield from self._action(seat)
        for seat in self._clockwise_from(self._first):
            yield from self._contribution(seat)
        yield from self._outcome_and_event()
        # § 6: the revealed cards go back to the reserve.  Ruling "Turn": without events too.
        for colour in COLOURS:
            self._reserve[colour] += self._lying[colour]
        self._lying = _no_cards()
        self._ignored = _no_cards()
        self._event = None
        self._last_influenced = self._influenced
        self._influenced = [None] * self.rules.players

    def _clockwise_from(self, seat: int) -> list[int]:
        """All seats, clockwise, this one first."""
        players = self.rules.players
        return [(seat + steps) % players for steps in range(players)]

    def _others(self, seat: int) -> list[int]:
        return [other for other in range(self.rules.players) if other != seat]

    def _final_scoring(self) -> None:
        """§ End of the Game: the favoured side's share, then the counselors."""
        favoured = [seat for seat, side in enumerate(self._sides) if side == FAVOURED[self._ending]]
        for seat in favoured:
            self._points[seat] += final_share(self._ending, self._tracks["treasury"], len(favoured))
        # Ruling "End": held counselors score by themselves, before ties are looked at.
        for seat in range(self.rules.players):
            for number in self._held[seat]:
                text = self._text_of(seat, number)
                self._points[seat] += end_score(text, self._ending, self._tracks, self._hands[seat])

    # ----------------------------------------------------------------------------------------
    # Counselors in hand
    # ----------------------------------------------------------------------------------------

    def _text_of(self, seat: int, number: int) -> CounselorText:
        """When the counselor of that number in this seat's deck is of use, and its lines."""
        return self.rules.counselor_texts[self._sides[seat]][number]

    def _line_of(self, seat: int, number: int) -> str:
        """The text of a counselor that has one line only."""
        _, lines = self._text_of(seat, number)
        assert len(lines) == 1
        return lines[0]

    def _held_for(self, seat: int, when: str) -> list[int]:
        """The counselors that this player holds and that are of use then."""
        return [number for number in self._held[seat] if self._text_of(seat, number)[0] == when]

    # ----------------------------------------------------------------------------------------
    # Moving cards, points and markers
    # ----------------------------------------------------------------------------------------

    def _refill(self) -> None:
        """§ Setup, Note; ruling "Supply": 5 of each colour or as many as there are."""
        for colour in COLOURS:
            moved = min(5, self._reserve[colour])
            self._reserve[colour] -= moved
            self._supply[colour] += moved
        self._refills += 1

    def _draw_one(self, seat: int, kind: str = "draw") -> Steps:
        """One card from the top of the supply into the hand."""
        # Ruling "Supply": a supply that could not be refilled is tried again now.
        if _size(self._supply) == 0:
            self._refill()
        if _size(self._supply) == 0:
            return  # the card is lost

        def label(text: str, viewer: int) -> str:
            return f"{seat} draw {text if viewer == seat else '?'}"

        outcomes = [(colour, self._supply[colour]) for colour in _present(self._supply)]
        colour = yield Chance(kind, seat, outcomes, label)
        self._supply[colour] -= 1
        self._hands[seat][colour] += 1
        # Ruling "Supply": the moment its last card leaves, even at the end of a draw.
        if _size(self._supply) == 0:
            self._refill()

    def _draw(self, seat: int, number: int) -> Steps:
        for _ in range(number):
            yield from self._draw_one(seat)

    def _draw_counselor(self, seat: int) -> Steps:
        """One counselor of the own side; nothing happens when there is none left."""
        deck = self._counselor_decks[self._sides[seat]]
        if not deck:
            return

        def label(text: str, viewer: int) -> str:
            return f"{seat} counselor {text if viewer == seat else '?'}"

        text = yield Chance("counselor", seat, [(str(number), 1) for number in deck], label)
        deck.remove(int(text))
        self._held[seat] = sorted([*self._held[seat], int(text)])

    def _take(self, seat: int, colour: str, number: int) -> None:
        """From the reserve.  Ruling "Fixed take": as many as are there."""
        taken = min(number, self._reserve[colour])
        self._reserve[colour] -= taken
        self._hands[seat][colour] += taken

    def _take_by_choice(self, seat: int, what_for: str, before: str = "") -> Choice:
        """Ruling "Free choice": one card of a colour in stock; returns it, '' if there is none.

        A colour that was taken before is not taken once more.
        """
        in_stock = [colour for colour in _present(self._reserve) if colour != before]
        if not in_stock:
            return ""
        colour = yield from _decide(seat, f"colour for {what_for}", in_stock, before=before)
        self._take(seat, colour, 1)
        return colour

    def _pay(self, seat: int, colour: str, number: int) -> None:
        """Back to the reserve."""
        assert self._hands[seat][colour] >= number
        self._hands[seat][colour] -= number
        self._reserve[colour] += number

    def _score_all_of(self, whom: str, points: int) -> None:
        """PP for each player of a side, or for `everybody`."""
        for seat, side in enumerate(self._sides):
            if whom in (side, "everybody"):
                self._points[seat] += points

    def _move_marker(self, track: str, steps: int) -> None:
        """Ruling "Numbers": clamped after every single change."""
        # Ruling "Length": late in the game nothing raises the time counter.
        if track == "time" and steps > 0 and self._turn > self.rules.last_slow_turn:
            return
        value = max(0, self._tracks[track] + steps)
        if track in HIGHEST:
            value = min(HIGHEST[track], value)
        self._tracks[track] = value

    # ----------------------------------------------------------------------------------------
    # § 1 - The Crusade event is revealed
    # ----------------------------------------------------------------------------------------

    def _event_is_revealed(self) -> Steps:
        if self.rules.events == "off" or not self._event_deck:
            return
        possible = self._event_deck
        # § Optional rule for expert players: I to XII in order lie above the six others.
        if self.rules.events == "historical" and self._event_deck[0] in NUMBERED_EVENTS:
            possible = [self._event_deck[0]]

        def label(text: str, viewer: int) -> str:
            return f"event {text}"

        text = yield Chance("event", None, [(str(number), 1) for number in possible], label)
        self._event = int(text)
        self._event_deck.remove(int(text))

    # ----------------------------------------------------------------------------------------
    # § 2 - Influencing the characters
    # ----------------------------------------------------------------------------------------

    def _influence(self) -> Steps:
        free = list(self.rules.characters)
        for seat in self._clockwise_from(self._first):
            last = self._last_influenced[seat]
            allowed = [character for character in free if character != last]
            # Ruling "Influence": the only one left may be taken even so, without a counselor.
            only_one_left = not allowed
            # A counselor says `repeat`: last turn's character too, if it is free.
            repeat = self._held_for(seat, "influence")
            if only_one_left or repeat:
                allowed = list(free)
            character = yield from _decide(seat, "character", allowed)
            if character == last and not only_one_left:
                self._held[seat].remove(repeat[0])
            free.remove(character)
            self._influenced[seat] = character

        if self.rules.placing_bonus:
            seat = self._clockwise_from(self._first)[-1]
            self._take(seat, "g", 1)
            yield from self._take_by_choice(seat, "placing last")

    # ----------------------------------------------------------------------------------------
    # § 3 - Carrying out the actions of the influenced characters
    # ----------------------------------------------------------------------------------------

    def _payable(self, seat: int) -> list[str]:
        """Ruling "Actions": the options whose whole cost the player can pay."""
        hand = self._hands[seat]
        character = self._influenced[seat]
        if character == "bandit":
            return ["1", "2"] if _size(hand) > 0 else []
        second = True  # exciseman and master at arms cost nothing
        if character == "inquisitor":
            second = hand["g"] >= 2
        if character == "merchant":
            second = hand["b"] >= 2 and hand["w"] >= 2
        if character == "spy":
            second = hand["p"] >= 2
        if character == "regent":
            second = len(_present(hand)) == len(COLOURS)
        if character == "chancellor":
            second = self.rules.counselors == "house"
        return ["1", "2"] if second else ["1"]

    def _action(self, seat: int) -> Steps:
        while True:
            options = self._payable(seat)
            if not options and not self._held[seat]:
                return  # nothing can be done; the character still counts as influenced
            plays = [
                f"counselor {number}"
                for number in self._held_for(seat, "action")
                if self._playable(seat, self._line_of(seat, number))
            ]
            text = yield from _decide(seat, "option", (options or ["none"]) + plays)
            if text in ("1", "2", "none"):
                break
            number = int(text.removeprefix("counselor "))
            self._held[seat].remove(number)
            yield from self._play_counselor(seat, self._line_of(seat, number))

        if text == "none":
            return
        character = self._influenced[seat]
        if character == "exciseman":
            yield from self._exciseman(seat, text)
        if character == "inquisitor":
            yield from self._inquisitor(seat, text)
        if character == "merchant":
            yield from self._merchant(seat, text)
        if character == "spy":
            yield from self._spy(seat, text)
        if character == "arms":
            yield from self._master_at_arms(seat, text)
        if character == "regent":
            yield from self._regent(seat, text)
        if character == "chancellor":
            yield from self._chancellor(seat, text)
        if character == "bandit":
            yield from self._bandit(seat, text)

    def _exciseman(self, seat: int, option: str) -> Steps:
        """§ Exciseman (Gabelliere)"""
        if option == "1":
            self._take(seat, "y", 2)
            yield from self._draw(seat, 1)
            return
        # From the player to the left round to the caller, who offers last.
        for offering in self._clockwise_from((seat + 1) % self.rules.players):
            most = self._hands[offering]["y"]
            moves = [f"offer {k}" for k in range(most + 1)]
            text = yield from _decide(offering, "offer in the tax", moves)
            self._tax[offering] = int(text.removeprefix("offer "))
        prizes = tax_prizes(self._tax)
        for offering, number in self._tax.items():
            self._pay(offering, "y", number)
            self._points[offering] += prizes[offering]
        self._tax = {}

    def _inquisitor(self, seat: int, option: str) -> Steps:
        """§ Inquisitor (Inquisitore)"""
        if option == "2":
            self._pay(seat, "g", 2)
            self._points[seat] += 1
            yield from self._draw(seat, 3)
            return
        self._take(seat, "g", 1)
        self._take(seat, "p", 1)

        def label(text: str, viewer: int) -> str:
            named = int(text.removeprefix("@"))
            hand = self._hands[named]
            learned = f"{seat} {text} = {hand['g']}"
            return learned + f" ({_shown(hand)})" if viewer in (seat, named) else learned

        players = [f"@{other}" for other in self._others(seat)]
        text = yield from _decide(seat, "player for the inquisitor", players, label)
        self._points[seat] += self._hands[int(text.removeprefix("@"))]["g"]

    def _merchant(self, seat: int, option: str) -> Steps:
        """§ Merchant (Mercante)"""
        if option == "1":
            self._take(seat, "b", 2)
            yield from self._draw(seat, 1)
            return
        self._pay(seat, "b", 2)
        self._pay(seat, "w", 2)
        self._points[seat] += 3
        yield from self._draw(seat, 2)

    def _spy(self, seat: int, option: str) -> Steps:
        """§ Spy (Spia)"""
        if option == "1":
            self._take(seat, "p", 1)
            self._take(seat, "g", 1)
            yield from self._draw(seat, 1)
            return
        self._pay(seat, "p", 2)

        def label(text: str, viewer: int) -> str:
            named, colour = int(text[1]), text[2]
            hand = self._hands[named]
            learned = f"{seat} {text} = {hand[colour]}"
            return learned + f" ({_shown(hand)})" if viewer in (seat, named) else learned

        moves = [f"@{other}{colour}" for other in self._others(seat) for colour in COLOURS]
        text = yield from _decide(seat, "player and colour for the spy", moves, label)
        self._points[seat] += self._hands[int(text[1])][text[2]]
        yield from self._draw(seat, 1)

    def _master_at_arms(self, seat: int, option: str) -> Steps:
        """§ Master at arms (Maestro d'armi)"""
        if option == "1":
            self._take(seat, "r", 2)
            yield from self._draw(seat, 1)
            return
        # Ruling "Master at arms": committed in secret, from the caller clockwise.
        for offering in self._clockwise_from(seat):
            earlier = list(self._tournament.values())
            is_last = len(earlier) == self.rules.players - 1
            label = self._secret_offer_label(offering, earlier, is_last)
            most = self._hands[offering]["r"]
            moves = [f"offer {k}" for k in range(most + 1)]
            text = yield from _decide(offering, "offer in the tournament", moves, label)
            self._tournament[offering] = int(text.removeprefix("offer "))
        prizes = tournament_prizes(self._tournament, seat)
        for offering, number in self._tournament.items():
            self._pay(offering, "r", number)
            self._points[offering] += prizes[offering]
        self._tournament = {}

    def _secret_offer_label(self, offering: int, earlier: list[int], is_last: bool) -> Label:
        def label(text: str, viewer: int) -> str:
            learned = f"{offering} {text if viewer == offering else 'offer ?'}"
            if is_last:
                # "The offers are revealed simultaneously."
                offers = [*earlier, int(text.removeprefix("offer "))]
                learned += " = " + ",".join(str(number) for number in offers)
            return learned

        return label

    def _regent(self, seat: int, option: str) -> Steps:
        """§ Regent (Reggente)"""
        if option == "1":
            self._take(seat, "w", 2)
            yield from self._draw(seat, 1)
            return
        for colour in COLOURS:
            self._pay(seat, colour, 1)
        self._points[seat] += 5
        yield from self._draw(seat, 4)

    def _chancellor(self, seat: int, option: str) -> Steps:
        """§ Chancellor (Cancelliere): the colour is chosen after the cards are seen."""
        if option == "1":
            yield from self._draw(seat, 2)
        else:
            yield from self._draw_counselor(seat)
        yield from self._take_by_choice(seat, "the chancellor")

    def _bandit(self, seat: int, option: str) -> Steps:
        """§ Bandit (Brigante)"""
        what = f"colour for the bandit's option {option}"
        colour = yield from _decide(seat, what, _present(self._hands[seat]))
        self._pay(seat, colour, 1)
        self._points[seat] += 1
        for taken in ("g", "w") if option == "1" else ("r", "y"):
            self._take(seat, taken, 1)

    # ----------------------------------------------------------------------------------------
    # Counselors that are played in the action step
    # ----------------------------------------------------------------------------------------

    def _playable(self, seat: int, line: str) -> bool:
        """Whether at least one card can move."""
        words = line.split()
        if words[0] == "take":
            return self._reserve[words[2]] > 0
        if words[0] == "choose":
            return _size(self._reserve) > 0
        if words[0] == "draw":
            return _size(self._supply) > 0 or _size(self._reserve) > 0
        if words[0] == "swap":
            return any(_size(self._hands[other]) > 0 for other in self._others(seat))
        assert words[0] == "return"
        return any(count >= int(words[1]) for count in self._hands[seat].values())

    def _play_counselor(self, seat: int, line: str) -> Steps:
        words = line.split()
        if words[0] == "take":
            self._take(seat, words[2], int(words[1]))
        if words[0] == "choose":
            first = yield from self._take_by_choice(seat, line)
            if words[1] == "2":
                yield from self._take_by_choice(seat, line, first)
        if words[0] == "draw":
            yield from self._draw(seat, int(words[1]))
        if words[0] == "swap":
            yield from self._swap(seat)
        if words[0] == "return":
            # `return N alike for M points`
            number, points = int(words[1]), int(words[4])
            enough = [colour for colour in COLOURS if self._hands[seat][colour] >= number]
            colour = yield from _decide(seat, f"colour for {line}", enough)
            self._pay(seat, colour, number)
            self._points[seat] += points

    def _swap(self, seat: int) -> Steps:
        """See another player's hand, take a card of it, give any card back."""

        def label_of_player(text: str, viewer: int) -> str:
            seen = _shown(self._hands[int(text.removeprefix("@"))])
            return f"{seat} {text} ({seen})" if viewer == seat else f"{seat} {text}"

        holders = [f"@{other}" for other in self._others(seat) if _size(self._hands[other]) > 0]
        text = yield from _decide(seat, "player for swap", holders, label_of_player)
        named = int(text.removeprefix("@"))

        def label_of_card(text: str, viewer: int) -> str:
            return f"{seat} {text if viewer in (seat, named) else '?'}"

        what = f"colour to take from {named}"
        taken = yield from _decide(seat, what, _present(self._hands[named]), label_of_card)
        self._hands[named][taken] -= 1
        self._hands[seat][taken] += 1
        what = f"colour to give to {named}"
        given = yield from _decide(
            seat, what, _present(self._hands[seat]), label_of_card, taken, (seat, named)
        )
        self._hands[seat][given] -= 1
        self._hands[named][given] += 1

    # ----------------------------------------------------------------------------------------
    # § 4 - Contributing to the outcome of the Crusade
    # ----------------------------------------------------------------------------------------

    def _contribution(self, seat: int) -> Steps:
        hand = self._hands[seat]
        owed = self.rules.contributed
        number = min(owed, _size(hand))
        texts = _give_texts(number)
        # A counselor says `one more`: one card more, if there is one.
        one_more = self._held_for(seat, "contribution")
        if one_more and _size(hand) >= owed + 1:
            texts = texts + _give_texts(owed + 1)

        def cards_of(text: str) -> str:
            return text.removeprefix("give ").removeprefix("-")

        def is_in_hand(text: str) -> bool:
            return all(cards_of(text).count(colour) <= hand[colour] for colour in COLOURS)

        def label(text: str, viewer: int) -> str:
            if viewer == seat or text == "give -":
                return f"{seat} {text}"
            return f"{seat} give {'?' * len(cards_of(text))}"

        moves = [text for text in texts if is_in_hand(text)]
        text = yield from _decide(seat, "contribution", moves, label)
        for colour in cards_of(text):
            hand[colour] -= 1
            self._crusade[colour] += 1
        if len(cards_of(text)) > owed:
            self._held[seat].remove(one_more[0])
        # "They lose 1 PP for each card they cannot add."
        self._points[seat] -= owed - number

    # ----------------------------------------------------------------------------------------
    # § 5 - Outcome of the Crusade
    # ----------------------------------------------------------------------------------------

    def _outcome_and_event(self) -> Steps:
        def label(text: str, viewer: int) -> str:
            return f"reveal {text}"

        # Ruling "Crusade": all of the deck if it is smaller.
        for _ in range(min(self.rules.revealed, _size(self._crusade))):
            outcomes = [(colour, self._crusade[colour]) for colour in _present(self._crusade)]
            colour = yield Chance("reveal", None, outcomes, label)
            self._crusade[colour] -= 1
            self._lying[colour] += 1

        yield from self._counselors_after_the_reveal()
        happened = self._comparisons()
        yield from self._event_effect(happened)

    def _counted(self) -> Cards:
        """The revealed cards without the ignored ones."""
        return {colour: self._lying[colour] - self._ignored[colour] for colour in COLOURS}

    def _ignorable(self) -> set[str]:
        """The colours that any counselor of the game, of either side, ignores."""
        return {
            lines[0].removeprefix("ignore ")
            for texts in self.rules.counselor_texts.values()
            for when, lines in texts.values()
            if when == "reveal"
        }

    def _counselors_after_the_reveal(self) -> Steps:
        """One revealed card of the colour that the counselor ignores is not counted."""
        if not any(self._lying[colour] > 0 for colour in self._ignorable()):
            return
        for seat in self._clockwise_from(self._first):
            # Whoever holds any counselor is asked, so that the question gives nothing away.
            if not self._held[seat]:
                continue
            # What each counselor that can be played here ignores, by the text of the move.
            plays = {}
            for number in self._held_for(seat, "reveal"):
                colour = self._line_of(seat, number).removeprefix("ignore ")
                if self._counted()[colour] > 0:
                    plays[f"counselor {number}"] = colour
            text = yield from _decide(seat, "counselor after the reveal", ["pass", *plays])
            if text != "pass":
                self._held[seat].remove(int(text.removeprefix("counselor ")))
                self._ignored[plays[text]] += 1

    def _comparisons(self) -> set[str]:
        """The steps of the outcome, in order; returns the words for what happened."""
        counted = self._counted()
        happened = set()
        difference = counted["r"] - counted["g"]
        if difference < 0:
            self._move_marker("crusaders", difference)
            happened.add("lost")
        elif difference > 0:
            self._move_marker("saladin", -difference)
            happened.add("won")
        else:
            happened.add("drawn")

        self._move_marker("time", -1)
        if counted["p"] > counted["b"]:
            self._move_marker("time", +1)
            happened.add("slowed")
        elif counted["p"] < counted["b"]:
            self._move_marker("time", -1)
            happened.add("hastened")

        difference = counted["y"] - counted["w"]
        self._move_marker("treasury", difference)
        if difference > 0:
            happened.add("rose")
        elif difference < 0:
            happened.add("fell")
        return happened

    # ----------------------------------------------------------------------------------------
    # § 6 - Resolving the consequences of the Crusade event
    # ----------------------------------------------------------------------------------------

    def _event_effect(self, happened: set[str]) -> Steps:
        """Every line whose condition holds, in order."""
        if self._event is None:
            return
        for line in self.rules.event_texts[self._event]:
            condition, effect = condition_and_effect(line)
            if event_condition_holds(condition, happened):
                yield from self._event_line(effect)

    def _event_line(self, effect: str) -> Steps:
        words = effect.split()
        if words[0] in self._tracks:
            self._move_marker(words[0], int(words[1]))
        elif words[0] in (JOHN, RICHARD, "everybody"):
            self._score_all_of(words[0], int(words[1]))
        elif words[0] == "return":
            # `return COLOUR for N points`
            yield from self._returns_for_points(words[1], int(words[3]))
        else:
            assert words[:2] == ["each", "draws"]
            for seat in self._clockwise_from(self._first):
                yield from self._draw(seat, int(words[2]))

    def _returns_for_points(self, colour: str, points: int) -> Steps:
        """In turn order everyone with a card in hand may return one of this colour."""
        for seat in self._clockwise_from(self._first):
            hand = self._hands[seat]
            if _size(hand) == 0:
                continue
            moves = ["pass", "return"] if hand[colour] > 0 else ["pass"]
            text = yield from _decide(seat, "return", moves)
            if text == "return":
                self._pay(seat, colour, 1)
                self._points[seat] += points

    # ----------------------------------------------------------------------------------------
    # Playing
    # ----------------------------------------------------------------------------------------

    def node(self) -> NodeName:
        """("decision", seat), ("chance", kind) or ("over",)"""
        if isinstance(self._node, Decision):
            return ("decision", self._node.seat)
        if isinstance(self._node, Chance):
            return ("chance", self._node.kind)
        return ("over",)

    def outcomes(self) -> list[tuple[str, int]]:
        """The outcomes of a chance node with their weights; nothing at other nodes."""
        return list(self._node.outcomes) if isinstance(self._node, Chance) else []

    def legal(self) -> list[str]:
        """The moves of a decision in the order of their ids; nothing at other nodes."""
        return list(self._node.moves) if isinstance(self._node, Decision) else []

    def edges(self) -> list[str]:
        """What can be applied: the moves or the outcomes."""
        return self.legal() or [text for text, _ in self.outcomes()]

    def observe(self, text: str, viewer: int) -> str:
        """What the viewer will learn when this move or outcome is applied."""
        if self._node is None or text not in self.edges():
            raise ValueError(f"{text!r} is not possible here")
        return self._node.label(text, viewer)

    def apply(self, text: str) -> None:
        if self._node is None or text not in self.edges():
            raise ValueError(f"{text!r} is not possible here")
        self._history.append(text)
        self._remember(self._node, text)
        try:
            self._node = self._script.send(text)
        except StopIteration:
            self._node = None

    def _remember(self, node: Node, text: str) -> None:
        """Every viewer learns its label, in the same run as before if it is the same draw."""
        labels = [node.label(text, viewer) for viewer in range(self.rules.players)]
        kind = node.kind if isinstance(node, Chance) else "decision"
        last = self._learned[-1] if self._learned else None
        if (
            last is None
            or kind not in UNORDERED
            # Everybody sees a new supply being formed: it divides a draw in two.
            or (kind, node.seat, self._refills) != (last.kind, last.seat, last.refills)
        ):
            last = Run(kind, node.seat, self._refills, [[] for _ in labels])
            self._learned.append(last)
        for seen, label in zip(last.labels, labels, strict=True):
            seen.append(label)

    def copy(self) -> "Game":
        """The same game once more, played again from the start."""
        again = Game(self.rules)
        for text in self._history:
            again.apply(text)
        return again

    def history(self) -> list[str]:
        return list(self._history)

    # ----------------------------------------------------------------------------------------
    # Looking
    # ----------------------------------------------------------------------------------------

    def info(self, viewer: int) -> tuple[Learned, ...]:
        """All that a seat has learned, in order; equal if and only if the same was learned."""
        learned: list[Learned] = []
        for run in self._learned:
            learned.extend((run.kind, label) for label in sorted(run.labels[viewer]))
        return tuple(learned)

    def view(self, viewer: int) -> tuple[tuple[str, object], ...]:
        """The table as a seat sees it, without a memory: names and what stands under them."""
        held = [len(numbers) for numbers in self._held]
        decks = [len(self._counselor_decks[side]) for side in (JOHN, RICHARD)]
        return (
            ("turn", self._turn),
            ("first", self._first),
            ("event", self._event),
            ("events to come", tuple(sorted(self._event_deck))),
            ("tracks", tuple(self._tracks.items())),
            ("points", tuple(self._points)),
            ("sides", tuple(self._sides)),
            ("loyalty cards", tuple(self._loyalty_cards.items())),
            ("influenced", tuple(self._influenced)),
            ("last influenced", tuple(self._last_influenced)),
            ("node", self._node_as_seen(viewer)),
            ("reserve", tuple(_counts(self._reserve))),
            ("revealed", tuple(_counts(self._lying))),
            ("ignored", tuple(_counts(self._ignored))),
            ("size of the supply", _size(self._supply)),
            ("size of the Crusade deck", _size(self._crusade)),
            ("sizes of the hands", tuple(_size(hand) for hand in self._hands)),
            ("own hand", tuple(_counts(self._hands[viewer]))),
            ("counselors held", tuple(held)),
            ("counselors in the decks", tuple(decks)),
            ("own counselors", tuple(self._held[viewer])),
            ("tax", tuple(self._tax.items())),
            ("own offer in the tournament", self._tournament.get(viewer)),
        )

    def _node_as_seen(self, viewer: int) -> tuple[object, ...]:
        """Kind, seat and what; of a decision also what else lies open to the viewer."""
        node = self._node
        if node is None:
            return ("over",)
        if isinstance(node, Chance):
            return ("chance", node.seat, node.kind)
        # The colour that was taken before limits the choice, unless it went from hand to hand.
        before = node.before if node.insiders is None else ""
        open_hand = ""
        if viewer == node.seat and node.what.startswith("colour to take from "):
            # Swap: one looks into the hand while one takes a card out of it.
            named = int(node.what.removeprefix("colour to take from "))
            open_hand = _shown(self._hands[named])
        return ("decision", node.seat, node.what, before, open_hand)

    def points(self) -> list[int]:
        return list(self._points)

    def tracks(self) -> dict[str, int]:
        return dict(self._tracks)

    def hands(self) -> list[list[int]]:
        return [_counts(hand) for hand in self._hands]

    def supply(self) -> list[int]:
        return _counts(self._supply)

    def reserve(self) -> list[int]:
        return _counts(self._reserve)

    def crusade(self) -> list[int]:
        """The Crusade deck, without the revealed cards."""
        return _counts(self._crusade)

    def revealed(self) -> list[int]:
        """The cards of the Crusade deck that lie open."""
        return _counts(self._lying)

    def ignored(self) -> list[int]:
        """Those of the revealed cards that counselors have struck from the count."""
        return _counts(self._ignored)

    def counselors(self) -> list[list[int]]:
        return [sorted(held) for held in self._held]

    def loyalties(self) -> list[str]:
        """The sides chosen so far, from seat 0."""
        return list(self._sides)

    def influenced(self) -> list[str | None]:
        """This turn's characters by seat."""
        return list(self._influenced)

    def last_influenced(self) -> list[str | None]:
        """Last turn's characters by seat."""
        return list(self._last_influenced)

    def event(self) -> int | None:
        """This turn's event."""
        return self._event

    def turn(self) -> int:
        return self._turn

    def first(self) -> int:
        return self._first

    def ending(self) -> str:
        """'A' to 'D', or '' while the game goes on."""
        return self._ending

    def winners(self) -> list[int]:
        """§ End of the Game: most PP, then the favoured side; whoever is left shares the win."""
        if self._node is not None:
            return []
        best = max(self._points)
        tied = [seat for seat, points in enumerate(self._points) if points == best]
        favoured = [seat for seat in tied if self._sides[seat] == FAVOURED[self._ending]]
        return favoured or tied

    def returns(self) -> list[float]:
        """Ruling "Utility": zero-sum, from each player's share of the win."""
        players = self.rules.players
        winners = self.winners()
        if not winners:
            return [0.0] * players
        utilities = []
        for seat in range(players):
            share = 1 / len(winners) if seat in winners else 0.0
            utilities.append((players * share - 1) / (players - 1))
        return utilities


def perft(start: Rules | Game, depth: int) -> int:
    """The number of ways to go on for so many steps, each a move or an outcome of chance."""
    game = start if isinstance(start, Game) else Game(start)
    edges = game.edges()
    if depth == 0:
        return 1
    if depth == 1:
        return len(edges)
    total = 0
    for text in edges:
        after = game.copy()
        after.apply(text)
        total += perft(after, depth - 1)
    return total
