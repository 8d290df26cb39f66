-- Copies of agents into this file that are not finished (`reverie copy`): from what, at which revision, and which call
-- holds it now. The agent's row comes with the last step, in whose transaction its line here goes.
CREATE TABLE copies (
    agent_id   TEXT PRIMARY KEY,
    source     BLOB NOT NULL,
    rev        INTEGER NOT NULL,
    holder     TEXT NOT NULL,
    started_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
