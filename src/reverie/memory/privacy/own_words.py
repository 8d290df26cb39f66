"""Own words: whether a message may hold text of somebody else, by its shape alone.

The rule is strict on purpose, and holds until a learned judge takes its place: a message with any of these signs gives
no instruction, whoever sent it. A sign in a message that is all the sender's own costs rank, never the message.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from reverie.language import OPENERS, SHOUTED, WEAK
from reverie.memory.quoting import forged_blocks

MOST = 4_000
"""Characters of a message that may be all one's own; a longer one is a document."""
_QUOTED_WORDS = 4
"""So many words between quotation marks are a sentence, and no mere term."""
_LINE = re.MULTILINE

_NAME = r"[^\W\d_][\w.'\u2019-]{0,30}(?:[ \t][\w.'\u2019-]{1,30}){0,%d}"

_MARKS = re.compile(
    r"^[ \t]{0,80}(?:```|~~~|[>|]|\#{1,6}[ \t]|RT[ \t]@|<[^<>\n]{1,60}>|[{\[][ \t]{0,8}[\"'{])"  # code, tags, JSON
    r"|^[ \t]{0,8}[-_=*]{3,}+(?:[ \t]{0,80}$|[^\n]{1,80}?[-_=*]{3})|^--[ \t]{0,8}$"  # rules, signatures
    r"|</\w|\"\w{1,40}\"[ \t]{0,8}:"
    r"|^[ \t]{0,8}(?:from|to|cc|bcc|date|sent|subject|re|fwd?|fw)[ \t]{0,8}:",  # an e-mail's header
    _LINE | re.IGNORECASE,
)
_TIMES = re.compile(
    r"\d:\d\d:\d\d"  # logs tell seconds, people don't
    r"|^[ \t]{0,8}[\[(]?\d{1,4}[./-]\d{1,2}[./-]\d{1,4},?[ \tT]{1,3}\d{1,2}:\d\d|^[ \t]{0,8}[\[(]\d{1,2}:\d\d"
    r"|^[ \t]{0,8}[^\W\d][^\s:]{0,40}(?:[ \t]{1,3}[^\s:]{1,40})?[ \t]{1,3}[\[(]?\d{1,2}:\d\d(?:[ \t]?[ap]m)?[\])]?"
    r"[ \t]{0,8}\n",
    _LINE | re.IGNORECASE,
)
_LABEL = re.compile(rf"^[ \t]{{0,8}}(?P<label>@?{_NAME % 2})(?P<time>[ \t]?\([^)\n]{{1,20}}\))?:[ \t]", _LINE)
_BLOCK = re.compile(r":[ \t]{0,8}\n\s{0,80}\S")
_LETTER = re.compile(rf"^[ \t]{{0,8}}{_NAME % 3},[ \t]{{0,8}}\n", _LINE)
_SAYS = re.compile(
    r"\b(?:wrote|writes|said|says|told|tells|texted|posted|replied|reads)\b[^.!?:\n\"\u201c\u00ab]{0,60}"
    r"[:\"\u201c\u00ab]",
    re.IGNORECASE,
)
_BY_ONESELF = re.compile(r"\b(?:I|we)(?:['\u2019]ve)?(?: \w{1,12})?\s$", re.IGNORECASE)
_BEFORE = 24  # characters before a verb of saying
_QUOTED = re.compile(
    r"\"([^\"\n]{0,600})\"|\u201c([^\u201c\u201d\n]{0,600})\u201d|\u201e([^\u201c-\u201e\n]{0,600})[\u201c\u201d]"
    r"|\u00ab([^\u00ab\u00bb\n]{0,600})\u00bb"
    r"|(?<!\w)['\u2018]((?:[^'\u2018\u2019\n]|(?<=\w)['\u2019](?=\w)){0,600})['\u2019](?!\w)"
)
_TITLED = re.compile(r"\A\s{0,80}[^\n]{0,200}[^\W_][ \t]{0,8}\n[ \t]{0,80}\n(?=[^.!?]*[.!?]\s+\S)")
_TOPICS = """
address age allergies allergy answer appointment background bio birthday books breakfast budget car caveat cc city
company conclusion confession cons context correction country current date decision default diet dinner disclaimer
dislikes drink edit education email employer evening example exercise experience fact family film films final finances
food former future game games goal goals gym health height highlight hint hobbies hobby home hometown honestly info
interview job joke kids language languages listening location lowlight lunch mail money mood morning movie movies
music news note notes option pet pets phone position preference preferences present problem profile pros question
random re reading reality reminder reminders rent request requirement result role rule rules school self seriously
session situation skill skills sleep song speech spoiler sport sports status step story studies subject summary task
therapy tip title tldr todo training travel truth twist uni university updates verdict warning weight worst
"""
_NO_NAMES = frozenset(_TOPICS.split()) | OPENERS | WEAK | SHOUTED
"""Words before a colon that announce what is spoken of, and no speaker."""


def is_own(text: str) -> bool:
    """Return whether nothing in a message looks pasted, forwarded, attributed or quoted. Time is linear."""
    return len(text) <= MOST and not any(sign(text) for sign in _SIGNS)


def _is_marked(text: str) -> bool:
    """Return whether there are code fences, quoted lines, tags, tables, JSON, headers of mails, rules, headings,
    signatures.
    """
    return _MARKS.search(text) is not None


def _is_fenced_off(text: str) -> bool:
    """Return whether there is a marker of ours that somebody wrote, however it is disguised."""
    return bool(forged_blocks(text))


def _is_logged(text: str) -> bool:
    """Return whether there are timestamps as logs and chats put them."""
    return _TIMES.search(text) is not None


def _is_labelled(text: str) -> bool:
    """Return whether there are lines behind names: one behind what is no English word, or two behind different
    labels.
    """
    found = [(one["label"].casefold(), one["time"]) for one in _LABEL.finditer(text)]
    if any(one != other for (one, _), (other, _) in pairwise(found)):
        return True
    return any(time or _NO_NAMES.isdisjoint(label.split()) for label, time in found)


def _is_introduced(text: str) -> bool:
    """Return whether there is a block behind a colon and a line break, or sentences under a title."""
    return _BLOCK.search(text) is not None or _TITLED.match(text) is not None


def _is_letter(text: str) -> bool:
    """Return whether there is a short line that ends in a comma: "Dear Ms. Alvarez," or "Best,"."""
    return _LETTER.search(text.rstrip()) is not None


def _is_attributed(text: str) -> bool:
    """Return whether words are attributed: "Bob wrote to me: …", but not "I said: …"."""
    return any(
        _BY_ONESELF.search(text[max(0, one.start() - _BEFORE) : one.start()]) is None
        for one in _SAYS.finditer(text)
    )


def _is_quoted(text: str) -> bool:
    """Return whether there is a sentence between quotation marks."""
    return any(
        len(said.split()) >= _QUOTED_WORDS for one in _QUOTED.finditer(text) for said in one.groups() if said
    )


_SIGNS: tuple[Callable[[str], bool], ...] = (
    _is_marked, _is_fenced_off, _is_logged, _is_labelled, _is_introduced, _is_letter, _is_attributed, _is_quoted,
)  # fmt: skip
