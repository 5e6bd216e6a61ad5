import { expect, test } from "vitest";
import { measureAnswers, measureCompression, readConversations, textsOf } from "./compression-quality.ts";

const conversations = readConversations();

test.skipIf(conversations === undefined).each(["smart_hybrid", "real_best"] as const)(
  "%s saves a third of a session's tokens and keeps what it says",
  async (algorithm) => {
    const options = { algorithm, min_retention: 0.9 };
    const { reduction, retention, expansions } = await measureCompression(textsOf(conversations!).sessions, options);
    expect(reduction).toBeGreaterThanOrEqual(0.35);
    expect(retention).toBeGreaterThanOrEqual(0.9);
    expect(expansions).toBe(0);
    const { answers } = await measureAnswers(conversations!, options);
    expect(answers).toBeGreaterThanOrEqual(0.95);
  },
);

test.skipIf(conversations === undefined).each(["gzip", "radix", "smart_radix"] as const)(
  "%s, being lossless, neither loses nor expands",
  async (algorithm) => {
    const { sessions, turns } = textsOf(conversations!);
    for (const texts of [sessions, turns]) {
      const { retention, expansions } = await measureCompression(texts, { algorithm });
      expect([retention, expansions]).toEqual([1, 0]);
    }
  },
);
