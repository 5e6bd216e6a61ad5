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

describe("the documentation", () => {
  it("has an index whose links all lead to pages, whose links do too", async () => {
    const linksIn = (text: string) =>
      [...text.matchAll(/\]\(([^()\s#]+)(?:#[^()\s]*)?\)/g)].map(([, link = ""]) => link);
    const origin = "http://service";
    const seen = new Set<string>();
    const queue = [`${origin}/llms.txt`];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      if (seen.has(next) || !next.startsWith(origin)) continue;
      seen.add(next);
      const { status, body } = await read(next.slice(origin.length));
      expect([next, status]).toEqual([next, 200]);
      if (typeof body === "string") for (const link of linksIn(body)) queue.push(new URL(link, next).href);
    }
    for (const page of ["/docs/README.md", "/docs/recall.md", "/docs/aws.md", "/docs/python.md", "/openapi.json"]) {
      expect(seen).toContain(origin + page);
    }
  });

  it.each([
    ["/llms.txt", "text/plain"],
    ["/docs/recall.md", "text/markdown"],
  ])("sends %s compressed, and not again", async (address, type) => {
    const { headers } = await target.service.request("GET", address, {
      key: null,
      headers: { "accept-encoding": "gzip" },
    });
    expect([headers.get("content-type"), headers.get("content-encoding"), headers.get("cache-control")]).toEqual([
      `${type}; charset=utf-8`,
      "gzip",
      "public, max-age=300",
    ]);
    const etag = headers.get("etag") ?? "";
    const again = await target.service.request("GET", address, { key: null, headers: { "if-none-match": etag } });
    expect(again.status).toBe(304);
  });

  it.each(["nothing.md", "..%2fpackage.json", "%2e%2e%2fpackage.json", "grafana-dashboard.json"])(
    "has no page %s",
    async (name) => {
      const { status, body } = await read(`/docs/${name}`);
      expect([status, body.error?.code]).toEqual([404, "NOT_FOUND"]);
    },
  );
});
