# cython: cdivision=True
"""Richard I, the rules: one state of the game. Source: the rulebook by section (§) and RULES.md.

The state is one flat struct (``richard_table.pxd``); nothing is allocated while playing.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from cython_core.errors import IllegalMove
from cython_core.folding cimport fold
from cython_core.game cimport CHANCE, TERMINAL, Shape
from cython_core.richard_labels cimport Label, gift_size, key_of, label_of, remember, view_of
from cython_core.richard_table cimport *

cdef enum:
    HISTORICAL_EVENTS = 12          # the numbered cards, in their order
    MOST_TIME = 12                  # ruling: every track is clamped after every single change
    MOST_ARMY = 10
    MOST_TREASURY = 0xFFFF          # no limit by the rules: no game comes near
    REFILL = 5                      # § Setup, note: of each colour

cdef int _gifts_from[5]             # first contribution of each size


cdef int _fill_gifts() except -1:
    from itertools import combinations_with_replacement

    cdef int n = 0, size, colour
    for size in range(4):
        _gifts_from[size] = n
        for colours in combinations_with_replacement(range(COLOURS), size):
            for colour in colours:
                gift_cards[n][colour] += 1
            n += 1
    _gifts_from[4] = n
    return 0


_fill_gifts()


# -- small things ---------------------------------------------------------------------------------

cdef inline int moved(Pile* source, Pile* target, int colour, int wanted) noexcept nogil:
    """Move min(wanted, there) cards of a colour; how many."""
    cdef int n = min(wanted, source.count[colour])
    source.count[colour] -= n
    target.count[colour] += n
    source.size -= n
    target.size += n
    return n


cdef inline void fill(Pile* pile, int colour, int cards) noexcept nogil:
    pile.count[colour] = cards
    pile.size += cards


cdef inline void push(Table* t, int what, int seat, int a, int b) noexcept nogil:
    t.agenda[t.tasks] = Task(what, seat, a, b)
    t.tasks += 1


cdef inline int usable(const Table* t, int seat, int when) noexcept nogil:
    """The set of counselors in hand that are used at such a time."""
    return t.counselors[seat] & t.numbers.used[t.side[seat]][when]


cdef inline const Line* text_of(const Table* t, int seat, int counselor) noexcept nogil:
    return t.numbers.counselor[t.side[seat]][counselor].line


cdef inline void refill(Table* t) noexcept nogil:
    """§ Setup, note; ruling "Supply": the moment the last card leaves it."""
    cdef int colour
    if t.supply.size == 0:
        for colour in range(COLOURS):
            moved(&t.reserve, &t.supply, colour, REFILL)
        t.formed += t.supply.size > 0


cdef inline int changed(int value, int by, int most) noexcept nogil:
    return max(0, min(most, value + by))


# -- the flow of the game -------------------------------------------------------------------------

cdef void set_up(Table* t, const Numbers* numbers) noexcept nogil:
    """§ Setup, in the order of the ruling."""
    cdef int colour, seat, n = numbers.players
    memset(t, 0, sizeof(Table))
    t.numbers = numbers
    for colour in range(COLOURS):
        fill(&t.supply, colour, numbers.supply[colour])
        fill(&t.reserve, colour, numbers.reserve[colour])
    for seat in range(SEATS):
        t.side[seat] = t.character[seat] = t.former[seat] = NOBODY
    for side in range(2):
        t.loyalty[side] = numbers.sides[side]
        t.counselor_deck[side] = (2 << COUNSELORS) - 2
    t.event_deck = (2 << EVENTS) - 2 if numbers.events else 0
    t.time, t.crusaders = numbers.time, numbers.crusaders
    t.saladin, t.treasury = numbers.saladin, numbers.treasury
    push_setup(t)
    settle(t)


cdef void push_setup(Table* t) noexcept nogil:
    """The steps, the last one first."""
    push(t, BEGIN_TURN, 0, 0, 0)
    push(t, FORM_CRUSADE, 0, 0, 0)
    if t.numbers.counselors:
        push_all(t, COUNSELOR, 0, 0)
    push_all(t, LOYALTY, 0, 0)
    push_all(t, DEAL, t.numbers.hand, 0)


cdef void push_all(Table* t, int what, int a, int b) noexcept nogil:
    """One task for everybody, in turn order from the first player."""
    cdef int i, n = t.numbers.players
    for i in range(n - 1, -1, -1):
        push(t, what, (t.first + i) % n, a, b)


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
        return task.a > 0 and t.supply.size > 0
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
        return t.hand[task.seat].size > 0
    return True


cdef inline bint another_in_stock(const Table* t, Task task) noexcept nogil:
    cdef int colour
    for colour in range(COLOURS):
        if t.reserve.count[colour] and not (task.a == TAKE_ANOTHER and task.b == colour):
            return True
    return False


cdef void carry_out(Table* t, Task task) noexcept nogil:
    if task.what == FORM_CRUSADE:
        form_crusade(t)
    elif task.what == BEGIN_TURN:
        begin_turn(t)
    elif task.what == BONUS:            # § 2: the last player to place
        take(t, task.seat, GREEN, 1)
        push(t, COLOUR, task.seat, TAKE_ONE, 0)
    elif task.what == BEGIN_REVEAL:
        push(t, REVEAL, 0, min(t.numbers.revealed, t.crusade.size), 0)
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
        moved(&t.reserve, &t.crusade, colour, t.numbers.crusade_base[colour])
    for seat in range(t.numbers.players):
        for colour in range(COLOURS):
            moved(&t.reserve, &t.crusade, colour,
                  t.numbers.crusade_per_side[t.side[seat]][colour])


cdef void begin_turn(Table* t) noexcept nogil:
    t.turn += 1
    memcpy(t.former, t.character, SEATS)
    memset(t.character, NOBODY, SEATS)
    push_turn(t)


cdef void push_turn(Table* t) noexcept nogil:
    """§ Turn Structure: the phases, the last one first."""
    push(t, END_TURN, 0, 0, 0)
    push(t, EVENT_EFFECT, 0, 0, 0)
    push(t, COMPARE, 0, 0, 0)
    push(t, BEGIN_UNCOUNT, 0, 0, 0)
    push(t, BEGIN_REVEAL, 0, 0, 0)
    push_all(t, CONTRIBUTE, 0, 0)
    push_all(t, OPTION, 0, 0)
    if t.numbers.placing_bonus:
        push(t, BONUS, (t.first + t.numbers.players - 1) % t.numbers.players, 0, 0)
    push_all(t, PLACE, 0, 0)
    push(t, EVENT, 0, 0, 0)


cdef void begin_uncount(Table* t) noexcept nogil:
    """Counselor 13: everybody who holds a counselor is asked, whichever it is."""
    cdef int i, seat, colour, n = t.numbers.players, ignorable = 0
    for colour in range(COLOURS):
        if t.revealed.count[colour]:
            ignorable |= t.numbers.ignorable & 1 << colour
    if ignorable == 0:
        return
    for i in range(n - 1, -1, -1):
        seat = (t.first + i) % n
        if t.counselors[seat]:
            push(t, UNCOUNT, seat, 0, 0)


cdef inline int counted(const Table* t, int colour) noexcept nogil:
    return t.revealed.count[colour] - t.uncounted[colour]


cdef inline int more(const Table* t, int colour, int other) noexcept nogil:
    """By how many cards the one colour outnumbers the other in the comparison."""
    return counted(t, colour) - counted(t, other)


cdef void compare(Table* t) noexcept nogil:
    """§ 5 - Outcome of the Crusade."""
    cdef int won = more(t, RED, GREEN), slowed = more(t, PURPLE, BLUE)
    if won < 0:
        t.crusaders = changed(t.crusaders, won, MOST_ARMY)
    elif won > 0:
        t.saladin = changed(t.saladin, -won, MOST_ARMY)
    t.time = changed(t.time, -1, MOST_TIME)
    if slowed > 0:
        change_track(t, TIME, 1)
    elif slowed < 0:
        change_track(t, TIME, -1)
    change_track(t, TREASURY, more(t, YELLOW, WHITE))


cdef void change_track(Table* t, int track, int by) noexcept nogil:
    if track == CRUSADERS:
        t.crusaders = changed(t.crusaders, by, MOST_ARMY)
    elif track == SALADIN:
        t.saladin = changed(t.saladin, by, MOST_ARMY)
    elif track == TREASURY:
        t.treasury = changed(t.treasury, by, MOST_TREASURY)
    elif by < 0 or t.turn <= t.numbers.last_slow_turn:      # ruling "Length"
        t.time = changed(t.time, by, MOST_TIME)


cdef inline int track_of(const Table* t, int track) noexcept nogil:
    if track == CRUSADERS:
        return t.crusaders
    if track == SALADIN:
        return t.saladin
    return t.treasury if track == TREASURY else t.time


# -- the texts of the cards -----------------------------------------------------------------------

cdef bint happened(const Table* t, int what) noexcept nogil:
    """§ 5: what the comparisons said. The comparison counts, not the marker."""
    cdef int won, slowed, rose
    if what <= DRAWN:
        won = more(t, RED, GREEN)
        return won > 0 if what == WON else won < 0 if what == LOST else won == 0
    if what <= HASTENED:
        slowed = more(t, PURPLE, BLUE)
        return slowed > 0 if what == SLOWED else slowed < 0
    rose = more(t, YELLOW, WHITE)
    return rose > 0 if what == ROSE else rose < 0


cdef bint applies(const Table* t, const Line* line) noexcept nogil:
    """Whether the condition of a line holds."""
    if line.condition == ALWAYS:
        return True
    if line.condition == ENDING:
        return t.ending == line.left
    if line.condition == AT_LEAST:
        return track_of(t, line.left) >= line.right
    if line.condition == AT_MOST:
        return track_of(t, line.left) <= line.right
    if line.condition == ABOVE:
        return track_of(t, line.left) > track_of(t, line.right)
    return happened(t, line.left) == (line.condition == HAPPENED)


cdef void event_effect(Table* t) noexcept nogil:
    """§ 6: every line that holds, in order."""
    cdef const Card* card = &t.numbers.event[t.event]
    cdef const Line* line
    cdef int i
    for i in range(card.lines):
        line = &card.line[i]
        if not applies(t, line):
            continue
        if line.effect == TRACK:
            change_track(t, line.a, line.amount)
        elif line.effect == SIDE:
            reward(t, line.a, line.amount)
        elif line.effect == RETURN_ONE:
            push_all(t, GIVE_BACK, line.a, line.amount)
        else:
            push_all(t, DRAW, line.amount, 0)


cdef void reward(Table* t, int side, int points) noexcept nogil:
    cdef int seat
    for seat in range(t.numbers.players):
        if t.side[seat] == side or side == BOTH:
            t.points[seat] += points


cdef int end_scores(const Table* t, int seat) noexcept nogil:
    """§ End of the Game: of the counselors in hand, by final tracks and the final hand."""
    cdef const Card* card
    cdef int counselor, i, score = 0, held = usable(t, seat, END)
    for counselor in range(1, 1 + COUNSELORS):
        if held >> counselor & 1:
            card = &t.numbers.counselor[t.side[seat]][counselor]
            for i in range(card.lines):
                if applies(t, &card.line[i]):       # only the first that holds
                    score += end_points(t, seat, &card.line[i])
                    break
    return score


cdef inline int end_points(const Table* t, int seat, const Line* line) noexcept nogil:
    if line.effect == POINTS:
        return line.amount
    # § Setup, important note: rounded up
    return min(<int>line.c,
               line.amount * ((t.hand[seat].count[line.a] + line.b - 1) // line.b))


cdef void end_turn(Table* t) noexcept nogil:
    """§ 6, last lines, and § End of the Game."""
    cdef int colour
    for colour in range(COLOURS):
        moved(&t.revealed, &t.reserve, colour, t.revealed.count[colour])
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


# -- the characters (§ 3) -------------------------------------------------------------------------

cdef bint payable(const Table* t, int seat, int option) noexcept nogil:
    cdef int character = t.character[seat], colour
    cdef const uint8_t* hand = &t.hand[seat].count[0]
    if character == BANDIT:
        return t.hand[seat].size > 0
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
    moved(&t.hand[seat], &t.reserve, colour, cards)


cdef inline void take(Table* t, int seat, int colour, int cards) noexcept nogil:
    moved(&t.reserve, &t.hand[seat], colour, cards)


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


cdef bint playable(const Table* t, int seat, const Line* line) noexcept nogil:
    """A counselor of the own action: legal if at least one card can move."""
    cdef int other, colour
    if line.effect == TAKE:
        return t.reserve.count[line.a] > 0
    if line.effect == CHOOSE:
        return t.reserve.size > 0
    if line.effect == DRAW_CARDS:
        return t.supply.size + t.reserve.size > 0
    if line.effect == SWAP:
        for other in range(t.numbers.players):
            if other != seat and t.hand[other].size:
                return True
        return False
    for colour in range(COLOURS):
        if t.hand[seat].count[colour] >= line.b:
            return True
    return False


cdef void play_counselor(Table* t, int seat, int counselor) noexcept nogil:
    cdef const Line* line = text_of(t, seat, counselor)
    t.counselors[seat] &= ~(1 << counselor)
    if line.effect == TAKE:
        take(t, seat, line.a, line.amount)
    elif line.effect == CHOOSE:
        push(t, COLOUR, seat, TAKE_ONE, line.amount - 1)    # and then another one
    elif line.effect == DRAW_CARDS:
        push(t, DRAW, seat, line.amount, 0)
    elif line.effect == SWAP:
        push(t, PLAYER, seat, ROB, 0)
    else:
        push(t, COLOUR, seat, CASH, counselor)


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
    if former != NOBODY and free != 1 << former and not usable(t, seat, INFLUENCE):
        free &= ~(1 << former)
    for character in range(CHARACTERS):
        if free >> character & 1:
            out[n] = CHARACTER_MOVES + character
            n += 1
    return n


cdef int legal_options(const Table* t, int seat, int32_t* out) noexcept nogil:
    cdef int n = 0, counselor, held = usable(t, seat, ACTION)
    if payable(t, seat, 1):
        out[n] = OPTION_MOVES
        n += 1
    if payable(t, seat, 2):
        out[n] = OPTION_MOVES + 1
        n += 1
    if n == 0:
        out[n] = OPTION_MOVES + 2
        n += 1
    for counselor in range(1, 1 + COUNSELORS if held else 0):
        if held >> counselor & 1 and playable(t, seat, text_of(t, seat, counselor)):
            out[n] = COUNSELOR_MOVES + counselor
            n += 1
    return n


cdef int legal_ignores(const Table* t, int seat, int32_t* out) noexcept nogil:
    """After the reveal: counselors whose colour is still counted, or none of them."""
    cdef int n = 0, counselor, held = usable(t, seat, AFTER_REVEAL)
    for counselor in range(1, 1 + COUNSELORS if held else 0):
        if held >> counselor & 1 and counted(t, text_of(t, seat, counselor).a) > 0:
            out[n] = COUNSELOR_MOVES + counselor
            n += 1
    out[n] = PASS_MOVE
    return n + 1


cdef int legal_gifts(const Table* t, int seat, int32_t* out) noexcept nogil:
    """§ 4: what the hand holds, of the size that is owed; one more with counselor 12."""
    cdef const uint8_t* hand = &t.hand[seat].count[0]
    cdef int owed = t.numbers.contributed, cards = t.hand[seat].size
    cdef int smallest = min(owed, cards), largest = smallest, gift, colour, n = 0
    if cards > owed and usable(t, seat, CONTRIBUTION):
        largest = owed + 1
    for gift in range(_gifts_from[smallest], _gifts_from[largest + 1]):
        for colour in range(COLOURS):
            if gift_cards[gift][colour] > hand[colour]:
                break
        else:
            out[n] = GIVE_MOVES + gift
            n += 1
    return n


cdef int legal_colours(const Table* t, Task task, int32_t* out) noexcept nogil:
    cdef const uint8_t* cards = &t.reserve.count[0]
    cdef int colour, n = 0, least = 1
    if task.a == LOOT:
        cards = &t.hand[task.b].count[0]
    elif task.a >= PAY_BANDIT:
        cards = &t.hand[task.seat].count[0]
    if task.a == CASH:
        least = text_of(t, task.seat, task.b).b
    for colour in range(COLOURS):
        if cards[colour] >= least and not (task.a == TAKE_ANOTHER and task.b == colour):
            out[n] = COLOUR_MOVES + colour
            n += 1
    return n


cdef int legal_players(const Table* t, Task task, int32_t* out) noexcept nogil:
    cdef int seat, colour, n = 0
    for seat in range(t.numbers.players):
        if seat == task.seat or (task.what == PLAYER and task.a == ROB
                                 and t.hand[seat].size == 0):
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
        return legal_ignores(t, task.seat, out)
    if task.what == GIVE_BACK:
        out[0] = PASS_MOVE
        out[1] = RETURN_MOVE
        return 1 + (t.hand[task.seat].count[task.a] > 0)
    if task.what == COLOUR:
        return legal_colours(t, task, out)
    if task.what == OFFER:
        n = 1 + t.hand[task.seat].count[offered(task)]
        for offer in range(n):
            out[offer] = OFFER_MOVES + offer
        return n
    return legal_players(t, task, out)


cdef inline int offered(Task task) noexcept nogil:
    return RED if task.b else YELLOW


cdef void decide(Table* t, Task task, int move) noexcept nogil:
    """Carry out a decision; its task is off the agenda."""
    cdef int seat = task.seat, colour, character
    if task.what == LOYALTY:
        t.side[seat] = move - SIDE_MOVES
        t.loyalty[t.side[seat]] -= 1
    elif task.what == PLACE:
        character = move - CHARACTER_MOVES
        if character == t.former[seat] and free_characters(t) != 1 << character:
            t.counselors[seat] &= ~usable(t, seat, INFLUENCE)
        t.character[seat] = character
    elif task.what == OPTION:
        if move == OPTION_MOVES:
            first_option(t, seat)
        elif move == OPTION_MOVES + 1:
            second_option(t, seat)
        elif move >= COUNSELOR_MOVES:
            push(t, OPTION, seat, 0, 0)     # asked again afterwards
            play_counselor(t, seat, move - COUNSELOR_MOVES)
    elif task.what == CONTRIBUTE:
        contribute(t, seat, move - GIVE_MOVES)
    elif task.what == UNCOUNT:
        if move != PASS_MOVE:
            t.counselors[seat] &= ~(1 << (move - COUNSELOR_MOVES))
            t.uncounted[text_of(t, seat, move - COUNSELOR_MOVES).a] += 1
    elif task.what == GIVE_BACK:
        if move == RETURN_MOVE:
            pay(t, seat, task.a, 1)
            t.points[seat] += task.b
    elif task.what == COLOUR:
        choose_colour(t, task, move - COLOUR_MOVES)
    elif task.what == OFFER:
        t.offer[seat] = move - OFFER_MOVES
    elif task.what == PLAYER:
        if task.a == INQUIRE:
            t.points[seat] += t.hand[move - PLAYER_MOVES].count[GREEN]
        else:
            push(t, COLOUR, seat, REPAY, move - PLAYER_MOVES)
            push(t, COLOUR, seat, LOOT, move - PLAYER_MOVES)
    else:
        colour = (move - PLAYER_COLOUR_MOVES) % COLOURS
        t.points[seat] += t.hand[(move - PLAYER_COLOUR_MOVES) // COLOURS].count[colour]


cdef void contribute(Table* t, int seat, int gift) noexcept nogil:
    cdef int colour, short = t.numbers.contributed - gift_size(gift)
    for colour in range(COLOURS):
        moved(&t.hand[seat], &t.crusade, colour, gift_cards[gift][colour])
    if short > 0:
        t.points[seat] -= short
    elif short < 0:
        t.counselors[seat] &= ~usable(t, seat, CONTRIBUTION)


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
        moved(&t.hand[task.b], &t.hand[seat], colour, 1)
    elif task.a == REPAY:
        moved(&t.hand[seat], &t.hand[task.b], colour, 1)
    else:
        pay(t, seat, colour, text_of(t, seat, task.b).b)
        t.points[seat] += text_of(t, seat, task.b).amount


cdef int outcomes(const Table* t, int32_t* out, int32_t* weight) noexcept nogil:
    cdef Task task = t.agenda[t.tasks - 1]
    cdef const uint8_t* cards = &t.supply.count[0]
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
        cards = &t.crusade.count[0]
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
        moved(&t.crusade, &t.revealed, outcome, 1)
        push(t, REVEAL, 0, task.a - 1, 0)
    else:
        moved(&t.supply, &t.hand[task.seat], outcome, 1)
        refill(t)
        push(t, task.what, task.seat, task.a - 1, 0)


# -- a table set up by hand -----------------------------------------------------------------------

cdef bint go_to(Table* t, int what, int seat) noexcept nogil:
    """Drop the tasks before a decision, as if they were done; whether there is such a one."""
    cdef Task task
    while t.tasks:
        task = t.agenda[t.tasks - 1]
        if task.what == what and task.seat == seat:
            return rests(t)
        t.tasks -= 1
        if task.what == BEGIN_UNCOUNT and what == UNCOUNT:
            begin_uncount(t)
        elif task.what == EVENT_EFFECT and what == GIVE_BACK:
            event_effect(t)
    return False


cdef int read_pile(Pile* pile, object cards) except -1:
    cdef int colour
    pile.size = 0
    for colour in range(COLOURS):
        fill(pile, colour, cards[colour])
    return 0


# -- how long a game can be -----------------------------------------------------------------------

cdef int most_turns(const Numbers* n) noexcept nogil:
    """Ruling "Length": after the last slow turn time falls every turn; only events raise it."""
    return n.last_slow_turn + (MOST_TIME if n.events else n.time)


cdef int most_decisions(const Numbers* n) noexcept nogil:
    # Each turn everybody places, chooses an option, contributes, may be asked after the reveal and
    # by an event; once each: the placing bonus, both rounds of offers, inquisitor, spy, chancellor
    # and bandit. Each counselor once: the option again, and at most three choices (swap).
    cdef int each_turn = 7 * n.players + 5
    return n.players + most_turns(n) * each_turn + (8 * COUNSELORS if n.counselors else 0)


cdef int most_outcomes(const Numbers* n) noexcept nogil:
    # Each turn an event, the reveal, and draws by option: 1 3 2 1 1 4 2 in the order of the
    # characters. Each counselor is drawn once and may draw, each event may let everybody draw.
    cdef int cards = n.players * n.hand + most_turns(n) * (1 + n.revealed + 14)
    cdef int number, side
    for side in range(2):
        for number in range(1, 1 + COUNSELORS if n.counselors else 0):
            cards += 1
            if n.counselor[side][number].line[0].effect == DRAW_CARDS:
                cards += n.counselor[side][number].line[0].amount
    for number in range(1, 1 + EVENTS if n.events else 0):
        if n.event[number].line[0].effect == EACH_DRAWS:
            cards += n.players * n.event[number].line[0].amount
    return cards


# -- the object -----------------------------------------------------------------------------------

cdef tuple told(const Label* label):
    cdef object edge = None if label.edge < 0 else label.edge
    cdef object count = None if label.count < 0 else label.count
    cdef int seat = -1 if label.what == EVENT or label.what == REVEAL else label.seat
    return (
        kind_of(label.what), seat, edge, label.cards, count,
        tuple([label.offer[i] for i in range(label.offers)]),
        tuple([label.shown[i] for i in range(COLOURS)]) if label.shows else None,
    )


cdef str kind_of(int what):
    if what < LOYALTY:
        return ("deal", "draw", "counselor", "event", "reveal")[what]
    return ("loyalty", "place", "option", "give", "uncount", "return", "colour", "player",
            "player colour", "offer")[what - LOYALTY]


cdef list listed(const Pile* pile):
    return [pile.count[colour] for colour in range(COLOURS)]


cdef int read_colours(object counts, int* out) except -1:
    if len(counts) != COLOURS:
        raise ValueError(f"six numbers, one a colour, not {counts!r}")
    for colour, count in enumerate(counts):
        out[colour] = count
    return 0


cdef int read_card(Card* card, int when, object lines) except -1:
    if len(lines) > MOST_LINES:
        raise ValueError(f"at most {MOST_LINES} lines a card, not {lines!r}")
    card.when, card.lines = when, len(lines)
    for i, line in enumerate(lines):
        condition, left, right, effect, amount, a, b, c = line
        card.line[i] = Line(condition, left, right, effect, amount, a, b, c)
    return 0


cdef int read_cards(Numbers* n, object counselors, object events) except -1:
    """By side and number, and by number; number 0 is no card."""
    cdef Card* card
    cdef int side, number
    for side in range(2):
        for number in range(1, 1 + COUNSELORS):
            card = &n.counselor[side][number]
            when, lines = counselors[side][number]
            read_card(card, when, lines)
            n.used[side][card.when] |= 1 << number
            if card.when == AFTER_REVEAL and card.lines:
                n.ignorable |= 1 << card.line[0].a
    for number in range(1, 1 + EVENTS):
        read_card(&n.event[number], 0, events[number])
    return 0


cdef class Rules:
    pass


cdef class Richard(Game):
    """One state of Richard I.

    `numbers` maps the fields of `Numbers` in richard_table.pxd to whole numbers, or to six of them by
    colour (`crusade_per_john` and `crusade_per_richard` for the two sides); the texts of the cards
    as `engines.richard_cards.as_numbers` gives them. All are taken as they are: checking them is
    for the caller.
    """

    def __cinit__(self, dict numbers=None):
        if numbers is None:
            return                      # a clone, about to be loaded
        self.rules = Rules()
        cdef Numbers* n = &self.rules.numbers
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
        read_cards(n, numbers["counselor_cards"], numbers["event_cards"])
        self.logs = True
        self.log.what = NOBODY
        set_up(&self.table, n)

    def set_table(self, dict table, kind, int seat):
        """Become a table in the middle of a game, where a seat has a decision of a kind.

        `kind`: "loyalty", "place", "option", "give", "uncount" or "return". `table`: the tracks,
        turn, first, event; sides, characters, former (255 for none), points by seat; event_deck and
        by seat and side the sets of bits counselors, counselor_deck; loyalty; by colour supply,
        reserve, crusade, revealed, uncounted, and hands by seat. All are taken as they are.
        Returns whether there is such a decision. No log is kept from here on.
        """
        cdef Table* t = &self.table
        cdef int i, n = t.numbers.players
        self.logs = False
        t.tasks = 0
        t.turn, t.first, t.event = table["turn"], table["first"], table["event"]
        t.time, t.crusaders = table["time"], table["crusaders"]
        t.saladin, t.treasury = table["saladin"], table["treasury"]
        t.event_deck = table["event_deck"]
        for i in range(2):
            t.loyalty[i], t.counselor_deck[i] = table["loyalty"][i], table["counselor_deck"][i]
        for i in range(COLOURS):
            t.uncounted[i] = table["uncounted"][i]
        read_pile(&t.supply, table["supply"])
        read_pile(&t.reserve, table["reserve"])
        read_pile(&t.crusade, table["crusade"])
        read_pile(&t.revealed, table["revealed"])
        for i in range(n):
            t.side[i], t.points[i] = table["sides"][i], table["points"][i]
            t.character[i], t.former[i] = table["characters"][i], table["former"][i]
            t.counselors[i] = table["counselors"][i]
            read_pile(&t.hand[i], table["hands"][i])
        if t.turn:
            push_turn(t)
        else:
            push_setup(t)
        return go_to(t, LOYALTY + _SET_KINDS.index(kind), seat)

    def node(self):
        """("over", -1, ""), ("chance", seat or -1, kind) or ("decision", seat, kind)."""
        if self.table.tasks == 0:
            return "over", -1, ""
        cdef Task task = self.table.agenda[self.table.tasks - 1]
        if task.what < LOYALTY:
            seat = -1 if task.what == EVENT or task.what == REVEAL else task.seat
            return "chance", seat, kind_of(task.what)
        return "decision", task.seat, kind_of(task.what)

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

    def label(self, edge, int viewer):
        """What a viewer learns from a legal move or possible outcome, before it is played.

        (kind, seat, edge or None, hidden cards, count or None, offers, hand shown or None); kind
        as in `node`.
        """
        cdef Label label = label_of(&self.table, edge, viewer)
        return told(&label)

    @property
    def public(self):
        """Tracks, turn, points and the like, as a dict; `ending` is 0, or 1 to 4 for A to D.

        `sides`, `characters` (of this turn) and `former` (of last turn) by seat, 255 for none;
        `ignored` by colour; `loyalty` cards left by side; `in_play` a set of characters.
        """
        cdef Table* t = &self.table
        return {
            "turn": t.turn, "first": t.first, "event": t.event, "ending": t.ending,
            "time": t.time, "crusaders": t.crusaders, "saladin": t.saladin,
            "treasury": t.treasury,
            "points": [t.points[i] for i in range(self.table.numbers.players)],
            "sides": [t.side[i] for i in range(self.table.numbers.players)],
            "characters": [t.character[i] for i in range(self.table.numbers.players)],
            "former": [t.former[i] for i in range(self.table.numbers.players)],
            "ignored": [t.uncounted[i] for i in range(COLOURS)],
            "events_left": [i for i in range(1, 1 + EVENTS) if t.event_deck >> i & 1],
            "loyalty": [t.loyalty[JOHN], t.loyalty[RICHARD]],
            "in_play": t.numbers.characters,
        }

    def offers(self, int viewer):
        """By seat, those that the viewer sees: of a tax all, of a tournament its own; else 0."""
        cdef Table* t = &self.table
        cdef Task task = t.agenda[t.tasks - 1] if t.tasks else Task(0, 0, 0, 0)
        cdef bint secret = task.what == OFFER and task.b
        return [0 if secret and seat != viewer else t.offer[seat]
                for seat in range(t.numbers.players)]

    @property
    def task(self):
        """What goes on, in two numbers that everybody knows; (0, 0) at the end.

        Of a draw or reveal the cards still to come; of a returned card its colour, and the points;
        of an offer who called it, and 1 for a tournament; of a player's choice what for (0 to be
        inquired, 1 for a swap); of a colour's choice what for (0 take one, 1 take another, 2 the
        bandit's payment, 3 and 4 the swap, 5 cards alike), and with it: whether one more follows,
        the colour taken before, the option, the player, or the counselor.
        """
        cdef Table* t = &self.table
        if t.tasks == 0:
            return 0, 0
        return t.agenda[t.tasks - 1].a, t.agenda[t.tasks - 1].b

    @property
    def bounds(self):
        """(most decisions, most outcomes) of a game."""
        cdef const Numbers* n = self.table.numbers
        return most_decisions(n), most_outcomes(n)

    @property
    def cards(self):
        """Where all cards are: six counts a pile. Hidden ones too: for tests and records."""
        cdef Table* t = &self.table
        piles = {"supply": listed(&t.supply), "reserve": listed(&t.reserve),
                 "crusade": listed(&t.crusade), "revealed": listed(&t.revealed)}
        piles["hands"] = [listed(&t.hand[s]) for s in range(t.numbers.players)]
        piles["counselors"] = [[k for k in range(1, 15) if t.counselors[s] >> k & 1]
                               for s in range(t.numbers.players)]
        piles["decks"] = [[k for k in range(1, 15) if t.counselor_deck[side] >> k & 1]
                          for side in range(2)]
        return piles

    def utilities(self):
        """One a seat: (n·s − 1)/(n − 1) for a share s of the win; all 0 before the end."""
        cdef double[SEATS] out
        self.returns(out)
        return [out[i] for i in range(self.table.numbers.players)]

    def copy(self, bint log=True):
        """A copy; without a log it has no info keys, and plays faster."""
        cdef Richard copy = self.clone()
        copy.logs = copy.logs and log
        return copy

    def key(self, int viewer, bint memory=True):
        """A number of 64 bits that is the same in all states that a seat cannot tell apart.

        With `memory` (perfect recall) by all that the seat has ever learned, else by what still
        matters to it now. Raises ValueError if no log was kept.
        """
        if memory and not self.logs:
            raise ValueError("this state keeps no log of what its seats have learned")
        return self.info_key(viewer) if memory else self.view_key(viewer)

    def essence(self):
        """Bytes that are equal for equal states that were learned of in the same way."""
        cdef Table table = self.table
        memset(&table.agenda[table.tasks], 0, (AGENDA - table.tasks) * sizeof(Task))
        table.numbers = NULL
        return (<char*>&table)[:sizeof(Table)] + (<char*>&self.log)[:sizeof(Log)]

    cdef Shape shape(self) noexcept nogil:
        cdef const Numbers* n = self.table.numbers
        return Shape(n.players, ACTIONS, MOST_EDGES, most_decisions(n) + most_outcomes(n), -1.0, 1.0)

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
        if self.logs:
            remember(&self.log, &self.table, edge)
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
        if self.logs:
            self.log = (<Richard>other).log

    cdef uint64_t observe(self, int32_t edge, int viewer) noexcept nogil:
        cdef Label label = label_of(&self.table, edge, viewer)
        return key_of(&label)

    cdef uint64_t info_key(self, int viewer) noexcept nogil:
        return fold(self.log.key[viewer], self.log.run[viewer])

    cdef uint64_t view_key(self, int viewer) noexcept nogil:
        return view_of(&self.table, viewer)

    cdef Game clone(self):
        cdef Richard copy = Richard.__new__(Richard)
        copy.logs = self.logs
        copy.load(self)
        copy.rules = self.rules
        return copy


_SET_KINDS = ("loyalty", "place", "option", "give", "uncount", "return")
