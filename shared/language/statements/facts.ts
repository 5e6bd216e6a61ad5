import { setOf } from "../../kernel/strings.ts";
import { isFiller } from "./courtesy.ts";
import { datesWithin } from "./dates.ts";
import type { Passage, Sentence } from "./passage.ts";
import { speakerFieldOf } from "./said-by.ts";
import type { ExtractedFact, FactCategory } from "./schemas.ts";
import { type Statement, wordsOf } from "./statements.ts";
import { hasTag, type Tagger, type Token } from "./tagging.ts";

/** Base confidence of a statement by the kind of its subject. */
const BASE_CONFIDENCE = { speaker: 0.8, possession: 0.78, named: 0.75, elided: 0.62, described: 0.6, none: 0.5 };
/** Confidence of a statement in a language without grammar rules. */
const UNREAD_CONFIDENCE = 0.6;
const DATED_BONUS = 0.1;
const HEDGED_PENALTY = 0.15;
const UNCLEAR_PENALTY = 0.25;
/** Maximum tokens before a sentence's subject: "In May 2023, on our way home, I …". */
const MAX_LEAD_TOKENS = 9;

/** The subject of a sentence: its speaker, something that belongs to the speaker, something named, … */
type SubjectKind = keyof typeof BASE_CONFIDENCE;

interface Subject {
  kind: SubjectKind;
  /** Index of its first token, and the index after its last token. */
  start: number;
  end: number;
}

const NO_SUBJECT: Subject = { kind: "none", start: 0, end: 0 };

/** Returns the statements of a passage as facts in their own words, with their dates and speakers. */
export function factsOf({ statements }: Passage, tag: Tagger): ExtractedFact[] {
  return statements.map((statement) => {
    const { sentences } = statement;
    const content = wordsOf(statement);
    const dates = sentences.flatMap((sentence) => sentence.dates);
    return { content, ...kindOf(statement, tag), dates: datesWithin(content, dates), ...speakerFieldOf(sentences) };
  });
}

function kindOf({ sentences }: Statement, tag: Tagger): Pick<ExtractedFact, "confidence" | "category"> {
  if (sentences[0]?.isEnglish !== true) return { confidence: UNREAD_CONFIDENCE, category: "other" };
  const clauses = sentences.map((sentence) => withoutFillers(tag(sentence)));
  const [first = []] = clauses;
  const subject = subjectOf(first) ?? NO_SUBJECT;
  const words = clauses.flat();
  return {
    confidence: confidenceOf(words, subject, sentences),
    category: categoryOf(words, first.slice(0, subject.end), first.slice(subject.end)),
  };
}

function withoutFillers(sentence: Token[]): Token[] {
  let start = 0;
  while (start < sentence.length - 1 && isFiller(sentence, start)) start++;
  return sentence.slice(start);
}

/** A word that opens a phrase before a comma: "Since …,", "Growing up,", "Lately,". */
function isOpening(token: Token | undefined): boolean {
  return hasTag(token, "Preposition", "Conjunction", "Adverb", "QuestionWord", "Gerund", "Date");
}

function subjectOf(clause: Token[]): Subject | undefined {
  const lead = clause.slice(0, MAX_LEAD_TOKENS);
  const speaker = speakerSubject(lead);
  if (speaker !== -1) return { kind: "speaker", start: speaker, end: speaker + 1 };
  const opening = afterOpening(lead);
  const verb = lead.findIndex((token, index) => index >= opening && isVerbal(token));
  if (verb === -1) return undefined;
  const start = lead.findIndex((token) => !hasTag(token, "Adverb"));
  if (verb === start) return isElided(clause.slice(start)) ? { kind: "elided", start: 0, end: start } : undefined;
  const subject = clause.slice(opening, verb);
  const head = subject.findLast((token) => hasTag(token, "Noun"));
  const isClear = head !== undefined && !hasTag(head, "Pronoun") && !hasTag(subject[0], "Preposition");
  if (!isClear || subject.some(({ normal }) => UNRESOLVED.has(normal))) return undefined;
  return { kind: kindOfSubject(subject), start: opening, end: verb };
}

/** Returns the index of the subject "I" or "we": after a comma ("Growing up, I …"), else before a verb; -1 if none. */
function speakerSubject(lead: Token[]): number {
  const isSpeaker = ({ normal }: Token) => normal === "i" || normal === "we";
  const afterComma = lead.findIndex((token, index) => isSpeaker(token) && lead[index - 1]?.after.includes(","));
  if (afterComma !== -1 && isOpening(lead[0])) return afterComma;
  const first = lead.findIndex(isSpeaker);
  const verb = lead.findIndex(isVerbal);
  return first !== -1 && (verb === -1 || first < verb) ? first : -1;
}

/** Returns the index at which the clause continues after an opening phrase: "Over the years, my …". */
function afterOpening(lead: Token[]): number {
  if (!isOpening(lead[0]) || hasTag(lead[0], "Gerund")) return 0;
  return lead.findIndex(({ after }) => after.includes(",")) + 1;
}

function kindOfSubject(subject: Token[]): SubjectKind {
  if (subject.some(({ normal }) => normal === "my" || normal === "our")) return "possession";
  const named = subject.some((token) => hasTag(token, "ProperNoun", "Person", "Place", "Organization"));
  return named || NAMED_ROLES.has(subject.at(-1)?.normal ?? "") ? "named" : "described";
}

/** Roles that notes use as names. */
const NAMED_ROLES = new Set(["user", "customer", "client", "patient", "student", "assistant", "agent"]);

/** Words that refer to earlier text; a statement with them is not self-contained. */
const UNRESOLVED =
  setOf(`it that this these those they them he she him her his their its you your there here who what which how everyone
   everything someone something one ones`);

function isVerbal(token: Token): boolean {
  return hasTag(token, "Verb", "Copula", "Modal", "Auxiliary") && !hasTag(token, "Adjective");
}

/** "Just went …", "Been reading …", "Gonna …": people omit "I" when they talk about themselves. */
function isElided(clause: Token[]): boolean {
  const [first, second] = clause;
  if (first?.normal === "going" && second?.normal === "to") return true;
  if (hasTag(first, "Modal", "Copula") || clause.some(({ normal }) => normal === "me" || normal === "us")) return false;
  if (hasTag(second, "Copula", "Auxiliary", "Modal")) return false;
  if (!first || !second || /[,;:]/.test(first.after) || PARTICLES.has(second.normal)) return false;
  if (!hasTag(first, "Gerund")) return hasTag(first, "PastTense") || isThirdPerson(first);
  if (clause.some(({ after }) => after.includes(":"))) return false;
  return !clause.some((token, index) => index > 0 && isMainVerb(clause, index) && !token.before.includes(","));
}

/** "Heads up", "Sold out": set phrases rather than verbs without their subject. */
const PARTICLES = new Set(["up", "out", "off", "over"]);

/** "Prefers window seats": a note about the memory's user. */
function isThirdPerson(token: Token): boolean {
  return hasTag(token, "PresentTense") && !hasTag(token, "Infinitive") && !IMPRESSIONS.has(token.normal);
}

/** "Looks like …" omits "it", not "I". */
const IMPRESSIONS = new Set(["looks", "sounds", "seems", "feels", "means", "takes", "makes", "reminds", "is", "was"]);

/** Whether a verb may have a gerund before it as its subject: "Painting helps", not "Meeting people who help". */
function isMainVerb(clause: Token[], index: number): boolean {
  const token = clause[index];
  if (token === undefined || !hasTag(token, "Copula", "PresentTense", "Modal") || hasTag(token, "Gerund")) return false;
  const previous = clause[index - 1];
  return !["to", "who", "that", "which", "and", "i", "we", "they", "you"].includes(previous?.normal ?? "");
}

const HEDGES = setOf("maybe perhaps might probably possibly guess think seem seems could kinda");

function confidenceOf(words: Token[], subject: Subject, sentences: Sentence[]): number {
  const said = new Set(words.map(({ normal }) => normal));
  let confidence = BASE_CONFIDENCE[subject.kind];
  if (sentences.some(({ dates }) => dates.some(({ kind }) => kind !== "duration"))) confidence += DATED_BONUS;
  if ([...HEDGES].some((word) => said.has(word))) confidence -= HEDGED_PENALTY;
  if (said.has("you") || said.has("your")) confidence -= UNCLEAR_PENALTY;
  if (said.has("if")) confidence -= UNCLEAR_PENALTY;
  return Math.round(Math.min(0.95, Math.max(0.1, confidence)) * 100) / 100;
}

const LIKING = /^(?:lov|lik|enjoy|prefer|hat|dislik|ador|cherish)(?:e|es|ed|s|ing)?$/;
const PREFERENCE = /\b(?:favou?rites?|faves?|fan of|obsessed|passionate|keen on|allergic|can not stand)\b/;
const PLAN =
  /\b(?:going to|will|want to|wants to|plan|plans|planning|hope to|hoping to|looking forward|intend|intends|would (?:love|like) to|thinking (?:of|about)|considering|aim|goal|dream|tomorrow|next)\b/;
/** "my goal for 2027 is …": the subject says that the rest is in the future. */
const PLANNED_SUBJECT = /\b(?:goals?|plans?|dreams?|aims?|intentions?|resolutions?|ambitions?|deadlines?)\b/;
/** "only drinks decaf", "never wear wool": a restricted habit is a preference. */
const CHOSEN =
  /\b(?:only|always|never|rarely|hardly ever|usually|mostly|generally|no longer|do not|does not|avoids?)(?: \w+)? (?:drinks?|eats?|wears?|uses?|takes?|buys?|listens?|watch(?:es)?|reads?|cooks?|orders?|smokes?|sleeps?|sits?|travels?|fl(?:y|ies)|shops?|pays?|meat|alcohol|gluten|dairy)\b/;
const RELATIVES =
  /\b(?:husband|wife|spouse|partner|boyfriend|girlfriend|fianc[eé]e?|married|dating|engaged|divorced|son|daughter|kids?|child|children|mother|mom|mum|father|dad|parents?|brother|sister|siblings?|grandma|grandpa|grand(?:mother|father)|aunt|uncle|cousin|niece|nephew|friends?|best friend|buddy|colleague|coworker|boss|manager|mentor|neighbou?r|roommate)\b/;
const STATES =
  /\b(?:am|is|are|was|were|been|have|has|had|live|lives|lived|work|works|speak|speaks|own|owns|study|studies|play|plays|know|knows|named|called|born)\b/;

function categoryOf(clause: Token[], subject: Token[], predicate: Token[]): FactCategory {
  const wordsOf = (tokens: Token[]) => tokens.map(({ normal }) => normal).join(" ");
  const [text, said] = [wordsOf(clause), wordsOf(predicate)];
  const isEvent = isHappening(predicate);
  if (PLAN.test(said) || (!isEvent && PLANNED_SUBJECT.test(wordsOf(subject)))) return "plan";
  if (PREFERENCE.test(text) || CHOSEN.test(said) || predicate.some(isLiking)) return "preference";
  if (!isEvent && RELATIVES.test(text) && STATES.test(said)) return "relationship";
  if (isEvent) return "event";
  return STATES.test(said) ? "attribute" : "other";
}

/** "likes it", not "like that one" nor "with love". */
function isLiking(token: Token, index: number, predicate: Token[]): boolean {
  const previous = predicate[index - 1];
  const isVerb = index === 0 || hasTag(previous, "Adverb", "Modal", "Auxiliary", "Negative");
  return LIKING.test(token.normal) && isVerb;
}

/** Whether a verb group describes an event: a past tense, "has met", "is having"; not "was" or "has" alone. */
function isHappening(predicate: Token[]): boolean {
  const start = predicate.findIndex((token) => hasTag(token, "Verb", "PastTense"));
  const first = predicate[start];
  if (first === undefined) return false;
  const isHelper = hasTag(first, "Copula") || /^(?:am|is|are|was|were|been|have|has|had)$/.test(first.normal);
  if (!isHelper) return hasTag(first, "PastTense") && !hasTag(first, "Adjective");
  const group = predicate.slice(start + 1, start + VERB_GROUP);
  const verb = group.find((token) => !hasTag(token, "Adverb", "Negative", "Copula"));
  return hasTag(verb, "Gerund") || (!hasTag(first, "Copula") && hasTag(verb, "PastTense", "Participle"));
}

/** Maximum tokens of a verb group, from the auxiliary to the verb. */
const VERB_GROUP = 4;
