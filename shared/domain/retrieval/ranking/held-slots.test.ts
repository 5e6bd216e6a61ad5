import { describe, expect, it } from "vitest";
import { Query } from "../../../language/questions/query.ts";
import { Answers, type KnownFact, probabilityHeld } from "./held-slots.ts";
import { readQuestion } from "./question.ts";

const LIVES: KnownFact = {
  subject: "Lena",
  attribute: "lives_in",
  value: "Graz",
  status: "current",
  memory_id: "1",
  content: "Lena lives in Graz.",
};
const SISTER = {
  ...LIVES,
  subject: "user",
  attribute: "sibling",
  value: "Lena",
  memory_id: "2",
  content: "My sister Lena called.",
};
const BROTHER = { ...SISTER, value: "Tom", content: "My brother Tom called." };

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

describe("the asked slot of somebody whom the question names by a relation", () => {
  const lives = { slot: "lives_in", ofUser: 0.9 };
  const stated = (text: string, facts: KnownFact[], { slot, ofUser } = lives) =>
    probabilityHeld(
      { slots: new Map([[slot, 0.8]]), none: 0.2, ofUser },
      readQuestion(new Query(text), new Set(), 0),
      facts,
    );

  it("is that of the person whom facts name so", () => {
    expect(stated("Where does my sister live?", [LIVES, SISTER])).toBe(0.8);
    expect(stated("Wo wohnt meine Schwester?", [LIVES, { ...SISTER, content: "Meine Schwester Lena rief an." }])).toBe(
      0.8,
    );
    expect(stated("Where does my sister live?", [LIVES, SISTER, BROTHER])).toBe(0.8);
  });

  it("is not that of the user, nor of another relative", () => {
    expect(stated("Where does my sister live?", [{ ...LIVES, subject: "user" }, SISTER])).toBe(0);
    expect(stated("Where does my brother live?", [LIVES, SISTER, BROTHER])).toBe(0);
  });

  it("is the user's where the question asks who that is", () => {
    expect(stated("Who is my boss?", [{ ...SISTER, attribute: "boss" }], { slot: "manager", ofUser: 1 })).toBe(0.8);
  });
});

describe("the memory that leads because it states what is asked", () => {
  const slots = { slots: new Map([["lives_in", 0.8]]), none: 0.2, ofUser: 0 };
  const answersTo = (facts: KnownFact[], { text = "Where does Lena live?", probability = 0.8, asOf = NaN } = {}) =>
    new Answers({
      query: new Query(text),
      ownNames: new Set(),
      slots: { ...slots, slots: new Map([["lives_in", probability]]) },
      facts,
      asOf: Number.isNaN(asOf) ? undefined : asOf,
      now: 0,
    });
  const lead = (scores: number[], answers: Answers) =>
    answers.leading(
      scores.map((score, index) => ({ id: String(index), score })),
      new Set(["looked-up"]),
    );

  it("is one that is nearly as good as the best, and any if it surely does", () => {
    const third = [{ ...LIVES, memory_id: "2" }];
    expect(lead([0.9, 0.88, 0.85], answersTo(third, { probability: 0.4 }))).toBe("2");
    expect(lead([0.9, 0.88, 0.5], answersTo(third, { probability: 0.4 }))).toBeUndefined();
    expect(lead([0.9, 0.88, 0.5], answersTo(third))).toBe("2");
  });

  it("is one that was looked up, if it surely states it", () => {
    const lookedUp = { ...LIVES, memory_id: "looked-up" };
    const other = { ...LIVES, memory_id: "other" };
    expect(lead([0.9], answersTo([lookedUp, other]))).toBe("looked-up");
    expect(lead([0.9], answersTo([other]))).toBeUndefined();
    expect(lead([0.9], answersTo([lookedUp], { probability: 0.4 }))).toBeUndefined();
  });

  it("is none if the best states it too, or it no longer holds", () => {
    expect(lead([0.9, 0.88], answersTo([LIVES, { ...LIVES, memory_id: "0" }]))).toBeUndefined();
    for (const status of ["superseded", "past", "planned"] as const)
      expect(lead([0.9, 0.88], answersTo([{ ...LIVES, status }]))).toBeUndefined();
    expect(lead([], answersTo([LIVES]))).toBeUndefined();
  });

  it("is none if the question is about the past", () => {
    expect(lead([0.9, 0.88], answersTo([LIVES], { text: "Where did Lena live before?" }))).toBeUndefined();
    expect(lead([0.9, 0.88], answersTo([LIVES], { asOf: 0 }))).toBeUndefined();
  });

  it("is not replaced by one that states the same of somebody else", () => {
    const others = { ...LIVES, subject: "Tom", memory_id: "2" };
    expect(answersTo([LIVES, others]).isOfAnother("2", "1")).toBe(true);
    expect(answersTo([LIVES, { ...others, subject: "Lena" }]).isOfAnother("2", "1")).toBe(false);
    expect(answersTo([others]).isOfAnother("2", "1")).toBe(false);
  });
});
