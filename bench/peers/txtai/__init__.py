"""txtai."""
