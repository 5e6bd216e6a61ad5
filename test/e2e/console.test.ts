import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTarget, type Target } from "../support/target.ts";

let target: Target;

beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());

const read = (path: string) => target.service.request("GET", path, { key: null });

/** Returns the names of files that a file of the console loads: a page by attributes, a module by imports. */
function namedIn(text: string): string[] {
  const inPage = [...text.matchAll(/\s(?:href|src)="\.\/console\/([^"]+)"/g)];
  const inModule = [...text.matchAll(/(?:from|import\()\s*"\.\/([^"]+)"/g)];
  return [...inPage, ...inModule].map(([, name = ""]) => name);
}

/** Returns the page and all files that it loads, by name, as served. */
async function readAll(): Promise<Map<string, Awaited<ReturnType<typeof read>>>> {
  const files = new Map([["", await read("/console")]]);
  for (const { bytes } of files.values()) {
    for (const name of namedIn(bytes.toString("utf8"))) {
      if (!files.has(name)) files.set(name, await read(`/console/${name}`));
    }
  }
  return files;
}

describe("the console's files", () => {
  it("are served without a credential, each with its content type", async () => {
    const types: Record<string, string> = {
      css: "text/css",
      js: "text/javascript",
      svg: "image/svg+xml",
      "": "text/html",
    };
    const files = await readAll();
    expect(files.size).toBe(4);
    for (const [name, { status, headers }] of files) {
      expect([name, status]).toEqual([name, 200]);
      const [type] = (headers.get("content-type") ?? "").split(";");
      expect([name, type]).toEqual([name, types[name.split(".")[1] ?? ""]]);
      expect(headers.get("x-content-type-options")).toBe("nosniff");
    }
  });

  it("have a content security policy that allows the service itself only", async () => {
    for (const [, { headers }] of await readAll()) {
      const policy = new Map(
        (headers.get("content-security-policy") ?? "").split("; ").map((each): [string, string] => {
          const [name = "", ...values] = each.split(" ");
          return [name, values.join(" ")];
        }),
      );
      expect(policy.get("default-src")).toBe("'none'");
      for (const what of ["script-src", "style-src", "img-src", "connect-src"]) expect(policy.get(what)).toBe("'self'");
      for (const what of ["base-uri", "form-action", "frame-ancestors"]) expect(policy.get(what)).toBe("'none'");
      expect(policy.get("require-trusted-types-for")).toBe("'script'");
      expect([...policy.values()].join(" ")).not.toMatch(/unsafe|https?:|\*/);
      expect(headers.get("referrer-policy")).toBe("no-referrer");
    }
  });

  it("reference nothing outside the service, and contain no inline code and no HTML injection", async () => {
    for (const [name, { bytes }] of await readAll()) {
      const text = bytes.toString("utf8").replaceAll("http://www.w3.org/2000/svg", "");
      expect([name, text.match(/https?:|["'(]\/\/|@import|url\((?!"#)/)]).toEqual([name, null]);
      expect([
        name,
        text.match(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|localStorage/),
      ]).toEqual([name, null]);
    }
    const page = (await read("/console")).body;
    expect(page).not.toMatch(/<style|\sstyle=|\son\w+=/);
    expect(page.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="./console/console.js">']);
  });

  it("are named relative to the page, because a proxy may add a prefix", async () => {
    expect((await read("/console")).body).toContain('src="./console/console.js"');
    for (const path of ["/console/", "/console/people", "/console/memories?q=tea&user=ada"]) {
      expect((await read(path)).body).toContain('src="../console/console.js"');
    }
    expect((await read("/console/people/")).body).toContain('src="../../console/console.js"');
    expect((await read("/")).headers.get("location")).toBe("./console");
  });

  it("are compressed for clients that take it, and sent once", async () => {
    const send = (headers: Record<string, string>) =>
      target.service.request("GET", "/console/style.css", { key: null, headers });
    const plain = await send({ "accept-encoding": "identity" });
    const zipped = await send({ "accept-encoding": "br, gzip" });
    expect([plain.headers.get("content-encoding"), zipped.headers.get("content-encoding")]).toEqual([null, "gzip"]);
    const code = zipped.bytes[0] === 0x1f ? gunzipSync(zipped.bytes) : zipped.bytes;
    expect(code.equals(plain.bytes)).toBe(true);
    const refused = await send({ "accept-encoding": "gzip;q=0" });
    expect(refused.headers.get("content-encoding")).toBeNull();
    const etag = plain.headers.get("etag") ?? "";
    const again = await send({ "if-none-match": `W/"other", W/${etag}` });
    expect([again.status, again.bytes.length, again.headers.get("etag")]).toEqual([304, 0, etag]);
  });

  it.each([
    "nothing.js",
    "page.html",
    "tsconfig.json",
    "spread.test.ts",
    "..%2Fservice.ts",
    "%2e%2e%2fservice.ts",
    "..%5Cservice.ts",
    "console.js%00.css",
    "main.js",
  ])("do not include %s", async (name) => {
    const { status, body } = await read(`/console/${name}`);
    expect([status, body.error?.code]).toEqual([404, "NOT_FOUND"]);
  });
});
