# RR, the strong solution: where the value of a position stands in the table.
#
# Layer `ply` holds all decisions after so many cards were played; that fixes both hand sizes.
# Within a layer, boards are grouped by class: who faces whom on which squares, up to symmetry.
# A class lists its boards by face-down square (none first), Castle of the side to move (in hand
# first), Castle of the other side (likewise). A Castle is on the board exactly when it is not in
# its owner's hand, so a board fixes that much of the hands, and six kinds of cards remain.
# A board has one byte for every pair of hands: [rank of the other hand][rank of the mover's hand],
# ranks among hands of equal size without the Castle.
#
# A value is kept as margin + 9. About twice as many positions have a place here as can be reached.
# Of the rest, those that are consistent (ruling "Study positions") have right values too: their
# hands hold all the cards that the board may still need, which is the same as saying that the
# banishing cards still held and the cards banished so far are six at most, and every move keeps
# that. The others hold numbers without meaning, which no consistent position ever reads.

from libc.stdint cimport int64_t, uint16_t

from cython_core.rr cimport Board


cdef enum:
    LAYERS = 15             # plies 1 to 14 have one; ply 0 is the start alone
    CLASSES = 2862          # boards of empty, mine, theirs up to symmetry
    HANDS = 64              # hands without Castle and Citizen
    MOST_HANDS = 20         # of one size: 6 choose 3
    HIGHEST = 18            # the greatest value as it is kept


cdef struct Block:                  # the boards of one class in one layer
    int64_t at                      # of the first one; -1 if the layer lacks the class
    int values                      # of all boards with the same face-down square
    int mine_count, theirs_count    # cards facing either side
    uint16_t mine, theirs           # the board of the class


cdef struct Layer:
    int ply
    int hand                        # cards of the side to move, the Castle included
    int other_hand
    int pairs[2][2]                 # hand pairs of a board: [my Castle on it][their Castle on it]
    Block block[CLASSES]
    int64_t size                    # values in the layer


cdef int64_t value_at(const Board* b, int* ply) noexcept nogil
