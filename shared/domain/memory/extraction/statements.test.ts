import { describe, expect, test } from "vitest";
import { createBuiltInModel } from "../../models/built-in-model.ts";
import { extract } from "../extraction.ts";
import { readPassage } from "./passage.ts";

const model = createBuiltInModel();

async function factsOf(content: string, context?: string): Promise<string[]> {
  const { facts } = await extract({ fast: model, verify: model }, { content, context });
  return facts.map((fact) => fact.content);
}

async function omittedOf(content: string): Promise<string[]> {
  return (await readPassage({ content })).omitted.map(({ reason, text }) => `${reason}: ${text}`);
}

describe("statements", () => {
  test.each([
    ["I quit smoking.", ["The user quit smoking"]],
    ["user: I am celiac.", ["The user is celiac"]],
    ["user: Never send me invoices by post.", ["Never send the user invoices by post"]],
    ["I collect stamps, and I sing in a choir.", ["The user collects stamps, and they sing in a choir"]],
    ["no gluten for me", ["No gluten for the user"]],
    ["Meine Frau verträgt keine Laktose.", ["Meine Frau verträgt keine Laktose"]],
    ["Detesto o barulho da obra.", ["Detesto o barulho da obra"]],
    ["私は京都に住んでいます。猫が二匹います。", ["私は京都に住んでいます。", "猫が二匹います。"]],
    ["我对牛奶过敏。", ["我对牛奶过敏。"]],
    // Sentences that say nothing without another one stay with it.
    ["The Okonkwos sold their bakery. They moved to Accra.", ["The Okonkwos sold their bakery. They moved to Accra"]],
    ["Bought a cello. Second hand. From Leeds.", ["The user bought a cello. Second hand. From Leeds"]],
    [
      "user: I got a parrot.\nassistant: Lovely!\nuser: He only speaks Danish.",
      ["The user got a parrot. He only speaks Danish"],
    ],
    [
      "The surgeon said that I could wait. So I'm not having it.",
      ["The surgeon said that the user could wait. They are not having it"],
    ],
    // Questions hold statements.
    ["My son is deaf, can you find us a school?", ["The user's son is deaf"]],
    ["Any hotel tips, because I use a wheelchair?", ["The user uses a wheelchair"]],
    ["What is the capital of Peru?", []],
    ["would you kindly explain recursion", []],
    // An assistant's are its advice, promises and results.
    ["assistant: I will send the contract on Monday.", ["The assistant will send the contract on Monday"]],
    [
      "assistant: I would freeze the dough overnight and bake it at 230 degrees.",
      ["The assistant would freeze the dough overnight and bake it at 230 degrees"],
    ],
    ["assistant: That sounds great!", []],
    ["user: My locker is number 31.\nassistant: Locker number 31.", ["The user's locker is number 31"]],
    // Quoted words stay as they are.
    [
      'My landlord wrote "I want you out by June" and I called a lawyer.',
      [`The user's landlord wrote "I want you out by June" and they called a lawyer`],
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
  ])("include the question of a short answer: %s %s", async (question, answer) => {
    const facts = await factsOf(`assistant: ${question}\nuser: ${answer}`);
    expect(facts).toEqual([`Asked "${question}", the user answered: ${answer}`]);
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
  test.each([
    ["assistant: Do you live in Berlin?", "user: Yes.", [/live in Berlin.*yes/i]],
    ["user: I got a parrot.\nassistant: Lovely!", "user: He only speaks Danish.", [/parrot.*only speaks Danish/]],
    ["user: I live in Graz. I like tea.", "user: I moved to Linz.", [/^The user moved to Linz$/]],
    ["user: Yes.", "user: Yes.", []],
  ])("is part of a fact only if the text continues it: %s | %s", async (context, content, told) => {
    const facts = await factsOf(content, context);
    expect(facts).toHaveLength(told.length);
    for (const [place, fact] of facts.entries()) expect(fact).toMatch(told[place] ?? /^$/);
  });

  test("is not omitted text", async () => {
    const { omitted } = await readPassage({ content: "user: I moved to Linz.", context: "assistant: Thanks! Why?" });
    expect(omitted).toEqual([]);
  });
});

describe("structure", () => {
  test.each([
    [
      "rows of a table name their columns",
      "| Plant | Water |\n|---|---|\n| Fern | daily |\n| Cactus | monthly |",
      ["Plant: Fern, Water: daily", "Plant: Cactus, Water: monthly"],
    ],
    [
      "wrapped lines are one paragraph",
      "I rented a room\nin the old harbour of\nGdansk.",
      ["The user rented a room in the old harbour of Gdansk"],
    ],
    [
      "a mail is attributed to its writer, without greeting, header and signature",
      "From: Ivo Brandt <ivo@example.org>\nTo: Lea\nSubject: Boat\n\nHi Lea,\n\nI sold the boat to Marten.\n\nCheers,\nIvo",
      ["Ivo Brandt sold the boat to Marten"],
    ],
  ])("%s", async (_title, content, facts) => expect(await factsOf(content)).toEqual(facts));

  test("short items follow their heading in one statement, long ones are separate statements", async () => {
    const short = "Shopping:\n- rye flour\n- yeast\n- [x] salt";
    expect(await factsOf(short)).toEqual(["Shopping: rye flour, yeast, done: salt"]);
    const long = "- call the plumber about the boiler in the cellar\n- pay the fine for parking at the station";
    expect(await factsOf(`To do:\n${long}`)).toHaveLength(2);
  });

  test("quoted mail is attributed to its writer", async () => {
    const reply =
      "From: Lea Sand\nTo: Ivo\n\nI agree to the price.\n\nOn Monday, Ivo Brandt wrote:\n> I want 4,000 euros for the boat.";
    expect(await factsOf(reply)).toContain("Ivo Brandt wants 4,000 euros for the boat");
  });
});
