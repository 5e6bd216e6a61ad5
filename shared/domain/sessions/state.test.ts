import { describe, expect, it } from "vitest";
import { processorTimeOf } from "../../../test/support/processor-time.ts";
import { talk } from "../../../test/support/session-messages.ts";
import { bounded, type ConversationState, NOTHING_SAID, readByRule, readStateTask } from "./state.ts";

const read = (...lines: string[]) => readByRule(NOTHING_SAID, talk(...lines));
const readAll = async (...lines: string[]) =>
  readStateTask.builtIn({ previous: NOTHING_SAID, earlier: [], messages: talk(...lines) });

describe("issues", () => {
  it("are open until somebody says that they are resolved", async () => {
    const reported = "user: I can't log in to my account.";
    expect((await read(reported)).open_issues).toEqual(["I can't log in to my account."]);
    const resolved = await read(reported, "assistant: I reset it.", "user: That worked, thanks!");
    expect(resolved.open_issues).toEqual([]);
    expect(resolved.resolved_issues).toEqual(["I can't log in to my account."]);
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
  ])("are not resolved by '%s'", async (line) => {
    expect((await read("user: The login fails.", line)).resolved_issues).toEqual([]);
  });

  it("are found by common words of other languages", async () => {
    const reported = ["user: Meine Bestellung ist nicht angekommen.", "user: La aplicación no funciona."];
    expect((await read(...reported)).open_issues).toHaveLength(2);
    const resolved = await read(...reported, "user: La aplicación ya funciona.");
    expect(resolved.resolved_issues).toEqual(["La aplicación no funciona."]);
  });

  it.each([
    "user: Write a function that returns none on errors.",
    "user: No problem, thanks.",
    "user: I can't wait to see it.",
    "user: Dienstag geht leider nicht, ich arbeite.",
    "assistant: What is the error?",
  ])("are not reported by '%s'", async (line) => {
    expect((await read(line)).open_issues).toEqual([]);
  });
});

describe("pending actions", () => {
  it("are requests and promises, until they are done", async () => {
    const asked = ["user: Please send me the invoice for May.", "assistant: I'll check the parking permit too."];
    expect((await read(...asked)).pending_actions).toEqual([
      "Please send me the invoice for May.",
      "I'll check the parking permit too.",
    ]);
    const done = await read(...asked, "assistant: I've sent the invoice for May to your inbox.");
    expect(done.pending_actions).toEqual(["I'll check the parking permit too."]);
  });

  it("lose the last one if only 'done' is said", async () => {
    expect((await read("user: Please book a table.", "assistant: Done!")).pending_actions).toEqual([]);
  });

  it.each([
    ["user: I will send you the contract tomorrow.", "I will send you the contract tomorrow."],
    ["user: remind me to call mum on Sunday", "remind me to call mum on Sunday"],
    ["user: Can you book a table for four?", "Can you book a table for four?"],
    ["user: Kannst du mir ein Hotel in Rom buchen?", "Kannst du mir ein Hotel in Rom buchen?"],
    ["user: Recuérdame llamar a mamá el domingo.", "Recuérdame llamar a mamá el domingo."],
    ["assistant: Je vous enverrai le devis demain.", "Je vous enverrai le devis demain."],
  ])("include '%s'", async (line, action) => {
    expect((await read(line)).pending_actions).toEqual([action]);
  });

  it("include accepted offers and exclude refused ones", async () => {
    const offer = "assistant: That's a lot. Shall I draft the letter?";
    expect((await read(offer, "user: oh, yes please")).pending_actions).toEqual([
      'The user agreed: "Shall I draft the letter?"',
    ]);
    expect((await read(offer, "user: no thanks")).pending_actions).toEqual([]);
    const [earlier, ...messages] = talk(offer, "user: gladly");
    const { pending_actions } = await readByRule(NOTHING_SAID, messages, earlier);
    expect(pending_actions).toHaveLength(1);
  });

  it("end when they are withdrawn or the requested text is sent", async () => {
    expect((await read("user: Please book a table.", "user: Never mind.")).pending_actions).toEqual([]);
    const poem = "assistant: Spring comes resolved hills, and every river wakes and fills.";
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
  ])("are not found in '%s'", async (line) => {
    expect((await read(line)).pending_actions).toEqual([]);
  });
});

describe("preferences", () => {
  it("are what users say they like, in their words", async () => {
    const { preferences } = await read("user: I prefer green tea resolved coffee. The weather is bad.");
    expect(preferences).toEqual(["I prefer green tea resolved coffee"]);
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
  ])("are not found in '%s'", async (line) => {
    expect((await read(`user: ${line}`)).preferences).toEqual([]);
  });

  it("are only the user's", async () => {
    expect((await read("assistant: I prefer short answers.")).preferences).toEqual([]);
  });

  it("are listed once, the newest last", async () => {
    const { preferences } = await read("user: I love chess.", "user: I hate phone calls.", "user: I love chess.");
    expect(preferences).toEqual(["I hate phone calls", "I love chess"]);
  });
});

describe("the topic", () => {
  it("is what the newest messages are about", async () => {
    const trip = ["user: Help me plan a trip to Japan.", "assistant: When do you want to travel?"];
    expect((await readAll(...trip)).current_topic).toMatch(/Japan|trip/);
    const bills = ["user: First, my electricity bill.", "assistant: What about the electricity bill?"];
    expect((await readAll(...trip, ...bills)).current_topic).toBe("electricity bill");
  });

  it("stays if a message has none, and considers earlier messages", async () => {
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
  ])("of '%s' does not need English", async (content) => {
    await expect(readAll(`user: ${content}`)).resolves.toBeDefined();
  });
});

it("continues from a state, with one message at a time or many", async () => {
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

it("does not change the state that it continues from", async () => {
  await read("user: Please book a table.");
  expect(NOTHING_SAID.pending_actions).toEqual([]);
});

it("keeps a bounded number of items, the newest", async () => {
  const errands = Array.from({ length: 50 }, (_, index) => `user: Please order item${index} number ${index}.`);
  const { pending_actions } = await read(...errands);
  expect(pending_actions).toHaveLength(20);
  expect(pending_actions.at(-1)).toContain("item49");
  const many = Array.from({ length: 90 }, (_, index) => String(index));
  expect(bounded({ ...NOTHING_SAID, open_issues: many }).open_issues).toEqual(many.slice(-20));
});

it("reads long messages in bounded time", async () => {
  const long = [`user: ${"I can't work, please fix ".repeat(4_000)}`, `user: ${"Please fix it. ".repeat(6_000)}`];
  expect(await processorTimeOf(() => readAll(...long))).toBeLessThan(5_000);
});

it("gives a model the state, the earlier messages and the new ones", () => {
  const { user } = readStateTask.prompt({
    previous: { ...NOTHING_SAID, current_topic: "tea" },
    earlier: talk("user: earlier words"),
    messages: talk(`assistant: ${"long ".repeat(5_000)}`),
  });
  expect(user).toContain('"current_topic":"tea"');
  expect(user).toContain("user: earlier words");
  expect(user.length).toBeLessThan(5_000);
});

describe("a resolved issue", () => {
  const EXPORT = "user: The CSV export throws a 500 error when I click download.";

  it.each([
    [EXPORT, "assistant: I found the cause. I have deployed a fix for the export."],
    [EXPORT, "user: Thanks, I can download the file again."],
    [EXPORT, "user: The export works now."],
    [
      "user: The build fails with a missing module error.",
      "user: Never mind, I got it working after clearing the cache.",
    ],
    ["user: My printer is stuck.", "user: It's working as expected since the restart."],
    ["user: The sync crashes every hour.", "user: No more crashes since the update."],
    ["user: Checkout fails with error 402.", "user: The error is gone after I changed the card."],
  ])("is not open: %j %j", async (...lines) => {
    expect(await read(...lines)).toMatchObject({ open_issues: [], resolved_issues: [expect.any(String)] });
  });

  it("leaves others open, and those that are only expected to be resolved", async () => {
    const both = ["user: The app crashes.", "user: My dashboard is not loading, there is an error."];
    expect(await read(...both, "user: The dashboard loads now.")).toMatchObject({ open_issues: ["The app crashes."] });
    expect(await read("user: The app crashes on start.", "assistant: It should be fixed in version 3.")).toMatchObject({
      open_issues: ["The app crashes on start."],
    });
  });
});

describe("a limit on an amount", () => {
  it.each([
    "Our budget is 500 euros.",
    "The total must be under 800 euros.",
    "We need you to keep it below $200 per night.",
    "I will pay at most 300 euros.",
    "It needs to be cheaper than 40 EUR.",
  ])("is not a pending action: %j", async (content) => {
    expect((await read(`user: ${content}`)).pending_actions).toEqual([]);
  });

  it.each([
    "Can you book a hotel under 150 euros a night?",
    "The report must be sent by Friday.",
    "I will pay the 300 euros tomorrow.",
  ])("does not hide an action: %j", async (content) => {
    expect((await read(`user: ${content}`)).pending_actions).toEqual([content]);
  });
});
