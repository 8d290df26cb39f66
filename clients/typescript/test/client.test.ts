import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { etagOf, Reverie, ReverieError, type Agent, type AuditEvent } from "reverie-memory";
import { serve, type Server } from "./server.js";

let server: Server;
let agent: Agent;
let count = 0;

before(async () => {
  server = await serve();
});
after(() => server.stop());
beforeEach(() => {
  agent = reverie().agent(`agent-${++count}`);
});

/** The client, with a fetch of the test's own between it and the server. */
function reverie(through: typeof fetch = fetch): Reverie {
  return new Reverie({ url: server.url, token: server.token, fetch: through });
}

const refused = (status: number, title: string) => (error: unknown) =>
  error instanceof ReverieError && error.status === status && error.title === title;

async function all<T>(found: AsyncIterable<T>): Promise<T[]> {
  const made: T[] = [];
  for await (const one of found) made.push(one);
  return made;
}

async function kept(text: string) {
  const made = await agent.remember(text);
  assert.ok(made.type === "inserted");
  return made.memory;
}

test("what is kept is found, revised and forgotten", async () => {
  const made = await agent.remember("Anna is allergic to nuts", { kind: "fact", importance: 0.9 });
  assert.ok(made.type === "inserted");
  const again = await agent.remember("Anna is allergic to nuts.");
  assert.equal(again.type, "reinforced");
  const { hits } = await agent.recall("what is Anna allergic to?", { explain: true });
  assert.equal(hits[0]?.memory.id, made.memory.id);
  const revised = await agent.revise(made.memory.id, { essence: "Anna is allergic to peanuts" });
  assert.equal(revised.version, 2);
  assert.match((await agent.context("cook for Anna")).text, /peanuts/);
  const receipt = await agent.forget(made.memory.id);
  assert.deepEqual(receipt.memories, [made.memory.id]);
  await assert.rejects(agent.get(made.memory.id), refused(404, "NotFound"));
});

test("conversations are observed, and forgotten by name", async () => {
  const seen = await agent.observe([{ role: "user", content: "I moved to Lisbon." }], { conversation: "chat" });
  assert.equal(seen.stored, 1);
  const [episode] = (await agent.episodes({ match: "Lisbon" })).items;
  const found = await agent.get(episode!.id);
  assert.ok(found.type === "episode");
  assert.equal(found.content, "I moved to Lisbon.");
  const receipt = await agent.forget({ conversation: "chat" });
  assert.equal(receipt.episodes.length, 1);
});

test("facets have the verbs of Python's", async () => {
  const goal = await agent.goals.add("Learn to sail", { due: "2030-05-01" });
  assert.ok((await agent.goals.complete(goal.memory.id, { note: "done" })).achieved);
  assert.deepEqual((await agent.goals.list({ achieved: true })).map((one) => one.memory.id), [goal.memory.id]);
  await agent.diary.write("We talked about tea", { date: "2030-01-02", mood: "calm" });
  assert.equal((await agent.diary.page("2030-01-02")).date, "2030-01-02");
  assert.equal((await agent.relationships.assign("Anna", "friend", 0.7)).trust, 0.7);
  await agent.items.put(["users", "anna"], "tea", { likes: "green tea" });
  assert.deepEqual((await agent.items.get(["users", "anna"], "tea"))?.value, { likes: "green tea" });
  assert.equal(await agent.items.get(["users"], "none"), null);
  assert.deepEqual(await all(agent.items.namespaces({ limit: 1 })), [["users", "anna"]]);
  assert.equal(await agent.items.delete(["users", "anna"], "tea"), true);
  assert.deepEqual((await agent.procedures.record("brew tea", ["boil", "pour"])).steps.steps, ["boil", "pour"]);
  await agent.soul.add("I would rather ask than guess");
  assert.equal(typeof (await agent.soul.portrait()), "string");
  const other = reverie().agent(`${agent.id}-friend`);
  await other.remember("Ben sails");
  const link = await agent.link.request(other.id, { message: "please" });
  assert.deepEqual((await other.link.pending()).map((one) => one.id), [link.id]);
  assert.equal((await other.link.accept(link.id)).state, "accepted");
  assert.equal(await agent.link.block("stranger"), undefined);
  assert.equal(await agent.link.unblock("stranger"), true);
  assert.ok((await agent.jobs.pause()).paused_at);
  assert.ok(!(await agent.jobs.resume()).paused_at);
});

test("each verb that needs nothing answers as its type says", async () => {
  await agent.remember("Anna sings");
  const lists = [agent.due(), agent.soul.list(), agent.link.pending(), agent.link.blocked(), agent.diary.pages(),
    agent.procedures.list(), agent.relationships.list(), agent.relationships.history(), agent.society.history()];
  for (const list of await Promise.all(lists)) assert.ok(Array.isArray(list));
  const pages = [agent.memories(), agent.episodes(), agent.conversations(), agent.audit(), agent.jobs.sleeps(),
    agent.link.list(), agent.society.rooms(), agent.summaries.list(), agent.items.search()];
  for (const list of pages) assert.ok(Array.isArray((await list).items));
  assert.equal((await agent.stats()).memories, 1);
  assert.equal((await agent.setProfile({ home: "Lisbon" })).home, (await agent.profile()).home);
  await agent.attend();
  await agent.housekeeping();
  const { sleep } = await agent.sleep(); // of nothing: it isn't kept
  await assert.rejects(agent.revert(sleep!.id, { dry_run: true }), refused(404, "NotFound"));
  assert.equal(await agent.host.extraction(), null);
});

test("a list goes on over its pages", async () => {
  const texts = ["Anna sings", "Ben sails", "Carla paints houses", "Dora bakes bread", "Emil repairs clocks"];
  const made = await agent.rememberMany(texts.map((essence) => ({ essence })));
  assert.equal(made.length, 5);
  assert.deepEqual((await all(agent.memories({ limit: 2 }))).map((one) => one.essence), texts);
  assert.deepEqual((await all(agent.memories({ limit: 2 }).pages())).map((page) => page.items.length), [2, 2, 1]);
  assert.equal((await agent.memories({ limit: 2 })).items.length, 2);
  for (let key = 0; key < 5; key++) await agent.items.put(["n"], `${key}`, { key });
  assert.equal((await all(agent.items.search(["n"], undefined, undefined, { limit: 2 }))).length, 5);
});

test("an error says what was wrong and what to do", async () => {
  const wrong = await agent.remember("Anna sings", { importance: 7 }).catch((error: unknown) => error);
  assert.ok(wrong instanceof ReverieError);
  assert.deepEqual([wrong.status, wrong.title, wrong.field], [422, "InvalidInput", "importance"]);
  assert.ok(wrong.remedy);
  assert.ok(wrong.instance);
  assert.match(wrong.message, /; /);
  // @ts-expect-error: no such field
  const unknown = await agent.remember("Anna sings", { colour: "red" }).catch((error: unknown) => error);
  assert.ok(unknown instanceof ReverieError);
  assert.deepEqual(unknown.errors.map((one) => one.field), ["colour"]);
  const stranger = new Reverie({ url: server.url, token: "reverie_no" }).agent("mama");
  await assert.rejects(stranger.stats(), refused(401, "Unauthorized"));
  const nowhere = new Reverie({ url: "http://127.0.0.1:9", token: "t" }).agent("mama");
  await assert.rejects(nowhere.stats(), refused(0, "Unreachable"));
});

test("a name can't lead to another path", async () => {
  for (const name of ["..", ".", ""]) {
    await assert.rejects(reverie().agent(name).stats(), refused(0, "InvalidInput"));
    await assert.rejects(agent.get(name), refused(0, "InvalidInput"));
  }
  const odd = reverie().agent("Zoë/../?#%2F");
  await odd.remember("Anna sings");
  assert.ok((await reverie().agents()).includes(odd.id));
});

test("a version that is known isn't read again", async () => {
  const { id } = await kept("Anna prefers tea");
  const found = await agent.get(id);
  assert.match(etagOf(found)!, /^"/);
  assert.equal(await agent.get(id, { ifNoneMatch: found }), found);
  await agent.revise(id, { essence: "Anna prefers green tea" });
  const changed = await agent.get(id, { ifNoneMatch: found });
  assert.ok(changed.type === "memory");
  assert.equal(changed.essence, "Anna prefers green tea");
});

test("a change of what was changed meanwhile is refused", async () => {
  const { id } = await kept("Anna prefers tea");
  const found = await agent.get(id);
  const revised = await agent.revise(id, { essence: "Anna prefers green tea" }, { ifMatch: found });
  await assert.rejects(agent.revise(id, { essence: "Anna hates tea" }, { ifMatch: found }), refused(412, "Changed"));
  await assert.rejects(agent.forget(id, { ifMatch: etagOf(found) }), refused(412, "Changed"));
  await assert.rejects(agent.forget(id, { ifMatch: {} }), refused(0, "InvalidInput"));
  assert.deepEqual((await agent.forget(id, { ifMatch: revised })).memories, [id]);
});

function busy(headers: Record<string, string>): Response {
  return new Response(JSON.stringify({ title: "Busy", detail: "it is busy", status: 503 }), {
    status: 503,
    headers: { "content-type": "application/problem+json", ...headers },
  });
}

test("a write whose answer was lost is done once", async () => {
  let tries = 0;
  const lossy = reverie(async (input, init) => {
    const answer = await fetch(input, init);
    return ++tries === 1 ? busy({ "retry-after": "0" }) : answer;
  }).agent(agent.id);
  const page = await lossy.diary.write("We talked about tea", { date: "2030-01-02" });
  assert.equal(tries, 2);
  assert.equal(page.notes.length, 1);
  assert.deepEqual(await agent.diary.page("2030-01-02"), page);
});

test("a key of the caller's own makes a repeated call one", async () => {
  const idempotencyKey = `key-${agent.id}`;
  const write = (text: string) => agent.diary.write(text, { date: "2030-01-02" }, { idempotencyKey });
  assert.deepEqual(await write("We talked about tea"), await write("We talked about tea"));
  assert.equal((await agent.diary.page("2030-01-02")).notes.length, 1);
  await assert.rejects(write("We talked about rowing"), refused(422, "InvalidInput"));
});

test("only what the server asks to repeat is repeated, three times", async () => {
  let tries = 0;
  const counted = (headers: Record<string, string>) =>
    reverie(async () => (tries++, busy(headers))).agent("mama");
  await assert.rejects(counted({ "retry-after": "0" }).stats(), refused(503, "Busy"));
  assert.equal(tries, 4);
  tries = 0;
  await assert.rejects(counted({}).stats(), refused(503, "Busy"));
  assert.equal(tries, 1);
});

test("a signal ends a request and a wait", async () => {
  const reason = new Error("enough");
  await assert.rejects(agent.stats({ signal: AbortSignal.abort(reason) }), reason);
  const controller = new AbortController();
  const waiting = reverie(async () => {
    setTimeout(() => controller.abort(reason), 20);
    return busy({ "retry-after": "30" });
  }).agent("mama");
  await assert.rejects(waiting.stats({ signal: controller.signal }), reason);
});

test("events come, also over a connection that broke", { timeout: 30_000 }, async (context) => {
  await agent.remember("Anna sings");
  let connections = 0;
  let cut = () => {};
  const fragile = reverie(async (input, init) => {
    if (!String(input).endsWith("/events")) return fetch(input, init);
    connections++;
    const controller = new AbortController();
    cut = () => controller.abort();
    return fetch(input, { ...init, signal: AbortSignal.any([init!.signal!, controller.signal]) });
  }).agent(agent.id);
  const [latest] = (await agent.audit({ limit: 1, newest_first: true })).items;
  const controller = new AbortController();
  const signal = AbortSignal.any([controller.signal, context.signal]);
  const events = fragile.events({ after: latest!.id }, { signal });
  const next = async () => (await events.next()).value as AuditEvent;
  const ben = await kept("Ben sails");
  assert.deepEqual(await next().then((one) => [one.action, one.target]), ["remember", ben.id]);
  cut();
  const carla = await kept("Carla paints houses");
  assert.equal((await next()).target, carla.id);
  assert.equal(connections, 2);
  const pending = next();
  controller.abort(new Error("enough"));
  await assert.rejects(pending, /enough/);
});

test("events of an empty log aren't lost with a connection", { timeout: 30_000 }, async ({ signal }) => {
  let connections = 0;
  const fragile = reverie(async (input, init) => {
    const response = await fetch(input, init);
    if (!String(input).endsWith("/events") || connections++ > 0) return response;
    const reader = response.body!.getReader();
    const { value } = await reader.read(); // where it begins
    await reader.cancel();
    await agent.remember("Anna sings"); // while nobody listens
    return new Response(value!);
  }).agent(agent.id);
  const events = fragile.events({}, { signal });
  assert.equal(((await events.next()).value as AuditEvent).action, "remember");
  assert.equal(connections, 2);
  await events.return();
  await assert.rejects(agent.events({ after: "nothing" }, { signal }).next(), refused(404, "NotFound"));
});

test("events begin now where no entry is named", { timeout: 30_000 }, async ({ signal }) => {
  await agent.remember("Anna sings");
  const events = agent.events({}, { signal });
  const first = events.next();
  const writing = setInterval(() => void agent.goals.add(`Goal ${Math.random()}`), 500);
  const { value } = await first.finally(() => clearInterval(writing));
  assert.equal((value as AuditEvent).action, "remember");
  assert.notEqual((value as AuditEvent).id, (await agent.audit({ limit: 1 })).items[0]!.id);
  await events.return();
});

test("an export is what an import takes", async () => {
  await agent.remember("Anna sings");
  const lines = await all(agent.export({ log: false }));
  const papa = reverie().bank("work").agent(`${agent.id}-copy`);
  await papa.importBank(lines);
  assert.deepEqual((await papa.memories()).items.map((one) => one.essence), ["Anna sings"]);
});

test("a server has banks, and rooms", async () => {
  assert.deepEqual(await reverie().banks(), ["main", "work"]);
  assert.equal((await reverie().bank("work").info()).engine, "sqlite");
  const heard = await reverie().room("kitchen", [agent.id, "papa"]).say(agent.id, "Tea is ready.");
  assert.deepEqual(Object.keys(heard).sort(), [agent.id, "papa"].sort());
  assert.equal((await agent.society.rooms()).items.length, 1);
});

test("the README's example runs", async () => {
  process.env["REVERIE_URL"] = server.url;
  process.env["REVERIE_TOKEN"] = server.token;
  await import("./example.js");
  const mama = reverie().agent("mama");
  assert.deepEqual((await mama.memories({ kinds: ["fact"] })).items.map((one) => one.essence),
    ["Anna is allergic to peanuts"]);
});
