"""mem0 with fastembed, which gives its Qdrant store a search by words; the adapter is mem0's."""
