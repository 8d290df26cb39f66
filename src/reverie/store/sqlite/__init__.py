"""The SQLite engine: banks in one encrypted file."""
