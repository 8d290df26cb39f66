-- Copies of agents into this database that are not finished (`reverie copy`): from what, at which revision, and which
-- call holds it now. The agent's row comes with the last step, in whose transaction its line here goes.
CREATE TABLE copies (
    agent_id   text COLLATE "C" PRIMARY KEY,
    source     bytea NOT NULL,
    rev        bigint NOT NULL,
    holder     text COLLATE "C" NOT NULL,
    started_at bigint NOT NULL
);
ALTER TABLE copies ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_agent ON copies USING (agent_id = current_setting('reverie.agent', true));
