import { describe, expect, it } from "vitest";
import { findProcedures } from "../procedures.ts";
import { findCommands, MAX_NAME_LENGTH, MAX_PATTERNS, nameOf } from "./patterns.ts";

async function only(text: string) {
  const patterns = await findProcedures(text);
  expect(patterns.map(({ source }) => source)).toHaveLength(1);
  return patterns[0]!;
}

describe("rules of a text", () => {
  it.each([
    ["When a customer calls, answer within a minute.", "a customer calls", "Answer within a minute"],
    ["Whenever the build breaks, notify the team.", "the build breaks", "Notify the team"],
    ["If the payment failed then retry it once.", "the payment failed", "Retry it once"],
    ["As soon as an incident is declared, open a channel.", "an incident is declared", "Open a channel"],
    ["In case of fire, leave the house.", "fire", "Leave the house"],
    ["If the build fails: page the team", "the build fails", "Page the team"],
    ["Before deploying, back up the database.", "Before deploying", "Back up the database"],
    ["Run the tests before merging.", "before merging", "Run the tests"],
    ["Restart the worker when memory is high.", "memory is high", "Restart the worker"],
    [
      "Never deploy on Friday unless the fix is urgent.",
      "deploy on Friday",
      "Never deploy on Friday unless the fix is urgent",
    ],
    ["Always greet the customer by name.", "greet the customer by name", "Always greet the customer by name"],
    ["To reset a password, open settings.", "reset a password", "Open settings"],
    ["deploy fails -> roll back the release", "deploy fails", "Roll back the release"],
    ["- If the queue is full, then drop the oldest job;", "the queue is full", "Drop the oldest job"],
    ["3) Please note that when it rains, close the window.", "it rains", "Close the window"],
    [
      "If the customer, who is a member, complains, escalate it.",
      "the customer, who is a member, complains",
      "Escalate it",
    ],
    ["When an agent signs in, they must show a badge.", "an agent signs in", "They must show a badge"],
  ])("%s", async (text, trigger, action) => {
    expect(await only(text)).toMatchObject({ trigger, action });
  });

  it.each([
    "When I was young, I lived in Rome.",
    "She called me when she arrived.",
    "The customer was happy after we called.",
    "Would you call me when it is done?",
    "I like tea.",
    "To me, it looks fine.",
    "After the release the team went home.",
    "",
    "…",
    "If, then.",
  ])("does not include %s", async (text) => {
    expect(await findProcedures(text)).toEqual([]);
  });

  it("have a higher confidence the more explicit they are", async () => {
    const confidenceIn = async (text: string) => (await only(text)).confidence;
    const plain = await confidenceIn("When it rains, close the window.");
    const loose = await confidenceIn("Close the window when it rains.");
    const bare = await confidenceIn("Always close the window.");
    const observed = await confidenceIn("When it rains, the street gets wet.");
    expect(plain).toBeGreaterThan(loose);
    expect(loose).toBeGreaterThan(bare);
    expect(observed).toBeLessThan(0.5);
    expect(plain).toBeLessThan(1);
  });

  it("are returned once each, the most explicit first", async () => {
    const patterns = await findProcedures(`Always lock the door. When it rains, close the window.
      If it rains, close the window. Close the window when it rains.`);
    expect(patterns.map(({ action }) => action)).toEqual(["Close the window", "Always lock the door"]);
  });

  it("are bounded in number and in processing time", async () => {
    const many = Array.from({ length: 200 }, (_, index) => `If case ${index} comes up, call number ${index}.`).join(
      " ",
    );
    expect(await findProcedures(many)).toHaveLength(MAX_PATTERNS);
    const hostile = [
      "if ".repeat(30_000),
      "when a, ".repeat(12_000),
      `when ${"a,".repeat(45_000)}`,
      "-> ".repeat(30_000),
      `if ${"x ".repeat(280)}, `.repeat(150),
      "before ".repeat(14_000),
      `${"when a, b c d e, ".repeat(30)}. `.repeat(180),
    ];
    // If the time grew with the square of the text's length, these would exceed the test's time limit.
    for (const text of hostile)
      expect((await findProcedures(text.slice(0, 100_000))).length).toBeLessThanOrEqual(MAX_PATTERNS);
  });
});

it("is an instruction without a condition", async () => {
  const text = "Fill the kettle. I like tea. When it boils, pour it. You should warm the pot. We drank it.";
  expect(await findCommands(text)).toEqual(["Fill the kettle", "You should warm the pot"]);
});

it.each([
  ["a guest arrives", "Offer tea", "Offer tea when a guest arrives"],
  ["Before merging", "Run the tests", "Run the tests before merging"],
  ["greet people", "Always greet people", "Always greet people"],
  ["der Drucker nicht reagiert", "Ziehen Sie den Stecker", "Ziehen Sie den Stecker (der Drucker nicht reagiert)"],
  ["服务器没有响应", "请重启服务", "请重启服务 (服务器没有响应)"],
])("names a skill for %s: %s", (trigger, action, name) => {
  expect(nameOf({ trigger, action })).toBe(name);
});

it("never exceeds the maximum length of a name", () => {
  const name = nameOf({ trigger: "something comes up ".repeat(20), action: "Do something ".repeat(20) });
  expect(name.length).toBeLessThanOrEqual(MAX_NAME_LENGTH);
  expect(name.endsWith("…")).toBe(true);
});
