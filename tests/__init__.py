"""Proof: a slow twin of each game, laws, and one test per rulebook paragraph."""
