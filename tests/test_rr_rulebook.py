"""RR: the rulebook, paragraph by paragraph, then the rulings of RULES.md.

Whatever is asked about play is asked of the compiled rules and of the slow twin alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import pytest

from cython_core.game import perft
from engines.rr import (
    DIRECTIONS,
    LETTERS,
    NAMES,
    SQUARES,
    START,
    Fault,
    Position,
    Rules,
    Side,
    parse,
    validate,
)
from tests.reference import rr as twin
from tests.test_rr_twin import twin_rules

RAY, ADJACENT = Rules(), Rules(queen="adjacent")
FACE_UP, OCCUPIED = Rules(), Rules(ending="occupied")


class Referee(Protocol):
    """One implementation of the rules, asked in texts."""

    def legal(self, text: str, rules: Rules) -> set[str]: ...
    def play(self, text: str, moves: Sequence[str], rules: Rules) -> str: ...
    def over(self, text: str, rules: Rules) -> bool: ...
    def margin(self, text: str) -> int: ...


class CoreReferee:
    def legal(self, text: str, rules: Rules) -> set[str]:
        return set(Position.parse(text, rules).legal_moves())

    def play(self, text: str, moves: Sequence[str], rules: Rules) -> str:
        position = Position.parse(text, rules)
        for move in moves:
            position = position.play(move)
        return str(position)

    def over(self, text: str, rules: Rules) -> bool:
        return Position.parse(text, rules).over

    def margin(self, text: str) -> int:
        return Position.parse(text).margin


class TwinReferee:
    def legal(self, text: str, rules: Rules) -> set[str]:
        assert twin.problems(twin.parse(text), twin_rules(rules)) == []
        return set(twin.legal(twin.parse(text), twin_rules(rules)))

    def play(self, text: str, moves: Sequence[str], rules: Rules) -> str:
        state = twin.parse(text)
        for move in moves:
            state = twin.play(state, move, twin_rules(rules))
        return twin.format_state(state)

    def over(self, text: str, rules: Rules) -> bool:
        return twin.finished(twin.parse(text), twin_rules(rules))

    def margin(self, text: str) -> int:
        return twin.margin(twin.parse(text))


class Table:
    """A referee and the questions that the tests put to it."""

    def __init__(self, referee: Referee) -> None:
        self.referee = referee
        self.margin = referee.margin

    def legal(self, text: str, rules: Rules = RAY) -> set[str]:
        return self.referee.legal(text, rules)

    def after(self, text: str, *moves: str, rules: Rules = RAY) -> str:
        """The text after legal moves; an illegal one is an error of the referee's own."""
        return self.referee.play(text, moves, rules)

    def over(self, text: str, rules: Rules = RAY) -> bool:
        return self.referee.over(text, rules)

    def effects(self, text: str, placed: str, rules: Rules = RAY) -> set[str]:
        """What may follow one card on one square, which itself must be a move."""
        assert placed in self.legal(text, rules)
        return {move[3:] for move in self.legal(text, rules) if move.startswith(placed)} - {""}


@pytest.fixture(params=[CoreReferee, TwinReferee], ids=["core", "twin"])
def rr(request: pytest.FixtureRequest) -> Table:
    return Table(request.param())


# § Game Overview


def test_game_overview_two_sides_with_seven_characters_each() -> None:
    """§ Game Overview: Regality and Religion, each with the same seven powers."""
    assert [str(side) for side in Side] == ["Regality", "Religion"]
    assert [side.other for side in Side] == [Side.RELIGION, Side.REGALITY]
    own = [card for card in LETTERS if card != "C"]
    assert len(own) == 7
    assert all(len(set(NAMES[card])) == 2 for card in own)


@pytest.mark.parametrize(
    ("text", "margin", "winner"),
    [
        ("kpQ/wGM/gtT r - -", -1, Side.RELIGION),
        ("kpQ/wGM/gtT b - -", 1, Side.RELIGION),
        ("KPq/Wgm/GTt r - -", 1, Side.REGALITY),
        ("KPq/Wgm/GTt b - -", -1, Side.REGALITY),
    ],
)
def test_game_overview_the_side_with_most_allies_wins(
    rr: Table, text: str, margin: int, winner: Side
) -> None:
    """§ Game Overview: more cards facing you at the end is a win, whoever would be to move."""
    assert rr.over(text)
    assert rr.margin(text) == margin
    assert Position.parse(text).winner == winner


# § Contents


def test_contents_fifteen_cards() -> None:
    """§ Contents: all fifteen cards are in hand when the game starts."""
    _, _, regality, religion = START.split(" ")
    assert len(regality + religion) == 15


def test_game_cards_every_card_has_its_name_on_either_side() -> None:
    """§ Game Cards: a card has a name; § Card Effects says which."""
    assert NAMES == {
        "C": ("Citizen", "Citizen"),
        "K": ("King", "Hierophant"),
        "Q": ("Queen", "Cardinal"),
        "P": ("Princess", "Saint"),
        "M": ("Minister", "Bishop"),
        "G": ("General", "Paladin"),
        "W": ("Magician", "Monk"),
        "T": ("Castle", "Temple"),
    }
    assert "".join(NAMES) == LETTERS


# § Preparations


def test_preparations_1_the_players_face_each_other(rr: Table) -> None:
    """§ Preparations 1: every card faces one of two players, and none looks sideways."""
    text = rr.after(START, "Cb2", "Ta1", "Tc3")
    assert text == "..T/.C./t.. b KQPMGW kqpmgw"


def test_preparations_2_the_board_has_three_by_three_squares(rr: Table) -> None:
    """§ Preparations 2: nine squares, all of them open at first."""
    assert rr.legal(START) == {"C" + file + rank for file in "abc" for rank in "123"}


def test_preparations_2_short_sides_face_the_players(rr: Table) -> None:
    """§ Preparations 2: Regality sits below rank 1, and squares keep their names for both."""
    for side in "rb":
        text = f".../.C./... {side} KQPMGWT kqpmgwt"
        assert rr.effects(text, "Qb1") == {"~n"}
        assert rr.effects(text, "Qb3") == {"~s"}
        assert rr.effects(text, "Qa2") == {"~e"}


def test_preparations_3_both_sides_hold_the_same_seven_cards() -> None:
    """§ Preparations 3: seven red cards and seven blue ones, all face up to both players."""
    _, _, regality, religion = START.split(" ")
    assert set(religion.upper()) == set(regality) - {"C"} == set("KQPMGWT")


def test_preparations_3_both_sets_have_identical_powers(rr: Table) -> None:
    """§ Preparations 3: what the red cards can do, the blue ones can do as well."""
    of_regality = rr.legal(".../.C./... r KQPMGWT kqpmgwt")
    of_religion = rr.legal(".../.C./... b KQPMGWT kqpmgwt")
    assert of_regality == of_religion


def test_preparations_4_either_side_may_start(rr: Table) -> None:
    """§ Preparations 4: who starts is up to the players, so it may be Religion."""
    religion_starts = ".../.../... b KQPMGWT ckqpmgwt"
    assert rr.legal(religion_starts) == rr.legal(START)
    assert rr.after(religion_starts, "Cb2") == ".../.c./... r KQPMGWT kqpmgwt"


@pytest.mark.parametrize(
    "text", [START, ".../.../... b KQPMGWT ckqpmgwt", ".../.../... r CKQPMT kqpmt"]
)
def test_preparations_5_the_starter_opens_with_the_citizen_and_nothing_else(
    rr: Table, text: str
) -> None:
    """§ Preparations 5: the Citizen joins the starter's hand and must be played first."""
    assert {move[0] for move in rr.legal(text)} == {"C"}


# § How to Play


def test_how_to_play_players_take_turns(rr: Table) -> None:
    """§ How to Play: one card, then the other side."""
    text, sides = START, []
    for move in ("Cb2", "Ta1", "Tc3", "Mc1"):
        sides.append(text.split(" ")[1])
        text = rr.after(text, move)
    assert sides == ["r", "b", "r", "b"]
    assert text == "..T/.C./t.m r KQPMGW kqpgw"


@pytest.mark.parametrize("square", SQUARES)
def test_how_to_play_the_citizen_goes_on_a_square_of_choice(rr: Table, square: str) -> None:
    """§ How to Play: the first card may go anywhere."""
    board = ["..."] * 3
    board["321".index(square[1])] = {"a": "C..", "b": ".C.", "c": "..C"}[square[0]]
    assert rr.after(START, "C" + square) == "/".join(board) + " b KQPMGWT kqpmgwt"


def test_how_to_play_any_card_goes_on_any_unoccupied_square(rr: Table) -> None:
    """§ How to Play: after the Citizen, seven cards times eight squares, and no other square."""
    moves = rr.legal(".../.C./... b KQPMGWT kqpmgwt")
    expected = {card + square for card in "KQPMGWT" for square in SQUARES if square != "b2"}
    assert {move for move in moves if len(move) == 3} == expected
    assert {move[:3] for move in moves} == expected


@pytest.mark.parametrize("card", "KQPMGWT")
def test_how_to_play_a_placed_card_leaves_the_hand_and_faces_its_player(
    rr: Table, card: str
) -> None:
    """§ How to Play: a card is placed from the hand, as an ally of its player."""
    red, blue = "KQPMGWT", "kqpmgwt"
    rest = red.replace(card, "")
    assert rr.after(f".../.C./... r {red} {blue}", card + "c1") == (
        f".../.C./..{card} b {rest} {blue}"
    )
    assert rr.after(f".../.C./... b {red} {blue}", card + "c1") == (
        f".../.C./..{card.lower()} r {red} {rest.lower()}"
    )


@pytest.mark.parametrize(
    ("placed", "board"),
    [
        ("Kb2", "c../.K./..."),
        ("Qb2", "c../.Q./..."),
        ("Pb2", "c../.P./..."),
        ("Mb2", "c../.M./..."),
        ("Gb3", "cG./.../..."),
        ("Wb2", "c../.W./..."),
    ],
)
def test_how_to_play_an_effect_need_not_be_applied(rr: Table, placed: str, board: str) -> None:
    """§ How to Play: every card that has an effect may be placed without it."""
    before = "c../.../... r KQPMGWT kqpmgwt"
    assert rr.effects(before, placed) != set()
    assert rr.after(before, placed).split(" ")[0] == board


def test_how_to_play_an_effect_is_not_applied_in_part(rr: Table) -> None:
    """§ How to Play: the Princess turns all neighbours of a kind or none of them."""
    before = ".kp/w.g/.C. r PQM qmt"
    boards = {
        rr.after(before, "Pb2" + effect).split(" ")[0]
        for effect in ("", *rr.effects(before, "Pb2"))
    }
    assert boards == {".kp/wPg/.C.", ".Kp/WPG/.c.", ".kP/wPg/.C."}


# § Turning Cards


def test_turning_cards_switches_the_allegiance_of_enemies_and_allies(rr: Table) -> None:
    """§ Turning Cards: a turned card faces the other way, whosever it was."""
    before = "..q/kwC/... {} PMTG pmgt"
    assert rr.after(before.format("r"), "Mb1~a2") == "..q/KwC/.M. b PGT pmgt"
    assert rr.after(before.format("r"), "Mb1~c2") == "..q/kwc/.M. b PGT pmgt"
    assert rr.after(before.format("b"), "Mb1~a2") == "..q/KwC/.m. r PMGT pgt"
    assert rr.after(before.format("b"), "Mb1~c2") == "..q/kwc/.m. r PMGT pgt"


def test_turning_cards_twice_makes_a_card_face_as_before(rr: Table) -> None:
    """§ Turning Cards: a half turn and another half turn."""
    text = rr.after(".../k.C/... r QPMT qpmt", "Ma1~a2", "Mb2~a2")
    assert text == ".../kmC/M.. r QPT qpt"


def test_turning_cards_a_turned_card_does_not_act_again(rr: Table) -> None:
    """§ Turning Cards, ruling Turn 3: a turned Princess turns nobody herself."""
    assert rr.after(".../Cpk/... r QPMT qmt", "Mb1~b2") == ".../CPk/.M. b QPT qmt"


@pytest.mark.parametrize(
    ("move", "rules", "board"),
    [
        ("Qa1~n", RAY, "KpC/W.g/Q.."),
        ("Qa1~ne", RAY, "kpc/w.g/Q.."),
        ("Qb2~all", ADJACENT, "KPc/WQG/..."),
        ("Pb2~o", RAY, "kPC/WPG/..."),
        ("Pb2~d", RAY, "Kpc/wPg/..."),
    ],
)
def test_turning_cards_several_at_once(rr: Table, move: str, rules: Rules, board: str) -> None:
    """§ Turning Cards: Queen and Princess turn their whole set, friend and foe."""
    before = "kpC/w.g/... r QPM qmt"
    assert rr.after(before, move, rules=rules).split(" ")[0] == board


def test_turning_cards_never_only_some_of_the_affected(rr: Table) -> None:
    """§ Turning Cards: of a set of cards, no smaller set is on offer."""
    before = "kpC/w.g/... r QPM qmt"
    assert rr.effects(before, "Qa1") == {"~n", "~ne"}
    assert rr.effects(before, "Qb2") == {"~n", "~ne", "~e", "~w", "~nw"}
    assert rr.effects(before, "Qb2", ADJACENT) == {"~all"}
    assert rr.effects(before, "Pb2") == {"~o", "~d"}


# § Banishing Cards


def test_banishing_cards_the_card_is_first_flipped_face_down(rr: Table) -> None:
    """§ Banishing Cards: it stays on the board and shows nobody its face."""
    assert rr.after(".../.C./... b KQPMGWT kqpmgwt", "Ga2xb2") == ".../g#./... r KQPMGWT kqpmwt"


def test_banishing_cards_the_square_stays_filled_for_one_turn(rr: Table) -> None:
    """§ Banishing Cards: the opponent cannot place a card there."""
    banished = rr.after(".../.C./... b KQPMGWT kqpmgwt", "Ga2xb2")
    assert {move[1:3] for move in rr.legal(banished)} == set(SQUARES) - {"a2", "b2"}


def test_banishing_cards_the_square_is_free_when_the_banisher_moves_again(rr: Table) -> None:
    """§ Banishing Cards: the card leaves, and the banisher is the first who may use its square."""
    text = rr.after(".../.C./... b KQPMGWT kqpmgwt", "Ga2xb2", "Tc1")
    assert text == ".../g../..T b KQPMGW kqpmwt"
    assert rr.after(text, "Tb2") == ".../gt./..T r KQPMGW kqpmw"


def test_banishing_cards_the_card_is_removed_from_the_game(rr: Table) -> None:
    """§ Banishing Cards: it comes back to no hand and to no square."""
    text = rr.after(".../.C./... b KQPMGWT kqpmgwt", "Ga2xb2", "Tc1", "Tc3", "Qa1", "Qb2")
    assert text == "..t/gq./Q.T r KPMGW kpmw"


def test_banishing_cards_an_answering_banishment_outlasts_the_first(rr: Table) -> None:
    """§ Banishing Cards: each card leaves when the turn comes back to the side that banished it."""
    text = rr.after(".../.C./... b KQPMGWT kqpmgwt", "Ga2xb2", "Kb1xa2")
    assert text == ".../#../.K. b QPMGWT kqpmwt"
    assert rr.after(text, "Tb2") == ".../.t./.K. r QPMGWT kqpmw"


@pytest.mark.parametrize(
    ("banisher", "effects"),
    [
        ("K", {"xa3", "xb3", "xc3", "xa2", "xc2"}),
        ("G", {"xb3", "xa2", "xc2"}),
        ("W", {"xa3", "xc3"}),
    ],
)
def test_banishing_cards_nothing_happens_on_the_last_square(
    rr: Table, banisher: str, effects: set[str]
) -> None:
    """§ Banishing Cards, Important: on it the effect is lost; with one more free square it is not.

    The square under a face-down card is not free (ruling "Last square").
    """
    assert rr.effects(f"qCm/w.M/tT. r {banisher}Q kp", banisher + "b2") == effects
    assert rr.effects(f"qCm/w.M/tTP r {banisher}Q p", banisher + "b2") == set()
    assert rr.effects(f"qCm/w.M/tT# r {banisher}Q gp", banisher + "b2") == set()
    assert rr.effects(f"qCm/w.M/tT# r {banisher}Q gp", banisher + "b2", OCCUPIED) == set()
    assert rr.over(rr.after(f"qCm/w.M/tTP r {banisher}Q p", banisher + "b2"))


def test_banishing_cards_turning_on_the_last_square_is_not_excepted(rr: Table) -> None:
    """§ Banishing Cards, Important: only banishing is lost there."""
    assert rr.effects("qCm/w.M/tTP r KQ p", "Qb2") == {"~n", "~ne", "~e", "~se", "~w", "~nw"}


def test_banishing_cards_you_may_banish_your_own(rr: Table) -> None:
    """§ Banishing Cards: an ally may be hit as well as an enemy."""
    assert rr.after(".../k.C/... r QPMGT qpmt", "Gb2xc2") == ".../kG#/... b QPMT qpmt"
    assert rr.after(".../k.C/... r QPMGT qpmt", "Gb2xa2") == ".../#GC/... b QPMT qpmt"


@pytest.mark.parametrize("down", ["a2", "b1", "b2"])
@pytest.mark.parametrize("rules", [RAY, ADJACENT])
def test_banishing_cards_a_face_down_card_is_subject_to_no_effect(
    rr: Table, rules: Rules, down: str
) -> None:
    """§ Banishing Cards: no card on a1 does anything to a face-down card next to it."""
    board = {"a2": ".../#.C/...", "b1": ".../..C/.#.", "b2": ".../.#C/..."}[down]
    for card in "KQPMGWT":
        assert rr.effects(f"{board} b KQPMWT kqpmgwt", card + "a1", rules) == set()


# § Game End


def test_game_end_when_all_nine_squares_are_filled(rr: Table) -> None:
    """§ Game End: the ninth card ends it, with cards left in hand."""
    before = "qCm/w.M/tTP r KQ p"
    assert not rr.over(before)
    assert rr.over(rr.after(before, "Kb2"))
    assert rr.legal(rr.after(before, "Kb2")) == set()


@pytest.mark.parametrize(
    ("move", "margin"), [("Qb2", 1), ("Qb2~nw", 3), ("Qb2~e", -1), ("Qb2~n", -1), ("Kb2", 1)]
)
def test_game_end_the_last_effect_is_applied_or_not(rr: Table, move: str, margin: int) -> None:
    """§ Game End: what counts are the allies after the effect of the last card."""
    after = rr.after("qCm/w.M/tTP r KQ p", move)
    assert rr.over(after)
    assert rr.margin(after) == -margin  # seen by the side that would be next
    winner = Side.REGALITY if margin > 0 else Side.RELIGION
    assert Position.parse(after).winner == winner


# § Card Effects

STEPS = dict(
    zip(
        [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)],
        DIRECTIONS,
        strict=True,
    )
)


def effect_on(card: str, square: str, target: str, rules: Rules) -> set[str]:
    """What a card on a square may do to the only other card on the board: § Card Effects."""
    dx, dy = ord(target[0]) - ord(square[0]), ord(target[1]) - ord(square[1])
    far = max(abs(dx), abs(dy))
    if card == "Q" and rules.queen == "ray":
        on_a_line = dx == 0 or dy == 0 or abs(dx) == abs(dy)
        return {"~" + STEPS[dx // far, dy // far]} if on_a_line else set()
    if far > 1:
        return set()
    orthogonal = dx == 0 or dy == 0
    return {
        "K": {"x" + target},
        "Q": {"~all"},
        "P": {"~o" if orthogonal else "~d"},
        "M": {"~" + target},
        "G": {"x" + target} if orthogonal else set(),
        "W": set() if orthogonal else {"x" + target},
        "T": set(),
    }[card]


@pytest.mark.parametrize("rules", [RAY, ADJACENT])
@pytest.mark.parametrize("side", "rb")
@pytest.mark.parametrize("citizen", "Cc")
@pytest.mark.parametrize("card", "KQPMGWT")
def test_card_effects_reach_of_every_card_on_every_square(
    rr: Table, card: str, citizen: str, side: str, rules: Rules
) -> None:
    """§ Card Effects: one card of each line, on all squares, against a Citizen on all others.

    The Citizen is turned and banished like any card, by either side; the Castle does nothing.
    """
    for target in SQUARES:
        cells = ["."] * 9
        cells[SQUARES.index(target)] = citizen
        before = f"{_ranks(cells)} {side} KQPMGWT kqpmgwt"
        for square in set(SQUARES) - {target}:
            expected = effect_on(card, square, target, rules)
            assert rr.effects(before, card + square, rules) == expected
            for effect in expected:
                after = list(cells)
                after[SQUARES.index(square)] = card if side == "r" else card.lower()
                after[SQUARES.index(target)] = "#" if "x" in effect else citizen.swapcase()
                played = rr.after(before, card + square + effect, rules=rules)
                assert played.split(" ")[0] == _ranks(after)


def _ranks(cells: list[str]) -> str:
    return "/".join("".join(cells[rank : rank + 3]) for rank in (6, 3, 0))


@pytest.mark.parametrize(
    ("placed", "hand", "rules", "effects"),
    [
        ("Kb2", "KQT", RAY, {"xa3", "xb3", "xa2", "xc2", "xc1"}),
        ("Qb2", "QMT", RAY, {"~nw", "~n", "~w", "~e", "~se"}),
        ("Qb2", "QMT", ADJACENT, {"~all"}),
        ("Pb2", "QPT", RAY, {"~d", "~o"}),
        ("Mb2", "QMT", RAY, {"~a3", "~b3", "~a2", "~c2", "~c1"}),
        ("Gb2", "QGT", RAY, {"xb3", "xa2", "xc2"}),
        ("Wb2", "QWT", RAY, {"xa3", "xc1"}),
        ("Tb2", "QMT", RAY, set()),
    ],
)
def test_card_effects_one_card_or_all_of_a_set(
    rr: Table, placed: str, hand: str, rules: Rules, effects: set[str]
) -> None:
    """§ Card Effects: K, M, G and W choose ONE card; Q and P take ALL of a set."""
    assert rr.effects(f"CW./g.k/..M r {hand} qpt", placed, rules) == effects


@pytest.mark.parametrize("rules", [RAY, ADJACENT])
@pytest.mark.parametrize(
    "text",
    [
        ".W./t.C/... b KQPMGT kqpmgw",
        ".W./.tC/... b KQPMGT kqpmgw",
        ".w./T.C/... b KQPMG kqpmgw",
        ".w./.TC/... b KQPMG kqpmgw",
    ],
)
def test_card_effects_the_castle_is_neither_turned_nor_banished(
    rr: Table, text: str, rules: Rules
) -> None:
    """§ Card Effects, Castle: no card on a1 does anything to a Castle beside it, own or enemy."""
    for card in "KQPMGW":
        assert rr.effects(text, card + "a1", rules) == set()


# Rulings


def test_ruling_no_duplicates_an_effect_must_change_a_card(rr: Table) -> None:
    """Ruling "Legal moves have no duplicates": an effect on nothing is no move of its own."""
    moves = rr.legal("..C/.../... b KQPMGWT kqpmgwt")
    on_a1 = {move for move in moves if move[1:3] == "a1"}
    assert on_a1 == {"Ka1", "Qa1", "Qa1~ne", "Pa1", "Ma1", "Ga1", "Wa1", "Ta1"}


@pytest.mark.parametrize(
    ("move", "rules", "after"),
    [
        ("Pb2~o", RAY, ".T./.PK/.c. b QMW qpmt"),
        ("Qb2~all", ADJACENT, ".T./.QK/.c. b PMW qpmt"),
    ],
)
def test_ruling_no_duplicates_castles_and_face_down_cards_are_skipped(
    rr: Table, move: str, rules: Rules, after: str
) -> None:
    """Ruling "Legal moves have no duplicates": the rest of the set is turned all the same."""
    assert rr.after(".T./#.k/.C. r QPMW qpmt", move, rules=rules) == after


@pytest.mark.parametrize(
    ("move", "board"),
    [("Qa1~n", "Kpc/Wg./Q.W"), ("Qa1~ne", "kpC/wG./Q.W"), ("Qa1~e", "kpc/wg./Q.w")],
)
def test_ruling_queen_ray_takes_every_card_up_to_the_edge(rr: Table, move: str, board: str) -> None:
    """Ruling "Queen", ray: both squares of a line, and nothing off the line."""
    assert rr.after("kpc/wg./..W r QPM qmt", move).split(" ")[0] == board


@pytest.mark.parametrize(
    ("before", "board"),
    [
        ("kpC/t../... r QPM qm", "KpC/t../Q.."),
        ("kpC/#../... r QPM qmt", "KpC/.../Q.."),
        ("kpC/.../... r QPM qmt", "KpC/.../Q.."),
    ],
)
def test_ruling_queen_ray_is_not_blocked(rr: Table, before: str, board: str) -> None:
    """Ruling "Queen", ray: a Castle, a face-down card or a gap on a2 does not shelter a3."""
    assert rr.after(before, "Qa1~n").split(" ")[0] == board


def test_ruling_queen_adjacent_turns_all_neighbours_and_nobody_else(rr: Table) -> None:
    """Ruling "Queen", adjacent: one effect, on the eight squares around her."""
    before = "kpC/.../... r QPM qmt"
    assert rr.effects(before, "Qa1", ADJACENT) == set()
    assert rr.after(before, "Qb2~all", rules=ADJACENT).split(" ")[0] == "KPc/.Q./..."
    assert rr.after(before, "Qa2~all", rules=ADJACENT).split(" ")[0] == "KPC/Q../..."


def test_ruling_banish_a_face_down_card_counts_for_nobody(rr: Table) -> None:
    """Ruling "Banish": neither for whom it faced nor for who banished it."""
    assert rr.margin(".../g#./... r KQPMGWT kqpmwt") == -1
    assert rr.margin(".../g#./..T b KQPMGW kqpmwt") == 0


def test_ruling_end_face_up_a_face_down_card_keeps_the_game_going(rr: Table) -> None:
    """Ruling "End", face-up: its banisher frees and refills the square, then it is over."""
    text = rr.after("qCm/w.M/tT. r KQ kp", "Kb2xa3", "Pc1")
    assert text == ".Cm/wKM/tTp r Q k"
    assert not rr.over(text)
    assert rr.legal(text) == {"Qa3", "Qa3~e", "Qa3~s", "Qa3~se"}
    text = rr.after(text, "Qa3~s")
    assert text == "QCm/WKM/tTp b - k"
    assert rr.over(text)


def test_ruling_end_occupied_nine_filled_squares_end_the_game(rr: Table) -> None:
    """Ruling "End", occupied: over with a card face down, and then a tie is possible."""
    text = rr.after("qCm/w.M/tT. r KQ kp", "Kb2xa3", "Pc1", rules=OCCUPIED)
    assert text == "#Cm/wKM/tTp r Q k"
    assert rr.over(text, OCCUPIED)
    assert rr.legal(text, OCCUPIED) == set()
    end = Position.parse(text, OCCUPIED)
    assert (end.margin, end.winner) == (0, None)


@pytest.mark.parametrize(
    ("move", "after", "margin"),
    [
        ("Qb2", "#Cm/wQM/tTP b K qp", -2),
        ("Qb2~e", "#Cm/wQm/tTP b K qp", 0),
        ("Qb2~n", "#cm/wQM/tTP b K qp", 0),
        ("Qb2~w", "#Cm/WQM/tTP b K qp", -4),
    ],
)
def test_ruling_end_occupied_the_last_effect_is_applied_as_well(
    rr: Table, move: str, after: str, margin: int
) -> None:
    """Ruling "End", occupied: the face-down card stays as it lies, whatever the last card does."""
    assert rr.after("#Cm/w.M/tTP r KQ qp", move, rules=OCCUPIED) == after
    assert rr.over(after, OCCUPIED)
    assert Position.parse(after, OCCUPIED).margin == margin


def test_ruling_end_occupied_a_face_down_card_still_leaves_before_the_end(rr: Table) -> None:
    """Ruling "End", occupied: while a square is free all goes as usual."""
    text = rr.after("qCm/w../tT. r KQP kpg", "Kb2xa3", "Pc1", rules=OCCUPIED)
    assert text == ".Cm/wK./tTp r QP kg"
    assert not rr.over(text, OCCUPIED)


@pytest.mark.parametrize(("side", "margin"), [("r", -3), ("b", 3)])
def test_ruling_value_allies_less_enemies_of_the_side_to_move(
    rr: Table, side: str, margin: int
) -> None:
    """Ruling "Value": face-up cards only, Castles too."""
    assert rr.margin(f"qCm/w.t/kT# {side} QP pg") == margin


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("kpQ/wGM/gtT r - -", FACE_UP),
        ("kpQ/wGM/gt# r - -", OCCUPIED),
        ("kpQ/wGM/gtT r K m", OCCUPIED),
    ],
)
def test_ruling_study_positions_a_full_board_gets_its_result(
    rr: Table, text: str, rules: Rules
) -> None:
    """Ruling "Study positions": a finished game is no error."""
    assert validate(parse(text), rules) == {}
    assert rr.over(text, rules)
    assert rr.legal(text, rules) == set()


def test_ruling_study_positions_a_full_board_with_a_card_face_down_is_not_finished() -> None:
    """Ruling "Study positions": face-up, the side to move would have no square."""
    assert set(validate(parse("kpQ/wGM/gt# r - -"), FACE_UP)) == {
        Fault.NO_FREE_SQUARE,
        Fault.TOO_FEW_CARDS,
    }


def test_ruling_study_positions_need_not_be_reachable(rr: Table) -> None:
    """Ruling "Study positions": nobody can have turned that King, and yet this may stand."""
    moves = rr.legal("c../.../..K r KQPMGWT qpmgwt")
    assert {move for move in moves if len(move) == 3} == {
        card + square for card in "KQPMGWT" for square in SQUARES if square not in ("a3", "c1")
    }


def test_ruling_counting_positions_colours_and_figures_make_no_difference() -> None:
    """Ruling "Counting positions": keys see facings, Castles, the face-down square and hands."""
    key = Position.parse("kwC/t#./... r QPM qmg").to_core().key
    for same in ("KWc/T#./... b QMG qpm", "wgK/t#./... r QPM qmg", "wgK/t#./... r MPQ gmq"):
        assert Position.parse(same).to_core().key == key
    for other in (
        "Kwc/t#./... r QPM qmg",  # another facing
        "kwC/w#./... r QPM qmg",  # no Castle
        "kwC/t.#/... r QPM qmg",  # another square face down
        "kwC/t../... r QPM qmg",  # none
        "kwC/t#./... r QPM qpg",  # another hand
    ):
        assert Position.parse(other).to_core().key != key


def test_ruling_position_text_is_written_in_one_way(rr: Table) -> None:
    """Ruling "Position text": hands in any order are read, one order is written."""
    assert str(Position.parse("start")) == START
    assert str(Position.parse("tQC/K.p/.mG b TPM gkq")) == "tQC/K.p/.mG b PMT kqg"
    assert rr.after("tQC/K.p/.mG b TPM gkq", "Ka1") == "tQC/K.p/kmG r PMT qg"


@pytest.mark.parametrize(
    ("before", "move", "after"),
    [
        (START, "Cb2", ".../.C./... b KQPMGWT kqpmgwt"),
        (".../.../C.. b KQPMGWT kqpmgwt", "Kb2xa1", ".../.k./#.. r KQPMGWT qpmgwt"),
        (".../.C./... b KQPMGWT kqpmgwt", "Mc1~b2", ".../.c./..m r KQPMGWT kqpgwt"),
        (".../.C./... b KQPMGWT kqpmgwt", "Qa1~ne", ".../.c./q.. r KQPMGWT kpmgwt"),
        (".../.../C.. b KQPMGWT kqpmgwt", "Pb2~d", ".../.p./c.. r KQPMGWT kqmgwt"),
        (".../.C./... b KQPMGWT kqpmgwt", "Ta3", "t../.C./... r KQPMGWT kqpmgw"),
    ],
)
def test_ruling_move_text_the_examples(rr: Table, before: str, move: str, after: str) -> None:
    """Ruling "Move text": card, square, and the effect if there is one."""
    assert rr.after(before, move) == after


# Legal moves counted by hand.
#
# Ply 1: the Citizen on 9 squares, so 9.
# Ply 2: a lone Citizen. Without effect, 7 cards on 8 squares: 56. With effect, the number of
# squares from which a card reaches the Citizen (n neighbours, of them o orthogonal, d diagonal):
#
#   Citizen on         n o d | K=n  Q  P=n  M=n  G=o  W=d | effects      moves with the 56
#   a corner (4)       3 2 1 |   3  6    3    3    2    1 | 12 + Q = 18  74
#   an edge (4)        5 3 2 |   5  6    5    5    3    2 | 20 + Q = 26  82
#   the centre (1)     8 4 4 |   8  8    8    8    4    4 | 32 + Q = 40  96
#
# Q along lines: from a corner 2 squares of its file, 2 of its rank, 2 of a diagonal; from an edge
# 2 + 2 of file and rank and 1 + 1 of its diagonals; from the centre all 8.
# Sum: 4 * 74 + 4 * 82 + 96 = 720. With the adjacent Queen Q = n: 4 * 71 + 4 * 81 + 96 = 704.


@pytest.mark.parametrize(("queen", "by_hand"), [("ray", 720), ("adjacent", 704)])
@pytest.mark.parametrize("ending", Rules.ENDINGS)
def test_the_first_two_plies_are_as_counted_by_hand(
    rr: Table, queen: str, ending: str, by_hand: int
) -> None:
    """Rulings "Legal moves have no duplicates" and "Queen", as arithmetic (above)."""
    rules = Rules(queen, ending)
    openings = rr.legal(START, rules)
    assert len(openings) == 9
    counts = {
        move[1:]: len(rr.legal(rr.after(START, move, rules=rules), rules)) for move in openings
    }
    assert sum(counts.values()) == by_hand
    corner, edge = (74, 82) if queen == "ray" else (71, 81)
    assert [counts[square] for square in SQUARES] == [
        *(corner, edge, corner),
        *(edge, 96, edge),
        *(corner, edge, corner),
    ]
    assert perft(rules.new_core(), 2) == by_hand
