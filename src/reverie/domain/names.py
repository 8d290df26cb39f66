"""Names of others: two that look alike are one name."""

from __future__ import annotations

import re
import unicodedata

from reverie.domain.ids import checked_name
from reverie.domain.text import UNSEEN
from reverie.errors import InvalidInput

_VARIANTS = "\U000e0100-\U000e01ef"  # of Han characters
_JOINERS = f"\u200c\u200d\ufe00-\ufe0f{_VARIANTS}"  # parts of words in some scripts, and of emoji
_UNTOLD = re.compile(f"(?![{_JOINERS}])[{UNSEEN}]")
_UNSEEN = re.compile(f"(?![{_VARIANTS}])[{UNSEEN}]")


def name_key(name: str) -> str:
    """Return what a name is compared by: whatever its case, however its accents are encoded (Unicode's canonical
    caseless matching), and without what can't be seen. A name of nothing else is its own key.
    """
    if name.isascii():
        return name.casefold()
    seen = name if name.isprintable() and not _UNSEEN.search(name) else _UNSEEN.sub("", name) or name
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", seen).casefold())


def checked_other(value: object, field: str) -> str:
    """Return the name of somebody as it enters prompts, with composed accents (NFC). Raise InvalidInput for what
    ``checked_name`` refuses, and for characters that can't be seen or turn the order of those that can.
    """
    name = checked_name(value, field)
    if name.isascii():
        return name
    found = _UNTOLD.search(name)
    if found is not None:
        raise InvalidInput(
            field, f"it holds an invisible character (U+{ord(found.group()):04X})", "give the name without it"
        )
    return checked_name(unicodedata.normalize("NFC", name), field)
