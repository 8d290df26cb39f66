-- Wordings of earlier versions are to be quoted or marked (services/requoting.py).
INSERT INTO counters (agent_id, name, count)
SELECT DISTINCT agent_id, 'requote.due', 1 FROM memories
WHERE quoted IS NULL AND origin NOT IN ('commit', 'self-care');
