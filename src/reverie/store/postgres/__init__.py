"""The PostgreSQL engine: many banks in one database, with pgvector and tsvector (extra ``postgres``)."""
