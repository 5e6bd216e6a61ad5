import { afterAll, describe, expect, it } from "vitest";
import { openService } from "../../../test/support/service.ts";
import { Query } from "../../language/questions/query.ts";
import { OPERATOR_ORG } from "../../runtime/access/operator.ts";
import { rangeOfEvent } from "./event-range.ts";

const NOW = Date.parse("2026-11-20T09:00:00Z");
const TOLD: [day: string, content: string][] = [
  ["2025-01-10", "I live in Hamburg."],
  ["2025-01-12", "I work at Larkwire."],
  ["2025-02-03", "On Thursdays I go to the swimming club."],
  ["2025-06-01", "I moved to Kiel."],
  ["2025-09-05", "I started at Globex."],
  ["2025-10-09", "On Mondays I go to the rowing club."],
  ["2025-11-20", "Anna moved to Rome."],
];

const service = await openService();
for (const [day, content] of TOLD) {
  const body = { content, user_id: "ada", occurred_at: `${day}T12:00:00Z` };
  await service.request("POST", "/memories", { body });
}
const body = { content: "I moved to Rome.", user_id: "eve", occurred_at: "2024-05-05T12:00:00Z" };
await service.request("POST", "/memories", { body });
await service.runtime.drainChangeFeed();
afterAll(() => service.close());

async function shown(query: string, user?: string): Promise<string> {
  const ctx = { ...service.runtime, org: OPERATOR_ORG, viewer: undefined };
  const range = await rangeOfEvent(ctx, { query: new Query(query), user, now: NOW });
  if (range === undefined) return "";
  const day = (moment: number) => (Number.isFinite(moment) ? new Date(moment).toISOString().slice(0, 10) : "…");
  return `${day(range.from)}/${day(range.to)}`;
}

describe("the time of an event of the user's life", () => {
  it.each([
    ["Which club did I go to before the move?", "…/2025-06-01"],
    ["Which club did I go to before I moved to Kiel?", "…/2025-06-01"],
    ["What have I done since I moved?", "2025-06-01/2026-11-20"],
    ["Where did I live before Kiel?", "…/2025-06-01"],
    ["Where did I live after Hamburg?", "2025-06-01/2026-11-20"],
    ["What have I done since I changed jobs?", "2025-09-05/2026-11-20"],
    ["Who did I meet after I left Larkwire?", "2025-09-05/2026-11-20"],
    ["Who did I know before I joined Globex?", "…/2025-09-05"],
    ["What have I done since Anna moved?", "2025-11-20/2026-11-20"],
    ["In welchem Verein war ich vor dem Umzug?", "…/2025-06-01"],
    ["Dans quel club étais-je avant le déménagement ?", "…/2025-06-01"],
  ])("%s", async (query, expected) => expect(await shown(query, "ada")).toBe(expected));

  it.each([
    ["a value that no fact has", "What did I do before I moved to Lima?", "ada"],
    ["a slot without facts", "What did I do before the wedding?", "ada"],
    ["nobody's facts", "What did I do before the move?", undefined],
    ["another user's facts", "What did I do before I moved to Kiel?", "eve"],
  ])("is not known from %s", async (_, query, user) => expect(await shown(query, user)).toBe(""));

  it("brings what happened then before what happened later", async () => {
    const firstOf = async (query: string) => {
      const asked = new URLSearchParams({ q: query, user_id: "ada", now: new Date(NOW).toISOString(), threshold: "0" });
      const { body } = await service.request("GET", `/search?${asked}`);
      return body.data.results[0].content;
    };
    expect(await firstOf("Which club did I go to before the move?")).toBe(TOLD[2]?.[1]);
    expect(await firstOf("Which club do I go to since the move?")).toBe(TOLD[5]?.[1]);
  });
});
