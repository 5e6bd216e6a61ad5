import { describe, expect, it } from "vitest";
import { Query } from "../../../language/questions/query.ts";
import { answeringHit, type KnownFact, probabilityHeld } from "./held-slots.ts";
import { readQuestion } from "./question.ts";

const LIVES: KnownFact = { subject: "Lena", attribute: "lives_in", value: "Graz", status: "current", memory_id: "1" };
const SISTER: KnownFact = { subject: "user", attribute: "sibling", value: "Lena", status: "current", memory_id: "2" };

function held(text: string, fact: KnownFact, { slot = "lives_in", ofUser = 0, own = [] as string[] } = {}) {
  const asked = { slots: new Map([[slot, 0.8]]), none: 0.2, ofUser };
  return probabilityHeld(asked, readQuestion(new Query(text), new Set(own), 0), [fact]);
}

describe("the asked slot among the facts", () => {
  it("is there where a fact says it of the asked person", () => {
    expect(held("Where does Lena live?", LIVES)).toBe(0.8);
    expect(held("where does lena live", LIVES)).toBe(0.8);
    expect(held("Where do I live?", { ...LIVES, subject: "user" }, { ofUser: 0.9 })).toBeCloseTo(0.72);
    expect(held("Who is Lena to me?", SISTER, { slot: "sibling" })).toBe(0.8);
  });

  it("is not there where a fact says it of another person, or says something else", () => {
    expect(held("Where does Tom live?", LIVES)).toBe(0);
    expect(held("Where does Tom live?", { ...LIVES, subject: "user" }, { ofUser: 0.9 })).toBe(0);
    expect(held("Where do I live?", LIVES, { ofUser: 0.9 })).toBe(0);
    expect(held("Where does Lena work?", LIVES, { slot: "works_at" })).toBe(0);
  });

  it("is not there where the fact was retracted, or belongs to some thing", () => {
    expect(held("Where does Lena live?", { ...LIVES, status: "retracted" })).toBe(0);
    const event: KnownFact = { ...LIVES, attribute: "event", value: "marathon" };
    expect(held("What is Lena doing?", event, { slot: "event" })).toBe(0);
  });

  it("takes the name of the user for the user", () => {
    const fact = { ...LIVES, subject: "user" };
    expect(held("Where does Oona live?", fact, { own: ["oona"] })).toBe(0.8);
  });
});

describe("the hit that leads because it states what is asked", () => {
  const question = readQuestion(new Query("Where does Lena live?"), new Set(), 0);
  const asked = { slots: new Map([["lives_in", 0.8]]), none: 0.2, ofUser: 0 };
  const lead = (scores: number[], facts: KnownFact[]) => {
    const hits = scores.map((score, index) => ({ id: String(index), score }));
    return answeringHit(hits, asked, question, facts)?.id;
  };

  it("is one that is nearly as good as the best", () => {
    expect(lead([0.9, 0.88, 0.85], [{ ...LIVES, memory_id: "2" }])).toBe("2");
  });

  it("is none if it is worse, the best states it too, or it no longer holds", () => {
    expect(lead([0.9, 0.8], [LIVES])).toBeUndefined();
    expect(lead([0.9, 0.88], [LIVES, { ...LIVES, memory_id: "0" }])).toBeUndefined();
    for (const status of ["superseded", "past", "planned"] as const)
      expect(lead([0.9, 0.88], [{ ...LIVES, status }])).toBeUndefined();
    expect(lead([], [LIVES])).toBeUndefined();
  });
});
