"""Richard I: the rulebook, paragraph by paragraph, with the rulings of RULES.md.

Every expectation is worked out by hand. Games are arranged from the start: the tests choose the
cards that are dealt, drawn and revealed. `HEADINGS` says which tests belong to which heading.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import pytest

from engines import richard_data
from engines.richard import CHARACTERS, COLOURS, EVENTS, Node, Position

CARDS = {"b": 24, "y": 24, "p": 24, "w": 24, "r": 33, "g": 36}
PLAIN = "bypwrg"
SIX_CHANCES = dict.fromkeys(COLOURS, 12)


def text_of(counts: Sequence[int]) -> str:
    return "".join(colour * n for colour, n in zip(COLOURS, counts, strict=True))


def ordered(cards: str) -> str:
    return "".join(sorted(cards, key=COLOURS.index))


class Table:
    """A game under way, played by texts."""

    def __init__(self, position: Position) -> None:
        self.at = position

    @property
    def node(self) -> Node:
        return self.at.node

    @property
    def points(self) -> tuple[int, ...]:
        return self.at.points

    def legal(self) -> tuple[str, ...]:
        return self.at.legal_moves()

    def pile(self, name: str) -> str:
        return text_of(self.at.piles[name])

    def stock(self, colour: str) -> int:
        return int(self.at.piles["reserve"][COLOURS.index(colour)])

    def hand(self, seat: int) -> str:
        return text_of(self.at.piles["hands"][seat])

    def counselors(self, seat: int) -> list[int]:
        return list(self.at.piles["counselors"][seat])

    def play(self, *texts: str) -> Table:
        for text in texts:
            self.at = self.at.play(text)
        return self

    def labels(self, text: str) -> list[str]:
        return [self.at.label(text, viewer) for viewer in range(len(self.points))]

    def until(self, what: str, cards: str = "", places: Iterable[str] = ()) -> Table:
        """Something is done at every node before one of the wanted kind."""
        wanted = iter(places)
        while self.node.what != what:
            assert self.node.kind != "over", f"no {what} any more"
            self.play(self.something(cards, wanted))
        return self

    def something(self, cards: str, places: Iterator[str] | None = None) -> str:
        """A move that does no harm; the cards named are drawn and given first."""
        what, legal = self.node.what, self.legal()
        if what == "give":
            missing = Counter(cards) - Counter(self.pile("crusade"))
            size = min(len(move) for move in legal)
            return max(
                (move for move in legal if len(move) == size),
                key=lambda move: sum((Counter(move[5:]) & missing).values()),
            )
        if what in ("draw", "colour"):
            choice = legal or tuple(self.at.outcomes())
            hand = self.hand(self.node.seat)
            rarest = min(choice, key=hand.count)
            return next((card for card in cards if card in choice), rarest)
        if what == "place":
            return next(places, legal[0]) if places else legal[0]
        if what == "option" and "1" in legal:
            return "1"
        return "pass" if "pass" in legal else (legal or tuple(self.at.outcomes()))[0]

    def outcome(self, cards: str, places: Iterable[str] = ()) -> Table:
        """Plays on until these cards, and no others, have been revealed."""
        self.until("reveal", cards, places)
        return self.play(*cards)

    def settle(self) -> Table:
        """Passes over whatever may come between the reveal and the next turn."""
        while self.node.what in ("uncount", "return", "draw"):
            self.play(self.something(""))
        return self

    def contribute(self, prefer: str) -> Table:
        """Plays on until all have given: a balanced deck with more of the preferred colours."""
        if self.node.what != "reveal":
            self.until("give")
        while self.node.what == "give":
            deck = self.pile("crusade")

            def imbalance(move: str, deck: str = deck) -> float:
                counts = Counter(deck + move[5:])
                return sum(counts[c] ** 2 / (3 if c in prefer else 1) for c in COLOURS)

            self.play(min(self.legal(), key=imbalance))
        return self

    def steer(self, wish: Callable[[Counter[str]], bool], prefer: str = "") -> Table:
        """A whole turn; the first revealed cards that fulfil the wish, if any do."""
        turn = self.contribute(prefer).at.turn
        deck, size = Counter(self.pile("crusade")), 2 * len(self.points)
        for cards in combinations_with_replacement(COLOURS, size):
            found = Counter(cards)
            if found <= deck and wish(found):
                self.play(*cards).settle()
                assert self.node.kind == "over" or self.at.turn == turn + 1
                return self
        raise AssertionError(f"no such cards among {self.pile('crusade')}")


def deal(
    *hands: str,
    sides: str = "rjrjrjrj",
    counselors: Sequence[int] = (),
    events: str = "off",
    cards: Path | None = None,
) -> Table:
    """A game with these hands, sides and counselors; none of the latter: played without them."""
    start = Position.start(len(hands), "house" if counselors else "off", events, cards=cards)
    table = Table(start).play(*"".join(hands))
    for side, _ in zip(sides, hands, strict=False):
        table.play({"r": "richard", "j": "john"}[side])
    return table.play(*map(str, counselors))


def by(folder: Path, players: int, **changed: object) -> Path:
    """A file of the rulebook's numbers for so many players, some of them changed."""
    values = richard_data.load().at(players) | {"players": [players] * 2}
    values |= {"characters": list(CHARACTERS)} | changed
    path = folder / "numbers.toml"
    written = {
        name: list(value) if isinstance(value, tuple) else value for name, value in values.items()
    }
    path.write_text(
        "".join(
            f"[{name}]\nvalue = {str(value).lower()}\ntag = 'H'\n"
            for name, value in written.items()
        ),
        "utf-8",
    )
    return path


def many(players: int, extra: str = "bypwrgby") -> list[str]:
    """Hands for so many: one card of each colour, from five players on one more."""
    return [PLAIN + extra[seat] if players > 4 else PLAIN for seat in range(players)]


def acting(character: str, *hands: str, others: Sequence[str] = (), **how: Any) -> Table:
    """Seat 0 has placed on the character and decides about its option."""
    rest = [name for name in ("exciseman", "merchant", "arms", "regent") if name != character]
    table = deal(*(hands or (PLAIN, PLAIN, PLAIN)), **how)
    if table.node.what == "event":
        table.play("2")
    table.play(character, *(others or rest[: len(table.points) - 1]))
    return table.play("b")


def red_green(red: int, time: int, wealth: int) -> Callable[[Counter[str]], bool]:
    """A wish: red less green cards, purple or blue (by sign), yellow less white ones."""

    def wish(cards: Counter[str]) -> bool:
        slower = cards["p"] - cards["b"]
        return (
            cards["r"] - cards["g"] == red
            and (slower > 0) - (slower < 0) == time
            and cards["y"] - cards["w"] == wealth
        )

    return wish


def slow_and_safe(table: Table) -> Callable[[Counter[str]], bool]:
    """The wish that time rises and that no other track comes near 0."""

    def wish(cards: Counter[str]) -> bool:
        tracks, red, wealth = table.at.tracks, cards["r"] - cards["g"], cards["y"] - cards["w"]
        safe = tracks["crusaders"] + red > 1 and tracks["saladin"] - red > 1
        return safe and tracks["treasury"] + wealth > 1 and cards["p"] > cards["b"]

    return wish


def gained(before: Sequence[int], after: Sequence[int]) -> list[int]:
    return [new - old for old, new in zip(before, after, strict=True)]


def finished(table: Table, cards: str) -> list[int]:
    """Points gained from the last card revealed on, in the turn that reveals these cards."""
    table.until("give", cards)
    table.until("reveal", cards)
    table.play(*cards[:-1])
    before = table.points
    table.play(cards[-1]).settle()
    return gained(before, table.points)


# § Introduction


def test_introduction_one_winner_whatever_the_side() -> None:
    """§ Introduction: most points win, although the own side lost."""
    table = deal(*["gggg" + "bw", "ggggbw", "ggggbw"], sides="rrj")
    table.outcome("gggggg").outcome("gggggg")
    assert table.at.ending == "A"
    assert table.points[2] == max(table.points)
    assert table.at.returns()[2] == pytest.approx(1)


# § Components


def test_components_165_influence_cards() -> None:
    """§ Components: 24 of four colours, 33 red, 36 green."""
    table = Table(Position.start(3))
    counted = Counter(table.pile("supply") + table.pile("reserve"))
    assert counted == CARDS
    assert sum(counted.values()) == 165


def test_components_fourteen_counselors_a_side_and_eighteen_events() -> None:
    """§ Components: counselors by side, event cards, eight characters, six colours."""
    table = deal(*many(3), sides="rjr", counselors=())
    assert len(table.legal()) == len(CHARACTERS) == 8
    house = Table(Position.start(3)).play(*PLAIN * 3, "richard", "john", "richard")
    assert house.at.outcomes() == {str(number): 1 for number in range(1, 15)}
    assert len(deal(*many(3), events="shuffled").at.outcomes()) == 18


# § Setup


def test_setup_twelve_cards_of_each_colour_in_the_supply() -> None:
    """§ Setup: the supply deck and what the reserve is left with."""
    table = Table(Position.start(3))
    assert table.at.outcomes() == SIX_CHANCES
    assert Counter(table.pile("reserve")) == {c: n - 12 for c, n in CARDS.items()}


@pytest.mark.parametrize("players", range(3, 9))
def test_setup_six_cards_or_seven(players: int) -> None:
    """§ Setup: six cards each, seven with five players or more, from the supply deck."""
    table = Table(Position.start(players))
    dealt = [0] * players
    while table.node.what == "deal":
        dealt[table.node.seat] += 1
        outcomes = table.at.outcomes()
        table.play(max(outcomes, key=lambda c: outcomes[c]))
    assert dealt == [6 if players < 5 else 7] * players
    assert len(table.pile("supply")) == 72 - sum(dealt)


@pytest.mark.parametrize(
    ("players", "most"), [(3, 2), (4, 2), (5, 3), (6, 3), (7, 4), (8, 4)], ids=str
)
def test_setup_loyalty_cards_and_forced_loyalty(players: int, most: int) -> None:
    """§ Setup: so many loyalty cards of a side; who comes late may be forced, yet still decides."""
    for side, other in (("richard", "john"), ("john", "richard")):
        table = Table(Position.start(players, "off")).play(*"".join(many(players)))
        for seat in range(players):
            assert table.node == Node("decision", seat, "loyalty")
            assert table.legal() == (("john", "richard") if seat < most else (other,))
            table.play(side if seat < most else other)


def test_setup_one_counselor_of_the_own_side() -> None:
    """§ Setup: one counselor each from the side's own deck, in the order of the seats."""
    table = Table(Position.start(3)).play(*PLAIN * 3, "richard", "john", "richard")
    assert table.node == Node("chance", 0, "counselor")
    assert table.labels("5") == ["0 counselor 5", "0 counselor ?", "0 counselor ?"]
    table.play("5")
    assert "5" in table.at.outcomes()  # John's deck is another one
    table.play("5")
    assert list(table.at.outcomes()) == [str(k) for k in range(1, 15) if k != 5]
    table.play("6")
    assert [table.counselors(seat) for seat in range(3)] == [[5], [5], [6]]


@pytest.mark.parametrize("players", range(3, 9))
def test_setup_tracks_and_points(players: int) -> None:
    """§ Setup: time 12, both armies 10, treasury 8, everybody on 0."""
    table = deal(*many(players))
    assert table.at.tracks == {"time": 12, "crusaders": 10, "saladin": 10, "treasury": 8}
    assert table.points == (0,) * players


def test_setup_an_empty_supply_is_formed_anew_in_the_middle_of_a_draw(tmp_path: Path) -> None:
    """§ Setup, note: five of each colour from the reserve, at once, and drawing goes on."""
    cards = by(tmp_path, 3, supply=[3, 3, 3, 3, 4, 3])
    table = acting("chancellor", cards=cards).play("1")
    assert table.at.outcomes() == {"r": 1}
    reserve = table.pile("reserve")
    assert table.play("r").pile("supply") == text_of([5] * 6)
    assert Counter(reserve) - Counter(table.pile("reserve")) == Counter(text_of([5] * 6))
    assert table.node == Node("chance", 0, "draw")
    assert table.at.outcomes() == dict.fromkeys(COLOURS, 5)
    table.play("g")
    assert table.hand(0) == "bypwrrgg"
    assert table.node == Node("decision", 0, "colour")


def test_setup_an_empty_supply_is_formed_anew_at_the_end_of_a_draw_too(tmp_path: Path) -> None:
    """§ Setup, note: the moment it is empty, even if nothing is drawn next."""
    table = acting("merchant", cards=by(tmp_path, 3, supply=[3, 3, 3, 3, 4, 3])).play("1")
    stock = table.stock("y")
    table.play("r")
    assert table.node == Node("decision", 1, "option")
    assert table.pile("supply") == text_of([5] * 6)
    assert table.stock("y") == stock - 5


def test_setup_an_empty_supply_is_formed_anew_while_hands_are_dealt(tmp_path: Path) -> None:
    """§ Setup, note: from the reserve before the Crusade deck is taken."""
    table = Table(Position.start(3, cards=by(tmp_path, 3, supply=[3] * 6))).play(*PLAIN * 3)
    assert table.node == Node("decision", 0, "loyalty")
    assert table.pile("supply") == text_of([5] * 6)
    assert table.pile("reserve") == text_of([7, 7, 7, 7, 16, 19])


def test_setup_a_short_reserve_gives_the_new_supply_what_there_is(tmp_path: Path) -> None:
    """§ Setup, note: fewer than five of a colour in the reserve: all of them move."""
    reserve = [4, 1, 7, 6, 2 + 3, 4 + 9]  # less the Crusade deck: 3 0 6 5 3 9
    cards = by(tmp_path, 3, supply=[3, 3, 3, 3, 4, 3], reserve=reserve)
    table = deal(*many(3), cards=cards).play("merchant", "exciseman", "arms", "g")
    assert table.pile("reserve") == text_of([3, 0, 6, 5, 3, 7])
    table.play("1", "r")  # and two blue cards
    assert table.pile("supply") == text_of([1, 0, 5, 5, 3, 5])
    assert table.pile("reserve") == text_of([0, 0, 1, 0, 0, 2])


LAST_CARD = {  # one blue card is left in the supply, none at all in the reserve
    "supply": [5, 3, 3, 4, 2, 2],
    "reserve": [1, 1, 1, 1, 2, 4],
    "sides": [1, 2],
}


def test_setup_a_card_that_cannot_be_drawn_is_lost(tmp_path: Path) -> None:
    """§ Setup, note: with supply and reserve empty; it is not made up for later."""
    table = deal(PLAIN, "bbypww", PLAIN, cards=by(tmp_path, 3, **LAST_CARD))
    table.play("chancellor", "merchant", "regent")
    assert table.node == Node("decision", 0, "option")  # no card for placing last
    assert (table.pile("supply"), table.pile("reserve")) == ("b", "")
    table.play("1", "b")
    assert table.hand(0) == "bbypwrg"
    assert table.node == Node("decision", 1, "option")  # neither a second card nor one of choice
    table.play("2")
    assert table.node == Node("chance", 1, "draw")
    assert (table.pile("supply"), table.pile("reserve")) == ("bbww", "")  # what was just paid
    table.play("w", "w")
    assert table.hand(1) == "ypww"
    table.play("1", "b")
    assert [len(table.hand(seat)) for seat in range(3)] == [7, 4, 7]
    table.play("give bb", "give yp", "give rg").play(*"rrggbp")
    assert table.hand(0) == "ypwrg"
    assert table.at.turn == 2


def test_setup_every_card_that_cannot_be_drawn_is_lost(tmp_path: Path) -> None:
    """§ Setup, note: with nothing anywhere there is not even a node."""
    numbers = LAST_CARD | {"supply": [5, 3, 3, 3, 3, 2]}
    table = deal(PLAIN, "bbypwr", PLAIN, cards=by(tmp_path, 3, **numbers))
    table.play("arms", "exciseman", "merchant", "1", "b")
    assert (table.pile("supply"), table.pile("reserve")) == ("", "")
    for seat in (1, 2):  # two cards to take and one to draw, both times
        hand = table.hand(seat)
        assert table.node == Node("decision", seat, "option")
        table.play("1")
        assert table.hand(seat) == hand
    assert table.node == Node("decision", 0, "give")


# § Optional rule: Crusade events


def test_events_are_an_option() -> None:
    """§ Optional rule: without it no event is revealed."""
    assert EVENTS == ("off", "shuffled", "historical")
    assert deal(*many(3)).node == Node("decision", 0, "place")


def test_events_shuffled_any_of_those_left() -> None:
    """§ Optional rule: a shuffled deck; no card comes twice."""
    table = deal(*many(3), events="shuffled")
    assert table.at.outcomes() == {str(k): 1 for k in range(1, 19)}
    table.play("17").outcome("rgbpyw").settle()
    assert table.node.what == "event"
    assert list(table.at.outcomes()) == [str(k) for k in range(1, 19) if k != 17]


def test_events_in_historical_order() -> None:
    """§ Optional rule, historical note: I to XII in order, then the other six shuffled."""
    table = deal(*many(3), events="historical")
    for number in range(1, 13):
        assert table.at.outcomes() == {str(number): 1}
        table.play(str(number))
        table.steer(lambda cards: cards["p"] > cards["b"] and abs(cards["r"] - cards["g"]) < 2, "p")
    assert table.at.outcomes() == {str(k): 1 for k in range(13, 19)}


def test_events_no_more_after_eighteen_turns() -> None:
    """§ Optional rule: the nineteenth turn starts with the pawns."""
    table = deal(*many(3), events="historical")
    for turn in range(1, 19):
        assert (table.node.what, table.at.turn) == ("event", turn)
        table.play(next(iter(table.at.outcomes()))).steer(slow_and_safe(table), "p")
    assert (table.node.what, table.at.turn) == ("place", 19)


# § The Crusade deck


@pytest.mark.parametrize(
    ("sides", "red", "green"),
    [("rjr", 2, 4), ("jrj", 4, 2), ("rrjj", 4, 4), ("jjjrr", 6, 4), ("rrrrjjjj", 8, 8)],
    ids=str,
)
def test_crusade_deck_two_enemy_cards_a_player(sides: str, red: int, green: int) -> None:
    """§ The Crusade deck: one of four colours, two red a Johnite, two green a Ricardian."""
    table = deal(*many(len(sides)), sides=sides)
    assert table.pile("crusade") == ordered("bypw" + "r" * red + "g" * green)
    assert table.pile("reserve") == text_of([11, 11, 11, 11, 21 - red, 24 - green])


# § Turn Structure


def test_turn_structure_phases_in_order() -> None:
    """§ Turn Structure: event, influence, actions, contribution, outcome, event again."""
    table = deal(*many(3), events="shuffled")
    table.play("17")
    seen = ["event"]
    while table.node.what != "event":
        if seen[-1] != table.node.what:
            seen.append(table.node.what)
        table.play(table.something("w") if table.node.what != "option" else "1")
    order = [what for what in seen if what in ("event", "place", "option", "give", "reveal")]
    assert list(dict.fromkeys(order)) == ["event", "place", "option", "give", "reveal"]
    assert seen[-2:] == ["reveal", "return"]


@pytest.mark.parametrize("players", [3, 5, 8])
def test_turn_structure_the_first_player_changes_clockwise(players: int) -> None:
    """§ Turn Structure: the card goes one seat to the left; everything starts there."""
    table = deal(*many(players))
    filler = ("rgbpyw" + "rgbp" + "rgrgrg")[: 2 * players]
    for turn in range(2):
        starter = table.node.seat
        assert (starter, table.at.turn) == (turn, turn + 1)
        seats = [table.node.seat]
        while len(seats) < players:
            table.play(table.legal()[0])
            seats.append(table.node.seat)
        assert seats == [(starter + i) % players for i in range(players)]
        table.until("give", filler)
        assert table.node.seat == starter
        table.steer(red_green(0, 0, 0))
    assert table.node.seat == 2


# § 1 - The Crusade event is revealed


def test_event_phase_the_event_is_read_aloud() -> None:
    """§ 1: it comes before the pawns and everybody hears it."""
    table = deal(*many(3), events="shuffled")
    assert table.node.kind == "chance"
    assert table.labels("8") == ["event 8"] * 3
    assert table.play("8").node == Node("decision", 0, "place")


# § 2 - Influencing the characters


def test_influence_only_free_characters() -> None:
    """§ 2: a role space holds one pawn."""
    table = deal(*many(3)).play("spy")
    assert table.node == Node("decision", 1, "place")
    assert table.legal() == tuple(name for name in CHARACTERS if name != "spy")
    table.play("bandit")
    assert table.legal() == tuple(name for name in CHARACTERS if name not in ("spy", "bandit"))


def test_influence_not_the_own_character_of_last_turn() -> None:
    """§ 2: the own one of last turn is forbidden, that of somebody else is not."""
    table = deal(*many(3)).outcome("rgbpyw", ("exciseman", "merchant", "arms"))
    assert table.node == Node("decision", 1, "place")
    assert "merchant" not in table.legal()
    assert {"exciseman", "arms"} < set(table.legal())
    table.play("arms")
    assert set(CHARACTERS) - set(table.legal()) == {"arms"}


def test_influence_not_for_two_turns() -> None:
    """§ 2: only the previous turn counts."""
    table = deal(*many(3)).outcome("rgbpyw", ("exciseman", "merchant", "arms"))
    table.until("give", "", ("regent", "spy", "chancellor")).steer(lambda cards: True)
    assert table.at.turn == 3
    table.play("inquisitor")  # seat 2
    assert table.node == Node("decision", 0, "place")
    assert "exciseman" in table.legal()
    assert "chancellor" not in table.legal()


def test_influence_eight_players_only_the_own_last_character_is_free() -> None:
    """§ 2: the eighth of eight may have to stay."""
    table = deal(*many(8)).until("give", "", CHARACTERS).steer(lambda cards: True)
    assert table.node == Node("decision", 1, "place")
    table.play("merchant", "spy", "arms", "regent", "chancellor", "bandit", "inquisitor")
    assert table.node == Node("decision", 0, "place")
    assert table.legal() == ("exciseman",)
    assert table.play("exciseman").node == Node("decision", 0, "colour")


@pytest.mark.parametrize("sides", ["rjrjrjrj", "jrjrjrjr"])
def test_influence_the_only_free_character_takes_no_counselor(sides: str) -> None:
    """§ 2 with house counselor 14: who may stay anyway keeps the card."""
    held = (14, 14, 7, 7, 8, 8, 9, 9)
    table = deal(*many(8), sides=sides, counselors=held).until("give", "", CHARACTERS)
    table.steer(lambda cards: True)
    assert table.node == Node("decision", 1, "place")
    assert "inquisitor" in table.legal()  # seat 1 could stay, by the card
    table.play("merchant", "spy", "arms", "regent", "chancellor", "bandit", "inquisitor")
    assert table.legal() == ("exciseman",)
    table.play("exciseman")
    assert (table.counselors(0), table.counselors(1)) == ([14], [14])


def test_influence_the_last_to_place_takes_a_green_card_and_one_of_choice() -> None:
    """§ 2: both cards come from the reserve, and everybody sees the colour."""
    table = deal(*many(3)).play("spy", "arms")
    green, white = table.stock("g"), table.stock("w")
    table.play("regent")
    assert table.hand(2) == "bypwrgg"
    assert table.node == Node("decision", 2, "colour")
    assert table.legal() == tuple(COLOURS)
    assert table.labels("w") == ["2 w"] * 3
    table.play("w")
    assert table.hand(2) == "bypwwrgg"
    assert (table.stock("g"), table.stock("w")) == (green - 1, white - 1)
    assert [table.hand(0), table.hand(1)] == [PLAIN, PLAIN]


def test_influence_the_card_of_choice_is_one_in_stock(tmp_path: Path) -> None:
    """§ 2: a colour that the reserve lacks cannot be taken."""
    cards = by(tmp_path, 3, sides=[1, 2], reserve=[1, 12, 1, 12, 2, 4 + 2])
    table = deal(*many(3), cards=cards).play("spy", "arms", "regent")
    assert table.node == Node("decision", 2, "colour")
    assert table.legal() == ("y", "w", "g")
    table.play("g")
    assert table.hand(2) == "bypwrggg"


def test_influence_the_only_green_card_is_not_there_to_be_chosen(tmp_path: Path) -> None:
    """§ 2: first the green card is taken, then the colour chosen."""
    cards = by(tmp_path, 3, sides=[1, 2], reserve=[12, 12, 12, 12, 2, 4 + 1])
    table = deal(*many(3), cards=cards).play("spy", "arms", "regent")
    assert table.hand(2) == "bypwrgg"
    assert table.legal() == ("b", "y", "p", "w")


def test_influence_without_green_cards_only_the_one_of_choice(tmp_path: Path) -> None:
    """§ 2: what the reserve lacks is not made up for."""
    cards = by(tmp_path, 3, reserve=[12, 12, 12, 12, 21, 4])
    table = deal(*many(3), cards=cards).play("spy", "arms", "regent")
    assert table.hand(2) == PLAIN
    assert table.node == Node("decision", 2, "colour")
    assert table.legal() == ("b", "y", "p", "w", "r")
    assert table.play("r").hand(2) == "bypwrrg"


def test_influence_with_an_empty_reserve_no_card_at_all(tmp_path: Path) -> None:
    """§ 2: without anything in stock nobody is asked for a colour."""
    cards = by(tmp_path, 3, sides=[1, 2], reserve=[1, 1, 1, 1, 2, 4])
    table = deal(*many(3), cards=cards).play("spy", "arms", "regent")
    assert table.hand(2) == PLAIN
    assert table.node == Node("decision", 0, "option")


# § 3 - Carrying out the actions of the influenced characters


def test_actions_the_option_is_chosen_when_its_turn_comes() -> None:
    """§ 3: in turn order, each of two options that can be paid."""
    table = acting("merchant", "bbbwwg", PLAIN, PLAIN)
    assert table.node == Node("decision", 0, "option")
    assert table.legal() == ("1", "2")
    assert table.labels("2") == ["0 2"] * 3
    table.play("1", "g")
    assert table.node == Node("decision", 1, "option")
    table.play("1", "g")
    assert table.node == Node("decision", 2, "option")
    table.play("1", "g")
    assert table.node == Node("decision", 0, "give")


def test_actions_who_can_pay_nothing_is_passed_over() -> None:
    """§ 3: the bandit without a card in hand does nothing."""
    table = acting("arms", PLAIN, "rrrrrr", PLAIN, others=("bandit", "regent"))
    table.play("2", "offer 0", "offer 6", "offer 0")
    assert table.hand(1) == ""
    assert table.node == Node("decision", 2, "option")


def test_actions_who_can_pay_nothing_still_decides_with_a_counselor() -> None:
    """§ 3: whether there is a decision does not tell which counselor is held."""
    table = acting(
        "arms", PLAIN, "rrrrrr", PLAIN, others=("bandit", "regent"), counselors=(1, 7, 2)
    )
    table.play("2", "offer 0", "offer 6", "offer 0")
    assert table.node == Node("decision", 1, "option")
    assert table.legal() == ("none", "counselor 7")


# § Exciseman


def test_exciseman_takes_two_yellow_and_draws_one() -> None:
    """§ Exciseman: the first option; nobody else sees the card drawn."""
    table = acting("exciseman")
    stock, supply = table.stock("y"), len(table.pile("supply"))
    table.play("1")
    assert table.node == Node("chance", 0, "draw")
    assert table.hand(0) == "byyypwrg"
    assert table.labels("r") == ["0 draw r", "0 draw ?", "0 draw ?"]
    table.play("r")
    assert table.hand(0) == "byyypwrrg"
    assert table.stock("y") == stock - 2
    assert len(table.pile("supply")) == supply - 1
    assert table.points == (0, 0, 0)


def test_exciseman_offers_start_at_the_left_of_the_caller() -> None:
    """§ Exciseman: clockwise from the left, the caller last; none to all of the own yellow."""
    table = acting("exciseman", "yyybpw", "ybbbpp", "ppwwrr").play("2")
    assert table.node == Node("decision", 1, "offer")
    assert table.legal() == ("offer 0", "offer 1")
    assert table.labels("offer 1") == ["1 offer 1"] * 3
    table.play("offer 1")
    assert table.node == Node("decision", 2, "offer")
    assert table.legal() == ("offer 0",)
    table.play("offer 0")
    assert table.node == Node("decision", 0, "offer")
    assert table.legal() == ("offer 0", "offer 1", "offer 2", "offer 3")


TAXES = [  # offers of seats 1, 2, 0; points of seats 0, 1, 2
    ((2, 1, 0), (0, 3, 1)),
    ((1, 2, 0), (0, 1, 3)),
    ((0, 0, 1), (3, 0, 0)),
    ((2, 2, 1), (1, 3, 3)),
    ((1, 1, 1), (3, 3, 3)),
    ((3, 1, 1), (1, 3, 1)),
    ((1, 3, 2), (1, 0, 3)),
    ((3, 0, 0), (0, 3, 0)),
    ((0, 2, 2), (3, 0, 3)),
    ((0, 0, 0), (0, 0, 0)),
]


@pytest.mark.parametrize(("offers", "points"), TAXES, ids=str)
def test_exciseman_the_highest_offer_gets_three_points(
    offers: tuple[int, ...], points: tuple[int, ...]
) -> None:
    """§ Exciseman: 3 points, the next 1, ties alike, nothing for nothing."""
    table = acting("exciseman", *["yyybbp"] * 3)
    stock = table.stock("y")
    table.play("2", *(f"offer {cards}" for cards in offers))
    assert table.points == points
    assert table.stock("y") == stock + sum(offers)
    left = [table.hand(seat).count("y") for seat in (1, 2, 0)]
    assert left == [3 - cards for cards in offers]


# § Inquisitor


def test_inquisitor_one_point_for_each_green_card() -> None:
    """§ Inquisitor: a green and a purple card, then a player whose hand is shown to the caller."""
    table = acting("inquisitor", PLAIN, "bbyggg", PLAIN)
    table.play("1")
    assert table.hand(0) == "byppwrgg"
    assert table.node == Node("decision", 0, "player")
    assert table.legal() == ("@1", "@2")
    shown = table.labels("@1")
    assert shown[0] == "0 @1 = 3 (bbyggg)"
    assert shown[2] == "0 @1 = 3"
    table.play("@1")
    assert table.points == (3, 0, 0)
    assert table.hand(1) == "bbyggg"


def test_inquisitor_an_empty_hand_may_be_named() -> None:
    """§ Inquisitor: no cards, no points."""
    table = acting("arms", PLAIN, "rrrrrr", PLAIN, others=("bandit", "inquisitor"))
    table.play("2", "offer 0", "offer 6", "offer 0")
    assert table.points == (1, 3, 0)
    assert table.node == Node("decision", 2, "option")
    table.play("1")
    assert table.legal() == ("@0", "@1")
    assert table.labels("@1")[0] == "2 @1 = 0"
    assert table.play("@1").points == (1, 3, 0)


def test_inquisitor_two_green_cards_for_a_point_and_three_cards() -> None:
    """§ Inquisitor: the second option."""
    table = acting("inquisitor", "bbyygg", PLAIN, PLAIN)
    stock = table.stock("g")
    table.play("2")
    assert table.points == (1, 0, 0)
    assert (table.hand(0), table.stock("g")) == ("bbyy", stock + 2)
    table.play("p", "w", "r")
    assert table.hand(0) == "bbyypwr"
    assert table.node.seat == 1


def test_inquisitor_needs_two_green_cards() -> None:
    """§ Inquisitor: the second option is paid in full or not at all."""
    assert acting("inquisitor").legal() == ("1",)


# § Merchant


def test_merchant_takes_two_blue_and_draws_one() -> None:
    """§ Merchant: the first option."""
    table = acting("merchant")
    stock = table.stock("b")
    table.play("1", "w")
    assert (table.hand(0), table.stock("b")) == ("bbbypwwrg", stock - 2)


def test_merchant_two_blue_and_two_white_for_three_points_and_two_cards() -> None:
    """§ Merchant: the second option."""
    table = acting("merchant", "bbwwrg", PLAIN, PLAIN)
    blue, white = table.stock("b"), table.stock("w")
    table.play("2")
    assert table.points == (3, 0, 0)
    assert (table.hand(0), table.stock("b"), table.stock("w")) == ("rg", blue + 2, white + 2)
    table.play("b", "b")
    assert table.hand(0) == "bbrg"
    assert table.node.seat == 1


@pytest.mark.parametrize("hand", ["bbwrrg", "bwwrrg", "bypwrg"])
def test_merchant_needs_both_pairs(hand: str) -> None:
    """§ Merchant: the second option is paid in full or not at all."""
    assert acting("merchant", hand, PLAIN, PLAIN).legal() == ("1",)


@pytest.mark.parametrize("stock", [0, 1, 2])
def test_merchant_gets_what_there_is_of_a_fixed_take(tmp_path: Path, stock: int) -> None:
    """§ Merchant: two blue cards, or what the reserve has; one card is drawn in any case."""
    cards = by(tmp_path, 3, reserve=[1 + stock, 12, 12, 12, 21, 24])
    table = deal(*many(3), cards=cards).play("merchant", "exciseman", "arms", "y")
    assert table.stock("b") == stock
    table.play("1")
    assert table.hand(0) == "b" * (1 + stock) + "ypwrg"
    assert table.stock("b") == 0
    assert table.node == Node("chance", 0, "draw")
    assert table.play("w").node == Node("decision", 1, "option")


FIXED = [  # character, option, colours taken
    ("exciseman", "1", "yy"), ("inquisitor", "1", "pg"), ("spy", "1", "pg"), ("arms", "1", "rr"),
    ("regent", "1", "ww"), ("bandit", "1", "wg"), ("bandit", "2", "yr"),
]  # fmt: skip


@pytest.mark.parametrize(("character", "option", "taken"), FIXED, ids=str)
def test_actions_a_fixed_take_of_nothing(
    tmp_path: Path, character: str, option: str, taken: str
) -> None:
    """§ 3: with none of the first colour in stock the rest of the option is carried out."""
    reserve = [12, 12, 12, 12, 21, 24]
    at = COLOURS.index(taken[0])
    reserve[at] = [1, 1, 1, 1, 2, 4][at]  # all of it for the Crusade deck
    table = deal(*many(3), cards=by(tmp_path, 3, sides=[1, 2], reserve=reserve))
    rest = [name for name in ("merchant", "chancellor") if name != character]
    table.play(character, *rest, "b")
    assert table.stock(taken[0]) == 0
    table.play(option, *(["b"] if character == "bandit" else []))
    expected = Counter(PLAIN) + Counter(taken.replace(taken[0], ""))
    if character == "bandit":
        expected -= Counter("b")
    assert Counter(table.hand(0)) == expected
    assert table.stock(taken[0]) == 0
    what = {"bandit": "option", "inquisitor": "player"}.get(character, "draw")
    assert (table.node.what, table.node.seat) == (what, 1 if character == "bandit" else 0)


# § Spy


def test_spy_takes_purple_and_green_and_draws_one() -> None:
    """§ Spy: the first option."""
    table = acting("spy")
    table.play("1", "b")
    assert table.hand(0) == "bbyppwrgg"
    assert table.points == (0, 0, 0)


def test_spy_one_point_for_each_card_of_the_colour_named() -> None:
    """§ Spy: two purple cards, a player with a colour, then one card."""
    table = acting("spy", "ppbbyy", "bbbbyw", PLAIN)
    stock = table.stock("p")
    table.play("2")
    assert (table.hand(0), table.stock("p")) == ("bbyy", stock + 2)
    assert table.node == Node("decision", 0, "player colour")
    assert table.legal() == tuple(f"@{seat}{colour}" for seat in (1, 2) for colour in COLOURS)
    shown = table.labels("@1b")
    assert shown[0] == "0 @1b = 4 (bbbbyw)"
    assert shown[2] == "0 @1b = 4"
    table.play("@1b")
    assert table.points == (4, 0, 0)
    assert table.node == Node("chance", 0, "draw")
    table.play("g")
    assert table.hand(0) == "bbyyg"


def test_spy_may_find_nothing() -> None:
    """§ Spy: no card of the colour, no point; the card is drawn all the same."""
    table = acting("spy", "ppbbyy", "bbbbyw", PLAIN).play("2", "@1r")
    assert table.points == (0, 0, 0)
    assert table.node == Node("chance", 0, "draw")


def test_spy_needs_two_purple_cards() -> None:
    """§ Spy: the second option is paid in full or not at all."""
    assert acting("spy").legal() == ("1",)


# § Master at arms


def test_arms_takes_two_red_and_draws_one() -> None:
    """§ Master at arms: the first option."""
    table = acting("arms")
    stock = table.stock("r")
    table.play("1", "w")
    assert (table.hand(0), table.stock("r")) == ("bypwwrrrg", stock - 2)


def test_arms_offers_are_secret_until_all_are_made() -> None:
    """§ Master at arms: the caller offers first, unseen; then all offers are shown."""
    table = acting("arms", "rrbbyy", "rbbbyy", "rrrpww").play("2")
    assert table.node == Node("decision", 0, "offer")
    assert table.legal() == ("offer 0", "offer 1", "offer 2")
    assert table.labels("offer 2") == ["0 offer 2", "0 offer ?", "0 offer ?"]
    table.play("offer 2")
    assert table.node == Node("decision", 1, "offer")
    assert table.labels("offer 1") == ["1 offer ?", "1 offer 1", "1 offer ?"]
    table.play("offer 1")
    shown = table.labels("offer 3")
    assert all(label.endswith(" = 2,1,3") for label in shown)
    assert shown[2] == "2 offer 3 = 2,1,3"


TOURNAMENTS = [  # offers of seats 0 (caller), 1, 2; their points
    ((2, 1, 0), (3, 1, 0)),
    ((1, 2, 0), (2, 3, 0)),
    ((1, 2, 3), (1, 1, 3)),
    ((0, 1, 2), (1, 1, 3)),
    ((1, 1, 1), (3, 1, 0)),
    ((0, 1, 1), (1, 3, 1)),
    ((1, 2, 2), (1, 3, 1)),
    ((1, 0, 1), (3, 0, 1)),
    ((1, 1, 2), (2, 0, 3)),
    ((1, 0, 0), (3, 0, 0)),
    ((0, 0, 2), (1, 0, 3)),
    ((0, 0, 0), (1, 0, 0)),
]


@pytest.mark.parametrize(("offers", "points"), TOURNAMENTS, ids=str)
def test_arms_the_highest_offer_wins_the_tournament(
    offers: tuple[int, ...], points: tuple[int, ...]
) -> None:
    """§ Master at arms: 3 and 1; ties go to the caller, then clockwise; 1 for a beaten caller."""
    table = acting("arms", *["rrrbbp"] * 3)
    stock = table.stock("r")
    table.play("2", *(f"offer {cards}" for cards in offers))
    assert table.points == points
    assert table.stock("r") == stock + sum(offers)
    assert [table.hand(seat).count("r") for seat in range(3)] == [3 - k for k in offers]


def test_arms_ties_are_counted_from_the_caller_clockwise() -> None:
    """§ Master at arms: seat 1 calls; seats 2 and 0 tie, and 2 is nearer."""
    table = deal(*["rrrbbp"] * 3).play("merchant", "arms", "regent", "b")
    table.play("1", "b", "2", "offer 1", "offer 2", "offer 2")
    assert table.points == (1, 1, 3)


@pytest.mark.parametrize("hand", ["rrrbbp", "bbyypp"])
def test_arms_nobody_offers_anything(hand: str) -> None:
    """§ Master at arms: no prize, and 1 point for a caller who is not the winner."""
    table = deal(*[hand] * 3).play("merchant", "arms", "regent", "b")
    table.play("1", "b", "2")
    stock = table.stock("r")
    assert table.labels("offer 0") == ["1 offer ?", "1 offer 0", "1 offer ?"]
    table.play("offer 0", "offer 0")
    assert table.labels("offer 0")[1] == "0 offer ? = 0,0,0"
    table.play("offer 0")
    assert table.points == (0, 1, 0)
    assert table.stock("r") == stock
    assert table.node == Node("decision", 2, "option")


# § Regent


def test_regent_takes_two_white_and_draws_one() -> None:
    """§ Regent: the first option."""
    table = acting("regent")
    stock = table.stock("w")
    table.play("1", "b")
    assert (table.hand(0), table.stock("w")) == ("bbypwwwrg", stock - 2)


def test_regent_one_card_of_each_colour_for_five_points_and_four_cards() -> None:
    """§ Regent: the second option."""
    table = acting("regent")
    reserve = Counter(table.pile("reserve"))
    table.play("2")
    assert table.points == (5, 0, 0)
    assert table.hand(0) == ""
    assert Counter(table.pile("reserve")) - reserve == Counter(PLAIN)
    table.play("b", "b", "g", "y")
    assert table.hand(0) == "bbyg"
    assert table.node.seat == 1


@pytest.mark.parametrize("missing", COLOURS)
def test_regent_needs_all_six_colours(missing: str) -> None:
    """§ Regent: one colour missing is one too many."""
    other = "b" if missing != "b" else "y"
    assert acting("regent", PLAIN.replace(missing, other), PLAIN, PLAIN).legal() == ("1",)


# § Chancellor


def test_chancellor_draws_two_and_takes_one_of_choice() -> None:
    """§ Chancellor: the first option."""
    table = acting("chancellor").play("1", "b", "b")
    assert table.node == Node("decision", 0, "colour")
    assert table.legal() == tuple(COLOURS)
    stock = table.stock("p")
    table.play("p")
    assert (table.hand(0), table.stock("p")) == ("bbbyppwrg", stock - 1)
    assert table.node.seat == 1


def test_chancellor_draws_a_counselor_and_takes_one_of_choice() -> None:
    """§ Chancellor: the second option, from the deck of the own side."""
    table = acting("chancellor", counselors=(3, 4, 5))
    assert table.legal() == ("1", "2")
    table.play("2")
    assert table.node == Node("chance", 0, "counselor")
    assert list(table.at.outcomes()) == [str(k) for k in range(1, 15) if k not in (3, 5)]
    assert table.labels("9") == ["0 counselor 9", "0 counselor ?", "0 counselor ?"]
    table.play("9")
    assert table.node == Node("decision", 0, "colour")
    table.play("r")
    assert table.hand(0) == "bypwrrg"
    assert table.counselors(0) == [3, 9]


def test_chancellor_without_counselors_has_one_option() -> None:
    """§ Chancellor: played without counselor cards there is nothing to draw."""
    assert acting("chancellor").legal() == ("1",)


@pytest.mark.parametrize(("sides", "seats"), [("rjr", (0, 2)), ("jrj", (0, 2)), ("rrj", (0, 1))])
def test_chancellor_with_an_empty_deck_only_takes_one_of_choice(
    sides: str, seats: tuple[int, int]
) -> None:
    """§ Chancellor: the deck is never mixed anew, and the option is still there."""
    table = deal(*many(3), sides=sides, counselors=(1, 2, 3))

    def calling(seat: int) -> None:
        """Up to the option of that seat, which has placed on the chancellor."""
        while table.node[1:] != (seat, "option"):
            others = [name for name in table.legal() if name != "chancellor"]
            if table.node.what == "place":
                table.play("chancellor" if table.node.seat == seat else others[0])
            else:
                table.play(table.something(""))

    for turn in range(12):  # 14 less the two of the setup
        calling(seats[turn % 2])
        table.play("2")
        assert table.node == Node("chance", seats[turn % 2], "counselor")
        assert len(table.at.outcomes()) == 12 - turn
        table.play(next(iter(table.at.outcomes())), "p").steer(slow_and_safe(table), "p")
    calling(seats[0])
    held = table.counselors(seats[0])
    assert table.legal()[:2] == ("1", "2")
    table.play("2")
    assert table.node == Node("decision", seats[0], "colour")
    assert table.counselors(seats[0]) == held


def test_chancellor_a_counselor_is_used_once_and_never_comes_back() -> None:
    """§ Chancellor, important note: a card played is gone."""
    table = acting("chancellor", counselors=(7, 4, 5)).play("counselor 7")
    assert table.counselors(0) == []
    table.play("2")
    assert "7" not in table.at.outcomes()
    assert len(table.at.outcomes()) == 12


# § Bandit


@pytest.mark.parametrize(("option", "gain"), [("1", "gw"), ("2", "ry")])
def test_bandit_one_card_for_a_point_and_two_cards(option: str, gain: str) -> None:
    """§ Bandit: a card of choice, 1 point, then green and white or red and yellow."""
    table = acting("bandit", "bbpppg", PLAIN, PLAIN)
    assert table.legal() == ("1", "2")
    table.play(option)
    assert table.node == Node("decision", 0, "colour")
    assert table.legal() == ("b", "p", "g")
    stock = {c: table.stock(c) for c in COLOURS}
    table.play("p")
    assert table.points == (1, 0, 0)
    assert table.hand(0) == ordered("bbppg" + gain)
    assert table.stock("p") == stock["p"] + 1
    assert [table.stock(c) - stock[c] for c in gain] == [-1, -1]
    assert table.node.seat == 1


# § 4 - Contributing to the outcome of the Crusade


def test_contribution_two_secret_cards_each() -> None:
    """§ 4: from the first player on, exactly two; only the giver knows the colours."""
    table = acting("merchant", "bbyypp", PLAIN, PLAIN).play("1", "p").until("give")
    assert table.node == Node("decision", 0, "give")
    assert table.hand(0) == "bbbbyyppp"
    assert table.legal() == tuple(f"give {two}" for two in ("bb", "by", "bp", "yy", "yp", "pp"))
    assert table.labels("give by") == ["0 give by", "0 give ??", "0 give ??"]
    deck = Counter(table.pile("crusade"))
    table.play("give by")
    assert Counter(table.pile("crusade")) - deck == Counter("by")
    assert table.hand(0) == "bbbyppp"
    assert table.node == Node("decision", 1, "give")


def test_contribution_a_point_lost_for_a_missing_card() -> None:
    """§ 4: the only card is given, and 1 point is lost."""
    table = deal("bbyyww", "pprrrr", PLAIN).play("merchant", "spy", "arms", "b")
    table.play("1", "b", "2", "@0g", "b", "2", "offer 0", "offer 0", "offer 4")
    assert table.hand(1) == "b"
    assert table.points == (0, 3, 1)
    table.play("give bb")
    assert table.node == Node("decision", 1, "give")
    assert table.legal() == ("give b",)
    assert table.labels("give b") == ["1 give ?", "1 give b", "1 give ?"]
    table.play("give b")
    assert table.points == (0, 2, 1)
    assert table.hand(1) == ""


def test_contribution_of_the_last_card(tmp_path: Path) -> None:
    """§ 4: where one card is all that is owed, the whole hand is given without loss."""
    cards = by(tmp_path, 3, hand=1, contributed=1)
    table = deal("b", "y", "r", cards=cards).play("arms", "bandit", "merchant", "g")
    table.play("2", "offer 0", "offer 0", "offer 1").play("1", "y").until("give")
    assert table.legal() == ("give b",)
    points = table.points
    table.play("give b")
    assert table.hand(0) == ""
    assert table.legal() == ("give w", "give g")
    assert table.labels("give g") == ["1 give ?", "1 give g", "1 give ?"]
    assert table.play("give g").points == points


def test_contribution_points_below_zero() -> None:
    """§ 4: an empty hand costs 2 points, and 0 is no floor."""
    table = deal("yyyybbb", "rrrrbbb", "yyyrrrr", "yyyyybb", "rrrrbbb")
    table.play("exciseman", "arms", "bandit", "merchant", "spy", "r")
    table.play("2", "offer 0", "offer 3", "offer 5", "offer 0", "offer 4")
    assert table.points == (1, 0, 0, 3, 0)
    table.play("2", "offer 4", "offer 4", "offer 0", "offer 5", "offer 0")
    assert table.points == (1, 2, 0, 3, 3)
    assert table.hand(2) == ""
    table.until("give").play("give bb", "give bb")
    assert table.node == Node("decision", 2, "give")
    assert table.legal() == ("give -",)
    assert table.labels("give -") == ["2 give -"] * 5
    table.play("give -")
    assert table.points == (1, 2, -2, 3, 3)


# § 5 - Outcome of the Crusade


@pytest.mark.parametrize("players", range(3, 9))
def test_outcome_twice_as_many_cards_as_players(players: int) -> None:
    """§ 5: 6 cards with three players up to 16 with eight; everybody sees them."""
    table = deal(*many(players)).until("reveal")
    shown = 0
    while table.node.what == "reveal":
        card = next(iter(table.at.outcomes()))
        assert table.labels(card) == [f"reveal {card}"] * players
        assert sum(table.at.outcomes().values()) == len(table.pile("crusade"))
        table.play(card)
        shown += 1
    assert shown == 2 * players


OUTCOMES = [  # cards revealed; time, crusaders, saladin, treasury
    ("rgbpyw", (11, 10, 10, 8)),
    ("gggbpr", (11, 8, 10, 8)),
    ("gggggg", (11, 4, 10, 8)),
    ("rrrgbp", (11, 10, 8, 8)),
    ("rrrrrb", (10, 10, 5, 8)),
    ("rgppyw", (12, 10, 10, 8)),
    ("rgpppb", (12, 10, 10, 8)),
    ("rgbbyw", (10, 10, 10, 8)),
    ("bbbbrg", (10, 10, 10, 8)),
    ("yyyywb", (10, 10, 10, 11)),
    ("wwwwyp", (12, 10, 10, 5)),
    ("rggyyp", (12, 9, 10, 10)),
]


@pytest.mark.parametrize(("cards", "tracks"), OUTCOMES, ids=str)
def test_outcome_comparisons(cards: str, tracks: tuple[int, ...]) -> None:
    """§ 5: red with green, then time and purple with blue, then yellow with white."""
    table = deal(*many(3), sides="rjr" if cards.count("g") > 2 else "jrj").outcome(cards)
    found = table.at.tracks
    assert (found["time"], found["crusaders"], found["saladin"], found["treasury"]) == tracks
    assert table.at.turn == 2


def test_outcome_nothing_falls_below_zero() -> None:
    """§ 5: twelve green cards too many, nine white ones: both tracks stop at 0."""
    table = deal(*many(7), sides="rrrrjjj").outcome("g" * 12 + "bp")
    assert table.at.tracks["crusaders"] == 0
    table = deal(*many(7, "wwbypyb"), sides="rrrrjjj").outcome("w" * 9 + "rgrgb")
    assert table.at.tracks["treasury"] == 0
    assert table.at.ending == "D"


def test_outcome_time_is_at_most_twelve() -> None:
    """§ 5: it falls to 11 before purple cards bring it back, never further than by one."""
    assert deal(*many(3)).outcome("ppppyw").at.tracks["time"] == 12


def test_outcome_the_rest_of_the_deck_stays() -> None:
    """§ 5: the cards that are not revealed wait for the next turn."""
    table = deal(*many(3)).until("reveal", "rgbpyw")
    deck = Counter(table.pile("crusade"))
    table.play(*"rgbpyw")
    assert Counter(table.pile("crusade")) == deck - Counter("rgbpyw")


def test_outcome_time_from_one_to_zero_and_back_does_not_end_the_game() -> None:
    """§ 5 and § End of the Game: only where the tracks stand afterwards counts."""
    table = deal(*many(3))
    while table.at.tracks["time"] > 2:
        table.steer(red_green(0, -1, 0), "b")
    if table.at.tracks["time"] == 2:
        table.steer(red_green(0, 0, 0), "p")
    assert table.at.tracks["time"] == 1
    table.steer(lambda cards: cards["p"] > cards["b"] and abs(cards["r"] - cards["g"]) < 3, "p")
    assert table.at.tracks["time"] == 1
    assert table.at.ending == ""
    assert table.node.what == "place"


def test_outcome_nothing_brings_time_back_after_turn_24() -> None:
    """§ 5 with the ruling on length: from turn 25 on purple cards no longer help."""
    table = deal(*many(3))
    while table.at.turn < 25:
        assert table.at.tracks["time"] == 12
        table.steer(slow_and_safe(table), "p")
    table.steer(slow_and_safe(table), "p")
    assert table.at.tracks["time"] == 11


# § 6 - Resolving the consequences of the Crusade event

CONSEQUENCES = [  # event, cards, (time, crusaders, saladin, treasury), points of r, j, r
    (1, "rgppyw", (12, 10, 10, 8), (0, 1, 0)),
    (1, "rgbbyw", (10, 10, 10, 8), (1, 0, 1)),
    (1, "rgbpyw", (11, 10, 10, 8), (0, 0, 0)),
    (2, "rgyybp", (11, 10, 10, 11), (0, 0, 0)),
    (2, "rgbpyw", (11, 10, 10, 8), (0, 0, 0)),
    (3, "rrbpyw", (11, 10, 7, 8), (0, 0, 0)),
    (3, "ggbpyw", (11, 8, 10, 8), (0, 0, 0)),
    (4, "rrbpyw", (11, 10, 8, 8), (0, 0, 0)),
    (4, "rgbpyw", (11, 9, 10, 8), (0, 0, 0)),
    (4, "ggbpyw", (11, 7, 10, 8), (0, 0, 0)),
    (5, "rrbpyw", (11, 10, 8, 7), (0, 0, 0)),
    (5, "rgbpyw", (11, 10, 10, 8), (0, 0, 0)),
    (6, "rrbpyw", (11, 10, 8, 8), (1, 0, 1)),
    (6, "ggbpyw", (11, 8, 10, 8), (0, 1, 0)),
    (6, "rgbpyw", (11, 10, 10, 8), (0, 0, 0)),
    (7, "ggbpyw", (11, 8, 10, 8), (0, 0, 0)),
    (7, "rgbpyw", (11, 10, 10, 8), (0, 0, 0)),
    (8, "rrbpyw", (11, 10, 7, 8), (0, 0, 0)),
    (8, "ggbpyw", (11, 7, 10, 8), (0, 0, 0)),
    (8, "rgbpyw", (11, 10, 10, 8), (0, 0, 0)),
    (9, "rgwwbp", (11, 10, 10, 6), (0, 1, 0)),
    (9, "rgyybp", (11, 10, 10, 10), (0, 0, 0)),
    (10, "rrbpyw", (11, 10, 8, 10), (0, 0, 0)),
    (10, "rgbpyw", (11, 10, 10, 8), (0, 0, 0)),
    (11, "rrbpyw", (11, 10, 8, 8), (1, 0, 1)),
    (11, "ggbpyw", (11, 8, 10, 8), (0, 1, 0)),
    (12, "rgbbyw", (9, 10, 10, 8), (0, 0, 0)),
    (12, "rgppyw", (12, 10, 10, 8), (0, 0, 0)),
    (12, "rgbpyw", (11, 10, 10, 8), (0, 0, 0)),
    (13, "ggbpyw", (11, 7, 10, 8), (0, 0, 0)),
    (13, "rgbpyw", (11, 10, 10, 8), (0, 0, 0)),
    (14, "ggyybp", (11, 9, 10, 10), (0, 0, 0)),
    (14, "rgyybp", (11, 10, 10, 10), (0, 0, 0)),
    (15, "rrbpyw", (11, 10, 8, 8), (0, 0, 0)),
    (15, "ggbpyw", (11, 8, 10, 8), (0, 0, 0)),
]


@pytest.mark.parametrize(("event", "cards", "tracks", "points"), CONSEQUENCES, ids=str)
def test_consequences_of_events_1_to_15(
    event: int, cards: str, tracks: tuple[int, ...], points: tuple[int, ...]
) -> None:
    """§ 6 with the house events: each case that does something, and one that does not."""
    table = deal(*many(3), events="shuffled").play(str(event))
    table.outcome(cards, ("exciseman", "merchant", "arms"))
    found = table.at.tracks
    assert (found["time"], found["crusaders"], found["saladin"], found["treasury"]) == tracks
    assert table.points == points
    assert table.node.what == "event"


def test_consequences_raise_a_weakened_army() -> None:
    """§ 6 with house events 7, 14 and 15: an army that lost men gets one back, at most 10."""
    table = deal(*many(3), events="shuffled").play("9").outcome("ggbpyw")
    table.play("7").steer(red_green(0, 0, 0))
    assert table.at.tracks["crusaders"] == 9
    table = deal(*many(3), sides="jrj", events="shuffled").play("9").outcome("rrbpyw")
    assert table.at.tracks["saladin"] == 8
    table.play("15").steer(red_green(-1, 0, 1), "gy")
    assert table.at.tracks["saladin"] == 9


@pytest.mark.parametrize(("event", "colour"), [(16, "w"), (17, "y")])
def test_consequences_a_card_may_be_returned_for_a_point(event: int, colour: str) -> None:
    """§ 6 with house events 16 and 17: who has cards decides, in turn order."""
    other = "bbpprg"
    table = deal(PLAIN, other, PLAIN, events="shuffled").play(str(event))
    table.play("exciseman", "merchant", "arms", "b", "1", "b", "1", "b", "1", "b")
    table.play("give rg", "give bb", "give rg").play(*"rrggbb")
    assert table.node == Node("decision", 0, "return")
    assert table.legal() == ("pass", "return")
    stock = table.stock(colour)
    held = table.hand(0).count(colour)
    table.play("return")
    assert table.hand(0).count(colour) == held - 1
    assert table.stock(colour) == stock + 1
    assert table.points == (1, 0, 0)
    assert table.node == Node("decision", 1, "return")
    assert table.legal() == ("pass",)
    table.play("pass", "pass")
    assert table.points == (1, 0, 0)
    assert table.node.what == "event"


def test_consequences_everybody_draws() -> None:
    """§ 6 with house event 18: one card each, in turn order."""
    table = deal(*many(3), events="shuffled").play("18").outcome("rgbpyw")
    for seat in range(3):
        assert table.node == Node("chance", seat, "draw")
        held = Counter(table.hand(seat))
        table.play("b")
        assert Counter(table.hand(seat)) - held == Counter("b")
    assert table.node.what == "event"


@pytest.mark.parametrize("events", ["off", "shuffled"])
def test_consequences_revealed_cards_go_back_to_the_reserve(events: str) -> None:
    """§ 6: with or without events, all that was revealed."""
    table = deal(*many(3), events=events)
    if events != "off":
        table.play("3")
    table.until("reveal", "rggbpy")
    reserve = Counter(table.pile("reserve"))
    table.play(*"rggbp")
    assert table.pile("revealed") == "bprgg"
    table.play("y")
    assert Counter(table.pile("reserve")) - reserve == Counter("rggbpy")
    assert table.pile("revealed") == ""


# § End of the Game


def test_end_an_event_may_save_the_crusaders() -> None:
    """§ End: the conditions are checked at the end of the turn, after the event."""
    table = deal(*many(7), sides="rrrrjjj", events="shuffled").play("14")
    table.outcome("g" * 10 + "yybp").settle()
    assert table.at.tracks["crusaders"] == 1
    assert table.at.ending == ""


@pytest.mark.parametrize(
    ("sides", "each"), [("rrj", 8), ("rjj", 4), ("rrrrjjj", 3), ("rrrrjjjj", 2), ("rrrjj", 4)]
)
def test_end_a_the_crusaders_are_lost(sides: str, each: int) -> None:
    """§ End A: John's players share 8, rounded up."""
    players = len(sides)
    if players < 7:
        hands = ["gggg" + "bw", "ggggbw", "ggggbw", "", ""][:players]
        if players == 5:
            hands = ["gggbypw", "gggbypw", "ggbypwr", "ggbypwr", "ggbypwr"]
        table = deal(*hands, sides=sides)
        first = "gggggg" if players == 3 else "g" * 9 + "r"
        table.outcome(first)
        last = "gggggg" if players == 3 else "ggggg" + "rbpyw"
    else:
        table, last = deal(*many(players), sides=sides), "g" * 10 + "bpywbp"[: 2 * players - 10]
    change = finished(table, last)
    assert table.at.ending == "A"
    assert change == [each if side == "j" else 0 for side in sides]


@pytest.mark.parametrize(
    ("sides", "cards", "each"),
    [
        ("jjjjrrr", "r" * 10 + "bpyw", 3),  # 8 among three
        ("rrrrjjj", "r" * 10 + "bpyw", 2),  # 8 among four
        ("rrrrjjj", "r" * 10 + "bpyy", 3),  # 10 among four
        ("jjjjrrr", "r" * 10 + "bpyy", 4),  # 10 among three
        ("rrrrjjj", "r" * 10 + "bwww", 2),  # 5 among four
        ("jjjjrrr", "r" * 10 + "bpww", 2),  # 6 among three
    ],
)
def test_end_b_saladin_is_beaten(sides: str, cards: str, each: int) -> None:
    """§ End B: Richard's players share the treasury as it stands, rounded up."""
    table = deal(*many(7), sides=sides)
    change = finished(table, cards)
    assert table.at.ending == "B"
    assert change == [each if side == "r" else 0 for side in sides]


@pytest.mark.parametrize(("sides", "each"), [("jrj", 8), ("jrr", 4)])
def test_end_b_for_one_and_two_players(sides: str, each: int) -> None:
    """§ End B: one player gets the whole treasury of 8, two get 4 each."""
    table = deal(*["rrrrbp"] * 3, sides=sides).outcome("rrrrrr")
    change = finished(table, "rrrrbp")
    assert table.at.ending == "B"
    assert change == [each if side == "r" else 0 for side in sides]


def returned(sides: str, wealth: int, prefer: str = "b") -> tuple[Table, list[int]]:
    """A game ended by time, the treasury changed by so much in the last turn; points gained."""
    table = deal(*many(len(sides)), sides=sides)
    while table.at.tracks["time"] > 2:
        table.steer(red_green(0, -1, 0), prefer)
    before = table.contribute(prefer).points
    table.steer(red_green(0, -1, wealth), prefer)
    return table, gained(before, table.points)


@pytest.mark.parametrize(
    ("sides", "wealth", "each"),
    [
        ("jrj", 0, 4),
        ("jrj", 1, 5),  # 9: half is 5
        ("jrj", -1, 4),  # 7: half is 4
        ("rjr", 0, 2),
        ("rjr", 1, 3),  # 9: half is 5, so 3 each
        ("jrjrr", 0, 2),  # 4 among three
        ("jrjrjrr", 0, 1),
        ("jrjrjrr", 2, 2),  # 10: 5 among four
    ],
)
def test_end_c_richard_is_home(sides: str, wealth: int, each: int) -> None:
    """§ End C: Richard's players share half the treasury, rounded up."""
    table, change = returned(sides, wealth)
    assert table.at.tracks["treasury"] == 8 + wealth
    assert table.at.ending == "C"
    assert change == [each if side == "r" else 0 for side in sides]


@pytest.mark.parametrize(
    ("sides", "each"), [("rrrrjjj", 2), ("rrrrjjjj", 1), ("rrj", 4), ("rjj", 2)]
)
def test_end_d_richard_is_deposed(sides: str, each: int) -> None:
    """§ End D: John's players share 4, rounded up."""
    if len(sides) == 3:
        table = deal(*["wwwwbp"] * 3, sides=sides).outcome("wwwwww")
        change = finished(table, "wwbprg")
    else:
        table = deal(*many(len(sides)), sides=sides)
        change = finished(table, ("w" * 8 + "rgrgbprg")[: 2 * len(sides)])
    assert table.at.ending == "D"
    assert change == [each if side == "j" else 0 for side in sides]


@pytest.mark.parametrize(
    ("sides", "army", "foe", "ending", "points"),
    [("rrrrjjj", "g", "r", "A", [0, 0, 0, 0, 3, 3, 3]), ("jjjjrrr", "r", "g", "B", [0] * 7)],
)
def test_end_a_and_b_come_before_d(
    sides: str, army: str, foe: str, ending: str, points: list[int]
) -> None:
    """§ End: with an army and the treasury both at 0 only the army counts."""
    table = deal(*many(7, army + "w" + army + "w" + army + "w" + army), sides=sides)
    table.outcome(army * 9 + "wwwww")
    change = finished(table, army * 5 + "wwww" + foe * 3 + "bp")
    tracks = table.at.tracks
    assert tracks["crusaders" if army == "g" else "saladin"] == tracks["treasury"] == 0
    assert table.at.ending == ending
    assert change == points


@pytest.mark.parametrize(
    ("sides", "extra", "change", "zero", "ending", "points"),
    [
        ("rjr", "g", (-2, 0), "crusaders", "A", [0, 8, 0]),
        ("jrj", "r", (2, 0), "saladin", "B", [0, 8, 0]),
        ("rjr", "w", (0, -2), "treasury", "C", [0, 0, 0]),
    ],
)
def test_end_a_and_b_come_before_c_and_c_before_d(
    sides: str, extra: str, change: tuple[int, int], zero: str, ending: str, points: list[int]
) -> None:
    """§ End: time and another track reach 0 in the same turn."""
    red, wealth = change
    hand = PLAIN if extra == "w" else "bypw" + 2 * extra
    table = deal(*[hand] * 3, sides=sides)
    while table.at.tracks["time"] > 2:
        enough = table.at.tracks[zero] > 2
        table.steer(red_green(red * enough, -1, wealth * enough), "b" + extra)
    assert table.at.tracks[zero] == 2
    before = table.contribute("b" + extra).points
    table.steer(red_green(red, -1, wealth))
    assert table.at.tracks["time"] == table.at.tracks[zero] == 0
    assert table.at.ending == ending
    assert gained(before, table.points) == points


def test_end_returns_are_zero_before_the_end() -> None:
    """§ End: nobody has won while the game goes on."""
    assert deal(*many(4)).at.returns() == [0, 0, 0, 0]


# § End of the Game: counselors


ENDED = {  # sides, cards: a game over in its first turn
    "A": ("rrrrjjj", "g" * 10 + "bpyw"),
    "B": ("rrrrjjj", "r" * 10 + "bpyw"),
    "D": ("rrrrjjj", "w" * 8 + "rgrgbp"),
    "B rich": ("rrrrjjj", "r" * 10 + "yyyy"),
    "A poor": ("rrrrjjj", "g" * 10 + "wwyb"),
    "A poorer": ("rrrrjjj", "g" * 10 + "wwpb"),
    "A poorest": ("rrrrjjj", "gggggggggg" + "wwww"),
}
SCORED = [  # ending, number, points for Richard's and John's holder besides the shares
    ("A", 1, 0, 3),
    ("B", 1, 3, 0),
    ("D", 1, 0, 0),
    ("A", 2, 0, 0),
    ("B", 2, 0, 0),
    ("D", 2, 0, 3),
    ("B rich", 3, 3, 0),  # 12
    ("B", 3, 2, 0),  # 8
    ("A poor", 3, 0, 0),  # 7
    ("A poorer", 3, 0, 2),  # 6
    ("A poorest", 3, 0, 2),  # 4
    ("D", 3, 0, 3),
    ("A", 4, 0, 2),
    ("B", 4, 2, 0),
    ("D", 4, 0, 0),
    ("A", 6, 0, 2),  # time is 11
]


@pytest.mark.parametrize(("ending", "number", "richard", "john"), SCORED, ids=str)
def test_end_counselors_1_to_6(ending: str, number: int, richard: int, john: int) -> None:
    """§ End with the house counselors: what they add to the share of the side."""
    sides, cards = ENDED[ending]
    shares = {"A": (0, 3), "B": (3 if ending == "B rich" else 2, 0), "D": (0, 2)}[ending[0]]
    held = (number, 7, 8, 9, number, 7, 8)
    table = deal(*many(7, "gwrwgwr"), sides=sides, counselors=held)
    change = finished(table, cards)
    assert table.at.ending == ending[0]
    expected = [shares[0]] * 4 + [shares[1]] * 3
    expected[0] += richard
    expected[4] += john
    assert change == expected


def test_end_counselor_5_counts_cards_in_hand() -> None:
    """§ End with house counselor 5: a point for two own cards, rounded up, at most 3."""
    for red, points in ((0, 0), (1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3), (7, 3)):
        hands = ["r" * red + "y" * (7 - red), *["wwbpgyg"] * 4, "bpggpwr", "bprgypw"]
        hands = [hands[0], "wwbpggg", "wwbppbg", "wwbpybg", "wwbpybg", "wwbpypg", "wwbpypg"]
        table = deal(*hands, sides="rrrrjjj", counselors=(5, 7, 8, 9, 7, 8, 9))
        places = ("merchant", "exciseman", "spy", "regent", "chancellor", "inquisitor", "bandit")
        table.until("give", "w", places)
        own = table.hand(0).count("r")
        assert own == red
        table.play("give bb")
        change = finished(table, "w" * 8 + "rgrgbp")
        assert table.at.ending == "D"
        assert change[0] == points


def test_end_counselors_2_and_6_when_richard_is_home() -> None:
    """§ End with house counselors 2 and 6: ending C, and little time left."""
    table = deal(*many(3), sides="rjr", counselors=(2, 6, 6))
    while table.at.tracks["time"] > 2:
        table.steer(red_green(0, -1, 0), "b")
    before = table.contribute("b").points
    table.steer(red_green(0, -1, 0), "b")
    assert table.at.ending == "C"
    assert gained(before, table.points) == [2 + 3, 0, 2 + 2]


AT_ONCE = {  # for an ending in the first turn: numbers of 3 players, sides rjr, cards, shares
    "A": ({"crusaders": 1}, "ggrbpy", (0, 8, 0)),
    "B": ({"saladin": 1}, "rrgbpy", (5, 0, 5)),  # 9 in the treasury
    "C": ({"time": 1}, "rgbpyw", (4, 0, 4)),
    "D": ({"treasury": 1}, "rgbpww", (0, 4, 0)),
}


def ended(folder: Path, ending: str, number: int, **numbers: object) -> tuple[Table, list[int]]:
    """A game over in its first turn, where a player of either side holds a counselor."""
    changed, cards, shares = AT_ONCE[ending]
    table = deal(
        *many(3), counselors=(number, number, 7), cards=by(folder, 3, **(changed | numbers))
    )
    change = finished(table, cards)
    assert table.at.ending == ending
    if ending in "BC":
        most = table.at.tracks["treasury"] * (2 if ending == "B" else 1)
        shares = ((most + 3) // 4, 0, (most + 3) // 4)
    return table, gained(shares, change)


@pytest.mark.parametrize(
    ("ending", "scores"), [("A", [0, 0]), ("B", [0, 0]), ("C", [3, 0]), ("D", [0, 3])]
)
def test_end_counselor_2_after_every_ending(tmp_path: Path, ending: str, scores: list[int]) -> None:
    """§ End with house counselor 2: Richard's after C, John's after D."""
    assert ended(tmp_path, ending, 2)[1] == [*scores, 0]


@pytest.mark.parametrize(
    ("ending", "scores"), [("A", [0, 3]), ("B", [3, 0]), ("C", [0, 0]), ("D", [0, 0])]
)
def test_end_counselor_1_after_every_ending(tmp_path: Path, ending: str, scores: list[int]) -> None:
    """§ End with house counselor 1: Richard's after B, John's after A."""
    assert ended(tmp_path, ending, 1)[1] == [*scores, 0]


@pytest.mark.parametrize(
    ("time", "scores"),
    [(1, [2, 0]), (3, [2, 0]), (4, [2, 0]), (5, [0, 0]), (6, [0, 2]), (7, [0, 2]), (11, [0, 2])],
)
@pytest.mark.parametrize("ending", ["A", "B", "D"])
def test_end_counselor_6_by_the_time(
    tmp_path: Path, ending: str, time: int, scores: list[int]
) -> None:
    """§ End with house counselor 6: Richard's with 4 or less, John's with 6 or more."""
    table, found = ended(tmp_path, ending, 6, time=time + 1)
    assert table.at.tracks["time"] == time
    assert found == [*scores, 0]


@pytest.mark.parametrize(
    ("treasury", "scores"),
    [(2, [0, 3]), (3, [0, 3]), (4, [0, 2]), (6, [0, 2]), (7, [0, 0]), (8, [2, 0]), (11, [2, 0]),
     (12, [3, 0]), (13, [3, 0])],
)  # fmt: skip
@pytest.mark.parametrize("ending", ["A", "B"])
def test_end_counselor_3_by_the_treasury(
    tmp_path: Path, ending: str, treasury: int, scores: list[int]
) -> None:
    """§ End with house counselor 3: the highest band alone, 12 and 8, or 3 and 6."""
    table, found = ended(tmp_path, ending, 3, treasury=treasury - 1)
    assert table.at.tracks["treasury"] == treasury
    assert found == [*scores, 0]


def test_counselor_7_takes_two_own_cards() -> None:
    """House counselor 7: red for Richard, green for John, before the option."""
    table = acting("merchant", counselors=(7, 7, 8))
    assert table.legal() == ("1", "counselor 7")
    assert table.labels("counselor 7") == ["0 counselor 7"] * 3
    table.play("counselor 7")
    assert table.hand(0) == "bypwrrrg"
    assert table.node == Node("decision", 0, "option")
    assert table.legal() == ("1",)
    table.play("1", "b", "counselor 7")
    assert table.hand(1) == "bypwrggg"


def test_counselor_8_takes_two_colours() -> None:
    """House counselor 8: one card each of two different colours."""
    table = acting("merchant", counselors=(8, 7, 9)).play("counselor 8")
    assert table.legal() == tuple(COLOURS)
    table.play("p")
    assert table.node == Node("decision", 0, "colour")
    assert table.legal() == tuple("bywrg")
    table.play("g")
    assert table.hand(0) == "byppwrgg"
    assert table.node == Node("decision", 0, "option")


def test_counselor_9_draws_three() -> None:
    """House counselor 9: three cards of the supply."""
    table = acting("merchant", counselors=(9, 7, 8)).play("counselor 9", "b", "b", "y")
    assert table.hand(0) == "bbbyypwrg"
    assert table.node == Node("decision", 0, "option")


def test_counselor_10_swaps_a_card() -> None:
    """House counselor 10: sees a hand, takes a card of it and gives one back."""
    table = acting("merchant", PLAIN, "bbbyyy", PLAIN, counselors=(10, 7, 8)).play("counselor 10")
    assert table.legal() == ("@1", "@2")
    shown = table.labels("@1")
    assert shown[0] == "0 @1 (bbbyyy)"
    assert shown[2] == "0 @1"
    table.play("@1")
    assert table.legal() == ("b", "y")
    assert table.labels("y") == ["0 y", "0 y", "0 ?"]
    table.play("y")
    assert table.legal() == tuple(COLOURS)
    assert table.labels("g") == ["0 g", "0 g", "0 ?"]
    table.play("g")
    assert table.hand(0) == "byypwr"
    assert table.hand(1) == "bbbyyg"
    assert table.node == Node("decision", 0, "option")


def test_counselor_11_sells_a_pair() -> None:
    """House counselor 11: two cards of a colour for 2 points."""
    table = acting("merchant", "bbbyyr", PLAIN, PLAIN, counselors=(11, 7, 8)).play("counselor 11")
    assert table.legal() == ("b", "y")
    stock = table.stock("y")
    table.play("y")
    assert (table.hand(0), table.stock("y")) == ("bbbr", stock + 2)
    assert table.points == (2, 0, 0)
    assert "counselor 11" not in acting("merchant", counselors=(11, 7, 8)).legal()


def test_counselor_12_contributes_a_third_card() -> None:
    """House counselor 12: three cards instead of two, which the others can count."""
    table = acting("merchant", counselors=(12, 7, 8)).until("give")
    assert "give bbb" in table.legal()
    assert "give bb" in table.legal()
    assert table.labels("give ypw") == ["0 give ypw", "0 give ???", "0 give ???"]
    deck = len(table.pile("crusade"))
    kept = Table(table.at).play("give yp")
    assert kept.counselors(0) == [12]
    table.play("give ypw")
    assert len(table.pile("crusade")) == deck + 3
    assert table.counselors(0) == []
    assert all(len(move) == len("give bb") for move in table.legal())


@pytest.mark.parametrize(
    ("sides", "cards", "plain", "helped"),
    [("rjr", "ggbpyw", (8, 10), (9, 10)), ("jrj", "rrbpyw", (10, 8), (10, 9)),
     ("rjr", "rgbpyw", (10, 10), (10, 9))],
)  # fmt: skip
def test_counselor_13_uncounts_an_enemy_card(
    sides: str, cards: str, plain: tuple[int, int], helped: tuple[int, int]
) -> None:
    """House counselor 13: after the reveal one enemy card does not count."""
    for move, tracks in (("pass", plain), ("counselor 13", helped)):
        table = deal(*many(3), sides=sides, counselors=(13, 7, 8)).outcome(cards)
        assert table.node == Node("decision", 0, "uncount")
        assert table.legal() == ("counselor 13", "pass")
        table.play(move)
        assert table.legal() == ("pass",)
        table.play("pass", "pass")
        assert (table.at.tracks["crusaders"], table.at.tracks["saladin"]) == tracks
        assert table.counselors(0) == ([13] if move == "pass" else [])


def test_counselor_13_needs_an_enemy_card() -> None:
    """House counselor 13: no decision without an army card, no play without an enemy one."""
    table = deal(*many(3), sides="rjr", counselors=(13, 7, 8)).outcome("bbppyw")
    assert table.node.what == "place"
    table = deal(*many(3), sides="rjr", counselors=(13, 7, 8)).outcome("rrbpyw")
    assert table.node == Node("decision", 0, "uncount")
    assert table.legal() == ("pass",)


@pytest.mark.parametrize("sides", ["rjr", "jrj"])
def test_counselor_14_stays_on_a_character(sides: str) -> None:
    """House counselor 14: the own character of last turn, once, for either side."""
    places = ("exciseman", "merchant", "arms")
    table = deal(*many(3), sides=sides, counselors=(7, 14, 8)).outcome("bbppyw", places)
    assert table.node == Node("decision", 1, "place")
    assert table.legal() == CHARACTERS
    other = Table(table.at).play("spy")
    assert other.counselors(1) == [14]
    taken = Table(table.at).play("arms")
    assert taken.node == Node("decision", 2, "place")
    assert "arms" not in taken.legal()
    assert table.labels("merchant") == ["1 merchant"] * 3
    table.play("merchant")
    assert table.counselors(1) == []
    assert "merchant" not in table.legal()


# § End of the Game: the winner


@pytest.mark.parametrize(
    ("sides", "cards", "greens", "winners"),
    [
        ("rrrrjjj", "w" * 8 + "rgrgbp", 2, (4, 5, 6)),  # D: 2 each, like seat 0
        ("rrrrjjj", "g" * 10 + "bpyw", 3, (4, 5, 6)),  # A: 3 each
        ("jrrrrjj", "r" * 10 + "bpyw", 2, (1, 2, 3, 4)),  # B: 2 each
        ("rrrrjjj", "g" * 10 + "bpyw", 4, (0,)),  # no tie
    ],
)
def test_end_ties_go_to_the_side_of_the_ending(
    sides: str, cards: str, greens: int, winners: tuple[int, ...]
) -> None:
    """§ End: among the tied those of John after A and D, of Richard after B and C."""
    hands = many(7)
    hands[1] = "bypwrby"[: 7 - greens] + "g" * greens
    table = deal(*hands, sides=sides)
    table.play("inquisitor", "exciseman", "merchant", "arms", "regent", "spy", "chancellor", "b")
    table.play("1", "@1")
    assert table.points == (greens, 0, 0, 0, 0, 0, 0)
    table.outcome(cards)
    share = 1 / len(winners)
    expected = [(7 * share - 1) / 6 if seat in winners else -1 / 6 for seat in range(7)]
    assert table.at.returns() == pytest.approx(expected)


def test_end_all_the_tied_share_if_none_is_of_that_side() -> None:
    """§ End: two of Richard's tie ahead of John's after D."""
    hands = many(7)
    hands[0] = "bbwwrgw"
    table = deal(*hands, sides="rrrrjjj")
    table.play("merchant", "exciseman", "inquisitor", "arms", "regent", "spy", "chancellor", "b")
    table.play("2", "w", "w")
    table.play("2", *["offer 0"] * 6, "offer 1")
    assert table.points[:2] == (3, 3)
    table.play("1", "@0")
    table.outcome("w" * 8 + "rgrgbp")
    assert table.at.ending == "D"
    assert max(table.points) == 3
    half = (7 / 2 - 1) / 6
    assert table.at.returns() == pytest.approx([half, half] + [-1 / 6] * 5)


@pytest.mark.parametrize(
    ("sides", "green", "winners"),
    [
        ("jrr", 2, (1, 2)),  # 2 points each
        ("jrr", 3, (0,)),
        ("rrj", 0, (0, 1)),
        ("jrj", 4, (1,)),  # 4 points each
        ("jjr", 4, (2,)),
        ("jjj", 0, (0, 1, 2)),  # nobody is of that side
    ],
)
def test_end_ties_after_ending_c_go_to_richards_side(
    tmp_path: Path, sides: str, green: int, winners: tuple[int, ...]
) -> None:
    """§ End: Richard is home; half of a treasury of 8 is shared, and seat 0 has as much."""
    cards = by(tmp_path, 3, time=1, sides=[3, 3], reserve=[12, 12, 12, 12, 21, 24])
    hand = "g" * green + "bypwry"[green:]
    table = deal(PLAIN, hand, PLAIN, sides=sides, cards=cards)
    table.play("inquisitor", "merchant", "arms", "b", "1", "@1").outcome("rgbpyw")
    assert table.at.ending == "C"
    share = 1 / len(winners)
    expected = [(3 * share - 1) / 2 if seat in winners else -1 / 2 for seat in range(3)]
    assert table.at.returns() == pytest.approx(expected)


def test_end_all_the_tied_share_after_ending_c_if_none_is_richards(tmp_path: Path) -> None:
    """§ End: two of John's players tie ahead of Richard's only one."""
    cards = by(tmp_path, 3, time=1)
    table = deal("bypwrg", "gggggb", "ppbyww", sides="jrj", cards=cards)
    table.play("inquisitor", "merchant", "spy", "b", "1", "@1", "1", "y", "2", "@1g", "r")
    assert table.points == (5, 0, 5)
    table.outcome("rgbpyw")
    assert (table.at.ending, table.points) == ("C", (5, 4, 5))
    assert table.at.returns() == pytest.approx([1 / 4, -1 / 2, 1 / 4])


# All headings of the rulebook in their order, and the tests of each

HEADINGS: dict[str, tuple[str, ...]] = {
    "Introduction": ("test_introduction_one_winner_whatever_the_side",),
    "Components": (
        "test_components_165_influence_cards",
        "test_components_fourteen_counselors_a_side_and_eighteen_events",
    ),
    "Setup": (
        "test_setup_twelve_cards_of_each_colour_in_the_supply",
        "test_setup_six_cards_or_seven",
        "test_setup_loyalty_cards_and_forced_loyalty",
        "test_setup_one_counselor_of_the_own_side",
        "test_setup_tracks_and_points",
        "test_setup_an_empty_supply_is_formed_anew_in_the_middle_of_a_draw",
        "test_setup_an_empty_supply_is_formed_anew_at_the_end_of_a_draw_too",
        "test_setup_an_empty_supply_is_formed_anew_while_hands_are_dealt",
        "test_setup_a_short_reserve_gives_the_new_supply_what_there_is",
        "test_setup_a_card_that_cannot_be_drawn_is_lost",
        "test_setup_every_card_that_cannot_be_drawn_is_lost",
    ),
    "Crusade events, an option": (
        "test_events_are_an_option",
        "test_events_shuffled_any_of_those_left",
        "test_events_in_historical_order",
        "test_events_no_more_after_eighteen_turns",
    ),
    "The Crusade deck": ("test_crusade_deck_two_enemy_cards_a_player",),
    "Turn Structure": (
        "test_turn_structure_phases_in_order",
        "test_turn_structure_the_first_player_changes_clockwise",
    ),
    "1 - Revealing the event": ("test_event_phase_the_event_is_read_aloud",),
    "2 - Influence": (
        "test_influence_only_free_characters",
        "test_influence_not_the_own_character_of_last_turn",
        "test_influence_not_for_two_turns",
        "test_influence_eight_players_only_the_own_last_character_is_free",
        "test_influence_the_only_free_character_takes_no_counselor",
        "test_influence_the_last_to_place_takes_a_green_card_and_one_of_choice",
        "test_influence_the_card_of_choice_is_one_in_stock",
        "test_influence_the_only_green_card_is_not_there_to_be_chosen",
        "test_influence_without_green_cards_only_the_one_of_choice",
        "test_influence_with_an_empty_reserve_no_card_at_all",
    ),
    "3 - Actions": (
        "test_actions_the_option_is_chosen_when_its_turn_comes",
        "test_actions_who_can_pay_nothing_is_passed_over",
        "test_actions_who_can_pay_nothing_still_decides_with_a_counselor",
        "test_actions_a_fixed_take_of_nothing",
    ),
    "Exciseman": (
        "test_exciseman_takes_two_yellow_and_draws_one",
        "test_exciseman_offers_start_at_the_left_of_the_caller",
        "test_exciseman_the_highest_offer_gets_three_points",
    ),
    "Inquisitor": (
        "test_inquisitor_one_point_for_each_green_card",
        "test_inquisitor_an_empty_hand_may_be_named",
        "test_inquisitor_two_green_cards_for_a_point_and_three_cards",
        "test_inquisitor_needs_two_green_cards",
    ),
    "Merchant": (
        "test_merchant_takes_two_blue_and_draws_one",
        "test_merchant_two_blue_and_two_white_for_three_points_and_two_cards",
        "test_merchant_needs_both_pairs",
        "test_merchant_gets_what_there_is_of_a_fixed_take",
    ),
    "Spy": (
        "test_spy_takes_purple_and_green_and_draws_one",
        "test_spy_one_point_for_each_card_of_the_colour_named",
        "test_spy_may_find_nothing",
        "test_spy_needs_two_purple_cards",
    ),
    "Master at arms": (
        "test_arms_takes_two_red_and_draws_one",
        "test_arms_offers_are_secret_until_all_are_made",
        "test_arms_the_highest_offer_wins_the_tournament",
        "test_arms_ties_are_counted_from_the_caller_clockwise",
        "test_arms_nobody_offers_anything",
    ),
    "Regent": (
        "test_regent_takes_two_white_and_draws_one",
        "test_regent_one_card_of_each_colour_for_five_points_and_four_cards",
        "test_regent_needs_all_six_colours",
    ),
    "Chancellor": (
        "test_chancellor_draws_two_and_takes_one_of_choice",
        "test_chancellor_draws_a_counselor_and_takes_one_of_choice",
        "test_chancellor_without_counselors_has_one_option",
        "test_chancellor_with_an_empty_deck_only_takes_one_of_choice",
        "test_chancellor_a_counselor_is_used_once_and_never_comes_back",
    ),
    "Bandit": ("test_bandit_one_card_for_a_point_and_two_cards",),
    "4 - Contribution": (
        "test_contribution_two_secret_cards_each",
        "test_contribution_a_point_lost_for_a_missing_card",
        "test_contribution_of_the_last_card",
        "test_contribution_points_below_zero",
    ),
    "5 - Outcome": (
        "test_outcome_twice_as_many_cards_as_players",
        "test_outcome_comparisons",
        "test_outcome_nothing_falls_below_zero",
        "test_outcome_time_is_at_most_twelve",
        "test_outcome_the_rest_of_the_deck_stays",
        "test_outcome_time_from_one_to_zero_and_back_does_not_end_the_game",
        "test_outcome_nothing_brings_time_back_after_turn_24",
    ),
    "6 - Consequences of the event": (
        "test_consequences_of_events_1_to_15",
        "test_consequences_raise_a_weakened_army",
        "test_consequences_a_card_may_be_returned_for_a_point",
        "test_consequences_everybody_draws",
        "test_consequences_revealed_cards_go_back_to_the_reserve",
    ),
    "End of the Game": (
        "test_end_an_event_may_save_the_crusaders",
        "test_end_a_the_crusaders_are_lost",
        "test_end_b_saladin_is_beaten",
        "test_end_b_for_one_and_two_players",
        "test_end_c_richard_is_home",
        "test_end_d_richard_is_deposed",
        "test_end_a_and_b_come_before_d",
        "test_end_a_and_b_come_before_c_and_c_before_d",
        "test_end_returns_are_zero_before_the_end",
        "test_end_counselors_1_to_6",
        "test_end_counselor_5_counts_cards_in_hand",
        "test_end_counselors_2_and_6_when_richard_is_home",
        "test_end_counselor_1_after_every_ending",
        "test_end_counselor_2_after_every_ending",
        "test_end_counselor_3_by_the_treasury",
        "test_end_counselor_6_by_the_time",
        "test_end_ties_go_to_the_side_of_the_ending",
        "test_end_all_the_tied_share_if_none_is_of_that_side",
        "test_end_ties_after_ending_c_go_to_richards_side",
        "test_end_all_the_tied_share_after_ending_c_if_none_is_richards",
    ),
    "Counselors": (
        "test_counselor_7_takes_two_own_cards",
        "test_counselor_8_takes_two_colours",
        "test_counselor_9_draws_three",
        "test_counselor_10_swaps_a_card",
        "test_counselor_11_sells_a_pair",
        "test_counselor_12_contributes_a_third_card",
        "test_counselor_13_uncounts_an_enemy_card",
        "test_counselor_13_needs_an_enemy_card",
        "test_counselor_14_stays_on_a_character",
    ),
}


def test_every_heading_has_tests_and_every_test_a_heading() -> None:
    listed: tuple[str, ...] = (
        "Introduction",
        "Components",
        "Setup",
        "Crusade events, an option",
        "The Crusade deck",
    )
    listed += ("Turn Structure", "1 - Revealing the event", "2 - Influence", "3 - Actions")
    listed += ("Exciseman", "Inquisitor", "Merchant", "Spy", "Master at arms", "Regent")
    listed += ("Chancellor", "Bandit", "4 - Contribution", "5 - Outcome")
    listed += ("6 - Consequences of the event", "End of the Game", "Counselors")
    assert tuple(HEADINGS) == listed
    assert all(HEADINGS.values())
    named = [name for names in HEADINGS.values() for name in names]
    here = {name for name in globals() if name.startswith("test_")}
    here.remove("test_every_heading_has_tests_and_every_test_a_heading")
    assert len(named) == len(set(named))
    assert set(named) == here
