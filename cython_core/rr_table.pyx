# cython: cdivision=True
"""RR, the table: looks positions up among the packed values of the strong solution.

The bytes may come from a file, so each block is checked against its checksum when it is first
touched. That finds damage, not forgery; and where the system maps files into memory, a file cut
short by somebody else while it is open kills the process, which no check can see.
"""

from libc.stdint cimport int8_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from zlib import crc32

from cython_core.memory cimport prefetch_line
from cython_core.rr cimport (
    ACTIONS, MOST_LEGAL, RR, SQUARES, Board, Move, RuleSet, action_of, generate, is_over, margin,
    play, rule_set,
)
from cython_core.rr_solve cimport LAYERS, value_at

from cython_core.rr_solve import layer_bytes

cdef enum:
    BLOCK = 1 << 14                 # bytes under one checksum
    HALF_BYTES_SHIFT = 15           # 2**15 half bytes are one block
    NOWHERE = -1                    # the position has no place in the table
    OVER = -2                       # nor does it need one: the game is over
    NO_VALUE = 127                  # in place of a value

BLOCK_BYTES = BLOCK
ABSENT = NO_VALUE


cdef struct Valued:
    int action, value, rank


class DamagedTable(Exception):
    """The bytes do not carry the checksum they were written with."""


def checksum(block):
    """Checksum of one block of `BLOCK_BYTES` bytes, the last one shorter."""
    return crc32(block)


cdef class Table:
    """Exact values of one rule set.

    `packed`: bytes of all layers, one after the other (`rr_solve.layer_bytes`). `checksums`: one
    a block, or None for bytes that never left this process. Lookups raise DamagedTable.
    """

    cdef const RuleSet* rules
    cdef const uint8_t[::1] packed
    cdef const uint32_t[::1] checksums
    cdef uint8_t[::1] checked
    cdef int64_t start[LAYERS]      # of each layer, bytes
    cdef object view

    def __cinit__(self, bint queen_adjacent, bint ending_occupied, packed, checksums=None):
        cdef int64_t total = 0
        self.rules = rule_set(queen_adjacent, ending_occupied)
        for ply, size in enumerate(layer_bytes(ending_occupied)):
            self.start[ply] = total
            total += size
        self.view = memoryview(packed)
        self.packed = self.view
        blocks = (total + BLOCK - 1) // BLOCK
        if self.packed.shape[0] != total:
            raise DamagedTable(f"{self.packed.shape[0]} bytes where {total} belong")
        if checksums is not None:
            self.checksums = checksums
            if self.checksums.shape[0] != blocks:
                raise DamagedTable(f"{self.checksums.shape[0]} checksums for {blocks} blocks")
        self.checked = bytearray(blocks) if checksums is not None else bytearray(b"\1") * blocks

    def check_all(self):
        """Check every block now. Raises DamagedTable."""
        cdef int64_t block
        for block in range(self.checked.shape[0]):
            if not self.checked[block]:
                self.check(block)

    def value(self, RR game not None):
        """Exact margin for the side to move; None if the table does not reach the position.

        A position without a place of its own, such as the start, has the value of its best move.
        """
        cdef Valued[MOST_LEGAL] moves
        cdef int64_t place
        cdef int n, i
        self.same_rules(game)
        if is_over(&game.at.board):
            return margin(&game.at.board)
        place = self.place(&game.at.board)
        if place != NOWHERE:
            return self.read(place)
        n = self.value_moves(&game.at.board, NULL, moves)
        return None if n < 0 else max([moves[i].value for i in range(n)])

    def solve(self, RR game not None, const uint16_t[::1] rank not None, bint line=False):
        """All that is known of a position: (action ids, their values, best line).

        Values are exact margins for the side to move. Moves come by ascending `rank` [action id],
        and so does the choice among equals: in each position the line, empty unless asked for,
        takes the first best move. None if a position after some move has no place in the table.
        """
        cdef Valued[MOST_LEGAL] moves
        cdef RR walker
        cdef int n, best
        self.same_rules(game)
        if rank.shape[0] != ACTIONS:
            raise ValueError(f"{rank.shape[0]} ranks for {ACTIONS} actions")
        n = self.value_moves(&game.at.board, &rank[0], moves)
        if n < 0:
            return None
        sort_by_rank(moves, n)
        actions = [moves[i].action for i in range(n)]
        values = [moves[i].value for i in range(n)]
        best_line = []
        walker = game.clone() if line else None
        while line and n > 0:       # whatever follows a position of the table is in it too
            best = best_of(moves, n)
            best_line.append(best)
            walker.apply(best)
            n = self.value_moves(&walker.at.board, &rank[0], moves)
        return actions, values, best_line

    cdef int value_moves(self, const Board* b, const uint16_t* rank, Valued* out) except -2:
        """All legal moves; how many, or -1 if one leads to where the table has nothing."""
        cdef Move[MOST_LEGAL] moves
        cdef int64_t[MOST_LEGAL] place
        cdef Board child
        cdef int n = generate(b, self.rules, moves), i
        for i in range(n):
            out[i].action = action_of(moves[i])
            out[i].rank = rank[out[i].action] if rank != NULL else 0
            child = play(b, self.rules, moves[i])
            if is_over(&child):
                place[i] = OVER
                out[i].value = -margin(&child)
                continue
            place[i] = self.place(&child)
            if place[i] == NOWHERE:
                return -1
            prefetch_line(&self.packed[place[i] >> 1])      # reads below then find it near
        for i in range(n):
            if place[i] != OVER:
                out[i].value = -self.read(place[i])
        return n

    def lookup(self, const uint64_t[::1] keys not None, int8_t[::1] out not None):
        """Values of many positions at once, given as `RR.key`, into `out`; `ABSENT` where unknown.

        Any numbers may be given; those that are no position are unknown. Checks all blocks first;
        releases the GIL.
        """
        cdef int64_t i
        cdef Board b
        if keys.shape[0] != out.shape[0]:
            raise ValueError(f"{keys.shape[0]} keys, but room for {out.shape[0]} values")
        self.check_all()
        with nogil:
            for i in range(keys.shape[0]):
                b = unpack(keys[i])
                out[i] = NO_VALUE if keys[i] >> 52 or not is_board(&b) else self.value_of(&b)

    cdef int value_of(self, const Board* b) noexcept nogil:
        """Value or NO_VALUE; all blocks are checked. As in `value`, moves stand in for a place."""
        cdef Move[MOST_LEGAL] moves
        cdef Board child
        cdef int64_t place
        cdef int i, n, best = -NO_VALUE
        if is_over(b):
            return margin(b)
        place = self.find(b)
        if place != NOWHERE:
            return self.read(place)
        n = generate(b, self.rules, moves)
        for i in range(n):
            child = play(b, self.rules, moves[i])
            place = OVER if is_over(&child) else self.find(&child)
            if place == NOWHERE:
                return NO_VALUE
            best = max(best, -margin(&child) if place == OVER else -self.read(place))
        return best if n else NO_VALUE

    cdef int same_rules(self, RR game) except -1:
        if game.at.rules != self.rules:
            raise ValueError("this table was made for other house variants")
        return 0

    cdef int64_t place(self, const Board* b) except -3:
        """Where the value of a position stands, in half bytes from the start; its block checked."""
        cdef int64_t place = self.find(b)
        if place != NOWHERE and not self.checked[place >> HALF_BYTES_SHIFT]:
            self.check(place >> HALF_BYTES_SHIFT)
        return place

    cdef int check(self, int64_t block) except -1:
        if checksum(self.view[block * BLOCK:(block + 1) * BLOCK]) != self.checksums[block]:
            raise DamagedTable(f"block {block} does not have the checksum it was written with")
        self.checked[block] = 1
        return 0

    cdef inline int64_t find(self, const Board* b) noexcept nogil:
        cdef int ply
        cdef int64_t at = value_at(b, &ply)
        if at < 0:
            return NOWHERE
        return 2 * self.start[ply] + (2 * at if self.rules.occupied else at)

    cdef inline int read(self, int64_t place) noexcept nogil:
        """The margin kept there; `Layers.pack` says how."""
        cdef uint8_t kept = self.packed[place >> 1]
        if self.rules.occupied:
            return kept - SQUARES
        return 2 * (kept >> 4 * (place & 1) & 15) - SQUARES


cdef void sort_by_rank(Valued* moves, int n) noexcept nogil:
    cdef int i, j
    cdef Valued moving
    for i in range(1, n):
        moving = moves[i]
        j = i
        while j > 0 and moves[j - 1].rank > moving.rank:
            moves[j] = moves[j - 1]
            j -= 1
        moves[j] = moving


cdef int best_of(const Valued* moves, int n) noexcept nogil:
    """The action of the best move, the one of least rank among equals."""
    cdef int i, best = 0
    for i in range(1, n):
        if moves[i].value > moves[best].value or (
            moves[i].value == moves[best].value and moves[i].rank < moves[best].rank
        ):
            best = i
    return moves[best].action


cdef inline bint is_board(const Board* b) noexcept nogil:
    """Whether each square holds one thing at most, as the index takes for granted."""
    cdef uint16_t up = b.mine | b.theirs
    return not (b.mine & b.theirs or up & b.down or b.castles & ~up or b.down & (b.down - 1))


cdef inline Board unpack(uint64_t key) noexcept nogil:
    """The inverse of `pack` in rr.pxd."""
    return Board(key & 511, key >> 9 & 511, key >> 18 & 511, key >> 27 & 511,
                 key >> 36 & 255, key >> 44 & 255)
