"""The step of the schema by which labels are found by postings, and vectors followed by plain statements."""

from __future__ import annotations

from reverie.store.postgres.lexemes import KEYWORD, POSTED
from reverie.store.postgres.postings import PIECE, POSTING

_PIECE = PIECE // POSTING.itemsize  # postings

# A lexeme is a letter and 8 bytes in base64; a posting the row's number in 4 bytes, 1 in 2 and 0 in 4, least
# significant byte first (see lexemes.py and postings.py). Complete pieces are put aside, the rest is the tail.
_HELD = """\
WITH held AS (
    SELECT m.agent_id, m.seq,
        ('x' || encode(decode(translate(substr(w.lexeme, 2), '-_', '+/') || '=', 'base64'), 'hex'))::bit(64)::bigint
            AS term
    FROM {corpus} AS m CROSS JOIN LATERAL unnest(m.words) AS w
    WHERE left(w.lexeme, 1) = ANY (string_to_array('{posted}', NULL)){scoped}
), placed AS (
    SELECT agent_id, term, seq, (row_number() OVER own - 1) / {piece} AS part, count(*) OVER whole AS texts,
        substring(
            int8send((seq & 255) * 16777216 + (seq / 256 & 255) * 65536 + (seq / 65536 & 255) * 256 + seq / 16777216)
            FROM 5) || '\\x010000000000'::bytea AS posting
    FROM held
    WINDOW own AS (PARTITION BY agent_id, term ORDER BY seq), whole AS (PARTITION BY agent_id, term)
)"""
_PIECES = """\
INSERT INTO postings (agent_id, corpus, term, upto, piece)
{held}
SELECT agent_id, '{corpus}', term, max(seq), string_agg(posting, ''::bytea ORDER BY seq)
FROM placed WHERE part < texts / {piece} GROUP BY agent_id, term, part;
"""
_TAILS = """\
INSERT INTO terms (agent_id, corpus, term, texts, tail)
{held}
SELECT agent_id, '{corpus}', term, max(texts),
    coalesce(string_agg(posting, ''::bytea ORDER BY seq) FILTER (WHERE part = texts / {piece}), ''::bytea)
FROM placed GROUP BY agent_id, term;
"""
_DROP = """\
DROP INDEX {corpus}_by_words;
DROP FUNCTION {corpus}_matching(tsquery, tsquery[], double precision[]);
DROP TRIGGER follow_vector ON {corpus};
"""


def _of(corpus: str, scoped: str) -> str:
    held = _HELD.format(corpus=corpus, posted=POSTED, piece=_PIECE, scoped=scoped)
    posted = (text.format(corpus=corpus, held=held, piece=_PIECE) for text in (_PIECES, _TAILS))
    return "".join((*posted, _DROP.format(corpus=corpus)))


LABELS_POSTED = (
    f"{_of('memories', f''' OR m.scope <> '[]' AND left(w.lexeme, 1) = '{KEYWORD}' ''')}{_of('episodes', '')}"
    "DROP FUNCTION follow_vector();\n"
)
"""Labels become postings, as words are (of a memory with a scope its keywords, too: ``lexemes.posted``); the word
indexes go, with the functions that alone could look into them. Nothing follows vectors by itself any longer.
"""
