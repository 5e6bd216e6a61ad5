import type { MemoryClient } from "mem0ai";
import { vi } from "vitest";
import { serveOnLoopback } from "./loopback.ts";
import type { Answered } from "./service.ts";
import type { Caller, Target } from "./target.ts";

/** mem0's own Node client, connected to a service under test. */
export interface Mem0 {
  /** Returns a client with a caller's key. */
  clientOf(caller: Caller): MemoryClient;
  close(): Promise<void>;
}

export async function openMem0({ service }: Target): Promise<Mem0> {
  vi.stubEnv("MEM0_TELEMETRY", "false");
  const { MemoryClient } = await import("mem0ai");
  const server = await serveOnLoopback(service);
  return {
    clientOf: ({ key }) => new MemoryClient({ apiKey: key, host: server.url }),
    close: async () => {
      vi.unstubAllEnvs();
      await server.close();
    },
  };
}

/** Sends a request like mem0's Python client: with the key as a token and a slash at the end of the path. */
export function asPython({ service, key }: Caller, method: string, path: string, body?: unknown): Promise<Answered> {
  const headers = { authorization: `Token ${key}` };
  return service.request(method, path, { key: null, headers, ...(body !== undefined && { body }) });
}
