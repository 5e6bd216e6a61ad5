import { type IncomingMessage, type Server, type ServerOptions, ServerResponse, STATUS_CODES } from "node:http";
import { Server as NetServer } from "node:net";
import type { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createAdaptorServer, type HttpBindings } from "@hono/node-server";
import type { Hono } from "hono";
import type { Config } from "../../shared/kernel/config.ts";
import { securityHeadersOf } from "../../shared/runtime/http/security-headers.ts";
import { Connections } from "./connections.ts";

/** After closing starts, how long connections without a request stay open, because one may be in transit. */
const IDLE_MS = 250;
/** After closing starts, the time limit for receiving and starting a request. */
const BEGIN_MS = 2_000;
/** After closing starts, the time limit for a response. */
const ANSWER_MS = 5_000;
/** Additional time for sending the last responses. */
const SEND_MS = 500;

/** How often Node checks for exceeded request timeouts. */
const CHECKS_PER_TIMEOUT = 10;

/** Statuses of faults that Node finds before there is a request; others are 400. */
const STATUS_BY_FAULT: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};

export type EndpointConfig = Pick<Config, "HOST" | "PORT" | "PLATFORM" | "REQUEST_TIMEOUT_SECONDS">;

/** Handles pending requests while an endpoint closes. */
export interface Closing {
  /** Refuses the waiting requests. */
  refuseWaiting(): void;
  /** The response to a request that takes too long. */
  answerForUnfinished(): Response;
}

/** The HTTP endpoint of a host: HOST and PORT, or a free port for PORT 0. */
export class Endpoint {
  readonly #config: EndpointConfig;
  readonly #connections = new Connections();
  #server: Server | undefined;
  /** Base URL; before listening, with the configured port. */
  url: string;

  constructor(config: EndpointConfig) {
    this.#config = config;
    this.url = `http://${config.HOST}:${config.PORT}`;
  }

  /** Resolves to the base URL. Rejects if the port is taken. */
  async listen(fetch: Hono["fetch"]): Promise<string> {
    const headers = securityHeadersOf(this.#config);
    const connections = this.#connections;
    const serverOptions = { ...timeoutsOf(this.#config), ServerResponse: responseWith(headers, connections) };
    const serve = (request: Request, bindings: object) =>
      connections.serve((bindings as HttpBindings).outgoing, () => fetch(request, bindings));
    this.#server = createAdaptorServer({ fetch: serve, serverOptions }) as Server;
    this.#server.on("connection", (socket) => connections.add(socket));
    this.#server.on("clientError", (fault, socket) => refuse(fault, socket, headers));
    this.url = await listenOn(this.#server, this.#config);
    return this.url;
  }

  /** Whether new requests are to be refused. */
  get isClosing(): boolean {
    return this.#connections.isClosing;
  }

  /** Accepts no more connections, lets running requests end, and responds for those that take too long. */
  async close(closing: Closing): Promise<void> {
    // Connections in the system's backlog are accepted first; otherwise they would be reset.
    if (this.#server) await nextTurn();
    // Clients are not asked to reconnect while the server still listens, because the new connection would be reset.
    this.#connections.close();
    if (this.#server) await closeServer(this.#server, this.#connections, closing);
  }
}

/** Headers and body share one time limit against slow senders. */
function timeoutsOf({ REQUEST_TIMEOUT_SECONDS }: EndpointConfig): ServerOptions {
  const timeout = REQUEST_TIMEOUT_SECONDS * 1000;
  return {
    headersTimeout: timeout,
    requestTimeout: timeout,
    connectionsCheckingInterval: timeout / CHECKS_PER_TIMEOUT,
  };
}

/**
 * A class of responses with security headers even if Node writes them itself (missing Host header, unknown
 * expectation), and `Connection: close` if the connection ends.
 */
function responseWith(
  headers: Record<string, string>,
  connections: Connections,
): typeof ServerResponse<IncomingMessage> {
  return class extends ServerResponse<IncomingMessage> {
    constructor(...args: ConstructorParameters<typeof ServerResponse<IncomingMessage>>) {
      super(...args);
      this.setHeaders(new Map(Object.entries(headers)));
    }

    override writeHead(status: number, ...args: never[]): this {
      if (connections.endsWith(this)) this.shouldKeepAlive = false;
      return super.writeHead(status, ...args);
    }
  };
}

/** Responds if Node received no complete request: invalid or slow headers, or a slow body. */
function refuse(fault: NodeJS.ErrnoException, socket: Duplex, headers: Record<string, string>): void {
  if (fault.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const status = STATUS_BY_FAULT[fault.code ?? ""] ?? 400;
  const lines = Object.entries({ ...headers, connection: "close", "content-length": "0" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n`, () => socket.destroy());
}

function listenOn(server: Server, { HOST, PORT }: Pick<Config, "HOST" | "PORT">): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(PORT, HOST, () => {
      const address = server.address();
      const port = typeof address === "object" && address ? address.port : PORT;
      resolve(`http://${HOST.includes(":") ? `[${HOST}]` : HOST}:${port}`);
    });
  });
}

async function closeServer(
  server: Server,
  connections: Connections,
  { refuseWaiting, answerForUnfinished }: Closing,
): Promise<void> {
  const refuseLate = () => {
    refuseWaiting();
    connections.giveUp("unreceived", answerForUnfinished);
  };
  const timers = [
    // Data received so far is read first, so that no request is reset.
    setInterval(() => setImmediate(() => connections.endIdle()), IDLE_MS),
    setTimeout(refuseLate, BEGIN_MS),
    setTimeout(() => connections.giveUp("all", answerForUnfinished), ANSWER_MS),
    setTimeout(() => server.closeAllConnections(), ANSWER_MS + SEND_MS),
  ];
  // The HTTP server's own close would end idle connections at once, while their requests are in transit.
  await new Promise((resolve) => NetServer.prototype.close.call(server, resolve));
  for (const timer of timers) clearTimeout(timer);
  server.close();
}
