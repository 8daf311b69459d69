# cython: cdivision=True
"""Richard I, the rules: one state of the game. Source: the rulebook by section (§) and RULES.md.

The state is one flat struct (``richard.pxd``); nothing is allocated while playing.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t
from libc.string cimport memcpy, memset

from cython_core.errors import IllegalMove
from cython_core.game cimport CHANCE, TERMINAL

cdef enum:
    BLUE, YELLOW, PURPLE, WHITE, RED, GREEN

cdef enum:
    JOHN, RICHARD

cdef enum:
    EXCISEMAN, INQUISITOR, MERCHANT, SPY, ARMS, REGENT, CHANCELLOR, BANDIT

cdef enum:
    EVENTS_OFF, EVENTS_SHUFFLED, EVENTS_HISTORICAL

cdef enum:
    HISTORICAL_EVENTS = 12          # the numbered cards, in their order
    MOST_TIME = 12                  # ruling: every track is clamped after every single change
    MOST_ARMY = 10
    REFILL = 5                      # § Setup, note: of each colour
    CONTRIBUTIONS = 84

cdef enum:                          # first id of each kind of move; RULES.md has the table
    SIDE_MOVES = 0
    CHARACTER_MOVES = 2
    OPTION_MOVES = 10
    COLOUR_MOVES = 13
    PLAYER_MOVES = 19
    PLAYER_COLOUR_MOVES = 27
    OFFER_MOVES = 75
    GIVE_MOVES = 112
    COUNSELOR_MOVES = 196
    PASS_MOVE = 201
    UNCOUNT_MOVE = 202
    RETURN_MOVE = 203

cdef enum:                          # tasks that rest until a card is turned
    DEAL, DRAW, COUNSELOR, EVENT, REVEAL
cdef enum:                          # tasks that rest until a player has decided
    LOYALTY = 8, PLACE, OPTION, CONTRIBUTE, UNCOUNT, GIVE_BACK, COLOUR, PLAYER, PLAYER_COLOUR, OFFER
cdef enum:                          # tasks that are carried out at once
    FORM_CRUSADE = 32, BEGIN_TURN, BONUS, BEGIN_REVEAL, BEGIN_UNCOUNT, COMPARE, EVENT_EFFECT
    END_TURN, SETTLE_TAX, SETTLE_TOURNAMENT

cdef enum:                          # why a colour is chosen
    TAKE_ONE, TAKE_ANOTHER, PAY_BANDIT, LOOT, REPAY, CASH
cdef enum:                          # why a player is chosen
    INQUIRE, ROB

# Multisets of up to three colours, by size and then in dictionary order.
cdef uint8_t _gift[CONTRIBUTIONS][COLOURS]
cdef int _gift_size[CONTRIBUTIONS]
cdef int _gifts_from[5]             # first multiset of each size


cdef int _fill_gifts() except -1:
    from itertools import combinations_with_replacement

    cdef int n = 0, size, colour
    for size in range(4):
        _gifts_from[size] = n
        for colours in combinations_with_replacement(range(COLOURS), size):
            for colour in colours:
                _gift[n][colour] += 1
            _gift_size[n] = size
            n += 1
    _gifts_from[4] = n
    return 0


_fill_gifts()


# -- small things ---------------------------------------------------------------------------------

cdef inline int size_of(const uint8_t* cards) noexcept nogil:
    cdef int colour, n = 0
    for colour in range(COLOURS):
        n += cards[colour]
    return n


cdef inline int moved(uint8_t* source, uint8_t* target, int colour, int wanted) noexcept nogil:
    """Move min(wanted, there) cards of a colour; how many."""
    cdef int n = min(wanted, source[colour])
    source[colour] -= n
    target[colour] += n
    return n


cdef inline void push(Table* t, int what, int seat, int a, int b) noexcept nogil:
    t.agenda[t.tasks] = Task(what, seat, a, b)
    t.tasks += 1


cdef inline int own_colour(const Table* t, int seat) noexcept nogil:
    return RED if t.side[seat] == RICHARD else GREEN


cdef inline int foe_colour(const Table* t, int seat) noexcept nogil:
    return GREEN if t.side[seat] == RICHARD else RED


cdef inline bint holds(const Table* t, int seat, int counselor) noexcept nogil:
    return t.counselors[seat] >> counselor & 1


cdef inline void refill(Table* t) noexcept nogil:
    """§ Setup, note; ruling "Supply": the moment the last card leaves it."""
    cdef int colour
    if size_of(t.supply) == 0:
        for colour in range(COLOURS):
            moved(t.reserve, t.supply, colour, REFILL)


cdef inline uint8_t changed(int value, int by, int most) noexcept nogil:
    return max(0, min(most, value + by))


cdef inline void slow(Table* t) noexcept nogil:
    """Ruling "Length": after the last slow turn nothing raises time any more."""
    if t.turn <= t.numbers.last_slow_turn:
        t.time = changed(t.time, 1, MOST_TIME)


# -- the flow of the game -------------------------------------------------------------------------

cdef void set_up(Table* t, const Numbers* numbers) noexcept nogil:
    """§ Setup, in the order of the ruling."""
    cdef int colour, seat, n = numbers.players
    memset(t, 0, sizeof(Table))
    t.numbers = numbers
    for colour in range(COLOURS):
        t.supply[colour] = numbers.supply[colour]
        t.reserve[colour] = numbers.reserve[colour]
    for seat in range(SEATS):
        t.side[seat] = t.character[seat] = t.former[seat] = NOBODY
    for side in range(2):
        t.loyalty[side] = numbers.sides[side]
        t.counselor_deck[side] = (2 << COUNSELORS) - 2
    t.event_deck = (2 << EVENTS) - 2 if numbers.events else 0
    t.time, t.crusaders = numbers.time, numbers.crusaders
    t.saladin, t.treasury = numbers.saladin, numbers.treasury
    push(t, BEGIN_TURN, 0, 0, 0)
    push(t, FORM_CRUSADE, 0, 0, 0)
    if numbers.counselors:
        push_all(t, COUNSELOR, 0)
    push_all(t, LOYALTY, 0)
    push_all(t, DEAL, numbers.hand)
    settle(t)


cdef void push_all(Table* t, int what, int a) noexcept nogil:
    """One task for everybody, in turn order from the first player."""
    cdef int i, n = t.numbers.players
    for i in range(n - 1, -1, -1):
        push(t, what, (t.first + i) % n, a, 0)


cdef void settle(Table* t) noexcept nogil:
    """Carry out what needs nobody, until a task rests or the game is over."""
    cdef Task task
    while t.tasks and not rests(t):
        t.tasks -= 1
        task = t.agenda[t.tasks]
        if task.what >= FORM_CRUSADE:
            carry_out(t, task)


cdef bint rests(Table* t) noexcept nogil:
    """Whether the task on top is a node; those that are not are passed over."""
    cdef Task task = t.agenda[t.tasks - 1]
    if task.what >= FORM_CRUSADE:
        return False
    if task.what == DEAL or task.what == DRAW:
        refill(t)                       # tried again before the next draw
        return task.a > 0 and size_of(t.supply) > 0
    if task.what == COUNSELOR:
        return t.counselor_deck[t.side[task.seat]] != 0
    if task.what == EVENT:
        return t.event_deck != 0
    if task.what == REVEAL:
        return task.a > 0
    if task.what == OPTION:
        return payable(t, task.seat, 1) or payable(t, task.seat, 2) or t.counselors[task.seat]
    if task.what == COLOUR:
        return not (task.a == TAKE_ONE or task.a == TAKE_ANOTHER) or another_in_stock(t, task)
    if task.what == GIVE_BACK:
        return size_of(t.hand[task.seat]) > 0
    return True


cdef inline bint another_in_stock(const Table* t, Task task) noexcept nogil:
    cdef int colour
    for colour in range(COLOURS):
        if t.reserve[colour] and not (task.a == TAKE_ANOTHER and task.b == colour):
            return True
    return False


cdef void carry_out(Table* t, Task task) noexcept nogil:
    if task.what == FORM_CRUSADE:
        form_crusade(t)
    elif task.what == BEGIN_TURN:
        begin_turn(t)
    elif task.what == BONUS:            # § 2: the last player to place
        moved(t.reserve, t.hand[task.seat], GREEN, 1)
        push(t, COLOUR, task.seat, TAKE_ONE, 0)
    elif task.what == BEGIN_REVEAL:
        push(t, REVEAL, 0, min(t.numbers.revealed, size_of(t.crusade)), 0)
    elif task.what == BEGIN_UNCOUNT:
        begin_uncount(t)
    elif task.what == COMPARE:
        compare(t)
    elif task.what == EVENT_EFFECT:
        event_effect(t)
    elif task.what == SETTLE_TAX:
        settle_tax(t)
    elif task.what == SETTLE_TOURNAMENT:
        settle_tournament(t, task.seat)
    else:
        end_turn(t)


cdef void form_crusade(Table* t) noexcept nogil:
    """§ The Crusade deck."""
    cdef int colour, seat
    for colour in range(COLOURS):
        moved(t.reserve, t.crusade, colour, t.numbers.crusade_base[colour])
    for seat in range(t.numbers.players):
        for colour in range(COLOURS):
            moved(t.reserve, t.crusade, colour,
                  t.numbers.crusade_per_side[t.side[seat]][colour])


cdef void begin_turn(Table* t) noexcept nogil:
    """§ Turn Structure: the phases, the last one first."""
    t.turn += 1
    memcpy(t.former, t.character, SEATS)
    memset(t.character, NOBODY, SEATS)
    push(t, END_TURN, 0, 0, 0)
    push(t, EVENT_EFFECT, 0, 0, 0)
    push(t, COMPARE, 0, 0, 0)
    push(t, BEGIN_UNCOUNT, 0, 0, 0)
    push(t, BEGIN_REVEAL, 0, 0, 0)
    push_all(t, CONTRIBUTE, 0)
    push_all(t, OPTION, 0)
    if t.numbers.placing_bonus:
        push(t, BONUS, (t.first + t.numbers.players - 1) % t.numbers.players, 0, 0)
    push_all(t, PLACE, 0)
    push(t, EVENT, 0, 0, 0)


cdef void begin_uncount(Table* t) noexcept nogil:
    """Counselor 13: everybody who holds a counselor is asked, whichever it is."""
    cdef int i, seat, n = t.numbers.players
    if t.revealed[RED] + t.revealed[GREEN] == 0:
        return
    for i in range(n - 1, -1, -1):
        seat = (t.first + i) % n
        if t.counselors[seat]:
            push(t, UNCOUNT, seat, 0, 0)


cdef inline int battle(const Table* t) noexcept nogil:
    """Red less green cards that count."""
    return (t.revealed[RED] - t.uncounted[0]) - (t.revealed[GREEN] - t.uncounted[1])


cdef void compare(Table* t) noexcept nogil:
    """§ 5 - Outcome of the Crusade."""
    cdef int won = battle(t), rose = t.revealed[YELLOW] - t.revealed[WHITE]
    if won < 0:
        t.crusaders = changed(t.crusaders, won, MOST_ARMY)
    elif won > 0:
        t.saladin = changed(t.saladin, -won, MOST_ARMY)
    t.time = changed(t.time, -1, MOST_TIME)
    if t.revealed[PURPLE] > t.revealed[BLUE]:
        slow(t)
    elif t.revealed[BLUE] > t.revealed[PURPLE]:
        t.time = changed(t.time, -1, MOST_TIME)
    t.treasury = changed(t.treasury, rose, 255)


cdef void reward(Table* t, int side) noexcept nogil:
    cdef int seat
    for seat in range(t.numbers.players):
        if t.side[seat] == side:
            t.points[seat] += 1


cdef void event_effect(Table* t) noexcept nogil:
    """§ 6; ruling "House events". The comparison counts, not the marker."""
    cdef int won = battle(t), slowed = t.revealed[PURPLE] - t.revealed[BLUE]
    cdef int rose = t.revealed[YELLOW] - t.revealed[WHITE], event = t.event
    if event == 1 and slowed:
        reward(t, JOHN if slowed > 0 else RICHARD)
    elif event == 2 and rose > 0:
        t.treasury = changed(t.treasury, 1, 255)
    elif event == 3 and won > 0:
        t.saladin = changed(t.saladin, -1, MOST_ARMY)
    elif event == 4 and won <= 0:
        t.crusaders = changed(t.crusaders, -1, MOST_ARMY)
    elif event == 5 and won > 0:
        t.treasury = changed(t.treasury, -1, 255)
    elif (event == 6 or event == 11) and won:
        reward(t, RICHARD if won > 0 else JOHN)
    elif event == 7 and won >= 0:
        t.crusaders = changed(t.crusaders, 1, MOST_ARMY)
    elif event == 8 and won > 0:
        t.saladin = changed(t.saladin, -1, MOST_ARMY)
    elif (event == 8 or event == 13) and won < 0:
        t.crusaders = changed(t.crusaders, -1, MOST_ARMY)
    elif event == 9 and rose < 0:
        reward(t, JOHN)
    elif event == 10 and won > 0:
        t.treasury = changed(t.treasury, 2, 255)
    elif event == 12 and slowed > 0:
        slow(t)
    elif event == 12 and slowed < 0:
        t.time = changed(t.time, -1, MOST_TIME)
    elif event == 14 and rose > 0:
        t.crusaders = changed(t.crusaders, 1, MOST_ARMY)
    elif event == 15 and won < 0:
        t.saladin = changed(t.saladin, 1, MOST_ARMY)
    elif event == 16:
        push_all(t, GIVE_BACK, WHITE)
    elif event == 17:
        push_all(t, GIVE_BACK, YELLOW)
    elif event == 18:
        push_all(t, DRAW, 1)


cdef void end_turn(Table* t) noexcept nogil:
    """§ 6, last lines, and § End of the Game."""
    cdef int colour
    for colour in range(COLOURS):
        moved(t.revealed, t.reserve, colour, t.revealed[colour])
    memset(t.uncounted, 0, sizeof(t.uncounted))
    t.event = 0
    if t.crusaders == 0:
        t.ending = 1
    elif t.saladin == 0:
        t.ending = 2
    elif t.time == 0:
        t.ending = 3
    elif t.treasury == 0:
        t.ending = 4
    if t.ending:
        share_end(t)
        return
    t.first = (t.first + 1) % t.numbers.players
    push(t, BEGIN_TURN, 0, 0, 0)


cdef inline int favoured(const Table* t) noexcept nogil:
    """The side that an ending rewards: A and D John's, B and C Richard's."""
    return JOHN if t.ending == 1 or t.ending == 4 else RICHARD


cdef void share_end(Table* t) noexcept nogil:
    cdef int seat, players = 0, pot = 0
    for seat in range(t.numbers.players):
        players += t.side[seat] == favoured(t)
    if players:
        if t.ending == 1:
            pot = (8 + players - 1) // players
        elif t.ending == 2:
            pot = (t.treasury + players - 1) // players
        elif t.ending == 3:
            pot = (t.treasury + 2 * players - 1) // (2 * players)
        else:
            pot = (4 + players - 1) // players
    for seat in range(t.numbers.players):
        if t.side[seat] == favoured(t):
            t.points[seat] += pot
        t.points[seat] += end_scores(t, seat)


cdef int end_scores(const Table* t, int seat) noexcept nogil:
    """Ruling "House counselors", 1 to 6, on final tracks and the final hand."""
    cdef bint richard = t.side[seat] == RICHARD
    cdef int score = 0
    if holds(t, seat, 1) and t.ending == (2 if richard else 1):
        score += 3
    if holds(t, seat, 2) and t.ending == (3 if richard else 4):
        score += 3
    if holds(t, seat, 3):
        if richard:
            score += 3 if t.treasury >= 12 else 2 if t.treasury >= 8 else 0
        else:
            score += 3 if t.treasury <= 3 else 2 if t.treasury <= 6 else 0
    if holds(t, seat, 4):
        if t.crusaders > t.saladin if richard else t.saladin > t.crusaders:
            score += 2
    if holds(t, seat, 5):
        score += min(3, (t.hand[seat][own_colour(t, seat)] + 1) // 2)
    if holds(t, seat, 6) and (t.time <= 4 if richard else t.time >= 6):
        score += 2
    return score


# -- the characters (§ 3) -------------------------------------------------------------------------

cdef bint payable(const Table* t, int seat, int option) noexcept nogil:
    cdef int character = t.character[seat], colour
    cdef const uint8_t* hand = &t.hand[seat][0]
    if character == BANDIT:
        return size_of(hand) > 0
    if option == 1:
        return True
    if character == INQUISITOR:
        return hand[GREEN] >= 2
    if character == MERCHANT:
        return hand[BLUE] >= 2 and hand[WHITE] >= 2
    if character == SPY:
        return hand[PURPLE] >= 2
    if character == REGENT:
        for colour in range(COLOURS):
            if hand[colour] == 0:
                return False
        return True
    if character == CHANCELLOR:
        return t.numbers.counselors
    return True


cdef inline void pay(Table* t, int seat, int colour, int cards) noexcept nogil:
    moved(t.hand[seat], t.reserve, colour, cards)


cdef inline void take(Table* t, int seat, int colour, int cards) noexcept nogil:
    moved(t.reserve, t.hand[seat], colour, cards)


cdef void first_option(Table* t, int seat) noexcept nogil:
    cdef int character = t.character[seat]
    if character == EXCISEMAN:
        take(t, seat, YELLOW, 2)
    elif character == INQUISITOR:
        take(t, seat, GREEN, 1)
        take(t, seat, PURPLE, 1)
        push(t, PLAYER, seat, INQUIRE, 0)
        return
    elif character == MERCHANT:
        take(t, seat, BLUE, 2)
    elif character == SPY:
        take(t, seat, PURPLE, 1)
        take(t, seat, GREEN, 1)
    elif character == ARMS:
        take(t, seat, RED, 2)
    elif character == REGENT:
        take(t, seat, WHITE, 2)
    elif character == CHANCELLOR:
        push(t, COLOUR, seat, TAKE_ONE, 0)
        push(t, DRAW, seat, 2, 0)
        return
    else:
        push(t, COLOUR, seat, PAY_BANDIT, 1)
        return
    push(t, DRAW, seat, 1, 0)


cdef void second_option(Table* t, int seat) noexcept nogil:
    cdef int character = t.character[seat], colour
    if character == EXCISEMAN:          # round from the left to the caller
        push(t, SETTLE_TAX, seat, 0, 0)
        push_offers(t, seat, 1, False)
    elif character == INQUISITOR:
        pay(t, seat, GREEN, 2)
        t.points[seat] += 1
        push(t, DRAW, seat, 3, 0)
    elif character == MERCHANT:
        pay(t, seat, BLUE, 2)
        pay(t, seat, WHITE, 2)
        t.points[seat] += 3
        push(t, DRAW, seat, 2, 0)
    elif character == SPY:
        pay(t, seat, PURPLE, 2)
        push(t, DRAW, seat, 1, 0)
        push(t, PLAYER_COLOUR, seat, 0, 0)
    elif character == ARMS:             # from the caller clockwise
        push(t, SETTLE_TOURNAMENT, seat, 0, 0)
        push_offers(t, seat, 0, True)
    elif character == REGENT:
        for colour in range(COLOURS):
            pay(t, seat, colour, 1)
        t.points[seat] += 5
        push(t, DRAW, seat, 4, 0)
    elif character == CHANCELLOR:
        push(t, COLOUR, seat, TAKE_ONE, 0)
        push(t, COUNSELOR, seat, 0, 0)
    else:
        push(t, COLOUR, seat, PAY_BANDIT, 2)


cdef void push_offers(Table* t, int caller, int start, bint tournament) noexcept nogil:
    """Everybody once, clockwise; the first is `start` places from the caller."""
    cdef int i, n = t.numbers.players
    for i in range(n - 1, -1, -1):
        push(t, OFFER, (caller + start + i) % n, caller, tournament)


cdef void settle_tax(Table* t) noexcept nogil:
    """§ Exciseman; ruling: any number tied, for first and for second."""
    cdef int seat, best = 0, second = 0, offer
    for seat in range(t.numbers.players):
        best = max(best, t.offer[seat])
    for seat in range(t.numbers.players):
        if t.offer[seat] < best:
            second = max(second, t.offer[seat])
    for seat in range(t.numbers.players):
        offer = t.offer[seat]
        if offer:
            t.points[seat] += 3 if offer == best else 1 if offer == second else 0
            pay(t, seat, YELLOW, offer)
            t.offer[seat] = 0


cdef void settle_tournament(Table* t, int caller) noexcept nogil:
    """§ Master at arms; ruling: strict ranking, each prize only with at least one card."""
    cdef int i, seat, n = t.numbers.players, first = NOBODY, second = NOBODY
    for i in range(n):                  # nearer the caller wins ties, so only more cards overtake
        seat = (caller + i) % n
        if t.offer[seat] == 0:
            continue
        if first == NOBODY or t.offer[seat] > t.offer[first]:
            second = first
            first = seat
        elif second == NOBODY or t.offer[seat] > t.offer[second]:
            second = seat
    if first != NOBODY:
        t.points[first] += 3
    if second != NOBODY:
        t.points[second] += 1
    if first != caller:
        t.points[caller] += 1
    for seat in range(n):
        pay(t, seat, RED, t.offer[seat])
        t.offer[seat] = 0


cdef bint playable(const Table* t, int seat, int counselor) noexcept nogil:
    """Counselors 7 to 11: legal if at least one card can move."""
    cdef int colour, other
    if not holds(t, seat, counselor):
        return False
    if counselor == 7:
        return t.reserve[own_colour(t, seat)] > 0
    if counselor == 8:
        return size_of(t.reserve) > 0
    if counselor == 9:
        return size_of(t.supply) + size_of(t.reserve) > 0
    if counselor == 10:
        for other in range(t.numbers.players):
            if other != seat and size_of(t.hand[other]):
                return True
        return False
    for colour in range(COLOURS):
        if t.hand[seat][colour] >= 2:
            return True
    return False


cdef void play_counselor(Table* t, int seat, int counselor) noexcept nogil:
    t.counselors[seat] &= ~(1 << counselor)
    if counselor == 7:
        take(t, seat, own_colour(t, seat), 2)
    elif counselor == 8:
        push(t, COLOUR, seat, TAKE_ONE, 1)      # and then another one
    elif counselor == 9:
        push(t, DRAW, seat, 3, 0)
    elif counselor == 10:
        push(t, PLAYER, seat, ROB, 0)
    else:
        push(t, COLOUR, seat, CASH, 0)


# -- moves and outcomes ---------------------------------------------------------------------------

cdef int free_characters(const Table* t) noexcept nogil:
    """The set of characters in play that nobody has taken in this turn."""
    cdef int free = t.numbers.characters, seat
    for seat in range(t.numbers.players):
        if t.character[seat] != NOBODY:
            free &= ~(1 << t.character[seat])
    return free


cdef int legal_places(const Table* t, int seat, int32_t* out) noexcept nogil:
    """§ 2; rulings on the only free one and on counselor 14."""
    cdef int free = free_characters(t), character, n = 0, former = t.former[seat]
    if former != NOBODY and free != 1 << former and not holds(t, seat, 14):
        free &= ~(1 << former)
    for character in range(CHARACTERS):
        if free >> character & 1:
            out[n] = CHARACTER_MOVES + character
            n += 1
    return n


cdef int legal_options(const Table* t, int seat, int32_t* out) noexcept nogil:
    cdef int n = 0, counselor
    if payable(t, seat, 1):
        out[n] = OPTION_MOVES
        n += 1
    if payable(t, seat, 2):
        out[n] = OPTION_MOVES + 1
        n += 1
    if n == 0:
        out[n] = OPTION_MOVES + 2
        n += 1
    for counselor in range(7, 12):
        if playable(t, seat, counselor):
            out[n] = COUNSELOR_MOVES + counselor - 7
            n += 1
    return n


cdef int legal_gifts(const Table* t, int seat, int32_t* out) noexcept nogil:
    """§ 4: what the hand holds, of the size that is owed; one more with counselor 12."""
    cdef const uint8_t* hand = &t.hand[seat][0]
    cdef int owed = t.numbers.contributed, cards = size_of(hand)
    cdef int smallest = min(owed, cards), largest = smallest, gift, colour, n = 0
    if holds(t, seat, 12) and cards > owed:
        largest = owed + 1
    for gift in range(_gifts_from[smallest], _gifts_from[largest + 1]):
        for colour in range(COLOURS):
            if _gift[gift][colour] > hand[colour]:
                break
        else:
            out[n] = GIVE_MOVES + gift
            n += 1
    return n


cdef int legal_colours(const Table* t, Task task, int32_t* out) noexcept nogil:
    cdef const uint8_t* cards = &t.reserve[0]
    cdef int colour, n = 0, least = 2 if task.a == CASH else 1
    if task.a == LOOT:
        cards = &t.hand[task.b][0]
    elif task.a >= PAY_BANDIT:
        cards = &t.hand[task.seat][0]
    for colour in range(COLOURS):
        if cards[colour] >= least and not (task.a == TAKE_ANOTHER and task.b == colour):
            out[n] = COLOUR_MOVES + colour
            n += 1
    return n


cdef int legal_players(const Table* t, Task task, int32_t* out) noexcept nogil:
    cdef int seat, colour, n = 0
    for seat in range(t.numbers.players):
        if seat == task.seat or (task.what == PLAYER and task.a == ROB
                                 and size_of(t.hand[seat]) == 0):
            continue
        if task.what == PLAYER:
            out[n] = PLAYER_MOVES + seat
            n += 1
            continue
        for colour in range(COLOURS):
            out[n] = PLAYER_COLOUR_MOVES + COLOURS * seat + colour
            n += 1
    return n


cdef int legal_moves(const Table* t, int32_t* out) noexcept nogil:
    cdef Task task = t.agenda[t.tasks - 1]
    cdef int n = 0, side, offer
    if task.what == LOYALTY:
        for side in range(2):
            if t.loyalty[side]:
                out[n] = SIDE_MOVES + side
                n += 1
        return n
    if task.what == PLACE:
        return legal_places(t, task.seat, out)
    if task.what == OPTION:
        return legal_options(t, task.seat, out)
    if task.what == CONTRIBUTE:
        return legal_gifts(t, task.seat, out)
    if task.what == UNCOUNT:
        out[0] = PASS_MOVE
        out[1] = UNCOUNT_MOVE
        return 1 + (holds(t, task.seat, 13) and counted(t, foe_colour(t, task.seat)) > 0)
    if task.what == GIVE_BACK:
        out[0] = PASS_MOVE
        out[1] = RETURN_MOVE
        return 1 + (t.hand[task.seat][task.a] > 0)
    if task.what == COLOUR:
        return legal_colours(t, task, out)
    if task.what == OFFER:
        n = 1 + t.hand[task.seat][RED if task.b else YELLOW]
        for offer in range(n):
            out[offer] = OFFER_MOVES + offer
        return n
    return legal_players(t, task, out)


cdef inline int counted(const Table* t, int colour) noexcept nogil:
    return t.revealed[colour] - t.uncounted[colour - RED]


cdef void decide(Table* t, Task task, int move) noexcept nogil:
    """Carry out a decision; its task is off the agenda."""
    cdef int seat = task.seat, colour, character
    if task.what == LOYALTY:
        t.side[seat] = move - SIDE_MOVES
        t.loyalty[t.side[seat]] -= 1
    elif task.what == PLACE:
        character = move - CHARACTER_MOVES
        if character == t.former[seat] and free_characters(t) != 1 << character:
            t.counselors[seat] &= ~(1 << 14)
        t.character[seat] = character
    elif task.what == OPTION:
        if move == OPTION_MOVES:
            first_option(t, seat)
        elif move == OPTION_MOVES + 1:
            second_option(t, seat)
        elif move >= COUNSELOR_MOVES:
            push(t, OPTION, seat, 0, 0)     # asked again afterwards
            play_counselor(t, seat, move - COUNSELOR_MOVES + 7)
    elif task.what == CONTRIBUTE:
        contribute(t, seat, move - GIVE_MOVES)
    elif task.what == UNCOUNT:
        if move == UNCOUNT_MOVE:
            t.counselors[seat] &= ~(1 << 13)
            t.uncounted[foe_colour(t, seat) - RED] += 1
    elif task.what == GIVE_BACK:
        if move == RETURN_MOVE:
            pay(t, seat, task.a, 1)
            t.points[seat] += 1
    elif task.what == COLOUR:
        choose_colour(t, task, move - COLOUR_MOVES)
    elif task.what == OFFER:
        t.offer[seat] = move - OFFER_MOVES
    elif task.what == PLAYER:
        if task.a == INQUIRE:
            t.points[seat] += t.hand[move - PLAYER_MOVES][GREEN]
        else:
            push(t, COLOUR, seat, REPAY, move - PLAYER_MOVES)
            push(t, COLOUR, seat, LOOT, move - PLAYER_MOVES)
    else:
        colour = (move - PLAYER_COLOUR_MOVES) % COLOURS
        t.points[seat] += t.hand[(move - PLAYER_COLOUR_MOVES) // COLOURS][colour]


cdef void contribute(Table* t, int seat, int gift) noexcept nogil:
    cdef int colour, short = t.numbers.contributed - _gift_size[gift]
    for colour in range(COLOURS):
        moved(t.hand[seat], t.crusade, colour, _gift[gift][colour])
    if short > 0:
        t.points[seat] -= short
    elif short < 0:
        t.counselors[seat] &= ~(1 << 12)


cdef void choose_colour(Table* t, Task task, int colour) noexcept nogil:
    cdef int seat = task.seat
    if task.a == TAKE_ONE:
        take(t, seat, colour, 1)
        if task.b:
            push(t, COLOUR, seat, TAKE_ANOTHER, colour)
    elif task.a == TAKE_ANOTHER:
        take(t, seat, colour, 1)
    elif task.a == PAY_BANDIT:
        pay(t, seat, colour, 1)
        t.points[seat] += 1
        take(t, seat, GREEN if task.b == 1 else RED, 1)
        take(t, seat, WHITE if task.b == 1 else YELLOW, 1)
    elif task.a == LOOT:
        moved(t.hand[task.b], t.hand[seat], colour, 1)
    elif task.a == REPAY:
        moved(t.hand[seat], t.hand[task.b], colour, 1)
    else:
        pay(t, seat, colour, 2)
        t.points[seat] += 2


cdef int outcomes(const Table* t, int32_t* out, int32_t* weight) noexcept nogil:
    cdef Task task = t.agenda[t.tasks - 1]
    cdef const uint8_t* cards = &t.supply[0]
    cdef uint32_t deck
    cdef int i, n = 0
    if task.what == COUNSELOR or task.what == EVENT:
        deck = t.event_deck if task.what == EVENT else t.counselor_deck[t.side[task.seat]]
        for i in range(1, 1 + EVENTS):
            if deck >> i & 1:
                out[n] = i
                weight[n] = 1
                n += 1
                if (task.what == EVENT and t.numbers.events == EVENTS_HISTORICAL
                        and i <= HISTORICAL_EVENTS):
                    break
        return n
    if task.what == REVEAL:
        cards = &t.crusade[0]
    for i in range(COLOURS):
        if cards[i]:
            out[n] = i
            weight[n] = cards[i]
            n += 1
    return n


cdef void turn_card(Table* t, Task task, int outcome) noexcept nogil:
    """Carry out an outcome; its task is off the agenda."""
    if task.what == EVENT:
        t.event = outcome
        t.event_deck &= ~(<uint32_t>1 << outcome)
    elif task.what == COUNSELOR:
        t.counselor_deck[t.side[task.seat]] &= ~(1 << outcome)
        t.counselors[task.seat] |= 1 << outcome
    elif task.what == REVEAL:
        moved(t.crusade, t.revealed, outcome, 1)
        push(t, REVEAL, 0, task.a - 1, 0)
    else:
        moved(t.supply, t.hand[task.seat], outcome, 1)
        refill(t)
        push(t, task.what, task.seat, task.a - 1, 0)


# -- what a viewer learns -------------------------------------------------------------------------

cdef struct Label:
    int what                # the task
    int seat
    int edge                # the move or outcome, -1 if the viewer does not see it
    int cards               # of a hidden contribution
    int count               # what an inspection gave, else -1
    int offers              # how many are revealed with it
    uint8_t offer[SEATS]    # in order of decision
    bint shows              # whether the viewer sees a hand with it
    uint8_t shown[COLOURS]


cdef void show(Label* label, const Table* t, int seat) noexcept nogil:
    label.shows = True
    memcpy(label.shown, t.hand[seat], COLOURS)


cdef Label label_of(const Table* t, int edge, int viewer) noexcept nogil:
    """Asked before the move or outcome is applied. Ruling "What is public and what is not"."""
    cdef Task task = t.agenda[t.tasks - 1]
    cdef Label label
    cdef bint owner = viewer == task.seat
    cdef int target, i, n = t.numbers.players
    memset(&label, 0, sizeof(Label))
    label.what, label.seat, label.edge, label.count = task.what, task.seat, edge, -1
    if task.what == DEAL or task.what == DRAW or task.what == COUNSELOR:
        label.edge = edge if owner else -1
    elif task.what == CONTRIBUTE:
        label.cards = _gift_size[edge - GIVE_MOVES]
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
            label.count = t.hand[target][GREEN]
        if owner or (task.a == INQUIRE and viewer == target):
            show(&label, t, target)
    elif task.what == PLAYER_COLOUR:
        target = (edge - PLAYER_COLOUR_MOVES) // COLOURS
        label.count = t.hand[target][(edge - PLAYER_COLOUR_MOVES) % COLOURS]
        if owner or viewer == target:
            show(&label, t, target)
    elif task.what == COLOUR and (task.a == LOOT or task.a == REPAY):
        label.edge = edge if owner or viewer == task.b else -1
    return label


# -- the object -----------------------------------------------------------------------------------

cdef int read_colours(object counts, int* out) except -1:
    if len(counts) != COLOURS:
        raise ValueError(f"six numbers, one a colour, not {counts!r}")
    for colour, count in enumerate(counts):
        out[colour] = count
    return 0


cdef class Richard(Game):
    """One state of Richard I.

    `numbers` maps the fields of `Numbers` in richard.pxd to whole numbers, or to six of them by
    colour (`crusade_per_john` and `crusade_per_richard` for the two sides). They are taken as they
    are: checking them is for the caller.
    """

    def __cinit__(self, dict numbers=None):
        if numbers is None:
            return                      # a clone, about to be loaded
        cdef Numbers* n = &self.numbers
        n.players = numbers["players"]
        n.counselors = numbers["counselors"]
        n.events = numbers["events"]
        n.hand = numbers["hand"]
        read_colours(numbers["supply"], n.supply)
        read_colours(numbers["reserve"], n.reserve)
        read_colours(numbers["crusade_base"], n.crusade_base)
        read_colours(numbers["crusade_per_john"], n.crusade_per_side[JOHN])
        read_colours(numbers["crusade_per_richard"], n.crusade_per_side[RICHARD])
        n.sides[JOHN], n.sides[RICHARD] = numbers["sides"]
        n.characters = numbers["characters"]
        n.contributed = numbers["contributed"]
        n.revealed = numbers["revealed"]
        n.time, n.crusaders = numbers["time"], numbers["crusaders"]
        n.saladin, n.treasury = numbers["saladin"], numbers["treasury"]
        n.placing_bonus = numbers["placing_bonus"]
        n.last_slow_turn = numbers["last_slow_turn"]
        set_up(&self.table, n)

    def node(self):
        """("over", -1, ""), ("chance", seat or -1, kind) or ("decision", seat, kind)."""
        if self.table.tasks == 0:
            return "over", -1, ""
        cdef Task task = self.table.agenda[self.table.tasks - 1]
        if task.what < LOYALTY:
            seat = -1 if task.what == EVENT or task.what == REVEAL else task.seat
            return "chance", seat, ("deal", "draw", "counselor", "event", "reveal")[task.what]
        return "decision", task.seat, _DECISIONS[task.what - LOYALTY]

    def legal_actions(self):
        """Action ids of all legal moves, ascending; none at chance nodes and at the end."""
        cdef int32_t[MOST_EDGES] moves
        return [moves[i] for i in range(self.legal(moves))]

    def outcomes(self):
        """[(outcome, weight)], ascending; none at decisions and at the end."""
        cdef int32_t[MOST_EDGES] found, weight
        cdef int n = self.chance(found, weight)
        return [(found[i], weight[i]) for i in range(n)]

    def play(self, edge):
        """Play a legal move or a possible outcome. Raises IllegalMove and changes nothing else."""
        cdef int32_t[MOST_EDGES] found, weight
        cdef int n = self.legal(found), i, wanted = edge if 0 <= edge < ACTIONS else -1
        if n == 0:
            n = self.chance(found, weight)
        for i in range(n):
            if found[i] == wanted:
                self.apply(wanted)
                return
        raise IllegalMove(f"{edge} is neither a legal move nor a possible outcome here")

    def sample(self, double at):
        """Turn a card at random: `at` is a random number, 0 <= at < 1. False at other nodes."""
        cdef int32_t[MOST_EDGES] found, weight
        cdef int n = self.chance(found, weight), i, total = 0
        if n == 0:
            return False
        for i in range(n):
            total += weight[i]
        total = <int>(at * total)
        i = 0
        while i < n - 1 and total >= weight[i]:
            total -= weight[i]
            i += 1
        self.apply(found[i])
        return True

    def observe(self, edge, int viewer):
        """What a viewer learns from a legal move or possible outcome, before it is played.

        (kind, seat, edge or None, hidden cards, count or None, offers, hand shown or None); kind
        as in `node`.
        """
        cdef Label label = label_of(&self.table, edge, viewer)
        _, _, kind = self.node()
        return (
            kind, label.seat, None if label.edge < 0 else label.edge, label.cards,
            None if label.count < 0 else label.count,
            tuple([label.offer[i] for i in range(label.offers)]),
            tuple([label.shown[i] for i in range(COLOURS)]) if label.shows else None,
        )

    @property
    def public(self):
        """Tracks, turn and points, as a dict; `ending` is 0, or 1 to 4 for A to D."""
        cdef Table* t = &self.table
        return {
            "turn": t.turn, "first": t.first, "event": t.event, "ending": t.ending,
            "time": t.time, "crusaders": t.crusaders, "saladin": t.saladin,
            "treasury": t.treasury,
            "points": [t.points[i] for i in range(self.table.numbers.players)],
            "sides": [t.side[i] for i in range(self.table.numbers.players)],
        }

    @property
    def cards(self):
        """Where all cards are: six counts a pile. Hidden ones too: for tests and records."""
        cdef Table* t = &self.table
        piles = {
            "supply": [t.supply[c] for c in range(COLOURS)],
            "reserve": [t.reserve[c] for c in range(COLOURS)],
            "crusade": [t.crusade[c] for c in range(COLOURS)],
            "revealed": [t.revealed[c] for c in range(COLOURS)],
        }
        piles["hands"] = [[t.hand[s][c] for c in range(COLOURS)]
                          for s in range(t.numbers.players)]
        piles["counselors"] = [[k for k in range(1, 15) if t.counselors[s] >> k & 1]
                               for s in range(t.numbers.players)]
        return piles

    def utilities(self):
        """One a seat: (n·s − 1)/(n − 1) for a share s of the win; all 0 before the end."""
        cdef double[SEATS] out
        self.returns(out)
        return [out[i] for i in range(self.table.numbers.players)]

    def copy(self):
        return self.clone()

    cdef Shape shape(self) noexcept nogil:
        return Shape(self.table.numbers.players, ACTIONS, MOST_EDGES, 1 << 16, -1.0, 1.0)

    cdef int player(self) noexcept nogil:
        if self.table.tasks == 0:
            return TERMINAL
        cdef Task task = self.table.agenda[self.table.tasks - 1]
        if task.what < LOYALTY:
            return CHANCE
        return task.seat

    cdef int legal(self, int32_t* out) noexcept nogil:
        return legal_moves(&self.table, out) if self.player() >= 0 else 0

    cdef int chance(self, int32_t* out, int32_t* weight) noexcept nogil:
        return outcomes(&self.table, out, weight) if self.player() == CHANCE else 0

    cdef void apply(self, int32_t edge) noexcept nogil:
        self.table.tasks -= 1
        cdef Task task = self.table.agenda[self.table.tasks]
        if task.what < LOYALTY:
            turn_card(&self.table, task, edge)
        else:
            decide(&self.table, task, edge)
        settle(&self.table)

    cdef void returns(self, double* out) noexcept nogil:
        """§ End of the Game; ruling "Winner"."""
        cdef const Table* t = &self.table
        cdef int seat, n = t.numbers.players, most = -32768, winners = 0
        cdef bint side_wins = False
        for seat in range(n):
            out[seat] = 0
            most = max(most, t.points[seat])
        if not t.ending:
            return
        for seat in range(n):
            if t.points[seat] == most and t.side[seat] == favoured(t):
                side_wins = True
        for seat in range(n):
            if t.points[seat] == most and (not side_wins or t.side[seat] == favoured(t)):
                out[seat] = 1
                winners += 1
        for seat in range(n):
            out[seat] = (n * out[seat] / winners - 1) / (n - 1)

    cdef void load(self, Game other) noexcept nogil:
        self.table = (<Richard>other).table

    cdef Game clone(self):
        cdef Richard copy = Richard.__new__(Richard)
        copy.load(self)
        copy.original = self if self.original is None else self.original
        return copy


_DECISIONS = ("loyalty", "place", "option", "give", "uncount", "return", "colour", "player",
              "player colour", "offer")
