"""Richard I: what one seat knows, and states that it cannot rule out: see richard_knowledge.pxd."""

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.string cimport memcmp, memset

from cython_core.errors import IllegalMove
from cython_core.richard cimport gift_cards, told
from cython_core.richard_labels cimport gift_size, label_of, members
from cython_core.richard_table cimport *
from cython_core.game cimport Game
from cython_core.rng cimport Stream, below
from cython_core.trails cimport STILL_THERE, Stay

cdef enum:
    LOOSE = 36                  # cards of each colour in a loose pile: the largest offer there is
    ALL_COUNSELORS = (2 << COUNSELORS) - 2
    ALL_COLOURS = (1 << COLOURS) - 1


cdef class Knowledge:
    """What a seat has learned since the start of a game, or since a table with an unknown past.

    `start`: a game before its first card; or a table on which the viewer's hand and everything
    public is right, with `hidden`, the cards of all other hands, of the supply and of the Crusade
    deck together by colour; of those hands it may hold what is known of them, `known` [seats,
    colours]; and `gone`, the counselors that were played, sets by side. After an error it must not
    be used any more.
    """

    def __cinit__(self, Richard start not None, int viewer, hidden=None, known=None, gone=(0, 0)):
        self.puppet = start.copy(False)
        self.begin_with(self.puppet, viewer, hidden is None)
        self.plays = []
        self.supply = FIRST_SUPPLY
        self.gone[JOHN], self.gone[RICHARD] = gone
        self.begin(hidden, known)

    cdef int begin(self, object hidden, object known) except -1:
        cdef const Table* t = &self.puppet.table
        cdef int colour, seat, side
        for side in range(2):
            self.deck[side] = members(t.counselor_deck[side])
        for seat in range(t.numbers.players):
            self.held[seat] = members(t.counselors[seat])
        if hidden is None:
            for colour in range(COLOURS):
                self.enter(FIRST_SUPPLY, colour, t.supply.count[colour])
            return 0
        self.supply = FIRST_SUPPLY + 1
        for colour in range(COLOURS):
            self.enter(FIRST_SUPPLY, colour, hidden[colour])
        for seat in range(t.numbers.players):
            if seat != self.viewer:
                self.scatter(seat, t.hand[seat].size, known[seat])
        self.scatter(CRUSADE, t.crusade.size, None)
        self.scatter(self.supply, t.supply.size, None)
        if not self.trails.mend(&self.luck):
            raise IllegalMove("there are not so many cards as are known to be in hands")
        return 0

    cdef int scatter(self, int place, int size, object known) except -1:
        """Cards from the heap of hidden ones to a place, some of them known."""
        cdef int colour, cards
        for colour in range(COLOURS):
            cards = 0 if known is None else known[colour]
            size -= cards
            self.leave(FIRST_SUPPLY, colour, cards)
            self.enter(place, colour, cards)
        for _ in range(size):
            self.trails.move(FIRST_SUPPLY, place, &self.luck)
        return 0

    # -- one label --------------------------------------------------------------------------------

    cdef int learn(self, const Label* label) except -1:
        """Raises IllegalMove if that cannot have happened, whatever the hidden cards are."""
        cdef Table* t = &self.puppet.table
        cdef Table before
        cdef Task task
        cdef int edge
        task = t.agenda[t.tasks - 1]
        self.loosen()
        edge = self.stand_in(task, label)
        self.look(task, label, edge)
        before = t[0]
        self.puppet.apply(edge)
        memset(self.explained, 0, sizeof(self.explained))
        self.story.append(edge)
        self.explain(task, label, edge)
        self.follow_public(&before)
        self.follow_supply(&before, task, edge)
        self.follow_counselors(&before, task, edge)
        return self.conclude(told(label))

    cdef int loosen(self) except -1:
        """Make everything in the puppet that the viewer does not know loose."""
        cdef Table* t = &self.puppet.table
        cdef int seat, side
        loosen_pile(&t.supply)
        loosen_pile(&t.crusade)
        for side in range(2):
            t.counselor_deck[side] = self.pool(side) if self.deck[side] else 0
        for seat in range(t.numbers.players):
            if seat != self.viewer:
                loosen_pile(&t.hand[seat])
                t.counselors[seat] = self.pool(t.side[seat]) if self.held[seat] else 0
        return 0

    cdef int pool(self, int side) noexcept nogil:
        """Counselors of a side that may be anywhere, as far as the viewer knows."""
        cdef const Table* t = &self.puppet.table
        cdef int own = t.counselors[self.viewer] if t.side[self.viewer] == side else 0
        return ALL_COUNSELORS & ~self.gone[side] & ~own

    cdef int stand_in(self, Task task, const Label* label) except -1:
        """The edge that the puppet takes: the one seen, or any that looks the same."""
        cdef int32_t[MOST_EDGES] edges, weight
        cdef int n = self.puppet.legal(edges), i, wanted = label.edge
        cdef bint sees = self.sees(task)
        if n == 0:
            n = self.puppet.chance(edges, weight)
        if sees != (label.edge >= 0) and not (task.what == CONTRIBUTE and label.cards == 0):
            raise IllegalMove(f"seat {self.viewer} "
                              + ("sees what this is" if sees else "does not see what this is"))
        if label.edge < 0 and label.offers:
            wanted = OFFER_MOVES + label.offer[label.offers - 1]
        for i in range(n):
            if edges[i] == wanted or wanted < 0 and (
                    task.what != CONTRIBUTE or gift_size(edges[i] - GIVE_MOVES) == label.cards):
                return edges[i]
        raise IllegalMove("that is not possible here, whatever the hidden cards are")

    cdef bint sees(self, Task task) noexcept:
        """Whether the viewer is told which move or outcome it was. Ruling "What is public"."""
        if task.seat == self.viewer:
            return True
        if task.what == DEAL or task.what == DRAW or task.what == COUNSELOR:
            return False
        if task.what == CONTRIBUTE:
            return False
        if task.what == OFFER:
            return not task.b
        if task.what == COLOUR and (task.a == LOOT or task.a == REPAY):
            return task.b == self.viewer
        return True

    cdef int look(self, Task task, const Label* label, int edge) except -1:
        """Give the puppet what is shown with a move, so that it counts points as they were."""
        cdef Table* t = &self.puppet.table
        cdef int i, seat, n = t.numbers.players, colour = inspected(task, edge)
        cdef int target = target_of(task, edge)
        if (label.offers > 0) != self.is_last_secret(task):
            raise IllegalMove("all offers are shown with the last one, and only then")
        if label.offers:
            if label.offers != n:
                raise IllegalMove(f"{n} offers are shown, not {label.offers}")
            for i in range(n):
                seat = (task.a + i) % n
                if seat == self.viewer and label.offer[i] != own_offer(t, task, seat, edge):
                    raise IllegalMove(f"seat {seat} offered something else")
                if label.offer[i] > t.hand[seat].size:
                    raise IllegalMove(f"seat {seat} has not so many cards")
                t.offer[seat] = label.offer[i]
        if (label.count >= 0) != (colour >= 0):
            raise IllegalMove("how many cards were found, as in '@1 = 2', is told of the"
                              " Inquisitor and the Spy, and only then")
        if label.shows != self.is_shown(task, target):
            raise IllegalMove("the hand, as in '@1 = 2 (bgg)', is told to those who see it,"
                              " and only to them")
        if label.shows:
            self.look_into(label, target)
        if colour >= 0:
            if label.shows or target == self.viewer:
                if t.hand[target].count[colour] != label.count:
                    raise IllegalMove("another number of cards is there")
            elif label.count > t.hand[target].size:
                raise IllegalMove(f"seat {target} has not so many cards")
            t.hand[target].count[colour] = label.count
        return 0

    cdef int look_into(self, const Label* label, int target) except -1:
        """A hand that the viewer sees."""
        cdef Table* t = &self.puppet.table
        cdef int colour, cards = 0
        for colour in range(COLOURS):
            cards += label.shown[colour]
            if target == self.viewer and t.hand[target].count[colour] != label.shown[colour]:
                raise IllegalMove("the own hand is another one")
            t.hand[target].count[colour] = label.shown[colour]
        if cards != t.hand[target].size:
            raise IllegalMove(f"seat {target} has {t.hand[target].size} cards, not {cards}")
        return 0

    cdef bint is_last_secret(self, Task task) noexcept:
        cdef const Table* t = &self.puppet.table
        return (task.what == OFFER and task.b
                and t.agenda[t.tasks - 2].what == SETTLE_TOURNAMENT)

    cdef bint is_shown(self, Task task, int target) noexcept:
        if task.what != PLAYER and task.what != PLAYER_COLOUR:
            return False
        if task.seat == self.viewer:
            return True
        return target == self.viewer and not (task.what == PLAYER and task.a == ROB)

    # -- what it means for the cards --------------------------------------------------------------

    cdef int explain(self, Task task, const Label* label, int edge) except -1:
        """Tell the trails of everything that the change of the piles does not tell by itself."""
        cdef int target = target_of(task, edge)
        if task.what == DEAL or task.what == DRAW:
            self.pass_on(DRAW, self.supply, task.seat, edge)
        elif task.what == REVEAL:
            self.leave(CRUSADE, edge, 1)
            self.explained[CRUSADE][edge] -= 1
        elif task.what == CONTRIBUTE:
            self.contribute(task.seat, edge)
        elif task.what == COLOUR and task.a == LOOT:
            self.pass_on(COLOUR, task.b, task.seat, edge - COLOUR_MOVES)
        elif task.what == COLOUR and task.a == REPAY:
            self.pass_on(COLOUR, task.seat, task.b, edge - COLOUR_MOVES)
        elif task.what == COLOUR and task.a == PAY_BANDIT:
            self.leave(task.seat, edge - COLOUR_MOVES, 1)   # before anything is taken
            self.explained[task.seat][edge - COLOUR_MOVES] -= 1
        elif task.what == OFFER and not task.b:
            self.offer(task.seat, edge - OFFER_MOVES)
        elif task.what == OFFER:
            self.reveal_offers(task, label)
        elif (task.what == PLAYER or task.what == PLAYER_COLOUR) and target != self.viewer:
            if label.shows:
                self.trails.count(target, ALL_COLOURS, label.shown)
            elif label.count >= 0:
                self.count_one(target, inspected(task, edge), label.count)
        return 0

    cdef int count_one(self, int seat, int colour, int cards) except -1:
        cdef uint8_t[COLOURS] counts
        memset(counts, 0, COLOURS)
        counts[colour] = cards
        return self.trails.count(seat, 1 << colour, counts)

    cdef int pass_on(self, int what, int source, int target, int colour) except -1:
        """One card from a hidden pile to another; the viewer's own hand is not hidden."""
        if source == self.viewer:
            self.enter(target, colour, 1)
        elif target == self.viewer:
            self.leave(source, colour, 1)
        else:
            self.hide((what, self.trails.move(source, target, &self.luck)))
        self.explain_change(source, colour, -1)
        self.explain_change(target, colour, 1)
        return 0

    cdef int contribute(self, int seat, int edge) except -1:
        cdef const uint8_t* gift = &gift_cards[edge - GIVE_MOVES][0]
        cdef list stays = []
        cdef int colour
        for colour in range(COLOURS):
            for _ in range(gift[colour]):
                if seat == self.viewer:
                    self.enter(CRUSADE, colour, 1)
                else:
                    stays.append(self.trails.move(seat, CRUSADE, &self.luck))
            self.explain_change(seat, colour, -gift[colour])
            self.explain_change(CRUSADE, colour, gift[colour])
        if stays:
            self.hide((CONTRIBUTE, stays))
        return 0

    cdef int offer(self, int seat, int cards) except -1:
        """To a tax: shown now, paid after the last offer."""
        cdef Table* t = &self.puppet.table
        cdef int other
        if seat != self.viewer:
            self.leave(seat, YELLOW, cards)
            self.offered[seat] = cards
        if t.tasks and t.agenda[t.tasks - 1].what == OFFER:
            return 0
        for other in range(t.numbers.players):
            self.explained[other][YELLOW] -= self.offered[other]
            self.offered[other] = 0
        return 0

    cdef int reveal_offers(self, Task task, const Label* label) except -1:
        """To a tournament: what was hidden so far is known now."""
        cdef int i, n = label.offers
        if label.edge < 0:
            self.hide((OFFER, task.seat))
        for i in range(n):
            self.story[len(self.story) - n + i] = OFFER_MOVES + label.offer[i]
        return 0

    cdef int leave(self, int place, int colour, int cards) except -1:
        """Seen to leave. The viewer's own cards are not on trail."""
        if place != self.viewer:
            for _ in range(cards):
                if self.trails.present(place) == 0:
                    raise IllegalMove("there are not so many cards")
                self.trails.leave(place, colour, &self.luck)
        return 0

    cdef void explain_change(self, int place, int colour, int by) noexcept:
        if place < PILES:
            self.explained[place][colour] += by

    cdef int follow_public(self, const Table* before) except -1:
        """Cards that everybody saw come and go: what is left of the change of each pile."""
        cdef const Table* t = &self.puppet.table
        cdef int seat, colour
        for seat in range(t.numbers.players):
            if t.hand[seat].size > before.hand[seat].size + 255:     # below 0
                raise IllegalMove(f"seat {seat} has not so many cards")
            if seat != self.viewer:
                for colour in range(COLOURS):
                    self.follow(seat, colour, t.hand[seat].count[colour]
                                - before.hand[seat].count[colour])
        for colour in range(COLOURS):
            self.follow(CRUSADE, colour, t.crusade.count[colour] - before.crusade.count[colour])
        return 0

    cdef int follow(self, int place, int colour, int change) except -1:
        change -= self.explained[place][colour]
        if change > 0:
            self.enter(place, colour, change)
        elif change < 0:
            self.leave(place, colour, -change)
        return 0

    cdef int follow_supply(self, const Table* before, Task task, int edge) except -1:
        """A supply that is formed anew: everybody sees of what."""
        cdef const Table* t = &self.puppet.table
        cdef int colour, drawn
        if t.formed == before.formed:
            return 0
        self.supply += 1
        for colour in range(COLOURS):
            drawn = colour == edge and (task.what == DEAL or task.what == DRAW)
            self.enter(self.supply, colour,
                       t.supply.count[colour] - before.supply.count[colour] + drawn)
        return 0

    cdef int follow_counselors(self, const Table* before, Task task, int edge) except -1:
        cdef const Table* t = &self.puppet.table
        cdef int played
        if task.what == COUNSELOR:
            self.deck[t.side[task.seat]] -= 1
            self.held[task.seat] += 1
            if task.seat != self.viewer:
                self.hide((COUNSELOR, task.seat))
            return 0
        if task.what < LOYALTY:
            return 0
        played = before.counselors[task.seat] & ~t.counselors[task.seat]
        if played:
            self.plays.append((task.seat, played))
            self.held[task.seat] -= 1
            self.gone[t.side[task.seat]] |= played
        return 0

    def tell(self, kind, int seat, edge, int cards, count, offers, hand):
        """One label, as `Richard.label` gives it. Raises IllegalMove if it cannot be.

        After an error this object must not be used any more.
        """
        cdef Label label
        cdef Task task
        self.expect(kind, seat)
        memset(&label, 0, sizeof(Label))
        task = self.puppet.table.agenda[self.puppet.table.tasks - 1]
        label.what, label.seat = task.what, task.seat
        label.edge = -1 if edge is None else edge
        label.cards, label.count = cards, -1 if count is None else count
        label.offers, label.shows = len(offers), hand is not None
        if label.offers > SEATS:
            raise IllegalMove(f"{label.offers} offers are more than there are seats")
        for i, offer in enumerate(offers):
            label.offer[i] = offer
        for i, number in enumerate(hand or ()):
            label.shown[i] = number
        self.learn(&label)

    def sampler(self, uint64_t seed=0):
        """What makes states that the seat cannot rule out; one for each thread."""
        return RichardSampler(self, seed)


def knowledge(Richard start not None, edges, int viewer):
    """What a seat knows after moves and outcomes from the start of a game on.

    Of these only the labels are looked at, so nothing that the seat did not see comes in.
    """
    cdef Knowledge known = Knowledge(start, viewer)
    retell(start, edges, viewer, known, None)
    return known


def labels(Richard start not None, edges, int viewer):
    """The labels that such knowledge is made of, as `Richard.label` gives them."""
    cdef list found = []
    retell(start, edges, viewer, None, found)
    return found


cdef int retell(Richard start, object edges, int viewer, Knowledge known, list found) except -1:
    """Tell of a game, to one seat's knowledge or into a list; the cards of one draw by colour,
    because their order is in nobody's information.
    """
    cdef Richard state = start.copy(False)
    cdef Label label
    cdef Task task, run = Task(NOBODY, 0, 0, 0)
    cdef int formed = 0, edge
    cdef list drawn = []
    for edge in edges:
        task = state.table.agenda[state.table.tasks - 1]
        if drawn and not (task.what == run.what and task.seat == run.seat
                          and formed == state.table.formed):
            tell_run(run, drawn, known, found)
            drawn = []
        label = label_of(&state.table, edge, viewer)
        if task.what == DEAL or task.what == DRAW or task.what == REVEAL:
            drawn.append(label.edge)
            run, formed = task, state.table.formed
        else:
            tell_one(&label, known, found)
        state.play(edge)
    return tell_run(run, drawn, known, found)


cdef int tell_run(Task run, list drawn, Knowledge known, list found) except -1:
    cdef Label label
    memset(&label, 0, sizeof(Label))
    label.what, label.seat, label.count = run.what, run.seat, -1
    for edge in sorted(drawn):
        label.edge = edge
        tell_one(&label, known, found)
    return 0


cdef int tell_one(const Label* label, Knowledge known, list found) except -1:
    if known is None:
        found.append(told(label))
    else:
        known.learn(label)
    return 0



cdef inline void loosen_pile(Pile* pile) noexcept nogil:
    memset(pile.count, LOOSE if pile.size else 0, COLOURS)


cdef inline int inspected(Task task, int edge) noexcept nogil:
    """The colour that is counted in a hand, -1 if none is."""
    if task.what == PLAYER and task.a == INQUIRE:
        return GREEN
    return (edge - PLAYER_COLOUR_MOVES) % COLOURS if task.what == PLAYER_COLOUR else -1


cdef inline int target_of(Task task, int edge) noexcept nogil:
    if task.what == PLAYER:
        return edge - PLAYER_MOVES
    return (edge - PLAYER_COLOUR_MOVES) // COLOURS if task.what == PLAYER_COLOUR else -1


cdef inline int own_offer(const Table* t, Task task, int seat, int edge) noexcept nogil:
    return edge - OFFER_MOVES if task.seat == seat else t.offer[seat]


# -- sampling -------------------------------------------------------------------------------------

cdef class RichardSampler(TrailSampler):
    """States that a seat cannot rule out. Prior: uniform shuffles, and every card that somebody gave
    counts as drawn uniformly from the hand that held it (RULES.md, Knowledge).

    The same knowledge and seed give the same states. Raises ValueError for a game that is over.
    """

    def __cinit__(self, Knowledge knowledge not None, uint64_t seed=0):
        self.knowledge = knowledge
        self.start_walk(knowledge, seed)

    cdef void lay_out(self, Game into, Stream* luck) noexcept nogil:
        cdef Table* t = &(<Richard>into).table
        self.lay_cards(t)
        self.deal_counselors(t, luck)
        self.choose_offers(t, luck)

    cdef void lay_cards(self, Table* t) noexcept nogil:
        """Put every card where the story left it."""
        cdef const Stay* stay
        cdef Pile* pile
        cdef int i, seat
        for seat in range(t.numbers.players):
            if seat != self.knowledge.viewer:
                memset(t.hand[seat].count, 0, COLOURS)
                t.hand[seat].count[YELLOW] = self.knowledge.offered[seat]
        memset(t.crusade.count, 0, COLOURS)
        memset(t.supply.count, 0, COLOURS)
        for i in range(self.trails.n_stays):
            stay = &self.trails.stays[i]
            if stay.exit != STILL_THERE:
                continue
            if stay.place < CRUSADE:
                pile = &t.hand[stay.place]
            elif stay.place == CRUSADE:
                pile = &t.crusade
            else:
                pile = &t.supply
            pile.count[stay.kind] += 1

    cdef void deal_counselors(self, Table* t, Stream* luck) noexcept nogil:
        cdef int[COUNSELORS] cards
        cdef int side, seat, n, card
        for side in range(2):
            n = 0
            for card in range(1, 1 + COUNSELORS):
                if self.knowledge.pool(side) >> card & 1:
                    cards[n] = card
                    n += 1
            for seat in range(t.numbers.players):
                if seat != self.knowledge.viewer and t.side[seat] == side:
                    t.counselors[seat] = 0
                    for _ in range(self.knowledge.held[seat]):
                        card = below(luck, n)
                        t.counselors[seat] |= 1 << cards[card]
                        n -= 1
                        cards[card] = cards[n]
            t.counselor_deck[side] = 0
            for card in range(n):
                t.counselor_deck[side] |= 1 << cards[card]

    cdef void choose_offers(self, Table* t, Stream* luck) noexcept nogil:
        """Those of a tournament that the viewer has not seen yet: any number, all alike."""
        cdef Task task = t.agenda[t.tasks - 1]
        cdef int seat, n = t.numbers.players
        if task.what != OFFER or not task.b:
            return
        seat = task.a
        while seat != task.seat:
            if seat != self.knowledge.viewer:
                t.offer[seat] = below(luck, t.hand[seat].count[RED] + 1)
            seat = (seat + 1) % n

    cdef list completed(self, Game game):
        cdef Knowledge known = self.knowledge
        cdef Richard state = game
        drawn = [[] for _ in range(SEATS)]      # counselors, in an order that allows their plays
        for seat, played in known.plays:
            drawn[seat].append(played.bit_length() - 1)
        for seat in range(SEATS):
            drawn[seat] += [n for n in range(1, 1 + COUNSELORS)
                            if state.table.counselors[seat] >> n & 1]
        return [edge if isinstance(edge, int) else self.found(edge[0], edge[1], drawn, state)
                for edge in known.story]

    cdef int found(self, int what, object where, list drawn, Richard state) except -1:
        if what == COUNSELOR:
            return drawn[where].pop(0)
        if what == OFFER:
            return OFFER_MOVES + state.table.offer[<int>where]
        if what == CONTRIBUTE:
            return self.gift(where)
        return (COLOUR_MOVES if what == COLOUR else 0) + self.trails.stays[<int>where].kind

    cdef int gift(self, list stays) except -1:
        cdef uint8_t[COLOURS] cards
        cdef int gift, stay
        memset(cards, 0, COLOURS)
        for stay in stays:
            cards[self.trails.stays[stay].kind] += 1
        for gift in range(CONTRIBUTIONS):
            if memcmp(cards, gift_cards[gift], COLOURS) == 0:
                return GIVE_MOVES + gift
        raise ValueError("no contribution has so many cards")
