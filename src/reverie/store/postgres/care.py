"""Care of the database: whether everything that this engine relies on still holds."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from reverie.store.executor import Corpus
from reverie.store.postgres import postings
from reverie.store.postgres.near import EXACT_ROWS
from reverie.store.postgres.place import SCHEMA
from reverie.store.postgres.schema import indexes, near_index
from reverie.store.postgres.session import Session, counted_texts

CORPORA: tuple[Corpus, ...] = ("memories", "episodes")
_UNGUARDED = """SELECT relname FROM pg_class c WHERE relnamespace = ?::regnamespace AND relkind IN ('r', 'p')
AND NOT relispartition AND relname <> 'meta'
AND NOT (relrowsecurity AND EXISTS (SELECT 1 FROM pg_policy p WHERE p.polrelid = c.oid)) ORDER BY relname"""
# Policies are joined by OR: one too many opens a table.
_OPENED = """SELECT c.relname FROM pg_class c JOIN pg_policy p ON p.polrelid = c.oid
WHERE c.relnamespace = ?::regnamespace AND NOT (p.polpermissive AND p.polcmd = '*' AND p.polwithcheck IS NULL
    AND pg_get_expr(p.polqual, c.oid) IN ('(agent_id = current_setting(''reverie.agent''::text, true))',
        '(id = current_setting(''reverie.agent''::text, true))'))
GROUP BY c.relname ORDER BY c.relname"""
_REACHED = """SELECT relname FROM pg_class WHERE relnamespace = ?::regnamespace AND relkind IN ('r', 'p')
AND relispartition AND (has_any_column_privilege(oid, 'SELECT, INSERT, UPDATE')
    OR has_table_privilege(oid, 'DELETE, TRUNCATE, REFERENCES, TRIGGER')) ORDER BY relname"""
_FORBIDDEN = """SELECT relname FROM pg_class WHERE relnamespace = ?::regnamespace AND relkind IN ('r', 'p')
AND NOT relispartition AND relname <> 'meta' AND NOT (has_table_privilege(oid, 'SELECT')
    AND has_table_privilege(oid, 'INSERT') AND has_table_privilege(oid, 'UPDATE')
    AND has_table_privilege(oid, 'DELETE')) ORDER BY relname"""
_PRESENT = "SELECT relname FROM pg_class WHERE relnamespace = ?::regnamespace AND relkind IN ('i', 'I')"
_INVALID = """SELECT i.relname FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
WHERE i.relnamespace = ?::regnamespace AND NOT (x.indisvalid AND x.indisready) ORDER BY i.relname"""
_SIZES = """SELECT c.corpus, c.texts, a.dimensions FROM corpora AS c JOIN agents AS a ON a.id = c.agent_id
WHERE c.agent_id = ? AND c.texts > ? ORDER BY c.corpus"""
_TORN = f"""SELECT 1 FROM terms WHERE agent_id = ? AND corpus = ? AND length(tail) % {postings.POSTING.itemsize} <> 0
UNION ALL SELECT 1 FROM postings
WHERE agent_id = ? AND corpus = ? AND length(piece) % {postings.POSTING.itemsize} <> 0 LIMIT 1"""
_COUNTED = "SELECT texts, length FROM corpora WHERE agent_id = ? AND corpus = ?"
_ROOMS = """SELECT c.id FROM conversations c WHERE c.agent_id = ? AND c.episodes <>
(SELECT count(*) FROM episodes e WHERE e.agent_id = c.agent_id AND e.conversation_id = c.id)"""
# An indexed row is there with its own vector; nothing else is there.
_ASTRAY = """SELECT EXISTS (
    SELECT 1 FROM (SELECT id, near FROM {corpus} WHERE agent_id = $1
        AND seq <= coalesce((SELECT seq FROM indexed WHERE agent_id = $1 AND corpus = $2), 0)) AS t
    FULL JOIN (SELECT id, near FROM {corpus}_near WHERE agent_id = $1) AS n ON n.id = t.id
    WHERE t.near IS DISTINCT FROM n.near)"""


def faults_in(session: Session, agent_id: str | None) -> Iterator[str]:
    """Yield a line for each fault: of the schema as a whole for None, else of what is kept about an agent's rows."""
    if agent_id is None:
        for (table,) in session.run(_UNGUARDED, (SCHEMA,)):
            yield f"row-level security is off or without a policy on table {table}"
        for (table,) in session.run(_OPENED, (SCHEMA,)):
            yield f"row-level security lets more than an agent's own rows through on table {table}"
        for (table,) in session.run(_REACHED, (SCHEMA,)):
            yield f"the application's role may ask partition {table} past its policies"
        for (table,) in session.run(_FORBIDDEN, (SCHEMA,)):
            yield f"the application's role lacks a right on table {table}: run `reverie postgres init URL` again"
        present = {name for (name,) in session.run(_PRESENT, (SCHEMA,))}
        for index in sorted(indexes().keys() - present):
            yield f"index {index} is missing: run `reverie postgres init URL` again"
        for (index,) in session.run(_INVALID, (SCHEMA,)):
            yield f"index {index} isn't valid: reindex it"
        return
    for corpus in CORPORA:
        yield from _statistics(session, agent_id, corpus)
        ((astray,),) = session.run(_ASTRAY.format(corpus=corpus), (agent_id, corpus))
        if astray:
            yield (
                f"agent {agent_id!r}: the approximate index over its {corpus} doesn't hold the vectors that it should"
            )
    yield from _unindexed(session, agent_id)
    for (room,) in session.run(_ROOMS, (agent_id,)):
        yield f"agent {agent_id!r}: conversation {room!r} doesn't hold as many episodes as it says"


def _statistics(session: Session, agent_id: str, corpus: Corpus) -> Iterator[str]:
    """Compares the statistics of the words with the texts themselves."""
    texts = counted_texts(session, corpus, agent_id)
    told = session.run(_COUNTED, (agent_id, corpus)) or [(0, 0)]
    if told[0] != (len(texts), sum(one.length for one in texts)):
        yield f"agent {agent_id!r}: the number or length of its {corpus} isn't what the statistics say"
    wanted = postings.postings_of(texts)
    counted = {term: len(part) for term, part in wanted.items()}
    kept: dict[int, int] = dict(
        session.run("SELECT term, texts FROM terms WHERE agent_id = ? AND corpus = ?", (agent_id, corpus))
    )
    if kept != counted:
        yield f"agent {agent_id!r}: the statistics of the words of its {corpus} don't agree with the texts"
    if session.run(_TORN, (agent_id, corpus, agent_id, corpus)):
        yield f"agent {agent_id!r}: postings of the words of its {corpus} are damaged: recall can't read them"
        return
    if corpus == "episodes":
        yield from _roll(session, agent_id)
    found = postings.read(session, agent_id, corpus, list(kept))
    if found.keys() != kept.keys() or any(
        not np.array_equal(np.sort(found[term]["seq"]), np.sort(wanted[term]["seq"]))
        for term in wanted.keys() & kept
    ):
        yield f"agent {agent_id!r}: the postings of the words of its {corpus} don't agree with the statistics"


def _roll(session: Session, agent_id: str) -> Iterator[str]:
    """Compares the roll with the episodes' conversations and lengths."""
    rows = session.run("SELECT seq, length, conversation_id FROM episodes WHERE agent_id = ?", (agent_id,))
    told = postings.read(session, agent_id, "episodes", [postings.ROLL]).get(postings.ROLL)
    on_it = {} if told is None else {seq: (size, room) for seq, size, room in told.tolist()}
    if on_it != {seq: (min(size, postings.MOST_COUNTED), postings.room_of(name)) for seq, size, name in rows}:
        yield f"agent {agent_id!r}: the roll of its conversations doesn't agree with its episodes"


def _unindexed(session: Session, agent_id: str) -> Iterator[str]:
    """Yield a large corpus whose vectors no index takes: it is searched exactly, which takes time."""
    for corpus, texts, dimensions in session.run(_SIZES, (agent_id, EXACT_ROWS)):
        ((there,),) = session.run("SELECT to_regclass(?) IS NOT NULL", (near_index(corpus, dimensions),))
        if not there:
            yield (
                f"agent {agent_id!r}: no index for {texts:,} {corpus} of {dimensions} dimensions; searches read"
                f" them all until `reverie postgres init URL --dimensions {dimensions}` has made one"
            )
