"""The nouns: frozen values, the standard library only."""
