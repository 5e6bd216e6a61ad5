import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startReceiver, type WebhookReceiver } from "../fixtures/webhook-receiver.ts";
import { otpOf, Person, registered, signIn } from "../support/people.ts";
import { openSkewed, type SkewedProcess, type SkewedProcesses } from "./skewed-processes.ts";

const SKEW_MS = 10 * 60_000;
const TIMEOUT_MS = 120_000;
/** Longer than the difference between the clocks, and than any lease. */
const TURN_MS = 20 * 60_000;
const MAX_TURNS = 10;

describe.each([
  ["ahead", SKEW_MS],
  ["behind", -SKEW_MS],
])("two processes, one of them ten minutes %s", { timeout: TIMEOUT_MS }, (_name, skewMs) => {
  let both: SkewedProcesses;

  beforeEach(async () => {
    both = await openSkewed(skewMs);
  });
  afterEach(() => both.close());

  async function done(
    by: SkewedProcess,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) {
    const answer = await by.request(method, path, { body, ...(headers && { headers }) });
    expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body.data ?? answer.body;
  }

  const store = (by: SkewedProcess, content: string, key?: string) =>
    done(by, "POST", "/memories", { content }, key === undefined ? undefined : { "idempotency-key": key });

  it("carry out a request once a key, whichever is asked, one after the other or both at once", async () => {
    const { right, skewed } = both;
    for (const [first, second] of [
      [right, skewed],
      [skewed, right],
    ] as const) {
      const key = crypto.randomUUID();
      const { id } = await store(first, "Ada prefers tea.", key);
      expect((await store(second, "Ada prefers tea.", key)).id).toBe(id);
    }
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        both.inTurn().request("POST", "/memories", {
          body: { content: "Grace sails." },
          headers: { "idempotency-key": "at once" },
        }),
      ),
    );
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    const { memories } = await done(right, "GET", "/memories");
    expect(memories.filter(({ content }: { content: string }) => content === "Grace sails.")).toHaveLength(1);
  });

  it("number versions by what was written, not by when, and search finds the last", async () => {
    const { id } = await store(both.inTurn(), "version1 of the tale.");
    for (let version = 2; version <= 7; version++) {
      const changed = await done(both.inTurn(), "PUT", `/memories/${id}`, {
        content: `version${version} of the tale.`,
      });
      expect(changed.version).toBe(version);
      for (const by of [both.right, both.skewed]) {
        expect((await done(by, "GET", `/memories/${id}`)).content).toBe(`version${version} of the tale.`);
        const { results } = await done(by, "GET", `/search?q=version${version}`);
        expect(results[0]).toMatchObject({ id, content: `version${version} of the tale.` });
      }
    }
    const { versions } = await done(both.right, "GET", `/memories/${id}/versions`);
    expect(versions.map(({ version }: { version: number }) => version)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    await done(both.skewed, "DELETE", `/memories/${id}`);
    for (const by of [both.right, both.skewed]) {
      expect((await by.request("GET", `/memories/${id}`)).status).toBe(404);
      expect((await done(by, "GET", "/search?q=tale")).results).toEqual([]);
    }
  });

  it("keep the messages of a session in the order that they came in", async () => {
    const { id } = await done(both.inTurn(), "POST", "/sessions", { agent_id: "guide", user_id: "ada" });
    const contents = Array.from({ length: 12 }, (_, index) => `message ${index}`);
    for (const content of contents) {
      await done(both.inTurn(), "POST", `/sessions/${id}/messages`, { role: "user", content });
    }
    const { messages } = await done(both.right, "GET", `/sessions/${id}/messages`);
    expect(messages.map(({ content }: { content: string }) => content)).toEqual(contents);
    const times = messages.map(
      ({ timestamp, created_at = timestamp }: { timestamp: string; created_at?: string }) => created_at,
    );
    expect(times).toEqual(times.toSorted());
    expect((await done(both.skewed, "GET", `/sessions/${id}`)).message_count).toBe(contents.length);
  });

  it("tell a webhook of each event, by one delivery, and leave none pending", async () => {
    const receiver: WebhookReceiver = await startReceiver((response) => {
      response.statusCode = receiver.received.length % 3 === 0 ? 500 : 200;
      response.end();
    });
    const delivery_config = { timeout_ms: 2_000, retry_count: 10, retry_delay_ms: 1_000 };
    for (const by of [both.right, both.skewed]) {
      const draft = {
        name: "Archive",
        url: receiver.url,
        events: ["memory.created", "memory.updated"],
        delivery_config,
      };
      await done(by, "POST", "/webhooks", draft);
    }
    // A webhook receives events since its creation, by the clocks of its creator and of the feed.
    await both.turn(Math.max(0, skewMs));
    const ids: string[] = [];
    for (let made = 0; made < 6; made++) ids.push((await store(both.inTurn(), `tale ${made}`)).id);
    for (const id of ids) await done(both.inTurn(), "PUT", `/memories/${id}`, { content: "changed" });
    for (let turn = 0; turn < MAX_TURNS; turn++) {
      await both.turn(TURN_MS);
      const { delivery_logs } = await done(both.right, "GET", "/webhooks/delivery-logs?status=pending");
      if (delivery_logs.length === 0) break;
      expect(turn, JSON.stringify(delivery_logs)).toBeLessThan(MAX_TURNS - 1);
    }
    await receiver.close();
    const told = Map.groupBy(receiver.received, ({ body }) => `${body.event} ${body.memory.id}`);
    expect(told.size).toBe(2 * ids.length);
    for (const [name, requests] of told) {
      expect(new Set(requests.map(({ body }) => body.id)).size, `ids of ${name}`).toBe(1);
      const deliveries = new Set(requests.map(({ headers }) => headers["x-webhook-delivery"]));
      expect(deliveries.size, `deliveries of ${name}`).toBe(2);
    }
  });

  it("finish what is left to workers, once each", async () => {
    const { id } = await store(both.right, "Ada Lovelace moved to Zurich in May and prefers tea.");
    for (let turn = 0; turn < 4; turn++) {
      await done(both.inTurn(), "POST", "/compression/pipeline/submit", { memory_id: id, priority: 1 });
    }
    const said = { messages: [{ role: "user", content: "I moved to Zurich. I prefer tea." }], user_id: "ada" };
    const { event_id } = await done(both.skewed, "POST", "/v3/memories/add", said);
    for (let turn = 0; turn < 3; turn++) await both.turn(TURN_MS);
    for (const by of [both.right, both.skewed]) {
      const { jobs } = await done(by, "GET", "/compression/pipeline/status");
      expect([jobs.queued, jobs.processing, jobs.failed]).toEqual([0, 0, 0]);
      expect((await done(by, "GET", `/v1/event/${event_id}`)).status).toBe("SUCCEEDED");
    }
    const { memories } = await done(both.right, "GET", "/memories?user_id=ada");
    const contents = memories.map(({ content }: { content: string }) => content);
    expect(contents.length).toBeGreaterThan(0);
    expect(new Set(contents).size).toBe(contents.length);
  });

  it("take each other's tokens, and a code of the second factor once", async () => {
    const [here, there] = [new Person(both.right), new Person(both.skewed)];
    for (const [one, other] of [
      [here, there],
      [there, here],
    ] as const) {
      const by = one === here ? both.right : both.skewed;
      const { email } = await registered(one);
      const { access_token, refresh_token } = await signIn(one, email);
      expect((await other.as(access_token).get("/auth/me")).status).toBe(200);
      expect((await other.post("/auth/refresh", { refresh_token })).status).toBe(200);
      // A used token is invalid everywhere, and so are the tokens issued for it.
      expect((await one.post("/auth/refresh", { refresh_token })).status).toBe(401);
      const again = await signIn(one, email);
      const self = one.as(again.access_token);
      const { secret } = await self.done("/auth/2fa/setup");
      const otp = otpOf(secret, by.now());
      await self.done("/auth/2fa/enable", { otp });
      for (const way of [one, other]) {
        const { challenge_token } = await signIn(way, email);
        expect((await way.post("/auth/2fa/verify", { challenge_token, otp })).status).toBe(401);
      }
    }
  });

  it("take a key as long as each one's clock allows, and end it in both", async () => {
    const hour = new Date(both.right.now() + 3_600_000).toISOString();
    const draft = { name: "for an hour", permissions: ["memory:read"], expires_at: hour };
    const { id, key } = await done(both.skewed, "POST", "/api-keys", draft);
    const statuses = async () => {
      const answers = [both.right, both.skewed].map((by) => by.request("GET", "/memories?limit=1", { key }));
      return (await Promise.all(answers)).map(({ status }) => status);
    };
    expect(await statuses()).toEqual([200, 200]);
    await done(both.skewed, "DELETE", `/api-keys/${id}`, {});
    await both.turn(60_000);
    expect(await statuses()).toEqual([401, 401]);
  });
});

describe.each([
  ["ahead", SKEW_MS],
  ["behind", -SKEW_MS],
])("limits of two processes, one of them ten minutes %s", { timeout: TIMEOUT_MS }, (_name, skewMs) => {
  it("let those through who keep to them, and hold in each process", async () => {
    const both = await openSkewed(skewMs, "free");
    const ask = async (by: SkewedProcess) => (await by.request("GET", "/memories?limit=1")).status;
    for (let asked = 0; asked < 10; asked++) expect(await ask(both.inTurn()), `request ${asked}`).toBe(200);
    for (const by of [both.right, both.skewed]) {
      const statuses: number[] = [];
      for (let asked = 0; asked < 130; asked++) statuses.push(await ask(by));
      expect(statuses.slice(0, 80)).not.toContain(429);
      // The bucket gains a token every 600 ms, so that one of the last requests may pass.
      expect(statuses.slice(105).filter((status) => status === 429).length).toBeGreaterThan(20);
      await both.turn(120_000);
    }
    await both.close();
  });
});
