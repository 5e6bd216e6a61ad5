import type { Answered, RequestOptions, Service } from "../support/service.ts";

/** Error codes that are allowed while a backend fails; any other 5xx is a bug. */
const TRANSIENT_CODES = new Set(["SERVICE_UNAVAILABLE", "SEARCH_TIMEOUT"]);
/** The status of a request that can be retried. */
const AGAIN = 503;
/** Attempts of a read before it counts as failed. */
const MAX_READS = 40;

/** A broken rule of the service. */
export interface Violation {
  rule: string;
  detail: string;
}

/** Requests and responses of all clients together. */
export class Record {
  readonly byOperation = new Map<string, Map<number, number>>();
  readonly violations: Violation[] = [];
  /** Responses with a status of 500 or above by request id. */
  readonly failed = new Map<string, string>();
  /** Number of failed items of batches. */
  failedItems = 0;

  violate(rule: string, detail: string): void {
    this.violations.push({ rule, detail });
  }

  note(operation: string, status: number): void {
    const own = this.byOperation.get(operation) ?? new Map<number, number>();
    this.byOperation.set(operation, own.set(status, (own.get(status) ?? 0) + 1));
  }
}

export type Outcome<T> = { done: T } | { unknown: true };

/** Sends requests and checks that a failing backend explains each error response. */
export class Client {
  readonly #service: Service;
  readonly #record: Record;
  readonly key: string;

  constructor(service: Service, record: Record, key: string) {
    this.#service = service;
    this.#record = record;
    this.key = key;
  }

  async send(operation: string, method: string, path: string, options: RequestOptions = {}): Promise<Answered> {
    const answer = await this.#service.request(method, path, { key: this.key, ...options });
    this.#record.note(operation, answer.status);
    this.#inspect(`${method} ${path}`, answer);
    return answer;
  }

  /** Returns the result of a change, or `unknown` if an error leaves open whether it was made. A refusal is a violation. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are of every shape
  async change(operation: string, method: string, path: string, body?: unknown): Promise<Outcome<any>> {
    const answer = await this.send(operation, method, path, { body });
    if (answer.status < 300) return { done: answer.body.data ?? answer.body };
    if (answer.status < 500) this.#record.violate("refused", `${method} ${path}: ${describe(answer)}`);
    return { unknown: true };
  }

  /** Reads with retries after a 5xx; undefined for a 404. Throws an Error if no attempt succeeds. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are of every shape
  async read(path: string): Promise<any> {
    for (let attempt = 1; attempt <= MAX_READS; attempt++) {
      const { status, body } = await this.send("look", "GET", path);
      if (status === 200) return body.data ?? body;
      if (status === 404) return undefined;
      if (status < 500) break;
    }
    throw new Error(`GET ${path} is answered by no try`);
  }

  #inspect(request: string, answer: Answered): void {
    const { status, headers, body } = answer;
    for (const { error } of [...(body?.data?.failed ?? [])]) {
      this.#record.failedItems++;
      if (!TRANSIENT_CODES.has(error?.code))
        this.#record.violate("item refused", `${request}: ${JSON.stringify(error)}`);
    }
    if (status < 500) return;
    this.#record.failed.set(headers.get("x-request-id") ?? "", `${request}: ${describe(answer)}`);
    if (body?.success !== false || !TRANSIENT_CODES.has(body?.error?.code)) {
      this.#record.violate("bare 500", `${request}: ${describe(answer)}`);
    } else if (status === AGAIN && body.error.details.retry_after !== undefined && !headers.has("retry-after")) {
      this.#record.violate("no Retry-After", request);
    }
  }
}

function describe({ status, body }: Answered): string {
  return `${status} ${JSON.stringify(body)?.slice(0, 400)}`;
}
