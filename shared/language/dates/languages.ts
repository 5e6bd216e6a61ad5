import { de } from "./languages/de.ts";
import { en } from "./languages/en.ts";
import { es } from "./languages/es.ts";
import { fr } from "./languages/fr.ts";
import { it } from "./languages/it.ts";
import { ja } from "./languages/ja.ts";
import { nl } from "./languages/nl.ts";
import { pt } from "./languages/pt.ts";
import { zh } from "./languages/zh.ts";
import { type Token, tokenize } from "./tokens.ts";

export const LANGUAGES = { en, de, fr, es, pt, it, nl, ja, zh };
export type Language = keyof typeof LANGUAGES;

const LATIN = ["en", "de", "fr", "es", "pt", "it", "nl"] as const satisfies Language[];
/** Characters of a text that are enough to detect its language. */
const SAMPLE_CHARACTERS = 2000;
const SAMPLE_TOKENS = 500;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;
const HAN = /\p{Script=Han}/u;

let markers: Map<string, Language[]> | undefined;

/** Returns the words that identify languages: function words and date words. */
function markersOfLanguages(): Map<string, Language[]> {
  const found = new Map<string, Language[]>();
  for (const language of LATIN) {
    const { functionWords, weekdays, months, days, periods = {}, units, last, next } = LANGUAGES[language];
    const lists = [functionWords, weekdays, months, units, last, next, days, ...Object.values(periods)];
    for (const word of new Set(lists.join("|").split(/[|;]/))) found.set(word, [...(found.get(word) ?? []), language]);
  }
  return found;
}

/** Returns the language of a text among the supported ones; English by default. */
export function languageOf(text: string): Language {
  return languageOfLine(tokenize(text.slice(0, SAMPLE_CHARACTERS)), "en", 0);
}

/** Minimum lead in points for a line to be in a language other than the text's. */
const LEAD = 2;

/** Returns the language of a line; the text's language by default. */
export function languageOfLine(tokens: Token[], language: Language, minLead = LEAD): Language {
  markers ??= markersOfLanguages();
  const scores = new Map<Language, number>();
  let latin = 0;
  let han = 0;
  let kana = 0;
  for (const { kind, lower } of tokens.slice(0, SAMPLE_TOKENS)) {
    if (kind !== "word") continue;
    const languages = markers.get(lower);
    for (const each of languages ?? []) scores.set(each, (scores.get(each) ?? 0) + 1 / (languages?.length ?? 1));
    if (languages !== undefined || lower.length > 1) latin++;
    else if (KANA.test(lower)) kana++;
    else if (HAN.test(lower)) han++;
  }
  // A Latin word counts as two characters of other scripts.
  if (kana + han > 2 * latin) return kana > 0 ? "ja" : "zh";
  const known = LATIN.find((each) => each === language) ?? "en";
  let best: Language = known;
  for (const each of LATIN) {
    const lead = best === known ? minLead : 0;
    if ((scores.get(each) ?? 0) > (scores.get(best) ?? 0) + lead) best = each;
  }
  return best;
}
