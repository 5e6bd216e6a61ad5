import { expect, test } from "vitest";
import { factsAtEnd, holdsAtEnd, judgeStory, readCases, readStories } from "./fact-quality.ts";
import { DEVELOPMENT, HELD_OUT } from "./fact-sequences.ts";

const NO_DATA = "no data in ../shared/bench";

test.each([
  { of: "development", sequences: DEVELOPMENT, least: 0.95 },
  { of: "held-out", sequences: HELD_OUT, least: 0.9 },
])("the current facts of the $of sequences are right", async ({ sequences, least }) => {
  const right = await Promise.all(sequences.map(holdsAtEnd));
  expect(right.filter(Boolean).length / right.length).toBeGreaterThanOrEqual(least);
});

test("facts of stories hold the right value with the right status", async ({ skip, annotate }) => {
  const stories = readStories();
  if (stories === undefined) return skip(NO_DATA);
  const verdicts = (await Promise.all(stories.map(judgeStory))).flat();
  const missed = verdicts.filter(({ answer }) => answer === undefined).map(({ question }) => question.id);
  await annotate(`missed: ${missed.join(", ")}`);
  expect(1 - missed.length / verdicts.length).toBeGreaterThanOrEqual(0.38);
});

test("facts of statements that change hold the current one, and no stale one as current", async ({ skip }) => {
  const cases = readCases();
  if (cases === undefined) return skip(NO_DATA);
  for (const { id, say, current, stale } of cases) {
    const facts = await factsAtEnd(say);
    const words = new Map(say.map(([day, text], index) => [`${day}-${index}`, text.toLowerCase()]));
    const sources = (...statuses: string[]) =>
      facts.filter(({ status }) => statuses.includes(status)).map(({ memory_id }) => words.get(memory_id) ?? "");
    const isSource = (texts: string[], part: string) => texts.some((text) => text.includes(part));
    expect(isSource(sources("current"), current), `${id} holds ${current}`).toBe(true);
    expect(isSource(sources("current", "planned"), stale), `${id} no longer holds ${stale}`).toBe(false);
  }
});
