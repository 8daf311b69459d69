"""RR on nine squares, written slowly and plainly: a second opinion on the rules.

Nothing here is meant to be fast.  The file reads in the order of the rulebook, and every rule
names the heading of the rulebook (§) or the ruling that it follows.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

# --------------------------------------------------------------------------------------------
# § Contents: the board of three by three squares and the cards
# --------------------------------------------------------------------------------------------

EMPTY = "."
FACE_DOWN = "#"

SQUARES = ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")

# § Game Cards, ruling "Pieces": King, Queen, Princess, Minister, General, Wizard, Tower (the
# Castle), and the one Citizen.  This is also the order in which a hand is written.
HAND_ORDER = "CKQPMGWT"
CITIZEN = "C"
CASTLE = "T"
BANISHERS = "KGW"

# A direction is (steps to the right, steps towards rank 3).
DIRECTIONS = {
    "n": (0, 1),
    "ne": (1, 1),
    "e": (1, 0),
    "se": (1, -1),
    "s": (0, -1),
    "sw": (-1, -1),
    "w": (-1, 0),
    "nw": (-1, 1),
}
ORTHOGONAL = ("n", "e", "s", "w")
DIAGONAL = ("ne", "se", "sw", "nw")
ALL_EIGHT = ORTHOGONAL + DIAGONAL


@dataclass(frozen=True)
class Rules:
    """The two choices that the rulings leave open (rulings "Queen" and "End")."""

    queen: Literal["ray", "adjacent"] = "ray"
    ending: Literal["face-up", "occupied"] = "face-up"


@dataclass(frozen=True)
class State:
    """What both players see when one of them has to choose a move, or after the game's end.

    board: nine characters for a1, b1, c1, a2, ..., c3.  '.' is an empty square, '#' a face-down
    card (banished by the side that is not to move), an upper-case letter a card facing Regality,
    a lower-case letter a card facing Religion.
    """

    board: tuple[str, ...]
    side: str
    regality: str
    religion: str


# --------------------------------------------------------------------------------------------
# Ruling "Position text"
# --------------------------------------------------------------------------------------------

# § Preparations: seven cards for each side, and the Citizen for the one who starts.
START = ".../.../... r CKQPMGWT kqpmgwt"


def _hand_in_order(hand: str) -> str:
    return "".join(sorted(hand, key=lambda card: HAND_ORDER.index(card.upper())))


def _parse_hand(text: str, allowed: str) -> str:
    if text == "-":
        return ""
    if text == "":
        raise ValueError("a hand is missing (an empty hand is written '-')")
    for card in text:
        if card not in allowed:
            raise ValueError(f"{card!r} cannot be in this hand: {text!r}")
    return _hand_in_order(text)


def parse(text: str) -> State:
    """Read a position text; ValueError if it is not written as it should be."""
    if text == "start":
        text = START
    fields = text.split(" ")
    if len(fields) != 4:
        raise ValueError(f"four fields with one space between are needed: {text!r}")
    board_text, side, regality_text, religion_text = fields

    ranks_from_the_top = board_text.split("/")
    if len(ranks_from_the_top) != 3:
        raise ValueError(f"the board needs three ranks: {board_text!r}")
    board: list[str] = []
    for rank in reversed(ranks_from_the_top):
        if len(rank) != 3:
            raise ValueError(f"a rank needs three squares: {rank!r}")
        for content in rank:
            if content not in EMPTY + FACE_DOWN + HAND_ORDER + HAND_ORDER.lower():
                raise ValueError(f"unknown square content: {content!r}")
            board.append(content)

    if side not in ("r", "b"):
        raise ValueError(f"the side must be r or b: {side!r}")
    regality = _parse_hand(regality_text, HAND_ORDER)
    religion = _parse_hand(religion_text, HAND_ORDER.lower())
    return State(tuple(board), side, regality, religion)


def format_state(state: State) -> str:
    """The one canonical text of a position."""
    rank_1 = "".join(state.board[0:3])
    rank_2 = "".join(state.board[3:6])
    rank_3 = "".join(state.board[6:9])
    regality = _hand_in_order(state.regality) or "-"
    religion = _hand_in_order(state.religion) or "-"
    return f"{rank_3}/{rank_2}/{rank_1} {state.side} {regality} {religion}"


# --------------------------------------------------------------------------------------------
# Looking at cards and squares
# --------------------------------------------------------------------------------------------


def _is_face_up(content: str) -> bool:
    return content not in (EMPTY, FACE_DOWN)


def _can_be_affected(content: str) -> bool:
    """Whether an effect does anything to what lies on a square."""
    # § Banishing Cards: nothing touches a card that lies face down.
    # § Card Effects: a Castle / Temple is never turned and never banished.
    return _is_face_up(content) and content.upper() != CASTLE


def _square_on(square: int, direction: str, steps: int) -> int | None:
    """The square so many steps away in a direction, or None beyond the edge."""
    right, up = DIRECTIONS[direction]
    column = square % 3 + steps * right
    rank = square // 3 + steps * up
    if 0 <= column <= 2 and 0 <= rank <= 2:
        return rank * 3 + column
    return None


def _neighbours(square: int, directions: tuple[str, ...]) -> list[int]:
    found = []
    for direction in directions:
        neighbour = _square_on(square, direction, 1)
        if neighbour is not None:
            found.append(neighbour)
    return found


def _line(square: int, direction: str) -> list[int]:
    """All squares from the next one to the edge of the board, in one direction."""
    found = []
    for steps in (1, 2):
        further = _square_on(square, direction, steps)
        if further is not None:
            found.append(further)
    return found


# --------------------------------------------------------------------------------------------
# § How to Play
# --------------------------------------------------------------------------------------------


def _hand_to_move(state: State) -> str:
    return state.regality if state.side == "r" else state.religion


def _facing(card: str, side: str) -> str:
    """The card's letter when it faces that side."""
    return card.upper() if side == "r" else card.lower()


def _turned(board: tuple[str, ...], squares: list[int]) -> tuple[str, ...]:
    """§ Turning Cards: each card that can be affected changes its allegiance, whoever's it is.

    Ruling "Legal moves have no duplicates": in an effect on several squares those without a
    card that can be affected are passed over, and all the others are turned.
    """
    after = list(board)
    for square in squares:
        if _can_be_affected(board[square]):
            after[square] = board[square].swapcase()
    return tuple(after)


def _banished(board: tuple[str, ...], square: int) -> tuple[str, ...]:
    """§ Banishing Cards: the card goes face down and still fills its square for now."""
    after = list(board)
    if _can_be_affected(board[square]):
        after[square] = FACE_DOWN
    return tuple(after)


def _effects(
    card: str, square: int, placed: tuple[str, ...], is_last_square: bool, rules: Rules
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """§ Card Effects: every way to apply the effect of the upper-case card just placed.

    Yields the effect's part of the move text and the board afterwards; this board is the same
    as before where the effect would hit nothing.
    """
    # § Banishing Cards, ruling "Last square": no banishing from the last free square.
    if card in BANISHERS and not is_last_square:
        reach = {"K": ALL_EIGHT, "G": ORTHOGONAL, "W": DIAGONAL}[card]
        for target in _neighbours(square, reach):
            yield "x" + SQUARES[target], _banished(placed, target)

    # Ruling "Queen": one whole line, which nothing blocks; or all the neighbours at once.
    if card == "Q" and rules.queen == "ray":
        for direction in ALL_EIGHT:
            yield "~" + direction, _turned(placed, _line(square, direction))
    if card == "Q" and rules.queen == "adjacent":
        yield "~all", _turned(placed, _neighbours(square, ALL_EIGHT))

    # § Turning Cards: the Princess / Saint takes all of one kind of neighbour, never a part.
    if card == "P":
        yield "~o", _turned(placed, _neighbours(square, ORTHOGONAL))
        yield "~d", _turned(placed, _neighbours(square, DIAGONAL))

    if card == "M":
        for target in _neighbours(square, ALL_EIGHT):
            yield "~" + SQUARES[target], _turned(placed, [target])

    # The Castle / Temple and the Citizen do nothing when placed.


def _boards_after_moves(state: State, rules: Rules) -> dict[str, tuple[str, ...]]:
    """Each legal move text with the board just after the card and its effect.

    On these boards an older face-down card still lies where it was.
    """
    if finished(state, rules):
        return {}
    # § How to Play: any card goes on any unoccupied square.  § Banishing Cards: the square
    # under a face-down card is still occupied.
    free_squares = [square for square in range(9) if state.board[square] == EMPTY]
    cards = [card.upper() for card in _hand_to_move(state)]
    # § Preparations, § How to Play: who starts must place the Citizen first.  The Citizen can
    # only be in a hand before the first move.
    if CITIZEN in cards:
        cards = [CITIZEN]

    boards: dict[str, tuple[str, ...]] = {}
    for card in cards:
        for square in free_squares:
            # § How to Play: a placed card faces the player who places it.
            placing = list(state.board)
            placing[square] = _facing(card, state.side)
            placed = tuple(placing)
            # § How to Play: the effect may always be left out.
            move = card + SQUARES[square]
            boards[move] = placed
            # Ruling "Legal moves have no duplicates": an effect has to change some card.
            is_last_square = len(free_squares) == 1
            for effect, after in _effects(card, square, placed, is_last_square, rules):
                if after != placed:
                    boards[move + effect] = after
    return boards


def legal(state: State, rules: Rules) -> list[str]:
    """All legal moves in ASCII order; none when the game is over."""
    return sorted(_boards_after_moves(state, rules))


def play(state: State, move: str, rules: Rules) -> State:
    """The state at the other side's next decision, or the final one; ValueError if illegal."""
    boards = _boards_after_moves(state, rules)
    if move not in boards:
        raise ValueError(f"illegal move {move!r} in {format_state(state)!r}")
    board = boards[move]

    # § How to Play: the placed card leaves the hand.
    card = _facing(move[0], state.side)
    regality, religion = state.regality, state.religion
    if state.side == "r":
        regality = regality.replace(card, "", 1)
    else:
        religion = religion.replace(card, "", 1)
    # Ruling "Turn", step 4: the other side is next, unless this was the end.
    other_side = "b" if state.side == "r" else "r"

    # Ruling "Turn", step 1 of the other side: what it banished on its own last turn, which is
    # what lay face down before this move, leaves the game.  After the end nothing leaves.
    if not _is_final(board, rules):
        after = list(board)
        for square in range(9):
            if state.board[square] == FACE_DOWN:
                after[square] = EMPTY
        board = tuple(after)
    return State(board, other_side, regality, religion)


# --------------------------------------------------------------------------------------------
# § Game End
# --------------------------------------------------------------------------------------------


def _is_final(board: tuple[str, ...], rules: Rules) -> bool:
    # Ruling "End": nine cards face up end the game; in the house variant nine filled squares
    # do, even with a card face down among them.
    if EMPTY in board:
        return False
    if rules.ending == "occupied":
        return board.count(FACE_DOWN) <= 1
    return board.count(FACE_DOWN) == 0


def finished(state: State, rules: Rules) -> bool:
    """Whether the game is over."""
    return _is_final(state.board, rules)


def margin(state: State) -> int:
    """Allies of the side to move minus allies of the other side (ruling "Value")."""
    # Ruling "Banish": a face-down card is nobody's ally.
    face_up = [content for content in state.board if _is_face_up(content)]
    for_regality = sum(1 for content in face_up if content.isupper())
    for_religion = sum(1 for content in face_up if content.islower())
    difference = for_regality - for_religion
    return difference if state.side == "r" else -difference


# --------------------------------------------------------------------------------------------
# Ruling "Study positions"
# --------------------------------------------------------------------------------------------


def problems(state: State, rules: Rules) -> list[str]:
    """Every reason why the position makes no sense, sorted; an empty list if it does."""
    found: set[str] = set()
    hands = (state.regality, state.religion)
    both_hands = (state.regality + state.religion).upper()
    on_board = "".join(content for content in state.board if _is_face_up(content))
    everywhere = on_board.upper() + both_hands
    is_over = finished(state, rules)

    # There is a free square, or the game is over.
    if EMPTY not in state.board and not is_over:
        found.add("no-free-square")
    # Only the last turn's banished card can lie face down.
    if state.board.count(FACE_DOWN) > 1:
        found.add("two-face-down")
    # The seven cards of a hand are all different.
    for hand in hands:
        if len(set(hand)) != len(hand):
            found.add("repeat-in-hand")
    # Each side brought one of each card, and there is a single Citizen.
    for card in HAND_ORDER:
        if card != CITIZEN and everywhere.count(card) > 2:
            found.add("too-many-of-a-card")
    if everywhere.count(CITIZEN) > 1:
        found.add("two-citizens")
    # The Citizen waits in a hand only before the first move, in the hand of who starts.
    board_is_empty = all(content == EMPTY for content in state.board)
    for side, hand in (("r", state.regality), ("b", state.religion)):
        if CITIZEN in hand.upper() and not (board_is_empty and side == state.side):
            found.add("citizen-in-hand")
    # A Castle is never turned, so the side that it faces is the side that placed it.
    for castle, hand in ((CASTLE, state.regality), (CASTLE.lower(), state.religion)):
        if castle in on_board and castle in hand:
            found.add("castle-also-in-hand")
        if on_board.count(castle) > 1:
            found.add("two-castles-one-side")
    # The sides move in turn, and only who starts can be one card ahead.
    sizes = {"r": len(state.regality), "b": len(state.religion)}
    other_side = "b" if state.side == "r" else "r"
    if sizes[state.side] - sizes[other_side] not in (0, 1):
        found.add("hand-sizes")
    # Nobody may run out: each square still to fill takes a card, each banishing one more.
    to_fill = 0 if is_over else state.board.count(EMPTY) + state.board.count(FACE_DOWN)
    banishers = sum(1 for card in both_hands if card in BANISHERS)
    if len(both_hands) < to_fill + banishers:
        found.add("too-few-cards")
    return sorted(found)


# --------------------------------------------------------------------------------------------
# Perfect play and counting
# --------------------------------------------------------------------------------------------


def minimax(state: State, rules: Rules, memo: dict[State, int] | None = None) -> int:
    """The margin for the side to move when both play perfectly.

    A memo may be kept for more questions, but only under the same rules.
    """
    if memo is None:
        memo = {}
    if state not in memo:
        if finished(state, rules):
            memo[state] = margin(state)
        else:
            values = move_values(state, rules, memo).values()
            if not values:
                raise ValueError(f"no move in the unfinished {format_state(state)!r}")
            memo[state] = max(values)
    return memo[state]


def move_values(state: State, rules: Rules, memo: dict[State, int] | None = None) -> dict[str, int]:
    """What each legal move is worth to the side that makes it."""
    if memo is None:
        memo = {}
    values: dict[str, int] = {}
    for move in legal(state, rules):
        values[move] = -minimax(play(state, move, rules), rules, memo)
    return values


def perft(state: State, rules: Rules, depth: int) -> int:
    """The number of move sequences of exactly this length."""
    if depth == 0:
        return 1
    moves = legal(state, rules)
    if depth == 1:
        return len(moves)
    return sum(perft(play(state, move, rules), rules, depth - 1) for move in moves)
