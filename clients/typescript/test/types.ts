/** What users' editors say: compiled, never run. */

import { Reverie, type Listing, type Memory, type Schemas } from "reverie-memory";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const is = <T extends true>(_: T | void): void => undefined;

export async function typed(reverie: Reverie): Promise<void> {
  const agent = reverie.agent("mama");

  const made = await agent.remember("Anna sings", { kind: "preference", tags: ["music"] });
  is<Same<typeof made.type, "inserted" | "reinforced" | "queued">>();
  if (made.type === "inserted") is<Same<typeof made.memory, Memory>>();
  is<Same<Memory["emotions"], Schemas["Emotion"][] | null>>();
  is<Same<Memory["lesson"], string | null>>();

  const found = agent.memories({ kinds: ["fact"], limit: 10 });
  is<Same<typeof found, Listing<Memory>>>();
  for await (const memory of found) is<Same<typeof memory, Memory>>();

  const goals = await agent.goals.list();
  is<Same<typeof goals, Schemas["Goal"][]>>();
  const count = await agent.adopt("id");
  is<Same<typeof count, number>>();
  const item = await agent.items.get(["a"], "b");
  is<Same<typeof item, Schemas["Item"] | null>>();
  const blocked = await agent.link.block("papa");
  is<Same<typeof blocked, void>>();
  const one = await agent.get("id");
  if (one.type === "memory") is<Same<typeof one.essence, string>>();
  else is<Same<typeof one.content, string>>();
  const slept = await reverie.sleep();
  is<Same<typeof slept, { [agent: string]: Schemas["SleepReport"][] }>>();

  await agent.window(undefined, { max_tokens: 800, with: ["Anna"] });
  await agent.stats({ signal: AbortSignal.timeout(1000) });
  await agent.revise(one.id, { lesson: null }, { ifMatch: one });

  // @ts-expect-error: a text is needed
  await agent.remember();
  // @ts-expect-error: no such kind
  await agent.remember("Anna sings", { kind: "song" });
  // @ts-expect-error: no such parameter
  await agent.recall("tea", { colour: "green" });
  // @ts-expect-error: max_tokens is needed
  await agent.window("What now?");
  // @ts-expect-error: no such verb
  await agent.goals.forget("id");
  // @ts-expect-error: goals have no version
  await agent.goals.complete("id", {}, { ifMatch: "x" });
}
