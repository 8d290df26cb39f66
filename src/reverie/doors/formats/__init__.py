"""File formats that doors read: each becomes rooms of messages."""
