import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { newMessage } from "../../../test/support/session-messages.ts";
import { createBuiltInModel } from "../models/built-in-model.ts";
import { findDigest, MAX_POINTS, moodOf, type Reading, readOn, slowResponse } from "./digest.ts";
import type { MessageRole, SessionMessage } from "./session.ts";

const model = createBuiltInModel();
const ask: Reading["ask"] = (task, input, limits) => model.run(task, input, limits);
const NOTHING = await findDigest({ get: async () => undefined } as never, "org_1", "sess_1");

interface Said {
  role: MessageRole;
  content: string;
  response_ms?: number | undefined;
}

function messagesOf(said: Said[]): SessionMessage[] {
  return said.map(({ role, content, response_ms }, index) => {
    const created_at = new Date(1.7e12 + index * 1000).toISOString();
    return newMessage(index + 1, { role, content, created_at, ...(response_ms !== undefined && { response_ms }) });
  });
}

const reading = (unread: number) => ({ ask, deadline: Number.POSITIVE_INFINITY, org: "org_1", unread });
const digestOf = (messages: SessionMessage[]) => readOn(NOTHING, messages, reading(messages.length));

const said = fc.record({
  role: fc.constantFrom<MessageRole>("user", "assistant", "system"),
  content: fc.constantFrom("I love it", "this is awful", "the parcel is here", "x"),
  response_ms: fc.option(fc.integer({ min: 1, max: 1_000_000 }), { nil: undefined }),
});

describe("a digest", () => {
  it("that was extended in parts equals one that was read at once", async () => {
    const conversations = fc.array(said, { minLength: 1, maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(conversations, fc.array(fc.nat(300), { maxLength: 4 }), async (all, cuts) => {
        const messages = messagesOf(all);
        const { topics: _, ...whole } = await digestOf(messages);
        let digest = NOTHING;
        for (const cut of [...cuts.sort((a, b) => a - b), messages.length]) {
          const unread = messages.slice(digest.through, cut);
          digest = await readOn(digest, unread, reading(unread.length));
        }
        const { topics: __, ...parts } = digest;
        expect(parts).toEqual(whole);
      }),
      { numRuns: 30 },
    );
  });

  it("has the exact 95th percentile", async () => {
    const times = fc.array(fc.integer({ min: 1, max: 1_000_000 }), { minLength: 1, maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(times, async (all) => {
        const digest = await digestOf(
          messagesOf(all.map((response_ms) => ({ role: "assistant", content: "x", response_ms }))),
        );
        const nearest = all.toSorted((a, b) => a - b)[Math.ceil(0.95 * all.length) - 1];
        expect(slowResponse(digest)).toBe(nearest);
      }),
      { numRuns: 30 },
    );
    expect(slowResponse(NOTHING)).toBeNull();
  });

  it("stays small for a long session, and its timeline covers all of it", async () => {
    const moods = ["I love it", "this is awful", "the parcel is here"];
    const all = Array.from({ length: 3_000 }, (_, index): Said => {
      const mood = moods[Math.floor(index / 1000)] ?? "";
      return index % 2 === 0
        ? { role: "user", content: `${mood} thing${index}` }
        : { role: "assistant", content: `answer about subject${index}`, response_ms: index };
    });
    const digest = await digestOf(messagesOf(all));
    expect(JSON.stringify(digest).length).toBeLessThan(40_000);
    const { overall, timeline } = moodOf(digest);
    expect(timeline.length).toBeGreaterThan(MAX_POINTS / 2);
    expect(timeline.length).toBeLessThanOrEqual(MAX_POINTS);
    expect(timeline.map(({ timestamp }) => timestamp)).toEqual(timeline.map(({ timestamp }) => timestamp).toSorted());
    expect(timeline[0]).toMatchObject({ timestamp: new Date(1.7e12).toISOString(), sentiment: "positive" });
    expect(timeline[Math.floor(timeline.length / 2)]).toMatchObject({ sentiment: "negative" });
    expect(timeline.at(-1)).toMatchObject({ sentiment: "neutral" });
    expect(overall.confidence).toBeGreaterThan(0);
  });

  it("has no sentiment if users wrote nothing", async () => {
    const digest = await digestOf(messagesOf([{ role: "assistant", content: "I am so happy to help you, great!" }]));
    expect(moodOf(digest)).toEqual({ overall: { sentiment: "neutral", confidence: 1 }, timeline: [] });
  });

  it("is judged by the rules if a model is too slow or returns a wrong number", async () => {
    const lying = async () => ({ value: { sentiments: [], topics: [] } }) as never;
    const messages = messagesOf([{ role: "user", content: "This is great!" }]);
    for (const deadline of [Number.POSITIVE_INFINITY, 0]) {
      const digest = await readOn(NOTHING, messages, { ask: lying, deadline, org: "org_1", unread: 1 });
      expect(moodOf(digest).overall.sentiment).toBe("positive");
    }
  });
});
