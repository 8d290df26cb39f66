/** Memory for AI agents: the verbs of Reverie's Python client, over REST. */

import { CALLS } from "./calls.js";
import type * as verbs from "./calls.js";
import { followed, type AuditEvent } from "./events.js";
import { Http, type Options } from "./http.js";
import type { Answer, Given, Matching, Others, Request, Schemas, Spec, Unless } from "./shapes.js";
import { answered, segment, verbsAt, type Place } from "./verbs.js";

export { ReverieError } from "./errors.js";
export { Listing } from "./listing.js";
export { etagOf } from "./verbs.js";
export type { AuditEvent } from "./events.js";
export type { Options } from "./http.js";
export type { Answer, Given, Matching, Page, Request, Schemas, Unless } from "./shapes.js";
export type Memory = Schemas["Memory"];
export type Episode = Schemas["Episode"];
export type Goal = Schemas["Goal"];
/** What `get` finds; `type` tells which it is. */
export type Found = Answer<"get_memory">;

export interface Reverie extends verbs.BankVerbs {}
/** A bank of a server, and the door to its agents. */
export class Reverie {
  readonly bankName: string;
  readonly #http: Http;

  constructor(options: Options = {}, http: Http = new Http(options)) {
    this.bankName = options.bank ?? "main";
    this.#http = http;
    Object.assign(this, verbsAt(http, { bank: this.bankName })["bank"]);
  }

  /** Return the same server's other bank. */
  bank(name: string): Reverie {
    return new Reverie({ bank: name }, this.#http);
  }

  /** Return the names of the banks that the token is for. */
  async banks(request: Request = {}): Promise<string[]> {
    const response = await this.#http.send("GET", "/v1/banks", { signal: request.signal });
    return ((await response.json()) as { items: string[] }).items;
  }

  /** Return an agent's memory. It begins with its first write. */
  agent(id: string): Agent {
    return new Agent(this.#http, { bank: this.bankName, agent: id });
  }

  /** Return a room: what is said in it, each member hears. */
  room(id: string, members: string[]): Room {
    return new Room(this.#http, this.bankName, id, members);
  }
}

export interface Agent extends verbs.AgentVerbs {}
/** One agent's memory. */
export class Agent {
  readonly id: string;
  declare readonly diary: verbs.Diary;
  declare readonly goals: verbs.Goals;
  declare readonly host: verbs.Host;
  declare readonly items: verbs.Items;
  declare readonly jobs: verbs.Jobs;
  declare readonly link: verbs.Link;
  declare readonly procedures: verbs.Procedures;
  declare readonly relationships: verbs.Relationships;
  declare readonly society: verbs.Society;
  declare readonly soul: verbs.Soul;
  declare readonly summaries: verbs.Summaries;
  readonly #http: Http;
  readonly #place: Place;

  constructor(http: Http, place: Place & { agent: string }) {
    this.id = place.agent;
    this.#http = http;
    this.#place = place;
    const { agent, bank: _, ...facets } = verbsAt(http, place);
    Object.assign(this, agent, facets);
  }

  /** Return one memory or episode. Throws ReverieError (NotFound). */
  async get(id: string, request: Request & Unless<Found> = {}): Promise<Found> {
    return (await answered(this.#http, this.#place, CALLS.get_memory, { id }, request)) as Found;
  }

  /** Delete for good, with a receipt: one memory or episode, or what the parameters name. */
  async forget(what: string | Given<"forget">, request: Request & Matching = {}): Promise<Answer<"forget">> {
    const made =
      typeof what === "string"
        ? answered(this.#http, this.#place, CALLS.forget_memory, { id: what }, request)
        : answered(this.#http, this.#place, CALLS.forget, what, request);
    return (await made) as Answer<"forget">;
  }

  /** Return the agent's profile. */
  async profile(request: Request = {}): Promise<Answer<"profile">> {
    const response = await this.#http.send("GET", this.#path("profile"), { signal: request.signal });
    return (await response.json()) as Answer<"profile">;
  }

  /** Yield the whole bank as JSON values, one after the other. */
  async *export(
    params: Given<"export"> = {}, request: Request = {},
  ): AsyncGenerator<Record<string, unknown>, void, undefined> {
    const sent = { query: params as Record<string, unknown>, signal: request.signal };
    for await (const line of this.#http.lines("GET", this.#path("export"), sent)) {
      yield JSON.parse(line) as Record<string, unknown>;
    }
  }

  /**
   * Yield what happens, entry by entry of the audit log: from now on, or behind the entry `after` ("0": all). A
   * connection that ends is begun anew where it was; only you end it, by `break` or the signal.
   */
  events(params: { after?: string } = {}, request: Request = {}): AsyncGenerator<AuditEvent, void, undefined> {
    return followed(this.#http, this.#path("events"), params.after, request.signal);
  }

  #path(last: string): string {
    return `/v1/banks/${segment("bank", this.#place.bank)}/agents/${segment("agent", this.id)}/${last}`;
  }
}

/** A room, and who is in it. */
export class Room {
  readonly #http: Http;
  readonly #bank: string;

  constructor(http: Http, bank: string, readonly id: string, readonly members: readonly string[]) {
    this.#http = http;
    this.#bank = bank;
  }

  /** Say something: each member remembers it as its own. */
  async say(
    speaker: string,
    content: string,
    params: Omit<Others<"room_say", "room">, "members" | "speaker" | "content"> = {},
    request: Request = {},
  ): Promise<Answer<"room_say">> {
    const spec: Spec = { method: "POST", path: "/rooms/{room}/messages", args: [], writes: true };
    const values = { room: this.id, members: this.members, speaker, content, ...params };
    return (await answered(this.#http, { bank: this.#bank }, spec, values, request)) as Answer<"room_say">;
  }
}
