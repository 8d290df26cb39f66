"""Where banks lie: one module an aggregate, its SQL beside its row mapping, shared by every engine."""
