-- Society: whose memory one is, the diary, how an agent sees others, what a summary stands for, and neural links.

ALTER TABLE memories ADD COLUMN learned_from TEXT;
CREATE INDEX participants_by_speaker ON participants (agent_id, speaker);

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

-- How the agent sees one other, and every earlier view; the last by `id` is the present one. `key` is the name casefolded.
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

-- Both banks hold a line of the same id; `side` is 'asked' in the one that asked and 'received' in the other.
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
