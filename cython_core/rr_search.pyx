# cython: cdivision=True
"""RR, exact values by alpha-beta: the plain, independent check of the strong solution.

Negamax (fail-soft) with a transposition table over the eight symmetries of the board. Nothing
is pruned that could matter, so every value is exact.
"""

from libc.stdint cimport uint64_t
from libc.stdlib cimport calloc, free

from cython_core.rr cimport (
    MOST_LEGAL, RR, SQUARES, SYMMETRIES, Board, Move, RuleSet,
    count_bits, generate, is_over, margin, pack, play, symmetry,
)

cdef extern from *:
    """
    /* Entries are read and written whole, so threads may share the table without locks. */
    #if defined(__GNUC__) || defined(__clang__)
    #define rr_load(p) __atomic_load_n(p, __ATOMIC_RELAXED)
    #define rr_store(p, v) __atomic_store_n(p, v, __ATOMIC_RELAXED)
    #else
    #define rr_load(p) (*(volatile uint64_t *)(p))
    #define rr_store(p, v) (*(volatile uint64_t *)(p) = (v))
    #endif
    """
    uint64_t load "rr_load"(uint64_t* p) noexcept nogil
    void store "rr_store"(uint64_t* p, uint64_t value) noexcept nogil

cdef enum:
    WORST = -SQUARES
    BEST = SQUARES
    STOPPED = 99                    # no value: the search was told to stop
    NODES_PER_STOP_CHECK = 1 << 14
    BOARD_BITS = 36                 # of `pack`: the squares; above them the hands
    KEY_BITS = 52
    BOUND_BITS = 5

DEFAULT_TABLE_BITS = 24

# Move ordering only, in quarters of a card: spend the weak cards first (order C K Q P M G W T).
cdef int[8] _KEEPING = [0, 1, 3, 2, 2, 1, 1, 0]


cdef struct Bounds:
    int lower, upper


cdef class Transpositions:
    """Bounds of positions already searched, for one rule set: 2**bits entries of 8 bytes.

    An entry is the whole key (52 bits) and both bounds (5 bits each, from `WORST` up), so a hit
    is never a collision. A slot keeps the newest entry. Safe to share between threads.
    """

    cdef uint64_t* entries
    cdef int shift
    cdef readonly int bits

    def __cinit__(self, int bits=DEFAULT_TABLE_BITS):
        if not 1 <= bits <= 34:
            raise ValueError(f"table size must be 2**1 to 2**34 entries, not 2**{bits}")
        self.bits = bits
        self.shift = 64 - bits
        self.entries = <uint64_t*>calloc(<size_t>1 << bits, sizeof(uint64_t))
        if self.entries == NULL:
            raise MemoryError(f"no memory for a table of {8 << bits:,} bytes")

    def __dealloc__(self):
        free(self.entries)

    cdef inline uint64_t* slot(self, uint64_t key) noexcept nogil:
        return self.entries + (key * <uint64_t>0x9E3779B97F4A7C15 >> self.shift)

    cdef inline Bounds probe(self, uint64_t key) noexcept nogil:
        cdef uint64_t entry = load(self.slot(key))
        if entry & ((<uint64_t>1 << KEY_BITS) - 1) != key:
            return Bounds(WORST, BEST)
        entry >>= KEY_BITS
        return Bounds(<int>(entry & 31) + WORST, <int>(entry >> BOUND_BITS) + WORST)

    cdef inline void keep(self, uint64_t key, Bounds known) noexcept nogil:
        cdef uint64_t bounds = (known.upper - WORST) << BOUND_BITS | (known.lower - WORST)
        store(self.slot(key), bounds << KEY_BITS | key)


cdef class Search:
    """Exact values of positions of one rule set.

    One object a thread; several may share one `Transpositions`. `table=None` searches without a
    table and without symmetry: slow, and nothing but the rules and alpha-beta to trust.
    `nodes` counts the positions entered since the object was made.
    """

    cdef const RuleSet* rules
    cdef Transpositions table
    cdef bint use_table
    cdef volatile bint stopped
    cdef readonly long long nodes

    def __cinit__(self, RR game not None, Transpositions table=None):
        self.rules = game.at.rules
        self.table = table
        self.use_table = table is not None

    def stop(self):
        """Make a search that runs in another thread end soon, with None; for good."""
        self.stopped = True

    def value(self, RR game not None):
        """Exact final margin for the side to move, both sides playing best; None if stopped.

        Takes as long as it takes: only `stop`, called by another thread, ends it early.
        """
        cdef int value
        if game.at.rules != self.rules:
            raise ValueError("this search was made for other house variants")
        with nogil:
            value = self.negamax(&game.at.board, WORST, BEST)
        return None if value == STOPPED else value

    def move_value(self, RR game not None, int action):
        """The same after one legal move, seen by the side that makes it."""
        cdef RR child = game.copy()
        child.play(action)
        value = self.value(child)
        return None if value is None else -value

    cdef int negamax(self, const Board* b, int alpha, int beta) noexcept nogil:
        """The exact value where it lies within (alpha, beta), else a bound on that side of it."""
        cdef Move[MOST_LEGAL] moves
        cdef Bounds known = Bounds(WORST, BEST)
        cdef Board child
        cdef uint64_t key = 0
        cdef int n, value, best = WORST
        self.nodes += 1
        if self.nodes % NODES_PER_STOP_CHECK == 0 and self.stopped:
            return STOPPED
        if is_over(b):
            return margin(b)
        if self.use_table:
            key = canonical(b)
            known = self.table.probe(key)
            if known.lower >= beta or known.lower == known.upper:
                return known.lower
            if known.upper <= alpha:
                return known.upper
            alpha = max(alpha, known.lower)
            beta = min(beta, known.upper)
            best = known.lower
        n = generate(b, self.rules, moves)
        sort_by_promise(b, self.rules, moves, n)
        for i in range(n):
            child = play(b, self.rules, moves[i])
            value = self.negamax(&child, -beta, -max(alpha, best))
            if value == STOPPED:
                return STOPPED
            best = max(best, -value)
            if best >= beta:
                break
        if self.use_table:
            if best > alpha:
                known.lower = best
            if best < beta:
                known.upper = best
            self.table.keep(key, known)
        return best


cdef inline uint64_t canonical(const Board* b) noexcept nogil:
    """The least of the packed keys of the eight symmetric boards."""
    cdef uint64_t least = pack(b), squares
    cdef uint64_t hands = least >> BOARD_BITS << BOARD_BITS
    cdef const unsigned short* image
    least -= hands
    for which in range(1, SYMMETRIES):
        image = symmetry(which)
        squares = (image[b.mine] | <uint64_t>image[b.theirs] << 9
                   | <uint64_t>image[b.castles] << 18 | <uint64_t>image[b.down] << 27)
        least = min(least, squares)
    return hands | least


cdef inline void sort_by_promise(
    const Board* b, const RuleSet* r, Move* moves, int n
) noexcept nogil:
    """Most promising first, else by action id: an insertion sort over small scores."""
    cdef int[MOST_LEGAL] score
    cdef int i, j, s
    cdef Move m
    for i in range(n):
        m = moves[i]
        s = promise(b, r, m)
        j = i
        while j > 0 and score[j - 1] < s:
            moves[j] = moves[j - 1]
            score[j] = score[j - 1]
            j -= 1
        moves[j] = m
        score[j] = s


cdef inline int promise(const Board* b, const RuleSet* r, Move m) noexcept nogil:
    """A guess for move ordering only: the margin gained at once, less the card's worth in hand."""
    cdef int gain = count_bits(m.hit & b.theirs) - count_bits(m.hit & b.mine)
    return (4 if r.banishes[m.card] else 8) * gain - _KEEPING[m.card]
