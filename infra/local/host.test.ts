import { rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openService } from "../../test/support/service.ts";

it("answers in the API's own words where what serves links fails, and logs why without the link", async () => {
  const lines: string[] = [];
  const service = await openService({}, undefined, { print: (some) => void lines.push(some) });
  onTestFinished(() => service.close());
  const link = new URL(await service.home.ports.blobs.presign("a/b", "put", 60));
  const folder = path.join(service.dataDir, "blobs");
  rmSync(folder, { recursive: true, force: true });
  writeFileSync(folder, "no folder any more");
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
