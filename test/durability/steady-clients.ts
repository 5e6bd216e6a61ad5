import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";

interface Answer {
  status: number;
  headers: IncomingMessage["headers"];
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into answers of every shape
  body: any;
}

/** One write with its answer, or with the code of the network error that ended it. */
interface Attempt {
  content: string;
  sentAt: number;
  endedAt: number;
  answer?: Answer;
  error?: string;
}

/** A client with one connection, which it keeps open until the service closes it. */
export class KeepAliveClient {
  /** All writes so far. */
  readonly attempts: Attempt[] = [];
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  readonly #baseUrl: string;
  readonly #key: string;

  constructor(baseUrl: string, key: string) {
    this.#baseUrl = baseUrl;
    this.#key = key;
  }

  async send(method: string, path: string, body?: object): Promise<Answer> {
    const headers = { "x-api-key": this.#key, ...(body && { "content-type": "application/json" }) };
    const sent = request(this.#baseUrl + path, { method, headers, agent: this.#agent });
    sent.end(body && JSON.stringify(body));
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    const { statusCode: status = 0 } = response;
    return { status, headers: response.headers, body: JSON.parse(await text(response)) };
  }

  /** Writes one memory after the other until a request fails. */
  async write(name: string): Promise<void> {
    for (let number = 0; this.attempts.at(-1)?.error === undefined; number++) {
      const content = `${name} writes sentence ${number}`;
      const sentAt = performance.now();
      const outcome = await this.send("POST", "/memories", { content }).then(
        (answer) => ({ answer }),
        (error: NodeJS.ErrnoException) => ({ error: error.code ?? error.message }),
      );
      this.attempts.push({ content, sentAt, endedAt: performance.now(), ...outcome });
    }
  }
}
