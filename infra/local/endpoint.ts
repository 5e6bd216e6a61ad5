import type { Server } from "node:http";
import { createAdaptorServer } from "@hono/node-server";
import type { Hono } from "hono";
import type { Config } from "../../shared/kernel/config.ts";

/** Longest that open requests may take to end. */
const DRAIN_MS = 10_000;

/** Where a host answers: HOST and PORT, or for PORT 0 whichever is free. */
export class Endpoint {
  readonly #config: Pick<Config, "HOST" | "PORT">;
  #server: Server | undefined;
  /** Base URL; before it listens, with the port that it is to have. */
  url: string;

  constructor(config: Pick<Config, "HOST" | "PORT">) {
    this.#config = config;
    this.url = `http://${config.HOST}:${config.PORT}`;
  }

  /** Resolves to the base URL. Rejects when the port is taken. */
  async listen(fetch: Hono["fetch"]): Promise<string> {
    this.#server = createAdaptorServer({ fetch }) as Server;
    this.url = await listenOn(this.#server, this.#config);
    return this.url;
  }

  /** Lets open requests end. */
  async close(): Promise<void> {
    if (this.#server) await closeServer(this.#server);
  }
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
