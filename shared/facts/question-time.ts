import { words } from "../retrieval/text.ts";

/**
 * The time that a question asks about. "before": what held before something else. "change": why, when or whether something
 * changed. "past": what was, at no time that its words name. "now": what holds, by its own words. "open": none of these.
 */
export type QuestionTime = "before" | "change" | "past" | "now" | "open";

/** Words of English, German, French and Spanish, folded as the words of a question are. */
const BEFORE = folded(`before used previously previous former formerly first original originally earlier old ex once
  früher vorher vorherige damals ehemals ehemalige zuerst zuvor bevor alte
  avant autrefois auparavant ancien ancienne précédent précédente premier première
  antes anterior anteriormente primero primera originalmente viejo vieja`);
const CAUSE = folded(`why reason because since until warum wieso weshalb grund seit bis pourquoi raison depuis jusque
  motivo razón desde hasta change changes changed geändert ändern changé changer cambió cambiar cambiado`);
const CAUSE_PHRASES = ["how come", "what made", "por qué", "what caused"].map((phrase) => phraseOf(phrase));
const PAST = folded(`was were did back then history ago war waren hatte hatten wurde habe hat gewesen
  était étaient avait avaient fut a été era eran estaba estaban vivía fue fueron tenía trabajaba`);
/** At its beginning they ask whether something is so. */
const POLAR = folded(`did was were has have had is are does do hat haben war waren ist sind wurde
  a-t-il est-ce est était ha han fue es son`);
const NOW = folded(`now nowadays currently current present presently still today latest newest
  jetzt jetzige jetzigen derzeit aktuell aktuelle aktuellen heute momentan inzwischen gegenwärtig noch
  maintenant actuellement actuel actuelle aujourd'hui encore ahora actualmente actual hoy todavía`);
const NOW_PHRASES = ["these days", "at the moment", "as of now", "en ce moment", "zur zeit"].map(phraseOf);

/** Which time a question asks about, by its words. */
export function questionTimeOf(query: string): QuestionTime {
  const said = words(query).map(({ folded: word }) => word);
  const text = ` ${said.join(" ")} `;
  const has = (set: ReadonlySet<string>) => said.some((word) => set.has(word));
  if (has(BEFORE)) return "before";
  if (has(CAUSE) || CAUSE_PHRASES.some((phrase) => text.includes(phrase)) || isPolarPast(said)) return "change";
  if (has(NOW) || NOW_PHRASES.some((phrase) => text.includes(phrase))) return "now";
  return has(PAST) ? "past" : "open";
}

/** "Did the trip take place?" asks for what became of it. */
function isPolarPast([first = "", ...rest]: string[]): boolean {
  return POLAR.has(first) && [first, ...rest].some((word) => PAST.has(word));
}

/** Whether a question is about the past, so that what no longer holds answers it. */
export function isAboutPast(query: string): boolean {
  const time = questionTimeOf(query);
  return time === "before" || time === "change" || time === "past";
}

function folded(list: string): ReadonlySet<string> {
  return new Set(words(list).map(({ folded: word }) => word));
}

function phraseOf(phrase: string): string {
  return ` ${words(phrase)
    .map(({ folded: word }) => word)
    .join(" ")} `;
}
