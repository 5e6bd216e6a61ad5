import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type MovableClock, movableClock } from "../contract/movable-clock.ts";
import { createOrganization, type LocalService, openService } from "../support/service.ts";
import { Caller, eventually, openTarget, type Target } from "../support/target.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

async function begin(caller: Caller, fields: object = {}): Promise<string> {
  const { status, body } = await caller.post("/sessions", { agent_id: "guide", user_id: "ada", ...fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data.id;
}

async function say(caller: Caller, id: string, role: string, content: string) {
  const { status, body } = await caller.post(`/sessions/${id}/messages`, { role, content });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.data;
}

async function read(caller: Caller, path: string) {
  const { status, body } = await caller.get(path);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data;
}

describe("statistics of a session", () => {
  let clock: MovableClock;
  let service: LocalService;
  let caller: Caller;

  beforeAll(async () => {
    clock = movableClock();
    service = await openService({}, clock.now);
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    caller = new Caller(service, (await createOrganization(service)).key);
  });

  it("count messages, tokens, topics and times exactly", async () => {
    const id = await begin(caller);
    const contents = [
      "My billing address is wrong, this is terrible!",
      "I changed the billing address to Porto.",
      "Great, thank you!",
    ];
    const started = clock.now();
    clock.advance(10 * SECOND);
    const one = await say(caller, id, "user", contents[0]!);
    clock.advance(4 * SECOND);
    const two = await say(caller, id, "assistant", contents[1]!);
    clock.advance(46 * SECOND);
    const three = await say(caller, id, "user", contents[2]!);
    const stats = await read(caller, `/sessions/${id}/stats`);
    expect(stats).toEqual({
      session_id: id,
      duration: {
        start: new Date(started).toISOString(),
        end: new Date(started + MINUTE).toISOString(),
        duration_minutes: 1,
      },
      message_stats: {
        total_messages: 3,
        user_messages: 2,
        assistant_messages: 1,
        avg_message_length: Math.round((contents.join("").length / 3) * 100) / 100,
        total_tokens: three.session_tokens,
      },
      performance_metrics: { avg_response_time_ms: 4000, p95_response_time_ms: 4000, success_rate: 1 },
      context_stats: { compression_ratio: 1, context_efficiency: 1, memory_usage_mb: expect.any(Number) },
      topic_analysis: { main_topics: expect.any(Array), topic_distribution: expect.any(Object) },
      sentiment_analysis: {
        overall_sentiment: expect.stringMatching(/^(positive|neutral|negative)$/),
        overall_confidence: expect.any(Number),
        sentiment_timeline: [
          { timestamp: one.created_at, sentiment: "negative", confidence: expect.any(Number) },
          { timestamp: three.created_at, sentiment: "positive", confidence: expect.any(Number) },
        ],
      },
    });
    expect(stats.topic_analysis.main_topics).toContain("billing address");
    const shares = Object.values(stats.topic_analysis.topic_distribution as Record<string, number>);
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 2);
    const bytes = stats.context_stats.memory_usage_mb * 2 ** 20;
    expect(bytes).toBeGreaterThan(contents.join("").length + one.message_id.length + two.message_id.length);
    expect(bytes).toBeLessThan(2500);
  });

  it("of a session without messages are empty", async () => {
    const id = await begin(caller);
    expect(await read(caller, `/sessions/${id}/stats`)).toMatchObject({
      duration: { end: null, duration_minutes: 0 },
      message_stats: { total_messages: 0, avg_message_length: 0, total_tokens: 0 },
      performance_metrics: { avg_response_time_ms: null, p95_response_time_ms: null, success_rate: null },
      context_stats: { compression_ratio: 1, context_efficiency: 1, memory_usage_mb: 0 },
      topic_analysis: { main_topics: [], topic_distribution: {} },
      sentiment_analysis: { overall_sentiment: "neutral", sentiment_timeline: [] },
    });
  });

  it("count unanswered messages, and stop when the session ends", async () => {
    const id = await begin(caller);
    const started = clock.now();
    for (const [role, wait] of [
      ["user", 1],
      ["user", 1],
      ["assistant", 3],
      ["user", 1],
    ] as const) {
      clock.advance(wait * SECOND);
      await say(caller, id, role, "words");
    }
    const open = await read(caller, `/sessions/${id}/stats`);
    expect(open.performance_metrics).toEqual({
      avg_response_time_ms: 3000,
      p95_response_time_ms: 3000,
      success_rate: 0.5,
    });
    clock.advance(MINUTE);
    await caller.delete(`/sessions/${id}`, { reason: "gave up" });
    const closed = await read(caller, `/sessions/${id}/stats`);
    expect(closed.performance_metrics.success_rate).toBe(0.3333);
    expect(closed.duration.end).toBe(new Date(started + 6 * SECOND + MINUTE).toISOString());
  });

  it("have the exact slowest answers, and continue from the former result", async () => {
    const id = await begin(caller);
    for (let seconds = 1; seconds <= 20; seconds++) {
      clock.advance(SECOND);
      await say(caller, id, "user", "a question");
      clock.advance(seconds * SECOND);
      await say(caller, id, "assistant", "an answer");
      if (seconds === 13) await read(caller, `/sessions/${id}/stats`);
    }
    const { performance_metrics, message_stats } = await read(caller, `/sessions/${id}/stats`);
    expect(performance_metrics).toEqual({
      avg_response_time_ms: 10_500,
      p95_response_time_ms: 19_000,
      success_rate: 1,
    });
    expect(message_stats.avg_message_length).toBe(9.5);
    expect(await read(caller, `/sessions/${id}/stats`)).toMatchObject({ performance_metrics, message_stats });
  });

  it("show how far the context is compressed", async () => {
    const config = { context_window: 200, compression_enabled: true };
    const id = await begin(caller, { config });
    for (let index = 0; index < 30; index++) {
      await say(
        caller,
        id,
        "user",
        `Note ${index}: the shipment of ${index} crates of apples arrives in Porto on day ${index}.`,
      );
    }
    const { context_stats } = await read(caller, `/sessions/${id}/stats`);
    expect(context_stats.compression_ratio).toBeLessThan(0.7);
    expect(context_stats.compression_ratio).toBeGreaterThan(0);
    expect(context_stats.context_efficiency).toBeGreaterThan(context_stats.compression_ratio);
    expect(context_stats.context_efficiency).toBeLessThan(1);
  });
});

describe("analytics of sessions", () => {
  let clock: MovableClock;
  let service: LocalService;
  let caller: Caller;
  const analytics = (query = "") => read(caller, `/sessions/analytics?${query}`);

  beforeAll(async () => {
    clock = movableClock();
    service = await openService({}, clock.now);
  });
  afterAll(() => service.close());
  beforeEach(async () => {
    caller = new Caller(service, (await createOrganization(service)).key);
  });

  it("summarize a period, by user and by agent", async () => {
    const [first, second] = [await begin(caller), await begin(caller, { user_id: "bob" })];
    const third = await begin(caller, { agent_id: "other" });
    await say(caller, first, "user", "How are you?");
    clock.advance(2 * SECOND);
    const { session_tokens } = await say(caller, first, "assistant", "Fine.");
    await say(caller, second, "user", "Anybody there?");
    clock.advance(58 * SECOND);
    await caller.delete(`/sessions/${second}`, { reason: "nobody there" });

    const all = await analytics();
    expect(all.summary).toMatchObject({
      total_sessions: 3,
      active_sessions: 2,
      closed_sessions: 1,
      total_messages: 3,
      avg_session_duration: 60,
    });
    expect(all.summary.total_tokens_used).toBeGreaterThan(session_tokens);
    expect(all.performance_metrics).toEqual({
      avg_response_time_ms: 2000,
      p95_response_time_ms: expect.any(Number),
      success_rate: 0.5,
      messages_per_session: 1,
      tokens_per_message: expect.any(Number),
    });
    expect(all.performance_metrics.p95_response_time_ms).toBeGreaterThan(1800);
    expect(all.performance_metrics.p95_response_time_ms).toBeLessThan(2200);
    expect(all.recent_sessions.map(({ id }: { id: string }) => id)).toEqual([second, first, third]);

    const ofAda = await analytics("user_id=ada");
    expect(ofAda.summary).toMatchObject({
      total_sessions: 2,
      active_sessions: 2,
      closed_sessions: 0,
      total_messages: 2,
    });
    expect(ofAda.summary.total_tokens_used).toBe(session_tokens);
    expect((await analytics("agent_id=guide")).summary).toMatchObject({ total_sessions: 2, active_sessions: 1 });
    expect((await analytics("agent_id=guide&user_id=ada")).summary).toMatchObject({
      total_sessions: 1,
      total_messages: 2,
    });
    const none = await analytics("user_id=nobody");
    expect(none.summary).toMatchObject({ total_sessions: 0, active_sessions: 0, avg_session_duration: null });
    expect(none.performance_metrics.success_rate).toBeNull();
    expect(none.recent_sessions).toEqual([]);
  });

  it("return a time series, and omit what is before the period", async () => {
    const id = await begin(caller);
    await say(caller, id, "user", "Hello");
    clock.advance(3 * DAY);
    await begin(caller);
    const day = await analytics("time_range=day");
    expect(day.series).toHaveLength(24);
    expect(day.summary).toMatchObject({ total_sessions: 1, active_sessions: 1, total_messages: 0 });
    const week = await analytics("time_range=week");
    expect(week.series).toHaveLength(7);
    expect(week.summary).toMatchObject({ total_sessions: 2, active_sessions: 2, total_messages: 1 });
    expect(
      week.series.filter(({ sessions_started }: { sessions_started: number }) => sessions_started > 0),
    ).toHaveLength(2);
    expect(week.series.at(-1)).toMatchObject({ sessions_started: 1, sessions_closed: 0, messages: 0, tokens: 0 });
    clock.advance(20 * DAY);
    const month = await analytics("time_range=month");
    expect(month.series).toHaveLength(30);
    expect(month.summary).toMatchObject({ total_sessions: 2, total_messages: 1 });
    expect((await analytics("time_range=week")).summary.total_sessions).toBe(0);
    expect(month.from < month.to).toBe(true);
  });

  it("show the requested number of recent sessions", async () => {
    for (let index = 0; index < 25; index++) await begin(caller);
    expect((await analytics()).recent_sessions).toHaveLength(20);
    expect((await analytics("limit=1")).recent_sessions).toHaveLength(1);
    expect((await analytics("limit=100")).recent_sessions).toHaveLength(25);
  });

  it.each(["limit=0", "limit=101", "limit=x", "time_range=year", "time_range=", "user_id="])(
    "refuse ?%s",
    async (query) => {
      const { status, body } = await caller.get(`/sessions/analytics?${query}`);
      expect([status, body.error?.code]).toEqual([400, "VALIDATION_ERROR"]);
      expect(body.error?.details.fields[0].field).toBe(query.split("=")[0]);
    },
  );

  it("cover the caller's organization only", async () => {
    await begin(caller);
    const stranger = new Caller(service, (await createOrganization(service)).key);
    expect((await read(stranger, "/sessions/analytics")).summary).toMatchObject({
      total_sessions: 0,
      active_sessions: 0,
    });
  });
});

describe("session metrics, on both platforms", () => {
  let target: Target;
  beforeAll(async () => {
    target = await openTarget();
  });
  afterAll(() => target.close());

  it("are counted and returned", async () => {
    const caller = await target.organization();
    const id = await begin(caller);
    await say(caller, id, "user", "This is great, thanks!");
    await say(caller, id, "assistant", "You are welcome.");
    const stats = await read(caller, `/sessions/${id}/stats`);
    expect(stats.message_stats).toMatchObject({ total_messages: 2, user_messages: 1, assistant_messages: 1 });
    expect(stats.sentiment_analysis.overall_sentiment).toBe("positive");
    await eventually(async () => {
      const { summary } = await read(caller, "/sessions/analytics?user_id=ada");
      expect(summary).toMatchObject({ total_sessions: 1, active_sessions: 1, total_messages: 2 });
    });
    const absent = await caller.get("/sessions/sess_absent/stats");
    expect([absent.status, absent.body.error?.code]).toEqual([404, "SESSION_NOT_FOUND"]);
  });

  it("cover the agent's own sessions for an agent's key", async () => {
    const admin = await target.organization();
    const agents = await Promise.all(
      ["Guide", "Other"].map(async (name) => (await admin.post("/agents", { name, model: "m" })).body.data.id),
    );
    const [agent_id, other] = agents;
    const permissions = ["memory:read", "memory:write"];
    const { key } = (await admin.post("/api-keys", { name: "an agent's", permissions, agent_id })).body.data;
    const own = admin.as(key);
    const mine = await begin(admin, { agent_id });
    const theirs = await begin(admin, { agent_id: other });
    await eventually(async () => {
      expect((await read(admin, "/sessions/analytics")).summary.total_sessions).toBe(2);
      const { summary, recent_sessions } = await read(own, "/sessions/analytics");
      expect(summary).toMatchObject({ total_sessions: 1, active_sessions: 1 });
      expect(recent_sessions.map(({ id }: { id: string }) => id)).toEqual([mine]);
    });
    expect((await read(own, `/sessions/analytics?agent_id=${other}`)).summary.total_sessions).toBe(0);
    for (const path of ["stats", "export"]) {
      expect((await own.get(`/sessions/${mine}/${path}`)).status).toBe(200);
      expect((await own.get(`/sessions/${theirs}/${path}`)).status).toBe(404);
    }
    for (const path of ["duplicate", "archive"]) {
      expect((await own.post(`/sessions/${theirs}/${path}`, {})).status).toBe(404);
    }
    expect((await own.delete(`/sessions/${theirs}`, { reason: "mine" })).status).toBe(404);
  });
});
