"""Cards that move between places, half seen: see trails.pxd."""

from libc.stdint cimport int32_t, uint8_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

from cython_core.rng cimport Stream, below, next_number

cdef enum:
    FOREVER = 0x7FFFFFFF
    TOO_MANY = 1 << 20              # a change that is never made
    NOTED = 1 << 16                 # no change at an exit, but it is in the list
    ROUNDS = 24                     # before an integer program is asked
    PARTNERS = 24                   # that are looked at for an exchange
    NOISE = 1 << 10                 # one in so many exchanges that make things worse by one is made
    LOOKS = 4                       # one in so many steps looks at what is wrong, others at anything
    PATIENCE = 1 << 7               # steps of the first round, and of others up to 1 << 7 as many
    PATIENCES = 8
    ANY_KIND = -2
    CALIBRATIONS = 16
    GUESS = 8                       # penalty times cards, to begin with
    LOST = 1 << 13                  # steps
    BURN_IN = 4                     # times as many steps as one calibration takes
    AT_REST = 4                     # one in so many steps at least ends in a possible state


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


cdef inline void touch(Touched* touched, int which, int times) noexcept nogil:
    cdef int i
    for i in range(min(touched.n, <int>MOST_TOUCHED)):
        if touched.which[i] == which:
            touched.times[i] += times
            return
    if touched.n < MOST_TOUCHED:
        touched.which[touched.n], touched.times[touched.n] = which, times
    touched.n += 1                  # too many are noticed by the caller


cdef inline double fraction(Stream* luck) noexcept nogil:
    """Evenly from 0 to below 1."""
    return <double>(next_number(luck) >> 11) * 2.0 ** -53


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
        grow(<void**>&self.stays, &self.room_stays, 1, sizeof(Stay))     # none is ever NULL
        grow(<void**>&self.exits, &self.room_exits, 1, sizeof(Exit))
        grow(<void**>&self.counts, &self.room_counts, 1, sizeof(Count))
        grow(<void**>&self.weighs, &self.room_weighs, 1, sizeof(Weigh))
        grow(<void**>&self.here, &self.room_here, 1, sizeof(int32_t))

    def __dealloc__(self):
        free(self.stays)
        free(self.exits)
        free(self.counts)
        free(self.by_place)
        free(self.weighs)
        free(self.here)
        free(self.weigh_at)
        free(self.touched)
        free(self.more)

    # -- building ---------------------------------------------------------------------------------

    cdef int add_stay(self, int place, int kind) except -1:
        cdef int stay = self.n_stays
        if not 0 <= place < PLACES:
            raise ValueError(f"no place {place}")
        grow(<void**>&self.stays, &self.room_stays, stay + 1, sizeof(Stay))
        self.stays[stay] = Stay(self.now, STILL_THERE, self.n_counts, self.weighed[place],
                                self.newest[place], NO_EXIT, place, kind)
        self.newest[place] = stay
        self.n_stays += 1
        self.indexed = False
        return stay

    cdef int add_exit(self, int stay, int onto, int kind) except -1:
        cdef int exit = self.n_exits
        grow(<void**>&self.exits, &self.room_exits, exit + 1, sizeof(Exit))
        self.exits[exit] = Exit(self.now, stay, self.n_counts,
                                self.weighed[self.stays[stay].place], onto, kind)
        self.stays[stay].exit = exit
        if onto != NO_STAY:
            self.stays[onto].entry = exit
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

    cdef int choose(self, int place, int kind, Stream* luck) except -1:
        cdef int stay = self.newest[place], here = 0
        while stay != NO_STAY:
            here += self.stays[stay].exit == STILL_THERE and self.stays[stay].kind == kind
            stay = self.stays[stay].earlier
        grow(<void**>&self.weighs, &self.room_weighs, self.n_weighs + 1, sizeof(Weigh))
        grow(<void**>&self.here, &self.room_here, self.n_weighs + 1, sizeof(int32_t))
        self.weighs[self.n_weighs] = Weigh(place, kind, self.weighed[place])
        self.here[self.n_weighs] = here
        self.n_weighs += 1
        self.weighed[place] += 1
        return self.leave(place, kind, luck)

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
            count = &self.counts[touched.which[i]]
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

    cdef void find_weighs(self, int a, int b) noexcept nogil:
        """The weighed exits at which an exchange makes other cards be there, and how many."""
        cdef int x = self.stays[a].exit, y = self.stays[b].exit, place = self.stays[a].place
        cdef int first = self.weighed[place] if x == STILL_THERE else self.exits[x].weighs
        cdef int last = self.weighed[place] if y == STILL_THERE else self.exits[y].weighs
        self.n_touched = 0
        if first < last:
            self.touch_weighs(place, first, last, 1)
        else:
            self.touch_weighs(place, last, first, -1)
        self.follow_weighs(x, -1)
        self.follow_weighs(y, 1)

    cdef void follow_weighs(self, int exit, int times) noexcept nogil:
        cdef int stay, last
        while exit != STILL_THERE:
            stay = self.exits[exit].onto
            if stay == NO_STAY:
                return
            exit = self.stays[stay].exit
            last = self.weighed[self.stays[stay].place]
            if exit != STILL_THERE:
                last = self.exits[exit].weighs
            self.touch_weighs(self.stays[stay].place, self.stays[stay].weighs, last, times)

    cdef void touch_weighs(self, int place, int first, int last, int times) noexcept nogil:
        cdef int i, weigh
        for i in range(first, last):
            weigh = self.weigh_at[self.first_weigh[place] + i]
            if self.more[weigh] == 0:
                self.touched[self.n_touched] = weigh
                self.n_touched += 1
                self.more[weigh] = NOTED
            self.more[weigh] += times

    cdef inline int changed(self, int weigh, int mine, int other) noexcept nogil:
        """By how many the cards of its kind change at a weighed exit."""
        if self.weighs[weigh].kind == mine:
            return self.more[weigh] - NOTED
        return NOTED - self.more[weigh] if self.weighs[weigh].kind == other else 0

    cdef double odds(self, int mine, int other) noexcept nogil:
        """How much likelier an exchange makes the story."""
        cdef double odds = 1
        cdef int i, weigh, change
        for i in range(self.n_touched):
            weigh = self.touched[i]
            change = self.changed(weigh, mine, other)
            if change:
                odds *= <double>max(1, self.here[weigh]) / max(1, self.here[weigh] + change)
        return odds

    cdef void reweigh(self, int mine, int other, bint exchanged) noexcept nogil:
        """Keep what `find_weighs` found, or forget it."""
        cdef int i, weigh
        for i in range(self.n_touched):
            weigh = self.touched[i]
            if exchanged:
                self.here[weigh] += self.changed(weigh, mine, other)
            self.more[weigh] = 0

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
        return self.index_weighs()

    cdef int index_weighs(self) except -1:
        cdef int place, i, n = 0
        self.weigh_at = <int32_t*>_checked(realloc(self.weigh_at,
                                                   (self.n_weighs + 1) * sizeof(int32_t)))
        self.touched = <int32_t*>_checked(realloc(self.touched,
                                                  (self.n_weighs + 1) * sizeof(int32_t)))
        self.more = <int32_t*>_checked(realloc(self.more, (self.n_weighs + 1) * sizeof(int32_t)))
        memset(self.more, 0, (self.n_weighs + 1) * sizeof(int32_t))
        for place in range(PLACES):
            self.first_weigh[place] = n
            n += self.weighed[place]
        for i in range(self.n_weighs):
            self.weigh_at[self.first_weigh[self.weighs[i].place] + self.weighs[i].order] = i
        return 0

    cdef bint step(self, Stream* luck) noexcept nogil:
        """One proposal: each thing that is wrong makes a story less likely by the factor of the penalty
        (Metropolis et al. 1953). Whether the state is possible afterwards.
        """
        cdef Touched touched
        cdef int a = self.by_place[below(luck, self.n_by_place)]
        cdef int b = self.by_place[self.first[self.stays[a].place]
                                   + below(luck, self.members[self.stays[a].place])]
        cdef int mine, other, change
        cdef double odds
        if not self.together(a, b):
            return self.wrong == 0
        mine, other = self.stays[a].kind, self.stays[b].kind
        if mine == other:
            self.exchange(a, b)
            return self.wrong == 0
        change = self.change(a, b, &touched)
        if abs(change) >= PENALTIES:            # neither there nor back
            return self.wrong == 0
        odds = self.penalties[change] if change >= 0 else 1 / self.penalties[-change]
        if self.n_weighs:
            self.find_weighs(a, b)
            odds *= self.odds(mine, other)
        if odds >= 1 or fraction(luck) < odds:
            self.carry_out(a, b, change, &touched)
        elif self.n_weighs:
            self.reweigh(mine, other, False)
        return self.wrong == 0

    cdef void carry_out(self, int a, int b, int change, const Touched* touched) noexcept nogil:
        """An exchange of two kinds, and all that is kept of counts and weights."""
        cdef int i, mine = self.stays[a].kind, other = self.stays[b].kind
        if self.n_weighs:
            self.reweigh(mine, other, True)
        for i in range(touched.n):
            self.counts[touched.which[i]].surplus[mine] += touched.times[i]
            self.counts[touched.which[i]].surplus[other] -= touched.times[i]
        self.exchange(a, b)
        self.wrong += change

    cdef void walk(self, int steps, Trails home, Stream* luck) noexcept nogil:
        """Walk until so many steps have ended in a possible state; back to `home`, a copy in one, when
        the walk is lost.

        Counted like this, what is found where it ends is as likely as it should be if that is so
        of where it begins (the chain watched on a subset: Kemeny and Snell 1960, section 6.1).
        """
        cdef int away = 0                       # steps since the last possible state
        while steps > 0 and self.n_by_place:
            if self.step(luck):
                steps -= 1
                away = 0
            else:
                away += 1
                if away == LOST:
                    self.restore(home)
                    away = 0
                    steps -= 1

    cdef void restore(self, Trails other) noexcept nogil:
        """Become what the same trails were at another time."""
        memcpy(self.stays, other.stays, self.n_stays * sizeof(Stay))
        memcpy(self.exits, other.exits, self.n_exits * sizeof(Exit))
        memcpy(self.counts, other.counts, self.n_counts * sizeof(Count))
        memcpy(self.here, other.here, self.n_weighs * sizeof(int32_t))
        self.wrong = other.wrong

    cdef int calibrate(self, int steps, Stream* luck) except -1:
        """Choose the penalty: mild, for harsh ones part what is possible into regions between which no
        way leads, but such that a good part of all steps end in possible states. Then walk so far
        that where it began is forgotten.
        """
        cdef double penalty = min(0.5, <double>GUESS / max(1, self.n_by_place))
        cdef int round, i, possible = 0
        cdef Trails first
        if self.wrong:
            raise ValueError("only a possible state can be walked from")
        if self.n_by_place == 0:
            return 0
        first = Trails()
        first.become(self)
        for round in range(CALIBRATIONS):
            self.penalize(penalty)
            possible = 0
            for i in range(2 * steps):
                possible += self.step(luck) and i >= steps      # once it has left where it began
            if possible * AT_REST >= steps:
                break
            penalty /= 2
            self.restore(first)
        if possible * AT_REST < steps:
            raise ValueError("no penalty keeps the walk among possible states")
        if self.wrong:
            self.restore(first)
        self.walk(BURN_IN * steps, first, luck)
        return 0

    cdef void penalize(self, double penalty) noexcept nogil:
        cdef int i
        self.penalties[0] = 1
        for i in range(1, PENALTIES):
            self.penalties[i] = self.penalties[i - 1] * penalty

    # -- mending ----------------------------------------------------------------------------------
    # A walk that looks at what is wrong, in the manner of Selman, Kautz and Cohen (1994): it picks
    # something wrong, and a card whose kind would have to be another one for it; that card, here
    # or at an earlier place, exchanges exits with one of such a kind, which may put right one thing
    # or move it on. Unlike theirs most steps look at anything, and few make things worse.

    cdef bint mend(self, Stream* luck) except -1:
        """Each round begins anew: what is wrong is so at first where the latest thing was seen, and can
        mostly be put right near there, while a long walk loses it in the past.
        """
        cdef Trails backup
        cdef int round
        if self.wrong == 0:
            return True
        self.index()
        backup = Trails()
        backup.become(self)
        for round in range(ROUNDS):
            if self.mend_once(PATIENCE << round % PATIENCES, luck):
                return True
            self.restore(backup)
        return self.solve(luck)

    cdef bint mend_once(self, int steps, Stream* luck) noexcept nogil:
        cdef Wish wish
        while self.wrong and steps > 0 and self.n_by_place:
            if steps % LOOKS:
                wish = Wish(self.by_place[below(luck, self.n_by_place)], ANY_KIND)
            else:
                wish = self.wish(self.find_wrong(luck), luck)
            self.try_exchange(wish, luck)
            steps -= 1
        return self.wrong == 0

    cdef bint try_exchange(self, Wish wish, Stream* luck) noexcept nogil:
        """One exchange, if a good one is found; whether it was made."""
        cdef Touched touched
        cdef int partner, change
        while (wish.stay != NO_STAY and self.stays[wish.stay].entry != NO_EXIT
                and below(luck, 2)):
            wish.stay = self.exits[self.stays[wish.stay].entry].stay
        partner = self.partner_for(wish, luck)
        if partner == NO_STAY:
            return False
        change = self.change(wish.stay, partner, &touched)
        if change > 1 or (change == 1 and below(luck, NOISE)):
            return False
        if self.stays[wish.stay].kind == self.stays[partner].kind:
            self.exchange(wish.stay, partner)
            return True
        if self.n_weighs:
            self.find_weighs(wish.stay, partner)
        self.carry_out(wish.stay, partner, change, &touched)
        return True

    cdef int find_wrong(self, Stream* luck) noexcept nogil:
        """An exit that took a card of another kind, or after all exits a count that is not right."""
        cdef int n = self.n_exits + self.n_counts, i, kind, at = below(luck, n)
        cdef const Exit* exit
        for i in range(n):
            if at < self.n_exits:
                exit = &self.exits[at]
                if exit.kind != UNSEEN and exit.kind != self.stays[exit.stay].kind:
                    return at
            else:
                for kind in range(KINDS):
                    if (self.counts[at - self.n_exits].kinds >> kind & 1
                            and self.counts[at - self.n_exits].surplus[kind]):
                        return at
            at += 1
            if at == n:
                at = 0
        return 0                                # nothing is wrong

    cdef Wish wish(self, int wrong, Stream* luck) noexcept nogil:
        if wrong < self.n_exits:
            return Wish(self.exits[wrong].stay, self.exits[wrong].kind)
        return self.wish_at_count(wrong - self.n_exits, luck)

    cdef Wish wish_at_count(self, int count, Stream* luck) noexcept nogil:
        """A card of a kind of which there are too many should be of one of which there are too few."""
        cdef const Count* c = &self.counts[count]
        cdef int kind, many = UNSEEN, few = UNSEEN
        for kind in range(KINDS):
            if c.kinds >> kind & 1 and c.surplus[kind] > 0 and (many == UNSEEN or below(luck, 2)):
                many = kind
            elif c.kinds >> kind & 1 and c.surplus[kind] < 0 and (few == UNSEEN or below(luck, 2)):
                few = kind
        if many != UNSEEN:
            return Wish(self.somebody_at(count, many, True, luck), few)
        return Wish(self.somebody_at(count, few, False, luck), few)

    cdef int somebody_at(self, int count, int kind, bint of_kind, Stream* luck) noexcept nogil:
        """A card that was there at a count, of a kind or of any other."""
        cdef int stay = self.newest[self.counts[count].place], found = NO_STAY, n = 0, exit
        while stay != NO_STAY:
            exit = self.stays[stay].exit
            if (self.stays[stay].counts <= count
                    and (exit == STILL_THERE or self.exits[exit].counts > count)
                    and (self.stays[stay].kind == kind) == of_kind):
                n += 1
                if below(luck, n) == 0:
                    found = stay
            stay = self.stays[stay].earlier
        return found

    cdef int partner_for(self, Wish wish, Stream* luck) noexcept nogil:
        """A card of the wanted kind at the same place, at a time that both were there."""
        cdef int place, partner
        if wish.stay == NO_STAY:
            return NO_STAY
        place = self.stays[wish.stay].place
        for _ in range(PARTNERS if self.members[place] > 1 else 0):
            partner = self.by_place[self.first[place] + below(luck, self.members[place])]
            if wish.kind == ANY_KIND:
                pass
            elif wish.kind == UNSEEN:
                if self.stays[partner].kind == self.stays[wish.stay].kind:
                    continue
            elif self.stays[partner].kind != wish.kind:
                continue
            if self.together(wish.stay, partner):
                return partner
        return NO_STAY

    # -- solving ----------------------------------------------------------------------------------
    # Where walking finds nothing, an integer program tells whether there is anything to be found: its
    # unknowns are the kinds of cards that moved unseen, and how many of each kind lie at every
    # place after every event; none of these may be less than 0.

    cdef bint solve(self, Stream* luck) except -1:
        """Find a possible state, if there is one; if not, that is proved."""
        cdef int exit, kind
        kinds = [kind for kind in range(KINDS)
                 if any([self.stays[stay].entry == NO_EXIT and self.stays[stay].kind == kind
                         for stay in range(self.n_stays)])]
        program = _Program(kinds)
        for place in range(PLACES):
            if self.newest[place] != NO_STAY:
                self.describe(place, program)
        chosen = program.solved(below(luck, 1 << 30))
        if chosen is None:
            return False
        for exit, kind in chosen.items():
            self.stays[self.exits[exit].onto].kind = kind
        for place in range(PLACES):
            if self.newest[place] != NO_STAY:
                self.match(place)
        for i in range(self.n_counts):
            memset(self.counts[i].surplus, 0, sizeof(self.counts[i].surplus))
        self.wrong = 0
        return True

    cdef list events(self, int place):
        """What came and went at a place, in order of time: (when, stay or None, exit or None)."""
        cdef int stay = self.newest[place], exit
        events = []
        while stay != NO_STAY:
            events.append((self.stays[stay].came, stay, None))
            exit = self.stays[stay].exit
            if exit != STILL_THERE:
                events.append((self.exits[exit].left, None, exit))
            stay = self.stays[stay].earlier
        return sorted(events, key=_when)

    cdef int describe(self, int place, object program) except -1:
        """Give the program the events and counts of a place."""
        cdef int count = 0, kind
        program.begin()
        for _, stay, exit in self.events(place):
            before = self.stays[<int>stay].counts if exit is None else self.exits[<int>exit].counts
            while count < before:
                self.describe_count(place, count, program)
                count += 1
            if exit is None:
                if self.stays[<int>stay].entry == NO_EXIT:
                    program.known(self.stays[<int>stay].kind, 1)
                else:
                    program.unknown(self.stays[<int>stay].entry, 1)
            elif self.exits[<int>exit].onto == NO_STAY:
                program.known(self.exits[<int>exit].kind, -1)
            else:
                program.unknown(exit, -1)
        for count in range(count, self.n_counts):
            self.describe_count(place, count, program)
        return 0

    cdef int describe_count(self, int place, int count, object program) except -1:
        cdef int kind, stay, exit, there
        if self.counts[count].place != place:
            return 0
        for kind in range(KINDS):
            if self.counts[count].kinds >> kind & 1:
                there = -self.counts[count].surplus[kind]
                stay = self.newest[place]
                while stay != NO_STAY:
                    exit = self.stays[stay].exit
                    there += (self.stays[stay].kind == kind and self.stays[stay].counts <= count
                              and (exit == STILL_THERE or self.exits[exit].counts > count))
                    stay = self.stays[stay].earlier
                program.counted(kind, there)
        return 0

    cdef int match(self, int place) except -1:
        """Let every exit take the first card of its kind that is there."""
        cdef int kind, stay
        there = [[] for _ in range(KINDS)]
        weighs = [i for i in range(self.n_weighs) if self.weighs[i].place == place]
        passed = 0
        for _, came, exit in self.events(place):
            if exit is None:
                there[self.stays[<int>came].kind].append(came)
                continue
            kind = self.exits[<int>exit].kind
            if kind == UNSEEN:
                kind = self.stays[self.exits[<int>exit].onto].kind
            for weigh in weighs[passed:self.exits[<int>exit].weighs]:   # its own, or none
                self.here[<int>weigh] = len(there[kind])
            passed = self.exits[<int>exit].weighs
            left_stay = there[kind].pop(0)
            self.exits[<int>exit].stay = left_stay
            self.stays[<int>left_stay].exit = exit
        for kind in range(KINDS):
            for stay in there[kind]:
                self.stays[stay].exit = STILL_THERE
        return 0

    cdef int become(self, Trails other) except -1:
        """A copy, indexed."""
        grow(<void**>&self.stays, &self.room_stays, other.n_stays, sizeof(Stay))
        grow(<void**>&self.exits, &self.room_exits, other.n_exits, sizeof(Exit))
        grow(<void**>&self.counts, &self.room_counts, other.n_counts, sizeof(Count))
        memcpy(self.stays, other.stays, other.n_stays * sizeof(Stay))
        memcpy(self.exits, other.exits, other.n_exits * sizeof(Exit))
        memcpy(self.counts, other.counts, other.n_counts * sizeof(Count))
        memcpy(self.newest, other.newest, sizeof(self.newest))
        grow(<void**>&self.weighs, &self.room_weighs, other.n_weighs, sizeof(Weigh))
        grow(<void**>&self.here, &self.room_here, other.n_weighs, sizeof(int32_t))
        memcpy(self.weighs, other.weighs, other.n_weighs * sizeof(Weigh))
        memcpy(self.here, other.here, other.n_weighs * sizeof(int32_t))
        memcpy(self.weighed, other.weighed, sizeof(self.weighed))
        self.n_weighs = other.n_weighs
        self.n_stays, self.n_exits, self.n_counts = other.n_stays, other.n_exits, other.n_counts
        self.now, self.wrong, self.indexed = other.now, other.wrong, False
        return self.index()


cdef void* _checked(void* memory) except NULL:
    if memory == NULL:
        raise MemoryError
    return memory


def _when(event):
    return event[0]


_SECONDS = 30   # for a program to be solved


class _Program:
    """An integer program: numbers of cards by place and kind, and kinds of unseen moves."""

    def __init__(self, kinds):
        self.kinds = kinds
        self.move = {}          # first of the unknowns of a move, one a kind: 0 or 1
        self.size = 0           # unknowns
        self.rows = []          # (coefficients by unknown, sum)
        self.there = {}         # unknown that tells how many there are now, by kind

    def begin(self):
        """At the next place, where nothing is yet."""
        self.there = dict.fromkeys(self.kinds)

    def known(self, kind, change):
        if kind in self.there:
            self.become(kind, {}, change)
        else:
            self.rows.append(({}, 1))       # a kind that no card is of: impossible

    def unknown(self, exit, change):
        first = self.move.get(exit)
        if first is None:
            first = self.move[exit] = self.size
            self.size += len(self.kinds)
            self.rows.append(({first + i: 1 for i in range(len(self.kinds))}, 1))
        for i, kind in enumerate(self.kinds):
            self.become(kind, {first + i: -change}, 0)

    def become(self, kind, row, change):
        """A new number of cards: the one before, and the change; what moved stands in the row."""
        row[self.size] = 1
        if self.there[kind] is not None:
            row[self.there[kind]] = -1
        self.rows.append((row, change))
        self.there[kind] = self.size
        self.size += 1

    def counted(self, kind, cards):
        if kind in self.there and self.there[kind] is not None:
            self.rows.append(({self.there[kind]: 1}, cards))
        elif cards:
            self.rows.append(({}, 1))       # impossible

    def solved(self, seed):
        """{exit: kind}, one of the solutions; None if there is none."""
        import numpy as np
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csr_array

        if any(not row and cards for row, cards in self.rows):
            return None
        data = [(i, unknown, x) for i, (row, _) in enumerate(self.rows) for unknown, x in row.items()]
        i, j, x = zip(*data)
        sums = np.array([cards for _, cards in self.rows], float)
        matrix = csr_array((x, (i, j)), shape=(len(self.rows), self.size))
        most, integral = np.full(self.size, np.inf), np.zeros(self.size)
        for first in self.move.values():
            most[first:first + len(self.kinds)] = 1
            integral[first:first + len(self.kinds)] = 1
        liking = np.random.default_rng(seed).random(self.size) * integral
        found = milp(liking, integrality=integral, bounds=Bounds(0, most),
                     constraints=LinearConstraint(matrix, sums, sums), options={"mip_rel_gap": 1.0, "time_limit": _SECONDS})
        if found.x is None:
            return None
        return {exit: self.kinds[int(np.argmax(found.x[first:first + len(self.kinds)]))]
                for exit, first in self.move.items()}
