"""Fixed RR positions that measurements share, with the answers they must give.

Each is (position, queen, ending, value for the side to move). All were reached by random play:
three a variant, with 11, 9 and 7 cards in hand; with less where a card was banished.
"""

SOLVED = (
    ("..K/q../..Q r KPMGWT pmgwt", "ray", "face-up", 1),
    (".P./qM./pCt r KQGWT kmgw", "ray", "face-up", 1),
    ("Kp./.qM/wwP r KQGT mgt", "ray", "face-up", 3),
    ("tC./.../Km. r QPMGWT kqpgw", "ray", "occupied", -1),
    ("g#./..C/pPQ r KMGWT qmwt", "ray", "occupied", -1),
    ("KWq/pqw/..g r PMGT kmt", "ray", "occupied", -1),
    (".cp/.p./q.. r KQMGWT kmgwt", "adjacent", "face-up", 1),
    ("PM./.Qp/.Cm r KQGWT kgwt", "adjacent", "face-up", 1),
    ("..K/#k./gCt r QPWT pmw", "adjacent", "face-up", 1),
    ("Qp./.C./..M r KQPGWT kmgwt", "adjacent", "occupied", 3),
    ("m../C.w/mq. r KQPGT kgwt", "adjacent", "occupied", 3),
    ("WC./p.K/Ttg r QPMG qmw", "adjacent", "occupied", -2),
)
