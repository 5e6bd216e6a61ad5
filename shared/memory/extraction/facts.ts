import { trimmedEnd } from "../../kernel/trimmed.ts";
import { termOf } from "../../retrieval/text.ts";
import { datesWithin } from "./dates.ts";
import { type Person, peopleIn } from "./entities.ts";
import type { Passage, Sentence } from "./passage.ts";
import { inThirdPerson } from "./rewriting.ts";
import type { ExtractedFact, FactCategory } from "./schemas.ts";
import { UNNAMED_SPEAKER } from "./speakers.ts";
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
  resolved: 0.65,
  described: 0.5,
};
const DATED_BONUS = 0.1;
/** A text in which nobody speaks of themselves is there for what it states. */
const NOTE_BONUS = 0.15;
const HEDGED_PENALTY = 0.15;
const UNCLEAR_PENALTY = 0.25;
/** A word that points at something said elsewhere. */
const POINTING_PENALTY = 0.1;
/** What is said of the listener is mostly courtesy. */
const ADDRESSED_PENALTY = 0.15;
const LEAST_CONTENT_TERMS = 2;
const MAX_FACT_TOKENS = 45;
/** How far into a clause its subject may begin: "In May 2023, on our way home, I …". */
const MAX_LEAD_TOKENS = 9;

/** "He" and "she" do not reach back further than this many names. */
const RECENT_PEOPLE = 8;

type SubjectKind = "speaker" | "possession" | "named" | "elided" | "resolved" | "described";

interface Subject {
  kind: SubjectKind;
  /** Where it begins, and where the rest of the clause does. */
  start: number;
  end: number;
}

/** The statements of a passage that stand on their own, by rule; `sentences` may be some of the passage's. */
export function findFacts(passage: Passage, sentences: Sentence[], tag: Tagger, least: number): ExtractedFact[] {
  const addressees = addresseesOf(passage, tag);
  const isNote = passage.sentences.every((sentence) => readsAsNote(sentence, tag));
  let people: Person[] = [];
  const facts = new Map<string, ExtractedFact>();
  for (const sentence of sentences) {
    const tokens = tag(sentence);
    const addressee = addressees.get(sentence.speaker);
    const setting = { sentence, addressee, isNote, people: people.filter(({ name }) => name !== addressee) };
    for (const clause of isQuestion(sentence) ? [] : clausesOf(tokens)) {
      const fact = factOf(clause, setting);
      if (fact !== undefined && fact.confidence >= least) facts.set(fact.content.toLowerCase(), fact);
    }
    people = [...people, ...peopleIn(tokens)].slice(-RECENT_PEOPLE);
  }
  return [...facts.values()];
}

const CONVERSATION = new Set(["i", "we", "me", "my", "our", "us", "you", "your"]);

function readsAsNote(sentence: Sentence, tag: Tagger): boolean {
  return sentence.speaker === UNNAMED_SPEAKER && !tag(sentence).some(({ normal }) => CONVERSATION.has(normal));
}

/** What a clause stands in. */
interface Setting {
  sentence: Sentence;
  addressee: string | undefined;
  /** Nobody speaks in the text or is spoken to: its statements are about what they name. */
  isNote: boolean;
  /** Who was named lately. */
  people: Person[];
}

function isQuestion({ text }: Sentence): boolean {
  return trimmedEnd(text, /[\s"')\]!]/).endsWith("?");
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
  for (let place = 0; place < tokens.length; place++) {
    if (place < tokens.length - 1 && !endsClause(tokens, start, place)) continue;
    clauses.push(trimmed(tokens.slice(start, place + 1)));
    start = place + 1;
  }
  return clauses.filter(({ length }) => length > 1);
}

/** A dash ends a clause only where another begins: "me-time - running, reading - which helps" is one; so does a comma. */
function endsClause(tokens: Token[], start: number, place: number): boolean {
  const mark = tokens[place]?.after ?? "";
  const next = tokens[place + 1]?.normal ?? "";
  if (/;|:\s/.test(mark)) return true;
  if (/\s[-–—]|[-–—]{1,2}\s|—/.test(mark)) return CLAUSE_SUBJECTS.has(next) || isFiller(tokens, place + 1);
  if (mark.includes(",") && CLAUSE_SUBJECTS.has(next)) return !isOpening(tokens[start]);
  return CONJUNCTIONS.has(next) && CLAUSE_SUBJECTS.has(tokens[place + 2]?.normal ?? "");
}

/** A word that begins something to be continued behind a comma: "Since …,", "Growing up,", "Lately,". */
function isOpening(token: Token | undefined): boolean {
  return hasTag(token, "Preposition", "Conjunction", "Adverb", "QuestionWord", "Gerund", "Date");
}

function trimmed(clause: Token[]): Token[] {
  let start = 0;
  while (start < clause.length && (isFiller(clause, start) || isVocative(clause, start))) start++;
  let end = clause.length;
  while (end > start + 1 && isVocative(clause, end - 1)) end--;
  return clause.slice(start, Math.min(end, start + MAX_FACT_TOKENS));
}

function factOf(clause: Token[], setting: Setting): ExtractedFact | undefined {
  const antecedent = antecedentOf(clause[0], setting.people);
  const subject = antecedent === undefined ? subjectOf(clause) : ({ kind: "resolved", start: 0, end: 1 } as const);
  if (subject === undefined || isMachineTalk(clause, subject) || isImpression(clause)) return undefined;
  const predicate = clause.slice(subject.end);
  const told = subject.kind === "speaker" || subject.kind === "elided" ? predicate : clause;
  if (isSmallTalk(predicate) || contentTerms(told).length < LEAST_CONTENT_TERMS) return undefined;
  const content = inThirdPerson(clause, {
    speaker: setting.sentence.speaker,
    addressee: setting.addressee,
    subjectStart: subject.start,
    elided: subject.kind === "elided",
    antecedent,
  });
  return {
    content,
    confidence: confidenceOf(clause, subject, setting),
    category: categoryOf(clause, predicate),
    dates: datesWithin(content, setting.sentence.dates),
  };
}

/** Whom "he" or "she" stands for, where only one of those named before fits; a name that tells goes before one that does not. */
function antecedentOf(first: Token | undefined, people: Person[]): string | undefined {
  if (first?.normal !== "he" && first?.normal !== "she") return undefined;
  const certain = people.filter(({ pronoun }) => pronoun === first.normal);
  const fitting = certain.length > 0 ? certain : people.filter(({ pronoun }) => pronoun === undefined);
  const names = [...new Set(fitting.map(({ name }) => name))];
  const isShortened = (name: string) => names.some((full) => full !== name && full.split(" ").includes(name));
  const [name, ...others] = names.filter((candidate) => !isShortened(candidate));
  return others.length === 0 ? name : undefined;
}

/** Lines of a log: a subject with figures in it is none. */
function isMachineTalk(clause: Token[], subject: Subject): boolean {
  return subject.kind === "described" && clause.slice(subject.start, subject.end).some(({ text }) => /\d/.test(text));
}

function subjectOf(clause: Token[]): Subject | undefined {
  const lead = clause.slice(0, MAX_LEAD_TOKENS);
  const speaker = speakerSubject(lead);
  if (speaker !== -1) return { kind: "speaker", start: speaker, end: speaker + 1 };
  const opening = afterOpening(lead);
  const verb = lead.findIndex((token, place) => place >= opening && isVerbal(token));
  if (verb === -1) return undefined;
  const told = lead.findIndex((token) => !hasTag(token, "Adverb"));
  if (verb === told) return isElided(clause.slice(told)) ? { kind: "elided", start: 0, end: told } : undefined;
  const subject = clause.slice(opening, verb);
  const head = subject.findLast((token) => hasTag(token, "Noun"));
  const standsAlone = head !== undefined && !hasTag(head, "Pronoun") && !hasTag(subject[0], "Preposition");
  if (!standsAlone || subject.some(({ normal }) => UNRESOLVED.has(normal))) return undefined;
  return { kind: kindOf(subject), start: opening, end: verb };
}

/** Place of the "I" or "we" that the clause is about: the first, or the one behind a comma ("Growing up, I …"). */
function speakerSubject(lead: Token[]): number {
  const isSpeaker = ({ normal }: Token) => normal === "i" || normal === "we";
  const behindComma = lead.findIndex((token, place) => isSpeaker(token) && lead[place - 1]?.after.includes(","));
  if (behindComma !== -1) return behindComma;
  const first = lead.findIndex(isSpeaker);
  const verb = lead.findIndex(isVerbal);
  return first !== -1 && (verb === -1 || first < verb) ? first : -1;
}

/** Where the clause goes on behind an opening that a comma sets off: "Over the years, my …". */
function afterOpening(lead: Token[]): number {
  if (!isOpening(lead[0]) || hasTag(lead[0], "Gerund")) return 0;
  return lead.findIndex(({ after }) => after.includes(",")) + 1;
}

function kindOf(subject: Token[]): SubjectKind {
  if (subject.some(({ normal }) => normal === "my" || normal === "our")) return "possession";
  const named = subject.some((token) => hasTag(token, "ProperNoun", "Person", "Place", "Organization"));
  return named || NAMED_ROLES.has(subject.at(-1)?.normal ?? "") ? "named" : "described";
}

/** Roles that a note names somebody by. */
const NAMED_ROLES = new Set(["user", "customer", "client", "patient", "student", "assistant", "agent"]);

/** Words that point at something said before; a statement about them does not stand on its own. */
const UNRESOLVED = new Set(
  `it that this these those they them he she him her his their its you your there here who what which how everyone
   everything someone something one ones`.split(/\s+/),
);

function isVerbal(token: Token): boolean {
  return hasTag(token, "Verb", "Copula", "Modal", "Auxiliary") && !hasTag(token, "Adjective");
}

/** "Just went …", "Been reading …", "Gonna …": people leave out "I" where they tell of themselves. */
function isElided(clause: Token[]): boolean {
  const [first, second] = clause;
  if (first?.normal === "going" && second?.normal === "to") return true;
  if (hasTag(first, "Modal", "Copula") || clause.some(({ normal }) => normal === "me")) return false;
  if (!hasTag(first, "Gerund")) return hasTag(first, "PastTense") || isThirdPerson(first);
  return !clause.some((token, place) => place > 0 && isMainVerb(clause, place) && !token.before.includes(","));
}

/** "Prefers window seats": a note on whoever the memory is of. */
function isThirdPerson(token: Token | undefined): boolean {
  return hasTag(token, "PresentTense") && !hasTag(token, "Infinitive") && !IMPRESSIONS.has(token?.normal ?? "");
}

/** "Looks like …" leaves out "it", not "I". */
const IMPRESSIONS = new Set(["looks", "sounds", "seems", "feels", "means", "takes", "makes", "reminds", "is", "was"]);

/** A verb that a gerund in front is the subject of: "Painting helps", not "Meeting people who help" or "trying to help". */
function isMainVerb(clause: Token[], place: number): boolean {
  const token = clause[place];
  if (token === undefined || !hasTag(token, "Copula", "PresentTense", "Modal") || hasTag(token, "Gerund")) return false;
  const previous = clause[place - 1];
  return !["to", "who", "that", "which", "and", "i", "we", "they", "you"].includes(previous?.normal ?? "");
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

/** "Looks like …", "Wish I had …": what somebody makes of something, with its subject left out. */
function isImpression([first]: Token[]): boolean {
  return first !== undefined && (IMPRESSIONS.has(first.normal) || SMALL_TALK.has(first.normal));
}

function contentTerms(tokens: Token[]): string[] {
  return tokens.flatMap(({ normal }) => termOf(normal) ?? []);
}

const HEDGES = new Set("maybe perhaps might probably possibly guess think seem seems could kinda".split(" "));

function confidenceOf(clause: Token[], subject: Subject, { sentence, addressee, isNote }: Setting): number {
  const words = new Set(clause.map(({ normal }) => normal));
  let confidence = BASE_CONFIDENCE[subject.kind];
  if (isNote && subject.kind === "described") confidence += NOTE_BONUS;
  if (sentence.dates.some(({ kind }) => kind !== "duration")) confidence += DATED_BONUS;
  if ([...HEDGES].some((word) => words.has(word))) confidence -= HEDGED_PENALTY;
  const addressed = words.has("you") || words.has("your");
  if (addressed) confidence -= addressee === undefined ? UNCLEAR_PENALTY : ADDRESSED_PENALTY;
  if (words.has("if")) confidence -= UNCLEAR_PENALTY;
  if (["it", "them", "him", "her", "this"].some((word) => words.has(word))) confidence -= POINTING_PENALTY;
  return Math.round(Math.min(0.95, Math.max(0.1, confidence)) * 100) / 100;
}

const LIKING = /^(?:lov|lik|enjoy|prefer|hat|dislik|ador|cherish)(?:e|es|ed|s|ing)?$/;
const PREFERENCE = /\b(?:favou?rites?|faves?|fan of|obsessed|passionate|keen on|allergic|can not stand)\b/;
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
  if (PREFERENCE.test(text) || predicate.some(isLiking)) return "preference";
  const happened = isHappening(predicate);
  if (!happened && RELATIVES.test(text) && STATES.test(said)) return "relationship";
  if (happened) return "event";
  return STATES.test(said) ? "attribute" : "other";
}

/** "likes it", not "like that one" nor "with love". */
function isLiking(token: Token, place: number, predicate: Token[]): boolean {
  const previous = predicate[place - 1];
  const asVerb = place === 0 || hasTag(previous, "Adverb", "Modal", "Auxiliary", "Negative");
  return LIKING.test(token.normal) && asVerb;
}

/** Whether the verb group tells of something done: a past tense, "has met", "is having"; not "was" or "has" alone. */
function isHappening(predicate: Token[]): boolean {
  const start = predicate.findIndex((token) => hasTag(token, "Verb", "PastTense"));
  const first = predicate[start];
  if (first === undefined) return false;
  const helper = hasTag(first, "Copula") || /^(?:am|is|are|was|were|been|have|has|had)$/.test(first.normal);
  if (!helper) return hasTag(first, "PastTense") && !hasTag(first, "Adjective");
  const group = predicate
    .slice(start + 1, start + VERB_GROUP)
    .filter((token) => !hasTag(token, "Adverb", "Negative", "Copula"));
  return hasTag(group[0], "Gerund") || (!hasTag(first, "Copula") && hasTag(group[0], "PastTense", "Participle"));
}

/** An auxiliary and its verb are this near. */
const VERB_GROUP = 4;
