"""Differential fuzzing: random programs in plain CPython against the same compiled."""
