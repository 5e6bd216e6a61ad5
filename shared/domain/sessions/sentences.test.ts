import { describe, expect, it } from "vitest";
import { talk } from "../../../test/support/session-messages.ts";
import { loadTokenCounter } from "../compression/condensing/tokens.ts";
import { outline } from "./outline.ts";
import { parseSummaryLines, summarySentencesOf } from "./sentences.ts";

const tell = async (...lines: string[]) => (await summarySentencesOf(talk(...lines))).map(({ text }) => text);

describe("what messages say, as sentences", () => {
  it.each([
    ["quoted", "user: I moved to Rome in May.", 'The user said: "I moved to Rome in May."'],
    ["quoted if it is a note", "user: only Rome once", 'The user said: "Only Rome once."'],
    ["as a request", "user: Can you quiz me on Friday?", 'The user asked: "Can you quiz me on Friday?"'],
    ["as a request", "user: Show me the weather in Bonn.", 'The user asked: "Show me the weather in Bonn."'],
    ["as an order", "user: never ring me at night", 'The user said: "Never ring me at night."'],
    ["as advice", "assistant: Please call your doctor first.", 'The assistant said: "Please call your doctor first."'],
    ["quoted in other languages", "user: Ich wohne in Kiel.", 'The user said: "Ich wohne in Kiel."'],
    [
      "with the assistant's name",
      "assistant: The trains to Bath are full.",
      'The assistant said: "The trains to Bath are full."',
    ],
    ["without its greeting", "user: Hola, quiero cambiar mi vuelo.", 'The user said: "Quiero cambiar mi vuelo."'],
    [
      "without code",
      "assistant: ```js\nreturn one;\n```\nI moved the Friday backup to noon.",
      'The assistant said: "I moved the Friday backup to noon."',
    ],
  ])("becomes a sentence %s", async (_, line, sentences) => {
    expect(await tell(line)).toEqual([sentences]);
  });

  it.each([
    "user: Hi there! Thanks a lot!",
    "user: ok cool",
    "assistant: Guten Abend, Frau Baumgart.",
    "assistant: Congratulations! That's wonderful news.",
  ])("leaves out '%s'", async (line) => {
    expect(await tell(line)).toEqual([]);
  });

  it("takes a single label for a note of the speaker", async () => {
    expect(await tell("assistant: Gustav: rye, 60 percent, slow.")).toEqual([
      'The assistant said: "Gustav: rye, 60 percent, slow."',
    ]);
    expect(await tell("user: Gustav: I am late today.")).toEqual(['Gustav said: "I am late today."']);
  });

  it("keeps an answer with its question, and does not repeat what the assistant repeats", async () => {
    expect(await tell("assistant: Where do you live?", "user: Ghent", "assistant: Ghent. Noted.")).toEqual([
      'Asked "Where do you live?", the user answered "Ghent."',
    ]);
  });

  it.each([
    ["It is 20357 now, I moved there in May.", 'answered "It is 20357 now, I moved there in May."'],
    ["Five days, about 1200 euros for both of us.", 'answered "Five days, about 1200 euros for both of us."'],
    ["20357, 14 Elm Street.", 'answered "20357, 14 Elm Street."'],
    ["I live in Ghent.", 'The user said: "I live in Ghent."'],
  ])("keeps an answer that needs its question with the question: %s", async (answer, sentences) => {
    const [first, ...others] = await tell(
      "user: My bike is gone.",
      "assistant: What is the postcode?",
      `user: ${answer}`,
    );
    expect(first).toBe('The user said: "My bike is gone."');
    expect(others.join(" ")).toContain(sentences);
  });

  it("does not take the first word of an answer for a name", async () => {
    for (const word of ["Noted", "Sure", "Done", "Agreed", "Okay"]) {
      expect((await tell(`assistant: ${word}: a refund by Friday. I will mail you.`)).join()).not.toContain(`${word} `);
    }
  });

  it("keeps a question that nobody has answered", async () => {
    expect(await tell("user: I have a cat.", "assistant: What is it called?")).toContain(
      'The assistant asked: "What is it called?"',
    );
    const answered = await tell("user: I have a cat.", "assistant: What is it called?", "user: It is called Bono now.");
    expect(answered.join()).not.toContain("asked");
  });

  it("falls back to other sentences if there is no statement", async () => {
    expect(await tell("user: 12 + 30 = 42")).toEqual(['The user said: "12 + 30 = 42."']);
  });
});

describe("the most informative sentences", () => {
  it("are complete, in order and within the limit, with adjacent quotations joined", async () => {
    const tokens = await loadTokenCounter();
    const sentences = await summarySentencesOf(
      talk(
        "user: Room 14 on 3 June. Code 4471. I like it.",
        "assistant: A lovely room.",
        "user: Ada cancelled the trip to Lisbon.",
      ),
    );
    for (const most of [20, 30, 60]) {
      const { text, tokens: counted } = outline(sentences, { most, points: 0 }, tokens);
      expect(counted).toBeLessThanOrEqual(most);
      for (const line of text.split("\n")) expect(line).toMatch(/^\p{Lu}.*[.!?"]$/u);
    }
    const { text, key_points } = outline(sentences, { most: 60, points: 2 }, tokens);
    expect(text).toContain('The user said: "Room 14 on 3 June. Code 4471.');
    expect(text).toContain("Lisbon");
    expect(key_points).toHaveLength(2);
    expect(parseSummaryLines(text).map(({ quotation }) => quotation)).toContain("Code 4471.");
  });

  it("prefer what changes to what stays", async () => {
    const tokens = await loadTokenCounter();
    const sentences = await summarySentencesOf(
      talk("user: The house has a red door. Ingrid is leaving. The garden has a green wall."),
    );
    expect(outline(sentences, { most: 11, points: 0 }, tokens).text).toBe('The user said: "Ingrid is leaving."');
  });
});
