# cython: cdivision=True
"""RR, the rules: one state of the game. Source: the rulebook by section (§) and RULES.md.

Board map, bit numbers and the rules themselves stand in ``rr.pxd``, where kernels inline them.
"""

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint64_t
from libc.string cimport memset

from cython_core.errors import IllegalMove
from cython_core.folding cimport fold
from cython_core.game cimport TERMINAL

LETTERS = "CKQPMGWT"                # of the cards, in the order of their ids and of hands
EMPTY, FACE_DOWN = ".", "#"
REGALITY, RELIGION = 0, 1
ACTION_COUNT = ACTIONS

cdef enum:
    LOWER_CASE = 0x20               # the bit that makes an ASCII letter a small one

cdef const char* _letters = b"CKQPMGWT"

cdef RuleSet _rule_sets[2][2]       # [queen adjacent][ending occupied]
cdef uint16_t _symmetries[SYMMETRIES][FULL + 1]

# File and rank steps: n ne e se s sw w nw; odd ones are diagonal.
cdef int[8] _DX = [0, 1, 1, 1, 0, -1, -1, -1]
cdef int[8] _DY = [1, 1, 0, -1, -1, -1, 0, 1]


cdef uint16_t _ray(int square, int direction, int length) noexcept:
    """The squares that lie within `length` steps in one direction."""
    cdef int x = square % 3, y = square // 3
    cdef uint16_t squares = 0
    for _ in range(length):
        x += _DX[direction]
        y += _DY[direction]
        if 0 <= x < 3 and 0 <= y < 3:
            squares |= 1 << (3 * y + x)
    return squares


cdef uint16_t _adjacent(int square, bint orthogonal, bint diagonal) noexcept:
    cdef uint16_t squares = 0
    for direction in range(8):
        if diagonal if direction % 2 else orthogonal:
            squares |= _ray(square, direction, 1)
    return squares


cdef void _fill_rule_set(RuleSet* r, bint queen_adjacent, bint ending_occupied) noexcept:
    cdef int s, direction, card, target
    memset(r, 0, sizeof(RuleSet))
    r.occupied = ending_occupied
    r.banishes[KING] = r.banishes[GENERAL] = r.banishes[MAGICIAN] = True
    r.slots[QUEEN] = 1 if queen_adjacent else 8
    r.slots[PRINCESS] = 2
    for s in range(SQUARES):            # § Card Effects, card by card
        r.single[KING][s] = r.single[MINISTER][s] = _adjacent(s, True, True)
        r.single[GENERAL][s] = _adjacent(s, True, False)
        r.single[MAGICIAN][s] = _adjacent(s, False, True)
        r.reach[PRINCESS][s][1] = _adjacent(s, False, True)
        r.reach[PRINCESS][s][2] = _adjacent(s, True, False)
        if queen_adjacent:
            r.reach[QUEEN][s][1] = _adjacent(s, True, True)
        else:                           # ruling "Queen": to the edge, nothing blocks
            for direction in range(8):
                r.reach[QUEEN][s][1 + direction] = _ray(s, direction, 2)
        for card in range(CARDS):
            for target in range(SQUARES):
                if r.single[card][s] >> target & 1:
                    r.reach[card][s][1 + target] = 1 << target


cdef void _fill_symmetries() noexcept:
    """Image of every set of squares: bit 0 mirrors files, bit 1 ranks, bit 2 swaps them."""
    cdef int x, y, image, which, square, rest
    for which in range(SYMMETRIES):
        _symmetries[which][0] = 0
        for square in range(SQUARES):
            x = square % 3
            y = square // 3
            if which & 1:
                x = 2 - x
            if which & 2:
                y = 2 - y
            image = 3 * x + y if which & 4 else 3 * y + x
            for rest in range(1 << square):
                _symmetries[which][1 << square | rest] = _symmetries[which][rest] | 1 << image


cdef const RuleSet* rule_set(bint queen_adjacent, bint ending_occupied) noexcept nogil:
    return &_rule_sets[queen_adjacent][ending_occupied]


cdef const uint16_t* symmetry(int which) noexcept nogil:
    return _symmetries[which]


for _queen in range(2):
    for _ending in range(2):
        _fill_rule_set(&_rule_sets[_queen][_ending], _queen, _ending)
_fill_symmetries()


cdef class RR(Game):
    """One state of RR: the start, or whatever `setup` put there.

    The variants are flags: `queen_adjacent` (else the Queen turns one line to the edge) and
    `ending_occupied` (else the game goes on until nine cards lie face up).
    """

    def __cinit__(self, bint queen_adjacent=False, bint ending_occupied=False):
        self.at.rules = rule_set(queen_adjacent, ending_occupied)
        self.at.side = REGALITY
        self.at.board.hand = 0xFF       # § Preparations 5: the starter holds the Citizen too
        self.at.board.other_hand = 0xFF & ~(1 << CITIZEN)

    def setup(self, str cells, int side, str regality, str religion):
        """Lay out a position: `cells` are the nine squares a1, b1, ... c3, hands are letters.

        Upper case faces Regality, lower case Religion. Checks the alphabet and nothing else:
        whether the position can stand is for the caller to know. Raises ValueError.
        """
        cdef State at = self.at         # nothing changes before everything is read
        cdef Board* b = &at.board
        cdef int s, card
        cdef uint16_t bit
        cdef Py_UCS4 cell
        memset(b, 0, sizeof(Board))
        if len(cells) != SQUARES or side not in (REGALITY, RELIGION):
            raise ValueError(f"not nine squares and a side: {cells!r}, {side}")
        for s in range(SQUARES):
            cell = cells[s]
            bit = 1 << s
            if cell == c"#":
                b.down |= bit
            elif cell != c".":
                card = _card(cell)
                at.figure[s] = card
                if (cell < c"a") == (side == REGALITY):
                    b.mine |= bit
                else:
                    b.theirs |= bit
                if card == CASTLE:
                    b.castles |= bit
        b.hand = _hand(regality if side == REGALITY else religion)
        b.other_hand = _hand(religion if side == REGALITY else regality)
        at.side = side
        self.at = at

    @property
    def cells(self):
        """The nine squares a1, b1, ... c3, as `setup` takes them."""
        cdef char[SQUARES] cells
        cdef uint16_t bit, regality
        cdef int s
        regality = self.at.board.mine if self.at.side == REGALITY else self.at.board.theirs
        for s in range(SQUARES):
            bit = 1 << s
            if self.at.board.down & bit:
                cells[s] = c"#"
            elif not (self.at.board.mine | self.at.board.theirs) & bit:
                cells[s] = c"."
            else:
                cells[s] = _letters[self.at.figure[s]] | (0 if regality & bit else LOWER_CASE)
        return cells[:SQUARES].decode("ascii")

    @property
    def hands(self):
        """Letters in hand order: (Regality's in upper case, Religion's in lower case)."""
        cdef uint8_t mine = self.at.board.hand, theirs = self.at.board.other_hand
        if self.at.side == REGALITY:
            return _hand_text(mine, 0), _hand_text(theirs, LOWER_CASE)
        return _hand_text(theirs, 0), _hand_text(mine, LOWER_CASE)

    @property
    def to_move(self):
        """Side to move: `REGALITY` or `RELIGION`; also defined when the game is over."""
        return self.at.side

    @property
    def over(self):
        return bool(is_over(&self.at.board))

    @property
    def margin(self):
        """Allies of the side to move less allies of the other side, cards."""
        return margin(&self.at.board)

    @property
    def key(self):
        """All that the rules see of this state, 52 bits (layout: `pack` in rr.pxd)."""
        return pack(&self.at.board)

    def legal_actions(self):
        """Action ids, ascending; none when the game is over."""
        cdef int32_t[MOST_LEGAL] moves
        return [moves[i] for i in range(self.legal(moves))]

    def play(self, action):
        """Play one legal action. Raises IllegalMove and changes nothing otherwise."""
        cdef int32_t[MOST_LEGAL] moves
        cdef int n = self.legal(moves), i, wanted = action if 0 <= action < ACTIONS else -1
        for i in range(n):
            if moves[i] == wanted:
                self.apply(wanted)
                return
        raise IllegalMove(f"action {action} is not legal here")

    def copy(self):
        return self.clone()

    cdef Shape shape(self) noexcept nogil:
        return Shape(2, ACTIONS, MOST_LEGAL, LONGEST, -SQUARES, SQUARES)

    cdef int player(self) noexcept nogil:
        return TERMINAL if is_over(&self.at.board) else self.at.side

    cdef int legal(self, int32_t* out) noexcept nogil:
        cdef Move[MOST_LEGAL] moves
        cdef int n = generate(&self.at.board, self.at.rules, moves)   # none once no square is free
        for i in range(n):
            out[i] = action_of(moves[i])
        return n

    cdef void apply(self, int32_t action) noexcept nogil:
        cdef Move m = move_of(&self.at.board, self.at.rules, action)
        self.at.figure[m.square] = m.card
        self.at.board = play(&self.at.board, self.at.rules, m)
        self.at.side ^= 1

    cdef void returns(self, double* out) noexcept nogil:
        cdef int lead = margin(&self.at.board) if is_over(&self.at.board) else 0
        out[self.at.side] = lead
        out[1 - self.at.side] = -lead

    cdef uint64_t view_key(self, int viewer) noexcept nogil:
        return fold(self.at.side, pack(&self.at.board))

    cdef void load(self, Game other) noexcept nogil:
        self.at = (<RR>other).at

    cdef Game clone(self):
        cdef RR copy = RR.__new__(RR)
        copy.load(self)
        return copy


cdef int _card(int letter) except -1:
    """The card of a letter in either case. Raises ValueError."""
    cdef int card
    for card in range(CARDS):
        if letter == _letters[card] or letter == (_letters[card] | LOWER_CASE):
            return card
    raise ValueError(f"{chr(letter)!r} is no card")


cdef int _hand(str letters) except -1:
    cdef int hand = 0
    cdef Py_UCS4 letter
    for letter in letters:
        hand |= 1 << _card(letter)
    return hand


cdef str _hand_text(uint8_t hand, int case):
    cdef char[CARDS] text
    cdef int card, n = 0
    for card in range(CARDS):
        if hand >> card & 1:
            text[n] = _letters[card] | case
            n += 1
    return text[:n].decode("ascii")
