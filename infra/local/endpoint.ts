import { type IncomingMessage, type Server, type ServerOptions, ServerResponse, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { createAdaptorServer } from "@hono/node-server";
import type { Hono } from "hono";
import { securityHeadersOf } from "../../shared/http/security-headers.ts";
import type { Config } from "../../shared/kernel/config.ts";

/** Longest that open requests may take to end. */
const DRAIN_MS = 10_000;

/** Node looks this often in the time that a request has whether one has exceeded it. */
const CHECKS_PER_TIMEOUT = 10;

/** Statuses of the faults that Node finds before there is a request; any other fault is a 400. */
const STATUS_BY_FAULT: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
};

export type EndpointConfig = Pick<Config, "HOST" | "PORT" | "PLATFORM" | "REQUEST_TIMEOUT_SECONDS">;

/** Where a host answers: HOST and PORT, or for PORT 0 whichever is free. */
export class Endpoint {
  readonly #config: EndpointConfig;
  #server: Server | undefined;
  /** Base URL; before it listens, with the port that it is to have. */
  url: string;

  constructor(config: EndpointConfig) {
    this.#config = config;
    this.url = `http://${config.HOST}:${config.PORT}`;
  }

  /** Resolves to the base URL. Rejects when the port is taken. */
  async listen(fetch: Hono["fetch"]): Promise<string> {
    const headers = securityHeadersOf(this.#config);
    const serverOptions = { ...timeoutsOf(this.#config), ServerResponse: responseWith(headers) };
    this.#server = createAdaptorServer({ fetch, serverOptions }) as Server;
    this.#server.on("clientError", (fault, socket) => refuse(fault, socket, headers));
    this.url = await listenOn(this.#server, this.#config);
    return this.url;
  }

  /** Lets open requests end. */
  async close(): Promise<void> {
    if (this.#server) await closeServer(this.#server);
  }
}

/** Headers and body together have one time limit, so that nobody keeps a connection by sending slowly. */
function timeoutsOf({ REQUEST_TIMEOUT_SECONDS }: EndpointConfig): ServerOptions {
  const timeout = REQUEST_TIMEOUT_SECONDS * 1000;
  return {
    headersTimeout: timeout,
    requestTimeout: timeout,
    connectionsCheckingInterval: timeout / CHECKS_PER_TIMEOUT,
  };
}

/** Answers that carry the headers also where Node itself writes them: no Host header, an expectation it does not know. */
function responseWith(headers: Record<string, string>): typeof ServerResponse<IncomingMessage> {
  return class extends ServerResponse<IncomingMessage> {
    constructor(...given: ConstructorParameters<typeof ServerResponse<IncomingMessage>>) {
      super(...given);
      this.setHeaders(new Map(Object.entries(headers)));
    }
  };
}

/** Answers what never became a request: broken or slow headers, a slow body. */
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

async function closeServer(server: Server): Promise<void> {
  const force = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeIdleConnections();
  });
  clearTimeout(force);
}
