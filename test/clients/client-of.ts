import { MemoryClient } from "../../clients/typescript/src/index.ts";
import type { LocalService } from "../support/service.ts";

/** A client whose requests the service handles without a socket; the default key is the admin's. */
export function clientOf({ host, adminKey }: LocalService, apiKey = adminKey): MemoryClient {
  const send = (input: string | URL | Request, init?: RequestInit) => host.app.fetch(new Request(input, init));
  return new MemoryClient({ baseUrl: "http://service.test", apiKey, fetch: send as typeof fetch });
}
