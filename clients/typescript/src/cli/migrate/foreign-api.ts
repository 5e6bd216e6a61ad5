import { setTimeout as sleep } from "node:timers/promises";

/** One page of a foreign list, with where the next one begins; without it, the list ends here. */
export interface ForeignPage {
  rows: object[];
  next?: string;
}

/** A list of one user or another owner of memories, which is read page by page. */
export interface ForeignList {
  /** Identifies it among the lists of the service, also in a later run. */
  name: string;
  read(cursor: string | undefined): Promise<ForeignPage>;
}

/** A service from which memories can be fetched. */
export interface ForeignService {
  /** Its lists; only those of one user, if it is given. */
  lists(user: string | undefined): AsyncGenerator<ForeignList>;
}

const MAX_ATTEMPTS = 6;
const FIRST_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;
const TIMEOUT_MS = 60_000;
const MAX_EXCERPT = 300;
/** Statuses after which a retry may succeed. */
const PASSING = new Set([408, 429, 500, 502, 503, 504]);

/** An answer of a foreign service that is no success. It contains no credential. */
export class ForeignError extends Error {}

/** Sends requests with one credential to one address; never to another one, so redirects are refused. */
export class ForeignApi {
  readonly #url: string;
  readonly #authorization: string;

  constructor(url: string, authorization: string) {
    this.#url = new URL(url).href.replace(/\/$/, "");
    this.#authorization = authorization;
  }

  /** Waits and repeats while the service is busy. Throws a ForeignError for any other failure. */
  async request(method: "GET" | "POST", path: string, body?: object): Promise<{ value: unknown; headers: Headers }> {
    for (let attempt = 1; ; attempt++) {
      const response = await fetch(this.#url + path, {
        method,
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: { Authorization: this.#authorization, "Content-Type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      });
      if (response.ok) return { value: await response.json(), headers: response.headers };
      const said = (await response.text()).slice(0, MAX_EXCERPT);
      if (!PASSING.has(response.status) || attempt === MAX_ATTEMPTS)
        throw new ForeignError(`${method} ${path} was answered ${response.status}: ${said}`);
      await sleep(waitAfter(response, attempt));
    }
  }
}

/** What the service asks for, at most a minute; otherwise twice as long after each failure. */
function waitAfter(response: Response, attempt: number): number {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return Math.min(MAX_WAIT_MS, Number.isFinite(seconds) ? 1_000 * seconds : FIRST_WAIT_MS * 2 ** (attempt - 1));
}

/** The members of a list that are objects; throws a ForeignError for a value that is no list. */
export function objectsIn(value: unknown, what: string): Record<string, unknown>[] {
  if (!Array.isArray(value)) throw new ForeignError(`The answer has no list of ${what}.`);
  return value.filter((each) => typeof each === "object" && each !== null);
}

/** A member of an object; undefined for values that are no objects. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && name in value ? value[name as never] : undefined;
}
