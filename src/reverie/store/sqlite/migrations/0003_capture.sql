-- Capture and activation: the soul, workflows and how they went, achieved goals, how far background jobs have come, what
-- was counted, and summaries of messages.

-- What enters a prompt unasked is found by kind.
CREATE INDEX memories_by_kind ON memories (agent_id, kind, state, priority);

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
