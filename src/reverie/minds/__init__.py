"""What judges and proposes: nothing here is trusted, and nothing here writes."""
