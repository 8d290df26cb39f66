-- The schema of a database. The tables and columns are SQLite's (store/sqlite/schema.sql, which explains them), with
-- portable types: text ids in byte order, bigint microseconds since 1970 (UTC), JSON as text. What only this engine has
-- says so. HNSW indexes are made beside it, for the dimensions that are asked for
-- (schema.py), and so are the rights of the application's role (setup_steps.py).

-- What this is: the number of the schema, how many partitions it was made with, the application's role.
CREATE TABLE meta (
    key   text COLLATE "C" PRIMARY KEY,
    value text NOT NULL
);

CREATE TABLE agents (
    id          text COLLATE "C" PRIMARY KEY,
    time_zone   text NOT NULL,
    principals  text NOT NULL,
    home        text,
    location    text,
    created_at  bigint NOT NULL,
    secret      bytea NOT NULL,
    rev         bigint NOT NULL DEFAULT 0,
    pruned_rev  bigint NOT NULL DEFAULT 0,
    embedder    text COLLATE "C",
    dimensions  bigint,
    paused_at   bigint
);

CREATE TABLE conversations (
    agent_id      text COLLATE "C" NOT NULL,
    id            text COLLATE "C" NOT NULL,
    channel       text COLLATE "C" NOT NULL,
    started_at    bigint NOT NULL,
    last_at       bigint NOT NULL,
    episodes      bigint NOT NULL,
    next_position bigint NOT NULL,
    PRIMARY KEY (agent_id, id)
);

CREATE TABLE participants (
    agent_id        text COLLATE "C" NOT NULL,
    conversation_id text COLLATE "C" NOT NULL,
    speaker         text COLLATE "C" NOT NULL,
    episodes        bigint NOT NULL,
    PRIMARY KEY (agent_id, conversation_id, speaker)
);
CREATE INDEX participants_by_speaker ON participants (agent_id, speaker);

-- `seq` is the order of storing within an agent's corpus (see corpora.last). The last columns are this engine's index:
-- `words` holds 64-bit hashes of stemmed words and labels, to be looked up (store/postgres/lexemes.py), `bag` the
-- terms that BM25 counts with their numbers, `length` how many terms there are, `near` the vector in half precision,
-- which stays in the row (MAIN), behind the columns that filters ask for:
-- an exact scan takes each row apart up to there, and what comes later costs it nothing.
CREATE TABLE episodes (
    seq             bigint NOT NULL,
    time            bigint NOT NULL,
    position        bigint NOT NULL,
    agent_id        text COLLATE "C" NOT NULL,
    embedder        text COLLATE "C" NOT NULL,
    conversation_id text COLLATE "C" NOT NULL,
    channel         text COLLATE "C" NOT NULL,
    role            text COLLATE "C" NOT NULL,
    speaker         text COLLATE "C",
    near            halfvec GENERATED ALWAYS AS (vector::halfvec) STORED,
    id              text COLLATE "C" NOT NULL,
    observed_at     bigint NOT NULL,
    content         text NOT NULL,
    ref             text COLLATE "C",
    outcome         text,
    tags            text NOT NULL,
    task_type       text,
    tools_used      text NOT NULL,
    emotional_tone  text,
    topics          text NOT NULL,
    entities        text NOT NULL,
    importance      double precision,
    source_trust    text COLLATE "C" NOT NULL,
    consolidated_at bigint,
    rev             bigint NOT NULL,
    vector          vector NOT NULL,
    words           tsvector NOT NULL,
    bag             bytea NOT NULL,
    length          bigint NOT NULL,
    PRIMARY KEY (agent_id, id),
    UNIQUE (agent_id, conversation_id, position)
) PARTITION BY HASH (agent_id);
CREATE UNIQUE INDEX episodes_by_ref ON episodes (agent_id, conversation_id, ref) WHERE ref IS NOT NULL;
CREATE INDEX episodes_by_time ON episodes (agent_id, time, id);
CREATE INDEX episodes_awake ON episodes (agent_id, time, id) WHERE consolidated_at IS NULL;
CREATE INDEX episodes_by_speaker ON episodes (agent_id, speaker) WHERE speaker IS NOT NULL;
CREATE UNIQUE INDEX episodes_by_seq ON episodes (agent_id, seq);
CREATE INDEX episodes_by_words ON episodes USING gin (words) WITH (fastupdate = off);

CREATE TABLE memories (
    seq                 bigint NOT NULL,
    created_at          bigint NOT NULL,
    confidence_at       bigint NOT NULL,
    last_reinforced_at  bigint NOT NULL,
    reinforcement_count bigint NOT NULL,
    believed_from       bigint NOT NULL,
    confidence          double precision NOT NULL,
    agent_id            text COLLATE "C" NOT NULL,
    embedder            text COLLATE "C" NOT NULL,
    state               text COLLATE "C" NOT NULL,
    kind                text COLLATE "C" NOT NULL,
    superseded_by       text COLLATE "C",
    near                halfvec GENERATED ALWAYS AS (vector::halfvec) STORED,
    id                  text COLLATE "C" NOT NULL,
    essence             text NOT NULL,
    lesson              text,
    emotions            text,
    importance          double precision,
    priority            text COLLATE "C" NOT NULL,
    scope               text COLLATE "C" NOT NULL,
    tags                text NOT NULL,
    topics              text NOT NULL,
    entities            text NOT NULL,
    origin              text COLLATE "C" NOT NULL,
    source_trust        text COLLATE "C" NOT NULL,
    pinned              bigint NOT NULL,
    version             bigint NOT NULL,
    updated_at          bigint NOT NULL,
    valid_from          bigint,
    valid_to            bigint,
    rev                 bigint NOT NULL,
    vector              vector NOT NULL,
    words               tsvector NOT NULL,
    bag                 bytea NOT NULL,
    length              bigint NOT NULL,
    learned_from        text COLLATE "C",
    quoted              text,
    needs_review        bigint NOT NULL DEFAULT 0,
    PRIMARY KEY (agent_id, id)
) PARTITION BY HASH (agent_id);
CREATE INDEX memories_by_kind ON memories (agent_id, kind, state);
CREATE INDEX memories_by_time ON memories (agent_id, created_at, seq);
CREATE UNIQUE INDEX memories_by_seq ON memories (agent_id, seq);
CREATE INDEX memories_scoped ON memories (agent_id) WHERE scope <> '[]';
CREATE INDEX memories_by_words ON memories USING gin (words) WITH (fastupdate = off);
CREATE INDEX memories_by_confidence ON memories (agent_id, kind, state, confidence, id);

-- The vectors of large banks, for approximate search: `reverie postgres init` puts an HNSW index on them for each
-- number of dimensions. They hold an agent's rows up to `indexed.seq`; the rows behind it are few and scanned exactly
-- until they are taken in (store/postgres/indexing.py), so storing a memory never waits for the graph. Small banks
-- have nothing here: scanning them exactly is faster.
CREATE TABLE episodes_near (
    agent_id text COLLATE "C" NOT NULL,
    id       text COLLATE "C" NOT NULL,
    near     halfvec NOT NULL,
    PRIMARY KEY (agent_id, id)
) PARTITION BY HASH (agent_id);

CREATE TABLE memories_near (
    agent_id text COLLATE "C" NOT NULL,
    id       text COLLATE "C" NOT NULL,
    near     halfvec NOT NULL,
    PRIMARY KEY (agent_id, id)
) PARTITION BY HASH (agent_id);

CREATE TABLE indexed (
    agent_id text COLLATE "C" NOT NULL,
    corpus   text COLLATE "C" NOT NULL,
    seq      bigint NOT NULL,
    PRIMARY KEY (agent_id, corpus)
);

-- The approximate index follows what is deleted, and vectors that change.
CREATE FUNCTION follow_vector() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        EXECUTE format('DELETE FROM %I WHERE agent_id = $1 AND id = $2', TG_ARGV[0]) USING old.agent_id, old.id;
    ELSE
        EXECUTE format('UPDATE %I SET near = $3 WHERE agent_id = $1 AND id = $2', TG_ARGV[0])
            USING new.agent_id, new.id, new.near;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER follow_vector AFTER DELETE OR UPDATE OF vector ON episodes
    FOR EACH ROW EXECUTE FUNCTION follow_vector('episodes_near');
CREATE TRIGGER follow_vector AFTER DELETE OR UPDATE OF vector ON memories
    FOR EACH ROW EXECUTE FUNCTION follow_vector('memories_near');

DO $$
DECLARE
    parts integer := current_setting('reverie.partitions');
    parent text;
BEGIN
    FOREACH parent IN ARRAY ARRAY['episodes', 'memories', 'episodes_near', 'memories_near'] LOOP
        FOR part IN 0 .. parts - 1 LOOP
            EXECUTE format('CREATE TABLE %I PARTITION OF %I FOR VALUES WITH (MODULUS %s, REMAINDER %s)',
                parent || '_' || part, parent, parts, part);
        END LOOP;
    END LOOP;
END $$;

-- PostgreSQL 16 could say this within CREATE TABLE. A partition is altered with its parent.
ALTER TABLE episodes ALTER COLUMN near SET STORAGE MAIN;
ALTER TABLE memories ALTER COLUMN near SET STORAGE MAIN;
ALTER TABLE episodes_near ALTER COLUMN near SET STORAGE MAIN;
ALTER TABLE memories_near ALTER COLUMN near SET STORAGE MAIN;

CREATE TABLE memory_versions (
    agent_id      text COLLATE "C" NOT NULL,
    memory_id     text COLLATE "C" NOT NULL,
    version       bigint NOT NULL,
    essence       text NOT NULL,
    lesson        text,
    believed_from bigint NOT NULL,
    believed_to   bigint NOT NULL,
    valid_from    bigint,
    valid_to      bigint,
    rev           bigint NOT NULL,
    embedder      text COLLATE "C" NOT NULL,
    vector        vector NOT NULL,
    PRIMARY KEY (agent_id, memory_id, version)
);
CREATE INDEX memory_versions_by_time ON memory_versions (agent_id, believed_from);

CREATE TABLE memory_sources (
    agent_id   text COLLATE "C" NOT NULL,
    memory_id  text COLLATE "C" NOT NULL,
    episode_id text COLLATE "C" NOT NULL,
    PRIMARY KEY (agent_id, memory_id, episode_id)
);
CREATE INDEX memory_sources_by_episode ON memory_sources (agent_id, episode_id);

CREATE TABLE memory_touches (
    agent_id        text COLLATE "C" NOT NULL,
    memory_id       text COLLATE "C" NOT NULL,
    touches         bigint NOT NULL,
    last_touched_at bigint,
    PRIMARY KEY (agent_id, memory_id)
);

CREATE TABLE connections (
    agent_id   text COLLATE "C" NOT NULL,
    source     text COLLATE "C" NOT NULL,
    target     text COLLATE "C" NOT NULL,
    relation   text COLLATE "C" NOT NULL,
    created_at bigint NOT NULL,
    PRIMARY KEY (agent_id, source, target, relation)
);
CREATE INDEX connections_by_target ON connections (agent_id, target);

CREATE TABLE audit (
    agent_id text COLLATE "C" NOT NULL,
    id       text COLLATE "C" NOT NULL,
    at       bigint NOT NULL,
    actor    text NOT NULL,
    action   text COLLATE "C" NOT NULL,
    target   text COLLATE "C" NOT NULL,
    before   text,
    after    text,
    reason   text,
    job      text COLLATE "C",
    PRIMARY KEY (agent_id, id)
);
CREATE INDEX audit_by_target ON audit (agent_id, target, id);
CREATE INDEX audit_by_job ON audit (agent_id, job, id) WHERE job IS NOT NULL;

CREATE TABLE tombstones (
    agent_id text COLLATE "C" NOT NULL,
    digest   bytea NOT NULL,
    at       bigint NOT NULL,
    PRIMARY KEY (agent_id, digest)
);

CREATE TABLE deletions (
    agent_id text COLLATE "C" NOT NULL,
    rev      bigint NOT NULL,
    corpus   text COLLATE "C" NOT NULL,
    id       text COLLATE "C" NOT NULL,
    PRIMARY KEY (agent_id, rev, corpus, id)
);

-- This engine's alone. BM25's statistics and postings. `corpora`: how many current texts there are, how many terms they
-- have together, and the last `seq` given. `terms`: in how many texts a term (its hash) stands, and the latest of its
-- postings; the older ones lie in `postings`, in pieces of about 1.8 kB (store/postgres/postings.py).
CREATE TABLE corpora (
    agent_id text COLLATE "C" NOT NULL,
    corpus   text COLLATE "C" NOT NULL,
    texts    bigint NOT NULL,
    length   bigint NOT NULL,
    last     bigint NOT NULL,
    PRIMARY KEY (agent_id, corpus)
) WITH (fillfactor = 50);

CREATE TABLE terms (
    agent_id text COLLATE "C" NOT NULL,
    corpus   text COLLATE "C" NOT NULL,
    term     bigint NOT NULL,
    texts    bigint NOT NULL,
    tail     bytea NOT NULL,
    PRIMARY KEY (agent_id, corpus, term)
) WITH (fillfactor = 70);

CREATE TABLE postings (
    agent_id text COLLATE "C" NOT NULL,
    corpus   text COLLATE "C" NOT NULL,
    term     bigint NOT NULL,
    upto     bigint NOT NULL,
    piece    bytea NOT NULL,
    PRIMARY KEY (agent_id, corpus, term, upto)
);

-- Packed numbers don't compress.
ALTER TABLE terms ALTER COLUMN tail SET STORAGE EXTERNAL;
ALTER TABLE postings ALTER COLUMN piece SET STORAGE EXTERNAL;

-- This engine's alone. Writes that lately succeeded: one whose acknowledgement was lost is not made a second time.
CREATE TABLE writes (
    agent_id text COLLATE "C" NOT NULL,
    key      uuid NOT NULL,
    at       timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (agent_id, key)
);
CREATE INDEX writes_by_time ON writes (agent_id, at);

CREATE TABLE copies (
    agent_id   text COLLATE "C" PRIMARY KEY,
    source     bytea NOT NULL,
    rev        bigint NOT NULL,
    holder     text COLLATE "C" NOT NULL,
    started_at bigint NOT NULL
);

CREATE TABLE soul (
    agent_id   text COLLATE "C" NOT NULL,
    id         text COLLATE "C" NOT NULL,
    text       text NOT NULL,
    created_at bigint NOT NULL,
    PRIMARY KEY (agent_id, id)
);

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

CREATE TABLE dues (
    agent_id  text COLLATE "C" NOT NULL,
    memory_id text COLLATE "C" NOT NULL,
    at        bigint NOT NULL,
    PRIMARY KEY (agent_id, memory_id)
);
CREATE INDEX dues_in_order ON dues (agent_id, at);

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

CREATE TABLE digests (
    agent_id text COLLATE "C" NOT NULL,
    key      bytea NOT NULL,
    text     text NOT NULL,
    at       bigint NOT NULL,
    PRIMARY KEY (agent_id, key)
);
CREATE INDEX digests_by_time ON digests (agent_id, at);

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

CREATE TABLE diary (
    agent_id   text COLLATE "C" NOT NULL,
    date       text COLLATE "C" NOT NULL,
    mood       text,
    location   text,
    notes      text NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    PRIMARY KEY (agent_id, date)
);

CREATE TABLE diary_words (
    agent_id text COLLATE "C" NOT NULL,
    word     text COLLATE "C" NOT NULL,
    date     text COLLATE "C" NOT NULL,
    PRIMARY KEY (agent_id, word, date)
);
CREATE INDEX diary_words_by_date ON diary_words (agent_id, date);

CREATE TABLE relationships (
    agent_id  text COLLATE "C" NOT NULL,
    key       text COLLATE "C" NOT NULL,
    id        text COLLATE "C" NOT NULL,
    other     text COLLATE "C" NOT NULL,
    at        bigint NOT NULL,
    type      text NOT NULL,
    trust     double precision NOT NULL,
    tone      text,
    rationale text,
    notes     text,
    PRIMARY KEY (agent_id, key, id)
);

CREATE TABLE items (
    agent_id   text COLLATE "C" NOT NULL,
    id         text COLLATE "C" NOT NULL,
    namespace  text COLLATE "C" NOT NULL,
    key        text COLLATE "C" NOT NULL,
    value      text NOT NULL,
    texts      text NOT NULL,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    ttl        bigint,
    expires_at bigint,
    embedder   text COLLATE "C",
    vectors    bytea,
    PRIMARY KEY (agent_id, id),
    UNIQUE (agent_id, namespace, key)
);
CREATE INDEX items_expiring ON items (agent_id, expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE summaries (
    agent_id        text COLLATE "C" NOT NULL,
    memory_id       text COLLATE "C" NOT NULL,
    job             text NOT NULL,
    conversation_id text COLLATE "C",
    first_position  bigint,
    last_position   bigint,
    items           bigint NOT NULL,
    began_at        bigint NOT NULL,
    ended_at        bigint NOT NULL,
    created_at      bigint NOT NULL,
    PRIMARY KEY (agent_id, memory_id)
);
CREATE INDEX summaries_by_conversation ON summaries (agent_id, conversation_id, first_position);

CREATE TABLE neural_links (
    agent_id   text COLLATE "C" NOT NULL,
    id         text COLLATE "C" NOT NULL,
    side       text NOT NULL,
    other      text COLLATE "C" NOT NULL,
    state      text NOT NULL,
    message    text,
    asked_at   bigint NOT NULL,
    expires_at bigint NOT NULL,
    decided_at bigint,
    revoked_at bigint,
    terms      text,
    counts     text,
    PRIMARY KEY (agent_id, id)
);

CREATE TABLE link_items (
    agent_id  text COLLATE "C" NOT NULL,
    link_id   text COLLATE "C" NOT NULL,
    corpus    text COLLATE "C" NOT NULL,
    source_id text COLLATE "C" NOT NULL,
    id        text COLLATE "C" NOT NULL,
    own       bigint NOT NULL,
    PRIMARY KEY (agent_id, link_id, corpus, source_id)
);
CREATE INDEX link_items_by_id ON link_items (agent_id, corpus, id);

CREATE TABLE link_blocks (
    agent_id text COLLATE "C" NOT NULL,
    other    text COLLATE "C" NOT NULL,
    at       bigint NOT NULL,
    PRIMARY KEY (agent_id, other)
);

CREATE TABLE nights (
    agent_id text COLLATE "C" NOT NULL,
    id       text COLLATE "C" NOT NULL,
    asked_at bigint NOT NULL,
    body     text NOT NULL,
    PRIMARY KEY (agent_id, id)
);

-- ANALYZE keeps samples of what columns hold. Of texts and vectors it keeps none: what was forgotten would outlive its
-- rows there, and no plan needs them.
DO $$
DECLARE
    one record;
BEGIN
    FOR one IN
        SELECT a.attrelid::regclass AS place, a.attname AS name
        FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
        WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND c.relkind IN ('r', 'p')
            AND (a.attname IN ('content', 'essence', 'lesson', 'tags', 'topics', 'entities', 'outcome', 'before',
                'after', 'reason', 'vector', 'near', 'bag')
                OR c.relname IN ('soul', 'procedures', 'procedure_runs', 'achievements', 'digests')
                AND a.attname IN ('text', 'key', 'name', 'steps', 'note')
                OR c.relname IN ('sleeps', 'portraits', 'outbox')
                AND a.attname IN ('episodes', 'rejected', 'notes', 'text', 'payload')
                OR c.relname = 'nights' AND a.attname = 'body'
                OR c.relname = 'items' AND a.attname IN ('namespace', 'key', 'value', 'texts', 'vectors')
                OR c.relname IN ('diary', 'diary_words', 'relationships', 'neural_links')
                AND a.attname IN ('mood', 'location', 'notes', 'word', 'tone', 'rationale', 'message', 'terms', 'counts'))
    LOOP
        EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET STATISTICS 0', one.place, one.name);
    END LOOP;
END $$;

-- Row-level security: a transaction sees and changes the rows of the agent that it names in `reverie.agent`, and
-- without one no row at all. The owner is exempt: migrations and the functions below run as it.
DO $$
DECLARE
    one text;
BEGIN
    FOR one IN
        SELECT c.relname FROM pg_class AS c JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'agent_id'
        WHERE c.relnamespace = quote_ident(current_schema())::regnamespace AND c.relkind IN ('r', 'p')
            AND NOT c.relispartition
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', one);
        EXECUTE format('CREATE POLICY own_agent ON %I USING (agent_id = current_setting(''reverie.agent'', true))', one);
    END LOOP;
END $$;
ALTER TABLE agents ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_agent ON agents USING (id = current_setting('reverie.agent', true));

-- Only the parents of the partitions are ever granted to the application's role, so no partition can be asked past the
-- parent's policy.

-- The one act that crosses agents. It tells ids alone.
CREATE FUNCTION known_agents() RETURNS SETOF text
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT id::text FROM agents ORDER BY id;
END;

-- Rows of the transaction's agent whose `words` hold what is asked: keywords and labels. They stay within one agent as
-- the policies do, and run as the owner only because under a policy the planner may not use an index for `@@` (it isn't
-- leakproof). `weight` sums the weights of those parts that a row holds.
CREATE FUNCTION memories_matching(asked tsquery, parts tsquery[], weights double precision[])
RETURNS TABLE (seq bigint, weight double precision)
LANGUAGE sql STABLE SECURITY DEFINER ROWS 500 SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT m.seq, coalesce((SELECT sum(part.weight) FROM unnest(parts, weights) AS part (query, weight)
        WHERE m.words @@ part.query), 0)
    FROM memories AS m
    WHERE m.agent_id = current_setting('reverie.agent', true) AND m.words @@ asked;
END;

CREATE FUNCTION episodes_matching(asked tsquery, parts tsquery[], weights double precision[])
RETURNS TABLE (seq bigint, weight double precision)
LANGUAGE sql STABLE SECURITY DEFINER ROWS 500 SET search_path = pg_catalog, pg_temp
BEGIN ATOMIC
    SELECT e.seq, coalesce((SELECT sum(part.weight) FROM unnest(parts, weights) AS part (query, weight)
        WHERE e.words @@ part.query), 0)
    FROM episodes AS e
    WHERE e.agent_id = current_setting('reverie.agent', true) AND e.words @@ asked;
END;
