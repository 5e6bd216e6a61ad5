import { existsSync, readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { anyCharacter } from "../../../test/support/any-character.ts";
import { extract } from "../../domain/memory/extraction.ts";
import { createBuiltInModel } from "../../domain/models/built-in-model.ts";
import type { Message } from "./said-by.ts";

const model = createBuiltInModel();

async function split(content: string, { before, role }: { before?: Message[]; role?: string } = {}) {
  const speaker = role === undefined || role === "user" ? undefined : role;
  const text = { content, before, speaker, isSplit: true, occurred_at: "2026-05-04T10:00:00Z" };
  const { pieces, omitted } = await extract({ fast: model, verify: model }, text);
  return { pieces: pieces.map(({ start, end }) => content.slice(start, end)), omitted, read: pieces };
}

const piecesOf = async (content: string) => (await split(content)).pieces;

describe("the pieces of a message", () => {
  test.each<[string, string[]]>([
    ["My kids: Ida, Max and Jon.", ["My kids: Ida, Max and Jon."]],
    ["ssh -i my.pem", ["ssh -i my.pem"]],
    ["Jo wrote: 'I am moving to Riga.'", ["Jo wrote: 'I am moving to Riga.'"]],
    ["Hi! How are you? I moved to Rome in May. Thanks!", ["I moved to Rome in May."]],
    ["Lisbon is off. Thalia broke her ankle.", ["Lisbon is off. Thalia broke her ankle."]],
    ["Mein Polo hat keinen TÜV mehr. Ich fahre Bus.", ["Mein Polo hat keinen TÜV mehr. Ich fahre Bus."]],
    ["Shopping:\n- milk\n\n- eggs\n\nMy cat is Tom.", ["Shopping:\n- milk\n\n- eggs", "My cat is Tom."]],
    ["Try this:\n\n```js\nconst a = 1;\n\nfoo();\n```\n", ["Try this:\n\n```js\nconst a = 1;\n\nfoo();\n```"]],
    ["| City | Visits |\n|---|---|\n| Ghent | 3 |", ["| City | Visits |\n|---|---|\n| Ghent | 3 |"]],
    ['{"customer": "Helio GmbH", "plan": "Team"}', ['{"customer": "Helio GmbH", "plan": "Team"}']],
    ["I rented a room\nin the old harbour.", ["I rented a room\nin the old harbour."]],
    ["Eve: I live in Minsk.\nBob: I live in Oslo.", ["Eve: I live in Minsk.", "Bob: I live in Oslo."]],
    ["3 May 2026\n[1] I live in Graz\n[2] ok\nI moved to Linz.", ["I moved to Linz."]],
    ['I like tea.\n<memories note="data">\n[1] x\n</memories>', ["I like tea."]],
  ])("of %j", async (content, pieces) => expect(await piecesOf(content)).toEqual(pieces));

  it("leave out what the service itself recalled", async () => {
    const block = "Instructions of the user\n[1] Be brief.\n3 May 2026\n[2] I live in Graz";
    expect((await split(`${block}\nI moved to Linz.`)).omitted).toEqual([{ text: block, reason: "recalled" }]);
  });

  it("have the question that they answer", async () => {
    const before = [{ role: "assistant", content: "Good. Do you have any allergies?" }];
    expect((await split("Shellfish.", { before })).read).toMatchObject([
      { in_reply_to: "Do you have any allergies?", start: 0, end: 10 },
    ]);
  });

  it("are few, however long the message is", async () => {
    const long = Array.from({ length: 2_000 }, (_, index) => `Fern ${index} got water on day ${index}.`);
    expect((await piecesOf(long.join(" "))).length).toBeLessThan(130);
    expect((await piecesOf(long.join("\n\n"))).length).toBeLessThan(130);
  });
});

/** Questions and requests that state something of lasting use. */
const WITH_DATA = [
  "Can you change my delivery address to 14 Mill Lane, York?",
  "can you remember that our wifi password is mango-kayak-42?",
  "Could you call me Max?",
  "Did I tell you my daughter starts school in August?",
  "Could you please update my phone number to 0171 5550199?",
  "Would you switch my plan to Team?",
  "Can you move my dentist appointment to Friday?",
  "Please remember: my locker is number 31.",
  "Can you note that I am allergic to penicillin?",
  "Did you know that my brother works at Airbus?",
  "Have I mentioned that we moved to Bergen last year?",
  "Do you remember that I don't eat pork?",
  "My son is deaf, can you find us a school?",
  "Any hotel tips, because I use a wheelchair?",
  "I'm in Oslo until Sunday, what should I see?",
  "Could you stop using emojis?",
  "Can you always answer in metric units?",
  "Can you send my invoices to billing@helio.example?",
  "Would you address me as Dr Okafor?",
  "Can you find a gift for my wife Dana?",
  "Will you book our flights for 12 May?",
  "Can you set my timezone to Europe/Vilnius?",
  "Don't forget that my passport expires in March, ok?",
  "Could you save that the garage code is 4411?",
  "Kannst du dir merken, dass ich keine Nüsse vertrage?",
  "Kannst du meine Adresse auf Hauptstraße 5 ändern?",
  "Ich bin Veganerin, kannst du etwas empfehlen?",
  "Habe ich dir erzählt, dass meine Tochter im August in die Schule kommt?",
  "Kannst du mich bitte Max nennen?",
  "¿Puedes recordar que mi contraseña es mango-42?",
  "¿Te he dicho que mi hermana vive en Lima?",
  "Soy celíaca, ¿puedes buscar un restaurante?",
  "¿Puedes cambiar mi dirección a la calle Mayor 7?",
  "Tu peux retenir que ma fille est allergique aux œufs ?",
  "Est-ce que je t'ai dit que je déménage à Lyon ?",
  "Peux-tu changer mon adresse pour le 12 rue Verte ?",
  "Puoi ricordare che il mio codice è 4411?",
  "Pode lembrar que a minha senha é 8812?",
  "你能记住我对花生过敏吗？",
  "Could you put me down as Mrs Halvorsen in the bookings?",
  "Would you mind adding that Leo is allergic to sesame?",
  "Can we set the budget for the party at 400 pounds?",
  "Could you write my dates as 3 May, not May 3?",
  "Find me a gym near my office in Leith, I start at six.",
  "Could you look for flights from Bristol, since that's our nearest airport?",
  "As a Type 1 diabetic, what can I eat on a long flight?",
  "Compare these phones for my dad, who's nearly blind.",
  "Write a message to my landlord that the boiler is broken.",
  "What can I have for my tea I'm back on Slimming World since Monday?",
  "Would it be possible to get my invoices in euros from now on?",
  "Such mir bitte ein Hotel in Graz, wir haben einen Hund.",
  "Was koche ich für meinen Sohn Emil, der keine Milch verträgt?",
  "Trouve-moi un vol, je pars de Nantes.",
  "Pourrais-tu noter que le code du portail est 4471 ?",
  "¿Qué le regalo a mi hija Zoe, que cumple diez años?",
  "What's a good stretch for someone with two slipped discs like me?",
  "Could you address the parcel to Unit 4, Kiln Yard, Stoke?",
  "Finde einen Arzt in der Nähe meiner Arbeit in Wedding.",
  "Peux-tu me trouver un dentiste, j'habite à Rennes ?",
  "Prendo Eutirox la mattina, dopo quanto posso bere il caffè?",
  "私は卵アレルギーです、覚えてくれますか？",
];

/** One-time requests and questions. */
const WITHOUT_DATA = [
  "Show me the weather in Tromsø.",
  "Write a cover letter for a nurse called Dana",
  "Compare the Pixel 12 and the iPhone 18.",
  "Debug this: ReferenceError: y is not defined",
  "What is the capital of Peru?",
  "Translate this sentence to Dutch.",
  "Can you summarize the article about Mars?",
  "Could you explain how DNS works?",
  "Find a flight from Oslo to Rome on 3 May.",
  "Tell me a joke about penguins.",
  "Give me five names for a bakery in Lyon.",
  "How do I boil an egg?",
  "Where do I live?",
  "What did I say about my trip?",
  "When is my dentist appointment?",
  "Do you remember my name?",
  "What do you remember about me?",
  "Can you recommend a film from 1994?",
  "Generate a password with 16 characters.",
  "List the planets by size.",
  "Explain the difference between TCP and UDP.",
  "Please fix the grammar of this text.",
  "Who won the 2022 World Cup?",
  "Can you call me back?",
  "Draft a mail to the landlord about the heating.",
  "Wie spät ist es in Tokio?",
  "Schreib ein Gedicht über den Herbst.",
  "Traduce esta frase al inglés.",
  "Explique-moi la photosynthèse.",
  "今天天气怎么样？",
  "Please make it shorter.",
  "Set an alarm for six.",
  "Plan a shark-themed birthday party.",
  "Remind me what a mortgage is.",
  "Turn this into bullet points.",
  "Make me a packing list for a beach holiday.",
  "Find a gym in Leith that opens at six.",
  "Do you think that it will rain tomorrow?",
  "Translate to Afrikaans: I live in Johannesburg.",
  "Empfiehl mir ein gutes Buch.",
  "Raconte-moi une blague.",
  "Recomiéndame un libro.",
];

describe("questions and requests", () => {
  test.each(WITH_DATA)("that carry data are kept: %s", async (content) => {
    const { pieces, omitted } = await split(content);
    expect({ pieces, omitted }).toEqual({ pieces: [content], omitted: [] });
  });

  test.each(WITHOUT_DATA)("for once are left out: %s", async (content) => {
    const { pieces, omitted } = await split(content);
    expect(pieces).toEqual([]);
    expect(omitted.map(({ reason }) => ["question", "request"].includes(reason))).toEqual([true]);
  });
});

/** Lines of many kinds, of which the messages of the property are made. */
const LINES = [
  ...WITH_DATA,
  ...WITHOUT_DATA,
  "Thanks!",
  "- rye flour",
  "2. call Mara",
  "> I live in Minsk",
  "```",
  "const x = { a: 1 };",
  "    indented code",
  "| Fern | daily |",
  "From: Ivo Brandt <ivo@example.org>",
  "To: Lea",
  "Eve: I moved to Riga.",
  "user: I am celiac.",
  "assistant: Noted.",
  "3 May 2026",
  "[1] I live in Graz",
  "<memories>",
  "</memories>",
  "# Plans",
  "The steps:",
  "Позвони мне завтра.",
  "내일 부산에 가요.",
  "أسكن في عمّان.",
  "मैं दिल्ली में रहता हूँ।",
  "Yarın İzmir'e gidiyorum.",
  "Mieszkam w Gdańsku.",
  "Ik woon in Gent.",
  "😀👍🏽 ok",
  "…",
  "",
];
const FOLDER = new URL("../../../../../../shared/bench/", import.meta.url);

/** The user's turns of the stories outside of the repository, if they are there. */
function turnsOfStories(): string[] {
  const folder = new URL("life/", FOLDER);
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
  return files.flatMap((name) => {
    const { sessions } = JSON.parse(readFileSync(new URL(name, folder), "utf8"));
    return sessions.flatMap(({ turns }: { turns: { text: string }[] }) => turns.map(({ text }) => text));
  });
}

/** Checks that all pieces are substrings, and that only white space is neither in a piece nor left out. */
async function expectVerbatim(content: string, options: Parameters<typeof split>[1] = {}): Promise<void> {
  const { pieces, omitted } = await split(content, options);
  const told = [...pieces, ...omitted.map(({ text }) => text)];
  let rest = content;
  for (const text of told.toSorted((one, other) => other.length - one.length)) {
    expect(content).toContain(text);
    const index = rest.indexOf(text);
    if (index !== -1) rest = rest.slice(0, index) + " ".repeat(text.length) + rest.slice(index + text.length);
  }
  expect(rest.trim(), `lost from ${JSON.stringify(content)}`).toBe("");
}

describe("no character is bent or lost", () => {
  const lines = fc.array(fc.oneof(fc.constantFrom(...LINES), fc.string({ unit: anyCharacter, maxLength: 40 })), {
    maxLength: 12,
  });

  it("in messages of every kind", async () => {
    const roles = fc.constantFrom("user", "assistant", "tool");
    const separators = fc.constantFrom("\n", " ", "\r\n", "\n\n");
    await fc.assert(
      fc.asyncProperty(lines, separators, roles, fc.constantFrom(...LINES), async (said, separator, role, asked) => {
        await expectVerbatim(said.join(separator), { role, before: [{ role: "assistant", content: asked }] });
      }),
      { numRuns: 1_200 },
    );
  });

  const turns = turnsOfStories();
  it.skipIf(turns.length === 0)("in the turns of stories", { timeout: 120_000 }, async () => {
    for (const turn of turns) await expectVerbatim(turn);
  });
});
