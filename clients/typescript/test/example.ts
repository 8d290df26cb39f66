import { Reverie, ReverieError } from "reverie-memory";

const reverie = new Reverie({ url: process.env["REVERIE_URL"]!, token: process.env["REVERIE_TOKEN"]! });
const mama = reverie.agent("mama");

await mama.observe([{ role: "user", content: "I moved to Lisbon." }], { conversation: "chat" });
await mama.remember("Anna is allergic to nuts", { importance: 0.9 });
const { hits } = await mama.recall("what can Anna eat?", { limit: 3 });
console.log(hits.map((hit) => hit.memory.essence));
console.log((await mama.context("cook for Anna")).text); // for the prompt

for await (const memory of mama.memories({ kinds: ["fact"] })) console.log(memory.essence); // all pages
const first = await mama.memories({ limit: 20 }); // one page: items, next
await mama.goals.add("Learn to sail", { due: "2030-05-01" });

const found = await mama.get(first.items[0]!.id);
try {
  await mama.revise(found.id, { essence: "Anna is allergic to peanuts" }, { ifMatch: found });
} catch (error) {
  if (!(error instanceof ReverieError)) throw error;
  console.log(error.status, error.title, error.detail, error.remedy); // 412: somebody else changed it
}
