-- Rows as schema 1 held them, written by the engine of that time: each later schema must still answer from them.

INSERT INTO agents (id, time_zone, principals, home, location, created_at, secret, rev, pruned_rev, embedder, dimensions)
VALUES ('mama', 'Europe/Budapest', '["Anna"]', NULL, NULL, '1795165201000000', E'\\x715befb35e696687efd2df1ef03dd38856a48d01dfa81dd2cbb0aa07f8b64590', '6', '0', 'hashing-for-tests-16/1', '16');
INSERT INTO agents (id, time_zone, principals, home, location, created_at, secret, rev, pruned_rev, embedder, dimensions)
VALUES ('papa', 'UTC', '[]', NULL, NULL, '1795165218000000', E'\\x186652bdfbf2daa49a3d791f6ae6d75bc1f4cc85367e213cc73be799872db079', '1', '0', 'hashing-for-tests-16/1', '16');
INSERT INTO conversations (agent_id, id, channel, started_at, last_at, episodes, next_position)
VALUES ('mama', 'chat-1', 'api', '1795165203000000', '1795165204000000', '2', '2');
INSERT INTO participants (agent_id, conversation_id, speaker, episodes)
VALUES ('mama', 'chat-1', 'Anna', '1');
INSERT INTO episodes (seq, time, position, agent_id, embedder, conversation_id, channel, role, speaker, id, observed_at, content, ref, outcome, tags, task_type, tools_used, emotional_tone, topics, entities, importance, source_trust, consolidated_at, rev, vector, words, bag, length)
VALUES ('1', '1795165203000000', '0', 'mama', 'hashing-for-tests-16/1', 'chat-1', 'api', 'user', 'Anna', '01a1f82f-2a38-737b-af06-12f01ccae9f8', '1795165203000000', E'My sister''s wedding is on 5 June; 100 % sure \\ ''quoted''', 'm1', NULL, '[]', NULL, '[]', NULL, '[]', '[]', NULL, 'principal', NULL, '1', '[0.24732423,0.123662114,0.37098634,-0.123662114,0,0.3378512,0.123662114,0.24732423,0.123662114,-0.37098634,-0.123662114,-0.123662114,0.24732423,-0.4615133,-0.24732423,-0.24732423]', '''kElNbQHUJEr8'' ''kIser2mtlhUA'' ''kKcYL_7DaNY4'' ''kNfbmlhdOPF0'' ''kV1Q47sZ72R8'' ''kdNoHMllgUg4'' ''khAHRA8h6GoU'' ''kn1i7kj-6-BU'' ''kvL4jLTRN67U'' ''kvXVPlqPya6g''', E'\\x108aa255b5331ffa01001e839d72f68e385401006681b4e0bdc791420100437bd8849ea88646010049a9f2ccac2cd41f0100995b7ff1a6b44a5801003a0525a90f13c4a60100', '7');
INSERT INTO episodes (seq, time, position, agent_id, embedder, conversation_id, channel, role, speaker, id, observed_at, content, ref, outcome, tags, task_type, tools_used, emotional_tone, topics, entities, importance, source_trust, consolidated_at, rev, vector, words, bag, length)
VALUES ('2', '1795165204000000', '1', 'mama', 'hashing-for-tests-16/1', 'chat-1', 'api', 'agent', NULL, '01a1f82f-2e20-7295-83a3-81924574e7e0', '1795165204000000', 'Noted: 漢字 🎉', NULL, NULL, '[]', NULL, '[]', NULL, '[]', '[]', NULL, 'agent', NULL, '1', '[0,0,-0.30151135,0,0.30151135,0,-0.30151135,-0.30151135,0.30151135,0,-0.6030227,0,0,-0.30151135,0.30151135,0]', '''kLggXyuQZtog'' ''kXl7oWa9PERw''', E'\\xc1a3065bfa6d12220100703f00b0cfcfba0a0100', '2');
INSERT INTO memories (seq, created_at, confidence_at, last_reinforced_at, reinforcement_count, believed_from, confidence, agent_id, embedder, state, kind, superseded_by, id, essence, lesson, emotions, importance, priority, scope, tags, topics, entities, origin, source_trust, pinned, version, updated_at, valid_from, valid_to, rev, vector, words, bag, length)
VALUES ('1', '1795165205000000', '1795165205000000', '1795165205000000', '1', '1795165208000000', '0.9', 'mama', 'hashing-for-tests-16/1', 'active', 'fact', NULL, '01a1f82f-3208-72a2-abad-866436a3c7f7', 'Anna lives in Lisbon', 'Ask before writing', NULL, NULL, 'normal', '[]', '["home"]', '[]', '[]', 'commit', 'principal', '0', '2', '1795165208000000', NULL, NULL, '4', '[0.2581989,0.2581989,0,0.5163978,-0.2581989,-0.36514837,0,0.2581989,-0.2581989,-0.2581989,0,0,0.2581989,0.2581989,-0.2581989,0]', '''k-ALakPXrYgA'' ''k2BR2a9fWA3A'' ''k37my6ZkJ40E'' ''kDCbh2NxTeYU'' ''kGMIapsSRvZI'' ''kMOaN_q9TjGA'' ''kMf4EZypOsb0'' ''kmiNF5HvTwro'' ''thLSJBC6oiLA''', E'\\xb0096d660c5c48340100c4cb73b542b1a5c4010008b2ee41f47a1f2101006d479f6d64bc3aef0100f864bef0a180659c0100d14b948f6f14c4630100', '6');
INSERT INTO memories (seq, created_at, confidence_at, last_reinforced_at, reinforcement_count, believed_from, confidence, agent_id, embedder, state, kind, superseded_by, id, essence, lesson, emotions, importance, priority, scope, tags, topics, entities, origin, source_trust, pinned, version, updated_at, valid_from, valid_to, rev, vector, words, bag, length)
VALUES ('1', '1795165216000000', '1795165216000000', '1795165216000000', '1', '1795165216000000', '0.9', 'papa', 'hashing-for-tests-16/1', 'active', 'fact', NULL, '01a1f82f-5d00-76a0-aae7-7f9c99390b39', 'Peter is allergic to peanuts', NULL, NULL, NULL, 'normal', '[]', '[]', '[]', '[]', 'commit', 'agent', '0', '1', '1795165216000000', NULL, NULL, '1', '[0,-0.17193294,0.17193294,0,-0.17193294,0.17193294,-0.41508284,0.34386587,0,-0.17193294,-0.17193294,-0.17193294,-0.17193294,0,0,-0.68773174]', '''kBAMuB-TDPFo'' ''kFMyTNMATDJM'' ''kLmM945itMWo'' ''kcc_yZOlO0c0'' ''korHPrOSnrLs''', E'\\x2a379035b600fca9010062a351958ff5df8401004504bb0d6b358d0b0100', '3');
INSERT INTO memory_versions (agent_id, memory_id, version, essence, lesson, believed_from, believed_to, valid_from, valid_to, rev, embedder, vector)
VALUES ('mama', '01a1f82f-3208-72a2-abad-866436a3c7f7', '1', 'Anna lives in Porto', NULL, '1795165205000000', '1795165208000000', NULL, NULL, '3', 'hashing-for-tests-16/1', '[0,0,0,0.23570226,-0.47140452,-0.23570226,0.23570226,0,-0.47140452,-0.47140452,0,-0.23570226,0,0,-0.23570226,-0.23570226]');
INSERT INTO memory_sources (agent_id, memory_id, episode_id)
VALUES ('mama', '01a1f82f-3208-72a2-abad-866436a3c7f7', '01a1f82f-2a38-737b-af06-12f01ccae9f8');
INSERT INTO memory_touches (agent_id, memory_id, touches, last_touched_at)
VALUES ('mama', '01a1f82f-3208-72a2-abad-866436a3c7f7', '1', '1795165215000000');
INSERT INTO audit (agent_id, id, at, actor, action, target, before, after, reason)
VALUES ('mama', '01a1f82f-2650-70bc-bfee-c1e6b1435758', '1795165202000000', 'tests', 'profile', 'mama', NULL, '{"id":"mama","time_zone":"Europe/Budapest","principals":["Anna"],"home":null,"location":null,"created_at":"2026-11-20T09:00:01+00:00"}', NULL);
INSERT INTO audit (agent_id, id, at, actor, action, target, before, after, reason)
VALUES ('mama', '01a1f82f-39d8-778d-9586-72adadbc07d2', '1795165207000000', 'tests', 'remember', '01a1f82f-3208-72a2-abad-866436a3c7f7', NULL, '{"essence":"Anna lives in Porto","emotions":null,"importance":null,"lesson":null,"kind":"fact","priority":"normal","confidence":0.9,"confidence_at":"2026-11-20T09:00:05+00:00","scope":[],"tags":["home"],"topics":[],"entities":[],"source_episodes":["01a1f82f-2a38-737b-af06-12f01ccae9f8"],"origin":"commit","source_trust":"principal","pinned":false,"state":"active","superseded_by":null,"reinforcement_count":1,"last_reinforced_at":"2026-11-20T09:00:05+00:00","version":1,"created_at":"2026-11-20T09:00:05+00:00","believed_from":"2026-11-20T09:00:05+00:00","valid_from":null,"valid_to":null,"near":[]}', NULL);
INSERT INTO audit (agent_id, id, at, actor, action, target, before, after, reason)
VALUES ('mama', '01a1f82f-3dc0-7035-82b5-65500d5918a4', '1795165208000000', 'tests', 'revise', '01a1f82f-3208-72a2-abad-866436a3c7f7', '{"essence":"Anna lives in Porto","lesson":null,"version":1,"believed_from":"2026-11-20T09:00:05+00:00"}', '{"essence":"Anna lives in Lisbon","lesson":"Ask before writing","version":2,"believed_from":"2026-11-20T09:00:08+00:00"}', NULL);
INSERT INTO audit (agent_id, id, at, actor, action, target, before, after, reason)
VALUES ('mama', '01a1f82f-4978-76af-81b9-5509df94f4e6', '1795165211000000', 'tests', 'remember', '01a1f82f-41a8-74c9-9e16-485762f58680', NULL, NULL, NULL);
INSERT INTO audit (agent_id, id, at, actor, action, target, before, after, reason)
VALUES ('mama', '01a1f82f-4d60-75a3-bc52-642ea1783b46', '1795165212000000', 'tests', 'forget', '01a1f82f-41a8-74c9-9e16-485762f58680', NULL, NULL, NULL);
INSERT INTO audit (agent_id, id, at, actor, action, target, before, after, reason)
VALUES ('papa', '01a1f82f-68b8-701b-a4e2-1ddd687ad4da', '1795165219000000', 'tests', 'remember', '01a1f82f-5d00-76a0-aae7-7f9c99390b39', NULL, '{"essence":"Peter is allergic to peanuts","emotions":null,"importance":null,"lesson":null,"kind":"fact","priority":"normal","confidence":0.9,"confidence_at":"2026-11-20T09:00:16+00:00","scope":[],"tags":[],"topics":[],"entities":[],"source_episodes":[],"origin":"commit","source_trust":"agent","pinned":false,"state":"active","superseded_by":null,"reinforcement_count":1,"last_reinforced_at":"2026-11-20T09:00:16+00:00","version":1,"created_at":"2026-11-20T09:00:16+00:00","believed_from":"2026-11-20T09:00:16+00:00","valid_from":null,"valid_to":null,"near":[]}', NULL);
INSERT INTO tombstones (agent_id, digest, at)
VALUES ('mama', E'\\x2e13984b425697edf400510bf7b59fad7e46a293708c556aaee660bda6ddaf34', '1795165212000000');
INSERT INTO deletions (agent_id, rev, corpus, id)
VALUES ('mama', '6', 'memories', '01a1f82f-41a8-74c9-9e16-485762f58680');
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
VALUES ('mama', '4811148e-679e-499d-ad95-fcc6fbcc0321', '2026-11-20 15:16:56.156972+00');
INSERT INTO writes (agent_id, key, at)
VALUES ('mama', '68a4b0fc-e77f-4dc7-86f6-d971c5dd3f81', '2026-11-20 15:16:56.14755+00');
INSERT INTO writes (agent_id, key, at)
VALUES ('mama', '6e5ad458-d019-4c16-9d92-e518fdf6b2e0', '2026-11-20 15:16:56.051173+00');
INSERT INTO writes (agent_id, key, at)
VALUES ('mama', 'a09cdf34-7c2f-4652-81de-848163d91255', '2026-11-20 15:16:56.126688+00');
INSERT INTO writes (agent_id, key, at)
VALUES ('mama', 'acd2ae94-b529-4f37-8ab1-ffbf6238d40f', '2026-11-20 15:16:56.041846+00');
INSERT INTO writes (agent_id, key, at)
VALUES ('mama', 'c7b56dca-0196-4b6b-add6-87ab91563cac', '2026-11-20 15:16:56.116775+00');
INSERT INTO writes (agent_id, key, at)
VALUES ('mama', 'd8f39c5d-7897-49c7-9ce9-fa4ffe10ab54', '2026-11-20 15:16:56.204553+00');
INSERT INTO writes (agent_id, key, at)
VALUES ('papa', '7f1ce3ea-0627-46dd-bdcb-3a625503f741', '2026-11-20 15:16:56.19545+00');
