# The protocol that every game implements, at C level and without the GIL.
# Kernels (perft, tree search, ...) are written against it and know no game.

from libc.stdint cimport int32_t


cdef enum:
    TERMINAL = -1           # player() when the game is over


cdef struct Shape:
    int players
    int actions             # action ids are 0 <= id < actions
    int most_legal          # most legal moves in any position: the size of a buffer for legal()
    int longest             # most moves in one game, plies
    double least, most      # bounds of one seat's return


cdef class Game:
    cdef Shape shape(self) noexcept nogil
    cdef int player(self) noexcept nogil                    # seat to move, or TERMINAL
    cdef int legal(self, int32_t* out) noexcept nogil       # ascending ids; how many (0 at the end)
    cdef void apply(self, int32_t action) noexcept nogil    # unchecked: only ids from legal()
    cdef void returns(self, double* out) noexcept nogil     # one a seat; all 0 before the end
    cdef void load(self, Game other) noexcept nogil         # become a copy; same class, unchecked
    cdef Game clone(self)
