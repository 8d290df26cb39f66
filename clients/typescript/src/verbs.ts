/** Verbs: functions made from the table of calls. */

import { CALLS } from "./calls.js";
import { unusable } from "./errors.js";
import type { Http } from "./http.js";
import { Listing } from "./listing.js";
import type { Matching, Page, Request, Spec, Unless } from "./shapes.js";

type Values = Record<string, unknown>;
type Asked = Request & Matching & Unless<unknown>;

/** Where calls go: the values of {bank} and {agent} in their paths. */
export interface Place {
  readonly bank: string;
  readonly agent?: string;
}

const etags = new WeakMap<object, string>();

/** Return the version (ETag) of a memory or episode that `get` or `revise` gave. */
export function etagOf(found: object): string | undefined {
  return etags.get(found);
}

/** Return the verbs by their owners ("agent", "bank", facets) and names. */
export function verbsAt(http: Http, place: Place): Record<string, Record<string, unknown>> {
  const made: Record<string, Record<string, unknown>> = {};
  for (const spec of Object.values<Spec>(CALLS)) {
    if (spec.owner === undefined || spec.verb === undefined) continue;
    (made[spec.owner] ??= {})[spec.verb] = (...given: unknown[]) => called(http, place, spec, given);
  }
  return made;
}

function called(http: Http, place: Place, spec: Spec, given: unknown[]): Promise<unknown> | Listing<unknown> {
  const values: Values = Object.fromEntries(spec.args.map((name, index) => [name, given[index]]));
  const rest = given.slice(spec.args.length);
  if (spec.params) Object.assign(values, rest.shift());
  const asked = (rest.shift() ?? {}) as Asked;
  const { lists } = spec;
  if (lists === undefined || lists === true) return answered(http, place, spec, values, asked);
  return new Listing(async (cursor) => {
    const following = cursor === undefined ? {} : { [lists]: lists === "offset" ? Number(cursor) : cursor };
    return (await document(http, place, spec, { ...values, ...following }, asked)) as Page<unknown>;
  });
}

/** Return what a call gives. Throws ReverieError. */
export async function answered(
  http: Http, place: Place, spec: Spec, values: Values = {}, asked: Asked = {},
): Promise<unknown> {
  const found = await document(http, place, spec, values, asked);
  if (spec.value) return (found as { result: unknown }).result;
  return spec.lists ? (found as Page<unknown>).items : found;
}

async function document(http: Http, place: Place, spec: Spec, values: Values, asked: Asked): Promise<unknown> {
  const others = { ...values };
  const path = spec.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = name === "agent" ? place.agent : values[name];
    delete others[name];
    return segment(name, value);
  });
  const inQuery = spec.method === "GET" || spec.method === "DELETE";
  const has = Object.values(others).some((value) => value !== undefined);
  const sent = inQuery ? { query: others } : { body: has ? others : undefined };
  const headers = headersOf(spec, asked);
  const whole = `/v1/banks/${segment("bank", place.bank)}${path}`;
  const response = await http.send(spec.method, whole, { ...sent, headers, signal: asked.signal });
  if (response.status === 304) return asked.ifNoneMatch;
  if (response.status === 204) return undefined;
  const found: unknown = await response.json();
  const etag = response.headers.get("etag");
  if (etag !== null && typeof found === "object" && found !== null) etags.set(found, etag);
  return found;
}

function headersOf(spec: Spec, asked: Asked): Record<string, string> {
  const headers: Record<string, string> = {};
  if (spec.writes) headers["idempotency-key"] = asked.idempotencyKey ?? newKey();
  if (asked.ifMatch !== undefined) headers["if-match"] = tagOf("ifMatch", asked.ifMatch);
  if (asked.ifNoneMatch !== undefined) headers["if-none-match"] = tagOf("ifNoneMatch", asked.ifNoneMatch);
  return headers;
}

function tagOf(field: string, known: unknown): string {
  const tag = typeof known === "string" ? known : etags.get(known as object);
  if (tag !== undefined) return tag;
  throw unusable(field, "its version isn't known", "give what `get` or `revise` returned");
}

/** Return 128 random bits. (crypto.randomUUID is missing in pages that come by plain HTTP.) */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((one) => one.toString(16).padStart(2, "0")).join("");
}

/** Return a part of a path. Throws ReverieError for what a URL can't have as one. */
export function segment(field: string, value: unknown): string {
  const text = String(value ?? "");
  if (text === "" || text === "." || text === "..") {
    throw unusable(field, `${JSON.stringify(text)} can't stand in a path`, "give another name");
  }
  return encodeURIComponent(text);
}
