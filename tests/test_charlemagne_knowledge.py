"""What a seat of Charlemagne knows, as text and as a value: inverse pairs, placed errors, legal
moves, stories that cannot be.
"""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Iterator
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cython_core.errors import IllegalMove, NotationError
from engines import knowledge
from engines.charlemagne import CARDS, FARMSTEADS, PRESETS, Position
from engines.charlemagne_labels import DRAWS
from engines.knowledge import Knowledge, parse
from engines.records import RecordError
from tests.cli import examples

# Laws


def random_start(luck: Random) -> Position:
    preset = luck.choice(PRESETS)
    players = luck.randint(2, 4) if preset == "full" else 2
    return Position.start(players, luck.choice(FARMSTEADS), preset=preset)


def played(position: Position, luck: Random, steps: int) -> Position:
    for _ in range(steps):
        if position.over:
            break
        position = position.play(position.pick(luck.random()))
    return position


@st.composite
def moments(draw: st.DrawFn, longest: int = 250) -> tuple[Position, int]:
    """A position of a random game, some of them the last, and a seat."""
    luck = Random(draw(st.integers(0, 99_999)))
    position = played(random_start(luck), luck, draw(st.integers(0, longest)))
    return position, luck.randrange(len(position.points))


@given(moments())
@examples(60)
def test_text_and_knowledge_are_inverse(moment: tuple[Position, int]) -> None:
    known = knowledge.of(*moment)
    text = str(known)
    read = parse(text)
    assert read == known
    assert hash(read) == hash(known)
    assert str(read) == knowledge.format(read) == knowledge.text_of(*moment) == text
    assert (read.seat, read.node) == (known.seat, known.node)
    assert read.legal_moves() == known.legal_moves()
    assert known.node == moment[0].node


@given(moments(120))
@examples(30)
def test_what_was_read_samples_as_what_was_seen(moment: tuple[Position, int]) -> None:
    known = knowledge.of(*moment)
    if moment[0].over:
        return
    read = parse(str(known))
    for index in range(2):
        ours, other = known.sample(index), read.sample(index)
        assert ours.to_core().essence() == other.to_core().essence()
        assert known.complete(index).history == read.complete(index).history


@given(moments(150))
@examples(30)
def test_knowledge_is_a_value(moment: tuple[Position, int]) -> None:
    position, seat = moment
    known = knowledge.of(position, seat)
    for other in (pickle.loads(pickle.dumps(known)), copy.copy(known), copy.deepcopy(known)):
        assert other == known
        assert hash(other) == hash(known)
        assert str(other) == str(known)
    assert known != str(known)
    if not position.over:
        assert knowledge.of(position.play(position.pick(0.5)), seat) != known
    elsewhere = (seat + 1) % len(position.points)
    assert knowledge.of(position, elsewhere) != known


@given(moments(200))
@examples(40)
def test_a_line_says_just_what_its_seat_has_learned(moment: tuple[Position, int]) -> None:
    """By the labels of the game itself, one after the other."""
    position, seat = moment
    lines = str(knowledge.of(position, seat)).splitlines()[5:]
    at, hidden = position.beginning(), 0
    assert len(lines) == len(position.history)
    for line, edge in zip(lines, position.history, strict=True):
        label, what = at.label(at.edge_text(edge), seat), at.node.what
        if at.node.kind == "decision":  # whose lines name the node, once
            assert said(line, what) == said(label, what)
        else:
            assert line == label
        hidden += what in DRAWS and line == f"{at.node.seat} {what} ?"
        at = at.play_edge(edge)
    assert hidden > 0 or len(lines) < 7


def said(line: str, what: str) -> tuple[str, str]:
    who, _, rest = line.partition(" ")
    return who, rest.removeprefix(f"{what} ")


def test_other_rules_are_other_knowledge() -> None:
    starts = [
        Position.start(2), Position.start(3), Position.start(2, "choice"),
        Position.start(2, preset="mini"), Position.start(2, preset="micro"),
    ]  # fmt: skip
    assert len({knowledge.of(start, 0) for start in starts}) == len(starts)


SETTINGS = [
    *((players, farmstead, "full") for players, farmstead in product(range(2, 5), FARMSTEADS)),
    *((2, farmstead, preset) for farmstead, preset in product(FARMSTEADS, ("mini", "micro"))),
]


@pytest.mark.parametrize(("players", "farmstead", "preset"), SETTINGS)
def test_the_moves_that_a_seat_knows_of_are_the_legal_ones(
    players: int, farmstead: str, preset: str
) -> None:
    """Told one label at a time, at every decision of whole games."""
    luck, decisions = Random(players), 0
    for _ in range(1 if preset == "full" else 20):
        position = Position.start(players, farmstead, preset=preset)
        tellers = [knowledge.of(position, seat) for seat in range(players)]
        while not position.over:
            kind, seat, _ = position.node
            for viewer, known in enumerate(tellers):
                assert known.node == position.node
                mine = kind == "decision" and seat == viewer
                assert known.legal_moves() == (position.legal_moves() if mine else ())
            decisions += kind == "decision"
            text = position.pick(luck.random())
            tell(tellers, position, text)
            position = position.play(text)
        for viewer, known in enumerate(tellers):
            assert known.node.kind == "over"
            assert known.legal_moves() == ()
            assert len(known.labels) == len(position.history)
            assert known.labels == knowledge.of(position, viewer).labels
    assert decisions > 100


def tell(tellers: list[Knowledge], position: Position, text: str) -> None:
    core = position.to_core()
    edges = [edge for edge, _ in core.outcomes()] or core.legal_actions()
    texts = list(position.outcomes()) or list(position.legal_moves())
    for viewer, known in enumerate(tellers):
        known._known.tell(*core.label(edges[texts.index(text)], viewer))


# The end


@pytest.mark.parametrize("players", [2, 3])
def test_knowledge_of_a_game_that_is_over_reads_but_cannot_be_sampled(players: int) -> None:
    position = played(Position.start(players), Random(5), 10_000)
    assert position.over
    for seat in range(players):
        known = knowledge.of(position, seat)
        assert parse(str(known)) == known
        assert known.node.kind == "over"
        for ask in (known.sampler, lambda known=known: known.sample(1)):
            with pytest.raises(ValueError, match="the game is over"):
                ask()
        with pytest.raises(RecordError, match="the game is over"):
            parse(f"{known}0 rule end\n")


def test_a_position_without_a_past_and_a_seat_that_is_not_there_are_refused() -> None:
    position = Position.start(3).play("b3")
    for seat in (3, -1):
        with pytest.raises(ValueError, match="no seat"):
            knowledge.of(position, seat)
    with pytest.raises(ValueError, match="past"):
        knowledge.of(knowledge.of(position, 1).sample(1), 1)


# Any text


def mutations(text: str, luck: Random) -> Iterator[str]:
    """Texts that differ from a right one by a slip of the pen."""
    lines = text.splitlines()
    at, other = luck.randrange(len(lines)), luck.randrange(len(lines))
    yield "\n".join(lines[:at] + lines[at + 1 :])
    yield "\n".join([*lines[:at], lines[at], *lines[at:]])
    yield "\n".join([*lines[:at], lines[other], *lines[at + 1 :]])
    letters = "?brsk0123456789@=(), -;\tx\0é"
    for _ in range(4):
        where = luck.randrange(len(text))
        yield text[:where] + luck.choice(letters) + text[where + 1 :]
        yield text[:where] + text[where + 1 :]
    yield text[: luck.randrange(len(text))]
    yield text.replace("?", luck.choice(("b1", "s0", "@1")), luck.randint(1, 3))


@given(moments(120), st.randoms(use_true_random=False))
@examples(30)
def test_any_text_is_read_or_refused_with_its_place(
    moment: tuple[Position, int], luck: Random
) -> None:
    for text in mutations(str(knowledge.of(*moment)), luck):
        error = refusal(text)
        if error is None:
            known = parse(text)
            assert parse(str(known)) == known
            continue
        assert str(error).isprintable()
        assert isinstance(error.cause, NotationError | IllegalMove)
        if error.line is None:  # of the text as a whole
            assert re.search("whose knowledge|no seat|no game here", str(error))
        else:
            assert 1 <= error.line <= text.count("\n") + 1


def refusal(text: str) -> RecordError | None:
    try:
        parse(text)
    except RecordError as error:
        return error
    return None


# Stories that cannot be. Seat 0 is the viewer if nothing else is said.


def told(
    *lines: str, own: str = "b3 r2 s2", seat: int = 0, players: int = 2, preset: str = "full",
    farmstead: str = "random", cards: tuple[str, ...] = CARDS[:24],
) -> str:  # fmt: skip
    """A text whose last line is the last of `lines`, after all has been dealt."""
    text = f"game charlemagne\nplayers {players}\nfarmstead {farmstead}\npreset {preset}\n"
    text += f"seat {seat}\n"
    for other in range(players):
        for drawn in own.split():
            text += f"{other} start {drawn if other == seat else '?'}\n"
    for at, card in enumerate(cards):
        text += f"card {card} {'?' if at % players else f'@{seat}'}\n"
    return text + "".join(f"{line}\n" for line in lines)


NO_KNIGHT = "b3 r3 s2"
WON = ("0 bid pass", "1 reward mill")  # by seat 1
OWN_TURN = (*WON, "1 rule end")
FALL = (*OWN_TURN, "0 rule end")
HARVEST = (*("1 harvest ?",) * 3, "0 harvest b0", "0 harvest r1", "0 harvest s1")
NEXT_YEAR = (*FALL, *HARVEST, "1 income b", "1 church s")
MICRO_CARDS = ("war-privilege-b", "war-castle-b")
BRIBED = (*WON, "1 rule bribe @0 = -")
LOST = (*WON, "1 rule forage @0")

POSSIBLE = [
    told(*WON, "1 rule bribe @0 = k"),
    told(*BRIBED, own=NO_KNIGHT),
    told(*OWN_TURN, "0 rule bribe @1 = - (bbbbrrss)"),
    told(*OWN_TURN, "0 rule bribe @1 = k"),
    told(
        "0 bid pass",
        "1 bid pass",
        "2 reward mill",
        "2 rule bribe @1 = -",
        own="b3 r2 s2",
        players=3,
    ),
    told(*("0 bid pass", "1 reward mill", "1 rule bribe @0 = - (bbbbrrss)"), seat=1),
    told(*LOST, "0 raid yield"),
    told(*FALL, *HARVEST, "1 income b", "1 church s"),
    told(*NEXT_YEAR, "1 lead war-privilege-r"),
    told(*FALL, "1 farmstead b", "0 farmstead random", farmstead="choice"),
]
IMPOSSIBLE = [
    # what bribes find
    (told(*WON, "1 rule bribe @0 = -"), "not so in one's own storage"),
    (told(*WON, "1 rule bribe @0 = k", own=NO_KNIGHT), "not so in one's own storage"),
    (told(*WON, "1 rule bribe @0 = - (bbbrrrss)", own=NO_KNIGHT), "is told to the briber"),
    (told(*OWN_TURN, "0 rule bribe @1 = -"), "is told to the briber"),
    (told(*OWN_TURN, "0 rule bribe @1 = - (bbr)"), "seat 1 has 8 pieces, not 3"),
    (told(*OWN_TURN, "0 rule bribe @1 = - (bbbbbbbbb)"), "seat 1 has 8 pieces, not 9"),
    (told(*OWN_TURN, "0 rule bribe @0 = k"), "not possible here"),
    (told(*OWN_TURN, "0 rule bribe @1 = k", own="b4 r0 s2"), "not possible here"),
    # contradictions to what was shown before
    (told(*OWN_TURN, "0 rule bribe @1 = - (bbbbrrss)", "0 rule forage @1", "1 raid defend"),
     "no deal"),
    (told(*OWN_TURN, "0 rule bribe @1 = - (bbbbrrss)", "0 rule bribe @1 = k"), "no deal"),
    (told("0 bid pass", "1 bid pass", "2 reward mill", "2 rule bribe @1 = -", "2 rule end",
          "0 rule forage @1", "1 raid defend", players=3), "no deal"),
    (told(*WON, "1 rule forage @0", "0 raid defend", own=NO_KNIGHT), "not possible here"),
    # pieces that are not there
    (told("0 bid b", "0 bid stop", "1 bid b", own="b1 r0", preset="micro", cards=MICRO_CARDS),
     "not possible here|no deal"),
    (told("0 bid k", own=NO_KNIGHT), "not possible here"),
    (told("0 bid b", "0 bid b", "0 bid b", "0 bid b"), "not possible here"),
    (told("0 bid b", "0 bid stop", *["1 bid b"] * 9), "not possible here"),
    (told("0 bid b", "0 bid stop", "1 bid r", "1 bid b"), "not possible here"),
    (told(*FALL, "1 farmstead b = -", farmstead="choice"), "no deal"),
    (told(*FALL, *HARVEST, "1 income -"), "no deal"),
    (told(*FALL, *HARVEST, "1 income r"), "another number|not possible here"),
    (told(*FALL, *HARVEST, "1 income bb"), "another number|not possible here"),
    (told(*FALL, *HARVEST[:3], "0 harvest b3"), "not possible here|not so many"),
    # cards that cannot be in a hand
    (told(*NEXT_YEAR, f"1 lead {CARDS[0]}"), "seat 1 cannot have that card"),
    (told(*NEXT_YEAR, "1 lead millennium"), "seat 1 cannot have that card"),
    (told("1 lead war-privilege-r"), "cannot come now"),
    # hidden and seen
    (told(*FALL, "1 harvest b1"), "does not see what this is"),
    (told(*FALL, *HARVEST[:3], "0 harvest ?"), "sees what this is"),
    # what cannot come now
    (told(*WON, "0 rule end"), "cannot come now"),
    (told(*WON, "1 raid yield"), "cannot come now"),
    (told(*FALL, *HARVEST[:3], "0 harvest r1"), "comes before that"),
    (told("0 bid stop"), "not possible here"),
]  # fmt: skip


def last_line(value: object) -> str:
    return str(value).splitlines()[-1]


@pytest.mark.parametrize("text", POSSIBLE, ids=last_line)
def test_stories_that_can_be_are_read(text: str) -> None:
    assert str(parse(text)) == text


@pytest.mark.parametrize(("text", "reason"), IMPOSSIBLE, ids=last_line)
def test_stories_that_cannot_be_are_refused_where_they_become_impossible(
    text: str, reason: str
) -> None:
    *before, _ = text.splitlines()
    with pytest.raises(RecordError, match=reason) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column) == (len(before) + 1, 1)
    assert isinstance(caught.value.cause, IllegalMove)
    parse("\n".join(before))


def test_dealt_pieces_and_cards_are_seen_by_their_owner_alone() -> None:
    begun = told(own="", cards=())
    cards = told(cards=())
    for text, reason in [
        (begun + "0 start ?", "sees what this is"),
        (begun + "0 start r3", "comes before that"),
        (begun + "0 start b9", "not possible here|not so many"),
        (begun + "0 start b4\n0 start r5", "not possible here|not so many"),
        (begun + "0 start b3\n0 start r2\n0 start s2\n1 start b1", "does not see what this is"),
        (cards + "card war-privilege-b @1", "does not see what this is"),
        (cards + "card war-privilege-r ?", "comes before that"),
        (cards + "".join(f"card {card} @0\n" for card in CARDS[:13]), "not possible here"),
        (cards + "".join(f"card {card} ?\n" for card in CARDS[:13]), "only seat 0 has room"),
    ]:
        with pytest.raises(RecordError, match=reason) as caught:
            parse(text)
        assert caught.value.line == len(text.splitlines())
        parse("\n".join(text.splitlines()[:-1]))


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("game charlemagne\nplayers 3\n0 start ?", None, None, "whose knowledge is it"),
        ("game charlemagne\nplayers 3\nseat 3", None, None, "no seat 3 in this game"),
        ("game charlemagne\nseat 8", 2, 6, "the seat is a number"),
        ("game charlemagne\nseat 0\nseat 1", 3, 1, "has been given before"),
        ("game charlemagne\nseat 0\n0 start b3\nseat 0", 4, 1, "before the first move"),
        ("game charlemagne\nseat 0\n0 start bb", 3, 1, "how many"),
        ("game charlemagne\nseat 0\n0 start x1", 3, 1, "how many"),
        ("game charlemagne\nseat 0\n0 start b3\nstart b1", 4, 1, "a seat comes first"),
        ("game charlemagne\nseat 0\n0 card war-castle-b ?", 3, 1, "a seat comes first"),
        ("game charlemagne\nseat 0\n0 start b3\ncard war-castle-b @7", 4, 1, "a card, and then"),
        ("game charlemagne\nseat 0\n0 income rb", 3, 1, "in the order"),
        ("game charlemagne\nseat 0\n0 income bbb", 3, 1, "so many privileges"),
        ("game charlemagne\nseat 0\n0 rule bribe @1", 3, 1, "what did it find"),
        ("game charlemagne\nseat 0\n0 rule bribe @1 = k (b)", 3, 1, "where no Knight is found"),
        ("game charlemagne\nseat 0\n0 rule bribe @1 = - (bk)", 3, 1, "no Knight in it"),
        ("game charlemagne\nseat 0\n0 rule bribe @1 = - (kb)", 3, 1, "in the order"),
        ("game charlemagne\nseat 0\n0 rule end = -", 3, 1, "nothing is found by that"),
        ("game charlemagne\nseat 0\n0 farmstead b = k", 3, 1, "nothing is found by that"),
        ("game charlemagne\nseat 0\n0 farmstead random = -", 3, 1, "nothing is found by that"),
        ("game charlemagne\nseat 0\n0 rule hop", 3, 1, "no move at a node of this kind"),
    ],
)
def test_what_does_not_parse_is_placed(
    text: str, line: int | None, column: int | None, reason: str
) -> None:
    with pytest.raises(RecordError, match=reason) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert isinstance(caught.value.cause, NotationError)
