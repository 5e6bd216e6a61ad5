import { spaced, wordSet, words } from "../../kernel/text/text.ts";

/** Interrogative words by language, folded. */
export const QUESTION_WORDS_OF = {
  en: wordSet("what which who whose whom how when where why whats whos"),
  de: wordSet("welche welcher welches welchen welchem was wer wem wen wessen wie wo wann wieviel warum"),
  es: wordSet("que cual cuales quien quienes cuanto cuanta cuantos cuantas como donde cuando"),
  fr: wordSet("quel quelle quels quelles qui combien comment ou quand"),
};

/** The interrogative words of all these languages. */
export const QUESTION_WORDS: ReadonlySet<string> = new Set(
  Object.values(QUESTION_WORDS_OF).flatMap((each) => [...each]),
);

/**
 * The time that a question asks about. "before": what held before something else. "change": why, when or whether
 * something changed. "past": the past, without a specific time. "now": what its words say holds now. "open": none of
 * these.
 */
export type QuestionTime = "before" | "change" | "past" | "now" | "open";

/** Words of English, German, French and Spanish, folded like the words of a question. */
const BEFORE = wordSet(`before used previously previous former formerly first original originally earlier old ex once
  früher vorher vorherige damals ehemals ehemalige zuerst zuvor bevor alte
  avant autrefois auparavant ancien ancienne précédent précédente premier première
  antes anterior anteriormente primero primera originalmente viejo vieja`);
const CAUSE = wordSet(`why reason because since until warum wieso weshalb grund seit bis pourquoi raison depuis jusque
  motivo razón desde hasta change changes changed geändert ändern changé changer cambió cambiar cambiado`);
const CAUSE_PHRASES = ["how come", "what made", "por qué", "what caused"].map((phrase) => spaced(phrase));
const PAST = wordSet(`was were did back then history ago war waren hatte hatten wurde habe hat gewesen
  était étaient avait avaient fut a été era eran estaba estaban vivía fue fueron tenía trabajaba`);
/** At the beginning of a question, these words ask for yes or no. */
const POLAR = wordSet(`did was were has have had is are does do hat haben war waren ist sind wurde
  a-t-il est-ce est était ha han fue es son`);
/** Words that only ask for what holds now. */
export const NOW = wordSet(`now nowadays currently current present presently still today latest newest
  jetzt jetzige jetzigen derzeit aktuell aktuelle aktuellen heute momentan inzwischen gegenwärtig noch
  maintenant actuellement actuel actuelle aujourd'hui encore ahora actualmente actual hoy todavía`);
const NOW_PHRASES = ["these days", "at the moment", "as of now", "en ce moment", "zur zeit"].map(spaced);

/** Returns which time a question asks about, by its words. */
export function questionTimeOf(query: string): QuestionTime {
  const queryWords = words(query).map(({ folded: word }) => word);
  const text = spaced(query);
  const has = (set: ReadonlySet<string>) => queryWords.some((word) => set.has(word));
  if (has(BEFORE)) return "before";
  if (has(CAUSE) || CAUSE_PHRASES.some((phrase) => text.includes(phrase)) || isPolarPast(queryWords)) return "change";
  if (has(NOW) || NOW_PHRASES.some((phrase) => text.includes(phrase))) return "now";
  return has(PAST) ? "past" : "open";
}

/** Whether a question asks for the outcome of something past: "Did the trip take place?" */
function isPolarPast(queryWords: string[]): boolean {
  return POLAR.has(queryWords[0] ?? "") && queryWords.some((word) => PAST.has(word));
}

/** Whether a question is about the past, so that superseded facts answer it. */
export function isAboutPast(query: string): boolean {
  const time = questionTimeOf(query);
  return time === "before" || time === "change" || time === "past";
}

/** Whether a query asks for yes or no: a question without an interrogative word. */
export function isPolar(query: string): boolean {
  const queryWords = words(query).map(({ folded: word }) => word);
  if (queryWords.some((word) => QUESTION_WORDS.has(word))) return false;
  return POLAR.has(queryWords[0] ?? "") || query.trimEnd().endsWith("?");
}
