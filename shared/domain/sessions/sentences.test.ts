import { describe, expect, it } from "vitest";
import { talk } from "../../../test/support/session-messages.ts";
import { loadTokenCounter } from "../compression/condensing/tokens.ts";
import { outline } from "./outline.ts";
import { parseSummaryLines, summarySentencesOf } from "./sentences.ts";

const tell = async (...lines: string[]) => (await summarySentencesOf(talk(...lines))).map(({ text }) => text);

describe("what messages say, as sentences", () => {
  it.each([
    ["in the third person", "user: I moved to Rome in May.", "The user moved to Rome in May."],
    ["quoted if it is a note", "user: only Rome once", 'The user said: "Only Rome once."'],
    ["once", "user: Could you please stop using emoji?", "The user asked the assistant to stop using emoji."],
    ["as an order", "user: never ring me at night", "The user asked the assistant never to ring them at night."],
    ["as an order", "user: please also send Ada the bill", "The user asked the assistant to send Ada the bill."],
    ["as an order", "user: Don't book my flights.", "The user asked the assistant not to book their flights."],
    [
      "as an order",
      "user: From now on, answer in German.",
      "The user asked the assistant to answer in German from now on.",
    ],
    ["as a request", "user: Can you quiz me on Friday?", "The user asked the assistant to quiz them on Friday."],
    [
      "as advice",
      "assistant: Please call your doctor first.",
      "The assistant advised the user to call their doctor first.",
    ],
    ["quoted if it may be about the user", "user: Live in Rome, two cats", 'The user said: "Live in Rome, two cats."'],
    ["without an opening judgement", "user: Pretty good, I went to the Harz.", "The user went to the Harz."],
    ["with verbs of one form", "user: I live in Bonn and work at Acme.", "The user lives in Bonn and works at Acme."],
    ["with verbs of one form", "user: I want to move and work in Bonn.", "The user wants to move and work in Bonn."],
    ["quoted in other languages", "user: Ich wohne in Kiel.", 'The user said: "Ich wohne in Kiel."'],
    [
      "quoted if it is about the listener",
      "user: you sentences us on Friday",
      'The user said: "You sentences us on Friday."',
    ],
    [
      "with the assistant's name",
      "assistant: The trains to Bath are full.",
      'The assistant said: "The trains to Bath are full."',
    ],
    ["without its greeting", "user: Hola, quiero cambiar mi vuelo.", 'The user said: "Quiero cambiar mi vuelo."'],
    [
      "without code",
      "assistant: ```js\nreturn one;\n```\nI moved the Friday backup to noon.",
      "The assistant moved the Friday backup to noon.",
    ],
    ["without what leads to it", "user: oh and also, I sold the car.", "The user sold the car."],
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
    expect(await tell("user: Gustav: I am late today.")).toEqual(["Gustav is late today."]);
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
    ["I live in Ghent.", "The user lives in Ghent."],
  ])("keeps an answer that needs its question with the question: %s", async (answer, sentences) => {
    const [first, ...others] = await tell(
      "user: My bike is gone.",
      "assistant: What is the postcode?",
      `user: ${answer}`,
    );
    expect(first).toBe("The user's bike is gone.");
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
    expect(outline(sentences, { most: 6, points: 0 }, tokens).text).toBe("Ingrid is leaving.");
  });
});
