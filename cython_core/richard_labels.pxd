# Richard I: what a seat learns. Ruling "What is public and what is not"; RULES.md, Labels.

from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memcpy, memset

from cython_core.folding cimport fold
from cython_core.richard_table cimport (
    COLOUR, COLOURS, CONTRIBUTE, COUNSELOR, DEAL, DRAW, GIVE_MOVES,
    GREEN, INQUIRE, LOOT, NOBODY, OFFER, OFFER_MOVES, PLAYER, PLAYER_COLOUR, PLAYER_COLOUR_MOVES,
    PLAYER_MOVES, REPAY, REVEAL, SEATS, SETTLE_TOURNAMENT, Log, Table, Task,
)


cdef struct Label:
    int what                # the task
    int seat
    int edge                # the move or outcome, -1 if the viewer does not see it
    int cards               # of a contribution
    int count               # what an inspection gave, else -1
    int offers              # how many are revealed with it
    uint8_t offer[SEATS]    # in order of decision
    bint shows              # whether the viewer sees a hand with it
    uint8_t shown[COLOURS]


cdef inline int gift_size(int gift) noexcept nogil:
    """Cards of a contribution: the multisets stand in order of their size, 1 + 6 + 21 + 56."""
    return (gift >= 1) + (gift >= 7) + (gift >= 28)


cdef inline void show(Label* label, const Table* t, int seat) noexcept nogil:
    label.shows = True
    memcpy(label.shown, t.hand[seat].count, COLOURS)


cdef inline Label label_of(const Table* t, int edge, int viewer) noexcept nogil:
    """Asked before the move or outcome is applied."""
    cdef Task task = t.agenda[t.tasks - 1]
    cdef Label label
    cdef bint owner = viewer == task.seat
    cdef int target, i, n = t.numbers.players
    memset(&label, 0, sizeof(Label))
    label.what, label.seat, label.edge, label.count = task.what, task.seat, edge, -1
    if task.what == DEAL or task.what == DRAW or task.what == COUNSELOR:
        label.edge = edge if owner else -1
    elif task.what == CONTRIBUTE:
        label.cards = gift_size(edge - GIVE_MOVES)
        label.edge = edge if owner or label.cards == 0 else -1
    elif task.what == OFFER and task.b:
        label.edge = edge if owner else -1
        if t.agenda[t.tasks - 2].what == SETTLE_TOURNAMENT:
            label.offers = n
            for i in range(n):
                label.offer[i] = t.offer[(task.a + i) % n]
            label.offer[n - 1] = edge - OFFER_MOVES
    elif task.what == PLAYER:
        target = edge - PLAYER_MOVES
        if task.a == INQUIRE:
            label.count = t.hand[target].count[GREEN]
        if owner or (task.a == INQUIRE and viewer == target):
            show(&label, t, target)
    elif task.what == PLAYER_COLOUR:
        target = (edge - PLAYER_COLOUR_MOVES) // COLOURS
        label.count = t.hand[target].count[(edge - PLAYER_COLOUR_MOVES) % COLOURS]
        if owner or viewer == target:
            show(&label, t, target)
    elif task.what == COLOUR and (task.a == LOOT or task.a == REPAY):
        label.edge = edge if owner or viewer == task.b else -1
    return label


cdef inline uint64_t packed(const uint8_t* counts, int n) noexcept nogil:
    cdef uint64_t word = 0
    cdef int i
    for i in range(n):
        word = word << 8 | counts[i]
    return word


cdef inline uint64_t key_of(const Label* label) noexcept nogil:
    cdef uint64_t key = fold(
        label.what, <uint64_t>(label.edge + 1) << 32 | (label.count + 1) << 16
        | label.cards << 8 | label.seat)
    if label.offers:
        key = fold(key, packed(label.offer, label.offers))
    if label.shows:
        key = fold(key, packed(label.shown, COLOURS) + 1)
    return key


# The order of the cards within one draw is in nobody's information: labels of a run are added up.
# A supply that is formed anew divides a run, because everybody sees that.

cdef inline void remember(Log* log, const Table* t, int edge) noexcept nogil:
    """Asked before the move or outcome is applied."""
    cdef Task task = t.agenda[t.tasks - 1]
    cdef bint goes_on = (task.what == log.what and task.seat == log.seat
                         and log.formed == t.formed)
    cdef Label label
    cdef int viewer
    for viewer in range(t.numbers.players):
        label = label_of(t, edge, viewer)
        if not goes_on:
            log.key[viewer] = fold(log.key[viewer], log.run[viewer])
            log.run[viewer] = 0
        log.run[viewer] += key_of(&label)
    log.what, log.seat, log.formed = NOBODY, task.seat, t.formed
    if task.what == DEAL or task.what == DRAW or task.what == REVEAL:
        log.what = task.what


cdef inline uint64_t view_of(const Table* t, int viewer) noexcept nogil:
    """Everything that matters at the table as the viewer sees it now, without a memory."""
    cdef uint64_t key = 0
    cdef Task task
    cdef int i, seat, n = t.numbers.players
    for i in range(t.tasks):            # all of it is public
        task = t.agenda[i]
        key = fold(key, task.what << 24 | task.seat << 16 | task.a << 8 | task.b)
    key = fold(key, <uint64_t>t.first << 48 | <uint64_t>t.turn << 40 | <uint64_t>t.event << 32
               | t.time << 16 | t.crusaders << 8 | t.saladin)
    key = fold(key, t.treasury)
    key = fold(key, packed(t.reserve.count, COLOURS) << 16 | t.supply.size)
    key = fold(key, packed(t.revealed.count, COLOURS) << 16 | t.crusade.size)
    key = fold(key, packed(t.uncounted, COLOURS) << 16 | packed(t.loyalty, 2))
    key = fold(key, packed(t.hand[viewer].count, COLOURS) << 16 | t.counselors[viewer])
    key = fold(key, <uint64_t>t.event_deck << 16 | t.ending)
    for seat in range(n):
        key = fold(key, <uint64_t>t.side[seat] << 56 | <uint64_t>t.character[seat] << 48
                   | <uint64_t>t.former[seat] << 40 | <uint64_t>t.hand[seat].size << 24
                   | <uint64_t>members(t.counselors[seat]) << 16
                   | <uint64_t>(t.points[seat] & 0xFFFF))
    key = fold(key, members(t.counselor_deck[0]) << 8 | members(t.counselor_deck[1]))
    if t.tasks:
        task = t.agenda[t.tasks - 1]
        if task.what == COLOUR and task.a == LOOT and task.seat == viewer:
            key = fold(key, packed(t.hand[task.b].count, COLOURS) + 1)  # it lies open
    return fold(key, seen_offers(t, viewer))


cdef inline int members(unsigned int bits) noexcept nogil:
    cdef int n = 0
    while bits:
        bits &= bits - 1
        n += 1
    return n


cdef inline uint64_t seen_offers(const Table* t, int viewer) noexcept nogil:
    """Offers of a tax are open; of a tournament one knows one's own."""
    cdef Task task = t.agenda[t.tasks - 1] if t.tasks else Task(0, 0, 0, 0)
    if task.what == OFFER and task.b:
        return t.offer[viewer]
    return packed(t.offer, SEATS)
