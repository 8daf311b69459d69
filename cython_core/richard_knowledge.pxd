# Richard I: what one seat knows, and states that it cannot rule out.
#
# Knowledge is made from labels alone (richard_labels.pxd), never from a state. It keeps a puppet: a
# game in which all that is public is right, down to the size of every pile, while the cards in hidden
# piles are loose, any colour as often as it may be asked for. What the seat has seen of those
# cards goes into Trails, which know every way they may have gone.

from cython_core.knowing cimport Knowing, TrailSampler
from cython_core.richard cimport Richard
from cython_core.richard_labels cimport Label
from cython_core.richard_table cimport COLOURS, SEATS, Table, Task
from cython_core.rng cimport Stream


cdef enum:
    CRUSADE = SEATS         # place of the Crusade deck in the trails; hands have those of their seats
    FIRST_SUPPLY            # and then one for every supply that is formed
    PILES = SEATS + 1       # hands and Crusade deck


cdef class Knowledge(Knowing):
    cdef Richard puppet
    cdef int supply         # place of the present one
    cdef int[SEATS] held    # counselors
    cdef int[2] deck        # counselors left, by side
    cdef int[2] gone        # those played, sets by side
    cdef int[SEATS] offered # yellow cards, of a tax that is not settled
    cdef list plays         # of counselors: (seat, number as a set)
    cdef int explained[PILES][COLOURS]      # what the trails know of the change of a pile

    cdef int begin(self, object hidden, object known) except -1
    cdef int scatter(self, int place, int size, object known) except -1
    cdef int learn(self, const Label* label) except -1
    cdef int loosen(self) except -1
    cdef int pool(self, int side) noexcept nogil
    cdef int stand_in(self, Task task, const Label* label) except -1
    cdef bint sees(self, Task task) noexcept
    cdef int look(self, Task task, const Label* label, int edge) except -1
    cdef int look_into(self, const Label* label, int target) except -1
    cdef bint is_last_secret(self, Task task) noexcept
    cdef bint is_shown(self, Task task, int target) noexcept
    cdef int explain(self, Task task, const Label* label, int edge) except -1
    cdef int count_one(self, int seat, int colour, int cards) except -1
    cdef int pass_on(self, int what, int source, int target, int colour) except -1
    cdef int contribute(self, int seat, int edge) except -1
    cdef int offer(self, int seat, int cards) except -1
    cdef int reveal_offers(self, Task task, const Label* label) except -1
    cdef int leave(self, int place, int colour, int cards) except -1
    cdef void explain_change(self, int place, int colour, int by) noexcept
    cdef int follow_public(self, const Table* before) except -1
    cdef int follow(self, int place, int colour, int change) except -1
    cdef int follow_supply(self, const Table* before, Task task, int edge) except -1
    cdef int follow_counselors(self, const Table* before, Task task, int edge) except -1


cdef class RichardSampler(TrailSampler):
    cdef Knowledge knowledge

    cdef void lay_cards(self, Table* t) noexcept nogil
    cdef void deal_counselors(self, Table* t, Stream* luck) noexcept nogil
    cdef void choose_offers(self, Table* t, Stream* luck) noexcept nogil
    cdef int found(self, int what, object where, list drawn, Richard state) except -1
    cdef int gift(self, list stays) except -1
