import { termOf } from "../../retrieval/text.ts";
import type { Passage, Sentence } from "./passage.ts";
import { inThirdPerson } from "./rewriting.ts";
import type { ExtractedFact, FactCategory } from "./schemas.ts";
import { hasTag, type Tagger, type Token } from "./tagging.ts";
import { isFiller, isVocative, vocativesOf } from "./vocatives.ts";

/** Below it a statement is left out at first; a second reading of what was missed takes it down to `LENIENT`. */
export const STRICT = 0.6;
export const LENIENT = 0.4;

/** How sure a statement of each kind of subject is, before what raises or lowers it. */
const BASE_CONFIDENCE: Record<SubjectKind, number> = {
  speaker: 0.8,
  possession: 0.78,
  named: 0.75,
  elided: 0.62,
  described: 0.5,
};
const DATED_BONUS = 0.1;
const HEDGED_PENALTY = 0.15;
const UNCLEAR_PENALTY = 0.25;
const LEAST_CONTENT_TERMS = 2;
const MAX_FACT_TOKENS = 45;
/** How far into a clause its subject may begin: "In May 2023, on our way home, I …". */
const MAX_LEAD_TOKENS = 9;

type SubjectKind = "speaker" | "possession" | "named" | "elided" | "described";

interface Subject {
  kind: SubjectKind;
  /** Where it begins, and where the rest of the clause does. */
  start: number;
  end: number;
}

/** The statements of a passage that stand on their own, by rule; `sentences` may be some of the passage's. */
export function findFacts(passage: Passage, sentences: Sentence[], tag: Tagger, least: number): ExtractedFact[] {
  const addressees = addresseesOf(passage, tag);
  const facts = new Map<string, ExtractedFact>();
  for (const sentence of sentences) {
    if (isQuestion(sentence)) continue;
    for (const clause of clausesOf(tag(sentence))) {
      const fact = factOf(sentence, clause, addressees.get(sentence.speaker));
      if (fact !== undefined && fact.confidence >= least) facts.set(fact.content.toLowerCase(), fact);
    }
  }
  return [...facts.values()];
}

function isQuestion({ text }: Sentence): boolean {
  return /\?[\s"')\]!]*$/.test(text);
}

/** Whom each speaker speaks to, where exactly one name says so. */
function addresseesOf(passage: Passage, tag: Tagger): Map<string, string> {
  const names = new Map<string, Set<string>>();
  for (const sentence of passage.sentences) {
    const known = names.get(sentence.speaker) ?? new Set();
    for (const name of vocativesOf(tag(sentence))) known.add(name);
    names.set(sentence.speaker, known);
  }
  const addressees = new Map<string, string>();
  for (const [speaker, [name, ...others]] of names) {
    if (name !== undefined && others.length === 0) addressees.set(speaker, name);
  }
  return addressees;
}

const CONJUNCTIONS = new Set(["and", "but", "so", "plus", "yet"]);
const CLAUSE_SUBJECTS = new Set(["i", "we", "he", "she", "they", "it", "that", "this", "you", "my", "there"]);

/** Parts with a subject of their own: at semicolons, dashes and "and I …". Names and fillers around them are gone. */
function clausesOf(tokens: Token[]): Token[][] {
  const clauses: Token[][] = [];
  let start = 0;
  for (const [place, token] of tokens.entries()) {
    const next = tokens[place + 1];
    const dash = /;|\s[-–—]|[-–—]{1,2}\s|:\s/.test(token.after);
    const joined =
      next !== undefined && CONJUNCTIONS.has(next.normal) && CLAUSE_SUBJECTS.has(tokens[place + 2]?.normal ?? "");
    if (next !== undefined && !dash && !joined) continue;
    clauses.push(trimmed(tokens.slice(start, place + 1)));
    start = place + 1;
  }
  return clauses.filter(({ length }) => length > 1);
}

function trimmed(clause: Token[]): Token[] {
  let start = 0;
  while (start < clause.length && (isFiller(clause, start) || isVocative(clause, start))) start++;
  let end = clause.length;
  while (end > start + 1 && isVocative(clause, end - 1)) end--;
  return clause.slice(start, Math.min(end, start + MAX_FACT_TOKENS));
}

function factOf(sentence: Sentence, clause: Token[], addressee: string | undefined): ExtractedFact | undefined {
  const subject = subjectOf(clause);
  if (subject === undefined) return undefined;
  const predicate = clause.slice(subject.end);
  if (isSmallTalk(predicate) || contentTerms(predicate).length < LEAST_CONTENT_TERMS) return undefined;
  const content = inThirdPerson(clause, {
    speaker: sentence.speaker,
    addressee,
    subjectStart: subject.start,
    elided: subject.kind === "elided",
  });
  return {
    content,
    confidence: confidenceOf(sentence, clause, subject, addressee),
    category: categoryOf(clause, predicate),
  };
}

function subjectOf(clause: Token[]): Subject | undefined {
  const lead = clause.slice(0, MAX_LEAD_TOKENS);
  const verb = lead.findIndex((token) => isVerbal(token));
  const first = lead.findIndex(({ normal }) => normal === "i" || normal === "we");
  if (first !== -1 && (verb === -1 || first < verb)) return { kind: "speaker", start: first, end: first + 1 };
  if (verb === -1) return undefined;
  if (verb === 0) return isElided(clause) ? { kind: "elided", start: 0, end: 0 } : undefined;
  const subject = clause.slice(0, verb);
  const head = subject.findLast((token) => hasTag(token, "Noun"));
  if (head === undefined || hasTag(head, "Pronoun") || UNRESOLVED.has(head.normal)) return undefined;
  const kind = subject.some(({ normal }) => normal === "my" || normal === "our")
    ? "possession"
    : hasTag(head, "ProperNoun", "Person", "Place", "Organization")
      ? "named"
      : "described";
  return subject.some(({ normal }) => UNRESOLVED.has(normal)) ? undefined : { kind, start: 0, end: verb };
}

/** Words that point at something said before; a statement about them does not stand on its own. */
const UNRESOLVED = new Set(
  "it that this these those they them he she him her his their its you your there here who what which how everyone everything someone something one ones".split(
    " ",
  ),
);

function isVerbal(token: Token): boolean {
  return hasTag(token, "Verb", "Copula", "Modal", "Auxiliary") && !hasTag(token, "Adjective");
}

/** "Just went …", "Been reading …", "Gonna …": people leave out "I" where they tell of themselves. */
function isElided([first, second]: Token[]): boolean {
  if (hasTag(first, "Modal", "Copula") || first?.normal === "let") return false;
  return hasTag(first, "PastTense", "Gerund") || (first?.normal === "going" && second?.normal === "to");
}

const SMALL_TALK = new Set(
  "thank agree bet guess wish appreciate hear mean hope glad sorry welcome congratulate know see say wait suppose".split(
    " ",
  ),
);

/** Pleasantries: a statement whose verb or first adjective is one says nothing of the world. */
function isSmallTalk(predicate: Token[]): boolean {
  const verbs = predicate.filter((token) => !hasTag(token, "Adverb", "Auxiliary", "Copula", "Modal", "Negative"));
  const first = verbs[0]?.normal ?? "";
  return SMALL_TALK.has(first) || SMALL_TALK.has(first.replace(/(?:ed|s|ing)$/, ""));
}

function contentTerms(tokens: Token[]): string[] {
  return tokens.flatMap(({ normal }) => termOf(normal) ?? []);
}

const HEDGES = new Set("maybe perhaps might probably possibly guess think seem seems could kinda".split(" "));

function confidenceOf(sentence: Sentence, clause: Token[], subject: Subject, addressee: string | undefined): number {
  const words = new Set(clause.map(({ normal }) => normal));
  let confidence = BASE_CONFIDENCE[subject.kind];
  if (sentence.dates.length > 0) confidence += DATED_BONUS;
  if ([...HEDGES].some((word) => words.has(word))) confidence -= HEDGED_PENALTY;
  const unclear = words.has("you") || words.has("your") ? addressee === undefined : false;
  if (unclear || words.has("if")) confidence -= UNCLEAR_PENALTY;
  return Math.round(Math.min(0.95, Math.max(0.1, confidence)) * 100) / 100;
}

const PREFERENCE =
  /\b(?:love|loves|loved|like|likes|liked|enjoy|enjoys|enjoyed|prefer|prefers|preferred|hate|hates|hated|dislike|dislikes|adore|favou?rite|faves?|fan of|obsessed|passionate|keen on|allergic|can not stand)\b/;
const PLAN =
  /\b(?:going to|will|want to|wants to|plan|plans|planning|hope to|hoping to|looking forward|intend|intends|would (?:love|like) to|thinking (?:of|about)|considering|aim|goal|dream|tomorrow|next)\b/;
const RELATIVES =
  /\b(?:husband|wife|spouse|partner|boyfriend|girlfriend|fianc[eé]e?|married|dating|engaged|divorced|son|daughter|kids?|child|children|mother|mom|mum|father|dad|parents?|brother|sister|siblings?|grandma|grandpa|grand(?:mother|father)|aunt|uncle|cousin|niece|nephew|friends?|best friend|buddy|colleague|coworker|boss|manager|mentor|neighbou?r|roommate)\b/;
const STATES =
  /\b(?:am|is|are|was|were|been|have|has|had|live|lives|lived|work|works|speak|speaks|own|owns|study|studies|play|plays|know|knows|named|called|born)\b/;

function categoryOf(clause: Token[], predicate: Token[]): FactCategory {
  const text = clause.map(({ normal }) => normal).join(" ");
  const said = predicate.map(({ normal }) => normal).join(" ");
  if (PLAN.test(said)) return "plan";
  if (PREFERENCE.test(text)) return "preference";
  const main = predicate.find((token) => hasTag(token, "Verb") && !hasTag(token, "Auxiliary", "Modal"));
  const past = hasTag(main, "PastTense") && !hasTag(main, "Copula");
  if (RELATIVES.test(text) && !past && STATES.test(said)) return "relationship";
  if (past || hasTag(main, "Gerund")) return "event";
  return STATES.test(said) ? "attribute" : "other";
}
