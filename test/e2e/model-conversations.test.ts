import { describe, expect, it, onTestFinished } from "vitest";
import {
  CONVERSATIONS,
  type Judged,
  openReplay,
  PROMPTS,
  type Recording,
  replay,
} from "../support/model-conversations.ts";

const TIMEOUT_MS = 120_000;

/** Replays the recorded answers of a model; returns the prompts, the shares of facts, and wrong words in profiles. */
async function judged(name: Recording) {
  const { service, key, prompts, close } = await openReplay(name);
  onTestFinished(close);
  const results: Judged[] = [];
  const wrongLines: string[] = [];
  for (const conversation of CONVERSATIONS) {
    results.push(await replay(service, key, conversation));
    const { body } = await service.request("GET", `/profiles/${conversation.user}`, { key });
    const profile = JSON.stringify(body.data);
    wrongLines.push(...conversation.wrong.filter((word) => profile.includes(word)));
  }
  const share = (part: "right" | "read", of: "listed" | "wanted") => {
    const sum = (field: typeof part | typeof of) => results.reduce((total, each) => total + each[field], 0);
    return sum(part) / sum(of);
  };
  const mistakes = results.flatMap((result) => result.mistakes);
  return { prompts, right: share("right", "listed"), read: share("read", "wanted"), mistakes, wrongLines };
}

describe("facts that a language model reads in conversations", () => {
  it(
    "are right and nearly complete with a capable model, whose prompts are the recorded ones",
    async () => {
      const { prompts, right, read, mistakes, wrongLines } = await judged("capable");
      expect(prompts.map((prompt) => `${prompt}\n`)).toEqual(PROMPTS);
      expect(right, mistakes.join("\n")).toBeGreaterThanOrEqual(0.97);
      expect(read, mistakes.join("\n")).toBeGreaterThanOrEqual(0.85);
      expect(wrongLines).toEqual([]);
    },
    TIMEOUT_MS,
  );

  // Of the facts of "capable-other" that its conversations do not expect, all are said.
  it.each<[Recording, number]>([
    ["capable-other", 0.94],
    ["sloppy", 0.92],
    ["sloppy-other", 0.92],
  ])(
    "are right with the answers of %s, of which some invent, confuse people and obey the text",
    async (name, least) => {
      const { right, mistakes, wrongLines } = await judged(name);
      expect(right, mistakes.join("\n")).toBeGreaterThanOrEqual(least);
      expect(wrongLines).toEqual([]);
    },
    TIMEOUT_MS,
  );
});
