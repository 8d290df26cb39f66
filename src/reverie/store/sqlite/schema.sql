-- The schema of a bank's file. Portable column types: text ids, integer microseconds since 1970 (UTC), JSON as text,
-- vectors as little-endian float32.
-- `seq` exists because an external-content FTS5 table needs a stable integer row id; (agent_id, id) is the key.
-- `rev` is the agent's revision at the row's last change that a recall could see.

CREATE TABLE agents (
    id          TEXT PRIMARY KEY,
    time_zone   TEXT NOT NULL,
    principals  TEXT NOT NULL,
    home        TEXT,
    location    TEXT,
    created_at  INTEGER NOT NULL,
    secret      BLOB NOT NULL,
    rev         INTEGER NOT NULL DEFAULT 0,
    pruned_rev  INTEGER NOT NULL DEFAULT 0,
    embedder    TEXT,
    dimensions  INTEGER,
    paused_at   INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE conversations (
    agent_id      TEXT NOT NULL,
    id            TEXT NOT NULL,
    channel       TEXT NOT NULL,
    started_at    INTEGER NOT NULL,
    last_at       INTEGER NOT NULL,
    episodes      INTEGER NOT NULL,
    next_position INTEGER NOT NULL,
    PRIMARY KEY (agent_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE participants (
    agent_id        TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    speaker         TEXT NOT NULL,
    episodes        INTEGER NOT NULL,
    PRIMARY KEY (agent_id, conversation_id, speaker)
) STRICT, WITHOUT ROWID;
CREATE INDEX participants_by_speaker ON participants (agent_id, speaker);

CREATE TABLE episodes (
    seq             INTEGER PRIMARY KEY,
    agent_id        TEXT NOT NULL,
    id              TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    position        INTEGER NOT NULL,
    time            INTEGER NOT NULL,
    observed_at     INTEGER NOT NULL,
    channel         TEXT NOT NULL,
    role            TEXT NOT NULL,
    speaker         TEXT,
    content         TEXT NOT NULL,
    ref             TEXT,
    outcome         TEXT,
    tags            TEXT NOT NULL,
    task_type       TEXT,
    tools_used      TEXT NOT NULL,
    emotional_tone  TEXT,
    topics          TEXT NOT NULL,
    entities        TEXT NOT NULL,
    importance      REAL,
    source_trust    TEXT NOT NULL,
    consolidated_at INTEGER,
    rev             INTEGER NOT NULL,
    embedder        TEXT NOT NULL,
    vector          BLOB NOT NULL,
    UNIQUE (agent_id, id),
    UNIQUE (agent_id, conversation_id, position)
) STRICT;
CREATE UNIQUE INDEX episodes_by_ref ON episodes (agent_id, conversation_id, ref) WHERE ref IS NOT NULL;
CREATE INDEX episodes_by_rev ON episodes (agent_id, rev);
CREATE INDEX episodes_by_time ON episodes (agent_id, time, id);
CREATE INDEX episodes_awake ON episodes (agent_id, time, id) WHERE consolidated_at IS NULL;

CREATE TABLE memories (
    seq                 INTEGER PRIMARY KEY,
    agent_id            TEXT NOT NULL,
    id                  TEXT NOT NULL,
    essence             TEXT NOT NULL,
    lesson              TEXT,
    emotions            TEXT,
    importance          REAL,
    kind                TEXT NOT NULL,
    priority            TEXT NOT NULL,
    confidence          REAL NOT NULL,
    confidence_at       INTEGER NOT NULL,
    scope               TEXT NOT NULL,
    tags                TEXT NOT NULL,
    topics              TEXT NOT NULL,
    entities            TEXT NOT NULL,
    origin              TEXT NOT NULL,
    source_trust        TEXT NOT NULL,
    pinned              INTEGER NOT NULL,
    state               TEXT NOT NULL,
    superseded_by       TEXT,
    reinforcement_count INTEGER NOT NULL,
    last_reinforced_at  INTEGER NOT NULL,
    version             INTEGER NOT NULL,
    created_at          INTEGER NOT NULL,
    updated_at          INTEGER NOT NULL,
    believed_from       INTEGER NOT NULL,
    valid_from          INTEGER,
    valid_to            INTEGER,
    rev                 INTEGER NOT NULL,
    embedder            TEXT NOT NULL,
    vector              BLOB NOT NULL,
    learned_from        TEXT,
    quoted              TEXT, -- where the essence stands verbatim (JSON, store/rows.py)
    needs_review        INTEGER NOT NULL DEFAULT 0, -- 1: the wording waits for approval
    UNIQUE (agent_id, id)
) STRICT;
CREATE INDEX memories_by_rev ON memories (agent_id, rev);
CREATE INDEX memories_by_kind ON memories (agent_id, kind, state, priority);
CREATE INDEX memories_by_confidence ON memories (agent_id, kind, state, confidence, id);

CREATE TABLE memory_versions (
    agent_id      TEXT NOT NULL,
    memory_id     TEXT NOT NULL,
    version       INTEGER NOT NULL,
    essence       TEXT NOT NULL,
    lesson        TEXT,
    believed_from INTEGER NOT NULL,
    believed_to   INTEGER NOT NULL,
    valid_from    INTEGER,
    valid_to      INTEGER,
    rev           INTEGER NOT NULL,
    embedder      TEXT NOT NULL,
    vector        BLOB NOT NULL,
    PRIMARY KEY (agent_id, memory_id, version)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_versions_by_rev ON memory_versions (agent_id, rev);

CREATE TABLE memory_sources (
    agent_id   TEXT NOT NULL,
    memory_id  TEXT NOT NULL,
    episode_id TEXT NOT NULL,
    PRIMARY KEY (agent_id, memory_id, episode_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_sources_by_episode ON memory_sources (agent_id, episode_id);

CREATE TABLE memory_touches (
    agent_id        TEXT NOT NULL,
    memory_id       TEXT NOT NULL,
    touches         INTEGER NOT NULL,
    last_touched_at INTEGER,
    PRIMARY KEY (agent_id, memory_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE connections (
    agent_id   TEXT NOT NULL,
    source     TEXT NOT NULL,
    target     TEXT NOT NULL,
    relation   TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (agent_id, source, target, relation)
) STRICT, WITHOUT ROWID;
CREATE INDEX connections_by_target ON connections (agent_id, target);

CREATE TABLE audit (
    agent_id TEXT NOT NULL,
    id       TEXT NOT NULL,
    at       INTEGER NOT NULL,
    actor    TEXT NOT NULL,
    action   TEXT NOT NULL,
    target   TEXT NOT NULL,
    before   TEXT,
    after    TEXT,
    reason   TEXT,
    job      TEXT,
    PRIMARY KEY (agent_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX audit_by_target ON audit (agent_id, target, id);
CREATE INDEX audit_by_job ON audit (agent_id, job, id) WHERE job IS NOT NULL;

CREATE TABLE tombstones (
    agent_id TEXT NOT NULL,
    digest   BLOB NOT NULL,
    at       INTEGER NOT NULL,
    PRIMARY KEY (agent_id, digest)
) STRICT, WITHOUT ROWID;

-- Deleted rows, so that a reader with an older revision can drop them too. `corpus` is 'memories', 'episodes' or
-- 'versions' (whose id is 'memory_id/version'). Old entries are pruned up to agents.pruned_rev: a reader older than
-- that rebuilds.
CREATE TABLE deletions (
    agent_id TEXT NOT NULL,
    rev      INTEGER NOT NULL,
    corpus   TEXT NOT NULL,
    id       TEXT NOT NULL,
    PRIMARY KEY (agent_id, rev, corpus, id)
) STRICT, WITHOUT ROWID;

-- Keyword search for the verbs that list; it never ranks recall. Triggers keep it equal to the tables.
CREATE VIRTUAL TABLE memories_fts USING fts5 (
    essence, lesson, tags, scope,
    content = 'memories', content_rowid = 'seq', tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO memories_fts (memories_fts, rank) VALUES ('secure-delete', 1);
CREATE TRIGGER memories_fts_insert AFTER INSERT ON memories BEGIN
    INSERT INTO memories_fts (rowid, essence, lesson, tags, scope)
    VALUES (new.seq, new.essence, new.lesson, new.tags, new.scope);
END;
CREATE TRIGGER memories_fts_delete AFTER DELETE ON memories BEGIN
    INSERT INTO memories_fts (memories_fts, rowid, essence, lesson, tags, scope)
    VALUES ('delete', old.seq, old.essence, old.lesson, old.tags, old.scope);
END;
CREATE TRIGGER memories_fts_update AFTER UPDATE OF essence, lesson, tags, scope ON memories
WHEN old.essence <> new.essence OR old.lesson IS NOT new.lesson OR old.tags <> new.tags OR old.scope <> new.scope
BEGIN
    INSERT INTO memories_fts (memories_fts, rowid, essence, lesson, tags, scope)
    VALUES ('delete', old.seq, old.essence, old.lesson, old.tags, old.scope);
    INSERT INTO memories_fts (rowid, essence, lesson, tags, scope)
    VALUES (new.seq, new.essence, new.lesson, new.tags, new.scope);
END;

CREATE VIRTUAL TABLE episodes_fts USING fts5 (
    content,
    content = 'episodes', content_rowid = 'seq', tokenize = 'porter unicode61 remove_diacritics 2'
);
INSERT INTO episodes_fts (episodes_fts, rank) VALUES ('secure-delete', 1);
CREATE TRIGGER episodes_fts_insert AFTER INSERT ON episodes BEGIN
    INSERT INTO episodes_fts (rowid, content) VALUES (new.seq, new.content);
END;
CREATE TRIGGER episodes_fts_delete AFTER DELETE ON episodes BEGIN
    INSERT INTO episodes_fts (episodes_fts, rowid, content) VALUES ('delete', old.seq, old.content);
END;
CREATE TRIGGER episodes_fts_update AFTER UPDATE OF content ON episodes WHEN old.content <> new.content BEGIN
    INSERT INTO episodes_fts (episodes_fts, rowid, content) VALUES ('delete', old.seq, old.content);
    INSERT INTO episodes_fts (rowid, content) VALUES (new.seq, new.content);
END;

-- Unfinished copies of agents into this file (`reverie copy`): the source, its revision, and the call that holds the
-- copy now. The last step inserts the agent's row and deletes the row here in one transaction.
CREATE TABLE copies (
    agent_id   TEXT PRIMARY KEY,
    source     BLOB NOT NULL,
    rev        INTEGER NOT NULL,
    holder     TEXT NOT NULL,
    started_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE soul (
    agent_id   TEXT NOT NULL,
    id         TEXT NOT NULL,
    text       TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (agent_id, id)
) STRICT, WITHOUT ROWID;

-- `key` is the name casefolded: one procedure a name.
CREATE TABLE procedures (
    agent_id  TEXT NOT NULL,
    memory_id TEXT NOT NULL,
    key       TEXT NOT NULL,
    name      TEXT NOT NULL,
    steps     TEXT NOT NULL,
    successes INTEGER NOT NULL,
    failures  INTEGER NOT NULL,
    PRIMARY KEY (agent_id, memory_id),
    UNIQUE (agent_id, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE procedure_runs (
    agent_id  TEXT NOT NULL,
    memory_id TEXT NOT NULL,
    id        TEXT NOT NULL,
    at        INTEGER NOT NULL,
    succeeded INTEGER NOT NULL,
    note      TEXT,
    PRIMARY KEY (agent_id, memory_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE achievements (
    agent_id  TEXT NOT NULL,
    memory_id TEXT NOT NULL,
    at        INTEGER NOT NULL,
    note      TEXT,
    PRIMARY KEY (agent_id, memory_id)
) STRICT, WITHOUT ROWID;

-- When goals fall due.
CREATE TABLE dues (
    agent_id  TEXT NOT NULL,
    memory_id TEXT NOT NULL,
    at        INTEGER NOT NULL,
    PRIMARY KEY (agent_id, memory_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX dues_in_order ON dues (agent_id, at);

-- `position`: that of the first episode that the job has not seen.
CREATE TABLE watermarks (
    agent_id        TEXT NOT NULL,
    job             TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    position        INTEGER NOT NULL,
    failures        INTEGER NOT NULL,
    parked_until    INTEGER,
    PRIMARY KEY (agent_id, job, conversation_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE counters (
    agent_id TEXT NOT NULL,
    name     TEXT NOT NULL,
    count    INTEGER NOT NULL,
    PRIMARY KEY (agent_id, name)
) STRICT, WITHOUT ROWID;

-- A cache: any forget empties it.
CREATE TABLE digests (
    agent_id TEXT NOT NULL,
    key      BLOB NOT NULL,
    text     TEXT NOT NULL,
    at       INTEGER NOT NULL,
    PRIMARY KEY (agent_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX digests_by_time ON digests (agent_id, at);

-- The changes of a sleep are in the audit log.
CREATE TABLE sleeps (
    agent_id    TEXT NOT NULL,
    id          TEXT NOT NULL,
    mind        TEXT NOT NULL,
    started_at  INTEGER NOT NULL,
    ended_at    INTEGER NOT NULL,
    episodes    TEXT NOT NULL,
    clusters    INTEGER NOT NULL,
    rejected    TEXT NOT NULL,
    spent       TEXT NOT NULL,
    notes       TEXT NOT NULL,
    reverted_at INTEGER,
    PRIMARY KEY (agent_id, id)
) STRICT, WITHOUT ROWID;

-- Who runs a job now, and how it went.
CREATE TABLE jobs (
    agent_id     TEXT NOT NULL,
    job          TEXT NOT NULL,
    holder       TEXT,
    until        INTEGER,
    failures     INTEGER NOT NULL,
    parked_until INTEGER,
    last_at      INTEGER,
    note         TEXT,
    PRIMARY KEY (agent_id, job)
) STRICT, WITHOUT ROWID;

CREATE TABLE usage (
    agent_id      TEXT NOT NULL,
    minute        INTEGER NOT NULL,
    calls         INTEGER NOT NULL,
    input_tokens  INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    micro_dollars INTEGER NOT NULL,
    PRIMARY KEY (agent_id, minute)
) STRICT, WITHOUT ROWID;

-- A cache: any forget empties it.
CREATE TABLE portraits (
    agent_id TEXT NOT NULL,
    section  TEXT NOT NULL,
    text     TEXT NOT NULL,
    at       INTEGER NOT NULL,
    PRIMARY KEY (agent_id, section)
) STRICT, WITHOUT ROWID;

CREATE TABLE outbox (
    agent_id TEXT NOT NULL,
    id       TEXT NOT NULL,
    place    INTEGER NOT NULL,
    at       INTEGER NOT NULL,
    verb     TEXT NOT NULL,
    payload  TEXT NOT NULL,
    failure  TEXT,
    PRIMARY KEY (agent_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX outbox_in_order ON outbox (agent_id, place, id);

-- Vectors of a move to another embedder that is not finished.
CREATE TABLE fresh_vectors (
    agent_id TEXT NOT NULL,
    embedder TEXT NOT NULL,
    corpus   TEXT NOT NULL,
    id       TEXT NOT NULL,
    digest   BLOB NOT NULL,
    vector   BLOB NOT NULL,
    PRIMARY KEY (agent_id, embedder, corpus, id)
) STRICT, WITHOUT ROWID;

-- One page a date; `notes` is a JSON list of what was written on it, in order.
CREATE TABLE diary (
    agent_id   TEXT NOT NULL,
    date       TEXT NOT NULL,
    mood       TEXT,
    location   TEXT,
    notes      TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (agent_id, date)
) STRICT, WITHOUT ROWID;

-- Keyword search over the pages: each stemmed word once a page, the same on every engine.
CREATE TABLE diary_words (
    agent_id TEXT NOT NULL,
    word     TEXT NOT NULL,
    date     TEXT NOT NULL,
    PRIMARY KEY (agent_id, word, date)
) STRICT, WITHOUT ROWID;
CREATE INDEX diary_words_by_date ON diary_words (agent_id, date);

-- How the agent sees one other, and every earlier view; the last by `id` is the present one. `key` is the name
-- casefolded.
CREATE TABLE relationships (
    agent_id  TEXT NOT NULL,
    key       TEXT NOT NULL,
    id        TEXT NOT NULL,
    other     TEXT NOT NULL,
    at        INTEGER NOT NULL,
    type      TEXT NOT NULL,
    trust     REAL NOT NULL,
    tone      TEXT,
    rationale TEXT,
    notes     TEXT,
    PRIMARY KEY (agent_id, key, id)
) STRICT, WITHOUT ROWID;

-- What programs keep: `namespace` is a JSON list, `value` a JSON object; `ttl` in microseconds. `vectors` are those of
-- `texts`, a JSON list, one behind the other; NULL until a search needs them.
CREATE TABLE items (
    agent_id   TEXT NOT NULL,
    id         TEXT NOT NULL,
    namespace  TEXT NOT NULL,
    key        TEXT NOT NULL,
    value      TEXT NOT NULL,
    texts      TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    ttl        INTEGER,
    expires_at INTEGER,
    embedder   TEXT,
    vectors    BLOB,
    PRIMARY KEY (agent_id, id),
    UNIQUE (agent_id, namespace, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX items_expiring ON items (agent_id, expires_at) WHERE expires_at IS NOT NULL;

-- What a memory that is a summary stands for: memories (edges `derived-from` lead to them), or the messages of a
-- conversation from `first_position` to `last_position`, which are closed.
CREATE TABLE summaries (
    agent_id        TEXT NOT NULL,
    memory_id       TEXT NOT NULL,
    job             TEXT NOT NULL,
    conversation_id TEXT,
    first_position  INTEGER,
    last_position   INTEGER,
    items           INTEGER NOT NULL,
    began_at        INTEGER NOT NULL,
    ended_at        INTEGER NOT NULL,
    created_at      INTEGER NOT NULL,
    PRIMARY KEY (agent_id, memory_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX summaries_by_conversation ON summaries (agent_id, conversation_id, first_position);

-- Both banks hold a row with the same id; `side` is 'asked' in the one that asked and 'received' in the other.
CREATE TABLE neural_links (
    agent_id   TEXT NOT NULL,
    id         TEXT NOT NULL,
    side       TEXT NOT NULL,
    other      TEXT NOT NULL,
    state      TEXT NOT NULL,
    message    TEXT,
    asked_at   INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    decided_at INTEGER,
    revoked_at INTEGER,
    terms      TEXT,
    counts     TEXT,
    PRIMARY KEY (agent_id, id)
) STRICT, WITHOUT ROWID;

-- What came by a link: `id` here, `source_id` in the bank that it came from; `own` is 1 where the agent had it already.
CREATE TABLE link_items (
    agent_id  TEXT NOT NULL,
    link_id   TEXT NOT NULL,
    corpus    TEXT NOT NULL,
    source_id TEXT NOT NULL,
    id        TEXT NOT NULL,
    own       INTEGER NOT NULL,
    PRIMARY KEY (agent_id, link_id, corpus, source_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX link_items_by_id ON link_items (agent_id, corpus, id);

CREATE TABLE link_blocks (
    agent_id TEXT NOT NULL,
    other    TEXT NOT NULL,
    at       INTEGER NOT NULL,
    PRIMARY KEY (agent_id, other)
) STRICT, WITHOUT ROWID;

-- Nights that the host's model was asked about and hasn't answered yet: `body` is JSON of ids and numbers.
CREATE TABLE nights (
    agent_id TEXT NOT NULL,
    id       TEXT NOT NULL,
    asked_at INTEGER NOT NULL,
    body     TEXT NOT NULL,
    PRIMARY KEY (agent_id, id)
) STRICT, WITHOUT ROWID;
