# Richard I as a game of the protocol: one Table, and the Log beside it.

from libc.stdint cimport uint8_t

from cython_core.game cimport Game
from cython_core.richard_labels cimport Label
from cython_core.richard_table cimport COLOURS, CONTRIBUTIONS, Log, Numbers, Table


cdef uint8_t[CONTRIBUTIONS][COLOURS] gift_cards     # by size, then in dictionary order

cdef tuple told(const Label* label)                 # as Python values

cdef class Richard(Game):
    cdef Table table
    cdef Log log
    cdef bint logs          # whether it keeps the log
    cdef Numbers numbers    # of this object; a clone keeps its original alive instead
    cdef Richard original
