import { describe, expect, it } from "vitest";
import { BLANK_DOCUMENT } from "../../../../test/fixtures/blank-document.ts";
import { analyse } from "../../../kernel/text/text.ts";
import { Query } from "../../../language/questions/query.ts";
import { queryKeywords } from "../../../language/words/keywords.ts";
import type { SearchAnswer } from "../../../ports/search-index.ts";
import { isAnswered, recallSignalsOf } from "./confidence.ts";

const EMBEDDER = { background: { mean: 0.14, deviation: 0.13 } };
const NOW = Date.parse("2026-11-20T09:00:00Z");
/** Scores of texts on the same topic, and of unrelated texts. */
const [NEAR, FAR] = [0.8, 0.57];
/** Score of a text on the same topic, in a model of short distances. */
const ALIKE = 0.68;
const TEXTS = [
  "Thalia broke her ankle on the ice on New Year's Day.",
  "I bought a second-hand Skoda from Thalia's boss.",
  "Marek from dialysis feeds the cat, he lives two doors down.",
  "Mi hermana Mariela estudia veterinaria.",
  "Gestern war Hannelore im Garten.",
];

/** Returns a search's hits: texts that hold words of a query, all with the same semantic score. */
function judged(query: string, { texts = TEXTS, own = [] as string[], score = NEAR } = {}) {
  const documents = texts.map((content, id) => ({ ...BLANK_DOCUMENT, org: "org_1", id: String(id), content }));
  const asked = queryKeywords(query).map(({ term }) => term);
  const holding = documents.map((document) => {
    const held = new Set(analyse(document.content));
    return { id: document.id, score: 1, document, terms: asked.filter((term) => held.has(term)) };
  });
  const terms = asked.map((term) => ({ term, documents: holding.filter((hit) => hit.terms.includes(term)).length }));
  const answer: SearchAnswer = {
    semantic: documents.map((document) => ({ id: document.id, score, document })),
    keyword: holding.filter((hit) => hit.terms.length > 0),
    statistics: { documents: texts.length, terms },
  };
  const shared = new Map(holding.map((hit) => [hit.id, hit.terms.length]));
  const ranked = answer.semantic
    .map((hit) => ({ ...hit, semanticScore: hit.score }))
    .sort((one, other) => (shared.get(other.id) ?? 0) - (shared.get(one.id) ?? 0));
  const known = { slots: undefined, facts: [] };
  return { question: { query: new Query(query), now: NOW }, ranked, answer, ownNames: new Set(own), ...known };
}

describe("the confidence of a recall", () => {
  it.each([
    "What is the name of Thalia's husband?",
    "How old is Marek?",
    "Which blood group does Thalia have?",
    "¿Cuántos años tiene Mariela?",
    "Welche Blutgruppe hat Hannelore?",
  ])("is none where memories name somebody and say nothing of what is asked: %s", (query) => {
    expect(isAnswered(EMBEDDER, judged(query))).toBe(false);
  });

  it.each([
    "Which ankle did Thalia break?",
    "What does Mariela study?",
    "Who feeds the cat?",
    "What happened on the ice?",
    "Wo war Hannelore gestern?",
  ])("is there where a memory holds more than the name: %s", (query) => {
    const texts = [...TEXTS, "Mariela studies to be a vet."];
    expect(isAnswered(EMBEDDER, judged(query, { texts }))).toBe(true);
  });

  it.each([
    ["What is the gardener's name?", "The gardener comes every other Thursday."],
    ["What is the number of my passport?", "My passport expires in June 2029."],
    ["What is Kit's surname?", "Our drummer Kit broke his thumb."],
    ["Welche Farbe hat der Skoda?", "Der Skoda hat 120000 Kilometer."],
    ["小雨几岁了?", "女儿小雨开始学钢琴。"],
  ])("is none where the memory about it has no value of the kind: %s", (query, text) => {
    expect(isAnswered(EMBEDDER, judged(query, { texts: [text], score: ALIKE }))).toBe(false);
  });

  it.each([
    ["What is the gardener's name?", "The gardener is called Selwyn."],
    ["What is the number of my passport?", "My passport has the number X4471902."],
    ["Welche Farbe hat der Skoda?", "Der Skoda ist grün."],
    ["Combien coûte le vélo cargo ?", "Le vélo cargo coûte 3 400 euros."],
    ["小雨几岁了?", "女儿小雨今年六岁。"],
  ])("is there where it has one: %s", (query, text) => {
    expect(isAnswered(EMBEDDER, judged(query, { texts: [text], score: ALIKE }))).toBe(true);
  });

  it("is none where nothing is near, and where nothing was found", () => {
    expect(isAnswered(EMBEDDER, judged("Which port does the planner use?", { score: FAR }))).toBe(false);
    expect(isAnswered(EMBEDDER, judged("Where do I live?", { texts: [] }))).toBe(false);
  });

  it("takes the names of the user for nobody else's", () => {
    const texts = ["My name is Oona Petrakis.", "I am on Ward 7."];
    const query = "Which unit does Oona work on?";
    expect(recallSignalsOf(EMBEDDER, judged(query, { texts })).apartBrief).toBe(1);
    expect(recallSignalsOf(EMBEDDER, judged(query, { texts, own: ["oona", "petrakis"] })).apartBrief).toBe(0);
  });

  it.each([
    "Where did I live before Kiel?",
    "Before Kiel, where did I live?",
    "Where did I live until I moved to Kiel?",
    "Wo habe ich vor Kiel gewohnt?",
    "Où est-ce que j'habitais avant Kiel ?",
    "¿Dónde vivía antes de Kiel?",
  ])("does not ask that the answer holds the name by which a question says when: %s", (query) => {
    const texts = ["I live in Hamburg.", "I moved to Kiel.", "Ich wohne in Hamburg.", "Ich bin nach Kiel gezogen."];
    expect(recallSignalsOf(EMBEDDER, judged(query, { texts })).apartBrief).toBe(0);
    expect(isAnswered(EMBEDDER, judged(query, { texts }))).toBe(true);
  });

  it("still asks for what a name says that is not the time", () => {
    const texts = ["Thalia moved to Kiel."];
    const signals = recallSignalsOf(
      EMBEDDER,
      judged("What is the name of Thalia's husband since the move?", { texts }),
    );
    expect(signals.apartBrief).toBe(1);
  });

  it.each([
    ["Which ankle did Thalia break?", "Which ankle did Thalia break currently?"],
    ["Where does Marek live?", "Where does Marek still live nowadays?"],
  ])("does not look for the words that ask for what holds now: %s", (query, now) => {
    const { apartBrief } = recallSignalsOf(EMBEDDER, judged(query));
    expect(recallSignalsOf(EMBEDDER, judged(now)).apartBrief).toBeCloseTo(apartBrief);
  });

  it("takes neither dates nor German nouns for names", () => {
    const texts = ["On Tuesday I was at the dentist.", "Meine Schwester kommt nach Celle."];
    for (const query of ["What did I eat on Tuesday?", "Mag meine Schwester Musik?"]) {
      expect(recallSignalsOf(EMBEDDER, judged(query, { texts })).apartBrief).toBe(0);
    }
  });
});
