# Charlemagne as a game of the protocol: one Table, and the Log beside it.

from cython_core.charlemagne_labels cimport Label
from cython_core.charlemagne_table cimport Log, Numbers, Table
from cython_core.game cimport Game


cdef tuple told(const Label* label)     # as Python values


cdef class Rules:           # keeps the numbers that a game is played by
    cdef Numbers numbers


cdef class Charlemagne(Game):
    cdef Table table
    cdef Log log
    cdef bint logs          # whether it keeps the log
    cdef Rules rules        # what `table.numbers` points into; shared by all clones

    cdef bint stand(self, str what, int seat)
