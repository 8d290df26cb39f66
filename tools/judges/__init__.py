"""Training data and training of the judges (``reverie.minds.judges``)."""
