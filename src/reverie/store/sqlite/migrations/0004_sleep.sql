-- Sleep: which job made a change, which episodes were slept on, the sleeps themselves, leases and failures of jobs, what
-- models cost, the self-portrait, writes that wait for an embedder, and vectors for a move to another one.

ALTER TABLE agents ADD COLUMN paused_at INTEGER;
ALTER TABLE audit ADD COLUMN job TEXT;
CREATE INDEX audit_by_job ON audit (agent_id, job, id) WHERE job IS NOT NULL;
CREATE INDEX memories_by_confidence ON memories (agent_id, kind, state, confidence, id);
CREATE INDEX episodes_awake ON episodes (agent_id, time, id) WHERE consolidated_at IS NULL;

-- The changes of a sleep stand in the audit log.
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

CREATE TABLE fresh_vectors (
    agent_id TEXT NOT NULL,
    embedder TEXT NOT NULL,
    corpus   TEXT NOT NULL,
    id       TEXT NOT NULL,
    digest   BLOB NOT NULL,
    vector   BLOB NOT NULL,
    PRIMARY KEY (agent_id, embedder, corpus, id)
) STRICT, WITHOUT ROWID;
