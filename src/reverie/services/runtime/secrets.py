"""Find secrets by gitleaks' rules and by what stands beside them, and redact them before anything is stored.

Each form in which a secret stands has literals, its hints, so that nearly every text is done with after one look for
all of these. Every pattern is RE2's and takes linear time. Nothing is ever verified over the network. See
``docs/why/redaction.md``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache

import re2

from reverie.domain.diary_body import mapped
from reverie.domain.settings import Settings
from reverie.errors import InvalidInput
from reverie.errors.extras import install
from reverie.memory.privacy import (
    CREDENTIAL_FORMS,
    PLACE_FORMS,
    Cleaned,
    Found,
    SecretForm,
    cards,
    decoded,
    folded,
    outside_placeholders,
    personal,
    redacted,
    without_private,
)
from reverie.memory.quoting import own_blocks, without_spans
from reverie.services.runtime import gitleaks

_COUNTER = "redacted"
_BLOCK = "context-block"
_ENCODED = "encoded-secret"
_MOST_KEYS = 4  # above a text, that may say it is a secret
_ROUNDS = 8
"""What is left when a piece goes may join, or read as a secret in its turn."""


def clean(settings: Settings, text: str) -> Cleaned:
    """Return a text as it may be stored: without our own injected blocks, and without what stands between
    <private> and </private>; unless ``settings.privacy.redact`` is off, with typed placeholders for secrets; and
    with ``settings.privacy.redact_pii`` also for e-mail addresses, telephone numbers, IBANs and IP addresses.
    Cleaning it again changes nothing.

    Empty where nothing is left, and where taking out goes on after eight rounds: nobody nests so deep but to get
    something past. ``found`` counts what was taken out, by type. Raise InvalidInput where a package that
    finds something is not installed.
    """
    counts = Counter[str]()
    for _ in range(_ROUNDS):
        ours = own_blocks(text)
        kept = without_private(without_spans(text, ours).strip() if ours else text)
        plain = redacted(kept.text, _found(settings, kept.text))
        counts.update({_BLOCK: len(ours)} if ours else {})
        counts.update(kept.found)
        counts.update(plain.found)
        if plain.text == text:
            return Cleaned(text=text, found=dict(counts))
        text = plain.text
    return Cleaned(text="", found=dict(counts))


def counted(found: Mapping[str, int]) -> dict[str, int]:
    """Return what was taken out, by type, under the names of the counters."""
    return {f"{_COUNTER}.{name}": count for name, count in found.items()}


def cleaned(settings: Settings, text: str, field: str) -> Cleaned:
    """Return ``clean`` for a text that must not be empty. Raise InvalidInput where nothing is left of it."""
    kept = clean(settings, text)
    if kept.text.strip():
        return kept
    raise InvalidInput(
        field,
        "nothing is left of it without secrets and private parts",
        "say what may be kept, or nothing",
    )


def cleaned_object(settings: Settings, value: Mapping[str, object], field: str) -> dict[str, object]:
    """Return a JSON object with every text as ``clean`` gives it. A text under a key such as "password" is read with
    it, as a rule would. Raises InvalidInput where two keys of one object become the same.
    """

    def without(keys: tuple[str, ...], text: str) -> str:
        named = [name for key in keys[:_MOST_KEYS] for name in dict.fromkeys((key, key.removesuffix("s")))]
        for name in named:  # a rule knows "password", and so do we "passwords"
            lead = f"{name}: "
            beside = clean(settings, lead + text).text
            text = beside[len(lead) :] if beside.startswith(lead) else text
        return clean(settings, text).text

    return mapped(value, without, field)


def _found(settings: Settings, text: str) -> list[Found]:
    """Return what must not be kept of a text, but for what a placeholder stands for already."""
    found = list(_secrets(text)) if settings.privacy.redact else []
    if settings.privacy.redact_pii:
        found += [*personal(text), *_telephones(text, settings.privacy.phone_region)]
    return outside_placeholders(text, found) if found else []


def _secrets(text: str) -> Iterator[Found]:
    reading = folded(text)
    for one in _read(reading.text):
        start, end = reading.span(one.start, one.end)
        yield Found(start=start, end=end, type=one.type, rank=one.rank)


def _read(text: str) -> Iterator[Found]:
    """Yield the secrets in a folded text, and what encodes a text with secrets."""
    yield from _plain(text)
    for start, end, hidden in decoded(text):
        if any(True for _ in _plain(folded(hidden).text)):
            yield Found(start=start, end=end, type=_ENCODED, rank=7)


def _plain(text: str) -> Iterator[Found]:
    yield from cards(text)
    hints, forms, by_hint = _known()
    said = hints.Match(text) or ()
    for place in sorted({place for hint in said for place in by_hint[hint]}):
        yield from forms[place].find(text)


@lru_cache(1)
def _known() -> tuple[re2.Set, list[SecretForm], list[list[int]]]:
    """Return all hints, to be looked for in one pass; all forms; and for each hint the places of the forms that have
    it.

    Of two forms that find the same, the first gives it its name.
    """
    forms = [*CREDENTIAL_FORMS, *PLACE_FORMS, *gitleaks.forms()]
    by_hint: dict[str, list[int]] = {}
    for place, form in enumerate(forms):
        for hint in form.hints:
            by_hint.setdefault(hint, []).append(place)
    literally = re2.Options()
    literally.literal, literally.case_sensitive = True, False
    hints = re2.Set.SearchSet(literally)
    for hint in by_hint:
        hints.Add(hint)
    hints.Compile()
    return hints, forms, list(by_hint.values())


def _telephones(text: str, region: str) -> Iterator[Found]:
    try:
        import phonenumbers
    except ImportError:
        raise InvalidInput(
            "Settings.privacy.redact_pii",
            "the package that finds telephone numbers is not installed",
            install("pii"),
        ) from None
    for match in phonenumbers.PhoneNumberMatcher(text, region.upper()):
        yield Found(start=match.start, end=match.end, type="phone", rank=6)
