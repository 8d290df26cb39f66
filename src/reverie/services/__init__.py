"""The verbs: one use case a file, written against the ports."""
