import type { Schemas } from "./shapes.js";

/** What the server refused or couldn't do, or that it can't be reached (title "Unreachable", status 0). */
export class ReverieError extends Error {
  override readonly name = "ReverieError";
  /** The error of the Python client: "NotFound", "InvalidInput", … */
  readonly title: string;
  readonly detail: string;
  /** What to do about it. */
  readonly remedy: string | undefined;
  /** Which value was wrong. */
  readonly field: string | undefined;
  /** Every value that was wrong, where the request isn't as the description says. */
  readonly errors: readonly Schemas["Fault"][];
  readonly status: number;
  /** The request's id, which the server's log has, too. */
  readonly instance: string | undefined;

  constructor(problem: Partial<Schemas["Problem"]> & { title: string; detail: string }, options?: ErrorOptions) {
    super(problem.remedy ? `${problem.detail}; ${problem.remedy}` : problem.detail, options);
    this.title = problem.title;
    this.detail = problem.detail;
    this.remedy = problem.remedy ?? undefined;
    this.field = problem.field ?? undefined;
    this.errors = problem.errors ?? [];
    this.status = problem.status ?? 0;
    this.instance = problem.instance ?? undefined;
  }
}

/** Return the error of a request that got no answer. */
export function unreachable(url: string, cause: unknown): ReverieError {
  const said = cause instanceof Error ? cause.message : String(cause);
  return new ReverieError(
    { title: "Unreachable", detail: `${url}: ${said}`, remedy: "check that `reverie serve` runs there" },
    { cause },
  );
}

/** Return the error of a value that can't be sent. */
export function unusable(field: string, problem: string, remedy: string): ReverieError {
  return new ReverieError({ title: "InvalidInput", detail: `${field}: ${problem}`, remedy, field });
}

/** Return the error that an answer is. */
export async function refused(response: Response): Promise<ReverieError> {
  const text = await response.text().catch(() => "");
  if (response.headers.get("content-type")?.startsWith("application/problem+json")) {
    return new ReverieError(JSON.parse(text) as Schemas["Problem"]);
  }
  const { status } = response; // of a proxy, say
  return new ReverieError({ title: "Refused", status, detail: `HTTP ${status}: ${text.slice(0, 200)}` });
}
