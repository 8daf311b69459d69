"""Charlemagne: the rulebook, paragraph by paragraph, with the rulings of RULES.md.

Every expectation is worked out by hand. Games are arranged from the start: the tests choose the
pieces that are drawn and the cards that are dealt. `HEADINGS` says which tests belong to which
heading. Where the rulebook's own examples slip, the numbers are the corrected ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb
from pathlib import Path
from typing import Any

import pytest

from engines import charlemagne_data
from engines.charlemagne import CARDS, KINDS, Position

DRAWS = ("start", "loot", "harvest", "extra", "alms")
PLAIN = "bbrrsskk"
FIRST_YEAR = 999


def text_of(counts: Sequence[int]) -> str:
    return "".join(kind * n for kind, n in zip(KINDS, counts, strict=True))


class Table:
    """A game under way, played by texts."""

    def __init__(self, position: Position) -> None:
        self.at = position

    @property
    def node(self) -> tuple[str, int, str]:
        kind, seat, what = self.at.node
        return kind, seat, what

    @property
    def seat(self) -> int:
        return self.at.node.seat

    @property
    def what(self) -> str:
        return self.at.node.what

    @property
    def points(self) -> tuple[int, ...]:
        return self.at.points

    @property
    def public(self) -> dict[str, Any]:
        return self.at.public

    def legal(self) -> tuple[str, ...]:
        return self.at.legal_moves()

    def storage(self, seat: int) -> str:
        return text_of(self.at.piles["storages"][seat])

    def stock(self) -> str:
        return text_of(self.at.piles["stock"])

    def privileges(self, seat: int) -> str:
        """By the letters of the kinds that they yield."""
        return text_of(self.public["privileges"][seat])

    def king(self) -> str:
        return text_of(self.public["king"])

    def hand(self, seat: int) -> list[str]:
        return [CARDS[card] for card in self.at.piles["hands"][seat]]

    def labels(self, text: str) -> list[str]:
        return [self.at.label(text, viewer) for viewer in range(len(self.points))]

    def play(self, *texts: str) -> Table:
        for text in texts:
            self.at = self.at.play(text)
        return self

    def draw(self, pieces: str) -> Table:
        """One whole draw: these pieces."""
        name, last = self.what, -1
        assert name in DRAWS
        while self.what == name:
            kind = next(iter(self.at.outcomes()))[0]
            if KINDS.index(kind) <= last:
                break  # of the next noble's draw
            last = KINDS.index(kind)
            self.play(f"{kind}{pieces.count(kind)}")
        return self

    def until(self, what: str, seat: int | None = None) -> Table:
        """As little as possible is done at every node before the wanted one."""
        while self.what != what or seat not in (None, self.seat):
            assert not self.at.over, f"no {what} any more"
            self.play(self.something())
        return self

    def something(self) -> str:
        possible = self.legal() or tuple(self.at.outcomes())
        if self.what == "church":
            return possible[0]
        nothing = ("pass", "end", "decline", "random", "yield")
        return next((text for text in nothing if text in possible), possible[-1])

    def win(self, seat: int, bid: str = "") -> Table:
        """The campaign; by a bid if he is asked before all others have passed."""
        self.until("bid")
        while self.what == "bid":
            if self.seat == seat:
                self.play(*bid, "stop")
            else:
                self.play("pass")
        assert self.public["winner"] == seat
        return self

    def year_of(self, seat: int, bid: str = "", reward: str = "", lead: str = "") -> Table:
        """From one Winter to the next: he wins, and nobody does anything else."""
        if self.what == "lead":
            self.play(lead or self.legal()[0])
        self.win(seat, bid)
        if self.what == "reward":
            self.play(reward or self.legal()[0])
        return self.until("lead")


def deal(
    *storages: str,
    hands: Sequence[Sequence[str]] = (),
    farmstead: str = "random",
    cards: Path | None = None,
) -> Table:
    """A game with these pieces and, among others, these cards in the hands."""
    table = Table(Position.start(len(storages), farmstead, cards=cards))
    for seat, pieces in enumerate(storages):
        table.draw(pieces)
        assert table.storage(seat) == pieces
    wanted = {card: seat for seat, names in enumerate(hands) for card in names}
    while table.what == "card":
        places = table.at.outcomes()
        card = next(iter(places)).split()[0]
        for text, free in places.items():
            seat = int(text[-1])
            kept = sum(to == seat and name != card for name, to in wanted.items())
            if wanted.get(card, seat) == seat and (card in wanted or free > kept):
                table.play(text)
                break
        wanted.pop(card, None)
    return table


def by(folder: Path, players: int, **changed: object) -> Path:
    """A file of the rulebook's numbers for so many players, some of them changed."""
    values = charlemagne_data.load().at(players)
    values["cards"] = [CARDS[card] for card in values["cards"]]
    values["first_card"] = CARDS[values["first_card"]]
    path = folder / "numbers.toml"
    written = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in {**values, "players": [players] * 2, **changed}.items()
    }
    path.write_text(
        "".join(f"[{name}]\nvalue = {value!r}\ntag = 'H'\n" for name, value in written.items()),
        "utf-8",
    )
    return path


def other_cards(first: str) -> list[str]:
    """24 cards to deal if the first year's is this one."""
    return [card for card in CARDS if card != first]


# § Game parts


def test_game_parts() -> None:
    """§ Game parts: 64 resources, 8 privileges, 25 cards, 6 castle pieces, 24 huts."""
    start = Position.start(4)
    assert start.piles["stock"] == [16] * 4
    assert start.public["king"] == [2] * 4
    assert len(start.piles["undealt"]) == 24
    assert start.card == "millennium"
    numbers = charlemagne_data.load().at(4)
    assert tuple(numbers["castle"]) == (1, 1, 1, 2, 2, 3)
    assert numbers["huts"] == 6


# § Setting up Charlemagne


@pytest.mark.parametrize("players", [2, 3, 4])
def test_setting_up_what_each_noble_gets(players: int) -> None:
    """§ Setting up: eight pieces, two huts, as many cards, nothing else; the rest is the stock."""
    table = deal(*["bbrrsskk"] * players)
    assert [table.storage(seat) for seat in range(players)] == [PLAIN] * players
    assert [len(table.hand(seat)) for seat in range(players)] == [24 // players] * players
    public = table.public
    assert public["huts"] == [2] * players
    assert public["builders"] == public["points"] == [0] * players
    assert public["privileges"] == [[0] * 4] * players
    assert len(table.stock()) == 64 - 8 * players


def test_setting_up_pieces_are_random_and_invisible() -> None:
    """§ Setting up: one node for each kind but the last; the others see that something came."""
    table = Table(Position.start(3))
    assert table.node == ("chance", 0, "start")
    assert table.at.outcomes()["b3"] == comb(16, 3) * comb(48, 5)
    assert table.labels("b3") == ["0 start b3", "0 start ?", "0 start ?"]
    table.play("b3")
    assert table.at.outcomes()["r3"] == comb(16, 3) * comb(32, 2) == 277_760
    table.play("r3")
    assert table.at.outcomes() == {"s0": 120, "s1": 256, "s2": 120}
    table.play("s1")
    assert table.storage(0) == "bbbrrrsk"
    assert table.node == ("chance", 1, "start")


def test_setting_up_forced_outcomes_keep_their_nodes() -> None:
    """§ Setting up; ruling "Chance nodes": b = m, and a stock without b."""
    table = Table(Position.start(3)).play("b8")
    assert table.node == ("chance", 0, "start")
    assert table.at.outcomes() == {"r0": 1}
    assert table.play("r0").at.outcomes() == {"s0": 1}
    table.play("s0").play("b8", "r0", "s0")
    assert table.node == ("chance", 2, "start")
    assert table.at.outcomes() == {"b0": comb(48, 8)}


def test_setting_up_a_draw_of_the_whole_stock(tmp_path: Path) -> None:
    """§ Setting up; ruling "Chance nodes": m = the whole stock, three nodes all the same."""
    table = Table(Position.start(2, cards=by(tmp_path, 2, pieces=[2, 2, 3, 1], start=4)))
    table.draw("bsss")
    assert table.at.outcomes() == {"b1": 1}
    assert table.play("b1").at.outcomes() == {"r2": 1}
    assert table.play("r2").at.outcomes() == {"s0": 1}
    assert table.play("s0").storage(1) == "brrk"
    assert table.what == "card"
    assert table.stock() == ""


def test_setting_up_kinds_that_are_not_in_play_have_no_node(tmp_path: Path) -> None:
    """§ Setting up; ruling "Chance nodes": data with two or three kinds."""
    two = Table(Position.start(2, cards=by(tmp_path, 2, pieces=[0, 9, 0, 9])))
    assert two.at.outcomes()["r4"] == 126 * 126
    assert two.play("r4").storage(0) == "rrrrkkkk"
    assert two.node == ("chance", 1, "start")
    three = Table(Position.start(2, cards=by(tmp_path, 2, pieces=[9, 0, 9, 9])))
    three.play("b2")
    assert "s3" in three.at.outcomes()
    assert three.play("s3").storage(0) == "bbssskkk"


def test_setting_up_cards_are_dealt_evenly_and_unseen() -> None:
    """§ Setting up: each card to a free place; even the last ones, of one free hand, are nodes."""
    table = Table(Position.start(2)).draw(PLAIN).draw(PLAIN)
    for dealt in range(12):
        card = CARDS[dealt]
        assert table.node == ("chance", -1, "card")
        assert table.at.outcomes() == {f"{card} @0": 12 - dealt, f"{card} @1": 12}
        assert table.labels(f"{card} @0") == [f"card {card} @0", f"card {card} ?"]
        table.play(f"{card} @0")
    for dealt in range(12, 24):
        assert table.at.outcomes() == {f"{CARDS[dealt]} @1": 24 - dealt}
        table.play(f"{CARDS[dealt]} @1")
    assert table.hand(1) == list(CARDS[12:24])
    assert table.node == ("decision", 0, "bid")


# § Of Farmsteads and Huts


def test_of_farmsteads_a_noble_without_huts_keeps_his_minimal_income(tmp_path: Path) -> None:
    """§ Of Farmsteads and Huts: the farmstead alone brings one piece."""
    table = deal(PLAIN, PLAIN, cards=by(tmp_path, 2, huts_start=0)).win(1)
    table.until("harvest")
    assert table.node == ("chance", 1, "harvest")
    table.draw("k")
    assert table.storage(1) == "bbrrsskkk"
    assert table.node == ("chance", 0, "harvest")


# § Of Barley, Riches, Serfs and Knights

VALUES = {  # of b r s k
    "war": (1, 3, 2, 4),
    "taxes": (3, 4, 1, 2),
    "disaster": (4, 2, 3, 1),
    "unrest": (2, 1, 4, 3),
}


@pytest.mark.parametrize("problem", VALUES)
def test_of_barley_riches_serfs_and_knights_values(tmp_path: Path, problem: str) -> None:
    """§ Of Barley, Riches, Serfs and Knights: each is best against the problem it is made for."""
    first = f"{problem}-privilege-b"
    cards = by(tmp_path, 2, first_card=first, cards=other_cards(first))
    for ours, own in zip(KINDS, VALUES[problem], strict=True):
        for theirs, other in zip(KINDS, VALUES[problem], strict=True):
            table = deal(PLAIN, PLAIN, cards=cards).play(ours, "stop")
            enough = theirs in table.legal() and "stop" in table.play(theirs).legal()
            assert enough is (other > own), (ours, theirs)


# § Of the King's Privileges


@pytest.mark.parametrize(
    ("privilege", "kind"), [("mill", "b"), ("toll", "r"), ("guild", "s"), ("armoury", "k")]
)
def test_of_the_kings_privileges_what_each_yields(privilege: str, kind: str) -> None:
    """§ Of the King's Privileges: Barley, Riches, Serfs, Knights."""
    table = deal(PLAIN, PLAIN).win(1)
    assert table.legal() == ("mill", "toll", "guild", "armoury")
    assert table.labels(privilege) == [f"1 {privilege}"] * 2
    table.play(privilege)
    assert table.privileges(1) == kind
    table.until("income")
    assert table.node == ("chance", 1, "income")
    assert table.at.outcomes() == {kind: 1}
    assert table.labels(kind) == [f"1 income {kind}"] * 2
    before = table.storage(1)
    assert sorted(table.play(kind).storage(1)) == sorted(before + kind)


# § Of problems and Agenda Cards


def test_of_problems_each_card_is_solved_once() -> None:
    """§ Of problems and Agenda Cards: the card of a year is in nobody's hand afterwards."""
    table = deal(PLAIN, PLAIN, hands=[[], ["war-privilege-k"]]).year_of(1)
    assert table.public["solved"] == [24]
    table.play("war-privilege-k")
    assert table.at.card == "war-privilege-k"
    table.win(0)
    assert table.at.card == ""
    assert table.public["solved"] == [3, 24]
    assert "war-privilege-k" not in table.hand(0) + table.hand(1)


# § Order of play


def test_order_of_play_four_seasons_one_after_the_other() -> None:
    """§ Order of play: Spring, Summer, Fall with its four steps; and then Winter."""
    table = deal(PLAIN, PLAIN, farmstead="choice")
    assert table.at.year == FIRST_YEAR
    chosen = iter(("pass", "mill", "forage @0", "yield", "end"))
    found: list[str] = []
    while table.at.year == FIRST_YEAR or found[-1] != "bid":
        if found[-1:] != [table.what]:
            found.append(table.what)
        if table.what == "farmstead":
            table.play("b")
        elif table.what == "loot":
            table.play(table.something())
        else:
            table.play(next(chosen, table.something()))
    assert found == [
        *("bid", "reward", "rule", "raid", "rule", "loot", "rule"),
        *("farmstead", "harvest", "income", "church", "lead", "bid"),
    ]


def test_order_of_play_all_four_nobles_finish_a_step_of_fall_before_the_next() -> None:
    """§ Order of play; § IV Fall: harvests of all, then privileges of all."""
    table = deal(*[PLAIN] * 4).win(3).play("mill", *["end"] * 4)
    for seat in (3, 0, 1, 2):
        assert table.node == ("chance", seat, "harvest")
        table.draw("bk")
    assert table.node == ("chance", 3, "income")


# § I.1 The agenda cards

SYMBOLS = {
    **{f"{problem}-privilege-{kind}": kind for problem in VALUES for kind in KINDS},
    "war-castle-b": "b",
    "war-castle-k": "k",
    "taxes-castle-r": "r",
    "taxes-castle-s": "s",
    "disaster-castle-b": "b",
    "disaster-castle-k": "k",
    "unrest-castle-r": "r",
    "unrest-castle-s": "s",
}
PRIVILEGE_OF = {"b": "mill", "r": "toll", "s": "guild", "k": "armoury"}


@pytest.mark.parametrize("card", SYMBOLS)
def test_agenda_cards_symbols_of_return(card: str) -> None:
    """§ I.1: the symbol in the corner is the privilege that a change costs."""
    for kind, privilege in PRIVILEGE_OF.items():
        table = deal(PLAIN, PLAIN, hands=[[], [card]])
        table.year_of(0, "r", reward=privilege).year_of(1)
        assert table.seat == 1
        table.play(card)
        asked = ("decision", 0, "change") if kind == SYMBOLS[card] else ("decision", 1, "bid")
        assert table.node == asked


@pytest.mark.parametrize("card", SYMBOLS)
def test_agenda_cards_rewards(card: str) -> None:
    """§ I.1: a privilege to choose, or a piece of the castle and no privilege."""
    table = deal(PLAIN, PLAIN, hands=[[], [card]]).year_of(1).play(card).win(0)
    assert table.points == (1, 1)
    castle = "castle" in card
    assert table.public["built"] == castle
    assert table.what == ("rule" if castle else "reward")


def test_agenda_cards_the_first_years_card_is_an_unrest_privilege_serf(tmp_path: Path) -> None:
    """§ I.1; § Setting up: in all but its name the same as `unrest-privilege-s`."""
    cards = by(
        tmp_path, 2, first_card="unrest-privilege-s", cards=other_cards("unrest-privilege-s")
    )
    table = deal(PLAIN, PLAIN, hands=[[], ["millennium"]], cards=cards)
    table.year_of(0, "r", reward="guild").year_of(1).play("millennium")
    assert table.node == ("decision", 0, "change")
    table.play("pass", "s", "stop")  # 4 points
    assert "stop" not in table.play("b", "b").legal()  # 4 points
    assert "stop" in table.play("b").legal()
    table.play("stop", "pass")
    assert table.node == ("decision", 0, "reward")


# § I.2 The procedure


def test_procedure_first_year() -> None:
    """§ I.2, First year: the card is given, seat 0 bids first, nobody can change it."""
    table = deal(*[PLAIN] * 3)
    assert table.at.card == "millennium"
    assert table.node == ("decision", 0, "bid")


def test_procedure_the_last_winner_leads_and_must() -> None:
    """§ I.2, Later years: one of his own cards; he opens the bidding if it stays."""
    table = deal(*[PLAIN] * 3).year_of(2)
    assert table.node == ("decision", 2, "lead")
    assert table.legal() == tuple(table.hand(2))
    card = table.legal()[3]
    assert table.labels(card) == [f"2 {card}"] * 3
    table.play(card)
    assert table.at.card == card
    assert card not in table.hand(2)
    assert table.node == ("decision", 2, "bid")


def test_procedure_a_leader_without_cards(tmp_path: Path) -> None:
    """§ I.2, Later years: the next player clockwise who has one."""
    cards = by(
        tmp_path, 3, cards=["war-privilege-b", "war-privilege-r", "war-castle-b"], castle=[1]
    )
    hands = [["war-privilege-r"], ["war-castle-b"], ["war-privilege-b"]]
    table = deal(*[PLAIN] * 3, hands=hands, cards=cards)
    table.year_of(0, "r").year_of(0, "b")
    assert table.public["winner"] == 0
    assert table.hand(0) == []
    assert table.node == ("decision", 1, "lead")
    table.play("war-castle-b")
    assert table.node == ("decision", 1, "bid")


def test_procedure_a_change_of_the_agenda() -> None:
    """§ I.2, Changing: the privilege to the King, the card into the hand, another on the table."""
    hands = [["taxes-privilege-k"], ["war-privilege-b"]]
    table = deal(PLAIN, PLAIN, hands=hands).year_of(0, "r", reward="mill").year_of(1, reward="toll")
    king, cards = table.king(), len(table.hand(0))
    table.play("war-privilege-b")
    assert table.node == ("decision", 0, "change")
    assert table.legal() == (*table.hand(0), "pass")
    assert "war-privilege-b" not in table.legal()
    assert table.labels("taxes-privilege-k") == ["0 taxes-privilege-k"] * 2
    table.play("taxes-privilege-k")
    assert table.privileges(0) == ""
    assert table.king() == "b" + king
    assert table.at.card == "taxes-privilege-k"
    assert "war-privilege-b" in table.hand(0)
    assert len(table.hand(0)) == cards
    assert table.node == ("decision", 0, "bid")  # whose card it is


def test_procedure_a_change_may_be_passed_on() -> None:
    """§ I.2: one opportunity, that need not be taken; the first player's card stays."""
    table = deal(PLAIN, PLAIN, hands=[[], ["war-privilege-b"]])
    table.year_of(0, "r", reward="mill").year_of(1).play("war-privilege-b", "pass")
    assert table.privileges(0) == "b"
    assert table.at.card == "war-privilege-b"
    assert table.node == ("decision", 1, "bid")


def four_with_a_privilege_each(hands: Sequence[Sequence[str]]) -> Table:
    """Seat 0 leads; he has a Mill, the others Toll, Guild, Armoury in their order."""
    leads = ("", "war-privilege-b", "taxes-privilege-b", "disaster-privilege-b")
    table = deal(*[PLAIN] * 4, hands=hands)
    for seat, lead, reward in zip((3, 2, 1, 0), leads, ("armoury", "guild", "toll", "mill"),
                                  strict=True):  # fmt: skip
        table.year_of(seat, lead=lead, reward=reward)
    assert [table.privileges(seat) for seat in range(4)] == list("brsk")
    assert table.node == ("decision", 0, "lead")
    return table


CHAIN = [
    ["war-privilege-r"],
    ["taxes-privilege-s", "disaster-privilege-b"],
    ["disaster-privilege-k", "taxes-privilege-b", "unrest-privilege-r"],
    ["unrest-privilege-b", "war-privilege-b"],
]


def test_procedure_three_changes_in_one_year() -> None:
    """§ I.2: three privileges are returned, and the leader is not asked again."""
    table = four_with_a_privilege_each(CHAIN)
    king = table.king()
    table.play("war-privilege-r")
    for seat, card in (
        (1, "taxes-privilege-s"),
        (2, "disaster-privilege-k"),
        (3, "unrest-privilege-b"),
    ):
        assert table.node == ("decision", seat, "change")
        table.play(card)
    assert table.node == ("decision", 3, "bid")  # although the leader has a Mill
    assert len(table.king()) == len(king) + 3
    assert [table.privileges(seat) for seat in range(4)] == ["b", "", "", ""]
    assert "war-privilege-r" in table.hand(1)
    assert "taxes-privilege-s" in table.hand(2)
    assert "disaster-privilege-k" in table.hand(3)
    table.play("pass")
    assert table.node == ("decision", 0, "bid")  # clockwise from whose card it is


def test_procedure_a_change_gives_the_next_noble_the_right_or_takes_it() -> None:
    """§ I.2: what a change costs is on the card that is on the table now."""
    table = four_with_a_privilege_each(CHAIN).play("war-privilege-r")
    kept = Table(table.at).play("pass")
    assert kept.node == ("decision", 0, "bid")  # nobody else has a Toll
    assert table.play("taxes-privilege-s").node == ("decision", 2, "change")
    table.play("pass")
    assert table.node == ("decision", 1, "bid")
    taken = four_with_a_privilege_each([["war-privilege-s"], *CHAIN[1:]]).play("war-privilege-s")
    assert taken.node == ("decision", 2, "change")
    passed = Table(taken.at).play("pass")
    assert passed.node == ("decision", 0, "bid")
    assert taken.play("unrest-privilege-r").node == ("decision", 2, "bid")  # 3 has no Toll


def test_procedure_a_change_with_exactly_one_card(tmp_path: Path) -> None:
    """§ I.2: the last card of his own is enough."""
    some = ["war-privilege-b", "war-castle-b", "taxes-privilege-r", "taxes-privilege-s"]
    table = deal(
        PLAIN, PLAIN, hands=[some[2:], some[:2]], cards=by(tmp_path, 2, cards=some, castle=[1])
    )
    table.year_of(0, "r", reward="mill").year_of(1, lead="taxes-privilege-s", reward="toll")
    table.play("war-privilege-b")
    assert table.node == ("decision", 0, "change")
    assert table.legal() == ("taxes-privilege-r", "pass")
    table.play("taxes-privilege-r")
    assert table.hand(0) == ["war-privilege-b"]


def test_procedure_without_a_card_no_change(tmp_path: Path) -> None:
    """§ I.2: he cannot play the one he just took; so without a card there is no node."""
    some = ["war-castle-b", "taxes-privilege-s"]
    table = deal(
        PLAIN, PLAIN, hands=[some[1:], some[:1]], cards=by(tmp_path, 2, cards=some, castle=[1])
    )
    table.year_of(0, "r", reward="mill").year_of(1, reward="toll").play("war-castle-b")
    assert (table.privileges(0), table.hand(0)) == ("b", [])
    assert table.node == ("decision", 1, "bid")


# § II.1


def test_bidding_the_example() -> None:
    """§ II.1, Example, corrected: 6, 8, 10, 15; a Serf comes back, b and s are lost."""
    table = deal("bbrrrsss", PLAIN, PLAIN, "bbbbsssk")
    stock = table.stock()
    table.play("b", "s", "stop", "pass", "pass")
    assert table.node == ("decision", 3, "bid")
    table.play("s")
    assert "stop" not in table.legal()  # 4 points against 6
    table.play("s", "stop")
    assert table.node == ("decision", 0, "bid")  # who has passed is asked no more
    table.play("s")
    assert "stop" in table.legal()  # 10 against 8
    table.play("stop", "s")
    assert "stop" in table.legal()  # 12 against 10
    table.play("k", "stop")
    assert table.public["bids"] == [[1, 0, 1, 0], [0] * 4, [0] * 4, [0, 0, 2, 0]]
    assert table.public["raises"] == [[0, 0, 1, 0], [0] * 4, [0] * 4, [0, 0, 1, 1]]
    table.play("pass")
    assert table.storage(0) == "brrrss"
    assert table.storage(3) == "bbbb"
    assert sorted(table.stock()) == sorted(stock + "bs" + "sssk")
    assert table.node == ("decision", 3, "reward")
    assert table.points == (0, 0, 0, 1)


@pytest.mark.parametrize("outbid", [True, False])
def test_bidding_everything_at_once(outbid: bool) -> None:
    """§ II.1, Examples: no maximum; outbid, all of it comes back, else all of it is paid."""
    table = deal("bbbbbrrr", PLAIN).play(*"bbbbbrrr")
    assert table.legal() == ("stop",)  # with nothing left, the raise is not over by itself
    table.play("stop")  # 13 points
    if outbid:
        table.play("s", "s", "k", "k", "stop")  # 14 points
        assert table.legal() == ("pass",)
    table.play("pass")
    assert table.storage(0) == ("bbbbbrrr" if outbid else "")
    assert table.seat == (1 if outbid else 0)


def test_bidding_must_be_higher_than_all_others() -> None:
    """§ II.1: not as high; and higher than the highest, whoever's it is."""
    table = deal(PLAIN, PLAIN, PLAIN).play("s", "stop", "b", "b")
    assert table.legal() == ("r", "s", "k")  # 4 points against 4
    table.play("r", "stop", "s")
    assert table.legal() == ("s", "k")  # 4 against 5
    table.play("k", "stop")
    assert table.node == ("decision", 0, "bid")
    assert "stop" not in table.play("b", "r").legal()  # 7 against 7
    assert "stop" in table.play("r").legal()


def test_bidding_a_piece_that_leads_nowhere_is_not_legal(tmp_path: Path) -> None:
    """§ II.1; ruling "Moves and chance": 3 to beat with b and k: b then k, but not k alone."""
    table = deal("kk", "bk", cards=by(tmp_path, 2, start=2)).play("k", "stop")
    assert table.legal() == ("b", "pass")
    assert table.play("b").legal() == ("k",)
    assert table.play("k").legal() == ("stop",)
    assert table.play("stop").seat == 0


def test_bidding_pieces_are_laid_in_one_order_and_openly() -> None:
    """§ II.1; ruling "Moves and chance": never back to an earlier kind; everybody sees them."""
    table = deal(PLAIN, PLAIN)
    assert table.legal() == ("b", "r", "s", "k", "pass")
    assert table.labels("r") == ["0 r", "0 r"]
    table.play("r")
    assert table.legal() == ("r", "s", "k", "stop")
    assert table.labels("stop") == ["0 stop", "0 stop"]
    assert table.storage(0) == "bbrsskk"
    table.play("stop")
    assert table.labels("pass") == ["1 pass", "1 pass"]


def test_bidding_the_last_not_to_pass_wins_unbid() -> None:
    """§ II.1: the bidding stops at once; he pays nothing and gets the whole reward."""
    table = deal(*[PLAIN] * 4).play("pass", "pass", "pass")
    assert table.node == ("decision", 3, "reward")
    assert table.points == (0, 0, 0, 1)
    assert table.storage(3) == PLAIN


def test_bidding_without_a_piece_that_could_do_it_one_must_pass(tmp_path: Path) -> None:
    """§ II.1: nobody can raise: the node is there, and somebody wins all the same."""
    some = ["war-privilege-b", "war-privilege-r", "war-privilege-s", "war-castle-b"]
    numbers = {"huts_start": 0, "farmstead_income": 0, "privileges": [0] * 4, "mercy_limit": 0}
    cards = by(tmp_path, 2, start=1, cards=some, castle=[1], **numbers)
    table = deal("b", "k", hands=[some[:2], some[2:]], cards=cards)
    table.play("b", "stop", "pass").until("lead")
    assert (table.storage(0), table.storage(1)) == ("", "k")
    table.play("war-privilege-b")
    assert table.legal() == ("pass",)
    table.play("pass").until("lead").play("war-privilege-s", "k", "stop")
    assert table.node == ("decision", 0, "bid")
    assert table.legal() == ("pass",)
    table.play("pass").until("lead").play("war-castle-b")
    assert table.storage(0) == table.storage(1) == ""
    assert table.node == ("decision", 1, "bid")
    assert table.legal() == ("pass",)
    table.play("pass")
    assert table.at.over
    assert table.points == (2, 2)


def test_bidding_the_winner_starts_each_sequence() -> None:
    """§ II.1, last lines: Summer and Fall from the winner on, clockwise."""
    table = deal(*[PLAIN] * 4).win(2, "s").play("mill")
    for seat in (2, 3, 0, 1):
        assert table.node == ("decision", seat, "rule")
        table.play("end")
    assert table.node == ("chance", 2, "harvest")
    assert table.until("lead").seat == 2


# § II.2 To the Victor


def test_victor_a_privilege_of_choice_must_be_taken() -> None:
    """§ II.2, Privileges: one point, and one of the King's."""
    table = deal(PLAIN, PLAIN).win(0, "s")
    assert table.legal() == ("mill", "toll", "guild", "armoury")
    table.play("guild")
    assert (table.privileges(0), table.king()) == ("s", "bbrrskk")
    assert table.points == (1, 0)


def test_victor_a_kind_that_the_king_lacks_from_a_player_of_choice() -> None:
    """§ II.2, Privileges: from one of two holders, with whose label all learn it."""
    hands = [[], ["war-privilege-r"], ["war-privilege-s"]]
    table = deal(*[PLAIN] * 3, hands=hands)
    table.year_of(2, reward="mill").year_of(1, reward="mill", lead="war-privilege-s")
    table.play("war-privilege-r").win(0)
    assert table.legal() == ("toll", "guild", "armoury", "mill @1", "mill @2")
    assert table.labels("mill @2") == ["0 mill @2"] * 3
    table.play("mill @2")
    assert [table.privileges(seat) for seat in range(3)] == ["b", "b", ""]


def test_victor_a_kind_of_which_he_holds_both_is_no_reward(tmp_path: Path) -> None:
    """§ II.2, Privileges: nobody else has it; holding every privilege, the point alone."""
    table = deal(PLAIN, PLAIN, cards=by(tmp_path, 2, privileges=[2, 1, 0, 0]))
    table.year_of(0, "r", reward="mill").year_of(0, "r", reward="mill", lead=table.hand(0)[1])
    table.play(next(card for card in table.hand(0) if "privilege" in card)).win(0, "b")
    assert table.legal() == ("toll",)
    table.play("toll").until("lead")
    table.play(next(card for card in table.hand(0) if "privilege" in card)).win(0, "b")
    assert table.node == ("decision", 0, "rule")  # no node, for there is nothing to take
    assert table.points == (4, 0)


def test_victor_what_is_returned_in_winter_is_offered_in_spring() -> None:
    """§ II.2; § I.2: a privilege that a change brought back to the King."""
    hands = [["unrest-privilege-k"], ["war-privilege-b", "war-privilege-s"]]
    table = deal(PLAIN, PLAIN, hands=hands).year_of(0, "r", reward="mill")
    table.year_of(0, "r", reward="mill", lead=table.hand(0)[0])
    table.year_of(
        1, lead=next(c for c in table.hand(0) if c.endswith("-privilege-r")), reward="toll"
    )
    table.play("war-privilege-b", "unrest-privilege-k").win(1)
    assert table.legal() == ("mill", "toll", "guild", "armoury")


CASTLE = [card for card in CARDS if "castle" in card]


def test_victor_castle_building_the_example() -> None:
    """§ II.2, Example, corrected: the fourth piece with two builders, 6 points, no privilege."""
    table = deal("bbbbssss", "kkkkkkkk", hands=[CASTLE, []])
    table.win(0, "b").play("mill", "hut", "hut", *["end"] * 2).until("lead")
    for card in CASTLE[:3]:
        before = table.points[0]
        table.play(card)
        table.win(0, "b" if "b" in table.legal() else "s")
        assert table.points[0] == before + 1
        assert table.what == "rule"
        if card == CASTLE[2]:
            table.play("builder", "builder")
        table.until("lead")
    assert (table.public["huts"][0], table.public["builders"][0]) == (4, 2)
    before, held, serfs = table.points[0], table.privileges(0), table.stock().count("s")
    paid = "b" if "b" in table.storage(0) else "s"
    table.play(CASTLE[3]).win(0, paid)
    assert table.points[0] == before + 6
    assert table.privileges(0) == held
    assert (table.public["huts"][0], table.public["builders"][0]) == (2, 0)
    assert table.stock().count("s") == serfs + 2 + (paid == "s")
    assert table.node == ("decision", 0, "rule")


@pytest.mark.parametrize("piece", [1, 2, 3])
@pytest.mark.parametrize("builders", [0, 1, 2, 3])
def test_victor_points_of_a_castle_piece(tmp_path: Path, piece: int, builders: int) -> None:
    """§ II.2: the piece times the builders and one: at most 12, and 9 for the sixth with two."""
    cards = by(tmp_path, 2, castle=[piece, 1], huts_start=6)
    table = deal("bbbbbsss", PLAIN, hands=[CASTLE, []], cards=cards).win(0, "b").play("mill")
    table.play(*["builder"] * builders).until("lead").play(CASTLE[0]).win(0, "b")
    assert table.points == (1 + piece * (builders + 1), 0)
    assert table.public["huts"][0] == 6 - builders
    assert table.public["builders"] == [0, 0]


def test_victor_builders_on_all_huts(tmp_path: Path) -> None:
    """§ II.2: all of them and their huts are removed; no hut is left."""
    table = deal("bbbbssss", "kkkkkkkk", hands=[CASTLE, []]).win(0, "b").play("mill")
    table.play("builder", "end", "forage @0", "yield", "end").until("lead")
    assert (table.public["huts"][0], table.public["builders"][0]) == (1, 1)
    table.play(CASTLE[0]).win(0, "b")
    assert (table.public["huts"][0], table.public["builders"][0]) == (0, 0)
    assert table.points[0] == 1 + 2


# § III Summer: Ruling the lands


def ruling(*storages: str, bid: str = "", reward: str = "mill", **how: Any) -> Table:
    """Seat 0 has won the first year with the bid and rules his lands."""
    table = deal(*storages, **how)
    if bid:
        table.win(0, bid)
    else:
        table.win(0, table.legal()[0])
    if table.what == "reward":
        table.play(reward)
    assert table.node == ("decision", 0, "rule")
    return table


def test_summer_any_actions_in_any_order() -> None:
    """§ III: no limit, everything used is discarded at once, and one may do nothing."""
    table = ruling("bbbrrssk", PLAIN, bid="b")
    stock = table.stock()
    assert table.legal() == ("hut", "builder", "forage @1", "bribe @1", "end")
    assert table.labels("hut") == ["0 hut", "0 hut"]
    table.play("hut", "bribe @1", "hut", "builder", "bribe @1", "forage @1", "yield", "builder")
    assert table.storage(0) == ""
    assert sorted(table.stock()) == sorted(stock + "bb" + "rr" + "kk" + "k")
    assert table.legal() == ("end",)
    table.play("end").draw("bk")
    assert table.node == ("decision", 1, "rule")
    assert table.play("end").what == "harvest"


# § III.1 Population growth


def test_population_growth_one_barley_a_hut_and_six_at_most() -> None:
    """§ III.1: each Barley is a hut; what was lost may be built again."""
    table = ruling("bbbbbbbb", "rrsskkkk", bid="b")
    for huts in range(3, 7):
        assert "hut" in table.legal()
        table.play("hut")
        assert table.public["huts"][0] == huts
    assert table.storage(0) == "bbb"
    assert "hut" not in table.legal()
    table.play("end", "forage @0", "yield", "end").draw("rr").until("rule", 0)
    assert table.public["huts"][0] == 5
    assert table.play("hut").public["huts"][0] == 6


def test_population_growth_not_between_a_builder_and_a_forage_or_bribe() -> None:
    """§ III.1; ruling "Moves and chance": no two orders of the same."""
    table = ruling("bbbrrsss", PLAIN, bid="b").play("builder")
    assert table.legal() == ("bribe @1", "end")
    assert "hut" in Table(table.at).play("bribe @1").legal()
    raid = ruling("bbbssskk", PLAIN, bid="b").play("builder")
    assert "hut" not in raid.legal()
    assert "hut" in raid.play("forage @1", "defend").legal()
    table.play("end").until("rule", 0)
    assert "hut" in table.legal()  # a new turn


# § III.2 Builders


@pytest.mark.parametrize(("huts", "most"), [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2), (5, 2), (6, 3)])
def test_builders_on_at_most_half_of_the_huts(tmp_path: Path, huts: int, most: int) -> None:
    """§ III.2: rounded down; a Serf leaves the storage and the stock does not get it."""
    table = ruling("bbbbssss", PLAIN, bid="b", cards=by(tmp_path, 2, huts_start=huts))
    stock = table.stock()
    for builders in range(1, most + 1):
        assert "builder" in table.legal()
        table.play("builder")
        assert table.public["builders"][0] == builders
    assert "builder" not in table.legal()
    assert table.storage(0) == "bbb" + "s" * (4 - most)
    assert (table.stock(), table.public["huts"][0]) == (stock, huts)


def test_builders_huts_with_one_are_not_harvested() -> None:
    """§ III.2: 2 huts with a builder on one bring nothing."""
    table = ruling("bbbbssss", PLAIN, bid="b").play("builder").until("harvest")
    assert table.node == ("chance", 0, "harvest")
    before = len(table.storage(0))
    assert len(table.draw("r").storage(0)) == before + 1


def test_builders_above_half_after_plundering_stay(tmp_path: Path) -> None:
    """§ III.2; ruling "Builder": the half is asked only when one is assigned."""
    table = ruling("bbbbssss", "kkkkkkkk", bid="b", cards=by(tmp_path, 2, huts_start=6))
    table.play(*["builder"] * 3, "end", *["forage @0", "yield"] * 3)
    assert (table.public["huts"][0], table.public["builders"][0]) == (3, 3)
    assert table.play("forage @0").legal() == ("yield builder",)
    table.play("yield builder", "end").draw("kk").until("rule", 0)
    assert (table.public["huts"][0], table.public["builders"][0]) == (2, 2)
    assert "builder" not in table.legal()
    assert "s" in table.storage(0)


# § III.3 Foraging


def foraging() -> Table:
    """§ III.3, Example: seat 0 is about to get his loot."""
    table = ruling("bbbbkkkk", "rrrssskk", PLAIN, PLAIN, bid="b")
    stock = table.stock()
    table.play("forage @1")
    assert table.node == ("decision", 1, "raid")
    assert table.legal() == ("defend", "yield")
    assert table.labels("defend") == ["1 defend"] * 4
    table.play("defend", "forage @1", "yield", "forage @2", "yield", "forage @1", "yield")
    assert table.public["huts"] == [2, 0, 1, 2]
    assert sorted(table.stock()) == sorted(stock + "kkkkk")  # the defender's too
    assert (table.storage(0), table.storage(1)) == ("bbb", "rrrsssk")
    return table


def test_foraging_the_example() -> None:
    """§ III.3, Example: two nobles plundered, one of them twice: four pieces, not six."""
    table = foraging().play("end")
    assert table.node == ("chance", 0, "loot")
    assert table.at.outcomes()["b2"] == comb(9, 2) * comb(29, 2)
    assert table.labels("b2") == ["0 loot b2", *["0 loot ?"] * 3]
    table.draw("bbsk")
    assert table.storage(0) == "bbbbbsk"
    assert table.node == ("decision", 1, "rule")


def test_foraging_yielding_with_a_knight_in_hand() -> None:
    """§ III.3: the defender chooses; yielding proves nothing, and keeps the Knight."""
    table = ruling("bbbbkkkk", PLAIN, bid="b").play("forage @1", "yield")
    assert table.storage(1) == PLAIN
    assert table.storage(0) == "bbbkkk"
    assert table.play("forage @1").legal() == ("defend", "yield")


def test_foraging_which_hut_is_lost_is_the_defenders_choice() -> None:
    """§ III.3: a free one, or one with its builder, whose Serf goes to the stock."""
    table = ruling("bbbbssss", "kkkkkkkk", bid="b").play("builder", "end")
    serfs = table.stock().count("s")
    table.play("forage @0")
    assert table.legal() == ("yield", "yield builder")
    table.play("yield builder")
    assert (table.public["huts"][0], table.public["builders"][0]) == (1, 0)
    assert table.stock().count("s") == serfs + 1
    assert table.play("forage @0").legal() == ("yield",)


def test_foraging_a_noble_without_huts_is_no_target() -> None:
    """§ III.3, Notice: the farmstead is never plundered."""
    table = ruling("bbbbkkkk", PLAIN, PLAIN, bid="b").play(*["forage @1", "yield"] * 2)
    assert table.public["huts"] == [2, 0, 2]
    assert "k" in table.storage(0)
    assert [move for move in table.legal() if "forage" in move] == ["forage @2"]


def test_foraging_the_next_noble_gets_his_own_spoils() -> None:
    """§ III.3, Notice: from the same victim; and a looted piece is there to defend."""
    table = ruling("bbbbkkkk", "brrrsssk", PLAIN, bid="b").play("forage @2", "yield", "end")
    table.draw("kk")
    table.play("forage @2", "yield", "end")
    assert table.node == ("chance", 1, "loot")
    table.draw("kk").play("forage @1")
    assert table.legal() == ("defend", "yield")


def test_foraging_three_spoils_at_most_and_defended_ones_bring_none() -> None:
    """§ III.3, Notice: two pieces from each of three players; none from one who defends."""
    table = ruling("bbbbkkkk", PLAIN, PLAIN, PLAIN, bid="b")
    table.play("forage @1", "yield", "forage @2", "yield", "forage @3", "yield")
    assert len(Table(table.at).play("end").draw("bbbbbb").storage(0)) == 3 + 1 + 6
    none = ruling("bbbbkkkk", PLAIN, bid="b").play("forage @1", "defend", "end")
    assert none.node == ("decision", 1, "rule")


def test_foraging_loot_larger_than_the_stock(tmp_path: Path) -> None:
    """§ III.3; ruling "short stock": no more than there is, and nothing is owed."""
    cards = by(tmp_path, 2, pieces=[2, 0, 0, 2], start=2, farmstead_income=0)
    table = deal("kk", "bb", cards=cards).play("pass")
    table.play("mill", "end", "forage @1", "yield")
    assert table.stock() == "k"
    table.play("end")
    assert table.node == ("chance", 0, "loot")
    assert table.at.outcomes() == {"b0": 1}
    table.play("b0")
    assert table.storage(0) == "kk"
    assert table.stock() == ""


# § II.4 Bribery


def test_bribery_the_example() -> None:
    """§ "II.4", Example: a Knight found, the storage seen, a hut plundered, two pieces."""
    table = foraging().play("end").draw("bbsk")
    assert table.labels("bribe @0") == ["1 bribe @0 = k"] * 4
    stock = table.stock()
    table.play("bribe @0")
    assert sorted(table.stock()) == sorted(stock + "rk")
    assert (table.storage(0), table.storage(1)) == ("bbbbbs", "rrsssk")
    other = "1 bribe @0 = -"
    assert table.labels("bribe @0") == [other, "1 bribe @0 = - (bbbbbs)", other, other]
    table.play("bribe @0")
    assert sorted(table.stock()) == sorted(stock + "rk" + "r")
    assert "bribe @0" in table.legal()  # although all know by now
    table.play("forage @0")
    assert table.legal() == ("yield",)
    table.play("yield", "end").draw("bk")
    assert table.storage(1) == "brsssk"
    assert table.node == ("decision", 2, "rule")


def test_bribery_of_one_resource_and_of_none(tmp_path: Path) -> None:
    """§ "II.4"; ruling "Bribe": there must be a resource to hand in or to show."""
    table = deal("rr", "rk", cards=by(tmp_path, 2, start=2)).play("pass", "mill")
    table.play("bribe @0")
    assert table.storage(1) == "k"
    table.play("end", "bribe @1")
    assert table.storage(1) == ""
    assert table.storage(0) == "r"
    assert [move for move in table.legal() if "bribe" in move] == []


# § IV Fall, Harvest


def test_harvest_the_most_that_there_can_be() -> None:
    """§ Harvest, and § IV.2, Notice, corrected: 1 + 3 + 8 = 12 pieces with all the privileges."""
    hands = [[card for card in CARDS if "privilege" in card][:12], []]
    table = deal("bbbbbbbr", "kkkkkkkk", hands=hands)
    for reward in ("mill", "toll", "guild", "armoury") * 2:
        if table.what == "lead":
            table.play(table.legal()[0])
        table.win(0, table.storage(0)[0]).play(reward)
        while "hut" in table.legal() and table.storage(0).count("b") > 1:
            table.play("hut")
        if len(table.privileges(0)) < 8:
            table.until("lead")
    assert table.privileges(0) == "bbrrsskk"
    assert table.public["huts"][0] == 6
    table.until("harvest")
    before = len(table.storage(0))
    table.draw("rrkk").until("income")
    assert len(table.storage(0)) == before + 4
    assert table.at.outcomes() == {"bbrrsskk": 1}
    assert len(table.play("bbrrsskk").storage(0)) == before + 12
    table.until("lead").play(table.legal()[0])
    table.win(0, table.storage(0)[0])
    assert table.node == ("decision", 0, "rule")  # all eight held: the point alone
    assert table.points == (9, 0)


# § IV.1 Taxation of the lands


@pytest.mark.parametrize(
    ("huts", "builders", "pieces"),
    [
        *[(0, 0, 1), (1, 0, 1), (2, 0, 2), (3, 0, 2), (4, 0, 3), (5, 0, 3), (6, 0, 4)],
        *[(2, 1, 1), (3, 1, 2), (4, 1, 2), (4, 2, 2), (6, 1, 3), (6, 3, 2)],
    ],
)
def test_taxation_one_for_the_farmstead_and_one_for_two_huts(
    tmp_path: Path, huts: int, builders: int, pieces: int
) -> None:
    """§ IV.1: huts with builders do not count; one draw, seen by its owner alone."""
    table = ruling("bbbbssss", PLAIN, bid="b", cards=by(tmp_path, 2, huts_start=huts))
    table.play(*["builder"] * builders).until("harvest")
    assert table.node == ("chance", 0, "harvest")
    before = len(table.storage(0))
    stock = table.stock()
    x, y = stock.count("b"), len(stock) - stock.count("b")
    assert table.at.outcomes()["b0"] == comb(y, pieces)
    assert table.at.outcomes()["b1"] == x * comb(y, pieces - 1)
    assert table.labels("b1") == ["0 harvest b1", "0 harvest ?"]
    assert len(table.draw("b").storage(0)) == before + pieces


def test_taxation_a_farmsteads_piece_may_be_called() -> None:
    """§ IV.1, Tip: one by one from the winner; or a random one that the others do not see."""
    table = ruling(PLAIN, PLAIN, PLAIN, bid="r", farmstead="choice").until("farmstead")
    assert table.node == ("decision", 0, "farmstead")
    assert table.legal() == ("b", "r", "s", "k", "random")
    assert table.labels("k") == ["0 k"] * 3
    table.play("k")
    assert table.storage(0) == "bbrsskkk"
    assert table.node == ("decision", 1, "farmstead")
    assert table.labels("random") == ["1 random"] * 3
    table.play("random")
    assert table.node == ("chance", 1, "harvest")
    assert table.labels("b1") == ["1 harvest ?", "1 harvest b1", "1 harvest ?"]
    table.draw("b")
    assert table.storage(1) == "bbbrrsskk"
    assert table.node == ("decision", 2, "farmstead")
    table.play("b")
    assert table.node == ("chance", 0, "harvest")  # now the huts, all in order
    table.draw("s")
    assert table.storage(0) == "bbrssskkk"
    assert table.node == ("chance", 1, "harvest")


def test_taxation_a_kind_that_is_out_can_be_called(tmp_path: Path) -> None:
    """§ IV.1, Tip; ruling "farmstead": all learn that it is out, and he draws one."""
    cards = by(tmp_path, 2, pieces=[2, 16, 16, 16], start=2, huts_start=0)
    table = deal("rr", "bb", farmstead="choice", cards=cards).play("pass", "toll", "end", "end")
    assert table.labels("b") == ["1 b = -"] * 2
    assert table.labels("r") == ["1 r"] * 2
    table.play("b")
    assert table.node == ("chance", 1, "harvest")
    assert list(table.at.outcomes()) == ["b0"]
    table.draw("s")
    assert table.storage(1) == "bbs"


EMPTY = {"pieces": [8] * 4, "start": 8}  # four players have them all


def test_taxation_calls_with_an_empty_stock(tmp_path: Path) -> None:
    """§ IV.1, Tip; ruling "public nodes": with four players; all are asked, and get nothing."""
    storages = ["bbbbbbbb", "rrrrrrrr", "ssssssss", "kkkkkkkk"]
    table = deal(*storages, farmstead="choice", cards=by(tmp_path, 4, **EMPTY))
    table.play("pass", "pass", "pass", "guild", *["end"] * 4)
    for seat in (3, 0, 1, 2):
        assert table.node == ("decision", seat, "farmstead")
        assert table.labels("s") == [f"{seat} s = -"] * 4
        table.play("random" if seat == 1 else "s")
    assert table.node == ("chance", 3, "income")
    assert [table.storage(seat) for seat in range(4)] == storages


def test_taxation_an_empty_stock_gives_nothing(tmp_path: Path) -> None:
    """§ IV.1, § IV.2; ruling "short stock": with four players; no draw, and nothing is owed."""
    storages = ["bbbbbbbb", "rrrrrrrr", "ssssssss", "kkkkkkkk"]
    table = deal(*storages, cards=by(tmp_path, 4, **EMPTY))
    table.play("pass", "pass", "pass", "guild", *["end"] * 4)
    assert table.stock() == ""
    assert table.node == ("chance", 3, "income")
    assert table.at.outcomes() == {"-": 1}
    assert table.labels("-") == ["3 income -"] * 4
    table.play("-")
    assert table.node == ("decision", 3, "lead")
    assert [table.storage(seat) for seat in range(4)] == storages


def test_taxation_whoever_is_later_in_order_gets_what_is_left(tmp_path: Path) -> None:
    """§ IV.1; ruling "short stock": the stock empties in the middle of a draw."""
    cards = by(tmp_path, 3, pieces=[4, 4, 4, 4], start=4, huts_start=4, privileges=[0] * 4)
    table = deal("bbbb", "rrrr", "ssss", cards=cards).play("pass", "pass", *["end"] * 3)
    assert table.node == ("chance", 2, "harvest")
    table.draw("kkk")
    assert table.node == ("chance", 0, "harvest")
    assert table.at.outcomes() == {"b0": 1}
    table.draw("")
    assert table.storage(0) == "bbbbk"
    assert table.node == ("decision", 2, "lead")  # nothing for seat 1, and no node


# § IV.2 Income from Privileges


def test_income_the_example() -> None:
    """§ IV.2, Example: farmstead, 3 huts, Armoury, Toll: 2 random, a Riches and a Knight."""
    table = ruling("bbbrrrss", PLAIN, bid="r", reward="armoury").until("lead")
    table.play(next(card for card in table.hand(0) if "privilege" in card)).win(0, "b")
    table.play("toll", "hut").until("harvest")
    assert table.public["huts"][0] == 3
    before = len(table.storage(0))
    table.draw("ss").until("income")
    assert len(table.storage(0)) == before + 2
    assert table.at.outcomes() == {"rk": 1}
    assert table.labels("rk") == ["0 income rk"] * 2
    table.play("rk")
    assert len(table.storage(0)) == before + 4


@pytest.mark.parametrize(
    ("barley", "others", "income", "extra"),
    [(2, 0, "b", ""), (1, 3, "b", ""), (0, 3, "-", "r"), (0, 0, "-", "")],
)
def test_income_a_kind_out_of_stock(
    tmp_path: Path, barley: int, others: int, income: str, extra: str
) -> None:
    """§ IV.2: what is not available is drawn instead; that it is not is public."""
    kinds = {"pieces": [barley, 2 + others, 2, 0], "start": 2, "huts_start": 0}
    table = deal("rr", "ss", cards=by(tmp_path, 2, farmstead_income=0, mercy_limit=0, **kinds))
    table.play("pass", "mill", "end", "end")
    assert table.at.outcomes() == {income: 1}
    table.play(income)
    if extra:
        assert table.node == ("chance", 1, "extra")
        label = next(iter(table.at.outcomes()))
        assert table.labels(label) == ["1 extra ?", f"1 extra {label}"]
        table.draw(extra)
    assert table.node == ("decision", 1, "lead")
    assert table.storage(1) == text_of([income.count("b"), extra.count("r"), 2, 0])


@pytest.mark.parametrize(
    ("barley", "riches", "bid", "income", "extra"),
    [
        (2, 0, "b", "bb", ""),
        (1, 2, "b", "b", "r"),  # one piece in stock for both
        (1, 0, "b", "b", ""),  # the stock is empty before `extra`
        (0, 0, "s", "-", "s"),  # two due, one left
        (0, 3, "s", "-", "rr"),
    ],
)
def test_income_of_both_privileges_of_a_kind(
    tmp_path: Path, barley: int, riches: int, bid: str, income: str, extra: str
) -> None:
    """§ IV.2: one piece for each privilege; for each that is missing one is drawn."""
    some = ["war-privilege-s", "war-privilege-k", "war-castle-b", "taxes-privilege-b"]
    numbers = {"huts_start": 0, "farmstead_income": 0, "mercy_limit": 0, "start": 2}
    cards = by(tmp_path, 2, pieces=[barley, 2 + riches, 2, 0], privileges=[2, 0, 0, 0],
               cards=some, castle=[1], **numbers)  # fmt: skip
    table = deal("rr", "ss", hands=[some[2:], some[:2]], cards=cards).year_of(1, reward="mill")
    table.play("war-privilege-s").win(1, bid).play("mill").until("income")
    assert table.privileges(1) == "bb"
    assert table.at.outcomes() == {income: 1}
    table.play(income)
    before = table.storage(1)
    if extra:
        assert table.node == ("chance", 1, "extra")
        table.draw(extra)
    assert table.node == ("decision", 1, "lead")
    assert sorted(table.storage(1)) == sorted(before + extra)


def test_income_noble_by_noble(tmp_path: Path) -> None:
    """§ IV.2; ruling "Fall": one's draw comes before the next one's income."""
    numbers = {"huts_start": 0, "farmstead_income": 0, "mercy_limit": 0, "start": 2}
    cards = by(tmp_path, 2, pieces=[0, 3, 4, 0], **numbers)
    hands = [[], ["war-privilege-k"]]
    table = deal("rr", "ss", hands=hands, cards=cards)
    table.play("r", "stop", "s", "stop", "pass", "toll").until("income")
    assert table.stock() == "rsss"
    table.play("r").until("lead").play("war-privilege-k").win(0)
    table.play("mill").until("income")
    assert table.node == ("chance", 0, "income")
    assert table.at.outcomes() == {"-": 1}
    table.play("-")
    assert table.node == ("chance", 0, "extra")
    table.draw("s")
    assert table.node == ("chance", 1, "income")


# § The King's Mercy


def test_mercy_the_procedure(tmp_path: Path) -> None:
    """§ The King's Mercy: who has four or less asks, draws up to half, and the donor is thanked."""
    cards = by(tmp_path, 3, start=4, huts_start=1, farmstead_income=0)
    table = deal("bbrr", "bbss", "bbrk", cards=cards).play("pass", "pass", "mill", *["end"] * 3)
    table.play("b")
    assert table.storage(2) == "bbbrk"
    assert table.node == ("decision", 0, "mercy")  # not 2, who has a privilege
    assert table.legal() == ("decline", "ask @1", "ask @2")
    assert table.labels("ask @2") == ["0 ask @2"] * 3
    table.play("ask @2")
    assert table.node == ("decision", 0, "number")
    assert table.legal() == ("number 1", "number 2")  # half of five
    assert table.labels("number 2") == ["0 number 2"] * 3
    table.play("number 2")
    assert table.node == ("chance", 0, "alms")
    assert table.at.outcomes() == {"b0": 1, "b1": 6, "b2": 3}
    assert table.labels("b1") == ["0 alms b1", "0 alms ?", "0 alms b1"]
    table.draw("bk")
    assert table.storage(0) == "bbbrrk"
    assert table.storage(2) == "bbr"
    assert table.node == ("decision", 2, "gift")
    assert table.legal() == ("mill", "toll", "guild", "armoury")
    assert table.labels("toll") == ["2 toll"] * 3
    table.play("toll")
    assert table.privileges(2) == "br"
    assert table.points == (0, 0, 1)  # none for this one
    assert table.node == ("decision", 1, "mercy")
    table.play("decline")
    assert table.node == ("decision", 2, "lead")


@pytest.mark.parametrize(
    ("huts", "start", "eligible"), [(0, 4, True), (1, 4, True), (2, 4, False), (1, 5, False)]
)
def test_mercy_who_may_ask(tmp_path: Path, huts: int, start: int, eligible: bool) -> None:
    """§ The King's Mercy: four resources or less, and income from the farmstead only."""
    cards = by(tmp_path, 2, start=start, huts_start=huts, farmstead_income=0)
    table = deal("r" * start, "s" * start, cards=cards).play("pass", "mill", "end", "end")
    while table.node[0] == "chance":
        table.play(table.something())
    assert table.node == ("decision", 0 if eligible else 1, "mercy" if eligible else "lead")
    assert len(table.storage(0)) == start + huts // 2


def test_mercy_an_empty_stock_is_no_misery(tmp_path: Path) -> None:
    """§ The King's Mercy; ruling "eligible": a privilege or two huts that yield nothing count."""
    cards = by(tmp_path, 2, pieces=[4, 4, 0, 0], start=4, huts_start=2)
    table = deal("bbbb", "rrrr", cards=cards).play("pass", "guild", "end", "end")
    assert table.play("-").node == ("decision", 1, "lead")


@pytest.mark.parametrize(("plundered", "eligible"), [(1, False), (2, True)])
def test_mercy_four_huts_and_three_builders(tmp_path: Path, plundered: int, eligible: bool) -> None:
    """§ The King's Mercy: only huts without builders are income; two of them are enough."""
    cards = by(tmp_path, 2, huts_start=6, farmstead_income=0, privileges=[0] * 4)
    table = ruling("bbbbsssk", "kkkkkkkk", bid="b", cards=cards).play(*["builder"] * 3)
    assert table.storage(0) == "bbbk"
    table.play("end", *["forage @0", "yield"] * plundered, "end").draw("kk")
    assert (table.public["huts"][0], table.public["builders"][0]) == (6 - plundered, 3)
    assert table.public["poor"] == [eligible, False]
    if not eligible:
        table.draw("r")
    assert table.node == ("chance", 1, "harvest")
    table.draw("rrr")
    assert table.node == ("decision", 0 if eligible else 1, "mercy" if eligible else "church")


def test_mercy_only_declining(tmp_path: Path) -> None:
    """§ The King's Mercy; ruling "public nodes": nobody has two resources, the node is there."""
    cards = by(tmp_path, 2, start=1, huts_start=0, farmstead_income=0, privileges=[0] * 4)
    table = deal("b", "k", cards=cards).play("pass", "end", "end")
    for seat in (1, 0):
        assert table.node == ("decision", seat, "mercy")
        assert table.legal() == ("decline",)
        table.play("decline")


@pytest.mark.parametrize("pieces", [2, 3])
def test_mercy_of_a_small_donor(tmp_path: Path, pieces: int) -> None:
    """§ The King's Mercy: half of two or three is one; an asker may have nothing at all."""
    numbers = {"huts_start": 0, "farmstead_income": 0, "privileges": [0] * 4}
    table = deal("b" * pieces, "k" * pieces, cards=by(tmp_path, 2, start=pieces, **numbers))
    table.play(*"b" * pieces, "stop", "pass", "end", "end")
    assert table.storage(0) == ""
    assert table.node == ("decision", 0, "mercy")
    assert table.legal() == ("decline", "ask @1")
    assert table.play("ask @1").legal() == ("number 1",)
    table.play("number 1").draw("k")
    assert table.storage(0) == "k"
    assert table.storage(1) == "k" * (pieces - 1)
    # The King has nothing to give; and the donor is asked in his turn, with whom to plead.
    assert table.node == ("decision", 1, "mercy")


def test_mercy_a_donor_asks_later_although_he_got_a_privilege(tmp_path: Path) -> None:
    """§ The King's Mercy; ruling "eligible": what one is given in this Mercy ends nothing."""
    cards = by(tmp_path, 3, start=4, huts_start=1, farmstead_income=0)
    table = deal("bbrr", "bbss", "bbrk", cards=cards).play("pass", "pass", "mill", *["end"] * 3)
    table.play("b", "ask @1", "number 2").draw("bs").play("guild")
    assert table.privileges(1) == "s"
    assert table.storage(1) == "bs"
    assert table.node == ("decision", 1, "mercy")
    assert table.legal() == ("decline", "ask @0", "ask @2")
    table.play("ask @0", "number 3").draw("bbr")
    assert table.node == ("decision", 0, "gift")


def test_mercy_by_giving_one_may_fall_to_four(tmp_path: Path) -> None:
    """§ The King's Mercy; ruling "eligible": the resources count at one's own turn."""
    cards = by(tmp_path, 3, start=6, huts_start=1, farmstead_income=0)
    for asked in (True, False):
        table = deal("bbrrss", "bbbsss", "bbbbbb", cards=cards).play("pass", "pass", "mill", "end")
        table.play("bribe @1", "bribe @1", "end", "end", "b")
        assert table.node == ("decision", 0, "mercy")
        if asked:
            table.play("ask @1", "number 2").draw("bs").play("toll")
            assert table.node == ("decision", 1, "mercy")
        else:
            table.play("decline")
            assert table.node == ("decision", 2, "lead")


def test_mercy_the_kings_last_privilege(tmp_path: Path) -> None:
    """§ The King's Mercy: then the next donor is not thanked, and has no node."""
    cards = by(tmp_path, 3, start=4, huts_start=1, farmstead_income=0, privileges=[2, 0, 0, 0])
    table = deal("bbrr", "bbss", "bbrk", cards=cards).play("pass", "pass", "mill", *["end"] * 3)
    table.play("b", "ask @2", "number 1").draw("b")
    assert table.legal() == ("mill",)
    table.play("mill", "ask @0", "number 2").draw("br")
    assert table.king() == ""
    assert table.node == ("decision", 2, "lead")


def test_mercy_and_then_the_church(tmp_path: Path) -> None:
    """§ The King's Mercy; § Church Taxes, Notice: 4 and 7 of 14 are 11, and 1 is due."""
    cards = by(tmp_path, 4, huts_start=1)
    storages = ("bbrrrrrr", "bbbbbbss", "bbbbbbss", "bbrrrkkk")
    table = deal(*storages, hands=[[], [], [], ["war-privilege-r"]], cards=cards)
    table.play("pass", "pass", "pass", "armoury", *["end"] * 4)
    table.draw("s").draw("r").draw("s").draw("s").play("k").until("lead")
    assert [len(table.storage(seat)) for seat in range(4)] == [9, 9, 9, 10]
    table.play("war-privilege-r").win(2).play("mill", "end")
    table.play("forage @0", "yield", "forage @1", "yield", "forage @2", "yield", "bribe @1", "end")
    table.draw("ssskkk")
    assert len(table.storage(3)) == 12
    assert table.storage(0) == "bbrrrrrrr"
    table.play(*["bribe @1"] * 6, "end", "end")
    assert table.storage(0) == "bbr"
    table.until("mercy")
    assert table.seat == 0
    assert (len(table.storage(0)), len(table.storage(3))) == (4, 14)
    table.play("ask @3")
    assert table.legal() == tuple(f"number {number}" for number in range(1, 8))
    table.play("number 7")
    while table.what == "alms":
        table.play(table.something())
    table.play("toll")
    assert (len(table.storage(0)), len(table.storage(3))) == (11, 7)
    table.until("church", 0).play(table.legal()[0])
    assert len(table.storage(0)) == 10
    assert table.node == ("decision", 2, "lead")


# § Church Taxes


def test_church_exactly_the_excess_of_ones_own_choice(tmp_path: Path) -> None:
    """§ Church Taxes: openly, and nothing is returned for it."""
    table = deal("bbbbbbbb", PLAIN, cards=by(tmp_path, 2, huts_start=6)).win(1).play("mill")
    table.play("end", "end").draw("bbrr")
    table.draw("rrss").play("b")
    assert table.storage(0) == "bbbbbbbbrrss"
    assert table.storage(1) == "bbbbbrrrrsskk"
    assert table.node == ("decision", 1, "church")
    stock = table.stock()
    assert table.labels("r") == ["1 r", "1 r"]
    table.play("r", "s", "k")
    assert table.storage(1) == "bbbbbrrrsk"
    assert sorted(table.stock()) == sorted(stock + "rsk")
    assert table.node == ("decision", 0, "church")
    table.play("b", "b")
    assert table.node == ("decision", 1, "lead")  # two were due, and it is over by itself
    assert table.points == (0, 1)


def test_church_only_what_can_be_completed(tmp_path: Path) -> None:
    """§ Church Taxes; ruling "Moves and chance": 11 b and 2 k, 3 due: no k first."""
    table = deal(PLAIN, "bbbbbbbb", cards=by(tmp_path, 2, huts_start=6)).play("pass", "mill")
    table.play("end", "end").draw("bbkk").draw("rrss").play("b")
    assert table.storage(1) == "b" * 11 + "kk"
    assert table.node == ("decision", 1, "church")
    assert table.legal() == ("b",)
    assert table.play("b").legal() == ("b", "k")
    assert table.play("k").legal() == ("k",)
    table.play("k")
    assert table.storage(1) == "b" * 10
    assert table.seat == 0


# § The Winner of Charlemagne


def test_winner_the_last_piece_ends_the_game_at_once(tmp_path: Path) -> None:
    """§ The Winner: in the Spring, after take-backs and payment; no Summer and no Fall."""
    first = "war-castle-b"
    cards = by(tmp_path, 3, first_card=first, cards=other_cards(first), castle=[3])
    table = deal(PLAIN, PLAIN, PLAIN, cards=cards)
    table.play("b", "stop", "b", "b", "stop", "r", "stop", "k", "stop", "pass")
    assert not table.at.over
    assert table.at.returns() == [0, 0, 0]
    table.play("pass")
    assert table.at.over
    assert table.node == ("over", -1, "")
    assert (table.legal(), table.at.outcomes()) == ((), {})
    assert table.points == (3, 0, 0)
    assert table.storage(0) == "brrssk"
    assert table.storage(1) == table.storage(2) == PLAIN
    assert table.public["huts"] == [2, 2, 2]
    assert table.at.returns() == [1, -0.5, -0.5]
    assert table.at.returns("margin") == [3, -1.5, -1.5]
    assert table.at.returns("rank") == [1, -0.5, -0.5]


def one_point_each(tmp_path: Path, players: int, spender: int = -1, **numbers: object) -> Table:
    """The end of a game in which each has won once, unbid; one may have spent what he could."""
    some = ["war-privilege-b", "war-privilege-r", "war-privilege-s"][: players - 1]
    some.append("war-castle-b")
    fixed = {"huts": 1, "huts_start": 0, "farmstead_income": 0, "mercy_limit": 0, "start": 2}
    cards = by(tmp_path, players, cards=some, castle=[1], **fixed, **numbers)
    hands: list[list[str]] = [[] for _ in range(players)]
    hands[1] = some[-1:]
    table = deal(*["br"] * players, hands=hands, cards=cards)
    while not table.at.over:
        spent = [move for move in table.legal() if move == "hut" or move.startswith("bribe")]
        table.play(spent[0] if spent and table.seat == spender else table.something())
    assert table.points == (1,) * players
    return table


NO_PRIVILEGES = [0] * 4


@pytest.mark.parametrize("players", [2, 3, 4])
def test_winner_equal_in_everything_the_win_is_shared(tmp_path: Path, players: int) -> None:
    """§ The Winner; ruling "result": shared by 2, 3, 4."""
    table = one_point_each(tmp_path, players, privileges=NO_PRIVILEGES)
    for value in ("win", "margin", "rank"):
        assert table.at.returns(value) == pytest.approx([0] * players)


@pytest.mark.parametrize(
    ("players", "win", "rank"),
    [
        (2, [1, -1], [1, -1]),
        (3, [0.25, 0.25, -0.5], [0.5, 0.5, -1]),
        (4, [1 / 9, 1 / 9, 1 / 9, -1 / 3], [1 / 3, 1 / 3, 1 / 3, -1]),
    ],
)
def test_winner_ties_in_points_and_privileges_go_by_resources(
    tmp_path: Path, players: int, win: list[float], rank: list[float]
) -> None:
    """§ The Winner; ruling "result": the last one has two pieces less, the others tie."""
    table = one_point_each(tmp_path, players, players - 1, privileges=NO_PRIVILEGES)
    assert [len(table.storage(seat)) for seat in range(players)] == [2] * (players - 1) + [0]
    assert table.at.returns() == pytest.approx(win)
    assert table.at.returns("rank") == pytest.approx(rank)
    assert table.at.returns("margin") == pytest.approx([0] * players)


def test_winner_ties_in_points_go_by_privileges_first(tmp_path: Path) -> None:
    """§ The Winner; ruling "result": one privilege, whatever is in the storages."""
    table = one_point_each(tmp_path, 2, 1)
    assert (table.privileges(0), len(table.privileges(1))) == ("", 1)
    assert len(table.storage(0)) > len(table.storage(1))
    assert table.at.returns() == [-1, 1]
    assert table.at.returns("rank") == [-1, 1]
    assert table.at.returns("margin") == [0, 0]
    three = one_point_each(tmp_path, 3)
    assert [len(three.privileges(seat)) for seat in range(3)] == [0, 1, 1]
    assert three.at.returns() == [-0.5, -0.5, 1]  # two years' income against one's
    assert three.at.returns("rank") == [-1, 0, 1]


# All headings of the rulebook in their order, and the tests of each

HEADINGS: dict[str, tuple[str, ...]] = {
    "Game parts": ("test_game_parts",),
    "Setting up Charlemagne": (
        "test_setting_up_what_each_noble_gets",
        "test_setting_up_pieces_are_random_and_invisible",
        "test_setting_up_forced_outcomes_keep_their_nodes",
        "test_setting_up_a_draw_of_the_whole_stock",
        "test_setting_up_kinds_that_are_not_in_play_have_no_node",
        "test_setting_up_cards_are_dealt_evenly_and_unseen",
    ),
    "Of Farmsteads and Huts": ("test_of_farmsteads_a_noble_without_huts_keeps_his_minimal_income",),
    "Of Barley, Riches, Serfs and Knights": ("test_of_barley_riches_serfs_and_knights_values",),
    "Of the King's Privileges": ("test_of_the_kings_privileges_what_each_yields",),
    "Of problems and Agenda Cards": ("test_of_problems_each_card_is_solved_once",),
    "Order of play": (
        "test_order_of_play_four_seasons_one_after_the_other",
        "test_order_of_play_all_four_nobles_finish_a_step_of_fall_before_the_next",
    ),
    "I.1 The agenda cards": (
        "test_agenda_cards_symbols_of_return",
        "test_agenda_cards_rewards",
        "test_agenda_cards_the_first_years_card_is_an_unrest_privilege_serf",
    ),
    "I.2 The procedure": (
        "test_procedure_first_year",
        "test_procedure_the_last_winner_leads_and_must",
        "test_procedure_a_leader_without_cards",
        "test_procedure_a_change_of_the_agenda",
        "test_procedure_a_change_may_be_passed_on",
        "test_procedure_three_changes_in_one_year",
        "test_procedure_a_change_gives_the_next_noble_the_right_or_takes_it",
        "test_procedure_a_change_with_exactly_one_card",
        "test_procedure_without_a_card_no_change",
    ),
    "II.1": (
        "test_bidding_the_example",
        "test_bidding_everything_at_once",
        "test_bidding_must_be_higher_than_all_others",
        "test_bidding_a_piece_that_leads_nowhere_is_not_legal",
        "test_bidding_pieces_are_laid_in_one_order_and_openly",
        "test_bidding_the_last_not_to_pass_wins_unbid",
        "test_bidding_without_a_piece_that_could_do_it_one_must_pass",
        "test_bidding_the_winner_starts_each_sequence",
    ),
    "II.2 To the Victor": (
        "test_victor_a_privilege_of_choice_must_be_taken",
        "test_victor_a_kind_that_the_king_lacks_from_a_player_of_choice",
        "test_victor_a_kind_of_which_he_holds_both_is_no_reward",
        "test_victor_what_is_returned_in_winter_is_offered_in_spring",
        "test_victor_castle_building_the_example",
        "test_victor_points_of_a_castle_piece",
        "test_victor_builders_on_all_huts",
    ),
    "III Summer: Ruling the lands": ("test_summer_any_actions_in_any_order",),
    "III.1 Population growth": (
        "test_population_growth_one_barley_a_hut_and_six_at_most",
        "test_population_growth_not_between_a_builder_and_a_forage_or_bribe",
    ),
    "III.2 Builders": (
        "test_builders_on_at_most_half_of_the_huts",
        "test_builders_huts_with_one_are_not_harvested",
        "test_builders_above_half_after_plundering_stay",
    ),
    "III.3 Foraging": (
        "test_foraging_the_example",
        "test_foraging_yielding_with_a_knight_in_hand",
        "test_foraging_which_hut_is_lost_is_the_defenders_choice",
        "test_foraging_a_noble_without_huts_is_no_target",
        "test_foraging_the_next_noble_gets_his_own_spoils",
        "test_foraging_three_spoils_at_most_and_defended_ones_bring_none",
        "test_foraging_loot_larger_than_the_stock",
    ),
    "II.4 Bribery": (
        "test_bribery_the_example",
        "test_bribery_of_one_resource_and_of_none",
    ),
    "Harvest": ("test_harvest_the_most_that_there_can_be",),
    "IV.1 Taxation of the lands": (
        "test_taxation_one_for_the_farmstead_and_one_for_two_huts",
        "test_taxation_a_farmsteads_piece_may_be_called",
        "test_taxation_a_kind_that_is_out_can_be_called",
        "test_taxation_calls_with_an_empty_stock",
        "test_taxation_an_empty_stock_gives_nothing",
        "test_taxation_whoever_is_later_in_order_gets_what_is_left",
    ),
    "IV.2 Income from Privileges": (
        "test_income_the_example",
        "test_income_a_kind_out_of_stock",
        "test_income_of_both_privileges_of_a_kind",
        "test_income_noble_by_noble",
    ),
    "The King's Mercy": (
        "test_mercy_the_procedure",
        "test_mercy_who_may_ask",
        "test_mercy_an_empty_stock_is_no_misery",
        "test_mercy_four_huts_and_three_builders",
        "test_mercy_only_declining",
        "test_mercy_of_a_small_donor",
        "test_mercy_a_donor_asks_later_although_he_got_a_privilege",
        "test_mercy_by_giving_one_may_fall_to_four",
        "test_mercy_the_kings_last_privilege",
        "test_mercy_and_then_the_church",
    ),
    "Church Taxes": (
        "test_church_exactly_the_excess_of_ones_own_choice",
        "test_church_only_what_can_be_completed",
    ),
    "The Winner of Charlemagne": (
        "test_winner_the_last_piece_ends_the_game_at_once",
        "test_winner_equal_in_everything_the_win_is_shared",
        "test_winner_ties_in_points_and_privileges_go_by_resources",
        "test_winner_ties_in_points_go_by_privileges_first",
    ),
}


def test_every_heading_has_tests_and_every_test_a_heading() -> None:
    listed: tuple[str, ...] = ("Game parts", "Setting up Charlemagne", "Of Farmsteads and Huts")
    listed += ("Of Barley, Riches, Serfs and Knights", "Of the King's Privileges")
    listed += ("Of problems and Agenda Cards", "Order of play")
    listed += ("I.1 The agenda cards", "I.2 The procedure", "II.1", "II.2 To the Victor")
    listed += ("III Summer: Ruling the lands", "III.1 Population growth", "III.2 Builders")
    listed += ("III.3 Foraging", "II.4 Bribery", "Harvest", "IV.1 Taxation of the lands")
    listed += ("IV.2 Income from Privileges", "The King's Mercy", "Church Taxes")
    listed += ("The Winner of Charlemagne",)
    assert tuple(HEADINGS) == listed
    assert all(HEADINGS.values())
    named = [name for names in HEADINGS.values() for name in names]
    here = {name for name in globals() if name.startswith("test_")}
    here.remove("test_every_heading_has_tests_and_every_test_a_heading")
    assert len(named) == len(set(named))
    assert set(named) == here
