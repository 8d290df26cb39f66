/** What the generated types say of a call, as the verbs take and give it. */

import type { components, operations } from "./types.js";

/** Every type of the description, by its name. */
export type Schemas = components["schemas"];
export type Operation = keyof operations;

/** How one request is made. */
export interface Request {
  /** Gives the request up, and waits for another try, too. */
  signal?: AbortSignal | undefined;
  /** A write with a key that the server has seen is not done again. Each write without one gets a key of its own. */
  idempotencyKey?: string | undefined;
}

/** A change that is made only to the version that you know; otherwise a ReverieError with status 412 is thrown. */
export interface Matching {
  /** What this client read or wrote before, or its ETag. */
  ifMatch?: object | string | undefined;
}

/** A reading that is spared where you have the version that is there. */
export interface Unless<T> {
  /** What this client read before: it is returned itself if it is still so. */
  ifNoneMatch?: T | undefined;
}

/** A call of the table in calls.ts. */
export interface Spec {
  /** "agent", "bank", or a facet of the agent. */
  readonly owner?: string;
  readonly verb?: string;
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Behind /v1/banks/{bank}. */
  readonly path: string;
  readonly args: readonly string[];
  /** Whether an object with further parameters may follow the arguments. */
  readonly params?: true;
  readonly writes?: true;
  /** It answers with a page; a text is the parameter that asks for the following one. */
  readonly lists?: true | "after" | "before" | "offset";
  /** It answers with a plain value. */
  readonly value?: true;
}

export interface Page<T> {
  items: T[];
  /** Asks for the following page; null at the end. */
  next: string | null;
}

type Or<T, Otherwise> = [T] extends [never] ? Otherwise : T;
type Body<O> = O extends { requestBody?: infer B }
  ? Or<NonNullable<B> extends { content: { "application/json": infer J } } ? NonNullable<J> : never, unknown>
  : unknown;
type Query<O> = O extends { parameters: { query?: infer Q } } ? Or<NonNullable<Q>, unknown> : unknown;
type Path<O> = O extends { parameters: { path: infer P } } ? Omit<P, "bank" | "agent"> : unknown;
type Told<K extends Operation> = operations[K]["responses"] extends infer R
  ? R extends { 200: { content: { "application/json": infer J } } }
    ? J
    : R extends { 201: { content: { "application/json": infer J } } }
      ? J
      : void
  : never;

/** All that a call takes. */
export type Given<K extends Operation> = Path<operations[K]> & Query<operations[K]> & Body<operations[K]>;

/** What a call takes besides its arguments. */
export type Others<K extends Operation, Names extends PropertyKey> = Omit<Given<K>, Names>;

/** What a call gives: the plain value, the list of an only page, or the document. */
export type Answer<K extends Operation> = [Told<K>] extends [{ result: infer V }]
  ? V
  : [Told<K>] extends [Page<infer T>]
    ? T[]
    : Told<K>;

/** One of what a call lists. */
export type Item<K extends Operation> = Told<K> extends Page<infer T> ? T : never;
