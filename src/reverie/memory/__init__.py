"""The rules of memory: pure functions, no I/O, no clock, no chance. Each package below has one public face."""
