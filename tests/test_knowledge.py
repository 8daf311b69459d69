"""What a seat knows, as text and as a value: inverse pairs, placed errors, legal moves."""

from __future__ import annotations

import copy
import pickle
import time
from collections.abc import Iterator
from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cython_core.errors import IllegalMove, NotationError
from engines import knowledge
from engines.knowledge import Knowledge, parse
from engines.records import RecordError
from engines.richard import COUNSELORS, EVENTS, PRESETS, Position
from tests.cli import examples

PATIENCE = 20  # seconds in which any text must be read or refused


def random_start(luck: Random) -> Position:
    preset = luck.choice((*PRESETS, "full"))
    players = luck.randint(3, 8) if preset == "full" else luck.randint(2, 3)
    return Position.start(players, luck.choice(COUNSELORS), luck.choice(EVENTS), preset=preset)


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


# Laws


@given(moments())
@examples(80)
def test_text_and_knowledge_are_inverse(moment: tuple[Position, int]) -> None:
    known = knowledge.of(*moment)
    text = str(known)
    read = parse(text)
    assert read == known
    assert hash(read) == hash(known)
    assert str(read) == knowledge.format(read) == text
    assert (read.seat, read.node, read.labels) == (known.seat, known.node, known.labels)
    assert read.legal_moves() == known.legal_moves()
    assert known.node == moment[0].node


@given(moments(120))
@examples(40)
def test_what_was_read_samples_as_what_was_seen(moment: tuple[Position, int]) -> None:
    known = knowledge.of(*moment)
    if moment[0].over:
        return
    read = parse(str(known))
    for index in range(3):
        ours, other = known.sample(index), read.sample(index)
        assert ours.to_core().essence() == other.to_core().essence()
        assert known.complete(index).history == read.complete(index).history


@given(moments(120), st.randoms(use_true_random=False))
@examples(40)
def test_a_text_can_be_kept_with_an_editor(moment: tuple[Position, int], luck: Random) -> None:
    """Comments, blank lines, tabs, line ends of any kind."""
    known = knowledge.of(*moment)
    lines = str(known).split("\n")
    kept = []
    for line in lines:
        kept += luck.choice([[], [""], ["; a note = (?)"], ["  ;", "\t"]])
        indent, blank = luck.choice(["", " ", "\t"]), luck.choice([" ", "  ", "\t"])
        kept.append(indent + line.replace(" ", blank))
    assert parse(luck.choice(["\n", "\r\n", "\r"]).join(kept)) == known


@given(moments(150))
@examples(40)
def test_knowledge_is_a_value(moment: tuple[Position, int]) -> None:
    position, seat = moment
    known = knowledge.of(position, seat)
    for other in (pickle.loads(pickle.dumps(known)), copy.copy(known), copy.deepcopy(known)):
        assert other == known
        assert hash(other) == hash(known)
        assert str(other) == str(known)
    assert known != str(known)
    if not position.over:
        text = position.pick(0.5)
        assert knowledge.of(position.play(text), seat) != known
    elsewhere = (seat + 1) % len(position.points)
    assert knowledge.of(position, elsewhere) != known


def test_other_rules_are_other_knowledge() -> None:
    starts = [
        Position.start(3), Position.start(4), Position.start(3, "off"),
        Position.start(3, "house", "shuffled"), Position.start(3, preset="micro"),
    ]  # fmt: skip
    assert len({knowledge.of(start, 0) for start in starts}) == len(starts)


SETTINGS = list(product(range(3, 9), COUNSELORS, EVENTS))


@pytest.mark.parametrize(("players", "counselors", "events"), SETTINGS)
def test_the_moves_that_a_seat_knows_of_are_the_legal_ones(
    players: int, counselors: str, events: str
) -> None:
    """Told one label at a time, at every decision of a whole game."""
    luck = Random(players)
    position = Position.start(players, counselors, events)
    tellers = [start_telling(position, seat) for seat in range(players)]
    while not position.over:
        kind, seat, _ = position.node
        for viewer, known in enumerate(tellers):
            assert known.node == position.node
            moves = position.legal_moves() if kind == "decision" and seat == viewer else ()
            assert known.legal_moves() == moves
        text = position.pick(luck.random())
        tell(tellers, position, text)
        position = position.play(text)
    for viewer, known in enumerate(tellers):
        assert known.node.kind == "over"
        assert known.legal_moves() == ()
        assert len(known.labels) == len(knowledge.of(position, viewer).labels)


def start_telling(position: Position, seat: int) -> Knowledge:
    return knowledge.of(position, seat)


def tell(tellers: list[Knowledge], position: Position, text: str) -> None:
    core = position.to_core()
    edges = [edge for edge, _ in core.outcomes()] or core.legal_actions()
    texts = list(position.outcomes()) or list(position.legal_moves())
    for viewer, known in enumerate(tellers):
        known._known.tell(*core.label(edges[texts.index(text)], viewer))


# The end


def test_knowledge_of_a_game_that_is_over_reads_but_cannot_be_sampled() -> None:
    luck = Random(5)
    for players in (3, 5):
        position = played(Position.start(players, "house", "shuffled"), luck, 10_000)
        assert position.over
        for seat in range(players):
            known = knowledge.of(position, seat)
            assert parse(str(known)) == known
            assert known.node.kind == "over"
            for ask in (known.sampler, lambda known=known: known.sample(1)):
                with pytest.raises(ValueError, match="the game is over"):
                    ask()
            with pytest.raises(RecordError, match="the game is over"):
                parse(f"{known}reveal b\n")


def test_a_position_without_a_past_and_a_seat_that_is_not_there_are_refused() -> None:
    position = Position.start(3).play("b")
    with pytest.raises(ValueError, match="no seat"):
        knowledge.of(position, 3)
    with pytest.raises(ValueError, match="no seat"):
        knowledge.of(position, -1)
    with pytest.raises(ValueError, match="past"):
        knowledge.of(knowledge.of(position, 1).sample(1), 1)


# Any text


def mutations(text: str, luck: Random) -> Iterator[str]:
    """Texts that differ from a right one by a slip of the pen."""
    lines = text.splitlines()
    at, other = luck.randrange(len(lines)), luck.randrange(len(lines))
    yield "\n".join(lines[:at] + lines[at + 1 :])
    yield "\n".join([*lines[:at], lines[at], *lines[at:]])
    swapped = list(lines)
    swapped[at], swapped[other] = lines[other], lines[at]
    yield "\n".join(swapped)
    yield "\n".join([*lines[:at], lines[other], *lines[at + 1 :]])
    letters = "?bypwrg0123456789@=(), -;\tx\0é"
    for _ in range(4):
        where = luck.randrange(len(text))
        yield text[:where] + luck.choice(letters) + text[where + 1 :]
        yield text[:where] + luck.choice(letters) + text[where:]
        yield text[:where] + text[where + 1 :]
    yield text[: luck.randrange(len(text))]
    yield text.replace("?", luck.choice("bypwrg1"), luck.randint(1, 3))
    hidden = [i for i, line in enumerate(lines) if line.endswith("?")]
    if hidden:
        at = luck.choice(hidden)
        yield "\n".join([*lines[:at], lines[at].replace("?", "r"), *lines[at + 1 :]])


@given(moments(120), st.randoms(use_true_random=False))
@examples(60)
def test_any_text_is_read_or_refused_with_its_place(
    moment: tuple[Position, int], luck: Random
) -> None:
    for text in mutations(str(knowledge.of(*moment)), luck):
        begun = time.monotonic()
        error = refusal(text)
        assert time.monotonic() - begun < PATIENCE
        if error is None:
            known = parse(text)
            assert parse(str(known)) == known
            continue
        assert str(error).isprintable()
        assert isinstance(error.cause, NotationError | IllegalMove)
        lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n").split("\n")
        if error.line is None:  # of the text as a whole
            reasons = ("whose knowledge", "no seat", "no game here")
            assert any(reason in str(error) for reason in reasons)
        else:
            assert 1 <= error.line <= len(lines)
            assert error.column is None or 1 <= error.column <= len(lines[error.line - 1]) + 1


def refusal(text: str) -> RecordError | None:
    try:
        parse(text)
    except RecordError as error:
        return error
    return None


# Stories that cannot be. Seat 0 is the viewer if nothing else is said.

HEAD = "game richard\nplayers 3\ncounselors {}\nevents off\npreset full\nseat {}\n"


def told(
    *lines: str, own: str = "bbbbbb", seat: int = 0, counselors: str = "off",
    sides: str = "john richard richard", number: str = "7",
) -> str:  # fmt: skip
    """A text whose last line is the last of `lines`, after the cards have been dealt."""
    text = HEAD.format(counselors, seat)
    for other in range(3):
        text += "".join(f"{other} deal {card if other == seat else '?'}\n" for card in own)
    text += "".join(f"{other} loyalty {side}\n" for other, side in enumerate(sides.split()))
    if counselors == "house":
        for other in range(3):
            text += f"{other} counselor {number if other == seat else '?'}\n"
    return text + "".join(f"{line}\n" for line in lines)


def places(zero: str, one: str, two: str) -> tuple[str, ...]:
    return f"0 place {zero}", f"1 place {one}", f"2 place {two}", "2 colour w"


SPY = (*places("spy", "inquisitor", "merchant"), "0 option 2")
FIRST_SPIES = (*places("merchant", "spy", "inquisitor"), "0 option 1", "0 draw b", "1 option 2")
ARMS = (*places("arms", "merchant", "inquisitor"), "0 option 2")
TAX = (*places("exciseman", "merchant", "inquisitor"), "0 option 2")
GIFTS = (
    *places("merchant", "arms", "inquisitor"), "0 option 1", "0 draw b", "1 option 1", "1 draw ?",
    "2 option 1", "2 player @1 = 0", "0 give bb", "1 give ??", "2 give ??",
)  # fmt: skip
ACT = places("merchant", "spy", "inquisitor")

POSSIBLE = [
    told(*SPY, "0 player-colour @1g = 3 (bbbggg)", own="ppbbbb"),
    told(*SPY, "0 player-colour @1g = 0", "0 draw ?", "1 option 1", "1 player @0 = 0", seat=2),
    told(*FIRST_SPIES, "1 player-colour @0b = 9 (bbbbbbbbb)"),
    told(*ARMS, "0 offer 0", "1 offer ?", "2 offer ? = 0,6,3"),
    told(*TAX, "1 offer 6", "2 offer 0", "0 offer 0"),
    told(*ACT, "0 option counselor 7", counselors="house"),
    told(*GIFTS, *["reveal w"] * 5, "reveal b"),
    told(*GIFTS, *["reveal g"] * 4, "reveal r", sides="john john richard"),
]
IMPOSSIBLE = [
    # payments that nobody can cover
    (told(*SPY, "0 player-colour @1g = 0", "0 draw ?", "1 option 2", seat=2), "no deal"),
    (told(*SPY, "0 player-colour @1g = 1", "0 draw ?", "1 option 2", seat=2), "no deal"),
    (told(*SPY, own="bbbbbb"), "not possible here"),
    (told(*TAX, "1 offer 7"), "cards"),
    (told(*TAX, "1 offer 6", "2 offer 7"), "cards"),
    # counts and hands
    (told(*SPY, "0 player-colour @1g = 7", seat=2), "not so many cards"),
    (told(*SPY, "0 player-colour @1g = 255", seat=2), "not so many cards"),
    (told(*SPY, "0 player-colour @1g = 2 (bbbggg)", own="ppbbbb"), "another number of cards"),
    (told(*SPY, "0 player-colour @1g = 2 (bgg)", own="ppbbbb"), "has 6 cards, not 3"),
    (told(*SPY, "0 player-colour @1g = 2 (bbbbbgg)", own="ppbbbb"), "has 6 cards, not 7"),
    (told(*SPY, "0 player-colour @1g = 2 ()", own="ppbbbb"), "has 6 cards, not 0"),
    (told(*SPY, "0 player-colour @1g = 2", own="ppbbbb"), "those who see it"),
    (told(*SPY, "0 player-colour @1g = 2 (bbbbgg)", seat=2), "those who see it"),
    (told(*SPY, "0 player-colour @1g", own="ppbbbb"), "how many cards"),
    (told(*FIRST_SPIES, "1 player-colour @0b = 9 (bbbbbbbby)"), "another"),
    (told(*FIRST_SPIES, "1 player-colour @0g = 1 (bbbbbbbbg)"), "another"),
    (told(*FIRST_SPIES, "1 player-colour @0g = 1 (bbbbbbbbb)"), "another"),
    # cards that the supply and the Crusade deck do not hold
    (told(*GIFTS, *["reveal w"] * 6), "no deal"),
    (told(*GIFTS, *["reveal g"] * 5, sides="john john richard"), "no deal"),
    # offers
    (told(*ARMS, "0 offer 0", "1 offer ?", "2 offer ? = 1,0,0"), "seat 0 offered something else"),
    (told(*ARMS, "0 offer 0", "1 offer ?", "2 offer ? = 0,7,0"), "not so many cards"),
    (told(*ARMS, "0 offer 0", "1 offer ?", "2 offer ? = 0,0"), "3 offers are shown"),
    (told(*ARMS, "0 offer 0", "1 offer ?", "2 offer ?"), "with the last one"),
    (told(*ARMS, "0 offer 0", "1 offer ? = 0,0"), "with the last one"),
    (told(*ARMS, "0 offer 1"), "not possible here"),
    # hidden and seen
    (told(*ARMS, "0 offer ?"), "sees what this is"),
    (told(*ARMS, "0 offer 0", "1 offer 0"), "does not see what this is"),
    (told(*TAX, "1 offer ?"), "sees what this is"),
    (told(*GIFTS, "reveal ?"), "sees what this is"),
    (told(*GIFTS[:-3], "0 give ??"), "sees what this is"),
    (told(*GIFTS[:-2], "1 give bb"), "does not see what this is"),
    (told(*GIFTS[:-2], "1 give ???"), "not possible here"),
    (told(*GIFTS[:-2], "1 give ?"), "not possible here"),
    (told(*GIFTS[:-2], "1 give -"), "not possible here"),
    (told(*GIFTS[:-3], "0 give bg"), "not possible here"),
    # counselors
    (told(*ACT, "0 option counselor 8", counselors="house"), "not possible here"),
    (told(*ACT[:1], "1 place merchant", counselors="house"), "not possible here"),
    (told(*ACT, "0 option 1", "0 draw b", "1 option counselor 7", counselors="house",
          sides="john john richard"), "not possible here"),
    (told(*ACT, "0 option 1", "0 draw b", "1 option counselor 8", "1 colour b", "1 colour y",
          "1 option counselor 9", counselors="house"), "not possible here"),
    (told(*ACT, "0 option 1", "0 draw b", "1 option counselor 8", "1 colour b", "1 colour y",
          "1 option 1", "1 draw ?", "2 option counselor 8", counselors="house"),
     "not possible here"),
    # what cannot come now
    (told("1 place spy"), "cannot come now"),
    (told(*ARMS, "0 draw b"), "cannot come now"),
]  # fmt: skip


def last_line(value: str) -> str:
    return value.splitlines()[-1]


@pytest.mark.parametrize("text", POSSIBLE, ids=last_line)
def test_stories_that_can_be_are_read(text: str) -> None:
    assert str(parse(text)) == text


@pytest.mark.parametrize(("text", "reason"), IMPOSSIBLE, ids=last_line)
def test_stories_that_cannot_be_are_refused_where_they_become_impossible(
    text: str, reason: str
) -> None:
    *before, _ = text.splitlines()
    last = len(before) + 1
    with pytest.raises(RecordError, match=reason) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column) == (last, 1)
    assert isinstance(caught.value.cause, IllegalMove)
    parse("\n".join(before))


def test_dealt_cards_are_seen_by_their_owner_alone() -> None:
    head = HEAD.format("off", 0)
    for line, reason in [("0 deal ?", "sees what this is"), ("0 deal x", "no card of a deal")]:
        with pytest.raises(RecordError, match=reason) as caught:
            parse(f"{head}{line}")
        assert caught.value.line == 7
    with pytest.raises(RecordError, match="does not see what this is"):
        parse(head + "0 deal b\n" * 6 + "1 deal b")


def test_more_cards_of_a_colour_than_there_are_cannot_be_drawn() -> None:
    head = HEAD.format("off", 0).replace("players 3", "players 2").replace("full", "micro")
    with pytest.raises(RecordError, match=r"not possible here|no deal") as caught:
        parse(f"{head}0 deal b")
    assert caught.value.line == 7


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("", None, None, "no game here"),
        ("game richard\nplayers 3\n0 deal ?", None, None, "whose knowledge is it"),
        ("game richard\nplayers 3\nseat 5", None, None, "no seat 5 in this game"),
        ("game richard\nseat 8", 2, 6, "the seat is a number"),
        ("game richard\nseat -1", 2, 6, "the seat is a number"),
        ("game richard\nseat ?", 2, 6, "the seat is a number"),
        ("game richard\nseat 0\nseat 1", 3, 1, "has been given before"),
        ("game richard\nseat 0\n0 deal b\nseat 0", 4, 1, "before the first move"),
        ("game rr\nCb2", None, None, "whose knowledge|nothing is hidden"),
        ("game rr\nseat 0\nCb2", 2, 1, "no key 'seat'"),
        ("game richard\nseat 0\n0 deal bb", 3, 1, "no card of a deal"),
        ("game richard\nseat 0\n0 draw-two b", 3, 1, "nothing that a seat learns"),
        ("game richard\nseat 0\n0 deal b = 256", 3, 1, "no such number"),
        ("game richard\nseat 0\n0 deal b (gb)", 3, 1, "in the order"),
        ("game richard\nseat 0\n  0 deal b ; mine", 3, 12, "comment needs a line of its own"),
    ],
)
def test_what_does_not_parse_is_placed(
    text: str, line: int | None, column: int | None, reason: str
) -> None:
    with pytest.raises(RecordError, match=reason) as caught:
        parse(text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert isinstance(caught.value.cause, NotationError)


@pytest.mark.parametrize("extra", ["= 2", "= 1,2", "(b)", "= 2 (b)"])
@pytest.mark.parametrize("line", ["0 place spy", "0 loyalty john", "0 option 1", "0 deal b"])
def test_nothing_is_shown_with_a_move_that_shows_nothing(line: str, extra: str) -> None:
    """A count, offers or a hand where none is told must not be taken in silence."""
    before = {"place": told(), "loyalty": told().partition("0 loyalty")[0],
              "option": told(*ACT), "deal": HEAD.format("off", 0)}[line.split()[1]]  # fmt: skip
    parse(before + line)
    with pytest.raises(RecordError):
        parse(f"{before}{line} {extra}")
