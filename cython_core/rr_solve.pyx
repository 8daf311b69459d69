# cython: cdivision=True
"""RR, the strong solution: the exact value of every reachable position, layer by layer.

Hands only shrink, so the game is layered by cards played. For one board and one move the next
board is the same for every pair of hands, so the minimax step works on whole arrays over hand
pairs: no hashing, no recursion, nothing but byte minima that the compiler vectorises. How values
are laid out stands in ``rr_solve.pxd``.
"""

from libc.stdint cimport int64_t, uint8_t, uint16_t
from libc.stdlib cimport free
from libc.string cimport memset

from cython_core.memory cimport large_malloc, prefetch_line
from cython_core.rr cimport (
    CARDS, CASTLE, CITIZEN, FULL, GENERAL, KING, MAGICIAN, MOST_LEGAL, QUEEN, SQUARES,
    SYMMETRIES, Board, Move, RuleSet, count_bits, free_squares, is_over, lowest_bit, margin,
    may_banish, play, rule_set, symmetry, targets,
)

cdef enum:
    TERNARIES = 19683               # 3 ** 9 ways to fill the squares with empty, mine, theirs
    KINDS = 6                       # K Q P M G W: `KING` to `MAGICIAN`
    BANISHERS = 6                   # K G W of both sides
    NO_EFFECT = CITIZEN             # an otherwise unused place among the replies
    REPLIES = MOST_HANDS * MOST_HANDS
    VECTOR = 16                     # bytes; loops run in whole vectors, past the end of a row
    ROW = 32                        # a row of at most `MOST_HANDS` in whole vectors
    PADDING = 64                    # bytes readable behind every buffer
    CHUNK_COUNT = 90                # portions of a layer for threads to take

CHUNKS = CHUNK_COUNT
LAYOUT = 1                          # of values in layers; raised by hand whenever that changes
LAST_PLY = LAYERS - 1

# -- the index ------------------------------------------------------------------------------------

cdef uint8_t _bits[FULL + 1]                # how many squares; faster here than counting
cdef uint16_t _ternary[FULL + 1]            # set of squares -> its base-3 number, digits 0 and 1
cdef uint16_t _image[SYMMETRIES][FULL + 1]  # of a set of squares; a copy of `symmetry`, near by
cdef uint16_t _class[TERNARIES]
cdef uint8_t _to_class[TERNARIES]           # the symmetry that leads to the board of the class
cdef uint16_t _class_mine[CLASSES]
cdef uint16_t _class_theirs[CLASSES]
cdef uint8_t _rank[HANDS]                   # of a hand among those of its size
cdef int _hand_count[KINDS + 1]             # by size: 6 choose k
cdef uint8_t _hand[KINDS + 1][MOST_HANDS]   # [size][rank]
cdef Layer _layers[LAYERS]


cdef int hand_count(int size) noexcept nogil:
    """How many hands of so many cards there are among the six kinds."""
    return _hand_count[size] if 0 <= size <= KINDS else 0


cdef void _fill_hands() noexcept:
    cdef int hand, size
    for hand in range(HANDS):
        size = count_bits(hand)
        _rank[hand] = _hand_count[size]
        _hand[size][_hand_count[size]] = hand
        _hand_count[size] += 1


cdef void _fill_classes() noexcept:
    """The class of a board is the first of its symmetric images, counting in base 3."""
    cdef int squares, square, ternary, digits, which, image, classes = 0
    cdef uint16_t mine, theirs
    for squares in range(FULL + 1):
        _bits[squares] = count_bits(squares)
        for which in range(SYMMETRIES):
            _image[which][squares] = symmetry(which)[squares]
        ternary = 0
        for square in range(SQUARES - 1, -1, -1):
            ternary = 3 * ternary + (squares >> square & 1)
        _ternary[squares] = ternary
    for ternary in range(TERNARIES):
        mine = theirs = 0
        digits = ternary
        for square in range(SQUARES):
            mine |= (digits % 3 == 1) << square
            theirs |= (digits % 3 == 2) << square
            digits //= 3
        for which in range(SYMMETRIES):
            image = _ternary[_image[which][mine]] + 2 * _ternary[_image[which][theirs]]
            if image < ternary:
                _class[ternary] = _class[image]
                # From here to the smaller board, and on from there to its class.
                _to_class[ternary] = _composed(which, _to_class[image])
                break
        else:
            _class[ternary] = classes
            _to_class[ternary] = 0
            _class_mine[classes] = mine
            _class_theirs[classes] = theirs
            classes += 1


cdef int _composed(int first, int then) noexcept:
    """The symmetry that does one and then the other, told by where it takes a1 and b1."""
    cdef int which
    cdef uint16_t corner = _image[then][_image[first][1]], edge = _image[then][_image[first][2]]
    for which in range(SYMMETRIES):
        if _image[which][1] == corner and _image[which][2] == edge:
            return which
    return -1


cdef void _fill_layer(int ply) noexcept:
    cdef Layer* layer = &_layers[ply]
    cdef int mine_out, theirs_out, which, banished
    cdef Block* block
    layer.ply = ply
    layer.hand = 7 - (ply - 1) // 2
    layer.other_hand = 7 - ply // 2
    for mine_out in range(2):
        for theirs_out in range(2):
            layer.pairs[mine_out][theirs_out] = hand_count(layer.hand - 1 + mine_out)
            layer.pairs[mine_out][theirs_out] *= hand_count(layer.other_hand - 1 + theirs_out)
    for which in range(CLASSES):
        block = &layer.block[which]
        block.mine = _class_mine[which]
        block.theirs = _class_theirs[which]
        block.mine_count = count_bits(block.mine)
        block.theirs_count = count_bits(block.theirs)
        block.values = castles_at(layer, block, block.mine_count, block.theirs_count)
        block.values += layer.pairs[block.mine_count > 0][block.theirs_count > 0]
        banished = ply - block.mine_count - block.theirs_count
        # The other side's last card still faces it; the Citizen, played first, banishes nothing.
        if (
            block.theirs_count == 0
            or block.mine_count + block.theirs_count == SQUARES
            or not 0 <= banished <= min(BANISHERS, ply - 1)
        ):
            block.at = -1
            continue
        block.at = layer.size
        layer.size += (1 + count(down_squares(layer, block))) * block.values


cdef inline uint16_t down_squares(const Layer* layer, const Block* block) noexcept nogil:
    """Where a face-down card may lie: one was banished, and a free square must be left."""
    cdef int cards = block.mine_count + block.theirs_count
    if cards == layer.ply or cards == SQUARES - 1:
        return 0
    return FULL & ~(block.mine | block.theirs)


cdef inline int64_t castles_at(
    const Layer* layer, const Block* block, int my_castle, int their_castle
) noexcept nogil:
    """Offset by Castles: 0 in hand, else 1 + rank of its square among those that face its side.

    First come both in hand, then mine alone on the board, theirs alone, both.
    """
    if my_castle == 0 and their_castle == 0:
        return 0
    cdef int64_t at = layer.pairs[0][0]
    if their_castle == 0:
        return at + (my_castle - 1) * layer.pairs[1][0]
    at += block.mine_count * layer.pairs[1][0]
    if my_castle == 0:
        return at + (their_castle - 1) * layer.pairs[0][1]
    at += block.theirs_count * layer.pairs[0][1]
    return at + ((my_castle - 1) * block.theirs_count + their_castle - 1) * layer.pairs[1][1]


cdef inline int rank_of(uint16_t square, uint16_t among) noexcept nogil:
    """0 for no square, else 1 + how many of the squares come before it."""
    return 1 + count(among & (square - 1)) if square else 0


cdef inline int count(uint16_t squares) noexcept nogil:
    return _bits[squares]


cdef inline const Block* block_of(const Layer* layer, const Board* b) noexcept nogil:
    return &layer.block[_class[_ternary[b.mine] + 2 * _ternary[b.theirs]]]


cdef inline int64_t board_at(const Layer* layer, const Board* b) noexcept nogil:
    """Where the hand pairs of a board begin in its layer; -1 if the layer lacks it."""
    cdef int ternary = _ternary[b.mine] + 2 * _ternary[b.theirs]
    cdef const Block* block = block_of(layer, b)
    cdef const uint16_t* image = _image[_to_class[ternary]]
    if block.at < 0:
        return -1
    return (
        block.at
        + rank_of(image[b.down], FULL & ~(block.mine | block.theirs)) * <int64_t>block.values
        + castles_at(layer, block, rank_of(image[b.castles & b.mine], block.mine),
                     rank_of(image[b.castles & b.theirs], block.theirs))
    )


cdef int64_t value_at(const Board* b, int* ply) noexcept nogil:
    """Layer of a consistent position and where its value stands there; -1 if it has no place."""
    cdef int cards = count_bits(b.hand), other_cards = count_bits(b.other_hand)
    cdef uint16_t my_castles = b.castles & b.mine, their_castles = b.castles & b.theirs
    cdef bint castle_held = b.hand >> CASTLE, castle_with_other = b.other_hand >> CASTLE
    cdef const Layer* layer
    cdef int64_t at
    # As many cards each after an odd number of plies: the starter played the Citizen too.
    ply[0] = 15 - cards - other_cards
    if (b.hand | b.other_hand) >> CITIZEN & 1 or not 1 <= ply[0] < LAYERS:
        return -1
    layer = &_layers[ply[0]]
    if (
        cards != layer.hand or other_cards != layer.other_hand
        or my_castles & (my_castles - 1) or their_castles & (their_castles - 1)
        or castle_held == (my_castles != 0) or castle_with_other == (their_castles != 0)
        or b.down & (b.down - 1)
        or b.down and not down_squares(layer, block_of(layer, b))
    ):
        return -1
    at = board_at(layer, b)
    if at < 0:
        return -1
    return (at + _rank[b.other_hand >> KING & (HANDS - 1)] * hand_count(cards - castle_held)
            + _rank[b.hand >> KING & (HANDS - 1)])


# _hand_count is filled by counting hands, so hands come first.
_fill_hands()
_fill_classes()
for _ply in range(1, LAYERS):
    _fill_layer(_ply)

# -- the minimax step -----------------------------------------------------------------------------


cdef struct Reply:                  # to one move, for all hand pairs at once
    const uint8_t* values           # of the position after it
    uint8_t* least                  # where to note them, if lower
    int size


cdef struct Replies:
    # By card played: the least value, over its moves, for the side that moves next.
    # Shape: [card][rank of the mover's remaining hand][rank of the other hand], without gaps.
    uint8_t least[CARDS][REPLIES + PADDING]
    Reply pending[MOST_LEGAL]       # one a move: fewer than that, since the King adds none
    int pending_count
    const RuleSet* rules
    const Layer* layer              # of the positions after the move; NULL after the last layer
    const uint8_t* values


cdef inline void lower(uint8_t* least, const uint8_t* values, int size) noexcept nogil:
    cdef int i
    for i in range((size + VECTOR - 1) & -VECTOR):
        least[i] = min(least[i], values[i])


cdef void consider(Replies* replies, int card, int size, const Board* b, Move m) noexcept nogil:
    """Note one move as pending, and fetch its values from memory meanwhile."""
    cdef Board child = play(b, replies.rules, m)
    cdef uint8_t* least = replies.least[card]
    cdef const uint8_t* values
    cdef uint8_t final
    cdef int64_t at
    cdef int i
    if is_over(&child):
        final = margin(&child) + SQUARES
        for i in range(size):
            least[i] = min(least[i], final)
    elif replies.layer != NULL:
        at = board_at(replies.layer, &child)
        if at >= 0:
            values = replies.values + at
            for i in range(0, size, 64):            # bytes of a cache line
                prefetch_line(values + i)
            replies.pending[replies.pending_count] = Reply(values, least, size)
            replies.pending_count += 1


cdef void settle(Replies* replies) noexcept nogil:
    """Lower the replies to all pending moves."""
    cdef int i
    for i in range(replies.pending_count):
        lower(replies.pending[i].least, replies.pending[i].values, replies.pending[i].size)
    replies.pending_count = 0


cdef void consider_square(
    Replies* replies, const Board* b, int square, int size, int castle_size
) noexcept nogil:
    """All moves to one square. `size` 0: no figure left to play; `castle_size` 0: no Castle.

    Slots are left at 0: `play` looks at what is hit, not at how the move is written.
    """
    cdef const RuleSet* r = replies.rules
    cdef uint16_t hittable = targets(b), hits, hit
    cdef uint16_t banishable = hittable if may_banish(b) else 0
    cdef int slot, card
    if castle_size:
        consider(replies, CASTLE, castle_size, b, Move(CASTLE, square, 0, 0))
    if size == 0:
        return
    consider(replies, NO_EFFECT, size, b, Move(KING, square, 0, 0))
    for card in range(QUEEN, CASTLE):       # not the King: two other banishers cover him
        hits = r.single[card][square] & (banishable if r.banishes[card] else hittable)
        while hits:
            hit = hits & -hits
            hits ^= hit
            consider(replies, card, size, b, Move(card, square, 0, hit))
        for slot in range(1, r.slots[card] + 1):
            hit = r.reach[card][square][slot] & hittable
            if hit:
                consider(replies, card, size, b, Move(card, square, 0, hit))


cdef void solve_board(
    Replies* replies, const Layer* layer, const Board* b, uint8_t* out
) noexcept nogil:
    """Values of one board for all hand pairs, from those of the next layer."""
    cdef bint castle_held = b.castles & b.mine == 0
    cdef int hand = layer.hand - castle_held
    cdef int others = hand_count(layer.other_hand - (b.castles & b.theirs == 0))
    cdef int size = hand_count(hand - 1) * others
    cdef uint16_t squares = free_squares(b)
    cdef int card
    if hand_count(hand) * others == 0:
        return
    for card in range(CARDS):
        memset(replies.least[card], HIGHEST, hand_count(hand) * others if card == CASTLE else size)
    while squares:
        consider_square(replies, b, lowest_bit(squares), size,
                        hand_count(hand) * others if castle_held else 0)
        squares &= squares - 1
    settle(replies)
    for card in range(QUEEN, CASTLE):
        lower(replies.least[card], replies.least[NO_EFFECT], size)
    lower(replies.least[KING], replies.least[GENERAL], size)
    lower(replies.least[KING], replies.least[MAGICIAN], size)
    combine(replies, hand, castle_held, others, out)


cdef inline void combine(
    const Replies* replies, int size, bint castle_held, int others, uint8_t* out
) noexcept nogil:
    """The best card of each hand. Turns the arrays round: rows of `out` are the other hands."""
    cdef uint8_t[ROW] row
    cdef const uint8_t* least
    cdef int hands = hand_count(size), rank, hand, card, i
    for rank in range(hands):
        hand = _hand[size][rank]
        if castle_held:
            least = replies.least[CASTLE] + rank * others
            for i in range(ROW):
                row[i] = least[i]
        else:
            memset(row, HIGHEST, ROW)
        for card in range(KINDS):
            if hand >> card & 1:
                least = replies.least[KING + card] + _rank[hand & ~(1 << card)] * others
                for i in range(ROW):
                    row[i] = min(row[i], least[i])
        for i in range(others):
            out[i * hands + rank] = HIGHEST - row[i]


cdef void solve_block(
    Replies* replies, const Layer* layer, const Block* block, uint8_t* out
) noexcept nogil:
    """All boards of one class, in the order of the index."""
    cdef uint16_t[SQUARES + 1] downs, my_castles, their_castles
    cdef int down_count = choices(down_squares(layer, block), downs), i, j, k
    cdef Board b
    choices(block.mine, my_castles)
    choices(block.theirs, their_castles)
    for i in range(down_count):
        for j in range(block.mine_count + 1):
            for k in range(block.theirs_count + 1):
                b = Board(block.mine, block.theirs, my_castles[j] | their_castles[k], downs[i],
                          0, 0)
                solve_board(replies, layer, &b, out + castles_at(layer, block, j, k))
        out += block.values


cdef int choices(uint16_t squares, uint16_t* out) noexcept nogil:
    """No square, then each of them in ascending order. Returns how many that makes."""
    cdef int n = 1
    out[0] = 0
    while squares:
        out[n] = squares & -squares
        squares &= squares - 1
        n += 1
    return n


cdef class Layers:
    """Solves one rule set, last layer first, two layers in memory at a time.

    For ply from `LAST_PLY` down to 1: `begin(ply)`, then `solve(chunk)` for every chunk below
    `CHUNKS`, in any order and from any thread, then `pack` what came out.
    """

    cdef const RuleSet* rules
    cdef uint8_t* current
    cdef uint8_t* following
    cdef int ply

    def __cinit__(self, bint queen_adjacent=False, bint ending_occupied=False):
        cdef int64_t largest = max([_layers[ply].size for ply in range(1, LAYERS)])
        self.rules = rule_set(queen_adjacent, ending_occupied)
        self.ply = LAYERS
        self.current = <uint8_t*>large_malloc(largest + PADDING)
        self.following = <uint8_t*>large_malloc(largest + PADDING)
        if self.current == NULL or self.following == NULL:
            raise MemoryError(f"no memory for two layers of {largest:,} bytes")

    def __dealloc__(self):
        free(self.current)
        free(self.following)

    def begin(self, int ply):
        """Start on a layer: the one before the last begun."""
        if ply != self.ply - 1 or ply < 1:
            raise ValueError(f"layer {ply} does not come after layer {self.ply}")
        self.ply = ply
        self.current, self.following = self.following, self.current
        memset(self.current + _layers[ply].size, 0, PADDING)    # whole vectors read so far

    cdef int require_begun(self) except -1:
        if self.ply == LAYERS:
            raise ValueError("no layer was begun")
        return 0

    def solve(self, int chunk):
        cdef const Layer* layer
        cdef const Block* block
        cdef Replies replies
        cdef int which
        self.require_begun()
        if not 0 <= chunk < CHUNK_COUNT:
            raise ValueError(f"no chunk {chunk} of {CHUNK_COUNT}")
        layer = &_layers[self.ply]
        with nogil:
            replies.rules = self.rules
            replies.pending_count = 0
            replies.layer = layer + 1 if self.ply < LAYERS - 1 else NULL
            replies.values = self.following
            for which in range(CLASSES):
                block = &layer.block[which]
                if which % CHUNK_COUNT == chunk and block.at >= 0:
                    solve_block(&replies, layer, block, self.current + block.at)

    def pack(self, uint8_t[::1] out not None, int part, int parts):
        """Write one of several parts of the finished layer as it is kept in a table.

        With ending="face-up" margins are odd, so halves of the bytes do: two values a byte, the
        first in the low half. Else one value a byte.
        """
        cdef int64_t size, start, end, i
        self.require_begun()
        size = packed_size(self.rules, _layers[self.ply].size)
        if out.shape[0] != size or not 0 <= part < parts:
            raise ValueError(f"a layer of {size} bytes, part {part} of {parts}")
        start = size * part // parts
        end = size * (part + 1) // parts
        cdef const uint8_t* values = self.current
        with nogil:
            if self.rules.occupied:
                for i in range(start, end):
                    out[i] = values[i]
            else:
                for i in range(start, end):     # a last odd value is paired with padding
                    out[i] = values[2 * i] >> 1 | (values[2 * i + 1] >> 1) << 4


cdef int64_t packed_size(const RuleSet* rules, int64_t values) noexcept nogil:
    return values if rules.occupied else (values + 1) // 2


def layer_bytes(bint ending_occupied):
    """Bytes of each packed layer, plies 0 to 14; there is no layer 0."""
    cdef const RuleSet* rules = rule_set(False, ending_occupied)
    return [packed_size(rules, _layers[ply].size) for ply in range(LAYERS)]


