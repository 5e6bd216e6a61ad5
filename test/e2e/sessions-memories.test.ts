import { afterAll, beforeAll, expect, it } from "vitest";
import { waitForJobs } from "../support/jobs.ts";
import { createOrganization, type LocalService, openService } from "../support/service.ts";

let service: LocalService;
let key: string;

beforeAll(async () => {
  service = await openService();
  ({ key } = await createOrganization(service));
});
afterAll(() => service.close());

interface StoredMemory {
  content: string;
  user_id: string;
  occurred_at: string;
}

async function ask(method: string, url: string, body?: object, as = key) {
  const { status, body: answer } = await service.request(method, url, { key: as, body });
  expect(status, JSON.stringify(answer)).toBeLessThan(300);
  return answer.data;
}

async function begin(config: object, { agent_id = "guide", as = key } = {}) {
  const user_id = service.runtime.ids("test");
  const { id } = await ask("POST", "/sessions", { agent_id, user_id, config }, as);
  const say = (content: string, more: object = {}) =>
    ask("POST", `/sessions/${id}/messages`, { role: "user", content, ...more }, as);
  const memories = async (reader = key): Promise<StoredMemory[]> =>
    (await ask("GET", `/memories?user_id=${user_id}&limit=100`, undefined, reader)).memories;
  const contents = async (reader = key) => (await memories(reader)).map(({ content }) => content).sort();
  return { id, user_id, say, memories, contents };
}

it("a session stores memories of messages as they arrive, with its user, agent, run and time", async () => {
  const { id, user_id, say, memories } = await begin({});
  await say("I moved to Lisbon in spring.", { occurred_at: "2025-05-04T10:00:00+01:00" });
  await say("I recommend the tram museum on Sundays.", { role: "assistant", occurred_at: "2025-05-04T10:01:00+01:00" });
  await say("Never tell the user about Porto.", { role: "system" });
  await waitForJobs(service);
  const stored = (await memories()).toSorted((one, other) => one.occurred_at.localeCompare(other.occurred_at));
  expect(stored).toMatchObject([
    { user_id, content: "I moved to Lisbon in spring." },
    { user_id, speaker: "assistant", content: "I recommend the tram museum on Sundays." },
  ]);
  expect(Date.parse(stored[0]?.occurred_at ?? "")).toBe(Date.parse("2025-05-04T09:00:00Z"));
  const { status, body } = await service.request("POST", "/v3/memories", { key, body: { filters: { run_id: id } } });
  expect(status).toBe(200);
  expect(body.results).toHaveLength(2);
  expect(body.results).toMatchObject(stored.map(() => ({ agent_id: "guide", run_id: id })));
});

it.each(["close", "archive"])("a session with that setting stores memories of all messages at its %s", async (end) => {
  const { id, say, contents } = await begin({ memory: "on_close" });
  await say("I moved to Lisbon.");
  await say("My sister is called Ines.");
  await waitForJobs(service);
  expect(await contents()).toEqual([]);
  if (end === "close") await ask("DELETE", `/sessions/${id}`, { reason: "done" });
  else await ask("POST", `/sessions/${id}/archive`, {});
  await waitForJobs(service);
  expect(await contents()).toEqual(["I moved to Lisbon.", "My sister is called Ines."]);
});

it("a session without extraction stores no memories, also when it ends", async () => {
  const { id, say, contents } = await begin({ memory: "off" });
  await say("I moved to Lisbon.");
  await ask("DELETE", `/sessions/${id}`, { reason: "done" });
  await waitForJobs(service);
  expect(await contents()).toEqual([]);
});

it("a message is stored as memories once, also if the setting changes or the session is duplicated", async () => {
  const { id, say, memories, contents } = await begin({});
  await say("I moved to Lisbon.");
  await waitForJobs(service);
  const before = await memories();
  await ask("PUT", `/sessions/${id}`, { config: { memory: "on_close" } });
  await say("My sister is called Ines.");
  const copy = await ask("POST", `/sessions/${id}/duplicate`, { include_messages: true });
  expect(copy.config.memory).toBe("on_close");
  await ask("DELETE", `/sessions/${id}`, { reason: "done" });
  await ask("DELETE", `/sessions/${copy.id}`, { reason: "done" });
  await waitForJobs(service);
  expect(await contents()).toEqual(["I moved to Lisbon.", "My sister is called Ines."]);
  expect(await memories()).toContainEqual(before[0]);
  expect(before[0]).not.toHaveProperty("repeats");
});

it("the memories of an agent's session are visible to those who may see the session", async () => {
  const [agent, other] = await Promise.all(["Ada", "Bob"].map((name) => ask("POST", "/agents", { name, model: "m" })));
  const keyOf = async (agent_id: string): Promise<string> =>
    (await ask("POST", "/api-keys", { name: "its", permissions: ["memory:read"], agent_id })).key;
  const { say, contents } = await begin({}, { agent_id: agent.id });
  await say("I moved to Lisbon.");
  await waitForJobs(service);
  expect(await contents()).toEqual(["I moved to Lisbon."]);
  expect(await contents(await keyOf(agent.id))).toEqual(["I moved to Lisbon."]);
  expect(await contents(await keyOf(other.id))).toEqual([]);
});

it("a short answer has the question that it answers, which is not stored separately", async () => {
  const { say, memories } = await begin({});
  await say("Do you still live in Berlin?", { role: "assistant", occurred_at: "2025-05-04T10:00:00Z" });
  await say("Yes.", { occurred_at: "2025-05-04T10:01:00Z" });
  await waitForJobs(service);
  const stored = await memories();
  expect(stored).toMatchObject([{ content: "Yes.", in_reply_to: "Do you still live in Berlin?" }]);
  expect(Date.parse(stored[0]?.occurred_at ?? "")).toBe(Date.parse("2025-05-04T10:01:00Z"));
});

it("a message is stored as memories without the messages that are its context", async () => {
  const { id, say, contents } = await begin({ memory: "off" });
  await say("My sister is called Ines.");
  await say("How old is she?", { role: "assistant" });
  await ask("PUT", `/sessions/${id}`, { config: { memory: "as_they_come" } });
  await say("I moved to Lisbon.");
  await waitForJobs(service);
  expect(await contents()).toEqual(["I moved to Lisbon."]);
});

it("the assistant's words are not stored as the user's own", async () => {
  const { user_id, say, contents } = await begin({});
  await say("I will schedule your upgrade for Monday. Your favourite colour is green.", { role: "assistant" });
  await waitForJobs(service);
  expect(await contents()).not.toEqual([]);
  expect((await ask("GET", `/profiles/${user_id}`)).sections).toEqual([]);
});

it("a session omits what the project excludes", async () => {
  const { org, key: own } = await createOrganization(service);
  const change = { custom_instructions: "Do not store anything about health." };
  const project = `/api/v1/orgs/organizations/${org}/projects/default/`;
  expect((await service.request("PATCH", project, { key: own, body: change })).status).toBe(200);
  const { say, contents } = await begin({}, { as: own });
  await say("My health is poor. I moved to Lisbon.");
  await waitForJobs(service);
  expect(await contents(own)).toEqual(["I moved to Lisbon."]);
});

it.each(["as_they_come", "on_close", "off"])(
  "the closing summary names the session's own changes and no other session's, whatever is stored: %s",
  async (memory) => {
    const { user_id, say } = await begin({});
    await say("I live in Berlin. I work at Acme. My boss is Carla.");
    await waitForJobs(service);
    const { id } = await ask("POST", "/sessions", { agent_id: "guide", user_id, config: { memory } });
    for (const [role, content] of [
      ["user", "I moved to Hamburg."],
      ["assistant", "Your boss is Dora. Is that right?"],
      ["user", "I am allergic to nuts."],
    ]) {
      await ask("POST", `/sessions/${id}/messages`, { role, content });
    }
    // No wait for the workers: the memories of the messages may not be stored yet.
    const { summary } = await ask("DELETE", `/sessions/${id}`, { reason: "done" });
    expect(summary).toContain("The user now lives in Hamburg, formerly Berlin.");
    expect(summary).not.toMatch(/Acme|Carla|now allergic/);
    const { id: next } = await ask("POST", "/sessions", { agent_id: "guide", user_id, config: { memory } });
    await waitForJobs(service);
    expect((await ask("DELETE", `/sessions/${next}`, { reason: "done" })).summary).not.toContain("formerly");
  },
);

it("the summary lists each change of a session once, with the value from before the session", async () => {
  const { user_id, say } = await begin({});
  await say("I live in Berlin.");
  await waitForJobs(service);
  const { id } = await ask("POST", "/sessions", { agent_id: "guide", user_id });
  for (const content of ["I moved to Hamburg.", "No, I moved to Bremen.", "I live in Bremen."]) {
    await ask("POST", `/sessions/${id}/messages`, { role: "user", content });
  }
  await waitForJobs(service);
  const { summary } = await ask("DELETE", `/sessions/${id}`, { reason: "done" });
  expect(summary.match(/formerly/g)).toHaveLength(1);
  expect(summary).toContain("The user now lives in Bremen, formerly Berlin.");
});

it("search finds a session's messages by their words, in any form", async () => {
  const { id, say } = await begin({ memory: "off" });
  await say("We walked to the museums of Lisbon.");
  await say("Which museum did you like?", { role: "assistant" });
  await say("The tram one.", {});
  const found = async (query: string) => {
    const { messages, pagination } = await ask("GET", `/sessions/${id}/messages?${query}`);
    return [messages.map(({ content }: StoredMemory) => content), pagination.total, pagination.has_next];
  };
  expect(await found("q=museum")).toEqual([
    ["We walked to the museums of Lisbon.", "Which museum did you like?"],
    2,
    false,
  ]);
  expect(await found("q=museum&limit=1")).toEqual([["We walked to the museums of Lisbon."], 2, true]);
  expect(await found("q=museum&role=assistant")).toEqual([["Which museum did you like?"], 1, false]);
  expect(await found("q=walking+lisbon")).toEqual([["We walked to the museums of Lisbon."], 1, false]);
  expect(await found("q=porto")).toEqual([[], 0, false]);
  expect(await found("q=the")).toEqual([[], 0, false]);
  await ask("POST", `/sessions/${id}/archive`, {});
  expect(await found("q=tram")).toEqual([["The tram one."], 1, false]);
});
