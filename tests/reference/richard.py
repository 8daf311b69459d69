"""Richard I, written slowly and plainly: a second opinion on the rules.

Nothing here is meant to be fast.  The game itself is one Python generator that reads like the
rulebook: it yields a node whenever somebody has to choose or a card has to be turned, and
receives the text of what was chosen or turned.  Every rule names the heading of the rulebook (§)
or the ruling that it follows.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass
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

# Ruling "House counselors": a player's own colour and the enemy's.
OWN = {JOHN: "g", RICHARD: "r"}
FOE = {JOHN: "r", RICHARD: "g"}

# § Components: 14 counselor cards for each side, 18 Crusade event cards.
COUNSELORS = range(1, 15)
EVENTS = range(1, 19)
NUMBERED_EVENTS = range(1, 13)

# Ruling "Numbers": no track goes below 0; the treasury alone has no upper end.
HIGHEST = {"time": 12, "crusaders": 10, "saladin": 10}

# --------------------------------------------------------------------------------------------
# The texts of all moves; a move's id is its place in this list
# --------------------------------------------------------------------------------------------

# Counselors that are played in the own action step, before the option is chosen.
ACTION_COUNSELORS = (7, 8, 9, 10, 11)


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
    *(f"counselor {number}" for number in ACTION_COUNSELORS),
    "pass",
    "counselor 13",
    "return",
]

_ID_OF = {text: number for number, text in enumerate(ACTIONS)}

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
    """

    players: int = 4
    counselors: Literal["off", "house"] = "off"
    events: Literal["off", "shuffled", "historical"] = "off"
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
        # A contribution has at most three cards, and counselor 12 adds one.
        most = 2 if self.counselors == "house" else 3
        if not 0 <= self.contributed <= most:
            raise ValueError(f"0 to {most} cards can be contributed")
        for name, highest in HIGHEST.items():
            if not 0 <= getattr(self, name) <= highest:
                raise ValueError(f"{name} is 0 to {highest}")
        if self.treasury < 0:
            raise ValueError("the treasury is not below 0")

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
    seat: int
    moves: list[str]
    label: Label


@dataclass(frozen=True)
class Chance:
    kind: str
    outcomes: list[tuple[str, int]]
    label: Label


Node = Decision | Chance

# A part of the game: it yields nodes, is sent texts, and returns nothing, a text or a set.
Steps = Generator[Node, str, None]
Choice = Generator[Node, str, str]

NodeName = tuple[Literal["decision"], int] | tuple[Literal["chance"], str] | tuple[Literal["over"]]


def _decide(seat: int, moves: list[str], label: Label | None = None) -> Choice:
    """One player chooses; without a label of its own the choice is public."""

    def public(text: str, viewer: int) -> str:
        return f"{seat} {text}"

    in_order = sorted(moves, key=lambda text: _ID_OF[text])
    return (yield Decision(seat, in_order, label or public))


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


def end_score(number: int, side: str, ending: str, tracks: dict[str, int], own_cards: int) -> int:
    """Ruling "House counselors", 1 to 6: PP of one held counselor after the final shares."""
    for_richard = side == RICHARD
    treasury = tracks["treasury"]
    if number == 1:
        return 3 if ending == ("B" if for_richard else "A") else 0
    if number == 2:
        return 3 if ending == ("C" if for_richard else "D") else 0
    if number == 3 and for_richard:
        return 3 if treasury >= 12 else 2 if treasury >= 8 else 0
    if number == 3:
        return 3 if treasury <= 3 else 2 if treasury <= 6 else 0
    if number == 4 and for_richard:
        return 2 if tracks["crusaders"] > tracks["saladin"] else 0
    if number == 4:
        return 2 if tracks["saladin"] > tracks["crusaders"] else 0
    if number == 5:
        return min(3, half_up(own_cards))
    if number == 6 and for_richard:
        return 2 if tracks["time"] <= 4 else 0
    if number == 6:
        return 2 if tracks["time"] >= 6 else 0
    return 0


# --------------------------------------------------------------------------------------------
# The game
# --------------------------------------------------------------------------------------------


class Game:
    """One game: the table with everything on it, and the script of the rulebook."""

    def __init__(self, rules: Rules | None = None) -> None:
        self.rules = rules if rules is not None else Rules()
        players = self.rules.players
        self._history: list[str] = []

        # § Setup
        self._supply = _cards(self.rules.supply)
        self._reserve = _cards(self.rules.reserve)
        self._crusade = _no_cards()
        self._lying = _no_cards()  # the revealed cards of the Crusade deck
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
            side = yield from _decide(seat, left)
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
        for seat, side in enumerate(self._sides):
            for number in self._held[seat]:
                own_cards = self._hands[seat][OWN[side]]
                self._points[seat] += end_score(number, side, self._ending, self._tracks, own_cards)

    # ----------------------------------------------------------------------------------------
    # Moving cards, points and markers
    # ----------------------------------------------------------------------------------------

    def _refill(self) -> None:
        """§ Setup, Note; ruling "Supply": 5 of each colour or as many as there are."""
        for colour in COLOURS:
            moved = min(5, self._reserve[colour])
            self._reserve[colour] -= moved
            self._supply[colour] += moved

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
        colour = yield Chance(kind, outcomes, label)
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

        text = yield Chance("counselor", [(str(number), 1) for number in deck], label)
        deck.remove(int(text))
        self._held[seat] = sorted([*self._held[seat], int(text)])

    def _take(self, seat: int, colour: str, number: int) -> None:
        """From the reserve.  Ruling "Fixed take": as many as are there."""
        taken = min(number, self._reserve[colour])
        self._reserve[colour] -= taken
        self._hands[seat][colour] += taken

    def _take_by_choice(self, seat: int, colours: str = COLOURS) -> Choice:
        """Ruling "Free choice": one card of a colour in stock; returns it, '' if there is none."""
        in_stock = [colour for colour in _present(self._reserve) if colour in colours]
        if not in_stock:
            return ""
        colour = yield from _decide(seat, in_stock)
        self._take(seat, colour, 1)
        return colour

    def _pay(self, seat: int, colour: str, number: int) -> None:
        """Back to the reserve."""
        assert self._hands[seat][colour] >= number
        self._hands[seat][colour] -= number
        self._reserve[colour] += number

    def _score_side(self, side: str, points: int) -> None:
        for seat, loyalty in enumerate(self._sides):
            if loyalty == side:
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

        text = yield Chance("event", [(str(number), 1) for number in possible], label)
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
            # Counselor 14: last turn's character, if it is free.
            if only_one_left or 14 in self._held[seat]:
                allowed = list(free)
            character = yield from _decide(seat, allowed)
            if character == last and not only_one_left:
                self._held[seat].remove(14)
            free.remove(character)
            self._influenced[seat] = character

        if self.rules.placing_bonus:
            seat = self._clockwise_from(self._first)[-1]
            self._take(seat, "g", 1)
            yield from self._take_by_choice(seat)

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
                for number in self._held[seat]
                if number in ACTION_COUNSELORS and self._playable(seat, number)
            ]
            text = yield from _decide(seat, (options or ["none"]) + plays)
            if text in ("1", "2", "none"):
                break
            number = int(text.removeprefix("counselor "))
            self._held[seat].remove(number)
            yield from self._play_counselor(seat, number)

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
        offers: dict[int, int] = {}
        for offering in self._clockwise_from((seat + 1) % self.rules.players):
            most = self._hands[offering]["y"]
            text = yield from _decide(offering, [f"offer {k}" for k in range(most + 1)])
            offers[offering] = int(text.removeprefix("offer "))
        prizes = tax_prizes(offers)
        for offering, number in offers.items():
            self._pay(offering, "y", number)
            self._points[offering] += prizes[offering]

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

        text = yield from _decide(seat, [f"@{other}" for other in self._others(seat)], label)
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
        text = yield from _decide(seat, moves, label)
        self._points[seat] += self._hands[int(text[1])][text[2]]
        yield from self._draw(seat, 1)

    def _master_at_arms(self, seat: int, option: str) -> Steps:
        """§ Master at arms (Maestro d'armi)"""
        if option == "1":
            self._take(seat, "r", 2)
            yield from self._draw(seat, 1)
            return
        # Ruling "Master at arms": committed in secret, from the caller clockwise.
        offers: dict[int, int] = {}
        for offering in self._clockwise_from(seat):
            is_last = len(offers) == self.rules.players - 1
            label = self._secret_offer_label(offering, list(offers.values()), is_last)
            most = self._hands[offering]["r"]
            text = yield from _decide(offering, [f"offer {k}" for k in range(most + 1)], label)
            offers[offering] = int(text.removeprefix("offer "))
        prizes = tournament_prizes(offers, seat)
        for offering, number in offers.items():
            self._pay(offering, "r", number)
            self._points[offering] += prizes[offering]

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
        yield from self._take_by_choice(seat)

    def _bandit(self, seat: int, option: str) -> Steps:
        """§ Bandit (Brigante)"""
        colour = yield from _decide(seat, _present(self._hands[seat]))
        self._pay(seat, colour, 1)
        self._points[seat] += 1
        for taken in ("g", "w") if option == "1" else ("r", "y"):
            self._take(seat, taken, 1)

    # ----------------------------------------------------------------------------------------
    # Ruling "House counselors", 7 to 11
    # ----------------------------------------------------------------------------------------

    def _playable(self, seat: int, number: int) -> bool:
        """Whether at least one card can move."""
        if number == 7:
            return self._reserve[OWN[self._sides[seat]]] > 0
        if number == 8:
            return _size(self._reserve) > 0
        if number == 9:
            return _size(self._supply) > 0 or _size(self._reserve) > 0
        if number == 10:
            return any(_size(self._hands[other]) > 0 for other in self._others(seat))
        return any(count >= 2 for count in self._hands[seat].values())

    def _play_counselor(self, seat: int, number: int) -> Steps:
        if number == 7:
            self._take(seat, OWN[self._sides[seat]], 2)
        if number == 8:
            first = yield from self._take_by_choice(seat)
            yield from self._take_by_choice(seat, COLOURS.replace(first, ""))
        if number == 9:
            yield from self._draw(seat, 3)
        if number == 10:
            yield from self._exchange(seat)
        if number == 11:
            pairs = [colour for colour in COLOURS if self._hands[seat][colour] >= 2]
            colour = yield from _decide(seat, pairs)
            self._pay(seat, colour, 2)
            self._points[seat] += 2

    def _exchange(self, seat: int) -> Steps:
        """Counselor 10: see another player's hand, take a card of it, give any card back."""

        def label_of_player(text: str, viewer: int) -> str:
            seen = _shown(self._hands[int(text.removeprefix("@"))])
            return f"{seat} {text} ({seen})" if viewer == seat else f"{seat} {text}"

        holders = [other for other in self._others(seat) if _size(self._hands[other]) > 0]
        text = yield from _decide(seat, [f"@{other}" for other in holders], label_of_player)
        named = int(text.removeprefix("@"))

        def label_of_card(text: str, viewer: int) -> str:
            return f"{seat} {text if viewer in (seat, named) else '?'}"

        taken = yield from _decide(seat, _present(self._hands[named]), label_of_card)
        self._hands[named][taken] -= 1
        self._hands[seat][taken] += 1
        given = yield from _decide(seat, _present(self._hands[seat]), label_of_card)
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
        # Counselor 12: one card more, if there is one.
        if 12 in self._held[seat] and _size(hand) >= owed + 1:
            texts = texts + _give_texts(owed + 1)

        def cards_of(text: str) -> str:
            return text.removeprefix("give ").removeprefix("-")

        def is_in_hand(text: str) -> bool:
            return all(cards_of(text).count(colour) <= hand[colour] for colour in COLOURS)

        def label(text: str, viewer: int) -> str:
            if viewer == seat or text == "give -":
                return f"{seat} {text}"
            return f"{seat} give {'?' * len(cards_of(text))}"

        text = yield from _decide(seat, [text for text in texts if is_in_hand(text)], label)
        for colour in cards_of(text):
            hand[colour] -= 1
            self._crusade[colour] += 1
        if len(cards_of(text)) > owed:
            self._held[seat].remove(12)
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
            colour = yield Chance("reveal", outcomes, label)
            self._crusade[colour] -= 1
            self._lying[colour] += 1

        counted = dict(self._lying)
        yield from self._counselors_after_the_reveal(counted)
        happened = self._comparisons(counted)
        yield from self._event_effect(happened)

    def _counselors_after_the_reveal(self, counted: Cards) -> Steps:
        """Counselor 13: one red or green card of the enemy's is not counted."""
        if self._lying["r"] == 0 and self._lying["g"] == 0:
            return
        for seat in self._clockwise_from(self._first):
            # Whoever holds any counselor is asked, so that the question gives nothing away.
            if not self._held[seat]:
                continue
            foe = FOE[self._sides[seat]]
            can_play = 13 in self._held[seat] and counted[foe] > 0
            text = yield from _decide(seat, ["pass", "counselor 13"] if can_play else ["pass"])
            if text == "counselor 13":
                self._held[seat].remove(13)
                counted[foe] -= 1

    def _comparisons(self, counted: Cards) -> set[str]:
        """The steps of the outcome, in order; returns the words for what happened."""
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
        """Ruling "House events": I to XII are 1 to 12, those without a numeral 13 to 18."""
        event = self._event
        if event == 1:
            if "slowed" in happened:
                self._score_side(JOHN, 1)
            if "hastened" in happened:
                self._score_side(RICHARD, 1)
        if event == 2 and "rose" in happened:
            self._move_marker("treasury", +1)
        if event == 3 and "won" in happened:
            self._move_marker("saladin", -1)
        if event == 4 and "won" not in happened:
            self._move_marker("crusaders", -1)
        if event == 5 and "won" in happened:
            self._move_marker("treasury", -1)
        if event in (6, 11):
            if "won" in happened:
                self._score_side(RICHARD, 1)
            if "lost" in happened:
                self._score_side(JOHN, 1)
        if event == 7 and "lost" not in happened:
            self._move_marker("crusaders", +1)
        if event == 8:
            if "won" in happened:
                self._move_marker("saladin", -1)
            if "lost" in happened:
                self._move_marker("crusaders", -1)
        if event == 9 and "fell" in happened:
            self._score_side(JOHN, 1)
        if event == 10 and "won" in happened:
            self._move_marker("treasury", +2)
        if event == 12:
            if "hastened" in happened:
                self._move_marker("time", -1)
            if "slowed" in happened:
                self._move_marker("time", +1)
        if event == 13 and "lost" in happened:
            self._move_marker("crusaders", -1)
        if event == 14 and "rose" in happened:
            self._move_marker("crusaders", +1)
        if event == 15 and "lost" in happened:
            self._move_marker("saladin", +1)
        if event == 16:
            yield from self._returns_for_points("w")
        if event == 17:
            yield from self._returns_for_points("y")
        if event == 18:
            for seat in self._clockwise_from(self._first):
                yield from self._draw_one(seat)

    def _returns_for_points(self, colour: str) -> Steps:
        """In turn order everyone with a card in hand may return one of this colour for 1 PP."""
        for seat in self._clockwise_from(self._first):
            hand = self._hands[seat]
            if _size(hand) == 0:
                continue
            text = yield from _decide(seat, ["pass", "return"] if hand[colour] > 0 else ["pass"])
            if text == "return":
                self._pay(seat, colour, 1)
                self._points[seat] += 1

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
        try:
            self._node = self._script.send(text)
        except StopIteration:
            self._node = None

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
