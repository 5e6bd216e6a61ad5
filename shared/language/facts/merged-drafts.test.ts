import { describe, expect, it } from "vitest";
import type { FactDraft } from "../slots/fact.ts";
import { mergedDrafts } from "./merged-drafts.ts";

const TEXT = "I live in Turin by the sea, the offsite is cancelled, locker code 4471. Keep it short.";

function draft(attribute: string, value: string, rest: Partial<FactDraft> = {}): FactDraft {
  const said = {
    subject: "user",
    act: "state",
    cardinality: "single",
    confidence: 0.8,
    span: { start: 0, end: 5 },
  } as const;
  return { ...said, attribute, value, ...rest };
}

const merged = (
  rules: FactDraft[],
  drafts: FactDraft[],
  rest: { doubtful?: FactDraft[]; instructions?: string[] } = {},
) =>
  mergedDrafts(rules, { text: TEXT, drafts, doubtful: [], instructions: [], ...rest }).map(
    ({ attribute, value, confidence, is_guess }) => `${attribute}: ${value} ${is_guess ? "guess" : confidence}`,
  );

describe("mergedDrafts", () => {
  it("has one fact for what both read, with the model's value, and what only the model reads", () => {
    const model = [draft("lives_in", "Turin", { confidence: 0.9 }), draft("lives_with", "Ana")];
    expect(merged([draft("lives_in", "Turin by the sea")], model)).toEqual([
      "lives_in: Turin 0.9",
      "lives_with: Ana 0.8",
    ]);
  });

  it("is sure of what both read, even if the model alone is not, and leaves out what that one alone is unsure of", () => {
    const model = [draft("works_at", "Initech", { confidence: 0.55 }), draft("age", "34", { confidence: 0.55 })];
    const doubtful = { doubtful: model };
    expect(merged([draft("works_at", "Initech", { confidence: 0.7 })], [], doubtful)).toEqual([
      "works_at: Initech 0.9",
    ]);
    const other = merged([draft("works_at", "Initech", { act: "end", confidence: 0.7 })], [], doubtful);
    expect(other).toEqual(["works_at: Initech guess"]);
  });

  it("guesses that a home has changed, but not a name", () => {
    expect(merged([draft("lives_in", "Porto"), draft("name", "her Clippie")], [])).toEqual(["lives_in: Porto guess"]);
  });

  it("keeps of what something is the favourite", () => {
    const read = merged([draft("favourite_tea", "Turin, without sugar")], [draft("favourite", "Turin")]);
    expect(read).toEqual(["favourite_tea: Turin 0.9"]);
  });

  it("has one fact for a person whom rules and model call by different relations", () => {
    const rules = [draft("dentist", "Dr. Lee"), draft("manager", "Mona")];
    expect(merged(rules, [draft("doctor", "Dr. Lee"), draft("contact", "Mona"), draft("friend", "Ida")])).toEqual([
      "dentist: Dr. Lee 0.9",
      "manager: Mona 0.9",
      "friend: Ida 0.8",
    ]);
  });

  it("keeps all words of what ends", () => {
    const rule = draft("plan", "offsite by the sea", { act: "cancel" });
    expect(merged([rule], [draft("plan", "offsite", { act: "cancel" })])).toEqual(["plan: offsite by the sea 0.8"]);
  });

  it("leaves out what the rules alone read, but for instructions that the model marks", () => {
    const many = { cardinality: "multiple" } as const;
    const rules = [draft("likes", "Turin", many), draft("instruction", "Keep it short", many)];
    expect(merged(rules, [])).toEqual([]);
    expect(merged(rules, [], { instructions: ["Keep it short."] })).toEqual(["instruction: Keep it short 0.6"]);
  });

  it("keeps a sure rule's value of a slot with one value as a guess", () => {
    const rules = [draft("lives_in", "Turin"), draft("works_at", "Initech", { confidence: 0.7 })];
    expect(merged(rules, [])).toEqual(["lives_in: Turin guess"]);
  });

  it("keeps plans and ends of the rules as guesses, so that a plan may be called off", () => {
    const many = { cardinality: "multiple", confidence: 0.4 } as const;
    const plan = draft("plan", "offsite", { ...many, act: "plan" });
    const off = draft("plan", "the offsite", { ...many, act: "cancel" });
    expect(merged([plan, off], [])).toEqual(["plan: offsite guess", "plan: the offsite guess"]);
  });

  it("has the interval of the rules for what the model reads as an end", () => {
    const rule = draft("takes", "prednisone", { valid_to: "2025-02-20T00:00:00.000Z" });
    expect(merged([rule], [draft("takes", "prednisone", { act: "end" })])).toEqual(["takes: prednisone 0.9"]);
    expect(merged([{ ...rule, is_guess: true }], [rule])).toEqual(["takes: prednisone 0.9"]);
    expect(merged([draft("takes", "prednisone")], [draft("takes", "prednisone", { act: "end" })])).toEqual([
      "takes: prednisone guess",
      "takes: prednisone 0.8",
    ]);
  });

  it("keeps likely ends as guesses, but not of what a new value replaces", () => {
    const likely = { confidence: 0.55, act: "end" } as const;
    const doubtful = [draft("partner", "Silke", likely), draft("doctor", "Dr. Lee", likely), draft("gym", "", likely)];
    expect(merged([], [draft("doctor", "Dr. Kay")], { doubtful })).toEqual([
      "doctor: Dr. Kay 0.8",
      "partner: Silke guess",
    ]);
  });

  it("keeps what stands behind the text that was read", () => {
    const late = draft("drives", "a Volvo", { span: { start: 9000, end: 9010 } });
    expect(merged([late], [])).toEqual(["drives: a Volvo 0.8"]);
  });
});
