-- Whether a memory's wording waits for approval (1) or not (0).
ALTER TABLE memories ADD COLUMN needs_review INTEGER NOT NULL DEFAULT 0;

-- Nights that the host's model was asked about and hasn't answered yet: `body` is JSON of ids and numbers.
CREATE TABLE nights (
    agent_id TEXT NOT NULL,
    id       TEXT NOT NULL,
    asked_at INTEGER NOT NULL,
    body     TEXT NOT NULL,
    PRIMARY KEY (agent_id, id)
) STRICT, WITHOUT ROWID;
