import { functionWordsOf } from "../compression/function-words.ts";
import { rounded } from "../kernel/rounded.ts";
import { wordSegments } from "../kernel/segments.ts";
import { isCourtesy } from "../memory/extraction/courtesy.ts";
import type { Sentence } from "../memory/extraction/passage.ts";
import { hasTag, loadTagger, type Tagger, type Token } from "../memory/extraction/tagging.ts";
import { stem, termOf, words } from "../retrieval/text.ts";
import { readMessage } from "./sentences.ts";
import type { SessionMessage } from "./session.ts";

/** What messages are about, and how much of the talk that is. */
export interface Topic {
  /** A noun or a short phrase, as it was last written. */
  name: string;
  /** Above 0; comparable within one answer. */
  weight: number;
}

export interface TopicOptions {
  most: number;
  /** What a mention counts compared with one in the message after it, 0..1; 1 where all of the talk counts alike. */
  decay?: number;
}

const LONGEST_PHRASE = 3;
/** What each further word of a phrase adds: "billing address" says more than "address". */
const PHRASE_BONUS = 0.75;
/** What the assistant says is about what the user wants, and wordier. */
const ASSISTANT_SHARE = 0.6;
const LEAST_LETTERS = 3;
/** Where the parts of speech are not known, shorter words are mostly function words; scripts without case have shorter ones. */
const LEAST_LATIN_LETTERS = 5;
const LEAST_OTHER_LETTERS = 2;
/** Nouns that are about nothing. */
const EMPTY_NOUNS = new Set(
  "way thing time lot bit kind sort stuff thank help today tomorrow yesterday guy morning evening question problem issue"
    .split(" ")
    .map(stem),
);

interface Mention {
  name: string;
  /** Stems in order. */
  terms: string[];
}

/**
 * What messages (oldest first) are about, weightiest first: runs of nouns and what describes them, in English by their
 * parts of speech, in other languages the content words. A phrase takes the mentions of its last word along.
 */
export async function topicsOf(
  messages: Pick<SessionMessage, "role" | "content">[],
  { most, decay = 1 }: TopicOptions,
): Promise<Topic[]> {
  const tag = await loadTagger();
  const found = new Map<string, Topic & { head: string }>();
  const passages = await Promise.all(messages.map(readMessage));
  messages.forEach((message, place) => {
    if (message.role === "system") return;
    const weight = decay ** (messages.length - 1 - place) * (message.role === "assistant" ? ASSISTANT_SHARE : 1);
    for (const { name, terms } of mentionsIn(passages[place]?.sentences ?? [], tag)) {
      const key = terms.join(" ");
      const gained = weight * (1 + PHRASE_BONUS * (terms.length - 1));
      found.set(key, { name, head: terms.at(-1) ?? key, weight: (found.get(key)?.weight ?? 0) + gained });
    }
  });
  return withHeads(found)
    .sort((one, other) => other.weight - one.weight)
    .slice(0, most)
    .map(({ name, weight }) => ({ name, weight: rounded(weight, 3) }));
}

/** "address" counts for "billing address", where only one phrase ends with it. */
function withHeads(found: Map<string, Topic & { head: string }>): Topic[] {
  const phrases = Map.groupBy(
    [...found].filter(([key, { head }]) => key !== head),
    ([, { head }]) => head,
  );
  const topics = new Map(found);
  for (const [head, [phrase, ...others]] of phrases) {
    const single = topics.get(head);
    if (phrase === undefined || others.length > 0 || single === undefined) continue;
    const [key, topic] = phrase;
    topics.set(key, { ...topic, weight: topic.weight + single.weight });
    topics.delete(head);
  }
  return [...topics.values()];
}

function mentionsIn(sentences: Sentence[], tag: Tagger): Mention[] {
  return sentences.flatMap((sentence) => (sentence.isEnglish ? phrasesIn(tag(sentence)) : contentWords(sentence.text)));
}

function contentWords(text: string): Mention[] {
  const functionWords = functionWordsOf(words(text));
  const isEmpty = (word: string) => isCourtesy(word) || words(word).some(({ folded }) => functionWords.has(folded));
  return Array.from(wordSegments(text)).flatMap(({ segment, isWordLike }) => {
    const least = /^[\p{sc=Latin}\p{M}]+$/u.test(segment) ? LEAST_LATIN_LETTERS : LEAST_OTHER_LETTERS;
    const says = isWordLike === true && /\p{L}/u.test(segment) && segment.length >= least;
    return says && !isEmpty(segment) ? { name: segment, terms: [segment.toLowerCase()] } : [];
  });
}

/** Runs of describing words and nouns that end with a noun. */
function phrasesIn(tokens: Token[]): Mention[] {
  const phrases: Mention[] = [];
  let start = 0;
  tokens.forEach((token, place) => {
    const isPart = isThing(token) || isDescribing(token, tokens[place - 1]);
    const goesOn = isPart && !/[,;:.!?()]/.test(token.after) && place < tokens.length - 1;
    if (goesOn) return;
    const phrase = phraseIn(tokens.slice(start, isPart ? place + 1 : place), start === 0);
    if (phrase !== undefined) phrases.push(phrase);
    start = place + 1;
  });
  return phrases;
}

function phraseIn(run: Token[], opensSentence: boolean): Mention | undefined {
  const end = run.findLastIndex(isThing) + 1;
  const start = Math.max(0, end - LONGEST_PHRASE);
  const phrase = run.slice(start, end);
  const terms = phrase.flatMap(({ normal }) => termOf(normal) ?? []);
  const says = terms.length > 0 && terms.length === phrase.length && !EMPTY_NOUNS.has(terms.at(-1) ?? "");
  return says ? { name: nameOf(phrase, opensSentence && start === 0), terms } : undefined;
}

function isThing(token: Token): boolean {
  if (token.text.length < LEAST_LETTERS || !/\p{L}/u.test(token.text)) return false;
  return hasTag(token, "Noun") && !hasTag(token, "Pronoun", "Date", "Duration", "Unit", "Value", "Verb");
}

/** "my billing address", but not "using Firefox". */
function isDescribing(token: Token, previous: Token | undefined): boolean {
  if (hasTag(token, "Gerund")) return hasTag(previous, "Possessive", "Determiner", "Adjective");
  return hasTag(token, "Adjective") && !hasTag(token, "Comparative", "Superlative");
}

/** As written, but for the capital that only opens the sentence. */
function nameOf([first, ...rest]: Token[], opensSentence: boolean): string {
  const isName = hasTag(first, "ProperNoun") || /\p{Lu}.*\p{Lu}/u.test(first?.text ?? "");
  const opening = opensSentence && !isName ? first?.text.toLowerCase() : first?.text;
  return [opening, ...rest.map(({ text }) => text)].join(" ").replace(/'s$/, "");
}
