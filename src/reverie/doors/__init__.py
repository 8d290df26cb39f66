"""Doors: where people and programs come in. A door parses, calls the client and presents."""
