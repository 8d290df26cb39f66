-- Capture and activation: the soul, workflows and how they went, achieved goals, how far background jobs have come, what
-- was counted, and summaries of messages.

CREATE TABLE soul (
    agent_id   text COLLATE "C" NOT NULL,
    id         text COLLATE "C" NOT NULL,
    text       text NOT NULL,
    created_at bigint NOT NULL,
    PRIMARY KEY (agent_id, id)
);

-- `key` is the name casefolded: one procedure a name.
CREATE TABLE procedures (
    agent_id  text COLLATE "C" NOT NULL,
    memory_id text COLLATE "C" NOT NULL,
    key       text COLLATE "C" NOT NULL,
    name      text NOT NULL,
    steps     text NOT NULL,
    successes bigint NOT NULL,
    failures  bigint NOT NULL,
    PRIMARY KEY (agent_id, memory_id),
    UNIQUE (agent_id, key)
);

CREATE TABLE procedure_runs (
    agent_id  text COLLATE "C" NOT NULL,
    memory_id text COLLATE "C" NOT NULL,
    id        text COLLATE "C" NOT NULL,
    at        bigint NOT NULL,
    succeeded bigint NOT NULL,
    note      text,
    PRIMARY KEY (agent_id, memory_id, id)
);

CREATE TABLE achievements (
    agent_id  text COLLATE "C" NOT NULL,
    memory_id text COLLATE "C" NOT NULL,
    at        bigint NOT NULL,
    note      text,
    PRIMARY KEY (agent_id, memory_id)
);

-- `position`: that of the first episode that the job has not seen.
CREATE TABLE watermarks (
    agent_id        text COLLATE "C" NOT NULL,
    job             text COLLATE "C" NOT NULL,
    conversation_id text COLLATE "C" NOT NULL,
    position        bigint NOT NULL,
    failures        bigint NOT NULL,
    parked_until    bigint,
    PRIMARY KEY (agent_id, job, conversation_id)
);

CREATE TABLE counters (
    agent_id text COLLATE "C" NOT NULL,
    name     text COLLATE "C" NOT NULL,
    count    bigint NOT NULL,
    PRIMARY KEY (agent_id, name)
);

-- A cache: any forget empties it.
CREATE TABLE digests (
    agent_id text COLLATE "C" NOT NULL,
    key      bytea NOT NULL,
    text     text NOT NULL,
    at       bigint NOT NULL,
    PRIMARY KEY (agent_id, key)
);
CREATE INDEX digests_by_time ON digests (agent_id, at);

-- Of texts ANALYZE keeps no samples, as in the first migration; and row-level security guards each table.
DO $$
DECLARE
    one text;
    many record;
BEGIN
    FOREACH one IN ARRAY ARRAY['soul', 'procedures', 'procedure_runs', 'achievements', 'watermarks', 'counters', 'digests']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', one);
        EXECUTE format('CREATE POLICY own_agent ON %I USING (agent_id = current_setting(''reverie.agent'', true))', one);
    END LOOP;
    FOR many IN
        SELECT a.attrelid::regclass AS place, a.attname AS name
        FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
        WHERE c.relnamespace = quote_ident(current_schema())::regnamespace
            AND c.relname IN ('soul', 'procedures', 'procedure_runs', 'achievements', 'digests')
            AND c.relkind = 'r' AND a.attname IN ('text', 'key', 'name', 'steps', 'note')
    LOOP
        EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET STATISTICS 0', many.place, many.name);
    END LOOP;
END $$;
