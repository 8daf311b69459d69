# cython: auto_pickle=False, autotestdict=False
"""Checks claimed values of RR positions against the rules, one position after the other.

The rules are written here once more, on purpose: whoever made the values shares no line with
this module.  It starts at the first move, finds every position where somebody has to choose,
asks for its value, and compares the answer with the best of the position's own moves.  The
values of finished games are counted here, so if all comparisons hold, all values are right.

Squares of the board and their bits:

    a3=6  b3=7  c3=8
    a2=3  b2=4  c2=5
    a1=0  b1=1  c1=2

A packed position is a 52-bit number:

    bits  0- 8   squares of face-up cards facing the side to move
    bits  9-17   squares of face-up cards facing the other side
    bits 18-26   which of these cards are Castles
    bits 27-35   the square of the face-down card, if there is one
    bits 36-43   hand of the side to move, one bit a card in the order C K Q P M G W T
    bits 44-51   hand of the other side

Positions that a symmetry of the square makes equal are the same position; the smallest of the
packed numbers stands for it.  Symmetries leave the hands alone, so this concerns the board, the
lower 36 bits.

How it gets through many positions: all positions after equally many moves are one layer, and a
layer is a table with a row for every board and a column for every pair of hands.  What a move
does to the board does not depend on the hands, and what it does to the hands does not depend on
the board, so both are worked out once and combined.
"""

from array import array
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from hashlib import sha256
from itertools import product
from threading import Event

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int8_t, int16_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef enum:
    SQUARES = 9
    WHOLE_BOARD = 0x1FF
    DIRECTIONS = 8
    SYMMETRIES = 8

    # § Game Cards: Regality's names; Religion's cards have the same powers.
    CITIZEN = 1 << 0
    KING = 1 << 1
    QUEEN = 1 << 2
    PRINCESS = 1 << 3
    MINISTER = 1 << 4
    GENERAL = 1 << 5
    MAGICIAN = 1 << 6
    CASTLE = 1 << 7
    CARDS = 8
    WHOLE_HAND = 0xFF

    MINE_SHIFT = 36
    THEIRS_SHIFT = 44
    POSITION_BITS = 52

cdef uint16_t ORTHOGONAL[SQUARES]
cdef uint16_t DIAGONAL[SQUARES]
cdef uint16_t LINE[SQUARES][DIRECTIONS]
cdef uint16_t IMAGE[SYMMETRIES][WHOLE_BOARD + 1]
cdef uint8_t COUNT[WHOLE_BOARD + 1]
cdef uint32_t CELL[WHOLE_BOARD + 1]  # the sum of 6 ** square of these squares


def _line(square, right, up, longest):
    """So many squares in one direction from a square, as far as there are any."""
    squares = 0
    for step in range(1, longest + 1):
        column, rank = square % 3 + step * right, square // 3 + step * up
        if 0 <= column <= 2 and 0 <= rank <= 2:
            squares |= 1 << (3 * rank + column)
    return squares


def _image(square, symmetry):
    """Where a symmetry takes a square: mirrored left to right, bottom to top, then swapped."""
    column = 2 - square % 3 if symmetry & 1 else square % 3
    rank = 2 - square // 3 if symmetry & 2 else square // 3
    return 3 * column + rank if symmetry & 4 else 3 * rank + column


def _fill_board_tables():
    steps = [step for step in product((-1, 0, 1), repeat=2) if step != (0, 0)]
    for square in range(SQUARES):
        for direction, (right, up) in enumerate(steps):
            LINE[square][direction] = _line(square, right, up, 2)
            if right and up:
                DIAGONAL[square] |= _line(square, right, up, 1)
            else:
                ORTHOGONAL[square] |= _line(square, right, up, 1)
    for squares in range(WHOLE_BOARD + 1):
        members = [s for s in range(SQUARES) if squares >> s & 1]
        COUNT[squares] = len(members)
        CELL[squares] = sum(6**s for s in members)
        for symmetry in range(SYMMETRIES):
            IMAGE[symmetry][squares] = sum(1 << _image(s, symmetry) for s in members)


_fill_board_tables()

cdef struct Board:
    int mine  # squares of cards that face the side to move
    int theirs
    int castles
    int face_down


cdef inline Board unpack(uint64_t packed) noexcept nogil:
    return Board(packed & WHOLE_BOARD, packed >> 9 & WHOLE_BOARD, packed >> 18 & WHOLE_BOARD,
                 packed >> 27 & WHOLE_BOARD)


cdef uint64_t canonical(Board board) noexcept nogil:
    """The smallest packed board of the symmetric ones."""
    cdef uint64_t packed, smallest = <uint64_t>-1
    cdef int s
    for s in range(SYMMETRIES):
        packed = IMAGE[s][board.face_down]
        packed = packed << 9 | IMAGE[s][board.castles]
        packed = packed << 9 | IMAGE[s][board.theirs]
        packed = packed << 9 | IMAGE[s][board.mine]
        smallest = min(smallest, packed)
    return smallest


cdef struct Rules:
    bint queen_adjacent
    bint ending_occupied

cdef struct Move:
    uint64_t board  # canonical, as the other side sees it at its next decision
    int cards  # playing any one of these makes the move
    bint ends_game
    int margin  # of the player who moves, if the game ends

cdef enum:
    # On a square: no effect, figure or Castle; for up to eight neighbours a Minister and a
    # banishing; for each direction a Queen; two Princesses.
    MOST_MOVES = SQUARES * (2 + 2 * 8 + DIRECTIONS + 2)

cdef struct MoveList:
    Move moves[MOST_MOVES]
    int length
    int playable  # cards
    int older_face_down  # what the other side banished one turn ago
    Rules rules


cdef inline bint is_over(MoveList* found, Board board) noexcept nogil:
    """§ Game End: nine cards lie face up; in the house variant, nine squares are filled."""
    cdef int filled = board.mine | board.theirs
    if found.rules.ending_occupied:
        filled |= board.face_down | found.older_face_down
    return filled == WHOLE_BOARD


cdef void add(MoveList* found, int cards, Board after) noexcept nogil:
    """Take down a move that these cards can make, and the board that it leaves."""
    cdef Move* move = &found.moves[found.length]
    move.cards = cards & found.playable
    if not move.cards:
        return
    found.length += 1
    move.ends_game = is_over(found, after)
    # Ruling "Value": own allies minus the other side's; a face-down card is nobody's.
    move.margin = COUNT[after.mine] - COUNT[after.theirs]
    # § Banishing Cards: the other side's turn starts with the card that it banished one turn
    # ago leaving the board, so only what this move banished lies face down then.
    move.board = canonical(Board(after.theirs, after.mine, after.castles, after.face_down))


cdef void add_turn(MoveList* found, int cards, Board placed, int squares) noexcept nogil:
    """§ Turning Cards: all cards on these squares change sides, own ones as well."""
    if squares:  # ruling "Legal moves have no duplicates": something must change
        placed.mine ^= squares
        placed.theirs ^= squares
        add(found, cards, placed)


cdef void add_banish(MoveList* found, int cards, Board placed, int square) noexcept nogil:
    """§ Banishing Cards: the card, own or not, goes face down and fills its square for now."""
    placed.mine &= ~square
    placed.theirs &= ~square
    placed.face_down = square
    add(found, cards, placed)


cdef void add_effects(MoveList* found, Board placed, int square, int targets, bint last_square
                      ) noexcept nogil:
    """§ Card Effects, of each card that can have been placed on this square."""
    cdef int orthogonal = ORTHOGONAL[square] & targets
    cdef int diagonal = DIAGONAL[square] & targets
    cdef int target, direction
    for target in range(SQUARES):
        if (orthogonal | diagonal) >> target & 1:
            add_turn(found, MINISTER, placed, 1 << target)
            # § Banishing Cards: there is no banishing from the last free square.
            if not last_square and orthogonal >> target & 1:
                add_banish(found, KING | GENERAL, placed, 1 << target)
            if not last_square and diagonal >> target & 1:
                add_banish(found, KING | MAGICIAN, placed, 1 << target)
    # § Turning Cards: several cards at once, and never a part of them.
    add_turn(found, PRINCESS, placed, orthogonal)
    add_turn(found, PRINCESS, placed, diagonal)
    # Ruling "Queen": a whole line, which nothing blocks; in the house variant all neighbours.
    if found.rules.queen_adjacent:
        add_turn(found, QUEEN, placed, orthogonal | diagonal)
    else:
        for direction in range(DIRECTIONS):
            add_turn(found, QUEEN, placed, LINE[square][direction] & targets)


cdef void list_moves(MoveList* found, Board board, int playable, Rules rules) noexcept nogil:
    """§ How to Play: all moves on a board with any of the playable cards."""
    # Any unoccupied square will do; a face-down card still occupies its own.
    cdef int free_squares = WHOLE_BOARD & ~(board.mine | board.theirs | board.face_down)
    # § Card Effects: Castles are safe.  § Banishing Cards: so are face-down cards.
    cdef int targets = (board.mine | board.theirs) & ~board.castles
    cdef Board placed
    cdef int square
    found.length = 0
    found.playable = playable
    found.older_face_down = board.face_down
    found.rules = rules
    for square in range(SQUARES):
        if free_squares >> square & 1:
            # The card faces who places it, and its effect may be left out.
            placed = Board(board.mine | 1 << square, board.theirs, board.castles, 0)
            add(found, WHOLE_HAND - CASTLE, placed)
            add_effects(found, placed, square, targets, COUNT[free_squares] == 1)
            placed.castles |= 1 << square
            add(found, CASTLE, placed)


def _hands_left(hand, played):
    """All hands, ascending, that can be left of a hand when so many of its cards are played."""
    if not played:
        return [hand]
    keepable = hand & ~CITIZEN  # § How to Play: a Citizen in hand is played first
    size = hand.bit_count() - played
    return [h for h in range(WHOLE_HAND) if h | keepable == keepable and h.bit_count() == size]


def _steps(mine, theirs, card, left):
    """What playing a card does to pairs of hands: columns (before, after).

    ``left`` are the hands that can be left of mine; they are "theirs" to who moves next.
    """
    for my_number, hand in enumerate(mine):
        # § Preparations, § How to Play: who holds the Citizen must play it and none other.
        if (hand & CITIZEN or hand) & card:
            number_left = left.index(hand - card)
            for their_number in range(len(theirs)):
                yield my_number * len(theirs) + their_number, their_number * len(left) + number_left


# ``position`` is packed; what was claimed for it is not the value of its best move.
Mismatch = namedtuple("Mismatch", "position claimed expected")
# How many positions, and for how many of them a win, loss or draw is claimed (side to move).
Count = namedtuple("Count", "positions wins losses draws")
Report = namedtuple("Report", "plies totals mismatches examples sha256 verdict")

cdef enum:
    CELLS = 10077696  # 6 ** SQUARES
    MOST_PAIRS = 35 * 35  # three or four cards left of seven for both
    CHUNK = 1024  # rows: a piece of work that takes a moment
    EXAMPLES = 10

cdef struct Step:
    uint16_t before  # column
    uint16_t after  # column in the next layer


cdef inline uint32_t cell_of(uint64_t packed) noexcept nogil:
    """A small number for each board: a base-6 digit for what is on each square."""
    cdef Board board = unpack(packed)
    return (CELL[board.mine] + 2 * CELL[board.theirs]
            + 2 * CELL[board.castles] + 5 * CELL[board.face_down])


cdef class _Layer:
    """All positions of a ply.

    A row is a board, and they ascend.  A column is a pair of hands, by ``mine`` first: the index
    in ``mine`` times the length of ``theirs``, plus the index in ``theirs``.
    """

    cdef int ply
    cdef Rules rules
    cdef object root_hands  # of who moves first from the root, and of the other
    cdef object mine, theirs  # possible hands now, of the side to move and of the other
    cdef uint64_t rows, width
    cdef uint64_t[::1] boards
    cdef uint32_t[::1] row_at  # [CELLS]
    cdef uint8_t[::1] reached  # [rows * width]
    cdef int8_t[::1] claims  # [rows * width], where reached
    cdef Step steps[CARDS][MOST_PAIRS]
    cdef int step_count[CARDS]
    cdef uint8_t playable[MOST_PAIRS]  # cards that may be played, by column

    def __cinit__(self, root_hands, int ply, Rules rules, boards):
        self.ply, self.rules, self.root_hands = ply, rules, root_hands
        self.mine = _hands_left(root_hands[ply % 2], ply // 2)
        self.theirs = _hands_left(root_hands[1 - ply % 2], (ply + 1) // 2)
        self.rows = len(boards)
        self.width = len(self.mine) * len(self.theirs)
        self.boards = array("Q", sorted(boards) or [0])
        self.row_at = memoryview(bytearray(4 * CELLS)).cast("I")
        for row in range(self.rows):
            self.row_at[cell_of(self.boards[row])] = row
        self.reached = bytearray(self.rows * self.width + 1)
        self.claims = memoryview(bytearray(self.rows * self.width + 1)).cast("b")
        self.fill_steps()

    cdef fill_steps(self):
        cdef int card
        left = _hands_left(self.root_hands[self.ply % 2], self.ply // 2 + 1)
        for card in range(CARDS):
            for before, after in _steps(self.mine, self.theirs, 1 << card, left):
                self.steps[card][self.step_count[card]] = Step(before, after)
                self.step_count[card] += 1
                self.playable[<int>before] |= 1 << card

    def columns(self):
        """(hands as in a packed position, column), by ascending hands."""
        for (t, theirs), (m, mine) in product(enumerate(self.theirs), enumerate(self.mine)):
            yield mine << MINE_SHIFT | theirs << THEIRS_SHIFT, m * len(self.theirs) + t

    cdef inline uint64_t row_after(self, Move* move) noexcept nogil:
        """The row of the board that a move leads to; anything if it ends the game."""
        return self.row_at[cell_of(move.board)]

    cdef uint64_t gather(self, uint64_t hands, uint64_t column, uint64_t[::1] positions,
                         uint64_t[::1] places) noexcept:
        """Write down the positions of a column and where their claims are; how many there are."""
        cdef uint64_t row, count = 0
        for row in range(self.rows):
            if self.reached[row * self.width + column]:
                positions[count] = self.boards[row] | hands
                places[count] = row * self.width + column
                count += 1
        return count

    cdef void find_moves(self, uint64_t row, MoveList* found) noexcept nogil:
        """The moves on a board with all cards that are in hand in any position reached there."""
        cdef int playable = 0
        cdef uint64_t column
        for column in range(self.width):
            if self.reached[row * self.width + column]:
                playable |= self.playable[column]
        list_moves(found, unpack(self.boards[row]), playable, self.rules)

    def boards_after(self):
        """The boards after all moves that do not end the game: those of the next layer."""
        cdef uint8_t[::1] seen = bytearray(CELLS)
        cdef MoveList found
        cdef uint64_t row, board
        cdef int m
        boards = set()
        for row in range(self.rows):
            if row % CHUNK == 0:
                PyErr_CheckSignals()
            self.find_moves(row, &found)
            for m in range(found.length):
                board = found.moves[m].board
                if not found.moves[m].ends_game and not seen[cell_of(board)]:
                    seen[cell_of(board)] = True
                    boards.add(board)
        return boards

    def reach(self, _Layer following, stop, uint64_t parts, uint64_t part):
        """Mark what is reached in every parts-th row of the next layer: no row by two threads."""
        cdef MoveList found
        cdef uint64_t first, row, to
        cdef int m
        for first in range(0, self.rows, CHUNK):
            if stop.is_set():
                break
            with nogil:
                for row in range(first, min(first + CHUNK, self.rows)):
                    self.find_moves(row, &found)
                    for m in range(found.length):
                        to = following.row_after(&found.moves[m])
                        if to % parts == part and not found.moves[m].ends_game:
                            self.reach_by(found.moves[m].cards, row, following, to)

    cdef void reach_by(self, int cards, uint64_t row, _Layer following, uint64_t to) noexcept nogil:
        cdef uint8_t* now = &self.reached[row * self.width]
        cdef uint8_t* then = &following.reached[to * following.width]
        cdef Step* step
        cdef int card, s
        for card in range(CARDS):
            if cards >> card & 1:
                for s in range(self.step_count[card]):
                    step = &self.steps[card][s]
                    then[step.after] |= now[step.before]

    def check(self, _Layer following, uint64_t first):
        """Compare the claims in some rows with the best moves: (mismatches, first examples)."""
        cdef int16_t best[MOST_PAIRS]
        cdef uint64_t row, column, at, mismatches = 0
        examples = []
        with nogil:
            for row in range(first, min(first + CHUNK, self.rows)):
                self.find_best(row, following, best)
                for column in range(self.width):
                    at = row * self.width + column
                    if self.reached[at] and self.claims[at] != best[column]:
                        mismatches += 1
                        if mismatches <= EXAMPLES:
                            with gil:
                                examples.append((row, column, self.claims[at], best[column]))
        hands = {column: hands for hands, column in self.columns()} if examples else {}
        return mismatches, [Mismatch(self.boards[row] | hands[column], claimed, expected)
                            for row, column, claimed, expected in examples]

    cdef void find_best(self, uint64_t row, _Layer following, int16_t* best) noexcept nogil:
        """For each pair of hands, the maximum over the moves of what the mover will get."""
        cdef MoveList found
        cdef uint64_t column
        cdef int m
        for column in range(self.width):
            best[column] = -1000  # less than any move gives
        self.find_moves(row, &found)
        for m in range(found.length):
            self.try_move(&found.moves[m], following, best)

    cdef void try_move(self, Move* move, _Layer following, int16_t* best) noexcept nogil:
        cdef int8_t* then = &following.claims[following.row_after(move) * following.width]
        cdef int16_t value = move.margin
        cdef Step* step
        cdef int card, s
        for card in range(CARDS):
            if move.cards >> card & 1:
                for s in range(self.step_count[card]):
                    step = &self.steps[card][s]
                    if not move.ends_game:
                        value = -then[step.after]
                    best[step.before] = max(best[step.before], value)


cdef class _Ledger:
    """Asks for the claims of layers, and keeps the counts and the digest."""

    cdef object values, progress, digest, plies
    cdef uint64_t asked
    cdef uint64_t outcomes[3]  # losses, draws, wins in this ply

    def __cinit__(self, values, progress):
        self.values, self.progress = values, progress
        self.digest, self.plies = sha256(), []

    def ask(self, _Layer layer):
        """Fill in all claims of a layer, by ascending packed positions."""
        positions, places = array("Q", bytes(8 * layer.rows)), array("Q", bytes(8 * layer.rows))
        records = memoryview(bytearray(8 * layer.rows))
        self.outcomes[:] = [0, 0, 0]
        for hands, column in layer.columns():
            PyErr_CheckSignals()
            count = layer.gather(hands, column, positions, places)
            if count:
                answer = memoryview(self.values(memoryview(positions)[:count])).cast("B").cast("b")
                if len(answer) != count:
                    raise ValueError(f"{count} positions, but {len(answer)} bytes of values")
                self.take_down(layer, positions, places, answer, records)
                self.digest.update(records[: 8 * count])
                self.asked += count
                if self.progress is not None:
                    self.progress(layer.ply, self.asked)
        losses, draws, wins = self.outcomes
        self.plies.append(Count(losses + draws + wins, wins, losses, draws))

    cdef void take_down(self, _Layer layer, const uint64_t[::1] positions,
                        const uint64_t[::1] places, const int8_t[::1] answer,
                        uint8_t[::1] records) noexcept:
        cdef Py_ssize_t i
        cdef int byte
        for i in range(answer.shape[0]):
            layer.claims[places[i]] = answer[i]
            self.outcomes[1 + (answer[i] > 0) - (answer[i] < 0)] += 1
            for byte in range(7):
                records[8 * i + byte] = positions[i] >> 8 * byte & 0xFF
            records[8 * i + 7] = <uint8_t>answer[i]


# § Preparations: seven cards for each side, and the Citizen for the one who starts.
START = <uint64_t>0xFF << MINE_SHIFT | <uint64_t>0xFE << THEIRS_SHIFT


def _is_consistent(root):
    """Ruling "Study positions", as far as packed positions show it."""
    if root < 0 or root >> POSITION_BITS:
        return False
    mine, theirs, castles, face_down = (root >> shift & WHOLE_BOARD for shift in (0, 9, 18, 27))
    my_hand, their_hand = root >> MINE_SHIFT & WHOLE_HAND, root >> THEIRS_SHIFT
    face_up, cards = (mine | theirs).bit_count(), my_hand.bit_count() + their_hand.bit_count()
    banishers = KING | GENERAL | MAGICIAN
    return (
        not (mine & theirs or (mine | theirs) & face_down or castles & ~(mine | theirs))
        and face_down.bit_count() <= 1
        and mine | theirs | face_down != WHOLE_BOARD
        and (castles & mine).bit_count() + (my_hand & CASTLE > 0) <= 1
        and (castles & theirs).bit_count() + (their_hand & CASTLE > 0) <= 1
        and not (their_hand | (my_hand if mine | theirs | face_down else 0)) & CITIZEN
        and my_hand.bit_count() - their_hand.bit_count() in (0, 1)
        and cards - (my_hand & banishers).bit_count() - (their_hand & banishers).bit_count()
        >= SQUARES - face_up
    )


def verify(values, queen_adjacent=False, ending_occupied=False, *, root=None, threads=2,
           progress=None):
    """Check the claimed value of every position that can arise; a Report.

    ``values(positions)`` gets a memoryview of packed positions (uint64, valid during the call)
    and returns as many int8 in one piece of memory: own allies minus the other side's at the
    end, for the side to move, if both play perfectly.  The positions of a call are of one ply
    and ascend.  ``root`` is the packed position to start from.  ``progress(ply, positions)`` is
    called now and then with the number of positions asked for so far.

    The Report's ``plies`` are a Count each and ``totals`` is their sum; ``examples`` are the
    first of the mismatches; ``verdict`` is whether there are none.  ``sha256`` is the digest of
    eight bytes for each position, ply after ply and ascending in each: the packed position as
    seven bytes, little-endian, and the claimed value as one byte, two's complement.
    """
    root = START if root is None else root
    if not _is_consistent(root):
        raise ValueError(f"not a position to start from: {root:#x}")
    cdef Rules rules = Rules(queen_adjacent, ending_occupied)
    cdef _Layer layer, following
    cdef _Ledger ledger = _Ledger(values, progress)
    hands = root >> MINE_SHIFT & WHOLE_HAND, root >> THEIRS_SHIFT
    layer = _Layer(hands, 0, rules, [canonical(unpack(root))])
    layer.reached[0] = True
    ledger.ask(layer)
    mismatches, examples = 0, []
    stop = Event()
    pool = ThreadPoolExecutor(threads)
    try:
        while layer.rows:
            following = _Layer(hands, layer.ply + 1, rules, layer.boards_after())
            list(pool.map(partial(layer.reach, following, stop, threads), range(threads)))
            if following.rows:
                ledger.ask(following)
            chunks = range(0, layer.rows, CHUNK)
            for wrong, found in pool.map(partial(layer.check, following), chunks):
                mismatches += wrong
                examples += found[: EXAMPLES - len(examples)]
            layer = following
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)
    totals = Count(*map(sum, zip(*ledger.plies, strict=True)))
    return Report(tuple(ledger.plies), totals, mismatches, tuple(examples),
                  ledger.digest.hexdigest(), not mismatches)
