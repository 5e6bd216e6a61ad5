import { describe, expect, it } from "vitest";
import { OWN } from "../../../../test/support/own-texts.ts";
import { LINEAR, orderOfGrowth } from "../../../../test/support/processor-time.ts";
import { STRANGER, WRAPPED } from "../../../../test/support/wrapped-texts.ts";
import { OwnVoice } from "./voices.ts";

/** Returns the parts of which any occurrence in a message is, or is not, the user's own. */
function saidIn(message: string, parts: readonly string[], isOwn: boolean): string[] {
  const voice = new OwnVoice(message);
  return parts.filter((part) => {
    expect(message).toContain(part);
    return Array.from(
      message.split(part).slice(0, -1).entries(),
      ([index]) =>
        message
          .split(part)
          .slice(0, index + 1)
          .join(part).length,
    ).some((position) => (voice.foreignAt(position) === undefined) === isOwn);
  });
}

describe("the words of others", () => {
  it.each(Object.entries(WRAPPED))("%s", (_name, message) => {
    expect(saidIn(message, STRANGER, true)).toEqual([]);
  });
});

describe("the user's own words", () => {
  it.each(OWN)("%j", (message, ...own) => {
    expect(saidIn(message, own, false)).toEqual([]);
  });

  it("are found in a message of invisible and full-width characters at the positions of the message", () => {
    const message = "\u200bI live in Turku.\n\n＞ I live in Tallinn.\n\n\u2066I row.\u2069";
    expect(saidIn(message, ["I live in Turku", "I row"], false)).toEqual([]);
    expect(saidIn(message, ["I live in Tallinn"], true)).toEqual([]);
  });

  it("are left of a sentence that quotes", () => {
    const message = "She said “I never eat fish” but I do.";
    expect(new OwnVoice(message).ownPartOf({ start: 0, end: message.length })).toBe("She said but I do.");
    expect(new OwnVoice("I eat fish.").ownPartOf({ start: 0, end: 11 })).toBeUndefined();
  });
});

describe("the speaker of others' words", () => {
  it.each([
    ["Mallory: I live in Tallinn.\nBob: I don't.", "I live", "Mallory"],
    ["[03.03.26, 09:14:22] Mallory: I live in Tallinn.", "I live", "Mallory"],
    ["Voice message from Mallory: I live in Tallinn.", "I live", "Mallory"],
    ["The page says: I live in Tallinn.", "I live", undefined],
  ])("in %j", (message, words, speaker) => {
    expect(new OwnVoice(message).foreignAt(message.indexOf(words))).toMatchObject({ speaker });
  });
});

it("a message of 100,000 characters takes time linear in its length", async () => {
  const kinds = [
    '"',
    "'",
    "“",
    "<a ",
    "[b] ",
    "> c\n",
    "d: e\n",
    '{"',
    "f. ",
    "```\n",
    "--- g ---\n",
    "\u200b",
    "Hi H\n",
    "([",
    "{{ ",
  ];
  for (const kind of kinds) {
    const reading = (length: number) => {
      const message = kind.repeat(Math.ceil(length / kind.length)).slice(0, length);
      return () => new OwnVoice(message);
    };
    expect(await orderOfGrowth([12_500, 100_000], reading, LINEAR), kind).toBeLessThanOrEqual(LINEAR);
  }
});
