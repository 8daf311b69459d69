# Charlemagne: what a seat learns. Ruling "What is public and what is not"; RULES.md, Labels.

from libc.stdint cimport uint32_t, uint64_t
from libc.string cimport memset

from cython_core.charlemagne_table cimport (
    ALMS, BRIBE_MOVES, CARD, CHANGE, END_MOVE, FARMSTEAD, KIND_MOVES, KNIGHT, RANDOM_MOVE,
    RULE, Log, Pile, Table,
)
from cython_core.folding cimport fold


cdef enum:                  # what a bribe or a call has found
    UNSAID, FOUND, NOTHING, SHOWN       # SHOWN: nothing, and the viewer sees the storage


cdef struct Label:
    int what                # the step
    int seat                # -1 for a card
    int item                # the kind that is drawn or the card that is dealt, else -1
    int edge                # the move or outcome, -1 if the viewer does not see it
    int found
    Pile shown


cdef inline int members(uint32_t bits) noexcept nogil:
    cdef int n = 0
    while bits:
        bits &= bits - 1
        n += 1
    return n


cdef inline int lowest(uint32_t bits) noexcept nogil:
    """The least member of a set that is not empty."""
    cdef int n = 0
    while not bits >> n & 1:
        n += 1
    return n


cdef inline int size_of(const Pile* pile) noexcept nogil:
    return pile.count[0] + pile.count[1] + pile.count[2] + pile.count[3]


cdef inline bint is_draw(int step) noexcept nogil:
    return step <= ALMS


cdef inline int item_of(const Table* t) noexcept nogil:
    if is_draw(t.step):
        return t.kind
    if t.step == CARD:
        return lowest(t.undealt)
    return -1


cdef inline Label label_of(const Table* t, int edge, int viewer) noexcept nogil:
    """Asked before the move or outcome is applied."""
    cdef Label label
    cdef int step = t.step
    label.what, label.seat, label.item = step, t.seat, item_of(t)
    label.edge, label.found = edge, UNSAID
    memset(&label.shown, 0, sizeof(Pile))
    if is_draw(step):
        if viewer != t.seat and not (step == ALMS and viewer == t.donor):
            label.edge = -1
    elif step == CARD:
        label.seat = -1
        if viewer != edge:
            label.edge = -1
    elif step == RULE and BRIBE_MOVES <= edge < END_MOVE:
        find_knight(&label, &t.storage[edge - BRIBE_MOVES], viewer == t.seat)
    elif step == FARMSTEAD and edge != RANDOM_MOVE and t.stock.count[edge - KIND_MOVES] == 0:
        label.found = NOTHING
    return label


cdef inline void find_knight(Label* label, const Pile* storage, bint briber) noexcept nogil:
    """§ Bribery: without a Knight the storage is shown to the briber alone."""
    if storage.count[KNIGHT]:
        label.found = FOUND
    elif briber:
        label.found = SHOWN
        label.shown = storage[0]
    else:
        label.found = NOTHING


cdef inline uint64_t packed(const Pile* pile) noexcept nogil:
    return (<uint64_t>pile.count[0] << 24 | <uint64_t>pile.count[1] << 16
            | <uint64_t>pile.count[2] << 8 | pile.count[3])


cdef inline uint64_t word_of(const Label* label) noexcept nogil:
    """All of a label, in one word."""
    return (packed(&label.shown) << 32
            | <uint64_t>label.found << 29 | <uint64_t>label.what << 24
            | <uint64_t>(label.seat + 1) << 16 | <uint64_t>(label.item + 1) << 8
            | <uint64_t>(label.edge + 1))


cdef inline void remember(Log* log, const Table* t, int edge) noexcept nogil:
    """Asked before the move or outcome is applied."""
    cdef Label label
    cdef int viewer
    for viewer in range(t.numbers.players):
        label = label_of(t, edge, viewer)
        log.key[viewer] = fold(log.key[viewer], word_of(&label))


# Pieces and cards move with their nodes, but how many have come so far is for those alone who see
# them: for all others a draw and the deal count as if they were over.

cdef inline int open_size(const Table* t, int seat) noexcept nogil:
    """Of a storage, as everybody knows it."""
    cdef int size = size_of(&t.storage[seat])
    if is_draw(t.step):
        if seat == t.seat:
            size += t.due
        elif t.step == ALMS and seat == t.donor:
            size -= t.due
    return size


cdef inline int open_hand(const Table* t, int seat) noexcept nogil:
    """Cards in a hand, as everybody knows it."""
    return t.numbers.hand if t.undealt else members(t.hand[seat])


cdef inline uint64_t view_of(const Table* t, int viewer) noexcept nogil:
    """Everything that matters at the table as the viewer sees it now, without a memory."""
    cdef uint64_t key = 0
    cdef int seat, opener = 0
    if t.step == CHANGE:                # nobody has laid a card before
        opener = t.opener
    key = fold(key, <uint64_t>t.step << 56 | <uint64_t>t.seat << 48 | <uint64_t>t.round << 40
               | <uint64_t>t.turn << 32 | <uint64_t>t.first << 24 | <uint64_t>t.kind << 16
               | <uint64_t>t.laid << 8 | t.settled)
    key = fold(key, <uint64_t>t.card << 40 | <uint64_t>opener << 32 | <uint64_t>t.passed << 24
               | <uint64_t>t.plundered << 16 | <uint64_t>t.poor << 8 | t.donor)
    key = fold(key, <uint64_t>t.undealt << 32 | t.solved)
    key = fold(key, packed(&t.storage[viewer]) << 32 | t.hand[viewer])
    for seat in range(t.numbers.players):
        key = fold(key, <uint64_t>t.points[seat] << 32 | <uint64_t>t.huts[seat] << 24
                   | <uint64_t>t.builders[seat] << 16 | <uint64_t>open_hand(t, seat) << 8
                   | <uint64_t>open_size(t, seat))
        key = fold(key, packed(&t.bid[seat]) << 32 | packed(&t.raised[seat]))
        key = fold(key, packed(&t.privileges[seat]))
    return key
