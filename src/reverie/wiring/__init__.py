"""Wiring: what reads the outside world, and what names concrete classes."""
