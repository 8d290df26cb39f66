/** Requests: made, tried again where the server asks for it, and read. */

import { refused, unreachable } from "./errors.js";

const MOST_TRIES = 4;
const MOST_SECONDS = 60;
const AGAIN = [409, 429, 503];

export interface Options {
  /** Where `reverie serve` listens. */
  url?: string;
  /** What `reverie token create` said. */
  token?: string;
  /** The bank that agents are in. */
  bank?: string;
  /** In place of the global fetch. */
  fetch?: typeof fetch;
}

export interface Sent {
  query?: Record<string, unknown>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

export class Http {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #fetch: typeof fetch;

  constructor(options: Options) {
    this.#url = (options.url ?? "http://127.0.0.1:8766").replace(/\/+$/, "");
    this.#headers = options.token === undefined ? {} : { authorization: `Bearer ${options.token}` };
    this.#fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  }

  /** Return the answer to a request. Throws ReverieError, and the signal's reason. */
  async send(method: string, path: string, { query = {}, body, headers, signal }: Sent = {}): Promise<Response> {
    const url = `${this.#url}${path}${queried(query)}`;
    const init: RequestInit = { method, headers: { ...this.#headers, ...headers }, signal: signal ?? null };
    if (body !== undefined) {
      init.headers = { ...init.headers, "content-type": "application/json" };
      init.body = JSON.stringify(body);
    }
    for (let tries = 1; ; tries++) {
      const response = await this.#fetch(url, init).catch((error: unknown) => {
        throw signal?.aborted ? signal.reason : unreachable(this.#url, error);
      });
      if (response.ok || response.status === 304) return response;
      const error = await refused(response);
      const seconds = Number(response.headers.get("retry-after") ?? NaN);
      if (tries >= MOST_TRIES || !AGAIN.includes(response.status) || !(seconds <= MOST_SECONDS)) throw error;
      await pause(seconds, signal);
    }
  }

  /** Yield the lines of an answer as they come. Throws as `send` does. */
  async *lines(method: string, path: string, sent: Sent = {}): AsyncGenerator<string, void, undefined> {
    const response = await this.send(method, path, sent);
    const reader = response.body!.getReader();
    const decoder = new TextDecoder();
    let rest = "";
    try {
      for (;;) {
        const { done, value } = await reader.read().catch((error: unknown) => {
          throw sent.signal?.aborted ? sent.signal.reason : unreachable(this.#url, error);
        });
        if (done) break;
        const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
        rest = lines.pop()!;
        yield* lines;
      }
    } finally {
      await reader.cancel().catch(() => undefined); // whoever listened is gone
    }
  }
}

function queried(values: Record<string, unknown>): string {
  const made = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined && one !== null) made.append(name, String(one));
    }
  }
  const text = made.toString();
  return text && `?${text}`;
}

/** Wait some seconds. Throws the signal's reason. */
export async function pause(seconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const gone = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", gone);
      resolve();
    }, seconds * 1000);
    signal?.addEventListener("abort", gone, { once: true });
  });
}
