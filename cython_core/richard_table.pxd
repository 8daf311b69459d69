# Richard I: the rules. Source: the rulebook by section (§) and RULES.md.
#
# A state is one Table: all that the rules need, without a pointer to anything but the numbers
# that the game is played by. What is to happen stands on an agenda, a stack of tasks, and the
# game rests whenever the task on top needs a player's decision or a card from a deck.

from libc.stdint cimport int8_t, int16_t, uint8_t, uint16_t, uint32_t, uint64_t


cdef enum:
    SEATS = 8
    COLOURS = 6             # blue, yellow, purple, white, red, green: in this order everywhere
    CHARACTERS = 8
    COUNSELORS = 14
    EVENTS = 18
    AGENDA = 48             # most tasks at a time
    MOST_EDGES = 84         # contributions
    ACTIONS = 212
    CONTRIBUTIONS = 84      # multisets of up to three colours
    NOBODY = 255            # no seat, no side, no character
    MOST_LINES = 4          # of a card's text

cdef enum:
    BLUE, YELLOW, PURPLE, WHITE, RED, GREEN

cdef enum:
    JOHN, RICHARD

cdef enum:
    EXCISEMAN, INQUISITOR, MERCHANT, SPY, ARMS, REGENT, CHANCELLOR, BANDIT

cdef enum:
    BOTH = 2                # sides

cdef enum:
    TIME, CRUSADERS, SALADIN, TREASURY

cdef enum:                  # what a comparison says
    WON, LOST, DRAWN, SLOWED, HASTENED, ROSE, FELL

cdef enum:
    EVENTS_OFF, EVENTS_SHUFFLED, EVENTS_HISTORICAL

cdef enum:                  # first id of each kind of move; RULES.md has the table
    SIDE_MOVES = 0
    CHARACTER_MOVES = 2
    OPTION_MOVES = 10
    COLOUR_MOVES = 13
    PLAYER_MOVES = 19
    PLAYER_COLOUR_MOVES = 27
    OFFER_MOVES = 75
    GIVE_MOVES = 112
    COUNSELOR_MOVES = 195   # and the counselor's number
    PASS_MOVE = 210
    RETURN_MOVE = 211

cdef enum:                  # tasks that rest until a card is turned
    DEAL, DRAW, COUNSELOR, EVENT, REVEAL
cdef enum:                  # tasks that rest until a player has decided
    LOYALTY = 8, PLACE, OPTION, CONTRIBUTE, UNCOUNT, GIVE_BACK, COLOUR, PLAYER, PLAYER_COLOUR, OFFER
cdef enum:                  # tasks that are carried out at once
    FORM_CRUSADE = 32, BEGIN_TURN, BONUS, BEGIN_REVEAL, BEGIN_UNCOUNT, COMPARE, EVENT_EFFECT
    END_TURN, SETTLE_TAX, SETTLE_TOURNAMENT

cdef enum:                  # why a colour is chosen
    TAKE_ONE, TAKE_ANOTHER, PAY_BANDIT, LOOT, REPAY, CASH
cdef enum:                  # why a player is chosen
    INQUIRE, ROB

cdef enum:                  # when a counselor is used; engines/richard_cards.py has the same codes
    END, ACTION, CONTRIBUTION, AFTER_REVEAL, INFLUENCE
cdef enum:                  # on what condition a line of a card holds
    ALWAYS, ENDING, AT_LEAST, AT_MOST, ABOVE, HAPPENED, NOT_HAPPENED
cdef enum:                  # what a line of a card does
    POINTS, POINTS_PER, TAKE, CHOOSE, DRAW_CARDS, SWAP, RETURN_ALIKE, ONE_MORE, IGNORE, REPEAT
    TRACK, SIDE, RETURN_ONE, EACH_DRAWS


cdef struct Line:           # of the text of a counselor or an event
    uint8_t condition
    uint8_t left, right     # by condition
    uint8_t effect
    int8_t amount
    uint8_t a, b, c         # by effect


cdef struct Card:
    uint8_t when            # of a counselor
    uint8_t lines
    Line line[MOST_LINES]


cdef struct Numbers:        # what the game is played by; data, not rules
    int players
    bint counselors         # house counselors in play
    int events              # EVENTS_OFF, EVENTS_SHUFFLED, EVENTS_HISTORICAL
    int hand                # cards dealt to each player
    int supply[COLOURS]
    int reserve[COLOURS]    # before the Crusade deck is taken from it
    int crusade_base[COLOURS]
    int crusade_per_side[2][COLOURS]    # for each player of a side
    int sides[2]            # loyalty cards: John, Richard
    int characters          # in play, a set
    int contributed
    int revealed
    int time, crusaders, saladin, treasury
    bint placing_bonus
    int last_slow_turn
    Card counselor[2][COUNSELORS + 1]   # by side and number
    Card event[EVENTS + 1]
    uint16_t used[2][INFLUENCE + 1]     # by side and `when`: sets of counselors
    int ignorable           # the set of colours that some counselor keeps from being counted


cdef struct Pile:
    uint8_t count[COLOURS]
    uint16_t size           # cards in all


cdef struct Task:
    uint8_t what
    uint8_t seat
    uint8_t a, b            # by task


cdef struct Table:
    const Numbers* numbers
    Task agenda[AGENDA]
    int16_t points[SEATS]
    uint16_t counselors[SEATS]      # held: sets of bits 1 to 14
    uint16_t counselor_deck[2]      # by side
    uint32_t event_deck     # a set of bits 1 to 18
    Pile hand[SEATS]
    Pile supply
    Pile reserve
    Pile crusade
    Pile revealed
    uint8_t offer[SEATS]
    uint8_t side[SEATS]     # NOBODY before the choice
    uint8_t character[SEATS]        # of this turn
    uint8_t former[SEATS]   # of last turn
    uint8_t loyalty[2]      # cards left
    uint8_t uncounted[COLOURS]      # revealed cards that a counselor keeps from being counted
    uint8_t tasks
    uint8_t first, turn, event      # event: 0 for none
    uint8_t formed          # how often the supply was formed anew
    uint8_t time, crusaders, saladin
    uint16_t treasury
    uint8_t ending          # 0 while the game goes on, 1 to 4 for A to D


cdef struct Log:            # what the seats have learned; needed for keys, not for play
    uint64_t key[SEATS]     # labels before the present run, folded
    uint64_t run[SEATS]     # those of the run
    uint8_t what, seat, formed      # which run that is; NOBODY: one that is over
