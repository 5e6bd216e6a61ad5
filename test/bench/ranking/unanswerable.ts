import type { Person, Question, QuestionSet } from "./questions.ts";

/** How a question came to have no answer: its author made it so, it is about another's life, or its evidence is hidden. */
export type Kind = "answerable" | "made" | "borrowed" | "hidden";

/** Kinds of question about particulars, to which a life that they are not from holds no answer. */
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
 * A set's questions and others that nothing answers: those of one life asked of the next lives in the same language, with
 * the name of the one who is asked; and, of sets that are not conversations, those whose evidence is hidden.
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
  return particular.flatMap((question, place): Asked[] => {
    const from = people.find(({ user }) => user === question.user);
    const others = people.filter(({ user, language }) => user !== question.user && language === from?.language);
    const to = others[place % Math.max(1, others.length)];
    if (from === undefined || to === undefined) return [];
    const text = question.text.replaceAll(from.firstName, to.firstName);
    return [{ ...question, text, user: to.user, group: to.user, evidence: [], kind: "borrowed" }];
  });
}
