"""Tables of somebody who kept no record: what a seat then knows, and nonsense refused."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from cython_core.errors import IllegalMove, IllegalPosition, NotationError
from engines import charlemagne, knowledge, richard
from engines.knowledge import parse
from engines.records import RecordError

GAMES = pytest.mark.parametrize("game", ["charlemagne", "richard"])
# The decisions at which a table says all that there is.
KINDS = {
    "charlemagne": {"lead", "change", "bid", "reward", "rule", "farmstead", "mercy"},
    "richard": {"loyalty", "place", "option", "give", "uncount", "return"},
}


def start(game: str, luck: Random) -> Any:
    if game == "richard":
        preset = luck.choice((*richard.PRESETS, "full"))
        players = luck.randint(3, 8) if preset == "full" else luck.randint(2, 3)
        counselors, events = luck.choice(richard.COUNSELORS), luck.choice(richard.EVENTS)
        return richard.Position.start(players, counselors, events, preset=preset)
    preset = luck.choice((*charlemagne.PRESETS, "full"))
    players = luck.randint(2, 4) if preset == "full" else 2
    farmstead = luck.choice(charlemagne.FARMSTEADS)
    return charlemagne.Position.start(players, farmstead, preset=preset)


def moments(game: str, seeds: range, share: float) -> Iterator[tuple[Any, int]]:
    """Positions of random games at which a table can be written down, each with a seat."""
    for seed in seeds:
        luck = Random(seed)
        position = start(game, luck)
        begun = False
        while not position.over:
            begun = begun or position.node.what in KINDS[game]
            if begun and luck.random() < share:
                yield position, luck.randrange(len(position.points))
            position = position.play(position.pick(luck.random()))


# Tables of positions


@GAMES
def test_a_short_text_is_read_as_it_was_written(game: str) -> None:
    for position, seat in moments(game, range(16), 0.04):
        known = knowledge.short(position, seat)
        read = parse(str(known))
        for other in (read, pickle.loads(pickle.dumps(known))):
            assert other == known
            assert hash(other) == hash(known)
            assert str(other) == str(known)
        assert (known.seat, known.node) == (seat, position.node)
        assert known != knowledge.of(position, seat)


@GAMES
def test_the_moves_at_a_table_are_the_legal_ones(game: str) -> None:
    kinds: Counter[str] = Counter()
    for position, _ in moments(game, range(24), 0.15):
        kind, seat, what = position.node
        if kind == "decision":
            assert knowledge.short(position, seat).legal_moves() == position.legal_moves()
            other = (seat + 1) % len(position.points)
            assert knowledge.short(position, other).legal_moves() == ()
            kinds[what] += 1
    assert KINDS[game] < set(kinds)  # others follow upon a table by what was seen since


@GAMES
def test_what_is_sampled_for_a_table_looks_as_it_does(game: str) -> None:
    for position, seat in moments(game, range(12), 0.04):
        known = knowledge.short(position, seat)
        for sample in (known.sample(1), parse(str(known)).sample(1)):
            assert sample.view_key(seat) == position.view_key(seat)
            assert sample.node == position.node
            if position.node.seat == seat:
                assert sample.legal_moves() == position.legal_moves()


@GAMES
def test_labels_follow_upon_a_table(game: str) -> None:
    """As somebody writes who begins in the midst of a game: the moves stay the legal ones."""
    for position, seat in moments(game, range(8), 0.02):
        if position.node.kind != "decision":
            continue  # in the midst of a draw its cards would be written in another order
        known, luck = knowledge.short(position, seat), Random(len(position.history))
        text, after = str(known), position
        for _ in range(15):
            if after.over:
                break
            after = after.play(after.pick(luck.random()))
        new = str(knowledge.of(after, seat)).splitlines()
        new = new[len(str(knowledge.of(position, seat)).splitlines()) :]
        read = parse("\n".join([text.rstrip("\n"), *new]))
        assert read.node == after.node
        if after.node.seat == seat and after.node.kind == "decision":
            assert read.legal_moves() == after.legal_moves()
        if not after.over:
            assert read.sample(1).view_key(seat) == after.view_key(seat)


@GAMES
def test_the_past_of_a_table_is_unknown(game: str) -> None:
    for position, seat in moments(game, range(4), 0.04):
        known = knowledge.short(position, seat)
        with pytest.raises(ValueError, match="past"):
            known.complete(1)
        with pytest.raises(ValueError, match="past"):
            knowledge.of(known.sample(1), seat)


@GAMES
def test_there_is_no_table_before_the_first_decision(game: str) -> None:
    with pytest.raises(ValueError, match="cannot be set up at a node of this kind"):
        knowledge.short(start(game, Random(1)), 0)


# Tables that cannot be


def faults(text: str) -> tuple[str, ...]:
    """Every reason why it is refused, at the line that begins the table."""
    with pytest.raises(RecordError) as caught:
        parse(text)
    assert isinstance(caught.value.cause, IllegalPosition)
    assert caught.value.line == text.splitlines().index("table") + 1
    return caught.value.cause.reasons


def changed(text: str, lines: dict[str, str]) -> str:
    """With other values for some keys; a value that is empty takes the line away."""
    found = []
    for line in text.splitlines():
        key = next((key for key in lines if line.startswith(f"{key} ")), None)
        if key is None:
            found.append(line)
        elif lines[key]:
            found.append(f"{key} {lines[key]}")
    return "\n".join(found) + "\n"


RULE = """game charlemagne
players 2
preset mini
seat 0
table
next 0 rule
winner 1
solved taxes-castle-r,disaster-privilege-r
settled no
plundered -
player 0 1 1 0 - rk unrest-castle-r
player 1 1 2 0 r k? -
"""
BID = """game charlemagne
players 3
farmstead random
preset full
seat 1
table
next 2 bid
solved millennium
card disaster-privilege-b
passed 1
bid 0 sk b
bid 2 - bk
player 0 1 2 0 k ??????? ?,?,?,?,?,?,?
player 1 0 2 1 - rsskk war-privilege-b,war-privilege-r,war-privilege-k,war-castle-b,taxes-privilege-s,disaster-privilege-r,disaster-privilege-s,disaster-privilege-k
player 2 0 2 0 - ?????? ?,?,?,?,?,?,?,?
"""  # noqa: E501
FARMSTEAD = """game charlemagne
players 2
farmstead choice
preset full
seat 0
table
next 0 farmstead
winner 0
solved millennium
player 0 1 2 0 b bbrsk war-privilege-b,war-privilege-r,war-privilege-s,war-privilege-k,war-castle-b,war-castle-k,taxes-privilege-b,taxes-privilege-r,taxes-privilege-s,taxes-privilege-k,taxes-castle-r,taxes-castle-s
player 1 0 2 0 - ?????? ?,?,?,?,?,?,?,?,?,?,?,?
"""  # noqa: E501
CHARLEMAGNE: list[tuple[str, dict[str, str], list[str]]] = [
    (RULE, {"player 0": "1 4 3 - rk unrest-castle-r"}, [
        "player 0: 4 huts", "player 0: 3 builders are too many",
        "2 pieces s too many|other storages hold",
    ]),
    (RULE, {"player 0": "9 1 0 - rk unrest-castle-r"}, ["10 points in all"]),
    (RULE, {"player 0": "1 1 0 - rkkk unrest-castle-r"}, [
        "player 0: 4 pieces; at most 2", "1 pieces k too many",
    ]),
    (RULE, {"player 0": "1 1 0 - r? unrest-castle-r"}, ["one's own pieces and cards are known"]),
    (RULE, {"player 0": "1 1 0 rr rk unrest-castle-r"}, ["2 privileges r too many"]),
    (RULE, {"player 0": "1 1 0 - rk disaster-privilege-r"},
     ["disaster-privilege-r is in two places"]),
    (RULE, {"player 0": "1 1 0 - rk war-castle-b"}, ["war-castle-b is not in this game"]),
    (RULE, {"player 0": "1 1 0 - rk -"}, ["1 cards are neither solved"]),
    (RULE, {"player 1": "1 2 0 r sss -"}, ["2 pieces s too many are shown"]),
    (RULE, {"plundered": "0", "settled": "yes"}, ["nobody plunders himself", "has no builder"]),
    (RULE, {"solved": "disaster-privilege-r"}, [
        "cards are neither solved", "the first card solved is taxes-castle-r", "2 points in all",
    ]),
    (RULE, {"solved": "-", "player 0": "0 1 0 - rk unrest-castle-r",
            "player 1": "0 2 0 r k? disaster-privilege-r"}, [
        "1 cards are neither solved", "the first year's card is solved before",
    ]),
    (RULE, {"solved": "taxes-castle-r,disaster-privilege-r,unrest-castle-r",
            "player 0": "1 1 0 - rk -"}, ["so the game is over"]),
    (BID, {"passed": "1,2"}, [
        "seat 2 has passed", "with one noble left", "bid 2: who has passed",
    ]),
    (BID, {"bid 0": "- bk"}, ["no two totals are equal", "seat 2 has the highest total"]),
    (BID, {"bid 0": "sk -"}, ["bid 0: the last raise is at least one", "seat 2 has the highest"]),
    (BID, {"bid 2": "kk bbb"}, ["player 2: 6 pieces; at most 5", "seat 2 has the highest total"]),
    (BID, {"card": "war-privilege-b"}, ["war-privilege-b is in two places"]),
    (BID, {"solved": "-"}, [
        "cards are neither solved", "millennium lies on the table", "hands are alike", "points",
    ]),
    (FARMSTEAD, {"next": "1 lead"}, ["seat 0 leads"]),
    (FARMSTEAD, {"farmstead": "random"}, ["nothing is called for"]),
    (FARMSTEAD, {"next": "0 reward", "winner": "", "player 0": FARMSTEAD.splitlines()[9][9:]
                 .replace("1 2 0 b ", "0 2 0 bbrrsskk "), "player 1": "1 2 0 - ?????? ?"
                 + ",?" * 11}, ["has all privileges", "the point for the card"]),
    (FARMSTEAD, {"next": "0 rule\nsettled no\nplundered -", "player 1": "0 2 0 - " + "?" * 12
                 + " ?" + ",?" * 11}, ["player 1: 12 pieces"]),
    (FARMSTEAD, {"next": "0 mercy\npoor 1"}, [
        "seat 0 is to ask for Mercy but not among them", "seat 0 has more than 4 pieces",
        "poor: seat 1 has two free huts",
    ]),
    (FARMSTEAD, {"next": "1 mercy\npoor 1", "player 1": "0 1 0 - ??? ?" + ",?" * 11,
                 "player 0": "1 1 0 - bbrsk " + FARMSTEAD.splitlines()[9].split()[-1]},
     ["seat 0 has neither two free huts nor a privilege"]),
    (FARMSTEAD, {"next": "0 change\nleader 0\nopener 1\ncard disaster-privilege-b",
                 "player 1": "0 2 0 - ?????? ?" + ",?" * 10}, [
        "the leader is not asked", "who laid the card is the leader",
    ]),
    (FARMSTEAD, {"next": "1 change\nleader 0\nopener 0\ncard disaster-privilege-b",
                 "player 1": "0 2 0 - ?????? ?" + ",?" * 10},
     ["seat 1 lacks the privilege that a change costs"]),
    (FARMSTEAD, {"next": "0 change\nleader 1\nopener 1\ncard disaster-privilege-b",
                 "player 1": "0 2 0 - ?????? ?" + ",?" * 10}, ["leader: the winner, or the next"]),
]  # fmt: skip
OPTION = """game richard
players 3
counselors house
events shuffled
preset full
seat 1
table
turn 3
first 2
next 2 option
event 5
events-left 1,2,3,6,7,8,9,11,12,13,14,15,16,17,18
time 11
crusaders 10
saladin 9
treasury 7
reserve 10 10 12 11 19 22
supply 48
crusade 10
played-john -
played-richard 13
player 0 john 1 bandit exciseman ????? ?
player 1 john 0 arms merchant bbbywwwrrg 6
player 2 richard 0 inquisitor chancellor ???????? ?
"""
RICHARD: list[tuple[str, dict[str, str], list[str]]] = [
    (OPTION, {"turn": "0"}, [
        "turn: 0 is the setup", "a side is chosen in turn", "whether there is a character",
        "whether there is a character", "whether there is a character",
        "everybody had a character last turn", "everybody had a character last turn",
        "everybody had a character last turn",
    ]),
    (OPTION, {"supply": "47"}, ["71 cards are hidden, but"]),
    (OPTION, {"reserve": "24 10 12 11 19 22"}, ["cards b too many are shown", "cards are hidden"]),
    (OPTION, {"event": "6"}, ["event: 6 cannot be left in the deck too"]),
    (OPTION, {"player 1": "john 0 arms merchant bbbywwwrr? 6"},
     ["one's own cards are known", "cards are hidden"]),
    (OPTION, {"player 1": "- 0 arms merchant bbbywwwrrg 6"}, ["player 1: a side is chosen"]),
    (OPTION, {"player 2": "john 0 inquisitor chancellor ???????? ?"}, ["3 players for john"]),
    (OPTION, {"played-john": "6"}, ["a counselor for john is in two places"]),
    (OPTION, {"played-john": "1,2,3,4,5,7,8,9,10,11,12,13,14"}, ["no 15 counselors for john"]),
    (OPTION, {"player 0": "john 1 arms exciseman ????? ?"}, ["influenced by two players"]),
    (OPTION, {"player 0": "john 1 - exciseman ????? ?"},
     ["player 0: whether there is a character"]),
    (OPTION, {"player 0": "john 1 bandit - ????? ?"},
     ["player 0: everybody had a character last turn"]),
    (OPTION, {"supply": "47\nrevealed 1 0 0 0 0 0"}, ["revealed: nothing lies open"]),
    (OPTION, {"supply": "48\nignored 1 0 0 0 0 0"}, ["ignored: more cards than were revealed"]),
]  # fmt: skip


def refused(base: str, lines: dict[str, str], wanted: list[str]) -> None:
    reasons = faults(changed(base, lines))
    for reason in wanted:
        assert any(part in found for part in reason.split("|") for found in reasons), reasons
    assert len(reasons) == len(wanted), reasons


@pytest.mark.parametrize("base", [RULE, BID, FARMSTEAD, OPTION])
def test_the_tables_that_are_spoilt_here_are_sound(base: str) -> None:
    assert str(parse(base)).endswith(base[base.index("table") :])


@pytest.mark.parametrize(("base", "lines", "wanted"), CHARLEMAGNE)
def test_nonsense_on_a_table_of_charlemagne_is_refused_with_every_reason(
    base: str, lines: dict[str, str], wanted: list[str]
) -> None:
    refused(base, lines, wanted)


@pytest.mark.parametrize(("base", "lines", "wanted"), RICHARD)
def test_nonsense_on_a_table_of_richard_is_refused_with_every_reason(
    base: str, lines: dict[str, str], wanted: list[str]
) -> None:
    refused(base, lines, wanted)


@pytest.mark.parametrize(
    ("lines", "line", "reason"),
    [
        ({"winner": "2"}, 7, "winner: from 0 to 1, not 2"),
        ({"winner": ""}, 11, "the table lacks winner"),
        ({"winner": "0\nwinner 1"}, 8, "winner has been given before"),
        ({"winner": "0\nleader 1"}, 8, "no key 'leader'"),
        ({"next": "0 raid"}, 6, "a seat and one of"),
        ({"next": "2 rule"}, 6, "from 0 to 1"),
        ({"settled": "maybe"}, 9, "one of no, yes"),
        ({"solved": "millenium"}, 8, "no card 'millenium'"),
        ({"solved": "millennium,millennium"}, 8, "a card stands there twice"),
        ({"plundered": "1,1"}, 10, "a seat stands there twice"),
        ({"player 0": "1 1 0 - kr unrest-castle-r"}, 11, "in the order|in that order"),
        ({"player 0": "1 1 0 - rk"}, 11, "six words are wanted"),
        ({"player 0": "1 7 0 - rk unrest-castle-r"}, 11, "from 0 to 6"),
        ({"player 1": ""}, 11, "the table lacks player 1"),
    ],
    ids=str,
)
def test_what_does_not_parse_is_placed(lines: dict[str, str], line: int, reason: str) -> None:
    with pytest.raises(RecordError, match=reason) as caught:
        parse(changed(RULE, lines))
    assert caught.value.line == line
    assert isinstance(caught.value.cause, NotationError)


def test_what_follows_upon_a_table_is_refused_where_it_cannot_be() -> None:
    """Seat 1 holds a Knight, and one piece that is not known."""
    parse(RULE + "0 rule bribe @1 = k\n0 rule end\n")
    for line, reason in [
        ("0 rule bribe @1 = - (bs)", "no deal"),
        ("0 rule bribe @1 = - (b)", "has 2 pieces, not 1"),
        ("0 rule bribe @1 = -", "told to the briber"),
        ("0 rule hut", "not possible here"),
        ("1 rule end", "cannot come now"),
    ]:
        with pytest.raises(RecordError, match=reason) as caught:
            parse(f"{RULE}{line}\n")
        assert caught.value.line == len(RULE.splitlines()) + 1
        assert isinstance(caught.value.cause, IllegalMove)
