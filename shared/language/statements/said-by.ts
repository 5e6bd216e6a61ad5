import { support } from "./alignment.ts";
import type { Passage, Sentence } from "./passage.ts";
import { denies } from "./same-statement.ts";
import type { ExtractedFact } from "./schemas.ts";
import { isNamed, UNNAMED_SPEAKER } from "./speakers.ts";

/** A message of a conversation. */
export interface Message {
  role: string;
  /** The name of the speaker, if it was given. */
  speaker?: string | undefined;
  content: string;
}

/** The speaker of a fact's source, with the index of its message. */
export interface SaidBy {
  role: string;
  turn: number;
}

export const USER_ROLE = "user";
export const ASSISTANT_ROLE = "assistant";
const USER_ROLES = new Set([USER_ROLE, "human"]);

export function isUserRole(role: string): boolean {
  return USER_ROLES.has(role.toLowerCase());
}

/** Returns a speaker's role. In a user's message, lines that the user labels with another role have that role. */
export function roleOf({ role }: Pick<Message, "role">, speaker: string): string {
  const isOthers = isUserRole(role) && !isNamed(speaker) && speaker !== UNNAMED_SPEAKER;
  return isOthers ? speaker.replace(/^the /, "") : role;
}

/** Returns the speaker of a statement: the user only if all its sentences are the user's. */
export function speakerFieldOf(sentences: readonly Sentence[]): { said_by?: SaidBy } {
  const own = sentences.find(({ isContext }) => !isContext)?.said_by;
  const others = sentences.find(({ said_by }) => said_by !== undefined && !isUserRole(said_by.role))?.said_by;
  return own ? { said_by: { role: (others ?? own).role, turn: own.turn } } : {};
}

/** What one speaker said in one turn. */
interface Part {
  said_by: SaidBy;
  isContext: boolean;
  sentences: Sentence[];
}

/**
 * Attributes facts to speakers. A model names no source and may mix speakers: a fact is the user's if the user's words
 * contain more of its terms than anybody else's, or equally many and first.
 */
export function withSpeakers(facts: ExtractedFact[], { context, sentences }: Passage): ExtractedFact[] {
  const parts = partsOf([...context, ...sentences]);
  const claims = facts.map(({ content }) => content.replace(/\bthe (?:user|assistant)\b/gi, ""));
  const shares = parts.map((part) => support(part.sentences.map(withoutRole), claims));
  return facts.map((fact, factIndex) => {
    if (fact.said_by !== undefined) return fact;
    const rated = parts.map((part, index) => ({ ...part, index, share: shares[index]?.[factIndex] ?? 0 }));
    const said_by = attributionOf(fact.content, rated);
    return said_by === undefined ? fact : { ...fact, said_by };
  });
}

/** A part with its number and the share of a fact's terms that it contains. */
type RatedPart = Part & { index: number; share: number };

function partsOf(sentences: Sentence[]): Part[] {
  const byPart = Map.groupBy(sentences, ({ isContext, said_by }) => JSON.stringify([isContext ?? false, said_by]));
  return [...byPart.values()].flatMap((own) => {
    const [{ said_by, isContext = false } = {}] = own;
    return said_by === undefined ? [] : [{ said_by, isContext, sentences: own }];
  });
}

/** Removes a speaker that is only a role, because a role's name says nothing about the sentence. */
function withoutRole(sentence: Sentence): Sentence {
  return isNamed(sentence.speaker) ? sentence : { ...sentence, speaker: "" };
}

function attributionOf(content: string, parts: RatedPart[]): SaidBy | undefined {
  const best = parts.toSorted((one, other) => other.share - one.share);
  const turn = best.find(({ isContext }) => !isContext)?.said_by.turn;
  if (turn === undefined) return undefined;
  const user = best.find(({ said_by }) => isUserRole(said_by.role));
  const other = best.find(({ said_by }) => !isUserRole(said_by.role));
  const isOfUser = user && (other === undefined || saysMore(content, user, other));
  return { role: (isOfUser ? user : (other ?? user))?.said_by.role ?? USER_ROLE, turn };
}

function saysMore(content: string, user: RatedPart, other: RatedPart): boolean {
  if (user.share === 0 || other.share === 0) return user.share > 0;
  const isUserAhead = user.share > other.share || (user.share === other.share && user.index < other.index);
  return isUserAhead && isNegatedAlike(content, user.sentences);
}

/** Whether a fact is negated like the sentence with most of its terms: "Do not mail her" is not a wish to mail her. */
function isNegatedAlike(content: string, sentences: Sentence[]): boolean {
  const shares = sentences.map((sentence) => support([withoutRole(sentence)], [content])[0] ?? 0);
  const nearest = sentences[shares.indexOf(Math.max(...shares))];
  return nearest !== undefined && denies(nearest.text) === denies(content);
}
