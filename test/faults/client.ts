import type { Answered, RequestOptions, Service } from "../support/service.ts";

/** Codes of what is answered while a backend fails; any other 5xx is a fault of the service itself. */
const PASSING_CODES = new Set(["SERVICE_UNAVAILABLE", "SEARCH_TIMEOUT"]);
/** What says nothing of a request but that it is to be sent again. */
const AGAIN = 503;
/** Tries of a request that only reads, before it is taken for broken. */
const MOST_READS = 40;

/** Something that ought not to have happened. */
export interface Violation {
  rule: string;
  detail: string;
}

/** What was asked and answered, for all clients together. */
export class Record {
  readonly byOperation = new Map<string, Map<number, number>>();
  readonly violations: Violation[] = [];
  /** Answers of 500 and above, by the id of the request. */
  readonly failed = new Map<string, string>();
  /** Items of batches that failed by themselves. */
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

/** Sends requests and looks at each answer: whether it is one that a failing backend excuses. */
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

  /** What a change answers; `unknown` where a fault leaves open whether it was made. Anything else is a violation. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are of every shape
  async change(operation: string, method: string, path: string, body?: unknown): Promise<Outcome<any>> {
    const answer = await this.send(operation, method, path, { body });
    if (answer.status < 300) return { done: answer.body.data ?? answer.body };
    if (answer.status < 500) this.#record.violate("refused", `${method} ${path}: ${describe(answer)}`);
    return { unknown: true };
  }

  /** Reads until it is told; undefined for a 404. */
  // biome-ignore lint/suspicious/noExplicitAny: answers are of every shape
  async read(path: string): Promise<any> {
    for (let attempt = 1; attempt <= MOST_READS; attempt++) {
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
      if (!PASSING_CODES.has(error?.code)) this.#record.violate("item refused", `${request}: ${JSON.stringify(error)}`);
    }
    if (status < 500) return;
    this.#record.failed.set(headers.get("x-request-id") ?? "", `${request}: ${describe(answer)}`);
    if (body?.success !== false || !PASSING_CODES.has(body?.error?.code)) {
      this.#record.violate("bare 500", `${request}: ${describe(answer)}`);
    } else if (status === AGAIN && body.error.details.retry_after !== undefined && !headers.has("retry-after")) {
      this.#record.violate("no Retry-After", request);
    }
  }
}

function describe({ status, body }: Answered): string {
  return `${status} ${JSON.stringify(body)?.slice(0, 400)}`;
}
