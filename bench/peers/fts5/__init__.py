"""SQLite's own full-text search."""
