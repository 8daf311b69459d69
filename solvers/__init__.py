"""Everything that values or chooses a move, and the shell around it."""
