import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTarget, type Target } from "../support/target.ts";

let target: Target;

beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());

const read = (path: string) => target.service.request("GET", path, { key: null });

describe("the API reference", () => {
  it("runs and shows only files of the service, and sends requests only to it", async () => {
    const { status, headers } = await read("/docs");
    expect(status).toBe(200);
    expect(headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(headers.get("cache-control")).toBe("no-cache");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("content-security-policy")?.split("; ")).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self'",
      "connect-src 'self'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
  });

  it.each([
    ["/docs", "./"],
    ["/docs/", "../"],
  ])("refers at %s to nothing outside the service and contains no code", async (address, root) => {
    const { body: page } = await read(address);
    const targets = [...page.matchAll(/(?:href|src)="([^"#]+)"/g)].map(([, each = ""]) => each);
    const files = ["icon.svg", "style.css", "reference.css", "reference.js"].map((name) => `${root}console/${name}`);
    expect([...new Set(targets)]).toEqual([...files, `${root}console`, `${root}openapi.json`]);
    for (const each of targets) {
      expect([each, (await read(each.slice(root.length - 1))).status]).toEqual([each, 200]);
    }
    expect(page).not.toMatch(/https?:|<style|\sstyle=|\son\w+=/);
  });

  it("has no files of its own", async () => {
    const { status, body } = await read("/docs/reference.js");
    expect([status, body.error?.code]).toEqual([404, "NOT_FOUND"]);
  });
});
