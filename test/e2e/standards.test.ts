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
