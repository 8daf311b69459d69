"""Compiled core: the rules of each game, written once, and the hot kernels over them."""
