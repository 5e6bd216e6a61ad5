import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTarget, type Target } from "../support/target.ts";

let target: Target;

beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());

const read = (path: string) => target.service.request("GET", path, { key: null });

/** The address of the only script that the page runs. */
async function scriptOf(page: string): Promise<string> {
  const scripts = [...page.matchAll(/<script src="([^"]+)"><\/script>/g)].map(([, source = ""]) => source);
  expect(scripts).toHaveLength(1);
  return scripts[0]!;
}

describe("the API reference", () => {
  it("runs only scripts of the service and sends requests only to it", async () => {
    const { status, headers } = await read("/docs");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("content-security-policy")?.split("; ")).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'unsafe-inline'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
  });

  it("refers to nothing outside the service and contains no code", async () => {
    const { body: page } = await read("/docs");
    const targets = [...page.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, target = ""]) => target);
    expect(targets).toEqual(["./console/icon.svg", "./openapi.json", await scriptOf(page)]);
    for (const path of targets) expect([path, (await read(path.slice(1))).status]).toEqual([path, 200]);
    expect(page).not.toMatch(/https?:|<style|\sstyle=|\son\w+=/);
  });

  it("loads a compressed script that is cached by its content hash", async () => {
    const page = await read("/docs");
    expect(page.headers.get("cache-control")).toBe("no-cache");
    const path = await scriptOf(page.body);
    expect(path).toMatch(/^\.\/docs\/scalar-[0-9a-f]{16}\.js$/);
    const { headers, bytes } = await read(path.slice(1));
    expect(headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(headers.get("content-encoding")).toBe("gzip");
    expect(headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    // Over HTTP, fetch has decompressed it.
    const code = bytes[0] === 0x1f ? gunzipSync(bytes) : bytes;
    expect(code.length).toBeGreaterThan(1_000_000);
    expect(code.includes("createApiReference")).toBe(true);
  });

  it.each(["scalar.js", "scalar-0000000000000000.js", "..%2Fservice.ts", "constructor"])(
    "serves no other file: %s",
    async (name) => {
      const { status, body } = await read(`/docs/${name}`);
      expect([status, body.error?.code]).toEqual([404, "NOT_FOUND"]);
    },
  );
});
