-- Rows as schema 1 held them, written by the engine of that time: each later schema must still answer from them.

INSERT INTO agents (id, time_zone, principals, home, location, created_at, secret, rev, pruned_rev, embedder, dimensions)
VALUES ('mama', 'Europe/Budapest', '["Anna"]', NULL, NULL, '1795165201000000', E'\\xad34eba239ffe8008058c7c85914a4428e67b45cf3797e7a302eba10fead2a46', '6', '0', 'hashing-for-tests-16/1', '16');
INSERT INTO agents (id, time_zone, principals, home, location, created_at, secret, rev, pruned_rev, embedder, dimensions)
VALUES ('papa', 'UTC', '[]', NULL, NULL, '1795165218000000', E'\\xe3c8c7e098e0ce427293ed8d3c6ce16907a448de9dd9fb659d3abe4b3addad1f', '1', '0', 'hashing-for-tests-16/1', '16');
INSERT INTO conversations (agent_id, id, channel, started_at, last_at, episodes, next_position)
VALUES ('mama', 'chat-1', 'api', '1795165203000000', '1795165204000000', '2', '2');
INSERT INTO participants (agent_id, conversation_id, speaker, episodes)
VALUES ('mama', 'chat-1', 'Anna', '1');
INSERT INTO episodes (seq, agent_id, id, conversation_id, position, time, observed_at, channel, role, speaker, content, ref, outcome, tags, task_type, tools_used, emotional_tone, topics, entities, importance, source_trust, consolidated_at, rev, embedder, vector, words, bag, length)
VALUES ('1', 'mama', '01a1f82f-2a38-7590-9f87-31a2b7fcef50', 'chat-1', '0', '1795165203000000', '1795165203000000', 'api', 'user', 'Anna', E'My sister''s wedding is on 5 June; 100 % sure \\ ''quoted''', 'm1', NULL, '[]', NULL, '[]', NULL, '[]', '[]', NULL, 'principal', NULL, '1', 'hashing-for-tests-16/1', '[0.24732423,0.123662114,0.37098634,-0.123662114,0,0.3378512,0.123662114,0.24732423,0.123662114,-0.37098634,-0.123662114,-0.123662114,0.24732423,-0.4615133,-0.24732423,-0.24732423]', '''kElNbQHUJEr8'' ''kIser2mtlhUA'' ''kKcYL_7DaNY4'' ''kNfbmlhdOPF0'' ''kV1Q47sZ72R8'' ''kdNoHMllgUg4'' ''khAHRA8h6GoU'' ''kn1i7kj-6-BU'' ''kvL4jLTRN67U'' ''kvXVPlqPya6g''', E'\\x108aa255b5331ffa01001e839d72f68e385401006681b4e0bdc791420100437bd8849ea88646010049a9f2ccac2cd41f0100995b7ff1a6b44a5801003a0525a90f13c4a60100', '7');
INSERT INTO episodes (seq, agent_id, id, conversation_id, position, time, observed_at, channel, role, speaker, content, ref, outcome, tags, task_type, tools_used, emotional_tone, topics, entities, importance, source_trust, consolidated_at, rev, embedder, vector, words, bag, length)
VALUES ('2', 'mama', '01a1f82f-2e20-7020-a12f-fec4244e530a', 'chat-1', '1', '1795165204000000', '1795165204000000', 'api', 'agent', NULL, 'Noted: 漢字 🎉', NULL, NULL, '[]', NULL, '[]', NULL, '[]', '[]', NULL, 'agent', NULL, '1', 'hashing-for-tests-16/1', '[0,0,-0.30151135,0,0.30151135,0,-0.30151135,-0.30151135,0.30151135,0,-0.6030227,0,0,-0.30151135,0.30151135,0]', '''kLggXyuQZtog'' ''kXl7oWa9PERw''', E'\\xc1a3065bfa6d12220100703f00b0cfcfba0a0100', '2');
INSERT INTO memories (seq, agent_id, id, essence, lesson, emotions, importance, kind, priority, confidence, confidence_at, scope, tags, topics, entities, origin, source_trust, pinned, state, superseded_by, reinforcement_count, last_reinforced_at, version, created_at, updated_at, believed_from, valid_from, valid_to, rev, embedder, vector, words, bag, length)
VALUES ('1', 'mama', '01a1f82f-3208-7248-9d32-85c4a0bf4581', 'Anna lives in Lisbon', 'Ask before writing', NULL, NULL, 'fact', 'normal', '0.9', '1795165205000000', '[]', '["home"]', '[]', '[]', 'commit', 'principal', '0', 'active', NULL, '1', '1795165205000000', '2', '1795165205000000', '1795165208000000', '1795165208000000', NULL, NULL, '4', 'hashing-for-tests-16/1', '[0.2581989,0.2581989,0,0.5163978,-0.2581989,-0.36514837,0,0.2581989,-0.2581989,-0.2581989,0,0,0.2581989,0.2581989,-0.2581989,0]', '''k-ALakPXrYgA'' ''k2BR2a9fWA3A'' ''k37my6ZkJ40E'' ''kDCbh2NxTeYU'' ''kGMIapsSRvZI'' ''kMOaN_q9TjGA'' ''kMf4EZypOsb0'' ''kmiNF5HvTwro'' ''thLSJBC6oiLA''', E'\\xb0096d660c5c48340100c4cb73b542b1a5c4010008b2ee41f47a1f2101006d479f6d64bc3aef0100f864bef0a180659c0100d14b948f6f14c4630100', '6');
INSERT INTO memories (seq, agent_id, id, essence, lesson, emotions, importance, kind, priority, confidence, confidence_at, scope, tags, topics, entities, origin, source_trust, pinned, state, superseded_by, reinforcement_count, last_reinforced_at, version, created_at, updated_at, believed_from, valid_from, valid_to, rev, embedder, vector, words, bag, length)
VALUES ('1', 'papa', '01a1f82f-5d00-7392-842d-78d110ed44e3', 'Peter is allergic to peanuts', NULL, NULL, NULL, 'fact', 'normal', '0.9', '1795165216000000', '[]', '[]', '[]', '[]', 'commit', 'agent', '0', 'active', NULL, '1', '1795165216000000', '1', '1795165216000000', '1795165216000000', '1795165216000000', NULL, NULL, '1', 'hashing-for-tests-16/1', '[0,-0.17193294,0.17193294,0,-0.17193294,0.17193294,-0.41508284,0.34386587,0,-0.17193294,-0.17193294,-0.17193294,-0.17193294,0,0,-0.68773174]', '''kBAMuB-TDPFo'' ''kFMyTNMATDJM'' ''kLmM945itMWo'' ''kcc_yZOlO0c0'' ''korHPrOSnrLs''', E'\\x2a379035b600fca9010062a351958ff5df8401004504bb0d6b358d0b0100', '3');
INSERT INTO memory_versions (agent_id, memory_id, version, essence, lesson, believed_from, believed_to, valid_from, valid_to, rev, embedder, vector)
VALUES ('mama', '01a1f82f-3208-7248-9d32-85c4a0bf4581', '1', 'Anna lives in Porto', NULL, '1795165205000000', '1795165208000000', NULL, NULL, '3', 'hashing-for-tests-16/1', '[0,0,0,0.23570226,-0.47140452,-0.23570226,0.23570226,0,-0.47140452,-0.47140452,0,-0.23570226,0,0,-0.23570226,-0.23570226]');
INSERT INTO memory_sources (agent_id, memory_id, episode_id)
VALUES ('mama', '01a1f82f-3208-7248-9d32-85c4a0bf4581', '01a1f82f-2a38-7590-9f87-31a2b7fcef50');
INSERT INTO memory_touches (agent_id, memory_id, touches, last_touched_at)
VALUES ('mama', '01a1f82f-3208-7248-9d32-85c4a0bf4581', '1', '1795165215000000');
INSERT INTO audit (agent_id, id, at, actor, action, target, before, after, reason)
VALUES ('mama', '01a1f82f-2650-7774-bde5-2f9ff882e145', '1795165202000000', 'tests', 'profile', 'mama', NULL, '{"id":"mama","time_zone":"Europe/Budapest","principals":["Anna"],"home":null,"location":null,"created_at":"2026-11-20T09:00:01+00:00"}', NULL);
INSERT INTO audit (agent_id, id, at, actor, action, target, before, after, reason)
VALUES ('mama', '01a1f82f-39d8-7528-b930-2aba70f27a9b', '1795165207000000', 'tests', 'remember', '01a1f82f-3208-7248-9d32-85c4a0bf4581', NULL, '{"essence":"Anna lives in Porto","emotions":null,"importance":null,"lesson":null,"kind":"fact","priority":"normal","confidence":0.9,"confidence_at":"2026-11-20T09:00:05+00:00","scope":[],"tags":["home"],"topics":[],"entities":[],"source_episodes":["01a1f82f-2a38-7590-9f87-31a2b7fcef50"],"origin":"commit","source_trust":"principal","pinned":false,"state":"active","superseded_by":null,"reinforcement_count":1,"last_reinforced_at":"2026-11-20T09:00:05+00:00","version":1,"created_at":"2026-11-20T09:00:05+00:00","believed_from":"2026-11-20T09:00:05+00:00","valid_from":null,"valid_to":null,"near":[]}', NULL);
INSERT INTO audit (agent_id, id, at, actor, action, target, before, after, reason)
VALUES ('mama', '01a1f82f-3dc0-7726-85b2-344e1ed1074d', '1795165208000000', 'tests', 'revise', '01a1f82f-3208-7248-9d32-85c4a0bf4581', '{"essence":"Anna lives in Porto","lesson":null,"version":1,"believed_from":"2026-11-20T09:00:05+00:00"}', '{"essence":"Anna lives in Lisbon","lesson":"Ask before writing","version":2,"believed_from":"2026-11-20T09:00:08+00:00"}', NULL);
INSERT INTO audit (agent_id, id, at, actor, action, target, before, after, reason)
VALUES ('mama', '01a1f82f-4978-70d8-9334-431ceb59ea06', '1795165211000000', 'tests', 'remember', '01a1f82f-41a8-728f-b587-060009670102', NULL, NULL, NULL);
INSERT INTO audit (agent_id, id, at, actor, action, target, before, after, reason)
VALUES ('mama', '01a1f82f-4d60-7615-a8b7-98c13dc6d523', '1795165212000000', 'tests', 'forget', '01a1f82f-41a8-728f-b587-060009670102', NULL, NULL, NULL);
INSERT INTO audit (agent_id, id, at, actor, action, target, before, after, reason)
VALUES ('papa', '01a1f82f-68b8-70e2-a1ae-d1bd3feb5290', '1795165219000000', 'tests', 'remember', '01a1f82f-5d00-7392-842d-78d110ed44e3', NULL, '{"essence":"Peter is allergic to peanuts","emotions":null,"importance":null,"lesson":null,"kind":"fact","priority":"normal","confidence":0.9,"confidence_at":"2026-11-20T09:00:16+00:00","scope":[],"tags":[],"topics":[],"entities":[],"source_episodes":[],"origin":"commit","source_trust":"agent","pinned":false,"state":"active","superseded_by":null,"reinforcement_count":1,"last_reinforced_at":"2026-11-20T09:00:16+00:00","version":1,"created_at":"2026-11-20T09:00:16+00:00","believed_from":"2026-11-20T09:00:16+00:00","valid_from":null,"valid_to":null,"near":[]}', NULL);
INSERT INTO tombstones (agent_id, digest, at)
VALUES ('mama', E'\\x36868c955df6955d54f21a690c09d24e247a372e725238e2779a9d2e1b043b52', '1795165212000000');
INSERT INTO deletions (agent_id, rev, corpus, id)
VALUES ('mama', '6', 'memories', '01a1f82f-41a8-728f-b587-060009670102');
INSERT INTO corpora (agent_id, corpus, texts, length, last)
VALUES ('mama', 'episodes', '2', '9', '2');
INSERT INTO corpora (agent_id, corpus, texts, length, last)
VALUES ('mama', 'memories', '1', '6', '2');
INSERT INTO corpora (agent_id, corpus, texts, length, last)
VALUES ('papa', 'memories', '1', '3', '1');
INSERT INTO terms (agent_id, corpus, term, texts, tail)
VALUES ('mama', 'episodes', '-6429993409995012806', '1', E'\\x01000000010007000000');
INSERT INTO terms (agent_id, corpus, term, texts, tail)
VALUES ('mama', 'episodes', '-423562986030724592', '1', E'\\x01000000010007000000');
INSERT INTO terms (agent_id, corpus, term, texts, tail)
VALUES ('mama', 'episodes', '773158776965447536', '1', E'\\x02000000010002000000');
INSERT INTO terms (agent_id, corpus, term, texts, tail)
VALUES ('mama', 'episodes', '2293507230922877257', '1', E'\\x01000000010007000000');
INSERT INTO terms (agent_id, corpus, term, texts, tail)
VALUES ('mama', 'episodes', '2455145668906755009', '1', E'\\x02000000010002000000');
INSERT INTO terms (agent_id, corpus, term, texts, tail)
VALUES ('mama', 'episodes', '4796834696458961254', '1', E'\\x01000000010007000000');
INSERT INTO terms (agent_id, corpus, term, texts, tail)
VALUES ('mama', 'episodes', '5081934628321262403', '1', E'\\x01000000010007000000');
INSERT INTO terms (agent_id, corpus, term, texts, tail)
VALUES ('mama', 'episodes', '6068757687017767710', '1', E'\\x01000000010007000000');
INSERT INTO terms (agent_id, corpus, term, texts, tail)
VALUES ('mama', 'episodes', '6362096052723473305', '1', E'\\x01000000010007000000');
INSERT INTO terms (agent_id, corpus, term, texts, tail)
VALUES ('mama', 'memories', '-7177188998127917832', '1', E'\\x01000000010006000000');
INSERT INTO terms (agent_id, corpus, term, texts, tail)
VALUES ('mama', 'memories', '-4276817371048195132', '1', E'\\x01000000010006000000');
INSERT INTO terms (agent_id, corpus, term, texts, tail)
VALUES ('mama', 'memories', '-1208446410473650323', '1', E'\\x01000000010006000000');
INSERT INTO terms (agent_id, corpus, term, texts, tail)
VALUES ('mama', 'memories', '2386761517026423304', '1', E'\\x01000000010006000000');
INSERT INTO terms (agent_id, corpus, term, texts, tail)
VALUES ('mama', 'memories', '3767362296623204784', '1', E'\\x01000000010006000000');
INSERT INTO terms (agent_id, corpus, term, texts, tail)
VALUES ('mama', 'memories', '7188893374572940241', '1', E'\\x01000000010006000000');
INSERT INTO terms (agent_id, corpus, term, texts, tail)
VALUES ('papa', 'memories', '-8872102743862303902', '1', E'\\x01000000010003000000');
INSERT INTO terms (agent_id, corpus, term, texts, tail)
VALUES ('papa', 'memories', '-6198078204585953494', '1', E'\\x01000000010003000000');
INSERT INTO terms (agent_id, corpus, term, texts, tail)
VALUES ('papa', 'memories', '832380240041542725', '1', E'\\x01000000010003000000');
INSERT INTO writes (agent_id, key, at)
VALUES ('mama', '77d6a7cf-e7a6-40f7-8889-69253979effb', '2026-11-20 14:19:34.235357+00');
INSERT INTO writes (agent_id, key, at)
VALUES ('mama', '878aa195-60e2-4eb1-b865-f7d88d663b07', '2026-11-20 14:19:34.017404+00');
INSERT INTO writes (agent_id, key, at)
VALUES ('mama', 'a6dc5b39-1139-4e7e-bcbc-31f2e5bb97e1', '2026-11-20 14:19:34.136713+00');
INSERT INTO writes (agent_id, key, at)
VALUES ('mama', 'a988c6f2-1700-43b1-b7b5-582b58ed3edb', '2026-11-20 14:19:34.038552+00');
INSERT INTO writes (agent_id, key, at)
VALUES ('mama', 'b40756e8-30d4-4bce-a269-47e30e1a4f1f', '2026-11-20 14:19:34.215276+00');
INSERT INTO writes (agent_id, key, at)
VALUES ('mama', 'e3a2b4b4-caa7-4bba-91c4-6431663544c7', '2026-11-20 14:19:34.155658+00');
INSERT INTO writes (agent_id, key, at)
VALUES ('mama', 'ef4b79a7-b20e-490b-905c-9064c896e51c', '2026-11-20 14:19:34.30985+00');
INSERT INTO writes (agent_id, key, at)
VALUES ('papa', 'ad9d2be5-2537-4ac0-a158-d5c0ac491773', '2026-11-20 14:19:34.301272+00');
