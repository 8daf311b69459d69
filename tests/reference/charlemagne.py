"""Charlemagne, written slowly and plainly: a second opinion on the rules.

Nothing here is meant to be fast.  The game itself is one Python generator that reads like the
rulebook: it yields a node whenever somebody has to choose or chance has to decide, and receives
the text of what was chosen or what came.  Every rule names the heading of the rulebook (§) or the
ruling that it follows.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from math import comb
from typing import Literal

# --------------------------------------------------------------------------------------------
# § Game parts
# --------------------------------------------------------------------------------------------

BARLEY = "b"
RICHES = "r"
SERF = "s"
KNIGHT = "k"

# This order everywhere.
KINDS = "brsk"

# § IV.2 Income from Privileges: each kind has the privilege that yields it.
PRIVILEGES = dict(zip(KINDS, ("mill", "toll", "guild", "armoury"), strict=True))
KIND_OF = {privilege: kind for kind, privilege in PRIVILEGES.items()}

# § I.1 The agenda cards: the middle picture.
PROBLEMS = ("war", "taxes", "disaster", "unrest")

# Ruling "Numbers": the return symbols of each problem's castle cards.
CASTLE_SYMBOLS = {"war": "bk", "taxes": "rs", "disaster": "bk", "unrest": "rs"}

# Ruling "Agenda cards": the card of the first year, in all but its name `unrest-privilege-s`.
MILLENNIUM = "millennium"


def _card_names() -> list[str]:
    """Ruling "Agenda cards": a card's id is its place in this list."""
    names: list[str] = []
    for problem in PROBLEMS:
        names.extend(f"{problem}-privilege-{symbol}" for symbol in KINDS)
        names.extend(f"{problem}-castle-{symbol}" for symbol in CASTLE_SYMBOLS[problem])
    return [*names, MILLENNIUM]


CARDS = _card_names()


def _pictures(card: str) -> tuple[str, str, str]:
    """§ I.1 The agenda cards: the problem, the reward, and what a change of it costs."""
    if card == MILLENNIUM:
        card = "unrest-privilege-s"
    problem, reward, symbol = card.split("-")
    return problem, reward, symbol


def problem_of(card: str) -> str:
    return _pictures(card)[0]


def is_castle_card(card: str) -> bool:
    return _pictures(card)[1] == "castle"


def symbol_of(card: str) -> str:
    return _pictures(card)[2]


# --------------------------------------------------------------------------------------------
# The texts of all moves; a move's id is its place in this list
# --------------------------------------------------------------------------------------------

_SEATS = range(4)

# Ruling "Bounds": half of the largest storage that there can be, which has 25 pieces.
_LARGEST_ALMS = 12

ACTIONS: list[str] = [
    *CARDS,
    *KINDS,
    "stop",
    "pass",
    *PRIVILEGES.values(),
    *(f"{privilege} @{seat}" for privilege in PRIVILEGES.values() for seat in _SEATS),
    "defend",
    "yield",
    "yield builder",
    "hut",
    "builder",
    *(f"forage @{seat}" for seat in _SEATS),
    *(f"bribe @{seat}" for seat in _SEATS),
    "end",
    "random",
    "decline",
    *(f"ask @{seat}" for seat in _SEATS),
    *(f"number {number}" for number in range(1, _LARGEST_ALMS + 1)),
]

_ID_OF = {text: number for number, text in enumerate(ACTIONS)}


def _named_seat(text: str) -> int:
    """The player at the end of a text such as 'forage @2'."""
    return int(text.split("@")[1])


# --------------------------------------------------------------------------------------------
# Rules: what a game is set up with
# --------------------------------------------------------------------------------------------

Four = tuple[int, int, int, int]


@dataclass(frozen=True)
class Rules:
    """The number of players, the option, and the data of the game.

    All tuples of four follow the order of KINDS.
    """

    players: int = 4
    # § IV.1 Taxation of the lands, Tip: advanced players may choose the farmstead's resource.
    farmstead: Literal["random", "choice"] = "random"
    # § Game parts: 64 resources (4 X 16), 8 privileges (4 X 2), 6 castle pieces.
    pieces: Four = (16, 16, 16, 16)
    privileges: Four = (2, 2, 2, 2)
    # § II.2 To the Victor: points of each piece in the order of building.
    castle: tuple[int, ...] = (1, 1, 1, 2, 2, 3)
    # § Setting up Charlemagne: six huts, two of them on the board; eight resources.
    huts: int = 6
    huts_start: int = 2
    start: int = 8
    # § Church Taxes: all resources over ten.
    storage_limit: int = 10
    # § The King's Mercy: four or less resources.
    mercy_limit: int = 4
    # § III.3 Foraging: the spoils are two resources.
    loot: int = 2
    # § IV.1 Taxation of the lands: one resource for the farmstead.
    farmstead_income: int = 1
    # § II.1; ruling "Value of a resource in a campaign", for the rulebook's table is missing.
    value_war: Four = (1, 3, 2, 4)
    value_taxes: Four = (3, 4, 1, 2)
    value_disaster: Four = (4, 2, 3, 1)
    value_unrest: Four = (2, 1, 4, 3)
    # § Setting up Charlemagne: 24 cards are dealt, one is kept aside for the first turn.
    cards: tuple[str, ...] = tuple(CARDS[:24])
    first_card: str = MILLENNIUM

    def values(self, problem: str) -> dict[str, int]:
        """What a piece of each kind is worth in a campaign against the problem."""
        rows = {
            "war": self.value_war,
            "taxes": self.value_taxes,
            "disaster": self.value_disaster,
            "unrest": self.value_unrest,
        }
        return dict(zip(KINDS, rows[problem], strict=True))

    def kinds_in_play(self) -> list[str]:
        """Ruling "Data": the kinds that have a piece."""
        return [kind for kind, number in zip(KINDS, self.pieces, strict=True) if number > 0]

    def __post_init__(self) -> None:
        """Ruling "Data": what is refused."""
        _check_range("players", self.players, 2, 4)
        if self.farmstead not in ("random", "choice"):
            raise ValueError(f"unknown option farmstead: {self.farmstead!r}")
        self._check_numbers()
        self._check_cards()

    def _check_numbers(self) -> None:
        _check_four("pieces", self.pieces, 0, 16)
        _check_four("privileges", self.privileges, 0, 2)
        _check_range("number of castle pieces", len(self.castle), 1, 6)
        for points in self.castle:
            _check_range("castle", points, 1, 9)
        _check_range("huts", self.huts, 0, 6)
        _check_range("huts_start", self.huts_start, 0, self.huts)
        _check_range("storage_limit", self.storage_limit, 0, 10)
        _check_range("start", self.start, 1, min(8, self.storage_limit))
        # So that Mercy never raises the total excess.
        _check_range("mercy_limit", self.mercy_limit, 0, min(5, self.storage_limit // 2))
        _check_range("loot", self.loot, 0, 2)
        _check_range("farmstead_income", self.farmstead_income, 0, 1)
        for problem in PROBLEMS:
            _check_four(f"value_{problem}", tuple(self.values(problem).values()), 1, 9)
        if self.players * self.start > sum(self.pieces):
            raise ValueError("there are not enough pieces for the start")
        if len(self.kinds_in_play()) < 2:
            raise ValueError("at least two kinds have a piece")

    def _check_cards(self) -> None:
        for card in (*self.cards, self.first_card):
            if card not in CARDS:
                raise ValueError(f"unknown card: {card!r}")
        ids = [CARDS.index(card) for card in self.cards]
        if ids != sorted(set(ids)):
            raise ValueError("the cards differ and stand by ascending id")
        if self.first_card in self.cards:
            raise ValueError("the first card is not dealt")
        if len(self.cards) % self.players != 0:
            raise ValueError("the cards cannot be dealt evenly")
        castle_cards = sum(is_castle_card(card) for card in (*self.cards, self.first_card))
        if len(self.castle) > castle_cards:
            raise ValueError("there are fewer castle cards than castle pieces")


def _check_range(name: str, number: int, least: int, most: int) -> None:
    if not least <= number <= most:
        raise ValueError(f"{name} is {least} to {most}, not {number}")


def _check_four(name: str, numbers: tuple[int, ...], least: int, most: int) -> None:
    if len(numbers) != len(KINDS):
        raise ValueError(f"{name} has a number for each kind")
    for number in numbers:
        _check_range(name, number, least, most)


# --------------------------------------------------------------------------------------------
# Heaps of pieces or privileges: how many there are of each kind
# --------------------------------------------------------------------------------------------

Heap = dict[str, int]


def _heap(counts: Four) -> Heap:
    return dict(zip(KINDS, counts, strict=True))


def _nothing() -> Heap:
    return dict.fromkeys(KINDS, 0)


def _size(heap: Heap) -> int:
    return sum(heap.values())


def _counts(heap: Heap) -> list[int]:
    return [heap[kind] for kind in KINDS]


def _present(heap: Heap) -> list[str]:
    """The kinds of which there is at least one."""
    return [kind for kind in KINDS if heap[kind] > 0]


def _shown(heap: Heap) -> str:
    """Laid open, such as 'bbrs'; a dash for nothing."""
    return "".join(kind * heap[kind] for kind in KINDS) or "-"


def _move(kind: str, source: Heap, target: Heap, number: int = 1) -> None:
    source[kind] -= number
    target[kind] += number


def _move_all(source: Heap, target: Heap) -> None:
    for kind in KINDS:
        _move(kind, source, target, source[kind])


def _not_before(kind: str) -> str:
    """Ruling "Moves and chance": pieces are laid in the order of kinds, never back."""
    return KINDS[KINDS.index(kind) :] if kind else KINDS


# --------------------------------------------------------------------------------------------
# Nodes
# --------------------------------------------------------------------------------------------

# What a viewer (second argument) learns when a text (first argument) is chosen or comes.
Label = Callable[[str, int], str]

# In place of a seat.
NOBODY = -1


@dataclass(frozen=True)
class Decision:
    """One player has to choose."""

    seat: int
    what: str
    moves: list[str]
    label: Label


@dataclass(frozen=True)
class Chance:
    """Something comes by chance, for one seat or for NOBODY."""

    seat: int
    kind: str
    outcomes: list[tuple[str, int]]
    label: Label


Node = Decision | Chance

# A part of the game: it yields nodes, is sent texts, and returns nothing or a text.
Steps = Generator[Node, str, None]
Choice = Generator[Node, str, str]

NodeName = tuple[Literal["decision", "chance", "over"], int, str]

# What one seat has learned from a text: the kind of the node, and the label.
Learned = tuple[str, str]


def _decide(seat: int, what: str, moves: list[str], label: Label | None = None) -> Choice:
    """One player chooses; without a label of its own the choice is public."""

    def public(text: str, viewer: int) -> str:
        return f"{seat} {text}"

    in_order = sorted(moves, key=lambda text: _ID_OF[text])
    return (yield Decision(seat, what, in_order, label or public))


def numbers_drawn(kind: str, of_it: int, of_later: int, to_come: int) -> list[tuple[str, int]]:
    """Ruling "Chance nodes": how many of the pieces to come are of this kind, with weights."""
    weights = {
        f"{kind}{number}": comb(of_it, number) * comb(of_later, to_come - number)
        for number in range(to_come + 1)
    }
    return [(text, weight) for text, weight in weights.items() if weight > 0]


# --------------------------------------------------------------------------------------------
# The game
# --------------------------------------------------------------------------------------------


class Game:
    """One game: the table with everything on it, and the script of the rulebook."""

    def __init__(self, rules: Rules | None = None) -> None:
        self.rules = rules if rules is not None else Rules()
        self._players = self.rules.players
        seats = range(self._players)
        self._history: list[str] = []
        self._learned: list[list[Learned]] = [[] for _ in seats]

        # § Setting up Charlemagne
        self._stock = _heap(self.rules.pieces)
        self._storages = [_nothing() for _ in seats]
        self._king = _heap(self.rules.privileges)
        self._privileges = [_nothing() for _ in seats]
        self._huts = [self.rules.huts_start for _ in seats]
        self._builders = [0 for _ in seats]
        self._points = [0 for _ in seats]
        self._hands: list[list[str]] = [[] for _ in seats]
        self._built = 0  # castle pieces
        self._solved: list[str] = []
        self._table = ""  # the agenda card on it
        self._year = 1

        # Who leads, who opens the bidding and who has won it, this year.
        self._leader = NOBODY
        self._opener = NOBODY
        self._winner = NOBODY
        # What lies in a bid: the last raise apart from all before it.
        self._earlier_raises = [_nothing() for _ in seats]
        self._last_raises = [_nothing() for _ in seats]
        self._passed = [False for _ in seats]
        # The kind laid last in a raise or to the Church, if something was laid.
        self._last_kind = ""
        # Of the Summer turn that goes on.
        self._plundered: list[int] = []
        self._no_hut_after_builder = False
        # Of this Fall.
        self._needy = [False for _ in seats]
        self._asker = NOBODY
        self._donor = NOBODY
        self._number = 0
        # While pieces are drawn: who draws, from whose storage (the stock: NOBODY), the kind
        # whose turn it is, and how many pieces are still to come.
        self._drawer = NOBODY
        self._drawn_from = NOBODY
        self._kind_drawn = ""
        self._to_come = 0
        # While cards are dealt: the card whose turn it is.
        self._dealt = ""

        self._script = self._whole_game()
        self._node: Node | None = next(self._script)

    # ----------------------------------------------------------------------------------------
    # § Setting up Charlemagne, § Order of play
    # ----------------------------------------------------------------------------------------

    def _whole_game(self) -> Steps:
        yield from self._setting_up()
        while True:
            yield from self._winter()
            yield from self._spring()
            # § The Winner of Charlemagne: at once, without Summer and Fall.
            if self._built == len(self.rules.castle):
                return
            yield from self._summer()
            yield from self._fall()
            self._year += 1

    def _setting_up(self) -> Steps:
        """Ruling "Order of nodes": first all storages, then the cards."""
        for seat in range(self._players):
            yield from self._draw("start", seat, self.rules.start)
        for card in self.rules.cards:
            yield from self._deal(card)
        self._dealt = ""

    def _deal(self, card: str) -> Steps:
        """§ Setting up Charlemagne: the cards are distributed over all players."""
        self._dealt = card

        def label(text: str, viewer: int) -> str:
            return f"card {text}" if viewer == _named_seat(text) else f"card {card} ?"

        places = {
            f"{card} @{seat}": self._hand_at_start() - len(hand)
            for seat, hand in enumerate(self._hands)
        }
        outcomes = [(text, free) for text, free in places.items() if free > 0]
        text = yield Chance(NOBODY, "card", outcomes, label)
        self._hands[_named_seat(text)].append(card)

    def _hand_at_start(self) -> int:
        return len(self.rules.cards) // self._players

    def _clockwise_from(self, seat: int) -> list[int]:
        """All seats, clockwise, this one first."""
        return [(seat + steps) % self._players for steps in range(self._players)]

    def _clockwise_after(self, seat: int) -> list[int]:
        """All other seats, clockwise."""
        return self._clockwise_from(seat)[1:]

    def _others(self, seat: int) -> list[int]:
        return [other for other in range(self._players) if other != seat]

    # ----------------------------------------------------------------------------------------
    # Drawing pieces
    # ----------------------------------------------------------------------------------------

    def _draw(self, name: str, seat: int, number: int, donor: int = NOBODY) -> Steps:
        """So many random pieces from the stock, or from a donor's storage.

        Ruling "Chance nodes": one node for every kind in play but the last, however forced.
        """
        pool = self._stock if donor == NOBODY else self._storages[donor]
        # Ruling "short stock": there is no more than there is, and nothing is owed.
        self._to_come = min(number, _size(pool))
        if self._to_come == 0:
            return
        self._drawer = seat
        self._drawn_from = donor

        def label(text: str, viewer: int) -> str:
            return f"{seat} {name} {text if viewer in (seat, donor) else '?'}"

        kinds = self.rules.kinds_in_play()
        for place, kind in enumerate(kinds[:-1]):
            self._kind_drawn = kind
            of_later = sum(pool[later] for later in kinds[place + 1 :])
            outcomes = numbers_drawn(kind, pool[kind], of_later, self._to_come)
            text = yield Chance(seat, name, outcomes, label)
            self._draw_of(kind, int(text.removeprefix(kind)), pool)
        # What remains is of the last kind.
        self._draw_of(kinds[-1], self._to_come, pool)
        self._drawer = NOBODY
        self._drawn_from = NOBODY
        self._kind_drawn = ""

    def _draw_of(self, kind: str, number: int, pool: Heap) -> None:
        _move(kind, pool, self._storages[self._drawer], number)
        self._to_come -= number

    # ----------------------------------------------------------------------------------------
    # § I Winter: Congregation of Nobles
    # ----------------------------------------------------------------------------------------

    def _winter(self) -> Steps:
        """§ I.2 The procedure"""
        if self._year == 1:
            # § I.2, First year: the agenda is given, and nobody can change it.
            self._table = self.rules.first_card
            self._opener = 0
            return
        self._leader = self._who_leads()
        self._opener = NOBODY
        self._winner = NOBODY
        card = yield from _decide(self._leader, "lead", self._hands[self._leader])
        self._lay(self._leader, card)
        # § I.2: in clockwise order the other players each get one opportunity.
        for seat in self._clockwise_after(self._leader):
            yield from self._change(seat)

    def _who_leads(self) -> int:
        """§ I.2: the winner of the previous campaign, or the next player who has a card."""
        seats = self._clockwise_from(self._winner)
        return next(seat for seat in seats if self._hands[seat])

    def _lay(self, seat: int, card: str) -> None:
        self._hands[seat].remove(card)
        self._table = card
        # § II.1: the player that played the agenda card begins the bidding.
        self._opener = seat

    def _change(self, seat: int) -> Steps:
        """§ I.2, Changing the agenda"""
        previous = self._table
        symbol = symbol_of(previous)
        if self._privileges[seat][symbol] == 0 or not self._hands[seat]:
            return
        text = yield from _decide(seat, "change", ["pass", *self._hands[seat]])
        if text == "pass":
            return
        _move(symbol, self._privileges[seat], self._king)
        self._lay(seat, text)
        self._hands[seat].append(previous)
        self._hands[seat].sort(key=CARDS.index)

    # ----------------------------------------------------------------------------------------
    # § II Spring: Campaign
    # ----------------------------------------------------------------------------------------

    def _spring(self) -> Steps:
        yield from self._bidding()
        yield from self._to_the_victor()
        # § II.1: the agenda card is set aside and will not be used again.
        self._solved.append(self._table)
        self._table = ""

    def _bidding(self) -> Steps:
        """§ II.1: until all players but one have passed."""
        seat = self._opener
        while self._passed.count(False) > 1:
            if not self._passed[seat]:
                yield from self._bid(seat)
            seat = (seat + 1) % self._players
        # Ruling "Spring": he wins even if he never bid.
        self._winner = self._passed.index(False)
        # § II.1: he does lose all resources in his cumulative bid.
        _move_all(self._earlier_raises[self._winner], self._stock)
        _move_all(self._last_raises[self._winner], self._stock)
        self._passed = [False] * self._players

    def _bid(self, seat: int) -> Steps:
        """§ II.1: one turn, a raise or a pass."""
        self._last_kind = ""
        while True:
            text = yield from _decide(seat, "bid", self._bid_moves(seat))
            if text == "pass":
                self._pass(seat)
                return
            if text == "stop":
                self._last_kind = ""
                return
            if self._last_kind == "":
                # A new raise begins: the one before is now among the earlier ones.
                _move_all(self._last_raises[seat], self._earlier_raises[seat])
            _move(text, self._storages[seat], self._last_raises[seat])
            self._last_kind = text

    def _bid_moves(self, seat: int) -> list[str]:
        """Ruling "Moves and chance": a piece only if the raise can still be completed."""
        values = self.rules.values(problem_of(self._table))
        storage = self._storages[seat]
        own = self._total(seat)
        # Who passed has nothing left in his bid.
        to_beat = max(self._total(other) for other in self._others(seat))
        moves = []
        for kind in _not_before(self._last_kind):
            still = sum(values[later] * storage[later] for later in _not_before(kind))
            if storage[kind] > 0 and own + still > to_beat:
                moves.append(kind)
        if self._last_kind == "":
            moves.append("pass")
        elif own > to_beat:
            moves.append("stop")
        return moves

    def _total(self, seat: int) -> int:
        """§ II.1: the points of the cumulative bid."""
        values = self.rules.values(problem_of(self._table))
        return sum(
            values[kind] * (self._earlier_raises[seat][kind] + self._last_raises[seat][kind])
            for kind in KINDS
        )

    def _pass(self, seat: int) -> None:
        """§ II.1: the last addition comes back, all previous bids are lost."""
        self._passed[seat] = True
        _move_all(self._last_raises[seat], self._storages[seat])
        _move_all(self._earlier_raises[seat], self._stock)

    def _to_the_victor(self) -> Steps:
        """§ II.2 To the Victor"""
        if is_castle_card(self._table):
            self._castle_building(self._winner)
        else:
            self._points[self._winner] += 1
            yield from self._reward(self._winner)

    def _castle_building(self, seat: int) -> None:
        """§ II.2, Castle building"""
        piece = self.rules.castle[self._built]
        self._built += 1
        self._points[seat] += piece * (self._builders[seat] + 1)
        # The builders are placed back in the stock, and their huts are removed.
        self._stock[SERF] += self._builders[seat]
        self._huts[seat] -= self._builders[seat]
        self._builders[seat] = 0

    def _reward(self, seat: int) -> Steps:
        """§ II.2, Privileges: one of the King's, or of another player if he has none of it."""
        moves = []
        for kind, privilege in PRIVILEGES.items():
            if self._king[kind] > 0:
                moves.append(privilege)
                continue
            for other in self._others(seat):
                if self._privileges[other][kind] > 0:
                    moves.append(f"{privilege} @{other}")
        # Ruling "Spring": who holds them all gets the point alone.
        if not moves:
            return
        text = yield from _decide(seat, "reward", moves)
        kind = KIND_OF[text.split()[0]]
        source = self._privileges[_named_seat(text)] if "@" in text else self._king
        _move(kind, source, self._privileges[seat])

    # ----------------------------------------------------------------------------------------
    # § III Summer: Ruling the lands
    # ----------------------------------------------------------------------------------------

    def _summer(self) -> Steps:
        """§ III: the winner of the campaign starts, the others follow clockwise."""
        for seat in self._clockwise_from(self._winner):
            yield from self._ruling_the_lands(seat)

    def _ruling_the_lands(self, seat: int) -> Steps:
        self._plundered = []
        self._no_hut_after_builder = False
        while True:
            text = yield from _decide(seat, "rule", self._rule_moves(seat), self._bribe_label(seat))
            if text == "end":
                break
            if text == "hut":
                self._population_growth(seat)
            elif text == "builder":
                self._assign_builder(seat)
            elif text.startswith("forage"):
                yield from self._forage(seat, _named_seat(text))
            else:
                self._bribe(seat, _named_seat(text))
        self._no_hut_after_builder = False
        # Ruling "Summer": all the loot is drawn when the turn ends.
        number = self.rules.loot * len(self._plundered)
        self._plundered = []
        yield from self._draw("loot", seat, number)

    def _rule_moves(self, seat: int) -> list[str]:
        storage = self._storages[seat]
        moves = ["end"]
        # § III.1 Population growth: one Barley for each hut, six huts at most.
        room = self._huts[seat] < self.rules.huts
        if storage[BARLEY] > 0 and room and not self._no_hut_after_builder:
            moves.append("hut")
        # § III.2 Builders: at most half of the huts, asked only now.
        if storage[SERF] > 0 and self._builders[seat] + 1 <= self._huts[seat] // 2:
            moves.append("builder")
        for other in self._others(seat):
            # § III.3 Foraging, Notice: a noble without huts can not be pillaged.
            if storage[KNIGHT] > 0 and self._huts[other] > 0:
                moves.append(f"forage @{other}")
            # Ruling "Summer": a noble with at least one resource, whatever is known of it.
            if storage[RICHES] > 0 and _size(self._storages[other]) > 0:
                moves.append(f"bribe @{other}")
        return moves

    def _population_growth(self, seat: int) -> None:
        """§ III.1 Population growth"""
        _move(BARLEY, self._storages[seat], self._stock)
        self._huts[seat] += 1

    def _assign_builder(self, seat: int) -> None:
        """§ III.2 Builders: the Serf leaves the storage and lives in a hut."""
        self._storages[seat][SERF] -= 1
        self._builders[seat] += 1
        # Ruling "Moves and chance": no hut until a forage or bribe lies between.
        self._no_hut_after_builder = True

    def _forage(self, seat: int, defender: int) -> Steps:
        """§ III.3 Foraging: the Knight is spent in every case."""
        self._no_hut_after_builder = False
        _move(KNIGHT, self._storages[seat], self._stock)
        text = yield from _decide(defender, "raid", self._raid_moves(defender))
        if text == "defend":
            _move(KNIGHT, self._storages[defender], self._stock)
            return
        self._huts[defender] -= 1
        if text == "yield builder":
            self._builders[defender] -= 1
            self._stock[SERF] += 1
        # § III.3, Notice: only the first time brings resources.
        if defender not in self._plundered:
            self._plundered.append(defender)

    def _raid_moves(self, seat: int) -> list[str]:
        """§ III.3: the defender chooses, also which hut is removed."""
        moves = []
        if self._storages[seat][KNIGHT] > 0:
            moves.append("defend")
        if self._huts[seat] > self._builders[seat]:
            moves.append("yield")
        if self._builders[seat] > 0:
            moves.append("yield builder")
        return moves

    def _bribe(self, seat: int, other: int) -> None:
        """§ "II.4 Bribery": the Riches are spent in every case."""
        self._no_hut_after_builder = False
        _move(RICHES, self._storages[seat], self._stock)
        if self._storages[other][KNIGHT] > 0:
            _move(KNIGHT, self._storages[other], self._stock)

    def _bribe_label(self, seat: int) -> Label:
        """§ "II.4 Bribery": without a Knight, all resources are shown to the briber."""

        def label(text: str, viewer: int) -> str:
            if not text.startswith("bribe"):
                return f"{seat} {text}"
            storage = self._storages[_named_seat(text)]
            if storage[KNIGHT] > 0:
                return f"{seat} {text} = {KNIGHT}"
            shown = f" ({_shown(storage)})" if viewer == seat else ""
            return f"{seat} {text} = -{shown}"

        return label

    # ----------------------------------------------------------------------------------------
    # § IV Fall
    # ----------------------------------------------------------------------------------------

    def _fall(self) -> Steps:
        """Ruling "Fall": each step for all nobles before the next one begins."""
        # Ruling "Fall": who only enjoys income from his farmstead, fixed here.
        self._needy = [
            self._free_huts(seat) < 2 and _size(self._privileges[seat]) == 0
            for seat in range(self._players)
        ]
        from_the_winner = self._clockwise_from(self._winner)
        yield from self._taxation(from_the_winner)
        for seat in from_the_winner:
            yield from self._income(seat)
        for seat in from_the_winner:
            yield from self._mercy(seat)
        for seat in from_the_winner:
            yield from self._church_taxes(seat)
        self._needy = [False] * self._players

    def _free_huts(self, seat: int) -> int:
        """§ IV.1: huts with builders do not count for the harvest."""
        return self._huts[seat] - self._builders[seat]

    def _taxation(self, seats: list[int]) -> Steps:
        """§ IV.1 Taxation of the lands: one for the farmstead, one for each two huts."""
        for_farmstead = self.rules.farmstead_income
        if self.rules.farmstead == "choice" and for_farmstead > 0:
            # § IV.1, Tip: all call out for the farmstead before the huts bring anything.
            for seat in seats:
                yield from self._call(seat)
            for_farmstead = 0
        for seat in seats:
            yield from self._draw("harvest", seat, for_farmstead + self._free_huts(seat) // 2)

    def _call(self, seat: int) -> Steps:
        """§ IV.1, Tip: the resource of their choice, or a random one unseen."""

        def label(text: str, viewer: int) -> str:
            out = text != "random" and self._stock[text] == 0
            return f"{seat} {text}{' = -' if out else ''}"

        moves = [*self.rules.kinds_in_play(), "random"]
        text = yield from _decide(seat, "farmstead", moves, label)
        # Ruling "Fall": a kind that is out can be called, and is a random draw.
        if text == "random" or self._stock[text] == 0:
            yield from self._draw("harvest", seat, 1)
        else:
            _move(text, self._stock, self._storages[seat])

    def _income(self, seat: int) -> Steps:
        """§ IV.2 Income from Privileges"""
        held = self._privileges[seat]
        if _size(held) == 0:
            return
        given = {kind: min(held[kind], self._stock[kind]) for kind in KINDS}

        def label(text: str, viewer: int) -> str:
            return f"{seat} income {text}"

        # Ruling "Chance nodes": nothing else can come, it is a node so that it has a label.
        yield Chance(seat, "income", [(_shown(given), 1)], label)
        for kind in KINDS:
            _move(kind, self._stock, self._storages[seat], given[kind])
        # § IV.2: for what is not available one may be randomly drawn instead.
        yield from self._draw("extra", seat, _size(held) - _size(given))

    def _mercy(self, seat: int) -> Steps:
        """§ The King's Mercy"""
        few = _size(self._storages[seat]) <= self.rules.mercy_limit
        if not (few and self._needy[seat]):
            return
        # Ruling "Fall": a noble with at least two resources.
        donors = [other for other in self._others(seat) if _size(self._storages[other]) >= 2]
        text = yield from _decide(seat, "mercy", ["decline", *(f"ask @{to}" for to in donors)])
        if text == "decline":
            return
        donor = _named_seat(text)
        self._asker = seat
        self._donor = donor
        # § The King's Mercy: up to half of the resources.
        half = _size(self._storages[donor]) // 2
        numbers = [f"number {number}" for number in range(1, half + 1)]
        text = yield from _decide(seat, "number", numbers)
        self._number = int(text.removeprefix("number "))
        yield from self._draw("alms", seat, self._number, donor)
        yield from self._gift(donor)
        self._asker = NOBODY
        self._donor = NOBODY
        self._number = 0

    def _gift(self, donor: int) -> Steps:
        """§ The King's Mercy: the generous noble gets a privilege of his choice."""
        kinds = _present(self._king)
        if not kinds:
            return
        text = yield from _decide(donor, "gift", [PRIVILEGES[kind] for kind in kinds])
        _move(KIND_OF[text], self._king, self._privileges[donor])

    def _church_taxes(self, seat: int) -> Steps:
        """§ Church Taxes: all resources over ten, of the noble's own choice."""
        storage = self._storages[seat]
        while _size(storage) > self.rules.storage_limit:
            text = yield from _decide(seat, "church", self._church_moves(seat))
            _move(text, storage, self._stock)
            self._last_kind = text
        self._last_kind = ""

    def _church_moves(self, seat: int) -> list[str]:
        """Ruling "Moves and chance": only if the rest can be paid with this and later kinds."""
        storage = self._storages[seat]
        due = _size(storage) - self.rules.storage_limit
        return [
            kind
            for kind in _not_before(self._last_kind)
            if storage[kind] > 0 and sum(storage[later] for later in _not_before(kind)) >= due
        ]

    # ----------------------------------------------------------------------------------------
    # Playing
    # ----------------------------------------------------------------------------------------

    def node(self) -> NodeName:
        """("decision", seat, what), ("chance", seat or -1, name) or ("over", -1, "")"""
        if isinstance(self._node, Decision):
            return ("decision", self._node.seat, self._node.what)
        if isinstance(self._node, Chance):
            return ("chance", self._node.seat, self._node.kind)
        return ("over", NOBODY, "")

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
        _, _, name = self.node()
        for viewer, learned in enumerate(self._learned):
            learned.append((name, self._node.label(text, viewer)))
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
    # Looking: what a seat may see
    # ----------------------------------------------------------------------------------------

    def info(self, viewer: int) -> tuple[Learned, ...]:
        """All that a seat has learned, in order; equal if and only if the same was learned."""
        return tuple(self._learned[viewer])

    def view(self, viewer: int) -> tuple[tuple[str, object], ...]:
        """The table as a seat sees it, without a memory: names and what stands under them."""
        return (
            ("node", self.node()),
            ("kind drawn", self._kind_drawn),
            ("card dealt", self._dealt),
            ("year", self._year),
            ("leader", self._leader),
            ("opener", self._opener),
            ("winner", self._winner),
            ("table", self._table),
            ("solved", tuple(self._solved)),
            ("castle", self._built),
            ("points", tuple(self._points)),
            ("king", tuple(_counts(self._king))),
            ("privileges", tuple(tuple(_counts(held)) for held in self._privileges)),
            ("huts", tuple(self._huts)),
            ("builders", tuple(self._builders)),
            ("earlier raises", tuple(tuple(_counts(bid)) for bid in self._earlier_raises)),
            ("last raises", tuple(tuple(_counts(bid)) for bid in self._last_raises)),
            ("passed", tuple(self._passed)),
            ("last kind", self._last_kind),
            ("plundered", tuple(sorted(self._plundered))),
            ("no hut after builder", self._no_hut_after_builder),
            ("needy", tuple(self._needy)),
            ("asker", self._asker),
            ("donor", self._donor),
            ("number", self._number),
            ("size of the stock", self._stock_as_seen()),
            ("sizes of the storages", tuple(self._storages_as_seen())),
            ("sizes of the hands", tuple(self._hands_as_seen())),
            ("own storage", tuple(_counts(self._storages[viewer]))),
            ("own hand", tuple(self._hands[viewer])),
        )

    # Within a draw or a deal the sizes are shown as they will be after it: those who must not
    # learn what comes must not be able to count it either.

    def _stock_as_seen(self) -> int:
        size = _size(self._stock)
        from_stock = self._drawer != NOBODY and self._drawn_from == NOBODY
        return size - self._to_come if from_stock else size

    def _storages_as_seen(self) -> list[int]:
        sizes = [_size(storage) for storage in self._storages]
        if self._drawer != NOBODY:
            sizes[self._drawer] += self._to_come
        if self._drawn_from != NOBODY:
            sizes[self._drawn_from] -= self._to_come
        return sizes

    def _hands_as_seen(self) -> list[int]:
        if self._dealt:
            return [self._hand_at_start()] * self._players
        return [len(hand) for hand in self._hands]

    # ----------------------------------------------------------------------------------------
    # Looking: everything
    # ----------------------------------------------------------------------------------------

    def storages(self) -> list[list[int]]:
        """The pieces of each seat by kind, without those in a bid."""
        return [_counts(storage) for storage in self._storages]

    def stock(self) -> list[int]:
        return _counts(self._stock)

    def privileges(self) -> list[list[int]]:
        """Those of each seat by kind."""
        return [_counts(held) for held in self._privileges]

    def king(self) -> list[int]:
        """The privileges that nobody holds, by kind."""
        return _counts(self._king)

    def hands(self) -> list[list[str]]:
        """The agenda cards of each seat by ascending id."""
        return [list(hand) for hand in self._hands]

    def huts(self) -> list[int]:
        """All huts on the board, also those with a builder."""
        return list(self._huts)

    def builders(self) -> list[int]:
        return list(self._builders)

    def bids(self) -> list[list[int]]:
        """What lies in the bid of each seat, by kind."""
        return [
            [self._earlier_raises[seat][kind] + self._last_raises[seat][kind] for kind in KINDS]
            for seat in range(self._players)
        ]

    def last_raises(self) -> list[list[int]]:
        """That part of each bid that comes back after a pass."""
        return [_counts(bid) for bid in self._last_raises]

    def passed(self) -> list[bool]:
        return list(self._passed)

    def castle(self) -> int:
        """How many castle pieces are built."""
        return self._built

    def year(self) -> int:
        """1 in the year 999."""
        return self._year

    def table(self) -> str:
        """The agenda card on the table, '' before Winter and once it is solved."""
        return self._table

    def solved(self) -> list[str]:
        """The solved cards by year."""
        return list(self._solved)

    def leader(self) -> int:
        """Who laid the first card of this year; -1 in the first year."""
        return self._leader

    def opener(self) -> int:
        """Who laid the card on the table last; -1 as long as nobody has."""
        return self._opener

    def winner(self) -> int:
        """Who won this year's campaign; -1 as long as nobody has."""
        return self._winner

    def points(self) -> list[int]:
        return list(self._points)

    # ----------------------------------------------------------------------------------------
    # § The Winner of Charlemagne
    # ----------------------------------------------------------------------------------------

    def _results(self) -> list[tuple[int, int, int]]:
        """Ruling "End": most points, then privileges, then resources in storage."""
        return [
            (self._points[seat], _size(self._privileges[seat]), _size(self._storages[seat]))
            for seat in range(self._players)
        ]

    def winners(self) -> list[int]:
        """Whoever is left after all ties are broken shares the win; nobody before the end."""
        if self._node is not None:
            return []
        results = self._results()
        return [seat for seat in range(self._players) if results[seat] == max(results)]

    def returns(self) -> list[float]:
        """Ruling "End", utility: zero-sum, from each player's share of the win."""
        winners = self.winners()
        if not winners:
            return [0.0] * self._players
        utilities = []
        for seat in range(self._players):
            share = 1 / len(winners) if seat in winners else 0.0
            utilities.append((self._players * share - 1) / (self._players - 1))
        return utilities

    def margins(self) -> list[float]:
        """Ruling "End": own points less the mean of the others'."""
        total = sum(self._points)
        return [own - (total - own) / (self._players - 1) for own in self._points]

    def ranks(self) -> list[float]:
        """Ruling "End": linear from +1 to -1 by place, those who tie share their places."""
        results = self._results()
        ranks = []
        for own in results:
            better = sum(result > own for result in results)
            tied = results.count(own)
            place = better + (tied - 1) / 2
            ranks.append(1 - 2 * place / (self._players - 1))
        return ranks


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
