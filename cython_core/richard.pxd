# Richard I: the rules. Source: the rulebook by section (§) and RULES.md.
#
# A state is one Table: all that the rules need, without a pointer to anything but the numbers
# that the game is played by. What is to happen stands on an agenda, a stack of tasks, and the
# game rests whenever the task on top needs a player's decision or a card from a deck.

from libc.stdint cimport int16_t, int32_t, uint8_t, uint16_t, uint32_t, uint64_t

from cython_core.game cimport Game, Shape


cdef enum:
    SEATS = 8
    COLOURS = 6             # blue, yellow, purple, white, red, green: in this order everywhere
    CHARACTERS = 8
    COUNSELORS = 14
    EVENTS = 18
    AGENDA = 48             # most tasks at a time
    MOST_EDGES = 84         # a contribution: multisets of up to three of six colours
    ACTIONS = 204
    NOBODY = 255            # no seat, no side, no character


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


cdef struct Task:
    uint8_t what            # see richard.pyx
    uint8_t seat
    uint8_t a, b            # by task


cdef struct Table:
    const Numbers* numbers
    Task agenda[AGENDA]
    int16_t points[SEATS]
    uint16_t counselors[SEATS]      # held: sets of bits 1 to 14
    uint16_t counselor_deck[2]      # by side
    uint32_t event_deck     # a set of bits 1 to 18
    uint8_t hand[SEATS][COLOURS]
    uint8_t supply[COLOURS]
    uint8_t reserve[COLOURS]
    uint8_t crusade[COLOURS]
    uint8_t revealed[COLOURS]
    uint8_t offer[SEATS]
    uint8_t side[SEATS]     # NOBODY before the choice
    uint8_t character[SEATS]        # of this turn
    uint8_t former[SEATS]   # of last turn
    uint8_t loyalty[2]      # cards left
    uint8_t uncounted[2]    # red and green cards that counselor 13 keeps out of the comparison
    uint8_t tasks
    uint8_t first, turn, event      # event: 0 for none
    uint8_t time, crusaders, saladin, treasury
    uint8_t ending          # 0 while the game goes on, 1 to 4 for A to D


cdef class Richard(Game):
    cdef Table table
    cdef Numbers numbers    # of this object; a clone keeps its original alive instead
    cdef Richard original
