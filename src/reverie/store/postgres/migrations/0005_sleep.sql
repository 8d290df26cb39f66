-- Sleep: which job made a change, which episodes were slept on, the sleeps themselves, leases and failures of jobs, what
-- models cost, the self-portrait, writes that wait for an embedder, and vectors for a move to another one.

ALTER TABLE agents ADD COLUMN paused_at bigint;
ALTER TABLE audit ADD COLUMN job text COLLATE "C";
CREATE INDEX audit_by_job ON audit (agent_id, job, id) WHERE job IS NOT NULL;
CREATE INDEX memories_by_confidence ON memories (agent_id, kind, state, confidence, id);
CREATE INDEX episodes_awake ON episodes (agent_id, time, id) WHERE consolidated_at IS NULL;

-- The changes of a sleep stand in the audit log.
CREATE TABLE sleeps (
    agent_id    text COLLATE "C" NOT NULL,
    id          text COLLATE "C" NOT NULL,
    mind        text NOT NULL,
    started_at  bigint NOT NULL,
    ended_at    bigint NOT NULL,
    episodes    text NOT NULL,
    clusters    bigint NOT NULL,
    rejected    text NOT NULL,
    spent       text NOT NULL,
    notes       text NOT NULL,
    reverted_at bigint,
    PRIMARY KEY (agent_id, id)
);

-- Who runs a job now, and how it went.
CREATE TABLE jobs (
    agent_id     text COLLATE "C" NOT NULL,
    job          text COLLATE "C" NOT NULL,
    holder       text,
    until        bigint,
    failures     bigint NOT NULL,
    parked_until bigint,
    last_at      bigint,
    note         text,
    PRIMARY KEY (agent_id, job)
);

CREATE TABLE usage (
    agent_id      text COLLATE "C" NOT NULL,
    minute        bigint NOT NULL,
    calls         bigint NOT NULL,
    input_tokens  bigint NOT NULL,
    output_tokens bigint NOT NULL,
    micro_dollars bigint NOT NULL,
    PRIMARY KEY (agent_id, minute)
);

-- A cache: any forget empties it.
CREATE TABLE portraits (
    agent_id text COLLATE "C" NOT NULL,
    section  text COLLATE "C" NOT NULL,
    text     text NOT NULL,
    at       bigint NOT NULL,
    PRIMARY KEY (agent_id, section)
);

CREATE TABLE outbox (
    agent_id text COLLATE "C" NOT NULL,
    id       text COLLATE "C" NOT NULL,
    place    bigint NOT NULL,
    at       bigint NOT NULL,
    verb     text NOT NULL,
    payload  text NOT NULL,
    failure  text,
    PRIMARY KEY (agent_id, id)
);
CREATE INDEX outbox_in_order ON outbox (agent_id, place, id);

CREATE TABLE fresh_vectors (
    agent_id text COLLATE "C" NOT NULL,
    embedder text COLLATE "C" NOT NULL,
    corpus   text COLLATE "C" NOT NULL,
    id       text COLLATE "C" NOT NULL,
    digest   bytea NOT NULL,
    vector   bytea NOT NULL,
    PRIMARY KEY (agent_id, embedder, corpus, id)
);

-- Of texts ANALYZE keeps no samples, as in the first migration; and row-level security guards each table.
DO $$
DECLARE
    one text;
    many record;
BEGIN
    FOREACH one IN ARRAY ARRAY['sleeps', 'jobs', 'usage', 'portraits', 'outbox', 'fresh_vectors']
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', one);
        EXECUTE format('CREATE POLICY own_agent ON %I USING (agent_id = current_setting(''reverie.agent'', true))', one);
    END LOOP;
    FOR many IN
        SELECT a.attrelid::regclass AS place, a.attname AS name
        FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
        WHERE c.relnamespace = quote_ident(current_schema())::regnamespace
            AND c.relname IN ('sleeps', 'portraits', 'outbox', 'fresh_vectors')
            AND c.relkind = 'r' AND a.attname IN ('episodes', 'rejected', 'notes', 'text', 'payload', 'vector')
    LOOP
        EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET STATISTICS 0', many.place, many.name);
    END LOOP;
END $$;
