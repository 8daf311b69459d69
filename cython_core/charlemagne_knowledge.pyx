"""Charlemagne: what one seat knows, and states it cannot rule out: see charlemagne_knowledge.pxd."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from cython_core.charlemagne cimport told
from cython_core.charlemagne_labels cimport (
    FOUND, NOTHING, SHOWN, UNSAID, is_draw, item_of, label_of, lowest, members, size_of,
)
from cython_core.charlemagne_table cimport *
from cython_core.errors import IllegalMove
from cython_core.game cimport Game
from cython_core.rng cimport Stream, below
from cython_core.trails cimport STILL_THERE, Stay

cdef enum:
    ALL_KINDS = (1 << KINDS) - 1
    INCOME_BASE = 3             # an outcome of `income` has one digit a kind


cdef int[KINDS] INCOME_DIGIT = [1, 3, 9, 27]


cdef class Knowledge:
    """What a seat has learned since the start of a game, or since a table with an unknown past.

    `start`: a game before its first piece; or a table on which the viewer's storage and hand and
    everything public is right, with `hidden`, the pieces of all other storages and of the stock
    together by kind; `known`, what is known of the storages [seats, kinds]; and `known_cards`, what
    is known of hands, sets of cards by seat. After an error it must not be used any more.
    """

    def __cinit__(self, Charlemagne start not None, int viewer, hidden=None, known=None,
                  known_cards=None):
        self.puppet = start.copy(False)
        self.begin_with(self.puppet, viewer, hidden is None)
        self.drawn = []
        for card in range(CARDS):
            self.owner[card] = -1
        self.begin(hidden, known, known_cards)

    cdef int begin(self, object hidden, object known, object known_cards) except -1:
        cdef Table* t = &self.puppet.table
        cdef int kind, seat, place, size
        for kind in range(KINDS):
            self.enter(STOCK if hidden is None else HEAP, kind,
                       t.stock.count[kind] if hidden is None else hidden[kind])
        if hidden is None:
            return 0
        for seat in range(t.numbers.players):
            self.known[seat] = known_cards[seat]
            self.unknown[seat] = members(t.hand[seat] & ~self.known[seat])
            self.seen |= self.known[seat]
        self.unknown[self.viewer] = 0
        self.seen |= t.hand[self.viewer] | t.solved | (<uint32_t>1 << t.card)
        for place in range(t.numbers.players):
            if place == self.viewer:
                continue
            size = size_of(&t.storage[place])
            for kind in range(KINDS):
                self.choose(HEAP, kind, known[place][kind])
                self.enter(place, kind, known[place][kind])
                size -= known[place][kind]
            for _ in range(size):
                self.trails.move(HEAP, place, &self.luck)
        for _ in range(size_of(&t.stock)):
            self.trails.move(HEAP, STOCK, &self.luck)
        if not self.trails.mend(&self.luck):
            raise IllegalMove("there are not so many pieces as are known to be in storages")
        return 0

    # -- one label --------------------------------------------------------------------------------

    cdef int learn(self, const Label* label) except -1:
        """Raises IllegalMove if that cannot have happened, whatever is hidden."""
        cdef Table* t = &self.puppet.table
        cdef Table before
        cdef int edge = label.edge
        self.check(label)
        self.arrange(label)
        if edge < 0:
            edge = self.stand_in()
        elif not self.possible(edge):
            raise IllegalMove("that is not possible here, whatever is hidden")
        before = t[0]
        self.story.append(edge)
        if is_draw(t.step):
            self.explain_draw(label)
        elif t.step == CARD:
            self.explain_card(label)
        elif t.step == INCOME:
            self.explain_income(edge)
        self.puppet.apply(edge)
        if before.step >= LEAD:
            self.explain_decision(&before, label)
        if not is_draw(t.step) or t.kind == t.numbers.first_kind:
            self.drawn = []             # no draw goes on
        return self.conclude(told(label))

    cdef int check(self, const Label* label) except -1:
        """Whether it tells just what this seat learns."""
        cdef const Table* t = &self.puppet.table
        cdef int target = label.edge - BRIBE_MOVES
        cdef bint bribes = t.step == RULE and BRIBE_MOVES <= label.edge < END_MOVE
        if self.sees(label.edge) != (label.edge >= 0):
            raise IllegalMove(f"seat {self.viewer} "
                              + ("does not see what this is" if label.edge >= 0
                                 else "sees what this is"))
        if bribes != (label.found != UNSAID) and t.step != FARMSTEAD:
            raise IllegalMove("what a bribe has found is told, as in 'bribe @1 = k' or"
                              " 'bribe @1 = -', and only then")
        if bribes and label.found != FOUND and (label.found == SHOWN) != (t.seat == self.viewer):
            raise IllegalMove("the storage, as in 'bribe @1 = - (bbrs)', is told to the briber,"
                              " and to nobody else")
        if t.step == FARMSTEAD and label.found != UNSAID and label.found != NOTHING:
            raise IllegalMove("a call finds nothing, as in 'farmstead b = -', or is not told of")
        if bribes and target < t.numbers.players and target == self.viewer:
            if (label.found == FOUND) != (t.storage[target].count[KNIGHT] > 0):
                raise IllegalMove("that is not so in one's own storage")
        return 0

    cdef bint sees(self, int edge) noexcept:
        cdef const Table* t = &self.puppet.table
        if is_draw(t.step):
            return t.seat == self.viewer or (t.step == ALMS and t.donor == self.viewer)
        if t.step == CARD:
            return edge == self.viewer      # of a card one sees only that one gets it
        return True

    cdef int stand_in(self) except -1:
        """An edge that the viewer does not see: any, all look the same."""
        cdef const Table* t = &self.puppet.table
        cdef int32_t[MOST_EDGES] edges, weight
        cdef int i, n = self.puppet.chance(edges, weight)
        for i in range(n):
            if t.step != CARD or edges[i] != self.viewer:
                return edges[i]
        raise IllegalMove(f"only seat {self.viewer} has room for that card")

    # -- laying out the puppet --------------------------------------------------------------------

    cdef int arrange(self, const Label* label) except -1:
        cdef Table* t = &self.puppet.table
        cdef int first, rest, size
        if is_draw(t.step):
            return self.arrange_draw(label)
        if t.step == INCOME:
            return self.arrange_income(label.edge)
        if t.step == FARMSTEAD and KIND_MOVES <= label.edge < KIND_MOVES + KINDS:
            first = label.edge - KIND_MOVES
            rest = first if label.found == UNSAID else (first + 1) % KINDS
            size = size_of(&t.stock)
            lay(&t.stock, rest, size, rest)
            return 0
        if t.step == RULE and BRIBE_MOVES <= label.edge < BRIBE_MOVES + t.numbers.players:
            self.arrange_bribed(label, label.edge - BRIBE_MOVES)
        if t.step == LEAD or t.step == CHANGE:
            return self.arrange_hand(label.edge)
        if t.step == CARD or t.seat == self.viewer:
            return 0
        size = size_of(&t.storage[t.seat])
        for first in range(KINDS):
            for rest in range(KINDS):
                lay(&t.storage[t.seat], first, size, rest)
                if self.possible(label.edge):
                    return 0
        return 0

    cdef int arrange_draw(self, const Label* label) except -1:
        """As many of the kind as were drawn, and all others of the last kind."""
        cdef Table* t = &self.puppet.table
        cdef Pile* pool = &t.storage[t.donor] if t.step == ALMS else &t.stock
        cdef int size = size_of(pool), drawn = max(0, label.edge)
        if t.step == ALMS and t.donor == self.viewer:
            return 0                    # one's own storage is known
        if drawn > size:
            raise IllegalMove("there are not so many pieces")
        lay(pool, t.numbers.last_kind, size, t.numbers.last_kind)
        pool.count[t.numbers.last_kind] -= drawn
        pool.count[t.kind] += drawn
        return 0

    cdef int arrange_income(self, int outcome) except -1:
        """A stock that gives just this."""
        cdef Table* t = &self.puppet.table
        cdef int kind, rest = -1, size = size_of(&t.stock), given
        cdef Pile stock
        for kind in range(KINDS):
            given = outcome // INCOME_DIGIT[kind] % INCOME_BASE
            stock.count[kind] = given
            size -= given
            if given == t.privileges[t.seat].count[kind] and t.numbers.pieces.count[kind]:
                rest = kind
        if size < 0 or (size > 0 and rest < 0):
            raise IllegalMove("the stock has another number of pieces")
        if rest >= 0:
            stock.count[rest] += size
        t.stock = stock
        return 0

    cdef int arrange_hand(self, int card) except -1:
        """The right number of cards, that one among them."""
        cdef Table* t = &self.puppet.table
        cdef uint32_t bit = <uint32_t>1 << card if card < CARDS else 0, hand = 0
        cdef int seat = t.seat, size = self.unknown[seat] + members(self.known[seat]), i
        if seat == self.viewer:
            return 0
        if bit and not self.known[seat] & bit and (
                self.seen & bit or not t.numbers.cards & bit or self.unknown[seat] == 0):
            raise IllegalMove(f"seat {seat} cannot have that card")
        if bit:
            hand = bit
        for i in range(CARDS):
            if members(hand) < size and i != t.card:
                hand |= <uint32_t>1 << i
        t.hand[seat] = hand
        return 0

    cdef int arrange_bribed(self, const Label* label, int target) except -1:
        cdef Table* t = &self.puppet.table
        cdef int size = size_of(&t.storage[target])
        if target == self.viewer:
            return 0
        if label.found == SHOWN:
            if size_of(&label.shown) != size:
                raise IllegalMove(f"seat {target} has {size} pieces, not {size_of(&label.shown)}")
            if label.shown.count[KNIGHT]:
                raise IllegalMove("a storage with a Knight is not shown")
            t.storage[target] = label.shown
        elif label.found == FOUND:
            lay(&t.storage[target], KNIGHT, size, BARLEY)
        else:
            lay(&t.storage[target], BARLEY, size, BARLEY)
        return 0

    # -- what it means for pieces and cards -------------------------------------------------------

    cdef int explain_draw(self, const Label* label) except -1:
        """All pieces of a draw are put on trail with its first node; what is told of their kinds, kind
        after kind, is told of pieces that are drawn already.
        """
        cdef const Table* t = &self.puppet.table
        cdef int place = t.donor if t.step == ALMS else STOCK
        cdef bint first = t.kind == t.numbers.first_kind
        if label.edge < 0:
            if first:
                self.drawn = [self.trails.move(place, t.seat, &self.luck) for _ in range(t.due)]
            self.hide((t.step, t.kind, self.drawn))
        elif place == self.viewer:
            self.enter(t.seat, t.kind, label.edge)
            if self.next_kind(t.kind) == t.numbers.last_kind:
                self.enter(t.seat, t.numbers.last_kind, t.due - label.edge)
        else:
            if first:
                for _ in range(t.due):
                    self.trails.move(place, DRAWN_HERE, &self.luck)
            self.draw_seen(t.kind, label.edge)
            if self.next_kind(t.kind) == t.numbers.last_kind:
                self.draw_seen(t.numbers.last_kind, t.due - label.edge)
        return 0

    cdef int next_kind(self, int kind) noexcept:
        """The kind in play that comes after this one."""
        kind += 1
        while self.puppet.table.numbers.pieces.count[kind] == 0:
            kind += 1
        return kind

    cdef int draw_seen(self, int kind, int pieces) except -1:
        """So many of those that the viewer draws are of a kind, and no more."""
        cdef Pile nothing
        memset(&nothing, 0, sizeof(Pile))
        self.choose(DRAWN_HERE, kind, pieces)
        return self.count(DRAWN_HERE, 1 << kind, &nothing)

    cdef int explain_card(self, const Label* label) except -1:
        cdef const Table* t = &self.puppet.table
        cdef int card = lowest(t.undealt), seat
        if label.edge >= 0:
            self.owner[card] = self.viewer
            self.seen |= <uint32_t>1 << card
        else:
            self.hide((CARD, card, None))
        if members(t.undealt) == 1:
            for seat in range(t.numbers.players):
                self.unknown[seat] = 0 if seat == self.viewer else t.numbers.hand
        return 0

    cdef int explain_income(self, int outcome) except -1:
        cdef const Table* t = &self.puppet.table
        cdef Pile nothing
        cdef int kind, given
        memset(&nothing, 0, sizeof(Pile))
        for kind in range(KINDS):
            given = outcome // INCOME_DIGIT[kind] % INCOME_BASE
            self.choose(STOCK, kind, given)
            if t.seat != self.viewer:
                self.enter(t.seat, kind, given)
            if given < t.privileges[t.seat].count[kind]:
                self.count(STOCK, 1 << kind, &nothing)
        return 0

    cdef int explain_decision(self, const Table* before, const Label* label) except -1:
        cdef const Table* t = &self.puppet.table
        cdef int seat, edge = label.edge, target = edge - BRIBE_MOVES
        cdef Pile nothing
        memset(&nothing, 0, sizeof(Pile))
        for seat in range(t.numbers.players):
            if seat != self.viewer:
                self.follow(seat, &before.storage[seat], &t.storage[seat])
        self.follow(STOCK, &before.stock, &t.stock)
        if before.step == FARMSTEAD and label.found == NOTHING:
            self.count(STOCK, 1 << (edge - KIND_MOVES), &nothing)
        elif before.step == RULE and BRIBE_MOVES <= edge < END_MOVE and target != self.viewer:
            if label.found == SHOWN:
                self.count(target, ALL_KINDS, &label.shown)
            elif label.found == NOTHING:
                self.count(target, 1 << KNIGHT, &nothing)
        elif before.step == LEAD:
            self.explain_played(before.seat, edge, -1)
        elif before.step == CHANGE and edge != PASS_MOVE:
            self.explain_played(before.seat, edge, before.card)
        return 0

    cdef int explain_played(self, int seat, int card, int replaced) except -1:
        """A card laid on the table, and one taken from there."""
        cdef uint32_t bit = <uint32_t>1 << card
        if self.known[seat] & bit:
            self.known[seat] &= ~bit
        elif seat != self.viewer:
            self.unknown[seat] -= 1
            self.owner[card] = seat
            self.seen |= bit
        if replaced >= 0 and seat != self.viewer:
            self.known[seat] |= <uint32_t>1 << replaced
        return 0

    cdef int follow(self, int place, const Pile* before, const Pile* after) except -1:
        """Pieces that everybody saw come and go."""
        cdef int kind, change
        for kind in range(KINDS):
            change = after.count[kind] - before.count[kind]
            if change < 0:
                self.choose(place, kind, -change)
            else:
                self.enter(place, kind, change)
        return 0

    cdef int choose(self, int place, int kind, int pieces) except -1:
        """Of a kind that somebody chose, or that a rule names."""
        for _ in range(pieces):
            if self.trails.present(place) == 0:
                raise IllegalMove("there are not so many pieces")
            self.trails.choose(place, kind, &self.luck)
        return 0

    cdef int count(self, int place, int kinds, const Pile* pieces) except -1:
        cdef uint8_t[8] counts
        memset(counts, 0, sizeof(counts))
        memcpy(counts, pieces.count, KINDS)
        return self.trails.count(place, kinds, counts)

    def tell(self, kind, int seat, item, edge, found, shown):
        """One label, as `Charlemagne.label` gives it. Raises IllegalMove if it cannot be.

        After an error this object must not be used any more.
        """
        cdef Label label
        cdef int now = item_of(&self.puppet.table)
        self.expect(kind, seat)
        if item is not None and item != now:
            raise IllegalMove("another kind, or another card, comes before that")
        memset(&label, 0, sizeof(Label))
        label.what, label.seat, label.item = self.puppet.table.step, seat, now
        label.edge = -1 if edge is None else edge
        label.found = UNSAID if found is None else FOUND if found else NOTHING
        if shown is not None:
            if label.found != NOTHING:
                raise IllegalMove("a storage is shown only where no Knight was found")
            label.found = SHOWN
            for i in range(KINDS):
                label.shown.count[i] = shown[i]
        self.learn(&label)

    def sampler(self, uint64_t seed=0):
        """What makes states that the seat cannot rule out; one for each thread."""
        return CharlemagneSampler(self, seed)


cdef inline void lay(Pile* pile, int first, int size, int rest) noexcept nogil:
    """One piece of a kind, and all the others of another."""
    memset(pile, 0, sizeof(Pile))
    if size > 0:
        pile.count[rest] = size - 1
        pile.count[first] += 1


def knowledge(Charlemagne start not None, edges, int viewer):
    """What a seat knows after moves and outcomes from the start of a game on.

    Of these only the labels are looked at, so nothing that the seat did not see comes in.
    """
    cdef Knowledge known = Knowledge(start, viewer)
    cdef Charlemagne state = start.copy(False)
    cdef Label label
    cdef int edge
    for edge in edges:
        label = label_of(&state.table, edge, viewer)
        known.learn(&label)
        state.play(edge)
    return known


def labels(Charlemagne start not None, edges, int viewer):
    """The labels that such knowledge is made of, as `Charlemagne.label` gives them."""
    cdef Charlemagne state = start.copy(False)
    cdef Label label
    cdef int edge
    found = []
    for edge in edges:
        label = label_of(&state.table, edge, viewer)
        found.append(told(&label))
        state.play(edge)
    return found


# -- sampling -------------------------------------------------------------------------------------

cdef class CharlemagneSampler(TrailSampler):
    """States that a seat cannot rule out, by the probabilities of chance alone (RULES.md, Knowledge).

    The same knowledge and seed give the same states. Raises ValueError for a game that is over.
    """

    def __cinit__(self, Knowledge knowledge not None, uint64_t seed=0):
        cdef int i
        self.knowledge = knowledge
        self.n_drawn = len(knowledge.drawn)
        self.drawn = <int*>malloc((self.n_drawn + 1) * sizeof(int))
        if self.drawn == NULL:
            raise MemoryError
        for i in range(self.n_drawn):
            self.drawn[i] = knowledge.drawn[i]
        self.start_walk(knowledge, seed)

    def __dealloc__(self):
        free(self.drawn)

    cdef void lay_out(self, Game into, Stream* luck) noexcept nogil:
        """Put every piece where the story left it, and deal the cards that are hidden."""
        cdef Table* t = &(<Charlemagne>into).table
        cdef const Stay* stay
        cdef int i
        memset(&t.stock, 0, sizeof(Pile))
        for i in range(t.numbers.players):
            if i != self.knowledge.viewer:
                memset(&t.storage[i], 0, sizeof(Pile))
        for i in range(self.trails.n_stays):
            stay = &self.trails.stays[i]
            if stay.exit == STILL_THERE:
                if stay.place == STOCK or (stay.place == DRAWN_HERE and t.step != ALMS):
                    t.stock.count[stay.kind] += 1
                elif stay.place == DRAWN_HERE:      # not told yet, so still with the donor
                    t.storage[t.donor].count[stay.kind] += 1
                else:
                    t.storage[stay.place].count[stay.kind] += 1
        if self.n_drawn:
            self.undo_draw(t)
        if t.undealt:
            self.deal_some(t, luck)
        else:
            self.deal(t, luck)

    cdef void undo_draw(self, Table* t) noexcept nogil:
        """Of a hidden draw that goes on, what has not come yet is still where it comes from."""
        cdef Pile* pool = &t.storage[t.donor] if t.step == ALMS else &t.stock
        cdef int i, kind
        t.due = 0
        for i in range(self.n_drawn):
            kind = self.trails.stays[self.drawn[i]].kind
            if kind >= t.kind:
                t.storage[t.seat].count[kind] -= 1
                pool.count[kind] += 1
                t.due += 1

    cdef void deal(self, Table* t, Stream* luck) noexcept nogil:
        """Hidden cards to where there is room for them."""
        cdef uint32_t pool = t.numbers.cards & ~self.knowledge.seen
        cdef int[CARDS] cards
        cdef int seat, n = 0, i
        while pool:
            cards[n] = lowest(pool)
            pool &= pool - 1
            n += 1
        for seat in range(t.numbers.players):
            if seat != self.knowledge.viewer:
                t.hand[seat] = self.knowledge.known[seat]
                for _ in range(self.knowledge.unknown[seat]):
                    i = below(luck, n)
                    t.hand[seat] |= <uint32_t>1 << cards[i]
                    n -= 1
                    cards[i] = cards[n]

    cdef void deal_some(self, Table* t, Stream* luck) noexcept nogil:
        """While the cards are dealt: each that was, but to the viewer, by the places then free."""
        cdef uint32_t dealt = t.numbers.cards & ~t.undealt & ~t.hand[self.knowledge.viewer]
        cdef int seat, places, n = t.numbers.players
        for seat in range(n):
            if seat != self.knowledge.viewer:
                t.hand[seat] = 0
        while dealt:
            places = 0
            for seat in range(n):
                if seat != self.knowledge.viewer:
                    places += t.numbers.hand - members(t.hand[seat])
            places = below(luck, places)
            for seat in range(n):
                if seat != self.knowledge.viewer:
                    places -= t.numbers.hand - members(t.hand[seat])
                    if places < 0:
                        t.hand[seat] |= dealt & -dealt
                        break
            dealt &= dealt - 1

    cdef list completed(self, Game state):
        cdef int stay
        story = []
        for edge in self.knowledge.story:
            if isinstance(edge, int):
                story.append(edge)
                continue
            what, item, stays = edge
            if what == CARD:
                story.append(self.receiver(<Charlemagne>state, item))
            else:
                story.append(sum([self.trails.stays[<int>stay].kind == item for stay in stays]))
        return story

    cdef int receiver(self, Charlemagne state, int card) except -1:
        """Who was dealt a card."""
        cdef int seat
        if self.knowledge.owner[card] >= 0:
            return self.knowledge.owner[card]
        for seat in range(state.table.numbers.players):
            if state.table.hand[seat] >> card & 1:
                return seat
        raise ValueError(f"card {card} is in no hand")
