# Charlemagne: the rules. Source: the rulebook by section (§) and RULES.md.
#
# A state is one Table: all that the rules need, without a pointer to anything but the numbers
# that the game is played by. A game goes round by round, in a round from noble to noble, and rests
# at the steps below, which are the nodes of RULES.md by their names there.

from libc.stdint cimport uint8_t, uint32_t, uint64_t


cdef enum:
    SEATS = 4
    KINDS = 4               # barley, riches, serf, knight: in this order everywhere
    PROBLEMS = 4
    CARDS = 25
    CASTLE = 6              # most pieces of the castle
    DRAWN = 12              # most pieces of one draw: half of the largest storage, 25
    LATER = 64              # most pieces of all kinds
    MOST_EDGES = 13         # cards of a hand and `pass`; outcomes when 12 pieces are drawn
    ACTIONS = 83

cdef enum:
    BARLEY, RICHES, SERF, KNIGHT

cdef enum:                  # the agenda cards: 6 a problem, and the first year's
    CARDS_PER_PROBLEM = 6
    CASTLE_CARDS = 4        # the first of them among a problem's six
    MILLENNIUM = 24

cdef enum:                  # first id of each kind of move; RULES.md has the table
    CARD_MOVES = 0
    KIND_MOVES = 25
    STOP_MOVE = 29
    PASS_MOVE = 30
    KING_MOVES = 31         # a privilege from the King
    HOLDER_MOVES = 35       # a privilege from a player: 4 a kind
    DEFEND_MOVE = 51
    YIELD_MOVE = 52
    YIELD_BUILDER_MOVE = 53
    HUT_MOVE = 54
    BUILDER_MOVE = 55
    FORAGE_MOVES = 56
    BRIBE_MOVES = 60
    END_MOVE = 64
    RANDOM_MOVE = 65
    DECLINE_MOVE = 66
    ASK_MOVES = 67
    NUMBER_MOVES = 70       # and the number, from 1

cdef enum:                  # steps that rest until pieces or cards have come by chance
    START, LOOT, HARVEST, EXTRA, ALMS       # draws: one kind after the other
    CARD, INCOME
cdef enum:                  # steps that rest until a player has decided
    LEAD = 8, CHANGE, BID, REWARD, RULE, RAID, FARMSTEAD, MERCY, NUMBER, GIFT, CHURCH
    OVER

cdef enum:                  # rounds, in their order; the last is followed by CAMPAIGN
    SETTING_UP, DEALING, CAMPAIGN, SUMMER, CALLS, TAXATION, INCOMES, MERCIES, CHURCH_TAXES
    CONGREGATION            # the next year's Winter: the first year has none


cdef struct Pile:
    uint8_t count[KINDS]


cdef struct Numbers:        # what the game is played by; data, not rules
    int players
    bint calls              # farmstead = "choice": its piece may be called out
    Pile pieces
    Pile privileges
    int all_privileges
    int castle_pieces
    int castle[CASTLE]      # points
    int huts, huts_start
    int start
    int storage_limit, mercy_limit
    int loot
    int farmstead_income
    int value[PROBLEMS][KINDS]
    uint32_t cards          # the dealt ones, a set
    int hand                # how many each player gets
    int first_card
    int first_kind, last_kind       # in play
    int longest             # most moves and outcomes in one game


cdef struct Table:
    const Numbers* numbers
    uint32_t hand[SEATS]    # sets of cards
    uint32_t undealt        # cards
    uint32_t solved         # cards
    Pile storage[SEATS]
    Pile bid[SEATS]         # but the last raise
    Pile raised[SEATS]      # the last raise
    Pile stock
    Pile privileges[SEATS]
    Pile king               # privileges that nobody holds
    uint8_t huts[SEATS]     # with builders and without
    uint8_t builders[SEATS]
    uint8_t points[SEATS]   # at most 6 pieces x 9 x 4, and 1 for each other card
    uint8_t step, seat      # what the game waits for, and whom
    uint8_t round, turn     # turn 0 is that of the noble who is first in this round
    uint8_t first
    uint8_t year            # from 1
    uint8_t card            # on the table
    uint8_t opener          # who laid it
    uint8_t winner          # of the last campaign
    uint8_t built           # castle pieces
    uint8_t passed          # a set of seats: out of this year's bidding
    uint8_t laid            # whether the bidder has laid something this turn
    uint8_t kind            # drawn now, or laid last
    uint8_t due             # pieces still to draw
    uint8_t plundered       # a set of seats: in this turn
    uint8_t settled         # a builder was assigned, and no forage or bribe chosen since
    uint8_t poor            # a set of seats: only the farmstead gives them income this year
    uint8_t donor           # of Mercy


cdef struct Log:            # what the seats have learned; needed for keys, not for play
    uint64_t key[SEATS]     # all labels, folded
