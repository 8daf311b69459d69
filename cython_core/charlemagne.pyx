# cython: cdivision=True
"""Charlemagne, the rules: one state of the game. Source: the rulebook by section (§) and RULES.md.

The state is one flat struct (``charlemagne_table.pxd``); nothing is allocated while playing.
"""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from cython_core.charlemagne_labels cimport (
    FOUND, SHOWN, UNSAID, Label, is_draw, item_of, label_of, lowest, members, open_hand,
    open_size, remember, size_of, view_of, word_of,
)
from cython_core.charlemagne_table cimport *
from cython_core.errors import IllegalMove
from cython_core.folding cimport fold
from cython_core.game cimport CHANCE, TERMINAL, Game, Shape

cdef enum:
    NO_CARD = CARDS                 # nothing lies on the table
    HUTS_PER_HARVEST = 2            # § IV.1
    HUTS_PER_BUILDER = 2            # § III.2: at most half of the huts
    LEAST_DONOR = 2                 # pieces: a donor gives at most half of them, and at least one

cdef int[KINDS] INCOME_DIGIT = [1, 3, 9, 27]    # of an outcome of `income`, in base 3

cdef uint64_t[LATER + 1][DRAWN + 1] choose      # binomial coefficients


cdef int _fill_choose() except -1:
    from math import comb

    for n in range(LATER + 1):
        for k in range(DRAWN + 1):
            choose[n][k] = comb(n, k)
    return 0


_fill_choose()


# -- small things ---------------------------------------------------------------------------------

cdef inline void move(Pile* source, Pile* target, int kind, int pieces) noexcept nogil:
    source.count[kind] -= pieces
    target.count[kind] += pieces


cdef inline void move_all(Pile* source, Pile* target) noexcept nogil:
    cdef int kind
    for kind in range(KINDS):
        target.count[kind] += source.count[kind]
        source.count[kind] = 0


cdef inline void spend(Table* t, int seat, int kind) noexcept nogil:
    """§ III: all the resources used are discarded after use."""
    move(&t.storage[seat], &t.stock, kind, 1)


cdef inline bint has(const Table* t, int seat, int kind) noexcept nogil:
    return t.storage[seat].count[kind] > 0


cdef inline int worth(const Pile* pile, const int* value) noexcept nogil:
    return (pile.count[0] * value[0] + pile.count[1] * value[1]
            + pile.count[2] * value[2] + pile.count[3] * value[3])


cdef inline int in_turn(const Table* t) noexcept nogil:
    """The noble whose turn it is in this round."""
    cdef int seat = t.first + t.turn
    if seat >= t.numbers.players:
        seat -= t.numbers.players
    return seat


cdef inline int free_huts(const Table* t, int seat) noexcept nogil:
    return t.huts[seat] - t.builders[seat]


cdef inline int problem_of(int card) noexcept nogil:
    if card == MILLENNIUM:
        return PROBLEMS - 1             # unrest
    return card // CARDS_PER_PROBLEM


cdef inline bint is_castle(int card) noexcept nogil:
    return card != MILLENNIUM and card % CARDS_PER_PROBLEM >= CASTLE_CARDS


cdef inline int symbol_of(int card) noexcept nogil:
    """The kind whose privilege is given up to replace the card."""
    cdef int i = card % CARDS_PER_PROBLEM
    cdef bint odd = card // CARDS_PER_PROBLEM & 1       # taxes and unrest
    if card == MILLENNIUM:
        return SERF
    if i < CASTLE_CARDS:
        return i
    if i == CASTLE_CARDS:
        return RICHES if odd else BARLEY
    return SERF if odd else KNIGHT


# -- the flow of the game -------------------------------------------------------------------------

cdef void set_up(Table* t, const Numbers* numbers) noexcept nogil:
    """§ Setting up Charlemagne."""
    cdef int seat
    memset(t, 0, sizeof(Table))
    t.numbers = numbers
    t.stock, t.king = numbers.pieces, numbers.privileges
    for seat in range(numbers.players):
        t.huts[seat] = numbers.huts_start
    t.undealt, t.card = numbers.cards, numbers.first_card
    t.year = 1
    begin(t, SETTING_UP)
    takes_turn(t)


cdef void begin(Table* t, int round) noexcept nogil:
    """A round, from the noble who begins it."""
    t.round, t.turn = round, 0
    if round == CAMPAIGN:               # § II.1: turns by seat, round and round from the opener
        t.first, t.turn = 0, t.opener
    elif round == SUMMER:               # § II.1: the winner starts each sequence of this year
        t.first = t.winner
    elif round == CALLS:
        t.poor = poor_nobles(t)
    elif round == CHURCH_TAXES:
        t.poor = 0
    elif round == CONGREGATION:
        t.year += 1
        t.first = leader(t)


cdef void go_on(Table* t) noexcept nogil:
    """To the next noble who takes a turn; after the last one to the next round."""
    while True:
        t.turn += 1
        if t.turn == t.numbers.players:
            if t.round == CAMPAIGN:
                t.turn = 0
            elif t.round == CONGREGATION:
                begin(t, CAMPAIGN)
            else:
                begin(t, t.round + 1)
        if takes_turn(t):
            return


cdef bint takes_turn(Table* t) noexcept nogil:
    """Whether there is a node for the noble whose turn it is. If so the game stands at it."""
    cdef int seat = in_turn(t), round = t.round
    t.seat = seat
    t.kind = t.laid = t.plundered = t.settled = t.donor = 0
    if round == SETTING_UP:
        return draws(t, START, t.numbers.start)
    elif round == DEALING:
        t.step = CARD
        return t.undealt != 0
    elif round == CAMPAIGN:
        t.step = BID
        return not t.passed >> seat & 1
    elif round == SUMMER:
        t.step = RULE
        return True
    elif round == CALLS:
        t.step = FARMSTEAD
        return t.numbers.calls
    elif round == TAXATION:
        return draws(t, HARVEST, harvest_of(t, seat))
    elif round == INCOMES:
        t.step = INCOME
        return size_of(&t.privileges[seat]) > 0
    elif round == MERCIES:
        t.step = MERCY
        return t.poor >> seat & 1 and size_of(&t.storage[seat]) <= t.numbers.mercy_limit
    elif round == CHURCH_TAXES:
        t.step = CHURCH
        return excess(t, seat) > 0
    elif t.turn == 0:
        t.step = LEAD
        return True
    t.step = CHANGE
    return t.privileges[seat].count[symbol_of(t.card)] > 0 and t.hand[seat] != 0


cdef int leader(const Table* t) noexcept nogil:
    """§ I.2: the last winner, or the next who holds a card. Somebody does, before every Winter."""
    cdef int seat = t.winner
    while t.hand[seat] == 0:
        seat = (seat + 1) % t.numbers.players
    return seat


cdef int poor_nobles(const Table* t) noexcept nogil:
    """§ The King's Mercy: who has income from his farmstead only. A set of seats."""
    cdef int seat, poor = 0
    for seat in range(t.numbers.players):
        if free_huts(t, seat) < HUTS_PER_HARVEST and size_of(&t.privileges[seat]) == 0:
            poor |= 1 << seat
    return poor


cdef inline int harvest_of(const Table* t, int seat) noexcept nogil:
    """§ IV.1; what could be called out has been taken already."""
    cdef int pieces = free_huts(t, seat) // HUTS_PER_HARVEST
    if not t.numbers.calls:
        pieces += t.numbers.farmstead_income
    return pieces


cdef inline int excess(const Table* t, int seat) noexcept nogil:
    """§ Church Taxes: pieces due."""
    return size_of(&t.storage[seat]) - t.numbers.storage_limit


# -- chance ---------------------------------------------------------------------------------------

cdef inline Pile* pool(Table* t) noexcept nogil:
    """What is drawn from."""
    if t.step == ALMS:
        return &t.storage[t.donor]
    return &t.stock


cdef bint draws(Table* t, int step, int pieces) noexcept nogil:
    """Begin a draw, cut to the size of the pool. Whether there is anything to draw."""
    t.step = step
    t.kind = t.numbers.first_kind
    t.due = min(pieces, size_of(pool(t)))
    return t.due > 0


cdef int outcomes(Table* t, int32_t* out, int32_t* weight) noexcept nogil:
    if is_draw(t.step):
        return draw_outcomes(t, out, weight)
    if t.step == CARD:
        return card_outcomes(t, out, weight)
    out[0] = income_of(t)
    weight[0] = 1
    return 1


cdef int draw_outcomes(Table* t, int32_t* out, int32_t* weight) noexcept nogil:
    """How many of the kind are among the pieces due: hypergeometric, not reduced."""
    cdef const Pile* source = pool(t)
    cdef int x = source.count[t.kind], y = 0, kind, j, n = 0
    for kind in range(t.kind + 1, KINDS):
        y += source.count[kind]
    for j in range(max(0, t.due - y), min(x, <int>t.due) + 1):
        out[n] = j
        weight[n] = <int32_t>(choose[x][j] * choose[y][t.due - j])
        n += 1
    return n


cdef int card_outcomes(const Table* t, int32_t* out, int32_t* weight) noexcept nogil:
    """To whom the card goes: by the places that are still free."""
    cdef int seat, places, n = 0
    for seat in range(t.numbers.players):
        places = t.numbers.hand - members(t.hand[seat])
        if places:
            out[n] = seat
            weight[n] = places
            n += 1
    return n


cdef int income_of(const Table* t) noexcept nogil:
    """§ IV.2: what the stock gives for the privileges, as an outcome."""
    cdef const Pile* privileges = &t.privileges[t.seat]
    cdef int kind, outcome = 0
    for kind in range(KINDS):
        outcome += INCOME_DIGIT[kind] * min(privileges.count[kind], t.stock.count[kind])
    return outcome


cdef void come(Table* t, int outcome) noexcept nogil:
    """Carry out an outcome."""
    if is_draw(t.step):
        draw(t, outcome)
    elif t.step == CARD:
        t.hand[outcome] |= 1 << lowest(t.undealt)
        t.undealt &= t.undealt - 1
        if t.undealt == 0:
            go_on(t)
    else:
        receive(t, outcome)


cdef void draw(Table* t, int pieces) noexcept nogil:
    """So many of the kind; what remains after the last kind but one is of the last."""
    cdef Pile* source = pool(t)
    cdef Pile* target = &t.storage[t.seat]
    move(source, target, t.kind, pieces)
    t.due -= pieces
    t.kind += 1
    while t.numbers.pieces.count[t.kind] == 0:
        t.kind += 1
    if t.kind == t.numbers.last_kind:
        move(source, target, t.kind, t.due)
        t.due = 0
        if t.step == ALMS:
            thank(t)
        else:
            go_on(t)


cdef void thank(Table* t) noexcept nogil:
    """§ The King's Mercy: the donor takes a privilege from the King, if he has one."""
    if size_of(&t.king):
        t.step, t.seat, t.kind = GIFT, t.donor, 0
    else:
        go_on(t)


cdef void receive(Table* t, int outcome) noexcept nogil:
    """§ IV.2: what is not available is drawn instead."""
    cdef int kind, given, missing = size_of(&t.privileges[t.seat])
    for kind in range(KINDS):
        given = outcome // INCOME_DIGIT[kind] % 3
        move(&t.stock, &t.storage[t.seat], kind, given)
        missing -= given
    if not draws(t, EXTRA, missing):
        go_on(t)


# -- Winter and Spring ----------------------------------------------------------------------------

cdef inline void lay(Table* t, int card) noexcept nogil:
    """§ I.2: who laid the card that stays opens the bidding."""
    t.hand[t.seat] &= ~(<uint32_t>1 << card)
    t.card, t.opener = card, t.seat


cdef void change(Table* t, int card) noexcept nogil:
    """§ I.2, Changing the agenda."""
    cdef int replaced = t.card
    move(&t.privileges[t.seat], &t.king, symbol_of(replaced), 1)
    lay(t, card)
    t.hand[t.seat] |= <uint32_t>1 << replaced


cdef void bid(Table* t, int kind) noexcept nogil:
    """§ II.1: one more piece; the first of a turn begins a new raise."""
    if not t.laid:
        move_all(&t.raised[t.seat], &t.bid[t.seat])
    move(&t.storage[t.seat], &t.raised[t.seat], kind, 1)
    t.laid, t.kind = True, kind


cdef void withdraw(Table* t) noexcept nogil:
    """§ II.1: the last raise comes back, all previous bids are lost."""
    cdef int seat = t.seat, others
    move_all(&t.raised[seat], &t.storage[seat])
    move_all(&t.bid[seat], &t.stock)
    t.passed |= 1 << seat
    others = ((1 << t.numbers.players) - 1) & ~t.passed
    if members(others) == 1:
        win(t, lowest(others))
    else:
        go_on(t)


cdef void win(Table* t, int seat) noexcept nogil:
    """§ II.1, last lines, and § II.2: the campaign."""
    cdef int card = t.card
    move_all(&t.raised[seat], &t.stock)
    move_all(&t.bid[seat], &t.stock)
    t.winner = t.seat = t.turn = seat
    t.passed = t.kind = 0
    t.solved |= <uint32_t>1 << card
    t.card = NO_CARD
    if is_castle(card):
        build(t, seat)
    else:
        t.points[seat] += 1
        t.step = REWARD
    if t.built == t.numbers.castle_pieces:      # § The Winner of Charlemagne
        t.step = OVER
    elif is_castle(card) or size_of(&t.privileges[seat]) == t.numbers.all_privileges:
        begin_summer(t)


cdef void build(Table* t, int seat) noexcept nogil:
    """§ II.2, Castle building: the builders go back to the stock, their huts are removed."""
    t.points[seat] += t.numbers.castle[t.built] * (t.builders[seat] + 1)
    t.built += 1
    t.stock.count[SERF] += t.builders[seat]
    t.huts[seat] -= t.builders[seat]
    t.builders[seat] = 0


cdef void reward(Table* t, int move_id) noexcept nogil:
    """§ II.2, Privileges: from the King, or from a player if the King has none of the kind."""
    cdef int holding = move_id - HOLDER_MOVES
    if holding < 0:
        move(&t.king, &t.privileges[t.seat], move_id - KING_MOVES, 1)
    else:
        move(&t.privileges[holding % SEATS], &t.privileges[t.seat], holding // SEATS, 1)
    begin_summer(t)


cdef void begin_summer(Table* t) noexcept nogil:
    begin(t, SUMMER)
    takes_turn(t)


# -- Summer and Fall ------------------------------------------------------------------------------

cdef void rule(Table* t, int move_id) noexcept nogil:
    """§ III: one action."""
    cdef int loot
    if move_id == HUT_MOVE:             # § III.1
        spend(t, t.seat, BARLEY)
        t.huts[t.seat] += 1
    elif move_id == BUILDER_MOVE:       # § III.2
        t.storage[t.seat].count[SERF] -= 1
        t.builders[t.seat] += 1
        t.settled = True
    elif move_id == END_MOVE:
        loot = t.numbers.loot * members(t.plundered)
        t.plundered = t.settled = 0
        if not draws(t, LOOT, loot):
            go_on(t)
    elif move_id < BRIBE_MOVES:         # § III.3
        spend(t, t.seat, KNIGHT)
        t.settled = False
        t.step, t.seat = RAID, move_id - FORAGE_MOVES
    else:
        bribe(t, move_id - BRIBE_MOVES)


cdef void bribe(Table* t, int target) noexcept nogil:
    """§ II.4 Bribery."""
    spend(t, t.seat, RICHES)
    t.settled = False
    if has(t, target, KNIGHT):
        spend(t, target, KNIGHT)


cdef void raid(Table* t, int move_id) noexcept nogil:
    """§ III.3: the defender's answer; then the attacker goes on."""
    cdef int seat = t.seat
    if move_id == DEFEND_MOVE:
        spend(t, seat, KNIGHT)
    else:
        t.huts[seat] -= 1
        t.plundered |= 1 << seat
        if move_id == YIELD_BUILDER_MOVE:
            t.builders[seat] -= 1
            t.stock.count[SERF] += 1
    t.step, t.seat = RULE, in_turn(t)


cdef void call(Table* t, int move_id) noexcept nogil:
    """§ IV.1, Tip: the piece of the farmstead, named or drawn."""
    cdef int kind = move_id - KIND_MOVES
    if move_id != RANDOM_MOVE and t.stock.count[kind]:
        move(&t.stock, &t.storage[t.seat], kind, 1)
        go_on(t)
    elif not draws(t, HARVEST, t.numbers.farmstead_income):
        go_on(t)


cdef void ask(Table* t, int move_id) noexcept nogil:
    """§ The King's Mercy."""
    if move_id == DECLINE_MOVE:
        go_on(t)
    else:
        t.step, t.donor = NUMBER, move_id - ASK_MOVES


cdef void give_to_church(Table* t, int kind) noexcept nogil:
    """§ Church Taxes."""
    spend(t, t.seat, kind)
    t.kind = kind
    if excess(t, t.seat) == 0:
        go_on(t)


cdef void decide(Table* t, int move_id) noexcept nogil:
    cdef int step = t.step
    if step == RULE:
        rule(t, move_id)
    elif step == BID:
        if move_id == PASS_MOVE:
            withdraw(t)
        elif move_id == STOP_MOVE:
            go_on(t)
        else:
            bid(t, move_id - KIND_MOVES)
    elif step == RAID:
        raid(t, move_id)
    elif step == CHURCH:
        give_to_church(t, move_id - KIND_MOVES)
    elif step == LEAD:
        lay(t, move_id)
        go_on(t)
    elif step == CHANGE:
        if move_id != PASS_MOVE:
            change(t, move_id)
        go_on(t)
    elif step == REWARD:
        reward(t, move_id)
    elif step == FARMSTEAD:
        call(t, move_id)
    elif step == MERCY:
        ask(t, move_id)
    elif step == NUMBER:
        draws(t, ALMS, move_id - NUMBER_MOVES)
    else:                               # GIFT
        move(&t.king, &t.privileges[t.seat], move_id - KING_MOVES, 1)
        go_on(t)


# -- legal moves ----------------------------------------------------------------------------------

cdef int legal_moves(const Table* t, int32_t* out) noexcept nogil:
    cdef int step = t.step
    if step == RULE:
        return actions(t, out)
    elif step == BID:
        return bids(t, out)
    elif step == RAID:
        return answers(t, out)
    elif step == CHURCH:
        return donations(t, out)
    elif step == LEAD:
        return cards_in_hand(t, out)
    elif step == CHANGE:
        out[cards_in_hand(t, out)] = PASS_MOVE
        return members(t.hand[t.seat]) + 1
    elif step == REWARD:
        return rewards(t, out)
    elif step == FARMSTEAD:
        return kinds_to_call(t, out)
    elif step == MERCY:
        return donors(t, out)
    elif step == NUMBER:
        return numbers_to_ask(t, out)
    return gifts(t, out)


cdef int cards_in_hand(const Table* t, int32_t* out) noexcept nogil:
    cdef uint32_t rest = t.hand[t.seat]
    cdef int n = 0
    while rest:
        out[n] = CARD_MOVES + lowest(rest)
        rest &= rest - 1
        n += 1
    return n


cdef inline int add(int32_t* out, int n, int move_id, bint legal) noexcept nogil:
    """One move more if it is legal; how many there are then. Without a branch to be guessed."""
    out[n] = move_id
    return n + legal


cdef int bids(const Table* t, int32_t* out) noexcept nogil:
    """A piece, if it and all later ones in storage could beat the highest other total."""
    cdef const int* value = t.numbers.value[problem_of(t.card)]
    cdef const uint8_t* storage = &t.storage[t.seat].count[0]
    cdef int own = total(t, t.seat, value), highest = highest_other(t, value)
    cdef int kind, within_reach = own, n = 0
    for kind in range(t.kind, KINDS):
        within_reach += storage[kind] * value[kind]
    for kind in range(t.kind, KINDS):
        n = add(out, n, KIND_MOVES + kind, storage[kind] > 0 and within_reach > highest)
        within_reach -= storage[kind] * value[kind]
    if t.laid:
        return add(out, n, STOP_MOVE, own > highest)
    return add(out, n, PASS_MOVE, True)


cdef inline int total(const Table* t, int seat, const int* value) noexcept nogil:
    return worth(&t.bid[seat], value) + worth(&t.raised[seat], value)


cdef inline int highest_other(const Table* t, const int* value) noexcept nogil:
    """Who has passed has nothing on the board."""
    cdef int seat, highest = 0
    for seat in range(t.numbers.players):
        if seat != t.seat:
            highest = max(highest, total(t, seat, value))
    return highest


cdef int rewards(const Table* t, int32_t* out) noexcept nogil:
    cdef int kind, seat, n = gifts(t, out)
    for kind in range(KINDS):
        if t.king.count[kind] == 0:
            for seat in range(t.numbers.players):
                n = add(out, n, HOLDER_MOVES + SEATS * kind + seat,
                        seat != t.seat and t.privileges[seat].count[kind] > 0)
    return n


cdef int gifts(const Table* t, int32_t* out) noexcept nogil:
    cdef int kind, n = 0
    for kind in range(KINDS):
        n = add(out, n, KING_MOVES + kind, t.king.count[kind] > 0)
    return n


cdef int actions(const Table* t, int32_t* out) noexcept nogil:
    cdef int seat = t.seat, other, n = 0
    n = add(out, n, HUT_MOVE,
            has(t, seat, BARLEY) and t.huts[seat] < t.numbers.huts and not t.settled)
    n = add(out, n, BUILDER_MOVE,
            has(t, seat, SERF) and t.builders[seat] < t.huts[seat] // HUTS_PER_BUILDER)
    if has(t, seat, KNIGHT):
        for other in range(t.numbers.players):
            n = add(out, n, FORAGE_MOVES + other, other != seat and t.huts[other] > 0)
    if has(t, seat, RICHES):
        for other in range(t.numbers.players):
            n = add(out, n, BRIBE_MOVES + other,
                    other != seat and size_of(&t.storage[other]) > 0)
    return add(out, n, END_MOVE, True)


cdef int answers(const Table* t, int32_t* out) noexcept nogil:
    cdef int n = add(out, 0, DEFEND_MOVE, has(t, t.seat, KNIGHT))
    n = add(out, n, YIELD_MOVE, free_huts(t, t.seat) > 0)
    return add(out, n, YIELD_BUILDER_MOVE, t.builders[t.seat] > 0)


cdef int kinds_to_call(const Table* t, int32_t* out) noexcept nogil:
    """Every kind in play, whether in stock or not: that is not for everybody to know."""
    cdef int kind, n = 0
    for kind in range(KINDS):
        n = add(out, n, KIND_MOVES + kind, t.numbers.pieces.count[kind] > 0)
    return add(out, n, RANDOM_MOVE, True)


cdef int donors(const Table* t, int32_t* out) noexcept nogil:
    cdef int seat, n = add(out, 0, DECLINE_MOVE, True)
    for seat in range(t.numbers.players):
        n = add(out, n, ASK_MOVES + seat,
                seat != t.seat and size_of(&t.storage[seat]) >= LEAST_DONOR)
    return n


cdef int numbers_to_ask(const Table* t, int32_t* out) noexcept nogil:
    cdef int i, n = size_of(&t.storage[t.donor]) // 2
    for i in range(n):
        out[i] = NUMBER_MOVES + 1 + i
    return n


cdef int donations(const Table* t, int32_t* out) noexcept nogil:
    """A piece, if it and all later ones in storage are enough."""
    cdef const uint8_t* storage = &t.storage[t.seat].count[0]
    cdef int kind, due = excess(t, t.seat), within_reach = 0, n = 0
    for kind in range(t.kind, KINDS):
        within_reach += storage[kind]
    for kind in range(t.kind, KINDS):
        n = add(out, n, KIND_MOVES + kind, storage[kind] > 0 and within_reach >= due)
        within_reach -= storage[kind]
    return n


# -- the end --------------------------------------------------------------------------------------

cdef inline int standing(const Table* t, int seat) noexcept nogil:
    """§ The Winner of Charlemagne; ruling "End": points, then privileges, then resources."""
    return (t.points[seat] << 16 | size_of(&t.privileges[seat]) << 8
            | size_of(&t.storage[seat]))


cdef inline int better(const Table* t, int seat) noexcept nogil:
    """How many nobles stand better than this one."""
    cdef int other, n = 0
    for other in range(t.numbers.players):
        n += standing(t, other) > standing(t, seat)
    return n


cdef inline int equal(const Table* t, int seat) noexcept nogil:
    """How many nobles stand as this one does, himself counted."""
    cdef int other, n = 0
    for other in range(t.numbers.players):
        n += standing(t, other) == standing(t, seat)
    return n


cdef double win_value(const Table* t, int seat) noexcept nogil:
    """(n·s − 1)/(n − 1) for a share s of the win."""
    cdef double n = t.numbers.players, share = 0
    if better(t, seat) == 0:
        share = 1.0 / equal(t, seat)
    return (n * share - 1) / (n - 1)


cdef double margin_value(const Table* t, int seat) noexcept nogil:
    """Own points less the mean of the others'."""
    cdef double others = 0
    cdef int other
    for other in range(t.numbers.players):
        if other != seat:
            others += t.points[other]
    return t.points[seat] - others / (t.numbers.players - 1)


cdef double rank_value(const Table* t, int seat) noexcept nogil:
    """Evenly from +1 for the first place to −1 for the last, ties averaged."""
    cdef double place = better(t, seat) + (equal(t, seat) - 1) / 2.0
    return 1 - 2 * place / (t.numbers.players - 1)


# -- the object -----------------------------------------------------------------------------------

cdef list listed(const Pile* pile):
    return [pile.count[kind] for kind in range(KINDS)]


cdef list listed_set(uint32_t bits):
    return [i for i in range(CARDS) if bits >> i & 1]


cdef tuple told(const Label* label):
    return (
        _STEPS[label.what], label.seat, None if label.item < 0 else label.item,
        None if label.edge < 0 else label.edge,
        None if label.found == UNSAID else label.found == FOUND,
        tuple(listed(&label.shown)) if label.found == SHOWN else None,
    )


cdef Pile read_pile(object counts) except *:
    cdef Pile pile
    if len(counts) != KINDS:
        raise ValueError(f"four numbers, one a kind, not {counts!r}")
    for kind, count in enumerate(counts):
        pile.count[kind] = count
    return pile


cdef int read_table(Numbers* n, dict numbers) except -1:
    """The rows: values by problem, points of the castle, cards."""
    for problem, values in enumerate(numbers["values"]):
        for kind, value in enumerate(values):
            n.value[problem][kind] = value
    n.castle_pieces = len(numbers["castle"])
    if n.castle_pieces > CASTLE:
        raise ValueError(f"at most {CASTLE} pieces of a castle, not {n.castle_pieces}")
    for piece, points in enumerate(numbers["castle"]):
        n.castle[piece] = points
    for card in numbers["cards"]:
        n.cards |= <uint32_t>1 << <int>card
    n.first_card = numbers["first_card"]
    n.hand = members(n.cards) // n.players
    return 0


cdef int most_years(const Numbers* n) noexcept nogil:
    """RULES.md, Bounds: a year a card, but of castle cards as many as there are pieces."""
    cdef int years = members(n.cards) + 1 + n.castle_pieces, card
    for card in range(CARDS):
        if (n.cards >> card & 1 or card == n.first_card) and is_castle(card):
            years -= 1
    return years


cdef int most_decisions(const Numbers* n) noexcept nogil:
    """RULES.md, Bounds: a year's Winter, Spring with Summer, calls, Mercy and Church."""
    cdef int players = n.players, limit = n.storage_limit
    cdef int excess = (players * ((players - 1) * max(0, n.loot - 1) + n.farmstead_income
                                  + n.huts // HUTS_PER_HARVEST) + n.all_privileges)
    return most_years(n) * (players + (3 * limit + 3) * (players - 1) + 2 * limit + 2
                            + n.calls * players + 3 * players + excess)


cdef int most_outcomes(const Numbers* n) noexcept nogil:
    """RULES.md, Bounds: at set-up, and in every year with a Fall."""
    cdef int kind, draw = -1
    for kind in range(KINDS):
        draw += n.pieces.count[kind] > 0        # nodes of a draw: all kinds but one
    return (n.players * draw + members(n.cards)
            + (most_years(n) - 1) * n.players * ((4 + n.calls) * draw + 1))


cdef class Rules:
    pass


cdef class Charlemagne(Game):
    """One state of Charlemagne.

    `numbers` maps `players`, `calls`, `huts`, `huts_start`, `start`, `storage_limit`,
    `mercy_limit`, `loot` and `farmstead_income` to whole numbers, `pieces` and `privileges` to four
    of them by kind, `values` to four such rows by problem, `castle` to the points of its pieces,
    `cards` to the ids of the dealt ones and `first_card` to an id. All are taken as they are:
    checking them is for the caller.
    """

    def __cinit__(self, dict numbers=None):
        if numbers is None:
            return                      # a clone, about to be loaded
        self.rules = Rules()
        cdef Numbers* n = &self.rules.numbers
        n.players = numbers["players"]
        n.pieces = read_pile(numbers["pieces"])
        n.privileges = read_pile(numbers["privileges"])
        n.all_privileges = size_of(&n.privileges)
        n.huts, n.huts_start = numbers["huts"], numbers["huts_start"]
        n.start = numbers["start"]
        n.storage_limit, n.mercy_limit = numbers["storage_limit"], numbers["mercy_limit"]
        n.loot = numbers["loot"]
        n.farmstead_income = numbers["farmstead_income"]
        n.calls = numbers["calls"] and n.farmstead_income > 0
        read_table(n, numbers)
        in_play = [kind for kind in range(KINDS) if n.pieces.count[kind]]
        n.first_kind, n.last_kind = min(in_play), max(in_play)
        n.longest = most_decisions(n) + most_outcomes(n)
        self.logs = True
        set_up(&self.table, n)

    def set_table(self, dict table, str what, int seat):
        """Become a table in the middle of a game, where a seat has a decision.

        `what`: "lead", "change", "bid", "reward", "rule", "farmstead" or "mercy". `table`: `year`,
        `card` (25: none), `opener`, `winner`, `first` (who begins this round), `built`, `settled`;
        by kind `king` and `stock`; by seat `points`, `huts`, `builders`, and by kind `privileges`,
        `bids`, `raises`, `storages`; sets of bits `solved` and by seat `hands` (cards), `passed`,
        `plundered`, `poor` (seats). All are taken as they are. Returns whether there is such a
        decision. No log is kept from here on.
        """
        cdef Table* t = &self.table
        cdef int i
        self.logs = False
        t.undealt = 0
        t.year, t.card, t.opener = table["year"], table["card"], table["opener"]
        t.winner, t.built, t.solved = table["winner"], table["built"], table["solved"]
        t.passed, t.poor = table["passed"], table["poor"]
        t.king, t.stock = read_pile(table["king"]), read_pile(table["stock"])
        for i in range(t.numbers.players):
            t.points[i], t.huts[i] = table["points"][i], table["huts"][i]
            t.builders[i], t.hand[i] = table["builders"][i], table["hands"][i]
            t.privileges[i] = read_pile(table["privileges"][i])
            t.bid[i], t.raised[i] = read_pile(table["bids"][i]), read_pile(table["raises"][i])
            t.storage[i] = read_pile(table["storages"][i])
        t.first = table["first"]
        t.turn = (seat - t.first + t.numbers.players) % t.numbers.players
        found = self.stand(what, seat)
        t.plundered, t.settled = table["plundered"], table["settled"]
        return found

    cdef bint stand(self, str what, int seat):
        """Let it be the turn of a seat to decide; whether it can be."""
        cdef Table* t = &self.table
        cdef int32_t[MOST_EDGES] moves
        t.round = _ROUNDS[what]
        if what != "reward":
            return takes_turn(t) and _STEPS[t.step] == what
        t.step, t.seat = REWARD, seat
        t.kind = t.laid = t.donor = 0
        return rewards(t, moves) > 0

    def node(self):
        """("over", -1, ""), ("chance", seat or -1, name) or ("decision", seat, name)."""
        cdef int step = self.table.step
        if step == OVER:
            return "over", -1, ""
        if step < LEAD:
            return "chance", -1 if step == CARD else self.table.seat, _STEPS[step]
        return "decision", self.table.seat, _STEPS[step]

    @property
    def item(self):
        """The kind that is drawn or the card that is dealt now; None elsewhere."""
        cdef int item = item_of(&self.table)
        return None if item < 0 else item

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
        """Play an outcome at random: `at` is a random number, 0 <= at < 1. False elsewhere."""
        cdef int32_t[MOST_EDGES] found, weight
        cdef int n = self.chance(found, weight), i
        cdef int64_t total = 0          # more than 32 bits at set-up
        if n == 0:
            return False
        for i in range(n):
            total += weight[i]
        total = <int64_t>(at * total)
        i = 0
        while i < n - 1 and total >= weight[i]:
            total -= weight[i]
            i += 1
        self.apply(found[i])
        return True

    def label(self, edge, int viewer):
        """What a viewer learns from a legal move or possible outcome, before it is played.

        (name of the node, seat or -1, item or None, edge or None, found, storage shown or None);
        item as in `item`; found is None, or whether a bribe or a call has found what it is about.
        """
        cdef Label label = label_of(&self.table, edge, viewer)
        return told(&label)

    @property
    def public(self):
        """What lies open, as a dict; `card` is None if none is on the table; lists by seat.

        `resources` and `hands` are sizes, as if a draw or the deal that goes on were over. `first`:
        who begins this round; `kind`: the one laid last in this raise or gift to the Church, else
        None; `donor`: of the Mercy that goes on, else None.
        """
        cdef Table* t = &self.table
        cdef int n = t.numbers.players
        return {
            "year": t.year, "card": None if t.card == NO_CARD else t.card,
            "opener": t.opener, "winner": t.winner, "built": t.built,
            "solved": listed_set(t.solved), "king": listed(&t.king),
            "points": [t.points[i] for i in range(n)],
            "resources": [open_size(t, i) for i in range(n)],
            "hands": [open_hand(t, i) for i in range(n)],
            "huts": [t.huts[i] for i in range(n)],
            "builders": [t.builders[i] for i in range(n)],
            "privileges": [listed(&t.privileges[i]) for i in range(n)],
            "bids": [listed(&t.bid[i]) for i in range(n)],
            "raises": [listed(&t.raised[i]) for i in range(n)],
            "first": t.first, "kind": t.kind if t.laid or t.step == CHURCH else None,
            "donor": t.donor if t.step == NUMBER or t.step == GIFT or t.step == ALMS else None,
            "settled": bool(t.settled),
            "passed": [bool(t.passed >> i & 1) for i in range(n)],
            "plundered": [bool(t.plundered >> i & 1) for i in range(n)],
            "poor": [bool(t.poor >> i & 1) for i in range(n)],
        }

    @property
    def bounds(self):
        """(most decisions, most outcomes) of a game."""
        return most_decisions(self.table.numbers), most_outcomes(self.table.numbers)

    @property
    def cards(self):
        """Where all pieces and cards are: four counts a pile, card ids. Hidden ones too."""
        cdef Table* t = &self.table
        cdef int n = t.numbers.players
        return {
            "stock": listed(&t.stock),
            "storages": [listed(&t.storage[i]) for i in range(n)],
            "bids": [listed(&t.bid[i]) for i in range(n)],
            "raises": [listed(&t.raised[i]) for i in range(n)],
            "builders": [t.builders[i] for i in range(n)],
            "hands": [listed_set(t.hand[i]) for i in range(n)],
            "undealt": listed_set(t.undealt),
        }

    def utilities(self, str value="win"):
        """One a seat; all 0 before the end. Raises ValueError for an unknown value.

        "win": (n·s − 1)/(n − 1) for a share s of the win; "margin": own points less the mean of
        the others'; "rank": from +1 to −1 by place, ties averaged.
        """
        cdef Table* t = &self.table
        cdef int seat, n = t.numbers.players
        if value not in ("win", "margin", "rank"):
            raise ValueError(f"the values are win, margin and rank, not {value!r}")
        if t.step != OVER:
            return [0.0] * n
        if value == "win":
            return [win_value(t, seat) for seat in range(n)]
        if value == "margin":
            return [margin_value(t, seat) for seat in range(n)]
        return [rank_value(t, seat) for seat in range(n)]

    def copy(self, bint log=True):
        """A copy; without a log it has no info keys, and plays faster."""
        cdef Charlemagne copy = self.clone()
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
        table.numbers = NULL
        return (<char*>&table)[:sizeof(Table)] + (<char*>&self.log)[:sizeof(Log)]

    cdef Shape shape(self) noexcept nogil:
        cdef double n = self.table.numbers.players
        return Shape(self.table.numbers.players, ACTIONS, MOST_EDGES, self.table.numbers.longest,
                     -1 / (n - 1), 1.0)

    cdef int player(self) noexcept nogil:
        if self.table.step < LEAD:
            return CHANCE
        if self.table.step == OVER:
            return TERMINAL
        return self.table.seat

    cdef int legal(self, int32_t* out) noexcept nogil:
        if self.table.step < LEAD or self.table.step == OVER:
            return 0
        return legal_moves(&self.table, out)

    cdef int chance(self, int32_t* out, int32_t* weight) noexcept nogil:
        return outcomes(&self.table, out, weight) if self.table.step < LEAD else 0

    cdef void apply(self, int32_t edge) noexcept nogil:
        if self.logs:
            remember(&self.log, &self.table, edge)
        if self.table.step < LEAD:
            come(&self.table, edge)
        else:
            decide(&self.table, edge)

    cdef void returns(self, double* out) noexcept nogil:
        cdef int seat
        for seat in range(self.table.numbers.players):
            out[seat] = win_value(&self.table, seat) if self.table.step == OVER else 0.0

    cdef void load(self, Game other) noexcept nogil:
        self.table = (<Charlemagne>other).table
        if self.logs:
            self.log = (<Charlemagne>other).log

    cdef uint64_t observe(self, int32_t edge, int viewer) noexcept nogil:
        cdef Label label = label_of(&self.table, edge, viewer)
        return fold(0, word_of(&label))

    cdef uint64_t info_key(self, int viewer) noexcept nogil:
        return self.log.key[viewer]

    cdef uint64_t view_key(self, int viewer) noexcept nogil:
        return view_of(&self.table, viewer)

    cdef Game clone(self):
        cdef Charlemagne copy = Charlemagne.__new__(Charlemagne)
        copy.logs = self.logs
        copy.load(self)
        copy.rules = self.rules
        return copy


_STEPS = ("start", "loot", "harvest", "extra", "alms", "card", "income", None, "lead", "change",
          "bid", "reward", "rule", "raid", "farmstead", "mercy", "number", "gift", "church")

_ROUNDS = {"lead": CONGREGATION, "change": CONGREGATION, "bid": CAMPAIGN, "reward": CAMPAIGN,
           "rule": SUMMER, "farmstead": CALLS, "mercy": MERCIES}
