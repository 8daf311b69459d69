"""The games as Python people see them: names, notation, validation, positions."""
