import type { Person, Question, QuestionSet } from "./questions.ts";

/** Why a question has no answer: its author intended it, it is about another life, or its evidence is hidden. */
export type Kind = "answerable" | "made" | "borrowed" | "hidden";

/** Question types about particulars, which another person's life does not answer. */
const PARTICULAR = new Set([
  "detail",
  "multi_hop",
  "assistant",
  "change",
  "aggregate",
  "as_of",
  "past",
  "cross_language",
]);

export interface Asked extends Question {
  kind: Kind;
}

/**
 * Returns a set's questions plus unanswerable ones: questions of one life asked about the next lives in the same
 * language, with the name of the new person; and, for sets that are not conversations, questions whose evidence is
 * hidden.
 */
export function withUnanswerable({ questions, people = [] }: QuestionSet): Asked[] {
  const own = questions.map(
    (question): Asked => ({ ...question, kind: isAnswerable(question) ? "answerable" : "made" }),
  );
  if (people.length > 0) return [...own, ...borrowed(questions, people)];
  const hidden = questions.filter(isAnswerable);
  return [...own, ...hidden.map((question): Asked => ({ ...question, kind: "hidden", hidesEvidence: true }))];
}

function isAnswerable({ evidence }: Question): boolean {
  return evidence.length > 0;
}

function borrowed(questions: Question[], people: Person[]): Asked[] {
  const particular = questions.filter(({ type = "", evidence }) => PARTICULAR.has(type) && evidence.length > 0);
  return particular.flatMap((question, index): Asked[] => {
    const from = people.find(({ user }) => user === question.user);
    const others = people.filter(({ user, language }) => user !== question.user && language === from?.language);
    const to = others[index % Math.max(1, others.length)];
    if (from === undefined || to === undefined) return [];
    const text = question.text.replaceAll(from.firstName, to.firstName);
    return [{ ...question, text, user: to.user, group: to.user, evidence: [], kind: "borrowed" }];
  });
}
