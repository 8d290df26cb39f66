-- Whether a memory's wording waits for approval (1) or not (0).
ALTER TABLE memories ADD COLUMN needs_review bigint NOT NULL DEFAULT 0;

-- Nights that the host's model was asked about and hasn't answered yet: `body` is JSON of ids and numbers.
CREATE TABLE nights (
    agent_id text COLLATE "C" NOT NULL,
    id       text COLLATE "C" NOT NULL,
    asked_at bigint NOT NULL,
    body     text NOT NULL,
    PRIMARY KEY (agent_id, id)
);
ALTER TABLE nights ALTER COLUMN body SET STATISTICS 0;
ALTER TABLE nights ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_agent ON nights USING (agent_id = current_setting('reverie.agent', true));
