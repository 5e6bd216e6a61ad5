import { expect } from "vitest";
import type { Caller } from "./target.ts";

/** Returns the data of an answer that must be a success. */
export async function done(answer: ReturnType<Caller["get"]>) {
  const { status, body } = await answer;
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body.data ?? body;
}

/**
 * Creates data of every kind in an organization: memories, one of them long, a session, a skill, an agent, a source, a
 * webhook.
 */
export async function fillOrganization(owner: Caller, webhook: { url: string; secret: string }): Promise<void> {
  const people = [
    "Ada lives in Zurich and drinks tea.",
    "Grace moved to Lisbon in May.",
    "Ada met Grace at the harbour.",
  ];
  for (const [place, content] of people.entries()) {
    await done(owner.post("/memories", { content, user_id: `user ${place % 2}`, metadata: { place } }));
  }
  const words = Array.from({ length: 12_000 }, (_, place) => `word${place}`).join(" ");
  await done(owner.post("/memories", { content: words.slice(0, 80_000), user_id: "long" }));
  const { id } = await done(owner.post("/memories", { content: "Soon to be deleted.", user_id: "ada" }));
  await done(owner.delete(`/memories/${id}`));
  // Answers are compared before and after, so nothing may be created in the background.
  const begun = { agent_id: "guide", user_id: "ada", config: { memory: "off" } };
  const session = await done(owner.post("/sessions", begun));
  await done(owner.post(`/sessions/${session.id}/messages`, { role: "user", content: "My parcel never came." }));
  const skill = await done(
    owner.post("/skills", {
      name: "Refund",
      trigger: "a customer wants a refund",
      action: "Refund it.",
      domain: "shop",
    }),
  );
  await done(owner.post("/agents", { name: "Guide", model: "any", skills: [skill.id] }));
  await done(owner.post("/sources/ingest", { type: "text", content: "Ships call at the harbour.", title: "Ships" }));
  await done(owner.post("/webhooks", { name: "Hook", events: ["memory.created"], ...webhook }));
}

/** Returns the data of an organization as its answers show them. */
export async function answersOf(caller: Caller) {
  const searches = ["/search?q=tea+in+Zurich", "/search?q=harbour", "/skills/search?trigger=refund&limit=5"];
  const lists = ["/memories?limit=100", "/sessions", "/skills", "/agents", "/sources", "/entities", "/webhooks"];
  const answers = [];
  for (const url of [...searches, ...lists]) {
    const { processing_time_ms, search_time_ms, took_ms, query_time_ms, ...data } = await done(caller.get(url));
    answers.push([url, data]);
  }
  return JSON.parse(JSON.stringify(answers, (name, value) => comparable(name, value)));
}

/** Times differ, and deleted documents affect OpenSearch's term statistics slightly until it merges its segments. */
function comparable(name: string, value: unknown): unknown {
  if (/(_ms|_at|^accessed|access_count|delivery_stats)$/.test(name)) return 0;
  return name.endsWith("score") && typeof value === "number" ? Math.round(value * 1000) : value;
}
