import { afterAll, describe, expect, it } from "vitest";
import { createOrganization, openService } from "../support/service.ts";
import { eventually } from "../support/target.ts";

const SECRET = "mango-kayak-42";
const TEXT = `Remember that our wifi password is ${SECRET}, the router is in the hall.`;
const MASKED = "Remember that our wifi password is [REDACTED:password], the router is in the hall.";
const PROJECT = "/api/v1/orgs/organizations/{org}/projects/default";

const service = await openService({});
afterAll(() => service.close());

/** A caller of an organization with this policy. */
async function organizationWith(policy?: string, users: Record<string, string> = {}) {
  const { org, key } = await createOrganization(service);
  const call = async (method: string, path: string, body?: object) => {
    const answer = await service.request(method, path, { key, body });
    return { status: answer.status, body: answer.body };
  };
  const succeed = async (method: string, path: string, body?: object) => {
    const { status, body: answer } = await call(method, path, body);
    expect(status, JSON.stringify(answer)).toBeLessThan(300);
    return answer.data ?? answer;
  };
  const secrets_policy_of_users = Object.entries(users).map(([user_id, own]) => ({ user_id, policy: own }));
  if (policy)
    await succeed("PATCH", PROJECT.replace("{org}", org), { secrets_policy: policy, secrets_policy_of_users });
  return { org, key, call, succeed };
}

describe("the title, metadata and context of a session", () => {
  const texts = { title: TEXT, metadata: { wifi: { password: SECRET } }, initial_context: { note: TEXT } };
  const ids = { agent_id: "a", user_id: "ada" };

  it("have placeholders, also for their user", async () => {
    const { succeed } = await organizationWith("mask");
    const { id } = await succeed("POST", "/sessions", { ...ids, ...texts });
    expect(await succeed("GET", `/sessions/${id}`)).toMatchObject({
      title: MASKED,
      metadata: { wifi: { password: "[REDACTED:password]" } },
      initial_context: { note: MASKED },
    });
    expect(await succeed("PUT", `/sessions/${id}`, { title: TEXT })).toMatchObject({ title: MASKED });
    const { updated_context } = await succeed("POST", `/sessions/${id}/context`, { context_updates: { more: TEXT } });
    expect(updated_context).toMatchObject({ more: MASKED });
    expect(await succeed("DELETE", `/sessions/${id}`, { reason: "done", summary: TEXT })).toMatchObject({
      summary: MASKED,
    });
  });

  it("follow the policy of the session's user", async () => {
    const { call, succeed } = await organizationWith("block", { ada: "store" });
    expect(await succeed("POST", "/sessions", { ...ids, ...texts })).toMatchObject(texts);
    const refused = await call("POST", "/sessions", { ...ids, user_id: "ben", ...texts });
    expect([refused.status, refused.body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(JSON.stringify(refused.body)).not.toContain(SECRET);
  });
});

describe("mask, the default on one machine", () => {
  it("keeps a password for its user alone", async () => {
    const { succeed } = await organizationWith();
    const { id, content } = await succeed("POST", "/memories", { content: TEXT, user_id: "ada" });
    expect(content).toBe(MASKED);
    expect((await succeed("GET", `/memories/${id}`)).content).toBe(MASKED);
    const find = async (filter: string) => {
      const { results } = await succeed("GET", `/search?q=wifi+password&threshold=0${filter}`);
      return results.map((result: { content: string }) => result.content);
    };
    expect(await find("&user_id=ada")).toEqual([TEXT]);
    expect(await find("")).toEqual([MASKED]);
    const recalled = await succeed("POST", "/recall", { query: "What is our wifi password?", user_id: "ada" });
    expect(recalled.context).toContain(SECRET);
    const { context } = await succeed("POST", "/recall", { query: "What is our wifi password?", user_id: "*" });
    expect(context).toContain("[REDACTED:password]");
    expect((await succeed("GET", "/memories?user_id=ada")).memories[0].content).toBe(TEXT);
    expect((await succeed("GET", "/memories")).memories[0].content).toBe(MASKED);
  });

  it("shows and finds the code of a door, which is no secret, but not a PIN", async () => {
    const { succeed } = await organizationWith("redact");
    await succeed("POST", "/memories", { content: "The garage code is 7731.", user_id: "ada" });
    await succeed("POST", "/memories", { content: "My bank card PIN is 9924.", user_id: "ada" });
    const { results } = await succeed("GET", "/search?q=garage+code+bank+card+PIN&threshold=0");
    const contents = results.map((result: { content: string }) => result.content).sort();
    expect(contents).toEqual(["My bank card PIN is [REDACTED:pin].", "The garage code is 7731."]);
    const { context } = await succeed("POST", "/recall", { query: "What is the garage code?", user_id: "ada" });
    expect(context).toContain("7731");
  });

  it("keeps what a placeholder stands for when the text is sent back", async () => {
    const { succeed } = await organizationWith();
    const { id } = await succeed("POST", "/memories", { content: TEXT, user_id: "ada" });
    await succeed("PUT", `/memories/${id}`, { content: MASKED.replace("hall", "kitchen") });
    const [{ content }] = (await succeed("GET", "/memories?user_id=ada")).memories;
    expect(content).toBe(TEXT.replace("hall", "kitchen"));
  });

  it("stores a new password beside the former one", async () => {
    const { succeed } = await organizationWith();
    const draft = (content: string) => ({ content, user_id: "ada", options: { skip_duplicates: true } });
    const one = await succeed("POST", "/memories", draft("Our wifi password is mango-kayak-42."));
    const same = await succeed("POST", "/memories", draft("Our wifi password is mango-kayak-42."));
    const other = await succeed("POST", "/memories", draft("Our wifi password is violet-raven-77."));
    expect([same.id === one.id, other.id === one.id]).toEqual([true, false]);
  });
});

describe("redact", () => {
  it("says what it did not keep", async () => {
    const { succeed } = await organizationWith("redact");
    const stored = await succeed("POST", "/memories", { content: TEXT, user_id: "ada" });
    expect(stored).toMatchObject({
      content: MASKED,
      left_out: [{ text: "[REDACTED:password]", reason: "secret" }],
    });
    expect((await succeed("GET", "/memories?user_id=ada")).memories[0].content).toBe(MASKED);
  });
});

describe("block", () => {
  it("refuses a text and says why", async () => {
    const { call, succeed } = await organizationWith("block");
    const { status, body } = await call("POST", "/memories", { content: TEXT, user_id: "ada" });
    expect([status, body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
    expect(JSON.stringify(body)).toContain("password");
    expect(JSON.stringify(body)).not.toContain(SECRET);
    expect((await succeed("GET", "/memories")).memories).toEqual([]);
  });
});

describe("store", () => {
  it("changes nothing, also for a single user", async () => {
    const { succeed } = await organizationWith("block", { ada: "store" });
    expect((await succeed("POST", "/memories", { content: TEXT, user_id: "ada" })).content).toBe(TEXT);
  });
});

describe("a scan of what is stored", () => {
  const scan = async (
    succeed: (method: string, path: string, body?: object) => Promise<{ job_id: string }>,
    dry_run: boolean,
  ) => {
    const { job_id } = await succeed("POST", "/admin/secrets/scan", { dry_run });
    return eventually(async () => {
      const { jobs } = (await succeed("GET", `/admin/jobs?job_id=${job_id}`)) as unknown as {
        jobs: { status: string }[];
      };
      expect(jobs[0]?.status).toBe("completed");
      return jobs[0];
    });
  };

  it("counts first, and then applies the policy to memories and their versions", async () => {
    const { org, succeed } = await organizationWith("store");
    const { id } = await succeed("POST", "/memories", { content: TEXT, user_id: "ada" });
    await succeed("PUT", `/memories/${id}`, { content: `${TEXT} It has changed.` });
    await succeed("POST", "/memories", { content: "I live in Turku.", user_id: "ada" });
    await succeed("PATCH", PROJECT.replace("{org}", org), { secrets_policy: "redact" });
    const expected = { checked: 2, changed: 1, found: { password: 1 } };
    expect(await scan(succeed, true)).toMatchObject({ type: "scan_secrets", dry_run: true, secrets: expected });
    expect((await succeed("GET", `/memories/${id}`)).content).toContain(SECRET);
    expect(await scan(succeed, false)).toMatchObject({ secrets: expected });
    const { items } = await service.runtime.ports.records.query({ pk: `${org}#${id}`, limit: 100 });
    expect(JSON.stringify(items)).not.toContain(SECRET);
    expect((await succeed("GET", `/memories/${id}/versions`)).versions).toHaveLength(2);
    expect((await scan(succeed, false)) as object).toMatchObject({ secrets: { changed: 0 } });
  });

  it("gives a user back what was masked", async () => {
    const { org, succeed } = await organizationWith("mask");
    const { id } = await succeed("POST", "/memories", { content: TEXT, user_id: "ada" });
    await succeed("PATCH", PROJECT.replace("{org}", org), { secrets_policy: "store" });
    await scan(succeed, false);
    expect((await succeed("GET", `/memories/${id}`)).content).toBe(TEXT);
  });
});
