import { describe, expect, test } from "vitest";
import { extract } from "../../domain/memory/extraction.ts";
import { createBuiltInModel } from "../../domain/models/built-in-model.ts";
import { readPassage } from "./passage.ts";
import type { Message } from "./said-by.ts";

const model = createBuiltInModel();

async function factsOf(content: string, before?: Message[]): Promise<string[]> {
  const { facts } = await extract({ fast: model, verify: model }, { content, before });
  return facts.map((fact) => fact.content);
}

async function omittedOf(content: string): Promise<string[]> {
  return (await readPassage({ content })).omitted.map(({ reason, text }) => `${reason}: ${text}`);
}

describe("statements", () => {
  test.each([
    ["I quit smoking.", ["I quit smoking."]],
    ["user: I am celiac.", ["I am celiac."]],
    ["user: Never send me invoices by post.", ["Never send me invoices by post."]],
    ["I collect stamps, and I sing in a choir.", ["I collect stamps, and I sing in a choir."]],
    ["no gluten for me", ["no gluten for me"]],
    ["Meine Frau verträgt keine Laktose.", ["Meine Frau verträgt keine Laktose."]],
    ["Detesto o barulho da obra.", ["Detesto o barulho da obra."]],
    ["私は京都に住んでいます。猫が二匹います。", ["私は京都に住んでいます。", "猫が二匹います。"]],
    ["我对牛奶过敏。", ["我对牛奶过敏。"]],
    // Sentences that say nothing without another one stay with it.
    ["The Okonkwos sold their bakery. They moved to Accra.", ["The Okonkwos sold their bakery. They moved to Accra."]],
    ["Bought a cello. Second hand. From Leeds.", ["Bought a cello. Second hand. From Leeds."]],
    [
      "user: I got a parrot.\nassistant: Lovely!\nuser: He only speaks Danish.",
      ["I got a parrot.", "He only speaks Danish."],
    ],
    [
      "The surgeon said that I could wait. So I'm not having it.",
      ["The surgeon said that I could wait. So I'm not having it."],
    ],
    // Questions hold statements.
    ["My son is deaf, can you find us a school?", ["My son is deaf"]],
    ["Any hotel tips, because I use a wheelchair?", ["I use a wheelchair"]],
    ["What is the capital of Peru?", []],
    ["would you kindly explain recursion", []],
    // An assistant's are its advice, promises and results.
    ["assistant: I will send the contract on Monday.", ["I will send the contract on Monday."]],
    [
      "assistant: I would freeze the dough overnight and bake it at 230 degrees.",
      ["I would freeze the dough overnight and bake it at 230 degrees."],
    ],
    ["assistant: That sounds great!", []],
    ["user: My locker is number 31.\nassistant: Locker number 31.", ["My locker is number 31."]],
    // Quoted words stay as they are.
    [
      'My landlord wrote "I want you out by June" and I called a lawyer.',
      ['My landlord wrote "I want you out by June" and I called a lawyer.'],
    ],
    // A question without a mark is none.
    ["did my sister arrive", []],
    ["did the parcel arrive", []],
    ["had the train left", []],
    // These refuse nothing.
    ["I don't know.", []],
    ["I can't wait!", []],
    ["I am not sure.", []],
    ["We do not agree.", []],
  ])("of a text: %s", async (content, facts) => expect(await factsOf(content)).toEqual(facts));

  test.each([
    ["Do you eat fish?", "No, only eggs"],
    ["Did the operation take place?", "It was not done"],
    ["Where are the keys?", "They are under the mat"],
  ])("keep a short answer to a question: %s %s", async (question, answer) => {
    const facts = await factsOf(`assistant: ${question}\nuser: ${answer}`);
    expect(facts).toEqual([answer]);
  });

  test.each([
    "did my ECG interpretation day yesterday, 94 percent",
    "did the cannulation refresher on Thursday",
    "If I ask for recipes, leave out the nuts.",
    "Always write dates in words.",
  ])("may omit their subject, or be a condition or a lasting instruction: %s", async (content) => {
    expect(await factsOf(content)).toHaveLength(1);
  });

  test.each(["May I suggest a bed in the front room for a month?", "Why not try a bed in the front room?"])(
    "include an assistant's advice in the form of a question: %s",
    async (advice) => expect(await factsOf(`user: The stairs are too steep.\nassistant: ${advice}`)).toHaveLength(2),
  );
});

describe("omitted sentences with their reasons", () => {
  test.each([
    ["ok thanks!", "small_talk: ok thanks!"],
    ["Muchas gracias.", "small_talk: Muchas gracias."],
    ["谢谢你！", "small_talk: 谢谢你！"],
    ["Hope you have a lovely weekend", "small_talk: Hope you have a lovely weekend"],
    ["Wie spät ist es?", "question: Wie spät ist es?"],
    ["Write a haiku about autumn.", "request: Write a haiku about autumn."],
    ["If I were rich I would travel all year.", "hypothetical: If I were rich I would travel all year."],
    ["Oh great, another delayed train.", "irony: Oh great, another delayed train."],
  ])("%s", async (content, omission) => {
    expect(await factsOf(content)).toEqual([]);
    expect(await omittedOf(content)).toEqual([omission]);
  });
});

describe("preceding text", () => {
  test("is no fact", async () => {
    const before = [{ role: "user", content: "I live in Graz. I like tea." }];
    expect(await factsOf("I moved to Linz.", before)).toEqual(["I moved to Linz."]);
  });

  test.each([
    ["Do you live in Berlin?", "Yes."],
    ["Bist du Vegetarier?", "Ja"],
    ["Do you have any allergies?", "Shellfish."],
    ["お仕事は何ですか", "看護師"],
  ])("may be the question of a short answer: %s %s", async (question, answer) => {
    const { statements } = await readPassage({ content: answer, before: [{ role: "assistant", content: question }] });
    expect(statements).toMatchObject([{ question, sentences: [{ text: answer }] }]);
  });

  test("is not omitted text", async () => {
    const before = [{ role: "assistant", content: "Thanks! Why?" }];
    expect((await readPassage({ content: "I moved to Linz.", before })).omitted).toEqual([]);
  });
});

describe("structure", () => {
  test.each([
    [
      "rows of a table name their columns",
      "| Plant | Water |\n|---|---|\n| Fern | daily |\n| Cactus | monthly |",
      ["Fern | daily", "Cactus | monthly"],
    ],
    [
      "wrapped lines are one paragraph",
      "I rented a room\nin the old harbour of\nGdansk.",
      ["I rented a room\nin the old harbour of\nGdansk."],
    ],
    [
      "a mail is attributed to its writer, without greeting, header and signature",
      "From: Ivo Brandt <ivo@example.org>\nTo: Lea\nSubject: Boat\n\nHi Lea,\n\nI sold the boat to Marten.\n\nCheers,\nIvo",
      ["I sold the boat to Marten."],
    ],
    [
      "header fields of mails are no statements in any language",
      "Von: Ivo Brandt <ivo@example.org>\nAn: Lea\nBetreff: Boot\n\nIch habe das Boot an Marten verkauft.",
      ["Ich habe das Boot an Marten verkauft."],
    ],
  ])("%s", async (_title, content, facts) => expect(await factsOf(content)).toEqual(facts));

  test("short items follow their heading in one statement, long ones are separate statements", async () => {
    const short = "Shopping:\n- rye flour\n- yeast\n- [x] salt";
    expect(await factsOf(short)).toEqual(["Shopping:\n- rye flour\n- yeast\n- [x] salt"]);
    const long = "- call the plumber about the boiler in the cellar\n- pay the fine for parking at the station";
    expect(await factsOf(`To do:\n${long}`)).toHaveLength(2);
  });

  test("quoted mail is attributed to its writer", async () => {
    const reply =
      "From: Lea Sand\nTo: Ivo\n\nI agree to the price.\n\nOn Monday, Ivo Brandt wrote:\n> I want 4,000 euros for the boat.";
    expect(await factsOf(reply)).toContain("I want 4,000 euros for the boat.");
  });
});
