# Cards that move between places, and what somebody who sees only a part of it can make of them.
#
# A card's time at a place is a Stay; an Exit is how one card left a place: to the stay that follows,
# or out of all this with its kind seen. Which stay took which exit is what is not known: a state of
# `Trails` is one such matching. It is possible if every exit that was seen took a card of that kind
# and every count that was made is right.
#
#       stay at a place         exit                stay at the next place
#       (came, kind)    ----->  (left, kind?) ----> (came = left, same kind)
#
# Where every shuffle and every choice of a card is uniform, all possible matchings of cards (told
# apart, even if of one kind) are equally likely. Where somebody chose the kind of a card, and not
# which of several alike, the exit is weighed: it counts as one way, however many cards of the kind
# were there. `walk` goes from one matching to the next: two cards that were at one place together
# exchange their exits, and all that comes after, also by way of matchings in which something is
# wrong.

from libc.stdint cimport int32_t, uint8_t

from cython_core.rng cimport Stream


cdef enum:
    PLACES = 1024
    KINDS = 8
    MOST_TOUCHED = 64       # counts that one exchange may change
    PENALTIES = 8
    STILL_THERE = -1        # the exit of a card that has not left
    UNSEEN = -1             # the kind of a card that nobody saw leave
    NO_STAY = -1
    NO_EXIT = -1


cdef struct Stay:
    int32_t came            # when; moves are numbered
    int32_t exit            # which one it took, or STILL_THERE
    int32_t counts          # how many counts there had been before, anywhere
    int32_t weighs          # and how many exits of this place had been weighed
    int32_t earlier         # the stay at this place that began before this one, or NO_STAY
    int32_t entry           # the exit that leads here, or NO_EXIT
    int32_t place
    int32_t kind


cdef struct Exit:
    int32_t left            # when
    int32_t stay            # whose it is
    int32_t counts
    int32_t weighs          # its own one included
    int32_t onto            # the stay it leads to, NO_STAY where the card was seen to leave
    int32_t kind            # as it was seen, or UNSEEN


cdef struct Count:          # of the cards of some kinds at one place at one time
    int32_t place
    int32_t kinds           # a set
    int32_t[KINDS] surplus  # cards there less cards counted; all 0 in a possible state


cdef struct Weigh:          # of an exit: how many ways of choosing a card it stands for
    int32_t place
    int32_t kind
    int32_t order           # which one of its place it is


cdef struct Touched:        # counts that an exchange changes: `times` cards more of the one kind and
    int n                   # as many less of the other
    int32_t[MOST_TOUCHED] which
    int32_t[MOST_TOUCHED] times


cdef struct Wish:           # while mending: that the card of a stay be of another kind
    int stay                # NO_STAY: none
    int kind                # UNSEEN: any other


cdef class Trails:
    cdef Stay* stays
    cdef Exit* exits
    cdef Count* counts
    cdef Weigh* weighs
    cdef int32_t* here      # for each weighed exit: cards of its kind that were there
    cdef int n_stays, n_exits, n_counts, n_weighs
    cdef int room_stays, room_exits, room_counts, room_weighs, room_here
    cdef int32_t* weigh_at  # all weighed exits by place, from `first_weigh`
    cdef int32_t* touched   # weighed exits that an exchange in question changes: `more` cards there
    cdef int32_t* more
    cdef int n_touched
    cdef int32_t[PLACES] first_weigh
    cdef int32_t[PLACES] weighed        # how many those are
    cdef int32_t[PLACES] newest         # stay at a place
    cdef int32_t[PLACES] first          # of the stays of a place in `by_place`
    cdef int32_t[PLACES] members        # how many those are
    cdef int32_t* by_place              # all stays that have company at their place
    cdef int n_by_place
    cdef bint indexed
    cdef int32_t now
    cdef int wrong          # exits seen with another kind, and surplus cards: 0 if possible
    cdef double[PENALTIES] penalties    # by how many things are wrong

    # Building, in order of time. Moves and exits take a card that is there, which one is luck.
    cdef int enter(self, int place, int kind) except -1         # a known card; returns its stay
    cdef int move(self, int source, int target, Stream* luck) except -1     # the stay it leads to
    cdef int leave(self, int place, int kind, Stream* luck) except -1
    cdef int choose(self, int place, int kind, Stream* luck) except -1      # leave, weighed
    cdef int count(self, int place, int kinds, const uint8_t* cards) except -1
    cdef int present(self, int place) noexcept nogil            # cards there now
    cdef bint mend(self, Stream* luck) except -1                # whether a possible state was found
    cdef int find_wrong(self, Stream* luck) noexcept nogil
    cdef Wish wish(self, int wrong, Stream* luck) noexcept nogil
    cdef Wish wish_at_count(self, int count, Stream* luck) noexcept nogil
    cdef int somebody_at(self, int count, int kind, bint of_kind, Stream* luck) noexcept nogil
    cdef int partner_for(self, Wish wish, Stream* luck) noexcept nogil
    cdef bint solve(self, Stream* luck) except -1
    cdef list events(self, int place)
    cdef int describe(self, int place, object program) except -1
    cdef int describe_count(self, int place, int count, object program) except -1
    cdef int match(self, int place) except -1
    cdef bint mend_once(self, int steps, Stream* luck) noexcept nogil
    cdef bint try_exchange(self, Wish wish, Stream* luck) noexcept nogil

    # Walking.
    cdef int index(self) except -1                              # after building, before walking
    cdef int index_weighs(self) except -1
    cdef int calibrate(self, int steps, Stream* luck) except -1
    cdef void walk(self, int steps, Trails home, Stream* luck) noexcept nogil
    cdef void restore(self, Trails other) noexcept nogil
    cdef int become(self, Trails other) except -1               # a copy

    # Within.
    cdef int pick(self, int place, int kind, Stream* luck) noexcept nogil
    cdef int add_stay(self, int place, int kind) except -1
    cdef int add_exit(self, int stay, int onto, int kind) except -1
    cdef bint together(self, int a, int b) noexcept nogil
    cdef int change(self, int a, int b, Touched* touched) noexcept nogil
    cdef int follow(self, int exit, int kind, int times, Touched* touched) noexcept nogil
    cdef void find_weighs(self, int a, int b) noexcept nogil
    cdef void follow_weighs(self, int exit, int times) noexcept nogil
    cdef void touch_weighs(self, int place, int first, int last, int times) noexcept nogil
    cdef int changed(self, int weigh, int mine, int other) noexcept nogil
    cdef double odds(self, int mine, int other) noexcept nogil
    cdef void reweigh(self, int mine, int other, bint exchanged) noexcept nogil
    cdef bint step(self, Stream* luck) noexcept nogil
    cdef void carry_out(self, int a, int b, int change, const Touched* touched) noexcept nogil
    cdef void penalize(self, double penalty) noexcept nogil
    cdef void exchange(self, int a, int b) noexcept nogil
    cdef void recolour(self, int exit, int kind) noexcept nogil
