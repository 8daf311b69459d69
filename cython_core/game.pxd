# The protocol that every game implements, at C level and without the GIL.
# Kernels (perft, tree search, ...) are written against it and know no game.

from libc.stdint cimport int32_t, uint64_t

from cython_core.rng cimport Stream


cdef enum:
    TERMINAL = -1           # player() when the game is over
    CHANCE = -2             # player() when a card is to be turned


cdef struct Shape:
    int players
    int actions             # action ids are 0 <= id < actions
    int most_legal          # most legal moves or outcomes in any position: the size of a buffer
    int longest             # most moves and outcomes in one game
    double least, most      # bounds of one seat's return


cdef class Game:
    cdef Shape shape(self) noexcept nogil
    cdef int player(self) noexcept nogil                    # seat to move, TERMINAL or CHANCE
    cdef int legal(self, int32_t* out) noexcept nogil       # ascending ids; how many, 0 elsewhere
    cdef int chance(self, int32_t* out, int32_t* weight) noexcept nogil     # ascending outcomes
    cdef void apply(self, int32_t edge) noexcept nogil      # unchecked: from legal() or chance()
    cdef void returns(self, double* out) noexcept nogil     # one a seat; all 0 before the end
    # What a seat learns, for any seat at any node. Two labels, or two states, that a seat cannot tell
    # apart have the same key.
    cdef uint64_t observe(self, int32_t edge, int viewer) noexcept nogil    # before apply()
    cdef uint64_t info_key(self, int viewer) noexcept nogil     # all it has learned: perfect recall
    cdef uint64_t view_key(self, int viewer) noexcept nogil     # what still matters to it now
    cdef void load(self, Game other) noexcept nogil         # become a copy; same class, unchecked
    cdef Game clone(self)


cdef class Sampler:         # of one seat's knowledge; one a thread
    cdef void sample_into(self, Game into, Stream* luck) noexcept nogil     # a state it cannot rule out


cdef enum:
    LARGEST_BUFFER = 512    # moves of any game


cdef inline bint can_go_on(Game state) noexcept nogil:
    # Whether a decision has a move. In a sample a choice of several cards that another seat has begun
    # might be one that cannot be ended.
    cdef int32_t[LARGEST_BUFFER] moves
    return state.player() < 0 or state.legal(moves) > 0
