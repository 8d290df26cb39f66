-- The roll: of each episode the conversation that it belongs to, kept as postings of a term of its own (number 0; see
-- store/postgres/postings.py). A posting is the episode's number in four bytes, its length in two and the first four
-- bytes of the SHA-256 of its conversation's id, numbers with the least significant byte first.
WITH numbered AS (
    SELECT agent_id, seq, conversation_id, int4send(seq::integer) AS number,
        int4send(least(length, 65535)::integer) AS size,
        (row_number() OVER (PARTITION BY agent_id ORDER BY seq) - 1) / 180 AS part
    FROM episodes
), parts AS (
    SELECT agent_id, max(seq) AS upto, count(*) AS texts, string_agg(
        substr(number, 4, 1) || substr(number, 3, 1) || substr(number, 2, 1) || substr(number, 1, 1)
        || substr(size, 4, 1) || substr(size, 3, 1)
        || substr(sha256(convert_to(conversation_id, 'UTF8')), 1, 4), ''::bytea ORDER BY seq) AS piece
    FROM numbered GROUP BY agent_id, part
), put AS (
    INSERT INTO postings (agent_id, corpus, term, upto, piece)
    SELECT agent_id, 'episodes', 0, upto, piece FROM parts
)
INSERT INTO terms (agent_id, corpus, term, texts, tail)
SELECT agent_id, 'episodes', 0, sum(texts)::bigint, ''::bytea FROM parts GROUP BY agent_id;
