import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createOrganization, type LocalService, openService } from "../../../test/support/service.ts";
import { bearer, signInUser } from "../../../test/support/users.ts";
import { hashSecret } from "./api-keys.ts";
import { Authenticator } from "./authenticate.ts";
import { credentialIn } from "./credential.ts";

vi.mock(import("./api-keys.ts"), { spy: true });

const TOKEN = "eyJhbGciOiJFZERTQSJ9.e30.c2ln";
const COOKIE = "c".repeat(43);
const shownIn = (headers: Record<string, string>) => credentialIn(new Headers(headers));

describe("the credential of a request", () => {
  it.each([
    ["a key", { "x-api-key": "a key" }, "a key", "key"],
    ["a key before a bearer", { "x-api-key": "a key", authorization: `Bearer ${TOKEN}` }, "a key", "key"],
    ["a token in the place of a key", { "x-api-key": TOKEN }, TOKEN, "key"],
    ["a bearer token", { authorization: `Bearer ${TOKEN}` }, TOKEN, "token"],
    ["a bearer token as mem0's clients send it", { authorization: `token ${TOKEN}` }, TOKEN, "token"],
    ["a key as a bearer", { authorization: "bearer ak_live_1" }, "ak_live_1", "key"],
    ["the cookie of a session", { cookie: `a=1; __Host-memory_session=${COOKIE}` }, COOKIE, "session"],
  ])("is %s", (_what, headers: Record<string, string>, secret, kind) => {
    expect(shownIn(headers)).toMatchObject({ secret, kind });
  });

  it.each([
    ["nothing is shown", {}],
    ["the key is empty, whatever the bearer is", { "x-api-key": "", authorization: `Bearer ${TOKEN}` }],
    ["the scheme is different", { authorization: "Basic YTpi" }],
    ["the bearer is empty", { authorization: "Bearer" }],
    [
      "the cookie is beside an unknown scheme",
      { authorization: "Basic YTpi", cookie: `__Host-memory_session=${COOKIE}` },
    ],
    ["another cookie ends like the session's", { cookie: `x__Host-memory_session=${COOKIE}` }],
    ["the cookie has another length", { cookie: `__Host-memory_session=${COOKIE}c` }],
  ])("is missing if %s", (_what, headers: Record<string, string>) => {
    expect(shownIn(headers)).toBeUndefined();
  });
});

describe("a credential is hashed", () => {
  let service: LocalService;
  let org: string;
  let key: string;
  let token: string;
  beforeAll(async () => {
    service = await openService();
    ({ org, key } = await createOrganization(service));
    ({ token } = await signInUser(service, { org, role: "admin" }));
  });
  afterAll(() => service.close());
  beforeEach(() => void vi.mocked(hashSecret).mockClear());

  const timesHashed = () => vi.mocked(hashSecret).mock.calls.length;

  it("once per request on one machine, whether it is known and accepted or not", async () => {
    for (const shown of [key, key, token, token, "unknown"]) {
      vi.mocked(hashSecret).mockClear();
      const { status } = await service.request("GET", "/api-keys", { key: null, headers: bearer(shown) });
      expect([status, timesHashed()]).toEqual([shown === "unknown" ? 401 : 200, 1]);
    }
  });

  it("never for a token if no other request waits", async () => {
    const { ports, clock, tokens, findAgent } = service.runtime;
    const authenticator = new Authenticator({ records: ports.records, clock, tokens, findAgent });
    expect((await authenticator.authenticate(shownIn(bearer(token)))).org).toBe(org);
    expect(timesHashed()).toBe(0);
    expect((await authenticator.authenticate(shownIn(bearer(key)))).org).toBe(org);
    expect(timesHashed()).toBe(1);
  });
});
