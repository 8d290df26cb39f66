"""Benchmarks: `python -m bench COMMAND`."""
