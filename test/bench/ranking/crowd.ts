import { words } from "../../../shared/kernel/text/text.ts";
import type { Person, Question, QuestionSet, Stored } from "./questions.ts";

/** Names for the assistant in a life that is retold as a conversation between two people. */
const PARTNERS = [
  "Bram",
  "Celia",
  "Hugo",
  "Nadia",
  "Omar",
  "Petra",
  "Quinn",
  "Rosa",
  "Stefan",
  "Tilda",
  "Ulises",
  "Wera",
];
/** Words that make a question about the asker or the assistant. */
const PERSONAL = new Set(
  `i im ive ill me my mine myself we us our ours you your yours ich mich mir mein meine meinem meinen meiner wir uns unser
   unsere du dich dir dein deine yo me mi mis nosotros nos nuestro nuestra tu te ti`.split(/\s+/),
);
/** A user is asked one of this many questions about other people: about half as many as about themselves. */
const HEARD = 8;

/**
 * Returns the questions of a set about lives, where the texts of all other users are stored beside each user's own, as
 * conversations between two people in separate sessions; plus some questions about what these people say. `share` is
 * the set's weight in the fit.
 */
export function crowded({ name, stored, questions, people = [] }: QuestionSet, share: number): QuestionSet {
  const texts = people.flatMap((own) =>
    stored.map((text) => ({ ...(text.user === own.user ? text : retold(text, people)), user: own.user })),
  );
  const heard = questions.filter(isOfOthers);
  const asked = people.flatMap((own, number) => [
    ...questions.filter(({ user }) => user === own.user),
    ...heard
      .filter(({ user }, index) => user !== own.user && index % HEARD === number % HEARD)
      .map((question) => ({ ...question, user: own.user })),
  ]);
  return {
    name: `${name} in a crowd`,
    share,
    stored: texts.map((text) => ({ ...text, id: idFor(text.user, text.id) })),
    questions: asked.map((one) => ({ ...one, evidence: one.evidence.map((id) => idFor(one.user, id)) })),
    people,
  };
}

function isOfOthers({ text, evidence }: Question): boolean {
  return evidence.length > 0 && !words(text).some(({ folded }) => PERSONAL.has(folded));
}

function retold(text: Stored, people: Person[]): Stored {
  const index = people.findIndex(({ user }) => user === text.user);
  const names = new Map([
    ["user", people[index]?.firstName],
    ["assistant", PARTNERS[index % PARTNERS.length]],
  ]);
  const name = names.get(text.speaker ?? "");
  return name === undefined ? text : { ...text, speaker: name, content: `${name}: ${text.content}` };
}

/** Texts are stored once per user, so ids include the user. */
function idFor(user: string, id: string): string {
  return `${user}/${id}`;
}
