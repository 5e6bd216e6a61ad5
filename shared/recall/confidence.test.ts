import { describe, expect, it } from "vitest";
import { BLANK_DOCUMENT } from "../../test/fixtures/blank-document.ts";
import type { SearchAnswer } from "../platform/ports.ts";
import { queryKeywords } from "../retrieval/keywords/keywords.ts";
import { analyse } from "../retrieval/text.ts";
import { isAnswered, recallSignsOf } from "./confidence.ts";

const EMBEDDER = { background: { mean: 0.14, deviation: 0.13 } };
const NOW = Date.parse("2026-11-20T09:00:00Z");
/** Of texts on the same matter, and of those that have nothing in common. */
const [NEAR, FAR] = [0.8, 0.57];
const TEXTS = [
  "Thalia broke her ankle on the ice on New Year's Day.",
  "I bought a second-hand Skoda from Thalia's boss.",
  "Marek from dialysis feeds the cat, he lives two doors down.",
  "Mi hermana Mariela estudia veterinaria.",
  "Gestern war Hannelore im Garten.",
];

/** What a search finds of texts that hold words of a query, all as near to it in meaning. */
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
  const ranked = answer.semantic.map((hit) => ({ ...hit, semanticScore: hit.score }));
  return { question: { query, now: NOW }, ranked, answer, ownNames: new Set(own) };
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

  it("is none where nothing is near, and where nothing was found", () => {
    expect(isAnswered(EMBEDDER, judged("Which port does the planner use?", { score: FAR }))).toBe(false);
    expect(isAnswered(EMBEDDER, judged("Where do I live?", { texts: [] }))).toBe(false);
  });

  it("takes the names of the user for nobody else's", () => {
    const texts = ["My name is Oona Petrakis.", "I am on Ward 7."];
    const query = "Which unit does Oona work on?";
    expect(recallSignsOf(EMBEDDER, judged(query, { texts })).apart).toBe(1);
    expect(recallSignsOf(EMBEDDER, judged(query, { texts, own: ["oona", "petrakis"] })).apart).toBe(0);
  });

  it("takes neither dates nor German nouns for names", () => {
    const texts = ["On Tuesday I was at the dentist.", "Meine Schwester kommt nach Celle."];
    for (const query of ["What did I eat on Tuesday?", "Mag meine Schwester Musik?"]) {
      expect(recallSignsOf(EMBEDDER, judged(query, { texts })).apart).toBe(0);
    }
  });
});
