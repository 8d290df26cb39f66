-- Society: whose memory one is, the diary, how an agent sees others, what a summary stands for, and neural links.

ALTER TABLE memories ADD COLUMN learned_from text COLLATE "C";
CREATE INDEX participants_by_speaker ON participants (agent_id, speaker);

-- One page a date; `notes` is a JSON list of what was written on it, in order.
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

-- Keyword search over the pages: each stemmed word once a page, the same on every engine.
CREATE TABLE diary_words (
    agent_id text COLLATE "C" NOT NULL,
    word     text COLLATE "C" NOT NULL,
    date     text COLLATE "C" NOT NULL,
    PRIMARY KEY (agent_id, word, date)
);
CREATE INDEX diary_words_by_date ON diary_words (agent_id, date);

-- How the agent sees one other, and every earlier view; the last by `id` is the present one. `key` is the name casefolded.
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

-- What a memory that is a summary stands for: memories (edges `derived-from` lead to them), or the messages of a
-- conversation from `first_position` to `last_position`, which are closed.
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

-- Both banks hold a line of the same id; `side` is 'asked' in the one that asked and 'received' in the other.
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

-- What came by a link: `id` here, `source_id` in the bank that it came from; `own` is 1 where the agent had it already.
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

-- Of texts ANALYZE keeps no samples, as in the first migration; and row-level security guards each table.
DO $$
DECLARE
    one text;
    many record;
BEGIN
    FOREACH one IN ARRAY ARRAY[
        'diary', 'diary_words', 'relationships', 'summaries', 'neural_links', 'link_items', 'link_blocks'
    ]
    LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', one);
        EXECUTE format('CREATE POLICY own_agent ON %I USING (agent_id = current_setting(''reverie.agent'', true))', one);
    END LOOP;
    FOR many IN
        SELECT a.attrelid::regclass AS place, a.attname AS name
        FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
        WHERE c.relnamespace = quote_ident(current_schema())::regnamespace
            AND c.relname IN ('diary', 'diary_words', 'relationships', 'neural_links')
            AND c.relkind = 'r'
            AND a.attname IN ('mood', 'location', 'notes', 'word', 'tone', 'rationale', 'message', 'terms', 'counts')
    LOOP
        EXECUTE format('ALTER TABLE %s ALTER COLUMN %I SET STATISTICS 0', many.place, many.name);
    END LOOP;
END $$;
