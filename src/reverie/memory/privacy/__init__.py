"""Find secrets and other people's words in a text, and redact what must not be stored."""

from __future__ import annotations

from reverie.memory.privacy.accounts import cards, has_account, is_account
from reverie.memory.privacy.credentials import CREDENTIAL_FORMS
from reverie.memory.privacy.folding import decoded, folded
from reverie.memory.privacy.own_words import is_own
from reverie.memory.privacy.places import PLACE_FORMS
from reverie.memory.privacy.randomness import entropy, is_numbered, is_uuid
from reverie.memory.privacy.redaction import (
    PLACEHOLDER,
    Cleaned,
    Found,
    SecretForm,
    outside_placeholders,
    personal,
    placeholder,
    redacted,
    without_private,
)

__all__ = [
    "CREDENTIAL_FORMS",
    "PLACEHOLDER",
    "PLACE_FORMS",
    "Cleaned",
    "Found",
    "SecretForm",
    "cards",
    "decoded",
    "entropy",
    "folded",
    "has_account",
    "is_account",
    "is_numbered",
    "is_own",
    "is_uuid",
    "outside_placeholders",
    "personal",
    "placeholder",
    "redacted",
    "without_private",
]
