import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Caller, openTarget, type Target } from "../support/target.ts";

let target: Target;
let caller: Caller;
beforeAll(async () => {
  target = await openTarget();
  caller = await target.organization();
});
afterAll(() => target.close());

const PROBLEM = "application/problem+json";
const request = (path: string, accept?: string, key = caller.key) =>
  target.service.request("GET", path, { key, ...(accept !== undefined && { headers: { accept } }) });

describe("an error", () => {
  it("is a problem of RFC 9457 for a client that prefers it", async () => {
    const { status, headers, body } = await request("/memories/mem_none", `${PROBLEM}, application/json;q=0.5`);
    expect(headers.get("content-type")).toBe(PROBLEM);
    expect(body).toEqual({
      ...{ type: "about:blank", title: "Not Found", status, code: "MEMORY_NOT_FOUND" },
      ...{ detail: expect.any(String), details: expect.any(Object), timestamp: expect.any(String) },
      request_id: headers.get("x-request-id"),
    });
    const unknown = await request("/nowhere", PROBLEM);
    expect(unknown.body).toMatchObject({ status: 404, code: "NOT_FOUND" });
    const refused = await request("/memories", PROBLEM, "ak_live_none");
    expect([refused.body.status, refused.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringContaining("Bearer"),
    ]);
  });

  it("is the envelope for everyone else", async () => {
    for (const accept of [undefined, "*/*", "application/json", `application/json, ${PROBLEM};q=0.9`]) {
      const { headers, body } = await request("/memories/mem_none", accept);
      expect(headers.get("content-type")).toBe("application/json");
      expect(body.error.code).toBe("MEMORY_NOT_FOUND");
    }
  });
});

describe("a list", () => {
  it("links to its next page, to the end", async () => {
    for (const n of [1, 2, 3, 4, 5])
      await caller.post("/memories", { content: `Note ${n} about tides.`, user_id: "a&b" });
    const seen: string[] = [];
    let path: string | undefined = `/memories?user_id=${encodeURIComponent("a&b")}&limit=2`;
    for (let page = 0; path !== undefined && page < 5; page++) {
      const { headers, body } = await request(path);
      seen.push(...body.data.memories.map(({ content }: { content: string }) => content));
      path = /^<([^>]+)>; rel="next"$/.exec(headers.get("link") ?? "")?.[1];
    }
    expect(seen.toSorted()).toEqual([1, 2, 3, 4, 5].map((n) => `Note ${n} about tides.`));
  });
});

describe("a GET of what a client has already", () => {
  const again = (path: string, tag: string) =>
    target.service.request("GET", path, { key: caller.key, headers: { "if-none-match": tag } });

  it("answers 304 without a body, with the headers of the contract, until the content is another", async () => {
    for (const n of [1, 2, 3]) await caller.post("/memories", { content: `Mast ${n} of the ship.`, user_id: "tagged" });
    const path = "/memories?user_id=tagged&limit=2";
    const first = await request(path);
    const tag = first.headers.get("etag") ?? "";
    expect(tag).toMatch(/^W\/"[\w-]{22}"$/);
    for (const known of [tag, tag.slice(2), `"other", ${tag}`]) {
      const { status, headers, bytes } = await again(path, known);
      expect([status, bytes.length, headers.get("etag")]).toEqual([304, 0, tag]);
      expect(headers.get("link")).toBe(first.headers.get("link"));
      expect(headers.get("cache-control")).toBe("no-store");
      for (const name of ["x-request-id", "ratelimit", "ratelimit-policy", "x-content-type-options"]) {
        expect([name, headers.has(name)]).toEqual([name, first.headers.has(name)]);
      }
    }
    expect((await again(path, '"other"')).status).toBe(200);
    await caller.post("/memories", { content: "Mast 4 of the ship.", user_id: "tagged" });
    const changed = await again(path, tag);
    expect([changed.status, changed.body.data.memories.length]).toEqual([200, 2]);
    expect(changed.headers.get("etag")).not.toBe(tag);
  });

  it("is another answer for who may see less", async () => {
    const tag = (await request("/memories?user_id=tagged")).headers.get("etag") ?? "";
    const other = await target.organization();
    const { status, body } = await target.service.request("GET", "/memories?user_id=tagged", {
      key: other.key,
      headers: { "if-none-match": tag },
    });
    expect([status, body.data.memories]).toEqual([200, []]);
  });

  it("is not what a version is for, which If-Match takes, and a digest is refused there", async () => {
    const { id } = (await caller.post("/memories", { content: "The keel is oak.", user_id: "tagged" })).body.data;
    const { headers } = await request(`/memories/${id}`);
    expect(headers.get("etag")).toBe('"1"');
    expect((await again(`/memories/${id}`, '"1"')).status).toBe(200);
    const list = await request("/memories?user_id=tagged");
    const { status } = await target.service.request("PUT", `/memories/${id}`, {
      key: caller.key,
      headers: { "if-match": list.headers.get("etag") ?? "" },
      body: { content: "The keel is elm." },
    });
    expect(status).toBe(412);
  });

  it("has no ETag after an error, nor in another form than JSON", async () => {
    for (const path of ["/memories/mem_none", "/memories?limit=none", "/profiles/tagged?format=text"]) {
      expect([path, (await request(path)).headers.get("etag")]).toEqual([path, null]);
    }
  });
});
