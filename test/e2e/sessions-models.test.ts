import { expect, it, onTestFinished } from "vitest";
import { startChatCompletions, type Turn } from "../fixtures/chat-completions-server.ts";
import { createOrganization, openService } from "../support/service.ts";
import { Caller } from "../support/target.ts";

/** A session of a service whose language model takes these turns, one a request. */
async function beginWithModel(...turns: Turn[]) {
  const server = await startChatCompletions(...turns);
  onTestFinished(server.close);
  const service = await openService({
    LANGUAGE_MODEL: "openai",
    OPENAI_BASE_URL: server.baseUrl,
    OPENAI_MODEL: "small",
  });
  onTestFinished(service.close);
  const caller = new Caller(service, (await createOrganization(service)).key);
  const { body } = await caller.post("/sessions", { agent_id: "guide", user_id: "ada" });
  const path = `/sessions/${body.data.id}`;
  return {
    server,
    say: async (content: string, role = "user") =>
      expect((await caller.post(`${path}/messages`, { role, content })).status).toBe(201),
    read: async () => {
      const answer = await caller.get(`${path}/context`);
      expect(answer.status).toBe(200);
      return answer.body.data.context;
    },
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

it("tells the state that a model reads, which is asked once about each message", async () => {
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
  "goes by the rules where a model answers %j",
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
