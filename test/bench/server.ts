/**
 * Runs a server in its own process, for `served.ts`: the service on DATA_DIR or, if BARE_ANSWER is set, a Hono app that
 * answers it.
 */
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { openHost } from "../../infra/local/host.ts";
import { loadConfig } from "../../shared/entry/config.ts";
import { bareApp } from "./bare.ts";

export interface Ready {
  url: string;
  apiKey: string;
}

/** The resource usage of the process so far. */
export interface Use {
  cpuMs: number;
  residentBytes: number;
}

const { BARE_ANSWER, DATA_DIR = "" } = process.env;
process.on("message", () => process.send?.(use()));
process.send?.(BARE_ANSWER === undefined ? await startService() : await startBare(BARE_ANSWER));

async function startService(): Promise<Ready> {
  const host = await openHost(loadConfig(process.env));
  const close = () => void host.close().then(() => process.exit());
  process.on("disconnect", close);
  await host.modelLoaded;
  return { url: await host.listen(), apiKey: host.firstKey.secret };
}

async function startBare(json: string): Promise<Ready> {
  const server = createAdaptorServer({ fetch: bareApp(JSON.parse(json), DATA_DIR).fetch }) as Server;
  process.on("disconnect", () => process.exit());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, apiKey: "" };
}

function use(): Use {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000, residentBytes: process.memoryUsage.rss() };
}
