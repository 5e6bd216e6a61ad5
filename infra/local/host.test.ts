import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openService } from "../../test/support/service.ts";

it("answers with an error of the API if serving a link fails, and logs the cause without the link", async () => {
  const lines: string[] = [];
  const service = await openService({}, undefined, { print: (some) => void lines.push(some) });
  onTestFinished(() => service.close());
  const link = new URL(await service.runtime.ports.blobs.presign("a/b", "put", 60));
  const folder = path.join(service.dataDir, "blobs");
  rmSync(folder, { recursive: true, force: true });
  writeFileSync(folder, "not a folder");
  const response = await service.host.app.fetch(new Request(link, { method: "PUT", body: "text" }));
  expect(response.status).toBe(500);
  expect(await response.json()).toMatchObject({
    success: false,
    error: { code: "INTERNAL_ERROR" },
    meta: { request_id: response.headers.get("x-request-id") },
  });
  const logged = lines.join("");
  expect(logged).toContain("UNEXPECTED_ERROR");
  expect(logged).not.toContain(link.searchParams.get("signature"));
});

it("is healthy but not ready while it stops, and refuses other requests without executing them", async () => {
  const { host, adminKey, request } = await openService();
  const ask = (path: string, init?: RequestInit) => host.app.fetch(new Request(`http://localhost${path}`, init));
  expect((await request("POST", "/memories", { body: { content: "Ada keeps bees." } })).status).toBe(201);
  const closed = host.close();
  const headers = { "x-api-key": adminKey, "content-type": "application/json" };
  const [health, ...refused] = await Promise.all([
    ask("/health"),
    ask("/ready"),
    ask("/memories", { method: "POST", headers, body: JSON.stringify({ content: "Bob keeps cats." }) }),
    ask("/nowhere"),
  ]);
  await closed;
  expect(health.status).toBe(200);
  for (const response of refused) {
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, expect.stringMatching(/^\d+$/)]);
    expect(await response.json()).toMatchObject({
      success: false,
      error: { code: "SERVICE_UNAVAILABLE", message: expect.stringContaining("Try again") },
      meta: { request_id: response.headers.get("x-request-id") },
    });
  }
});
