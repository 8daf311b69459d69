# Charlemagne: what one seat knows, and states that it cannot rule out.
#
# Knowledge is made from labels alone (charlemagne_labels.pxd), never from a state. It keeps a puppet: a
# game in which all that is public is right, down to the size of every pile, while the kinds in other
# storages and in the stock, and the cards in other hands, are any; before every label they are laid
# out so that it can happen. What the seat has seen of the pieces goes into Trails, which know every
# way they may have gone.

from libc.stdint cimport uint32_t

from cython_core.charlemagne cimport Charlemagne
from cython_core.charlemagne_labels cimport Label
from cython_core.charlemagne_table cimport CARDS, SEATS, Pile, Table
from cython_core.knowing cimport Knowing, TrailSampler
from cython_core.rng cimport Stream


cdef enum:
    STOCK = SEATS           # its place in the trails; storages have those of their seats
    HEAP                    # where pieces come from on a table with an unknown past
    DRAWN_HERE              # pieces of a draw that the viewer sees, until their kind is told


cdef class Knowledge(Knowing):
    cdef Charlemagne puppet
    cdef uint32_t seen      # cards whose first owner is known, a set
    cdef uint32_t[SEATS] known      # cards in hands that are known to be there: taken from the table
    cdef int[SEATS] unknown # cards in other hands that are not
    cdef int[CARDS] owner   # who was dealt a card, as far as that is known; else -1
    cdef list drawn         # stays of a hidden draw that goes on

    cdef int begin(self, object hidden, object known, object known_cards) except -1
    cdef int learn(self, const Label* label) except -1
    cdef int check(self, const Label* label) except -1
    cdef bint sees(self, int edge) noexcept
    cdef int arrange(self, const Label* label) except -1
    cdef int arrange_draw(self, const Label* label) except -1
    cdef int arrange_income(self, int outcome) except -1
    cdef int arrange_hand(self, int edge) except -1
    cdef int arrange_bribed(self, const Label* label, int target) except -1
    cdef int stand_in(self) except -1
    cdef int next_kind(self, int kind) noexcept
    cdef int explain_draw(self, const Label* label) except -1
    cdef int explain_card(self, const Label* label) except -1
    cdef int explain_income(self, int outcome) except -1
    cdef int explain_decision(self, const Table* before, const Label* label) except -1
    cdef int explain_played(self, int seat, int card, int replaced) except -1
    cdef int follow(self, int place, const Pile* before, const Pile* after) except -1
    cdef int choose(self, int place, int kind, int pieces) except -1
    cdef int draw_seen(self, int kind, int pieces) except -1
    cdef int count(self, int place, int kinds, const Pile* pieces) except -1


cdef class CharlemagneSampler(TrailSampler):
    cdef Knowledge knowledge
    cdef int* drawn         # stays of a hidden draw that goes on
    cdef int n_drawn

    cdef void undo_draw(self, Table* t) noexcept nogil
    cdef void deal(self, Table* t, Stream* luck) noexcept nogil
    cdef void deal_some(self, Table* t, Stream* luck) noexcept nogil
    cdef int receiver(self, Charlemagne state, int card) except -1
