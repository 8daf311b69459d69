# Richard I as a game of the protocol: one Table, and the Log beside it.

from libc.stdint cimport uint8_t

from cython_core.game cimport Game
from cython_core.richard_labels cimport Label
from cython_core.richard_table cimport COLOURS, CONTRIBUTIONS, Log, Numbers, Table


cdef uint8_t[CONTRIBUTIONS][COLOURS] gift_cards     # by size, then in dictionary order

cdef tuple told(const Label* label)                 # as Python values

cdef class Rules:           # keeps the numbers that a game is played by
    cdef Numbers numbers


cdef class Richard(Game):
    cdef Table table
    cdef Log log
    cdef bint logs          # whether it keeps the log
    cdef Rules rules        # what `table.numbers` points into; shared by all clones
