import { trimmedEnd } from "../kernel/trimmed.ts";
import { findEntities, LEADS_TO_PLACE } from "../memory/extraction/entities.ts";
import { readsAsEnglish } from "../memory/extraction/language.ts";
import { mergeEntities } from "../memory/extraction/merging.ts";
import type { ExtractedEntity } from "../memory/extraction/schemas.ts";
import { UNNAMED_SPEAKER } from "../memory/extraction/speakers.ts";
import { loadTagger, type Tagger } from "../memory/extraction/tagging.ts";

/** Entities that a chunk names at most: those it names most often. */
const MAX_ENTITIES = 12;
/** Phrases remembered; forgetting them only costs tagging them again. */
const MAX_REMEMBERED = 20_000;
const SAMPLE_CHARACTERS = 4_000;
/** Of the word that leads to a name. */
const LONGEST_LEAD = 24;

/** Words with capital letters in a row, with what may stand between the words of one name. */
const CAPITALS =
  /\p{Lu}[\p{L}\p{M}\p{N}'’&.-]{1,40}(?: (?:(?:of|the|de|la|van|von|for|&) ){0,2}\p{Lu}[\p{L}\p{M}\p{N}'’&.-]{0,40}){0,5}/gu;
/** What stands for any other word in the middle of a sentence. */
const ANY_LEAD = "the ";
const LOWER_CASE = /^\p{Ll}[\p{L}'’]*$/u;
/** What a name does not begin in the middle of. */
const WITHIN = /[\p{L}\p{N}@#/_]/u;
/** A full stop that is not within a name ends it, and so do other marks at its end. */
const TRAIL = /[.&'’-]/;

/** Finds what a text names. */
export type NameFinder = (text: string) => ExtractedEntity[];

/**
 * Finds names many times faster than reading a memory does, which tags every word: only words with capital letters are
 * looked at, each phrase once, by the same lexicon and rules; no dates, titles in quotation marks and places without a
 * name ("the youth center"). `sample` is of the text to come and tells its language.
 */
export async function loadNameFinder(sample: string): Promise<NameFinder> {
  const tag = await loadTagger();
  const sampled = [sentence(sample.slice(0, SAMPLE_CHARACTERS))];
  const english = readsAsEnglish({ sentences: sampled, anchor: undefined });
  const known = new Map<string, ExtractedEntity[]>();
  const read = (phrase: string): ExtractedEntity[] => {
    if (known.size >= MAX_REMEMBERED) known.clear();
    const own = copyOf(phrase);
    const found = findEntities([sentence(own)], tag, english);
    known.set(own, found);
    return found;
  };
  return (text) => {
    const mentions = phrasesIn(text).flatMap((phrase) => known.get(phrase) ?? read(phrase));
    return mergeEntities(mentions).slice(0, MAX_ENTITIES);
  };
}

/** The engine keeps a part of a text as a view of it, and with the part the whole text. */
function copyOf(part: string): string {
  return Buffer.from(part).toString();
}

function sentence(text: string): Parameters<Tagger>[0] {
  return { text, dates: [], speaker: UNNAMED_SPEAKER };
}

/** Each run of capitalised words with the word before it, by which the rules tell a place and the start of a sentence. */
function phrasesIn(text: string): string[] {
  const phrases: string[] = [];
  for (const { 0: words, index } of text.matchAll(CAPITALS)) {
    if (index > 0 && WITHIN.test(text.charAt(index - 1))) continue;
    const name = trimmedEnd(words, TRAIL);
    phrases.push(leadTo(text, index) + name);
  }
  return phrases;
}

/** Words before a name that tell no place are all alike to the rules, and so are their phrases. */
function leadTo(text: string, index: number): string {
  if (text.charAt(index - 1) !== " ") return "";
  const from = text.lastIndexOf(" ", index - 2) + 1;
  const word = index - from > LONGEST_LEAD ? "" : text.slice(from, index - 1);
  if (!LOWER_CASE.test(word)) return "";
  return LEADS_TO_PLACE.has(word) ? `${word} ` : ANY_LEAD;
}
