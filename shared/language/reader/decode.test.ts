import { describe, expect, it } from "vitest";
import { MENTION_ACTS, type MessageToRead } from "../../ports/fact-reader.ts";
import { mentionsIn, type ReaderLogits, type TokenPosition } from "./decode.ts";
import { type Labels, SIGNS } from "./labels.ts";
import { MAX_WINDOW, type TextToken, windowsOf } from "./windows.ts";

const SURE = 8;
const SLOTS = ["lives_in", "age"];
const NO_SIGNS = Object.fromEntries(SIGNS.map((sign) => [sign, 0])) as Labels["confidence"]["signs"];
const LABELS: Labels = {
  slots: SLOTS,
  acts: [...MENTION_ACTS],
  confidence: {
    bias: 0,
    signs: { ...NO_SIGNS, inside: 1, slot: 1, act: 1, about: 1 },
    slots: [0, 0],
    acts: MENTION_ACTS.map(() => 0),
  },
  least: 0.5,
};

/** Returns tokens of words, of which those in `pieces` are split after their second character. */
function placesOf(text: string, pieces: string[] = []): TokenPosition[] {
  const tokens = [...text.matchAll(/[\p{L}\p{N}]+|[^\s\p{L}\p{N}]/gu)].flatMap(({ 0: word, index }) => {
    const cuts = pieces.includes(word) ? [0, 2, word.length] : [0, word.length];
    return cuts.slice(1).map((end, piece) => ({ id: 1, start: index + (cuts[piece] ?? 0), end: index + end }));
  });
  return [undefined, ...tokens.map((token) => ({ ...token, part: "text" as const })), undefined];
}

/** Returns logits in which the given tokens are a value of a slot, with an act and the token of its subject. */
function logitsOf(
  places: TokenPosition[],
  values: { tokens: number[]; slot: string; act?: string; about?: number; who?: number[] }[],
): ReaderLogits {
  const rows = (size: number) => new Float32Array(places.length * size);
  const logits = {
    value: rows(3),
    who: rows(3),
    slot: rows(2),
    act: rows(MENTION_ACTS.length),
    about: rows(places.length),
  };
  for (let token = 0; token < places.length; token++) logits.value[token * 3] = SURE;
  for (const { tokens, slot, act = "state", about = 0, who = [] } of values) {
    for (const [position, token] of tokens.entries()) {
      logits.value.set(position === 0 ? [0, SURE, 0] : [0, 0, SURE], token * 3);
      logits.slot[token * 2 + SLOTS.indexOf(slot)] = SURE;
      logits.act[token * MENTION_ACTS.length + MENTION_ACTS.indexOf(act as never)] = SURE;
      logits.about[token * places.length + about] = SURE;
    }
    for (const [position, token] of who.entries()) logits.who[token * 3 + (position === 0 ? 1 : 2)] = SURE;
  }
  return logits;
}

const read = (message: MessageToRead, places: TokenPosition[], logits: ReaderLogits, labels = LABELS) =>
  mentionsIn(logits, places, message, labels).map(({ part, start, end, slot, act, subject }) => ({
    ...{ slot, act, subject },
    value: message[part].slice(start, end),
  }));

describe("mentionsIn", () => {
  it("reads values of whole words, with slot, act and subject", () => {
    const message = { before: "", text: "My sister Ana left New Turin." };
    const places = placesOf(message.text, ["Turin"]);
    const logits = logitsOf(places, [{ tokens: [5, 6, 7], slot: "lives_in", act: "end", about: 2, who: [2, 3] }]);
    expect(read(message, places, logits)).toEqual([
      { value: "New Turin", slot: "lives_in", act: "end", subject: "sister Ana" },
    ]);
  });

  it("cuts no word: a piece that the model leaves out belongs to its word", () => {
    const message = { before: "", text: "I live in Turin" };
    const places = placesOf(message.text, ["Turin"]);
    const logits = logitsOf(places, [{ tokens: [4], slot: "lives_in" }]);
    logits.value.set([1, 0, 0.9], 5 * 3);
    expect(read(message, places, logits)).toMatchObject([{ value: "Turin", subject: undefined }]);
  });

  it("reads values of other slots beside each other apart, and leaves out what is only a mark", () => {
    const message = { before: "", text: "Ida 7 ! Rome" };
    const places = placesOf(message.text);
    const values = [1, 2, 3, 4].map((token) => ({ tokens: [token], slot: token === 2 ? "age" : "lives_in" }));
    expect(read(message, places, logitsOf(places, values)).map(({ value }) => value)).toEqual(["Ida", "7", "Rome"]);
    const unlikely = { ...LABELS, confidence: { ...LABELS.confidence, slots: [-100, 0] } };
    const sure = mentionsIn(logitsOf(places, values), places, message, unlikely).filter(
      ({ confidence }) => confidence > 0.5,
    );
    expect(sure.map(({ slot }) => slot)).toEqual(["age"]);
  });

  it.each([
    ["Mila (6)", [2, 3, 4]],
    ["Mila, 6, rows", [2, 3, 4]],
  ])("reads an age in %s without the marks around it", (text, tokens) => {
    const message = { before: "", text };
    const places = placesOf(text);
    const logits = logitsOf(places, [{ tokens, slot: "age", about: 1, who: [1] }]);
    expect(read(message, places, logits)).toEqual([{ value: "6", slot: "age", act: "state", subject: "Mila" }]);
  });

  it("reads one value where a hyphen or a space alone is between two of one slot", () => {
    const message = { before: "", text: "Never use e-mail, or Rome" };
    const places = placesOf(message.text);
    const tokens = [[1], [2], [3], [5], [8]];
    const values = tokens.map((own) => ({ tokens: own, slot: "lives_in" }));
    expect(read(message, places, logitsOf(places, values)).map(({ value }) => value)).toEqual([
      "Never use e-mail",
      "Rome",
    ]);
  });
});

describe("windowsOf", () => {
  const tokensOf = (text: string): TextToken[] =>
    Array.from(text.matchAll(/\S+/g), ({ 0: word, index }) => ({ id: 1, start: index, end: index + word.length }));

  it("has all tokens, at most MAX_WINDOW each, and ends at a sentence where one ends", () => {
    const text = "one two three four. ".repeat(200);
    const windows = [...windowsOf(text, tokensOf(text))];
    expect(windows.flat()).toEqual(tokensOf(text));
    for (const window of windows) {
      expect(window.length).toBeLessThanOrEqual(MAX_WINDOW);
      expect(text.slice(0, window.at(-1)?.end)).toMatch(/\.$/);
    }
  });

  it("cuts a text without sentences", () => {
    const text = "word ".repeat(400);
    expect([...windowsOf(text, tokensOf(text))].map(({ length }) => length)).toEqual([150, 150, 100]);
  });
});
