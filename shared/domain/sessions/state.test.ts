import { describe, expect, it } from "vitest";
import { talk } from "../../../test/support/session-messages.ts";
import { bounded, type ConversationState, NOTHING_SAID, readByRule, readStateTask } from "./state.ts";

const read = (...lines: string[]) => readByRule(NOTHING_SAID, talk(...lines));
const readAll = async (...lines: string[]) =>
  readStateTask.builtIn({ previous: NOTHING_SAID, earlier: [], messages: talk(...lines) });

describe("issues", () => {
  it("are open until somebody says that they are over", async () => {
    const told = "user: I can't log in to my account.";
    expect((await read(told)).open_issues).toEqual(["I can't log in to my account."]);
    const over = await read(told, "assistant: I reset it.", "user: That worked, thanks!");
    expect(over.open_issues).toEqual([]);
    expect(over.resolved_issues).toEqual(["I can't log in to my account."]);
  });

  it("are distinguished by their subject", async () => {
    const state = await read(
      "user: My order 1234 never arrived.",
      "user: Also, the app crashes when I open the settings page.",
      "user: The settings page works now.",
    );
    expect(state.open_issues).toEqual(["My order 1234 never arrived."]);
    expect(state.resolved_issues).toEqual(["Also, the app crashes when I open the settings page."]);
  });

  it.each([
    "assistant: It should work now once the update is installed.",
    "assistant: This will be fixed tomorrow.",
    "user: It is not fixed.",
    "user: Is the login fixed now?",
  ])("are not over by '%s'", async (line) => {
    expect((await read("user: The login fails.", line)).resolved_issues).toEqual([]);
  });

  it("are found by the commonest words of other languages", async () => {
    const told = ["user: Meine Bestellung ist nicht angekommen.", "user: La aplicación no funciona."];
    expect((await read(...told)).open_issues).toHaveLength(2);
    const over = await read(...told, "user: La aplicación ya funciona.");
    expect(over.resolved_issues).toEqual(["La aplicación no funciona."]);
  });

  it.each([
    "user: Write a function that returns none on errors.",
    "user: No problem, thanks.",
    "user: I can't wait to see it.",
    "user: Dienstag geht leider nicht, ich arbeite.",
    "assistant: What is the error?",
  ])("are not told by '%s'", async (line) => {
    expect((await read(line)).open_issues).toEqual([]);
  });
});

describe("pending actions", () => {
  it("are what was asked and promised, until it is done", async () => {
    const asked = ["user: Please send me the invoice for May.", "assistant: I'll check the parking permit too."];
    expect((await read(...asked)).pending_actions).toEqual([
      "Please send me the invoice for May.",
      "I'll check the parking permit too.",
    ]);
    const done = await read(...asked, "assistant: I've sent the invoice for May to your inbox.");
    expect(done.pending_actions).toEqual(["I'll check the parking permit too."]);
  });

  it("end with the last one where only 'done' is said", async () => {
    expect((await read("user: Please book a table.", "assistant: Done!")).pending_actions).toEqual([]);
  });

  it.each([
    ["user: I will send you the contract tomorrow.", "I will send you the contract tomorrow."],
    ["user: remind me to call mum on Sunday", "remind me to call mum on Sunday"],
    ["user: Can you book a table for four?", "Can you book a table for four?"],
    ["user: Kannst du mir ein Hotel in Rom buchen?", "Kannst du mir ein Hotel in Rom buchen?"],
    ["user: Recuérdame llamar a mamá el domingo.", "Recuérdame llamar a mamá el domingo."],
    ["assistant: Je vous enverrai le devis demain.", "Je vous enverrai le devis demain."],
  ])("hold '%s'", async (line, action) => {
    expect((await read(line)).pending_actions).toEqual([action]);
  });

  it("are offers that are accepted, and none that are refused", async () => {
    const offer = "assistant: That's a lot. Shall I draft the letter?";
    expect((await read(offer, "user: oh, yes please")).pending_actions).toEqual([
      'The user agreed: "Shall I draft the letter?"',
    ]);
    expect((await read(offer, "user: no thanks")).pending_actions).toEqual([]);
    const [earlier, ...messages] = talk(offer, "user: gladly");
    const { pending_actions } = await readByRule(NOTHING_SAID, messages, earlier);
    expect(pending_actions).toHaveLength(1);
  });

  it("end when they are taken back, and with the text that was asked for", async () => {
    expect((await read("user: Please book a table.", "user: Never mind.")).pending_actions).toEqual([]);
    const poem = "assistant: Spring comes over hills, and every river wakes and fills.";
    expect((await read("user: Could you write a poem about spring?", poem)).pending_actions).toEqual([]);
  });

  it.each([
    "user: That's great, thank you so much!",
    "user: please not her",
    "assistant: I'll always be careful.",
    "assistant: Paste it and I'll lay it out.",
    "user: I'll lose a housemate.",
    "assistant: Let me know if you need anything.",
    "assistant: I will be happy to help.",
    "user: Can you tell me the opening hours?",
    "system: You must be polite. Please answer in French.",
  ])("are none in '%s'", async (line) => {
    expect((await read(line)).pending_actions).toEqual([]);
  });
});

describe("preferences", () => {
  it("are what users say they like, as statements that stand on their own", async () => {
    const { preferences } = await read("user: I prefer green tea over coffee. The weather is bad.");
    expect(preferences).toEqual(["The user prefers green tea over coffee"]);
  });

  it.each([
    "Booked it, thanks! Also I prefer aisle seats.",
    "no bullet points please",
    "keep it short",
    "Never book restaurants without a garden.",
    "She won't come, so don't put it in anything.",
    "When you write me a mail: one page, no lists.",
    "Could you please stop using emoji?",
    "oh and call me Sam",
    "I can't stand cilantro.",
    "I do not eat fish any longer.",
    "Bitte keine Aufzählungen.",
    "Bitte rufen Sie mich nie vor zehn an.",
    "Ich bevorzuge Fensterplätze.",
    "Prefiero asientos de pasillo.",
    "Por favor, no me llames por la mañana.",
    "Je préfère les places côté couloir.",
    "S'il te plaît, ne m'appelle plus le soir.",
    "我对花生过敏",
  ])("are found in '%s'", async (line) => {
    expect((await read(`user: ${line}`)).preferences).toHaveLength(1);
  });

  it.each([
    "I love it, thanks!",
    "I'd like to book a table for two.",
    "Don't worry about it.",
    "Never mind.",
    "I never got the mail.",
    "Ingrid hates it.",
    "Das Wetter ist schlecht.",
    "No tengo tiempo.",
    "Je ne sais pas.",
  ])("are none in '%s'", async (line) => {
    expect((await read(`user: ${line}`)).preferences).toEqual([]);
  });

  it("are the user's alone", async () => {
    expect((await read("assistant: I prefer short answers.")).preferences).toEqual([]);
  });

  it("are said once, the newest last", async () => {
    const { preferences } = await read("user: I love chess.", "user: I hate phone calls.", "user: I love chess.");
    expect(preferences).toEqual(["The user hates phone calls", "The user loves chess"]);
  });
});

describe("the topic", () => {
  it("is what the newest messages are about", async () => {
    const trip = ["user: Help me plan a trip to Japan.", "assistant: When do you want to travel?"];
    expect((await readAll(...trip)).current_topic).toMatch(/Japan|trip/);
    const bills = ["user: First, my electricity bill.", "assistant: What about the electricity bill?"];
    expect((await readAll(...trip, ...bills)).current_topic).toBe("electricity bill");
  });

  it("stays where a message has none, and goes by messages read before", async () => {
    const previous: ConversationState = { ...NOTHING_SAID, current_topic: "taxes" };
    const messages = talk("user: Ok.");
    expect((await readStateTask.builtIn({ previous, earlier: [], messages })).current_topic).toBe("taxes");
    const earlier = talk("user: My parking permit is old.", "assistant: What about the parking permit?");
    expect((await readStateTask.builtIn({ previous, earlier, messages })).current_topic).toBe("parking permit");
  });

  it.each([
    "Die Rechnung für März fehlt, bitte die Rechnung senden.",
    "请重新发送发票。发票没有到。",
    "123 456",
    "!!!",
  ])("of '%s' needs no English", async (content) => {
    await expect(readAll(`user: ${content}`)).resolves.toBeDefined();
  });
});

it("reads on from where it stood, one message at a time or many", async () => {
  const lines = talk(
    "user: The printer is broken.",
    "user: Please order new ink.",
    "assistant: I have ordered new ink.",
    "user: The printer works again.",
  );
  let state = NOTHING_SAID;
  for (const line of lines) state = await readByRule(state, [line]);
  expect(state).toEqual(await readByRule(NOTHING_SAID, lines));
  expect(state).toMatchObject({ open_issues: [], pending_actions: [], resolved_issues: ["The printer is broken."] });
});

it("leaves the state that it reads on from as it was", async () => {
  await read("user: Please book a table.");
  expect(NOTHING_SAID.pending_actions).toEqual([]);
});

it("keeps a bounded number of items, the newest", async () => {
  const errands = Array.from({ length: 50 }, (_, place) => `user: Please order item${place} number ${place}.`);
  const { pending_actions } = await read(...errands);
  expect(pending_actions).toHaveLength(20);
  expect(pending_actions.at(-1)).toContain("item49");
  const many = Array.from({ length: 90 }, (_, place) => String(place));
  expect(bounded({ ...NOTHING_SAID, open_issues: many }).open_issues).toEqual(many.slice(-20));
});

it("reads long messages in bounded time", async () => {
  const started = performance.now();
  await readAll(`user: ${"I can't work, please fix ".repeat(4_000)}`, `user: ${"Please fix it. ".repeat(6_000)}`);
  expect(performance.now() - started).toBeLessThan(5_000);
});

it("asks a model with the state, the messages before and the new ones", () => {
  const { user } = readStateTask.prompt({
    previous: { ...NOTHING_SAID, current_topic: "tea" },
    earlier: talk("user: earlier words"),
    messages: talk(`assistant: ${"long ".repeat(5_000)}`),
  });
  expect(user).toContain('"current_topic":"tea"');
  expect(user).toContain("user: earlier words");
  expect(user.length).toBeLessThan(5_000);
});

describe("a trouble that is over", () => {
  const said = (...lines: string[]) =>
    readByRule(
      NOTHING_SAID,
      lines.map((line) => ({ role: line.startsWith("A: ") ? "assistant" : "user", content: line.slice("A: ".length) })),
    );
  const EXPORT = "U: The CSV export throws a 500 error when I click download.";

  it.each([
    [EXPORT, "A: I found the cause. I have deployed a fix for the export."],
    [EXPORT, "U: Thanks, I can download the file again."],
    [EXPORT, "U: The export works now."],
    ["U: The build fails with a missing module error.", "U: Never mind, I got it working after clearing the cache."],
    ["U: My printer is stuck.", "U: It's working as expected since the restart."],
    ["U: The sync crashes every hour.", "U: No more crashes since the update."],
    ["U: Checkout fails with error 402.", "U: The error is gone after I changed the card."],
  ])("is no open issue: %j %j", async (...lines) => {
    expect(await said(...lines)).toMatchObject({ open_issues: [], resolved_issues: [expect.any(String)] });
  });

  it("leaves the others open, and what is only expected to be over", async () => {
    const both = ["U: The app crashes.", "U: My dashboard is not loading, there is an error."];
    expect(await said(...both, "U: The dashboard loads now.")).toMatchObject({ open_issues: ["The app crashes."] });
    expect(await said("U: The app crashes on start.", "A: It should be fixed in version 3.")).toMatchObject({
      open_issues: ["The app crashes on start."],
    });
  });
});

describe("a limit of an amount", () => {
  const pending = async (content: string) =>
    (await readByRule(NOTHING_SAID, [{ role: "user", content }])).pending_actions;

  it.each([
    "Our budget is 500 euros.",
    "The total must be under 800 euros.",
    "We need you to keep it below $200 per night.",
    "I will pay at most 300 euros.",
    "It needs to be cheaper than 40 EUR.",
  ])("is no pending action: %j", async (content) => {
    expect(await pending(content)).toEqual([]);
  });

  it.each([
    "Can you book a hotel under 150 euros a night?",
    "The report must be sent by Friday.",
    "I will pay the 300 euros tomorrow.",
  ])("takes no action away: %j", async (content) => {
    expect(await pending(content)).toEqual([content]);
  });
});
