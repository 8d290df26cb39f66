"""Hooks of coding agents: a small program that the host calls, and the daemon that answers it."""
