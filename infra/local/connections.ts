import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** A request in progress; `giveUp` responds in place of its handler. */
interface Exchange {
  outgoing: ServerResponse;
  giveUp: (answer: Response) => void;
}

/**
 * The connections of a server with their requests in order. Once the server closes, each connection ends with its last
 * response.
 */
export class Connections {
  readonly #exchanges = new Map<Socket, Exchange[]>();
  #isClosing = false;

  get isClosing(): boolean {
    return this.#isClosing;
  }

  add(socket: Socket): void {
    this.#exchanges.set(socket, []);
    socket.once("close", () => this.#exchanges.delete(socket));
  }

  /** Runs a request; resolves to its response, or to that of `giveUp`. */
  serve(outgoing: ServerResponse, run: () => Response | Promise<Response>): Promise<Response> {
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const { req: incoming } = outgoing;
    const exchanges = this.#exchanges.get(incoming.socket) ?? [];
    const exchange = { outgoing, giveUp: resolve };
    exchanges.push(exchange);
    outgoing.once("close", () => exchanges.splice(exchanges.indexOf(exchange), 1));
    this.#answer(incoming, run).then(resolve, reject);
    return promise;
  }

  async #answer(incoming: IncomingMessage, run: () => Response | Promise<Response>): Promise<Response> {
    const answer = await run();
    // A connection closed before the request is received would be reset and the response lost.
    if (this.#isClosing && !incoming.complete && !incoming.destroyed) await once(incoming.resume(), "end");
    return answer;
  }

  close(): void {
    this.#isClosing = true;
  }

  /** Whether the connection ends with this response. A pipelined response must not end it before earlier ones. */
  endsWith(outgoing: ServerResponse): boolean {
    const last = outgoing.socket && this.#exchanges.get(outgoing.socket)?.at(-1);
    return this.#isClosing && (last?.outgoing ?? outgoing) === outgoing;
  }

  endIdle(): void {
    for (const [socket, exchanges] of this.#exchanges) if (exchanges.length === 0) socket.destroy();
  }

  /** Responds to unanswered requests: those not completely received, or all. */
  giveUp(which: "unreceived" | "all", answer: () => Response): void {
    for (const { outgoing, giveUp } of [...this.#exchanges.values()].flat()) {
      if (!outgoing.headersSent && (which === "all" || !outgoing.req.complete)) giveUp(answer());
    }
  }
}
