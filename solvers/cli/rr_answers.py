"""What `solve rr` prints about a solution: drawn for people, one line, or JSON."""

from __future__ import annotations

from engines.rr import LETTERS, NAMES, SQUARES, Position
from solvers.cli.errors import Refusal, echo
from solvers.cli.screen import BOLD, Screen
from solvers.exact import Solution

BEST_MOVES_NAMED = 9
LINE_WIDTH = 96
DIRECTION_NAMES = {
    "n": "north", "ne": "north-east", "e": "east", "se": "south-east",
    "s": "south", "sw": "south-west", "w": "west", "nw": "north-west",
}  # fmt: skip


def as_json(solution: Solution) -> str:
    """One object on one line; its fields are described in the README.

    Written out by hand, since batches spend most of their time here. Nothing in it needs an
    escape: all texts are our own notation.
    """
    position, rules = solution.position, solution.position.rules
    moves = ", ".join([_VALUED[value][move] for move, value in solution.moves.items()])
    return (
        f'{{"game": "rr", "rules": {{"queen": "{rules.queen}", "ending": "{rules.ending}"}},'
        f' "position": "{position}", "side": "{position.side.letter}", "value": {solution.value},'
        f' "result": "{solution.result}", "best": {_texts(solution.best)}, "moves": [{moves}],'
        f' "line": {_texts(solution.line)}, "solver": {{"method": "{solution.method}",'
        f' "nodes": {solution.nodes}, "seconds": {solution.seconds:.6f}}}}}'
    )


class _ValuedMoves(dict[str, str]):
    """By move, its JSON object with one value; made when first asked for."""

    def __init__(self, value: int) -> None:
        super().__init__()
        self._value = value

    def __missing__(self, move: str) -> str:
        self[move] = text = f'{{"move": "{move}", "value": {self._value}}}'
        return text


_VALUED = {value: _ValuedMoves(value) for value in range(-9, 10)}


def _texts(texts: tuple[str, ...]) -> str:
    return '["' + '", "'.join(texts) + '"]' if texts else "[]"


def refused(refusal: Refusal, text: str, *, as_json: bool) -> str:
    """What stands in a batch in the place of an answer."""
    if not as_json:
        at = "" if refusal.column is None else f", column {refusal.column}"
        return f"{echo(text)}\terror: {refusal.where}{at}: {'; '.join(refusal.reasons)}"
    reasons = list(refusal.reasons)
    if refusal.text is not text:  # the column is of another text than "position"
        reasons = [f"{refusal.where}: {reason}" for reason in reasons]
    error = {"code": refusal.code, "column": refusal.column, "reasons": reasons}
    import json

    return json.dumps({"position": echo(text), "error": error})


def one_line(solution: Solution, moves: bool, line: bool) -> str:
    """Position, verdict, best moves and what else was asked for, with tabs between."""
    parts = [str(solution.position), verdict(solution)]
    if solution.best:
        parts.append("best " + " ".join(solution.best))
    if moves and solution.moves:
        values = (f"{move}={value:+d}" for move, value in solution.moves.items())
        parts.append("moves " + " ".join(values))
    if line and solution.line:
        parts.append("line " + " ".join(solution.line))
    return "\t".join(parts)


def verdict(solution: Solution) -> str:
    """Such as "Regality wins by 1"."""
    side = solution.position.side if solution.value > 0 else solution.position.side.other
    if solution.position.over:
        tied, won = "The game is over: a draw", f"The game is over: {side} won by"
    else:
        tied, won = "A draw", f"{side} wins by"
    return f"{won} {abs(solution.value)}" if solution.value else tied


def drawn(solution: Solution, moves: bool, line: bool) -> str:
    """The answer for people: board, verdict, best moves in words, how it was found."""
    screen = Screen()
    parts = [*screen.board(solution.position), "", screen.paint(verdict(solution), BOLD)]
    if solution.moves:
        parts += _best_moves(solution)
        if moves:
            parts += ["", *_move_grid(solution, screen), *_moves_by_value(solution)]
        if line:
            parts += ["", "Best play: " + " ".join(solution.line)]
        parts += ["", _how(solution)]
    return "\n".join(parts)


def _how(solution: Solution) -> str:
    if solution.method == "table":
        return "Exact, from the table of solved positions"
    return f"Exact, by search of {solution.nodes:,} positions in {solution.seconds:.2f} s"


def _best_moves(solution: Solution) -> list[str]:
    best = solution.best
    lines = ["Best move:" if len(best) == 1 else f"Best moves ({len(best)}):"]
    lines += [f"  {move:8} {in_words(move, solution.position)}" for move in best[:BEST_MOVES_NAMED]]
    if len(best) > BEST_MOVES_NAMED:
        lines += _wrapped("  and ", best[BEST_MOVES_NAMED:])
    return lines


def in_words(move: str, position: Position) -> str:
    """A move of the side to move, such as "Hierophant on b2, banishes a1"."""
    card, square, effect, target = move[0], move[1:3], move[3:4], move[4:]
    placed = f"{NAMES[card][position.side]} on {square}"
    if not effect:
        return placed
    if effect == "x":
        return f"{placed}, banishes {target}"
    what = {
        "o": "all orthogonally adjacent cards",
        "d": "all diagonally adjacent cards",
        "all": "all adjacent cards",
    }.get(target, target)
    if target in DIRECTION_NAMES:
        what = f"all cards to the {DIRECTION_NAMES[target]}"
    return f"{placed}, turns {what}"


def _move_grid(solution: Solution, screen: Screen) -> list[str]:
    """Card by square: the best value there, with '*' where it is the best of all."""
    best: dict[str, int] = {}
    for move, value in solution.moves.items():
        best[move[:3]] = max(value, best.get(move[:3], value))
    cards = [card for card in LETTERS if any(place[0] == card for place in best)]
    squares = [square for square in SQUARES if any(place[1:] == square for place in best)]
    rows = [["  ", *(f"{square:>3}" for square in squares)]]
    for card in cards:
        rows.append(
            [
                f"{card:2}",
                *(_value_cell(best[card + square], solution, screen) for square in squares),
            ]
        )
    side = solution.position.side
    title = f"Value for {side} of each card on each square, with its best effect (* best of all):"
    return [title, *screen.grid(rows, [2] + [3] * len(squares)), ""]


def _value_cell(value: int, solution: Solution, screen: Screen) -> str:
    if value < solution.value:
        return f"{value:+d} "
    return screen.paint(f"{value:+d}*", BOLD)


def _moves_by_value(solution: Solution) -> list[str]:
    lines = [f"Every legal move, by value for {solution.position.side}:"]
    for value in sorted(set(solution.moves.values()), reverse=True):
        moves = tuple(move for move, its in solution.moves.items() if its == value)
        lines += _wrapped(f"  {value:+d}  ", moves)
    return lines


def _wrapped(head: str, words: tuple[str, ...]) -> list[str]:
    """The words after a head, on as many lines as they need, indented alike."""
    lines, line = [], head
    for word in words:
        if len(line) + len(word) > LINE_WIDTH:
            lines.append(line.rstrip())
            line = " " * len(head)
        line += word + " "
    return [*lines, line.rstrip()]
