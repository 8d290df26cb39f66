"""Other memories, measured on the same data: each in an environment of its own."""
