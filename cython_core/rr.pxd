# RR: the rules, over bitboards, relative to the side to move.
#
#   bit of a square          name of a square
#   3 | 6  7  8              3 | a3 b3 c3        n = towards rank 3
#   2 | 3  4  5              2 | a2 b2 c2
#   1 | 0  1  2              1 | a1 b1 c1        Regality sits below rank 1
#       a  b  c
#
# What a card is matters only while it is in a hand; on the board only whom it faces, and
# whether it is a Castle. So four sets of squares and two hands are the whole position.

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t

from cython_core.game cimport Game, Shape


cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define rr_lowest_bit(x) __builtin_ctz(x)
    #else
    static int rr_lowest_bit(unsigned x) { int i = 0; while (!((x >> i) & 1)) i++; return i; }
    #endif
    """
    int lowest_bit "rr_lowest_bit"(unsigned int x) noexcept nogil   # x must not be 0


cdef enum:
    SQUARES = 9
    FULL = 0x1FF            # all nine squares
    SLOTS = 10              # slot 0: no effect; 1..9: which effect, see RuleSet
    ACTIONS = 720           # action id = (card * SQUARES + square) * SLOTS + slot
    MOST_LEGAL = 369        # 9 squares, and at most 41 moves a square (1+8 K, M, Q; 1+4 G, W; ...)
    LONGEST = 15            # every card is played at most once
    SYMMETRIES = 8          # of the square board; symmetry 0 is the identity


cdef enum:                  # cards in hand order; a hand is a set of `1 << card`
    CITIZEN, KING, QUEEN, PRINCESS, MINISTER, GENERAL, MAGICIAN, CASTLE, CARDS


cdef struct Board:          # a decision (or a finished game), seen by the side to move
    uint16_t mine           # face-up cards that face the side to move
    uint16_t theirs         # face-up cards that face the other side
    uint16_t castles        # which of them are Castles
    uint16_t down           # the face-down card, if any: banished by the other side just now
    uint8_t hand            # of the side to move
    uint8_t other_hand


cdef struct Move:
    uint8_t card
    uint8_t square
    uint8_t slot
    uint16_t hit            # the cards that the effect really changes; 0 without effect


cdef struct RuleSet:
    # § Card Effects. What slot 1.. of a card on a square reaches: one adjacent square for
    # K G W M (slot - 1 is the square), a set of squares for Q and P.
    uint16_t reach[CARDS][SQUARES][SLOTS]
    uint16_t single[CARDS][SQUARES]     # K G W M: the squares of which ONE may be hit
    uint8_t slots[CARDS]                # Q P: the number of sets; 0 for all others
    bint banishes[CARDS]
    bint occupied                       # house variant ending="occupied"


cdef const RuleSet* rule_set(bint queen_adjacent, bint ending_occupied) noexcept nogil
cdef const uint16_t* symmetry(int which) noexcept nogil     # [512] set of squares -> its image


cdef inline int count_bits(unsigned int squares) noexcept nogil:
    # Nine bits at most. Without a popcount instruction in the baseline this beats the builtin.
    squares -= squares >> 1 & 0x155
    squares = (squares & 0x133) + (squares >> 2 & 0x133)
    return (squares + (squares >> 4) + (squares >> 8)) & 15


cdef inline uint16_t free_squares(const Board* b) noexcept nogil:
    # § Banishing Cards: a face-down card still fills its square.
    return FULL & ~(b.mine | b.theirs | b.down)


cdef inline bint is_over(const Board* b) noexcept nogil:
    # § Game End. `play` keeps this true for both endings.
    return (b.mine | b.theirs | b.down) == FULL


cdef inline int margin(const Board* b) noexcept nogil:
    # Ruling "Value": allies less enemies; a face-down card counts for nobody.
    return count_bits(b.mine) - count_bits(b.theirs)


cdef inline uint8_t playable(const Board* b) noexcept nogil:
    # § Preparations 5: whoever holds the Citizen must open with it.
    return (1 << CITIZEN) if b.hand & (1 << CITIZEN) else b.hand


cdef inline uint16_t targets(const Board* b) noexcept nogil:
    # § Card Effects, Castle: neither turned nor banished. § Banishing Cards: face down is immune.
    return (b.mine | b.theirs) & ~b.castles


cdef inline bint may_banish(const Board* b) noexcept nogil:
    # § Banishing Cards, "Important": not from the last free square.
    cdef uint16_t free = free_squares(b)
    return (free & (free - 1)) != 0


cdef inline int generate(const Board* b, const RuleSet* r, Move* out) noexcept nogil:
    # All legal moves by ascending action id. Ruling "no duplicates": an effect that changes no
    # card is no move of its own.
    cdef int n = 0, card, square, slot
    cdef uint8_t hand = playable(b)
    cdef uint16_t hittable = targets(b), hit, free
    cdef uint16_t banishable = hittable if may_banish(b) else 0
    while hand:
        card = lowest_bit(hand)
        hand &= hand - 1
        free = free_squares(b)
        while free:
            square = lowest_bit(free)
            free &= free - 1
            out[n] = Move(card, square, 0, 0)
            n += 1
            hit = r.single[card][square] & (banishable if r.banishes[card] else hittable)
            while hit:
                out[n] = Move(card, square, 1 + lowest_bit(hit), hit & -hit)
                n += 1
                hit &= hit - 1
            for slot in range(1, r.slots[card] + 1):
                hit = r.reach[card][square][slot] & hittable
                if hit:
                    out[n] = Move(card, square, slot, hit)
                    n += 1
    return n


cdef inline Board play(const Board* b, const RuleSet* r, Move m) noexcept nogil:
    # One turn (§ How to Play), up to and including the first step of the other side's turn.
    cdef uint16_t placed = 1 << m.square
    cdef uint16_t mine = b.mine | placed, theirs = b.theirs, down = 0
    if r.banishes[m.card]:          # § Banishing Cards
        mine &= ~m.hit
        theirs &= ~m.hit
        down = m.hit
    else:                           # § Turning Cards
        mine ^= m.hit
        theirs ^= m.hit
    if r.occupied and free_squares(b) == placed:
        down = b.down               # ending="occupied": over, the board stays as it lies
    # § Banishing Cards: b.down leaves now, its banisher is to move next. Then change sides.
    return Board(theirs, mine, b.castles | (placed if m.card == CASTLE else 0), down,
                 b.other_hand, b.hand & ~(1 << m.card))


cdef inline int action_of(Move m) noexcept nogil:
    return (m.card * SQUARES + m.square) * SLOTS + m.slot


cdef inline Move move_of(const Board* b, const RuleSet* r, int action) noexcept nogil:
    cdef Move m
    m.slot = action % SLOTS
    m.square = action // SLOTS % SQUARES
    m.card = action // (SLOTS * SQUARES)
    m.hit = r.reach[m.card][m.square][m.slot] & targets(b)
    return m


cdef inline uint64_t pack(const Board* b) noexcept nogil:
    # 52 bits, one to one: mine, theirs, castles, down (9 each), hand, other_hand (8 each).
    return (b.mine | <uint64_t>b.theirs << 9 | <uint64_t>b.castles << 18 | <uint64_t>b.down << 27
            | <uint64_t>b.hand << 36 | <uint64_t>b.other_hand << 44)


cdef struct State:                  # one copy of this is one copy of the game
    const RuleSet* rules
    Board board
    int side                        # seat to move: 0 Regality, 1 Religion
    uint8_t figure[SQUARES]         # the card on each square with a face-up one: for people only


cdef class RR(Game):
    cdef State at
