import { ReverieError } from "./errors.js";
import { pause, type Http } from "./http.js";
import type { Schemas } from "./shapes.js";

const MOST_SECONDS = 30;

/** An entry of the audit log, as it came. */
export interface AuditEvent {
  id: string;
  action: Schemas["Action"];
  target: string | null;
  actor: string;
  at: string;
}

/** Yield events behind the one named `after`, for good: where the connection ends, another begins behind the last. */
export async function* followed(
  http: Http, path: string, after: string | undefined, signal: AbortSignal | undefined,
): AsyncGenerator<AuditEvent, void, undefined> {
  let last = after;
  let failures = 0;
  for (let connected = false; ; ) {
    try {
      const headers: Record<string, string> = last === undefined ? {} : { "last-event-id": last };
      for await (const { id, event } of parsed(http.lines("GET", path, { headers, signal }))) {
        connected = true;
        failures = 0;
        last = id;
        if (event !== null) yield event;
      }
    } catch (error) {
      const mayPass = error instanceof ReverieError && (error.status === 0 || error.status >= 500);
      if (signal?.aborted || !connected || !mayPass) throw error;
    }
    await pause(Math.min(2 ** failures++, MOST_SECONDS), signal);
  }
}

/** Yield how far a stream has come (the first tells where it begins), with the event where there is one. */
async function* parsed(
  lines: AsyncIterable<string>,
): AsyncGenerator<{ id: string; event: AuditEvent | null }, void, undefined> {
  let id = "";
  let data = "";
  for await (const line of lines) {
    const [, name, value] = /^([^:]*):? ?(.*?)\r?$/.exec(line) ?? [];
    if (name === "id") id = value!;
    else if (name === "data") data += value!;
    else if (line.trim() === "") {
      yield { id, event: data === "" ? null : { id, ...(JSON.parse(data) as Omit<AuditEvent, "id">) } };
      data = "";
    }
  }
}
