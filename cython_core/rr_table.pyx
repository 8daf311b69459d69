# cython: cdivision=True
"""RR, the table: looks positions up among the packed values of the strong solution.

The bytes may come from a file that anybody could have changed, so each block is checked against
its checksum when it is first touched, and values are range-checked by construction.
"""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from zlib import crc32

from cython_core.rr cimport (
    MOST_LEGAL, RR, SQUARES, Board, Move, RuleSet, action_of, generate, is_over, margin, play,
    rule_set,
)
from cython_core.rr_solve cimport HIGHEST, LAYERS, value_at

from cython_core.rr_solve import layer_bytes

cdef enum:
    BLOCK = 1 << 14                 # bytes under one checksum
    ABSENT = 127                    # no value: the position has no place in the table

BLOCK_BYTES = BLOCK


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
        """Exact margin for the side to move; None if the position has no place in the table."""
        self.same_rules(game)
        if is_over(&game.at.board):
            return margin(&game.at.board)
        cdef int value = self.probe(&game.at.board)
        return None if value == ABSENT else value

    def move_values(self, RR game not None):
        """[(action id, exact margin for the side to move)] of all legal moves, ids ascending.

        None if a position after one of them has no place in the table.
        """
        cdef Move[MOST_LEGAL] moves
        cdef Board child
        cdef int n, value
        self.same_rules(game)
        n = generate(&game.at.board, self.rules, moves)
        found = []
        for i in range(n):
            child = play(&game.at.board, self.rules, moves[i])
            value = margin(&child) if is_over(&child) else self.probe(&child)
            if value == ABSENT:
                return None
            found.append((action_of(moves[i]), -value))
        return found

    def lookup(self, const uint64_t[::1] keys not None, int8_t[::1] out not None):
        """Values of many positions at once, given as `RR.key`, into `out`; 127 where absent.

        Checks all blocks first; releases the GIL.
        """
        cdef int64_t i
        cdef Board b
        if keys.shape[0] != out.shape[0]:
            raise ValueError(f"{keys.shape[0]} keys, but room for {out.shape[0]} values")
        self.check_all()
        with nogil:
            for i in range(keys.shape[0]):
                b = unpack(keys[i])
                out[i] = margin(&b) if is_over(&b) else self.read(&b)

    cdef int same_rules(self, RR game) except -1:
        if game.at.rules != self.rules:
            raise ValueError("this table was made for other house variants")
        return 0

    cdef int probe(self, const Board* b) except? -1:
        cdef int ply
        cdef int64_t at = value_at(b, &ply)
        if at < 0:
            return ABSENT
        at = self.start[ply] + (at if self.rules.occupied else at >> 1)
        if not self.checked[at // BLOCK]:
            self.check(at // BLOCK)
        return self.read(b)

    cdef int check(self, int64_t block) except -1:
        if checksum(self.view[block * BLOCK:(block + 1) * BLOCK]) != self.checksums[block]:
            raise DamagedTable(f"block {block} does not have the checksum it was written with")
        self.checked[block] = 1
        return 0

    cdef inline int read(self, const Board* b) noexcept nogil:
        cdef int ply
        cdef int64_t at = value_at(b, &ply)
        cdef int kept
        if at < 0:
            return ABSENT
        if self.rules.occupied:
            kept = self.packed[self.start[ply] + at]
        else:
            kept = 2 * (self.packed[self.start[ply] + (at >> 1)] >> 4 * (at & 1) & 15)
        return kept - SQUARES


cdef inline Board unpack(uint64_t key) noexcept nogil:
    """The inverse of `pack` in rr.pxd."""
    return Board(key & 511, key >> 9 & 511, key >> 18 & 511, key >> 27 & 511,
                 key >> 36 & 255, key >> 44 & 255)
