import { expect, it, onTestFinished } from "vitest";
import { startChatCompletions, type Turn } from "../fixtures/chat-completions-server.ts";
import { createOrganization, openService } from "../support/service.ts";
import { Caller } from "../support/target.ts";

/** Creates a session in a service whose language model answers these turns, one per request. */
async function beginWithModel(...turns: Turn[]) {
  const server = await startChatCompletions(...turns);
  onTestFinished(server.close);
  const service = await openService({
    LANGUAGE_MODEL: "openai",
    OPENAI_BASE_URL: server.baseUrl,
    OPENAI_MODEL: "small",
  });
  onTestFinished(service.close);
  const operator = new Caller(service, service.adminKey);
  const caller = new Caller(service, (await createOrganization(service)).key);
  // Without memories the messages are only read for the session's state, so the model gets no other request.
  const session = { agent_id: "guide", user_id: "ada", config: { memory: "off" } };
  const { body } = await caller.post("/sessions", session);
  const path = `/sessions/${body.data.id}`;
  const demand = async (method: "get" | "delete", url: string, given?: object) => {
    const answer = method === "get" ? await caller.get(url) : await caller.delete(url, given);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    return answer.body.data;
  };
  return {
    server,
    operator,
    say: async (content: string, role = "user") =>
      expect((await caller.post(`${path}/messages`, { role, content })).status).toBe(201),
    read: async () => (await demand("get", `${path}/context`)).context,
    stats: () => demand("get", `${path}/stats`),
    close: () => demand("delete", path, { reason: "done" }),
    /** Returns the statistics of requests to providers by the caller's organization. */
    asked: async () => (await demand("get", "/compression/stats")).provider_stats,
  };
}

const STATE = {
  current_topic: "the missing luggage",
  open_issues: ["The luggage is lost"],
  resolved_issues: [],
  pending_actions: ["Call the airport"],
  preferences: ["The user prefers calls"],
};
const LATER = { ...STATE, open_issues: [], resolved_issues: ["The luggage was lost"], pending_actions: [] };

it("a model reads the state of a session, and is asked once about each message", async () => {
  const { server, say, read } = await beginWithModel({ says: JSON.stringify(STATE) }, { says: JSON.stringify(LATER) });
  await say("Mein Koffer ist weg, bitte rufen Sie den Flughafen an.");
  expect(server.requests, "no message waits for a model").toHaveLength(0);
  const { preferences, ...state } = STATE;
  for (const context of [await read(), await read()]) {
    expect(context.session_state).toEqual(state);
    expect(context.user_preferences.from_session).toEqual(preferences);
  }
  expect(server.requests).toHaveLength(1);
  await say("Gefunden!", "assistant");
  expect((await read()).session_state).toMatchObject({ open_issues: [], resolved_issues: ["The luggage was lost"] });
  expect(server.requests).toHaveLength(2);
  const asked = server.requests[1]?.body.messages.at(-1)?.content;
  expect(asked).toContain("The luggage is lost");
  expect(asked).toContain("New messages:\nassistant: Gefunden!");
  expect(asked).toContain("Known messages before:\nuser: Mein Koffer");
});

it.each<Turn>([{ says: "no state at all" }, { status: 400 }])(
  "the rules read the state if a model answers %j",
  async (turn) => {
    const { say, read } = await beginWithModel(turn);
    await say("The printer is broken. Please order a new one.");
    const { session_state } = await read();
    expect(session_state).toMatchObject({
      open_issues: ["The printer is broken."],
      pending_actions: ["Please order a new one."],
    });
  },
);

const SAID = ["Mein Koffer ist weg.", "Das ist eine Katastrophe!"];

it("a model summarizes a session that ends, and the request is counted", async () => {
  const { server, say, close, asked } = await beginWithModel({ says: '{"summary": "Luggage was lost."}' });
  for (const content of SAID) await say(content);
  expect((await close()).summary).toBe("Luggage was lost.");
  expect(server.requests[0]?.body.messages.at(-1)?.content).toContain(`user: ${SAID[0]}\nuser: ${SAID[1]}`);
  expect(await asked()).toEqual({
    openai: { requests: 1, fallbacks: 0, input_tokens: 100, output_tokens: 20, cost_usd: expect.any(Number) },
  });
});

it("a model judges moods and topics, and the requests are counted", async () => {
  const sentiments = SAID.map(() => ({ sentiment: "negative", confidence: 0.9 }));
  const found = { sentiments, topics: [{ name: "lost luggage", weight: 2 }] };
  const { server, say, stats, asked } = await beginWithModel({ says: JSON.stringify(found) });
  for (const content of SAID) await say(content);
  const { topic_analysis, sentiment_analysis } = await stats();
  expect(topic_analysis.main_topics).toEqual(["lost luggage"]);
  expect(sentiment_analysis).toMatchObject({ overall_sentiment: "negative", overall_confidence: 0.9 });
  expect(server.requests).toHaveLength(2);
  expect((await asked()).openai).toMatchObject({ requests: 2, fallbacks: 0, input_tokens: 200 });
});

it("the operator chooses the model", async () => {
  const { server, operator, say, read, stats, close, asked } = await beginWithModel({ status: 500 });
  const mode = { mode: "balanced", providers: { verify: { provider: "built-in", model: "rules" } } };
  expect((await operator.put("/compression/mode", mode)).status).toBe(200);
  await say("This is great!");
  expect((await stats()).sentiment_analysis.overall_sentiment).toBe("positive");
  await read();
  await close();
  expect(server.requests).toEqual([]);
  expect(Object.keys(await asked())).toEqual(["built-in"]);
});
