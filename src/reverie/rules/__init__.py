"""The arithmetic: pure functions, no I/O, no clock, no chance."""
