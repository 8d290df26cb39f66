"""mem0 with its pgvector store."""
