// Written by tools/make_typescript_types.py; don't edit it by hand.
import type { Listing } from "./listing.js";
import type { Answer, Given, Item, Matching, Others, Request, Spec } from "./shapes.js";

/** The calls: where each goes, and what it takes by position. */
export const CALLS = {
  observe: { owner: "agent", verb: "observe", method: "POST", path: "/agents/{agent}/episodes", args: ["messages"], params: true, writes: true },
  episodes: { owner: "agent", verb: "episodes", method: "GET", path: "/agents/{agent}/episodes", args: [], params: true, lists: "after" },
  recall_episodes: { owner: "agent", verb: "recallEpisodes", method: "POST", path: "/agents/{agent}/episodes/recall", args: ["query"], params: true },
  get_episode: { method: "GET", path: "/agents/{agent}/episodes/{id}", args: ["id"] },
  forget_episode: { method: "DELETE", path: "/agents/{agent}/episodes/{id}", args: ["id"], writes: true },
  conversations: { owner: "agent", verb: "conversations", method: "GET", path: "/agents/{agent}/conversations", args: [], params: true, lists: "after" },
  remember: { owner: "agent", verb: "remember", method: "POST", path: "/agents/{agent}/memories", args: ["text"], params: true, writes: true },
  remember_many: { owner: "agent", verb: "rememberMany", method: "POST", path: "/agents/{agent}/memories/batch", args: ["memories"], params: true, writes: true, lists: true },
  memories: { owner: "agent", verb: "memories", method: "GET", path: "/agents/{agent}/memories", args: [], params: true, lists: "after" },
  recall: { owner: "agent", verb: "recall", method: "POST", path: "/agents/{agent}/memories/recall", args: ["query"], params: true },
  scoped: { owner: "agent", verb: "scoped", method: "GET", path: "/agents/{agent}/memories/scoped", args: ["path"], params: true, lists: true },
  get_memory: { method: "GET", path: "/agents/{agent}/memories/{id}", args: ["id"] },
  revise: { owner: "agent", verb: "revise", method: "PATCH", path: "/agents/{agent}/memories/{id}", args: ["id"], params: true, writes: true },
  forget_memory: { method: "DELETE", path: "/agents/{agent}/memories/{id}", args: ["id"], writes: true },
  portrait: { owner: "agent", verb: "portrait", method: "GET", path: "/agents/{agent}/memories/{id}/portrait", args: ["id"] },
  adopt: { owner: "agent", verb: "adopt", method: "POST", path: "/agents/{agent}/memories/{id}/adopt", args: ["id"], params: true, writes: true, value: true },
  approve: { owner: "agent", verb: "approve", method: "POST", path: "/agents/{agent}/memories/{id}/approve", args: ["id"], params: true, writes: true },
  forget: { method: "POST", path: "/agents/{agent}/forget", args: [], params: true, writes: true },
  context: { owner: "agent", verb: "context", method: "POST", path: "/agents/{agent}/context", args: ["task"], params: true },
  window: { owner: "agent", verb: "window", method: "POST", path: "/agents/{agent}/window", args: ["messages"], params: true, writes: true },
  due: { owner: "agent", verb: "due", method: "GET", path: "/agents/{agent}/due", args: ["until"], lists: true },
  stats: { owner: "agent", verb: "stats", method: "GET", path: "/agents/{agent}/stats", args: [] },
  audit: { owner: "agent", verb: "audit", method: "GET", path: "/agents/{agent}/audit", args: [], params: true, lists: "after" },
  set_profile: { owner: "agent", verb: "setProfile", method: "PATCH", path: "/agents/{agent}/profile", args: [], params: true, writes: true },
  attend: { owner: "agent", verb: "attend", method: "POST", path: "/agents/{agent}/attend", args: [], params: true, writes: true },
  sleep: { owner: "agent", verb: "sleep", method: "POST", path: "/agents/{agent}/sleep", args: [], params: true, writes: true },
  housekeeping: { owner: "agent", verb: "housekeeping", method: "POST", path: "/agents/{agent}/housekeeping", args: [], writes: true },
  self_care: { owner: "agent", verb: "selfCare", method: "POST", path: "/agents/{agent}/self-care", args: [], params: true, writes: true },
  jobs_sleeps: { owner: "jobs", verb: "sleeps", method: "GET", path: "/agents/{agent}/sleeps", args: [], params: true, lists: "before" },
  jobs_diff: { owner: "jobs", verb: "diff", method: "GET", path: "/agents/{agent}/sleeps/{sleep_id}", args: ["sleep_id"] },
  revert: { owner: "agent", verb: "revert", method: "POST", path: "/agents/{agent}/sleeps/{sleep_id}/revert", args: ["sleep_id"], params: true, writes: true },
  goals_list: { owner: "goals", verb: "list", method: "GET", path: "/agents/{agent}/goals", args: [], params: true, lists: true },
  goals_add: { owner: "goals", verb: "add", method: "POST", path: "/agents/{agent}/goals", args: ["text"], params: true, writes: true },
  goals_complete: { owner: "goals", verb: "complete", method: "POST", path: "/agents/{agent}/goals/{id}/complete", args: ["id"], params: true, writes: true },
  goals_postpone: { owner: "goals", verb: "postpone", method: "POST", path: "/agents/{agent}/goals/{id}/postpone", args: ["id", "due"], writes: true },
  goals_reopen: { owner: "goals", verb: "reopen", method: "POST", path: "/agents/{agent}/goals/{id}/reopen", args: ["id"], writes: true },
  diary_pages: { owner: "diary", verb: "pages", method: "GET", path: "/agents/{agent}/diary", args: [], params: true, lists: true },
  diary_search: { owner: "diary", verb: "search", method: "GET", path: "/agents/{agent}/diary/search", args: ["keywords"], params: true, lists: true },
  diary_month: { owner: "diary", verb: "month", method: "GET", path: "/agents/{agent}/diary/months/{month}", args: ["month"] },
  diary_page: { owner: "diary", verb: "page", method: "GET", path: "/agents/{agent}/diary/{date}", args: ["date"] },
  diary_write: { owner: "diary", verb: "write", method: "PUT", path: "/agents/{agent}/diary/{date}", args: ["body"], params: true, writes: true },
  diary_remove: { owner: "diary", verb: "remove", method: "DELETE", path: "/agents/{agent}/diary/{date}", args: ["date"], writes: true },
  procedures_list: { owner: "procedures", verb: "list", method: "GET", path: "/agents/{agent}/procedures", args: [], lists: true },
  procedures_get: { owner: "procedures", verb: "get", method: "GET", path: "/agents/{agent}/procedures/{name}", args: ["name"] },
  procedures_record: { owner: "procedures", verb: "record", method: "PUT", path: "/agents/{agent}/procedures/{name}", args: ["name", "steps"], params: true, writes: true },
  relationships_list: { owner: "relationships", verb: "list", method: "GET", path: "/agents/{agent}/relationships", args: [], params: true, lists: true },
  relationships_get: { owner: "relationships", verb: "get", method: "GET", path: "/agents/{agent}/relationships/{other}", args: ["other"], params: true },
  relationships_assign: { owner: "relationships", verb: "assign", method: "PUT", path: "/agents/{agent}/relationships/{other}", args: ["other", "type", "trust"], params: true, writes: true },
  relationships_remove: { owner: "relationships", verb: "remove", method: "DELETE", path: "/agents/{agent}/relationships/{other}", args: ["other"], writes: true },
  relationships_history: { owner: "relationships", verb: "history", method: "GET", path: "/agents/{agent}/relationship-history", args: ["other"], lists: true },
  relationships_graph: { owner: "relationships", verb: "graph", method: "GET", path: "/agents/{agent}/relationship-graph", args: [], params: true },
  soul_list: { owner: "soul", verb: "list", method: "GET", path: "/agents/{agent}/soul", args: [], lists: true },
  soul_add: { owner: "soul", verb: "add", method: "POST", path: "/agents/{agent}/soul", args: ["text"], params: true, writes: true },
  soul_remove: { owner: "soul", verb: "remove", method: "DELETE", path: "/agents/{agent}/soul/{id}", args: ["id"], writes: true },
  soul_portrait: { owner: "soul", verb: "portrait", method: "GET", path: "/agents/{agent}/portrait", args: [], value: true },
  soul_refresh: { owner: "soul", verb: "refresh", method: "POST", path: "/agents/{agent}/portrait", args: [], writes: true, lists: true },
  items_put: { owner: "items", verb: "put", method: "PUT", path: "/agents/{agent}/items", args: ["namespace", "key", "value"], params: true, writes: true },
  items_get: { owner: "items", verb: "get", method: "GET", path: "/agents/{agent}/items", args: ["namespace", "key"], params: true },
  items_delete: { owner: "items", verb: "delete", method: "DELETE", path: "/agents/{agent}/items", args: ["namespace", "key"], writes: true, value: true },
  items_write: { owner: "items", verb: "write", method: "POST", path: "/agents/{agent}/items/batch", args: ["changes"], writes: true, lists: true },
  items_search: { owner: "items", verb: "search", method: "POST", path: "/agents/{agent}/items/search", args: ["prefix", "query", "filter"], params: true, lists: "offset" },
  items_namespaces: { owner: "items", verb: "namespaces", method: "GET", path: "/agents/{agent}/items/namespaces", args: [], params: true, lists: "offset" },
  society_rooms: { owner: "society", verb: "rooms", method: "GET", path: "/agents/{agent}/rooms", args: [], params: true, lists: "after" },
  society_history: { owner: "society", verb: "history", method: "GET", path: "/agents/{agent}/society", args: [], params: true, lists: true },
  link_list: { owner: "link", verb: "list", method: "GET", path: "/agents/{agent}/links", args: [], params: true, lists: "before" },
  link_request: { owner: "link", verb: "request", method: "POST", path: "/agents/{agent}/links", args: ["to"], params: true, writes: true },
  link_pending: { owner: "link", verb: "pending", method: "GET", path: "/agents/{agent}/links/pending", args: [], lists: true },
  link_get: { owner: "link", verb: "get", method: "GET", path: "/agents/{agent}/links/{id}", args: ["id"] },
  link_items: { owner: "link", verb: "items", method: "GET", path: "/agents/{agent}/links/{id}/items", args: ["id"], params: true, lists: "after" },
  link_standing: { owner: "link", verb: "standing", method: "GET", path: "/agents/{agent}/links/{id}/standing", args: ["id"], lists: true },
  link_accept: { owner: "link", verb: "accept", method: "POST", path: "/agents/{agent}/links/{id}/accept", args: ["id"], params: true, writes: true },
  link_decline: { owner: "link", verb: "decline", method: "POST", path: "/agents/{agent}/links/{id}/decline", args: ["id"], writes: true },
  link_revoke: { owner: "link", verb: "revoke", method: "POST", path: "/agents/{agent}/links/{id}/revoke", args: ["id"], writes: true },
  link_blocked: { owner: "link", verb: "blocked", method: "GET", path: "/agents/{agent}/blocks", args: [], lists: true },
  link_block: { owner: "link", verb: "block", method: "PUT", path: "/agents/{agent}/blocks/{other}", args: ["other"], writes: true },
  link_unblock: { owner: "link", verb: "unblock", method: "DELETE", path: "/agents/{agent}/blocks/{other}", args: ["other"], writes: true, value: true },
  summaries_list: { owner: "summaries", verb: "list", method: "GET", path: "/agents/{agent}/summaries", args: [], params: true, lists: "after" },
  summaries_expand: { owner: "summaries", verb: "expand", method: "GET", path: "/agents/{agent}/summaries/{summary_id}", args: ["summary_id"] },
  jobs_pause: { owner: "jobs", verb: "pause", method: "POST", path: "/agents/{agent}/jobs/pause", args: [], writes: true },
  jobs_resume: { owner: "jobs", verb: "resume", method: "POST", path: "/agents/{agent}/jobs/resume", args: [], writes: true },
  jobs_sleep_through: { owner: "jobs", verb: "sleepThrough", method: "POST", path: "/agents/{agent}/jobs/sleep-through", args: [], writes: true, lists: true },
  jobs_sources: { owner: "jobs", verb: "sources", method: "POST", path: "/agents/{agent}/jobs/sources", args: ["ids"], lists: true },
  jobs_retry: { owner: "jobs", verb: "retry", method: "POST", path: "/agents/{agent}/jobs/retry", args: [], writes: true, value: true },
  jobs_flush: { owner: "jobs", verb: "flush", method: "POST", path: "/agents/{agent}/jobs/flush", args: [], writes: true },
  jobs_reembed: { owner: "jobs", verb: "reembed", method: "POST", path: "/agents/{agent}/jobs/reembed", args: [], writes: true },
  jobs_backfill: { owner: "jobs", verb: "backfill", method: "POST", path: "/agents/{agent}/jobs/backfill", args: [], writes: true },
  host_night: { owner: "host", verb: "night", method: "POST", path: "/agents/{agent}/night", args: [], params: true, writes: true },
  host_apply_night: { owner: "host", verb: "applyNight", method: "POST", path: "/agents/{agent}/night/apply", args: ["id", "answer"], writes: true },
  host_extraction: { owner: "host", verb: "extraction", method: "POST", path: "/agents/{agent}/extraction", args: ["conversation"], writes: true },
  host_apply_extraction: { owner: "host", verb: "applyExtraction", method: "POST", path: "/agents/{agent}/extraction/apply", args: ["id", "answer"], writes: true },
  import_bank: { owner: "agent", verb: "importBank", method: "POST", path: "/agents/{agent}/import", args: ["lines"], params: true, writes: true },
  import_from: { owner: "agent", verb: "importFrom", method: "POST", path: "/agents/{agent}/import-from", args: ["source"], params: true, writes: true },
  bank_info: { owner: "bank", verb: "info", method: "GET", path: "", args: [] },
  bank_agents: { owner: "bank", verb: "agents", method: "GET", path: "/agents", args: [], lists: true },
  bank_relationship_graph: { owner: "bank", verb: "relationshipGraph", method: "GET", path: "/relationship-graph", args: ["agents"], params: true },
  bank_attend: { owner: "bank", verb: "attend", method: "POST", path: "/attend", args: ["agent_id"], params: true, writes: true },
  bank_sleep: { owner: "bank", verb: "sleep", method: "POST", path: "/sleep", args: ["agent_id"], writes: true },
  bank_housekeeping: { owner: "bank", verb: "housekeeping", method: "POST", path: "/housekeeping", args: ["agent_id"], writes: true },
  bank_flush: { owner: "bank", verb: "flush", method: "POST", path: "/flush", args: ["agent_id"], writes: true },
  bank_reembed: { owner: "bank", verb: "reembed", method: "POST", path: "/reembed", args: [], params: true, writes: true, lists: true },
  bank_check_model: { owner: "bank", verb: "checkModel", method: "POST", path: "/check-model", args: [], writes: true },
} as const satisfies Record<string, Spec>;

export interface AgentVerbs {
  /** Store what was said, at the end of a conversation. */
  observe(messages: Given<"observe">["messages"], params?: Others<"observe", "messages">, request?: Request): Promise<Answer<"observe">>;
  /** Return episodes in the order of time, a page at a time. `match`: keywords that must all be there. */
  episodes(params?: Others<"episodes", never>, request?: Request): Listing<Item<"episodes">>;
  /**
   * Return the messages that answer, best first. Hits carry your own `ref`. The parameters are those of
   * `recall`.
   */
  recallEpisodes(query?: Given<"recall_episodes">["query"], params?: Others<"recall_episodes", "query">, request?: Request): Promise<Answer<"recall_episodes">>;
  /** Return conversations in the order of their ids, a page at a time. */
  conversations(params?: Others<"conversations", never>, request?: Request): Listing<Item<"conversations">>;
  /** Keep one insight, or reinforce the memory that says the same. */
  remember(text: Given<"remember">["text"], params?: Others<"remember", "text">, request?: Request): Promise<Answer<"remember">>;
  /** `remember` many at full embedding speed, and return the outcomes in the order given. */
  rememberMany(memories: Given<"remember_many">["memories"], params?: Others<"remember_many", "memories">, request?: Request): Promise<Answer<"remember_many">>;
  /**
   * Return memories in the order of storing or its reverse, a page at a time. `after`: the last id of the
   * page before.
   */
  memories(params?: Others<"memories", never>, request?: Request): Listing<Item<"memories">>;
  /** Return the memories that answer, best first, each with the terms of its score. */
  recall(query?: Given<"recall">["query"], params?: Others<"recall", "query">, request?: Request): Promise<Answer<"recall">>;
  /**
   * Return memories that concern a file: first those whose scope globs cover it, the most specific first,
   * then those that name it. Nothing is looked up on disk. Raises InvalidInput.
   */
  scoped(path: Given<"scoped">["path"], params?: Others<"scoped", "path">, request?: Request): Promise<Answer<"scoped">>;
  /** Give a memory new values under its old id. None leaves a field as it is; `clear` names fields to empty. */
  revise(id: Given<"revise">["id"], params?: Others<"revise", "id">, request?: Request & Matching): Promise<Answer<"revise">>;
  /** Return a memory with everything that belongs to it, and how it stands now. Raises NotFound. */
  portrait(id: Given<"portrait">["id"], request?: Request): Promise<Answer<"portrait">>;
  /**
   * Trust a memory, or all that came by a neural link, as a principal's word. From then on they may instruct
   * the agent, and their wording waits for no approval. Return 1 for a memory, and for a link how many
   * changed.
   */
  adopt(id: Given<"adopt">["id"], params?: Others<"adopt", "id">, request?: Request): Promise<Answer<"adopt">>;
  /** Approve a memory's wording that waits for it (`memories(review=True)`). Nothing else changes. */
  approve(id: Given<"approve">["id"], params?: Others<"approve", "id">, request?: Request): Promise<Answer<"approve">>;
  /**
   * Return what should stand in the prompt before this task: who the agent is, standing rules, what bears on
   * the task, and workflows that fit.
   */
  context(task?: Given<"context">["task"], params?: Others<"context", "task">, request?: Request): Promise<Answer<"context">>;
  /**
   * Return a whole turn's context: system prompt and soul, relevant memories, a summary of older messages,
   * recent messages in full, goals and jobs, and what happened in the last 24 hours.
   */
  window(messages: Given<"window">["messages"], params: Others<"window", "messages">, request?: Request): Promise<Answer<"window">>;
  /**
   * Return the open goals that fall due before `until` (None: whenever), soonest first; what is overdue comes
   * first. `goals.complete` closes one, `goals.postpone` moves it. Raises InvalidInput.
   */
  due(until?: Given<"due">["until"], request?: Request): Promise<Answer<"due">>;
  /** Return the bank in numbers. */
  stats(request?: Request): Promise<Answer<"stats">>;
  /**
   * Return who changed what and when, with before and after, in the order of time or its reverse, a page at a
   * time.
   */
  audit(params?: Others<"audit", never>, request?: Request): Listing<Item<"audit">>;
  /**
   * Change what you give and leave the rest (None). `home` or `location` "" takes it away. Raises
   * InvalidInput.
   */
  setProfile(params?: Others<"set_profile", never>, request?: Request): Promise<Answer<"set_profile">>;
  /**
   * Run one round of the memory loop: read what is new in the agent's conversations, or in this one, and keep
   * what is worth it. A `Worker` does it in the background. Raises EmbedderMismatch.
   */
  attend(params?: Others<"attend", never>, request?: Request): Promise<Answer<"attend">>;
  /**
   * Make knowledge of the next `Settings.sleep.batch` episodes that no sleep has read: the mind proposes
   * changes, each is checked against its episodes, and what stands is applied in one transaction.
   */
  sleep(params?: Others<"sleep", never>, request?: Request): Promise<Answer<"sleep">>;
  /**
   * Merge duplicates, archive what is stale, and make memories of what recurs. Audited. Run it weekly;
   * running it twice is running it once.
   */
  housekeeping(request?: Request): Promise<Answer<"housekeeping">>;
  /**
   * Relieve the agent of detail: summarize batches of observations, and close conversations that are over
   * under summaries. Nothing is lost: `summaries.expand` shows what a summary stands for, deep recall finds
   * it, and `revert` undoes all of it.
   */
  selfCare(params?: Others<"self_care", never>, request?: Request): Promise<Answer<"self_care">>;
  /**
   * Undo one sleep exactly: what it learned goes, what it changed is as it was, and its episodes will be
   * slept on again. Of a self-care, by its report's id: its summaries go, and what they stand for is active,
   * or live, again. What was forgotten since is never brought back.
   */
  revert(sleepId: Given<"revert">["sleep_id"], params?: Others<"revert", "sleep_id">, request?: Request): Promise<Answer<"revert">>;
  /**
   * Bring an export into this bank, all of it or nothing (docs/export.md). An agent that has never written
   * becomes the exported one.
   */
  importBank(lines: Given<"import_bank">["lines"], params?: Others<"import_bank", "lines">, request?: Request): Promise<Answer<"import_bank">>;
  /**
   * Bring in what other programs wrote down: exports of ChatGPT, Claude and WhatsApp, transcripts of Claude
   * Code and Codex, memories of mem0, Letta, Zep, LangGraph and MCP's memory server, Markdown notes
   * (docs/importing.md).
   */
  importFrom(source: Given<"import_from">["source"], params?: Others<"import_from", "source">, request?: Request): Promise<Answer<"import_from">>;
}

export interface Jobs {
  /**
   * Return past sleeps, newest first, a page at a time. `before`: the last id of the page before. Raises
   * InvalidInput, NotFound (`before`).
   */
  sleeps(params?: Others<"jobs_sleeps", never>, request?: Request): Listing<Item<"jobs_sleeps">>;
  /**
   * Return what one sleep changed, with before and after and the episodes that it rests on. Raises NotFound,
   * InvalidInput (it is a self-care's: `summaries` tells what that made, `audit(job=…)` the rest).
   */
  diff(sleepId: Given<"jobs_diff">["sleep_id"], request?: Request): Promise<Answer<"jobs_diff">>;
  /**
   * Stop sleep, housekeeping, self-care, extraction and capture until `resume`. What you tell the agent is
   * kept as it is, and recall goes on. A pause survives restarts.
   */
  pause(request?: Request): Promise<Answer<"jobs_pause">>;
  /** Lift a pause. The next sleep and round of the memory loop read what was told meanwhile. */
  resume(request?: Request): Promise<Answer<"jobs_resume">>;
  /**
   * Sleep until no episode is left to read, and return a report for each `sleep`. Raises as that does; what
   * was done so far stays done.
   */
  sleepThrough(request?: Request): Promise<Answer<"jobs_sleep_through">>;
  /**
   * Return those of these episodes that are there, in the order given: what a change rests on. Raises
   * InvalidInput.
   */
  sources(ids: Given<"jobs_sources">["ids"], request?: Request): Promise<Answer<"jobs_sources">>;
  /**
   * Let jobs that failed and were parked (`stats().jobs`, `stats().parked`) be tried again at the next
   * chance, and return how many there were.
   */
  retry(request?: Request): Promise<Answer<"jobs_retry">>;
  /**
   * Store what waits since the embedder failed (`stats().queued`), as the next write and a `Worker` do by
   * themselves. Raises EmbedderMismatch.
   */
  flush(request?: Request): Promise<Answer<"jobs_flush">>;
  /**
   * Move the bank to this Reverie's embedder: open it with the new one (`Reverie.open(embedder=…)`), then
   * call this. If it was interrupted, call it again, and it goes on.
   */
  reembed(request?: Request): Promise<Answer<"jobs_reembed">>;
  /**
   * Judge emotions, lesson and importance of all memories that lack one: those stored before there was a
   * classifier or a mind, imported, or cleared. It works in batches, each a transaction. If it was
   * interrupted, call it again, and it goes on.
   */
  backfill(request?: Request): Promise<Answer<"jobs_backfill">>;
}

export interface Goals {
  /** Return open goals, or with `achieved` those that were reached. */
  list(params?: Others<"goals_list", never>, request?: Request): Promise<Answer<"goals_list">>;
  /**
   * Keep a goal. `due`: when it falls due; a date without a time is due at 23:59 of that day in the agent's
   * zone, words such as "tomorrow at nine" are read as in messages (docs/due.md), and None leaves it as it
   * is. The other parameters are those of `Agent.remember`. Raises what that does.
   */
  add(text: Given<"goals_add">["text"], params?: Others<"goals_add", "text">, request?: Request): Promise<Answer<"goals_add">>;
  /** Mark a goal as achieved; a second call changes nothing. Raises NotFound, InvalidInput (no goal). */
  complete(id: Given<"goals_complete">["id"], params?: Others<"goals_complete", "id">, request?: Request): Promise<Answer<"goals_complete">>;
  /** Let a goal fall due at another time, as `add` takes it; None: at none. Raises NotFound, InvalidInput. */
  postpone(id: Given<"goals_postpone">["id"], due: Given<"goals_postpone">["due"], request?: Request): Promise<Answer<"goals_postpone">>;
  /** Open a goal again. Raises NotFound, InvalidInput (no goal). */
  reopen(id: Given<"goals_reopen">["id"], request?: Request): Promise<Answer<"goals_reopen">>;
}

export interface Diary {
  /** Return pages from `since` (inclusive) to `until` (exclusive), in order of date. Raises InvalidInput. */
  pages(params?: Others<"diary_pages", never>, request?: Request): Promise<Answer<"diary_pages">>;
  /**
   * Return the pages that hold every keyword (stemmed; in body, mood or location), newest first. Raises
   * InvalidInput.
   */
  search(keywords: Given<"diary_search">["keywords"], params?: Others<"diary_search", "keywords">, request?: Request): Promise<Answer<"diary_search">>;
  /** Return the overview of a month (YYYY-MM; None or "today": this one). Raises InvalidInput. */
  month(month: Given<"diary_month">["month"], request?: Request): Promise<Answer<"diary_month">>;
  /** Return the page of a date (None or "today": today's). Raises NotFound, InvalidInput. */
  page(date: Given<"diary_page">["date"], request?: Request): Promise<Answer<"diary_page">>;
  /**
   * Write on the page of a date (None or "today": today's in the agent's zone), after what stands there
   * already.
   */
  write(body: Given<"diary_write">["body"], params: Others<"diary_write", "body">, request?: Request): Promise<Answer<"diary_write">>;
  /** Remove a page for good, as `forget` would, and return it. Raises NotFound, InvalidInput. */
  remove(date: Given<"diary_remove">["date"], request?: Request): Promise<Answer<"diary_remove">>;
}

export interface Procedures {
  /** Return all procedures, in order of name. */
  list(request?: Request): Promise<Answer<"procedures_list">>;
  /** Return the procedure of that name, in any case. Raises NotFound, InvalidInput. */
  get(name: Given<"procedures_get">["name"], request?: Request): Promise<Answer<"procedures_get">>;
  /** Keep a named workflow, or how it went. */
  record(name: Given<"procedures_record">["name"], steps?: Given<"procedures_record">["steps"], params?: Others<"procedures_record", "name" | "steps">, request?: Request): Promise<Answer<"procedures_record">>;
}

export interface Relationships {
  /** Return everyone it has assigned something to or has spoken with, in order of name. Raises InvalidInput. */
  list(params?: Others<"relationships_list", never>, request?: Request): Promise<Answer<"relationships_list">>;
  /** Return how it sees `other`, in any case of the name, or saw it then. Raises NotFound, InvalidInput. */
  get(other: Given<"relationships_get">["other"], params?: Others<"relationships_get", "other">, request?: Request): Promise<Answer<"relationships_get">>;
  /** Set how the agent sees `other` from now on, and keep what you don't give (None). */
  assign(other: Given<"relationships_assign">["other"], type?: Given<"relationships_assign">["type"], trust?: Given<"relationships_assign">["trust"], params?: Others<"relationships_assign", "other" | "type" | "trust">, request?: Request): Promise<Answer<"relationships_assign">>;
  /**
   * Forget what was assigned to `other`, with its history, and return the last of it. What conversations tell
   * of the two stays. Raises NotFound, InvalidInput.
   */
  remove(other: Given<"relationships_remove">["other"], request?: Request): Promise<Answer<"relationships_remove">>;
  /** Return every view of one other, or of all, oldest first: when and why it changed. Raises InvalidInput. */
  history(other?: Given<"relationships_history">["other"], request?: Request): Promise<Answer<"relationships_history">>;
  /** Return the agent and its others as a graph: edges for networkx, GraphML, JSON. Raises InvalidInput. */
  graph(params?: Others<"relationships_graph", never>, request?: Request): Promise<Answer<"relationships_graph">>;
}

export interface Soul {
  /** Return all entries, oldest first. */
  list(request?: Request): Promise<Answer<"soul_list">>;
  /**
   * Add an entry. `override` allows a text that was forgotten. Raises InvalidInput (also for an entry that is
   * there), Forgotten.
   */
  add(text: Given<"soul_add">["text"], params?: Others<"soul_add", "text">, request?: Request): Promise<Answer<"soul_add">>;
  /** Remove an entry and return it. Raises NotFound. */
  remove(id: Given<"soul_remove">["id"], request?: Request): Promise<Answer<"soul_remove">>;
  /**
   * Return the self-portrait (soul.md) as Markdown: the entries verbatim, then a section for each kind of
   * what is known for sure, at most `Settings.soul.tokens` tokens.
   */
  portrait(request?: Request): Promise<Answer<"soul_portrait">>;
  /**
   * Write the self-portrait anew, as each sleep does, and the file where `Settings.soul.file` is set. Return
   * notes for its reader, such as that a section you changed by hand stands below it now.
   */
  refresh(request?: Request): Promise<Answer<"soul_refresh">>;
}

export interface Items {
  /** Put a JSON object under a key, in place of what stood there. */
  put(namespace: Given<"items_put">["namespace"], key: Given<"items_put">["key"], value: Given<"items_put">["value"], params?: Others<"items_put", "namespace" | "key" | "value">, request?: Request): Promise<Answer<"items_put">>;
  /**
   * Return the item of a key, or None. `refresh`: an item with a `ttl` lives on for it from now. Raises
   * InvalidInput.
   */
  get(namespace: Given<"items_get">["namespace"], key: Given<"items_get">["key"], params?: Others<"items_get", "namespace" | "key">, request?: Request): Promise<Answer<"items_get">>;
  /** Delete what stands under a key, and return whether something did. Raises InvalidInput. */
  delete(namespace: Given<"items_delete">["namespace"], key: Given<"items_delete">["key"], request?: Request): Promise<Answer<"items_delete">>;
  /**
   * Make several changes, all or none, in their order. Return for each the item as it is stored; for a
   * deletion the item as it was, or None. Raises InvalidInput.
   */
  write(changes: Given<"items_write">["changes"], request?: Request): Promise<Answer<"items_write">>;
  /** Return items whose namespace begins with `prefix`, in the order in which their keys were first put. */
  search(prefix?: Given<"items_search">["prefix"], query?: Given<"items_search">["query"], filter?: Given<"items_search">["filter"], params?: Others<"items_search", "prefix" | "query" | "filter">, request?: Request): Listing<Item<"items_search">>;
  /**
   * Return the namespaces that hold something, sorted. In `prefix` and `suffix` "*" is any label; `max_depth`
   * cuts longer ones. Raises InvalidInput.
   */
  namespaces(params?: Others<"items_namespaces", never>, request?: Request): Listing<Item<"items_namespaces">>;
}

export interface Society {
  /**
   * Return its conversations with their participants, and how many messages of each are live and closed, in
   * the order of their ids, or with `newest_first` the latest first, a page at a time. `after`: the last id
   * of the page before.
   */
  rooms(params?: Others<"society_rooms", never>, request?: Request): Listing<Item<"society_rooms">>;
  /**
   * Return what was said in conversations in which one of `with_` has spoken (None: in all), live and closed,
   * in the order of time. Raises InvalidInput.
   */
  history(params?: Others<"society_history", never>, request?: Request): Promise<Answer<"society_history">>;
}

export interface Link {
  /** Return all links of this agent, asked and received, newest first, a page at a time. Raises InvalidInput. */
  list(params?: Others<"link_list", never>, request?: Request): Listing<Item<"link_list">>;
  /** Ask the agent `to` for its memory; it has two minutes to accept. `message`: why, in a few words. */
  request(to: Given<"link_request">["to"], params?: Others<"link_request", "to">, request?: Request): Promise<Answer<"link_request">>;
  /** Return the requests that this agent can accept now, oldest first. */
  pending(request?: Request): Promise<Answer<"link_pending">>;
  /** Return one link as it stands now. Raises NotFound, InvalidInput. */
  get(id: Given<"link_get">["id"], request?: Request): Promise<Answer<"link_get">>;
  /**
   * Return the memories that came by a link and are still here, of every state, in order of id, a page at a
   * time. `after`: the last id of the page before. What the agent had itself already isn't among them. Raises
   * NotFound, LinkRefused (it is the other that received something), InvalidInput.
   */
  items(id: Given<"link_items">["id"], params?: Others<"link_items", "id">, request?: Request): Listing<Item<"link_items">>;
  /**
   * Return what came by a link and will stand in every context block once you adopt it (`agent.adopt(id)`):
   * policies and preferences, oldest first. Look at them before. Raises NotFound, LinkRefused (nothing came
   * by it).
   */
  standing(id: Given<"link_standing">["id"], request?: Request): Promise<Answer<"link_standing">>;
  /**
   * Share this agent's bank with the agent that asked: messages, memories of every state with their history,
   * procedures, summaries and connections are copied, in one transaction; nothing leaves here. `counts` of
   * the result tell how many.
   */
  accept(id: Given<"link_accept">["id"], params?: Others<"link_accept", "id">, request?: Request): Promise<Answer<"link_accept">>;
  /** Decline a request. Raises NotFound, LinkRefused. */
  decline(id: Given<"link_decline">["id"], request?: Request): Promise<Answer<"link_decline">>;
  /**
   * Take back what was shared, from either end: everything that came by the link goes, adopted or not. What
   * the receiver knew already, and what it learned since, stays. Raises NotFound, LinkRefused.
   */
  revoke(id: Given<"link_revoke">["id"], request?: Request): Promise<Answer<"link_revoke">>;
  /** Return the ids of agents whose requests are refused, in order. */
  blocked(request?: Request): Promise<Answer<"link_blocked">>;
  /** Refuse requests from that agent from now on, and decline one that is pending. Raises InvalidInput. */
  block(other: Given<"link_block">["other"], request?: Request): Promise<Answer<"link_block">>;
  /** Take requests from that agent again, and return whether they were refused. Raises InvalidInput. */
  unblock(other: Given<"link_unblock">["other"], request?: Request): Promise<Answer<"link_unblock">>;
}

export interface Summaries {
  /**
   * Return the summaries in the order of making, a page at a time. `after`: the last memory id of the page
   * before. Raises InvalidInput.
   */
  list(params?: Others<"summaries_list", never>, request?: Request): Listing<Item<"summaries_list">>;
  /** Return the memories or messages that a summary stands for, in the order of time. Nothing is changed. */
  expand(summaryId: Given<"summaries_expand">["summary_id"], request?: Request): Promise<Answer<"summaries_expand">>;
}

export interface Host {
  /** Return the next night as a question to the model; None where no episode waits. */
  night(params?: Others<"host_night", never>, request?: Request): Promise<Answer<"host_night">>;
  /**
   * Apply the model's answer to a night: each change is checked, and what stands is applied in one
   * transaction, as `sleep` does; `revert` undoes it.
   */
  applyNight(id: Given<"host_apply_night">["id"], answer: Given<"host_apply_night">["answer"], request?: Request): Promise<Answer<"host_apply_night">>;
  /**
   * Return the next snippet that no round of the memory loop has read, of all conversations or of this one,
   * as a question to the model; None where there is none. Nothing is stored meanwhile. Raises Paused,
   * InvalidInput.
   */
  extraction(conversation?: Given<"host_extraction">["conversation"], request?: Request): Promise<Answer<"host_extraction">>;
  /**
   * Keep what the model found in a snippet, as `attend` does; the snippet counts as read then. An answer that
   * comes late or twice changes nothing (NotOpen). Raises InvalidInput, Paused.
   */
  applyExtraction(id: Given<"host_apply_extraction">["id"], answer: Given<"host_apply_extraction">["answer"], request?: Request): Promise<Answer<"host_apply_extraction">>;
}

export interface BankVerbs {
  /** Return where the banks lie, whether they are encrypted, and how large they are. */
  info(request?: Request): Promise<Answer<"bank_info">>;
  /** Return the ids of all agents that have written, sorted. */
  agents(request?: Request): Promise<Answer<"bank_agents">>;
  /** Return how these agents (None: all) see each other and everyone else, as one graph. Raises InvalidInput. */
  relationshipGraph(agents?: Given<"bank_relationship_graph">["agents"], params?: Others<"bank_relationship_graph", "agents">, request?: Request): Promise<Answer<"bank_relationship_graph">>;
  /** Run one round of the memory loop: read what is new in conversations, and keep what is worth it. */
  attend(agentId?: Given<"bank_attend">["agent_id"], params?: Others<"bank_attend", "agent_id">, request?: Request): Promise<Answer<"bank_attend">>;
  /** Sleep for that agent, or for all, where it is due (`SleepSettings`), and return the reports by agent. */
  sleep(agentId?: Given<"bank_sleep">["agent_id"], request?: Request): Promise<Answer<"bank_sleep">>;
  /** Run the week's housekeeping of that agent, or of all, where it is due, and return the reports by agent. */
  housekeeping(agentId?: Given<"bank_housekeeping">["agent_id"], request?: Request): Promise<Answer<"bank_housekeeping">>;
  /**
   * Store what waits of that agent, or of all, since an embedder failed (`Jobs.flush`). A `Worker` calls it
   * in the background.
   */
  flush(agentId?: Given<"bank_flush">["agent_id"], request?: Request): Promise<Answer<"bank_flush">>;
  /**
   * Move the banks of these agents, or of all, to this Reverie's embedder, one after the other
   * (`Jobs.reembed`). `stop`: end early once that is set; the next call goes on.
   */
  reembed(params?: Others<"bank_reembed", never>, request?: Request): Promise<Answer<"bank_reembed">>;
  /**
   * Ask the language model of the settings one tiny question, and return what works, what it cost, and what a
   * night would send it. Nothing of a bank is sent. Raises InvalidInput (no model is configured), CapReached.
   */
  checkModel(request?: Request): Promise<Answer<"bank_check_model">>;
}
