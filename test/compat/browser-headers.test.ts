import { MemoryClient } from "mem0ai";
import { afterEach, expect, it, vi } from "vitest";
import { REQUEST_HEADERS } from "../../shared/runtime/http/cors.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

it("lets a page in a browser use mem0's own client", async () => {
  for (const [name, value] of Object.entries({ TELEMETRY: "false", SOURCE: "page", APPLICATION: "page" })) {
    vi.stubEnv(`MEM0_${name}`, value);
  }
  const sent = new Set<string>();
  vi.stubGlobal("fetch", async (_url: string, { headers }: { headers: Record<string, string> }) => {
    for (const name of Object.keys(headers)) sent.add(name.toLowerCase());
    return Response.json({ status: "ok" });
  });
  const client = new MemoryClient({ apiKey: "key", host: "https://api.example.com" });
  await client.ping();
  await client.add([{ role: "user", content: "Ada sails." }]);
  expect([...sent]).toEqual(expect.arrayContaining(["mem0-user-id", "x-mem0-client", "x-mem0-source"]));
  expect(REQUEST_HEADERS.map((name) => name.toLowerCase())).toEqual(expect.arrayContaining([...sent]));
});
