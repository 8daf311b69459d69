"""Slow, plain second implementations of the games' rules, used to check the fast ones."""
