"""Cards that move between places, half seen: see trails.pxd."""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

from cython_core.rng cimport Stream, below, next_number

cdef enum:
    FOREVER = 0x7FFFFFFF
    TOO_MANY = 1 << 20              # a change that is never made
    ODDS_OF_WORSE = 1 << 14         # one in so many steps that make things worse is taken: with
                                    # more, mending drifts among states that are all a little wrong


cdef int grow(void** memory, int* room, int wanted, size_t size) except -1:
    """Room for at least so many."""
    cdef void* more
    if wanted <= room[0]:
        return 0
    more = realloc(memory[0], 2 * wanted * size)
    if more == NULL:
        raise MemoryError
    memory[0], room[0] = more, 2 * wanted
    return 0


cdef inline void touch(Touched* touched, int count, int times) noexcept nogil:
    cdef int i
    for i in range(touched.n):
        if touched.count[i] == count:
            touched.times[i] += times
            return
    if touched.n < MOST_TOUCHED:
        touched.count[touched.n], touched.times[touched.n] = count, times
    touched.n += 1                  # too many are noticed by the caller


cdef inline int grown_by(int surplus, int by) noexcept nogil:
    return abs(surplus + by) - abs(surplus)


cdef extern from "stdlib.h" nogil:
    int abs(int)


cdef class Trails:
    """Which card went where, as one possible story."""

    def __cinit__(self):
        cdef int place
        for place in range(PLACES):
            self.newest[place] = NO_STAY

    def __dealloc__(self):
        free(self.stays)
        free(self.exits)
        free(self.counts)
        free(self.by_place)

    # -- building ---------------------------------------------------------------------------------

    cdef int add_stay(self, int place, int kind) except -1:
        cdef int stay = self.n_stays
        if not 0 <= place < PLACES:
            raise ValueError(f"no place {place}")
        grow(<void**>&self.stays, &self.room_stays, stay + 1, sizeof(Stay))
        self.stays[stay] = Stay(self.now, STILL_THERE, self.n_counts, self.newest[place], place,
                                kind)
        self.newest[place] = stay
        self.n_stays += 1
        self.indexed = False
        return stay

    cdef int add_exit(self, int stay, int onto, int kind) except -1:
        cdef int exit = self.n_exits
        grow(<void**>&self.exits, &self.room_exits, exit + 1, sizeof(Exit))
        self.exits[exit] = Exit(self.now, stay, self.n_counts, onto, kind)
        self.stays[stay].exit = exit
        self.n_exits += 1
        self.indexed = False
        return exit

    cdef int enter(self, int place, int kind) except -1:
        self.now += 1
        return self.add_stay(place, kind)

    cdef int move(self, int source, int target, Stream* luck) except -1:
        cdef int stay = self.pick(source, UNSEEN, luck), onto
        if stay == NO_STAY:
            raise ValueError(f"no card is left at place {source}")
        self.now += 1
        onto = self.add_stay(target, self.stays[stay].kind)
        self.add_exit(stay, onto, UNSEEN)
        return onto

    cdef int leave(self, int place, int kind, Stream* luck) except -1:
        cdef int stay = self.pick(place, kind, luck)
        if stay == NO_STAY:
            stay = self.pick(place, UNSEEN, luck)
            self.wrong += 1
        if stay == NO_STAY:
            raise ValueError(f"no card is left at place {place}")
        self.now += 1
        self.add_exit(stay, NO_STAY, kind)
        return 0

    cdef int count(self, int place, int kinds, const uint8_t* cards) except -1:
        cdef Count* count
        cdef int kind, stay
        grow(<void**>&self.counts, &self.room_counts, self.n_counts + 1, sizeof(Count))
        count = &self.counts[self.n_counts]
        memset(count, 0, sizeof(Count))
        count.place, count.kinds = place, kinds
        stay = self.newest[place]
        while stay != NO_STAY:
            if self.stays[stay].exit == STILL_THERE:
                count.surplus[self.stays[stay].kind] += 1
            stay = self.stays[stay].earlier
        for kind in range(KINDS):
            if kinds >> kind & 1:
                count.surplus[kind] -= cards[kind]
                self.wrong += abs(count.surplus[kind])
        self.n_counts += 1
        return 0

    cdef int present(self, int place) noexcept nogil:
        cdef int stay = self.newest[place], n = 0
        while stay != NO_STAY:
            n += self.stays[stay].exit == STILL_THERE
            stay = self.stays[stay].earlier
        return n

    cdef int pick(self, int place, int kind, Stream* luck) noexcept nogil:
        """A card that is there now, of a kind or of any; NO_STAY if there is none."""
        cdef int stay = self.newest[place], found = NO_STAY, n = 0
        while stay != NO_STAY:
            if (self.stays[stay].exit == STILL_THERE
                    and (kind == UNSEEN or self.stays[stay].kind == kind)):
                n += 1
                if below(luck, n) == 0:         # each of n with the same chance
                    found = stay
            stay = self.stays[stay].earlier
        return found

    # -- exchanging exits -------------------------------------------------------------------------

    cdef bint together(self, int a, int b) noexcept nogil:
        """Whether each of two stays at a place could have taken the other's exit."""
        cdef int x = self.stays[a].exit, y = self.stays[b].exit
        if x == y:
            return False                        # one and the same, or both are still there
        return (self.stays[a].came < (FOREVER if y == STILL_THERE else self.exits[y].left)
                and self.stays[b].came < (FOREVER if x == STILL_THERE else self.exits[x].left))

    cdef int change(self, int a, int b, Touched* touched) noexcept nogil:
        """By how much an exchange of exits would make things worse: what `wrong` would grow by."""
        cdef int x = self.stays[a].exit, y = self.stays[b].exit
        cdef int mine = self.stays[a].kind, other = self.stays[b].kind
        cdef int i, change, first, last, times
        cdef Count* count
        touched.n = 0
        if mine == other:
            return 0
        # Whoever leaves later is there at the counts between.
        first = self.n_counts if x == STILL_THERE else self.exits[x].counts
        last = self.n_counts if y == STILL_THERE else self.exits[y].counts
        times = 1 if first < last else -1       # then a stays on, at b's cost
        for i in range(min(first, last), max(first, last)):
            if self.counts[i].place == self.stays[a].place:
                touch(touched, i, times)
        change = self.follow(x, other, -1, touched) + self.follow(y, mine, 1, touched)
        if touched.n > MOST_TOUCHED:
            return TOO_MANY
        for i in range(touched.n):
            count = &self.counts[touched.count[i]]
            if count.kinds >> mine & 1:
                change += grown_by(count.surplus[mine], touched.times[i])
            if count.kinds >> other & 1:
                change += grown_by(count.surplus[other], -touched.times[i])
        return change

    cdef int follow(self, int exit, int kind, int times, Touched* touched) noexcept nogil:
        """The way of a card from an exit on, if it were of another kind."""
        cdef int i, stay, last
        while exit != STILL_THERE:
            stay = self.exits[exit].onto
            if stay == NO_STAY:
                return ((self.exits[exit].kind != kind)
                        - (self.exits[exit].kind != self.stays[self.exits[exit].stay].kind))
            exit = self.stays[stay].exit
            last = self.n_counts if exit == STILL_THERE else self.exits[exit].counts
            for i in range(self.stays[stay].counts, last):
                if self.counts[i].place == self.stays[stay].place:
                    touch(touched, i, times)
        return 0

    cdef void exchange(self, int a, int b) noexcept nogil:
        cdef int x = self.stays[a].exit, y = self.stays[b].exit
        self.stays[a].exit, self.stays[b].exit = y, x
        if x != STILL_THERE:
            self.exits[x].stay = b
        if y != STILL_THERE:
            self.exits[y].stay = a
        if self.stays[a].kind != self.stays[b].kind:
            self.recolour(x, self.stays[b].kind)
            self.recolour(y, self.stays[a].kind)

    cdef void recolour(self, int exit, int kind) noexcept nogil:
        cdef int stay
        while exit != STILL_THERE:
            stay = self.exits[exit].onto
            if stay == NO_STAY:
                return
            self.stays[stay].kind = kind
            exit = self.stays[stay].exit

    # -- walking ----------------------------------------------------------------------------------

    cdef int index(self) except -1:
        """List the stays by place, those alone at theirs left out: they have no partner."""
        cdef int place, stay
        if self.indexed:
            return 0
        self.by_place = <int32_t*>_checked(realloc(self.by_place,
                                                   (self.n_stays + 1) * sizeof(int32_t)))
        memset(self.members, 0, sizeof(self.members))
        for stay in range(self.n_stays):
            self.members[self.stays[stay].place] += 1
        self.n_by_place = 0
        for place in range(PLACES):
            if self.members[place] < 2:
                continue
            self.first[place] = self.n_by_place
            stay = self.newest[place]
            while stay != NO_STAY:
                self.by_place[self.n_by_place] = stay
                self.n_by_place += 1
                stay = self.stays[stay].earlier
        self.indexed = True
        return 0

    cdef void mix(self, int steps, Stream* luck) noexcept nogil:
        """Try so many exchanges, keeping to possible states."""
        cdef Touched touched
        cdef int step, a, b
        for step in range(steps if self.n_by_place else 0):
            a = self.by_place[below(luck, self.n_by_place)]
            b = self.by_place[self.first[self.stays[a].place]
                              + below(luck, self.members[self.stays[a].place])]
            if self.together(a, b) and self.change(a, b, &touched) == 0:
                self.exchange(a, b)

    cdef bint mend(self, int steps, Stream* luck) except -1:
        """Walk until the state is possible, at most so many steps; whether that came about."""
        cdef Touched touched
        cdef int step, a, b, i, change, mine, other
        self.index()
        for step in range(steps if self.n_by_place else 0):
            if self.wrong == 0:
                return True
            a = self.by_place[below(luck, self.n_by_place)]
            b = self.by_place[self.first[self.stays[a].place]
                              + below(luck, self.members[self.stays[a].place])]
            if not self.together(a, b):
                continue
            change = self.change(a, b, &touched)
            if change > 1 or (change == 1 and below(luck, ODDS_OF_WORSE)):
                continue
            mine, other = self.stays[a].kind, self.stays[b].kind
            for i in range(touched.n):
                self.counts[touched.count[i]].surplus[mine] += touched.times[i]
                self.counts[touched.count[i]].surplus[other] -= touched.times[i]
            self.exchange(a, b)
            self.wrong += change
        return self.wrong == 0

    cdef int become(self, Trails other) except -1:
        """A copy to mix; what `index` makes comes along."""
        grow(<void**>&self.stays, &self.room_stays, other.n_stays, sizeof(Stay))
        grow(<void**>&self.exits, &self.room_exits, other.n_exits, sizeof(Exit))
        grow(<void**>&self.counts, &self.room_counts, other.n_counts, sizeof(Count))
        memcpy(self.stays, other.stays, other.n_stays * sizeof(Stay))
        memcpy(self.exits, other.exits, other.n_exits * sizeof(Exit))
        memcpy(self.counts, other.counts, other.n_counts * sizeof(Count))
        memcpy(self.newest, other.newest, sizeof(self.newest))
        self.n_stays, self.n_exits, self.n_counts = other.n_stays, other.n_exits, other.n_counts
        self.now, self.wrong, self.indexed = other.now, other.wrong, False
        return self.index()


cdef void* _checked(void* memory) except NULL:
    if memory == NULL:
        raise MemoryError
    return memory
