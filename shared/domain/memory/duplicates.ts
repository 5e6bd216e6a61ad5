import { dateOf } from "../../kernel/clock.ts";
import { occurredMs } from "../../kernel/event-time.ts";
import { analyse, countShared } from "../../kernel/text/text.ts";
import { readPassage } from "../../language/statements/passage.ts";
import { isSameStatement, saysInTheSameTerms } from "../../language/statements/same-statement.ts";
import { hasTag, loadTagger, type Token } from "../../language/statements/tagging.ts";
import { fromItem } from "../../ports/item.ts";
import type { SearchSource } from "../../ports/search-index.ts";
import type { MemoryScope } from "../../runtime/context.ts";
import { findClaimant } from "./claims.ts";
import type { Memory } from "./memory.ts";
import { memoriesOf, memoriesOfUser } from "./memory-keys.ts";
import { findMemory, isReadable } from "./records.ts";

/** Maximum number of candidates; without a user the search covers all users, and only results without a user count. */
const MAX_CANDIDATES = 20;
/** Maximum number of memories that the index may lack. */
const MAX_LATEST = 20;
/** A later statement that shares this many words may end the earlier one. */
const ENDED_SHARE = 0.5;

type Finder = Pick<MemoryScope, "ports" | "clock" | "org" | "viewer">;
type Draft = Pick<Memory, "user_id" | "content" | "said_of" | "speaker" | "in_reply_to" | "sent"> & {
  occurred_at: string;
};

type Statement = Pick<SearchSource, "content" | "occurred_at" | "created_at">;

/** Memories that make a new statement a repetition. */
export interface Known {
  /** An equal and still valid memory of the same user and time. */
  duplicate?: Memory;
  /** The memory that owns the content although its statement ended in between. */
  former?: string;
}

/**
 * Finds what a new memory would repeat: the same content, or the same statement in the same words. A state that was
 * said before another of its kind ("I live in Paris", then Rome) is no duplicate, because it may hold again.
 */
export async function findKnown(ctx: Finder, draft: Draft): Promise<Known> {
  const [claimant, documents] = await Promise.all([
    findClaimant(ctx.ports.records, { ...draft, org: ctx.org, agent_id: ctx.viewer }),
    findSimilar(ctx, draft),
  ]);
  const id = claimant ?? (await findSame(draft, documents));
  const same = id === undefined ? undefined : await findMemory(ctx, id);
  if (!same || !hasSameSecrets(same, draft)) return {};
  const mayHaveEnded = draft.said_of === undefined && (await mayAnyHaveEnded(ctx, draft, same, documents));
  if (!mayHaveEnded) return { duplicate: same };
  return same.id === claimant ? { former: claimant } : {};
}

/** Whether the placeholders of two texts stand for the same: a new password is no repetition of the former one. */
function hasSameSecrets({ sent: one }: Pick<Memory, "sent">, { sent: other }: Pick<Memory, "sent">): boolean {
  const values = (of: Memory["sent"]) => JSON.stringify(of?.secrets.map(({ value }) => value) ?? []);
  return values(one) === values(other);
}

/** Returns the memory that a model considers equal to a draft, if the rules find nothing that would be lost. */
export async function confirmSame(ctx: Finder, draft: Draft, id: string): Promise<Memory | undefined> {
  const known = await findMemory(ctx, id);
  if (
    !known ||
    known.user_id !== draft.user_id ||
    !hasSameSecrets(known, draft) ||
    !saysInTheSameTerms(draft.content, known.content)
  )
    return undefined;
  const [time, timeOfKnown, documents] = await Promise.all([
    timeSaidOf(draft.content, draft.occurred_at),
    timeSaidOf(known.content, known.occurred_at ?? known.created_at),
    findSimilar(ctx, draft),
  ]);
  const hasEnded = await mayAnyHaveEnded(ctx, draft, known, documents);
  return time !== timeOfKnown || (time === undefined && hasEnded) ? undefined : known;
}

/** Returns a user's memories that share words with a text, best first, including equal and related statements. */
export async function findSimilar(ctx: Finder, { user_id, content }: Pick<Draft, "user_id" | "content">) {
  const { keyword } = await ctx.ports.search.search({
    org: ctx.org,
    now: ctx.clock(),
    viewer: ctx.viewer,
    filters: user_id === undefined ? undefined : { user_id: [user_id] },
    keyword: { text: content, limit: MAX_CANDIDATES },
  });
  return keyword.map(({ document }) => document).filter((document) => document.user_id === user_id);
}

/** Returns the id of the latest equal statement of the same time. */
async function findSame({ said_of, ...draft }: Draft, documents: SearchSource[]): Promise<string | undefined> {
  const same = documents.filter((document) => isSaidLike(draft, document));
  for (const document of same.sort((one, other) => occurredMs(other) - occurredMs(one))) {
    const occurred_at = document.occurred_at ?? document.created_at;
    if ((await timeSaidOf(document.content, occurred_at)) === said_of) return document.id;
  }
  return undefined;
}

/** Whether a memory has the same statement of the same speaker in reply to the same question. */
function isSaidLike(draft: Omit<Draft, "said_of">, document: SearchSource): boolean {
  const isOfSame = draft.speaker === document.speaker && draft.in_reply_to === document.in_reply_to;
  return isOfSame && isSameStatement(draft.content, document.content);
}

/**
 * Whether a memory may have ended the known statement: one that was found, or one of the latest ones in the records,
 * because the index lags behind them.
 */
async function mayAnyHaveEnded(ctx: Finder, draft: Draft, known: Memory, found: SearchSource[]): Promise<boolean> {
  const isOne = (other: Statement) => mayHaveEnded(other, known, draft);
  return found.some(isOne) || (await readLatest(ctx, draft.user_id)).some(isOne);
}

/** Returns the latest memories of a user, or of none, that the viewer may see; without those of long texts. */
async function readLatest(ctx: Finder, user: string | undefined): Promise<Statement[]> {
  const list =
    user === undefined
      ? ({ index: "gsi1", pk: memoriesOf(ctx.org) } as const)
      : ({ index: "gsi2", pk: memoriesOfUser(ctx.org, user) } as const);
  const { items } = await ctx.ports.records.query({ ...list, descending: true, limit: MAX_LATEST });
  const readable = items.filter((record) => record.user_id === user && isReadable(ctx, record));
  return readable.map(fromItem<Memory>).filter(({ content }) => content !== undefined);
}

/** Whether a memory from between the known one and the draft may have ended the known statement. */
function mayHaveEnded(other: Statement, known: Memory, draft: Draft): boolean {
  const isBetween = occurredMs(other) > occurredMs(known) && occurredMs(other) <= Date.parse(draft.occurred_at);
  if (!isBetween || isSameStatement(other.content, draft.content)) return false;
  const [own, others] = [new Set(analyse(draft.content)), new Set(analyse(other.content))];
  return countShared(own, others) > 0 && mayBeAboutSame(own, others);
}

/** Whether statements with these terms may be about the same; those without terms may be about anything. */
function mayBeAboutSame(terms: Set<string>, others: Set<string>): boolean {
  return countShared(terms, others) >= ENDED_SHARE * Math.min(terms.size, others.size);
}

/** Groups statements in order; none in a group repeats or contradicts another, so they can be stored together. */
export function independentGroups<Statement extends { content: string }>(statements: Statement[], size: number) {
  const groups: Statement[][] = [];
  let known: Set<string>[] = [];
  for (const statement of statements) {
    const terms = new Set(analyse(statement.content));
    if (groups.length === 0 || known.length >= size || known.some((others) => mayBeAboutSame(terms, others))) {
      groups.push([]);
      known = [];
    }
    groups.at(-1)?.push(statement);
    known.push(terms);
  }
  return groups;
}

/** Longer texts are documents: the same content at another time is still the same. */
const MAX_STATEMENT_LENGTH = 400;

/**
 * Returns the time of a statement if the same words at another time mean something else: the dates that it names, or
 * the day of an event ("I had a migraine"). Undefined for a lasting state ("I live in Paris") and for a document.
 * A statement in a language whose tenses are not analysed counts as an event, so that none is lost.
 */
export async function timeSaidOf(content: string, occurred_at: string): Promise<string | undefined> {
  if (content.length > MAX_STATEMENT_LENGTH) return undefined;
  const passage = await readPassage({ content, occurred_at });
  const dates = passage.sentences.flatMap((sentence) => sentence.dates);
  const named = dates.filter(({ kind }) => kind === "point" || kind === "range").map(({ value }) => value);
  if (named.length > 0) return named.join(" ");
  const tag = await loadTagger();
  const isLastingState = passage.sentences.every((sentence) => sentence.isEnglish && !isPast(tag(sentence)));
  return isLastingState ? undefined : dateOf(Date.parse(occurred_at));
}

/** Whether the first verb is in the past tense: "had", "went", "was". */
function isPast(tokens: Token[]): boolean {
  const verb = tokens.find((token) => hasTag(token, "Verb", "Copula"));
  return hasTag(verb, "PastTense");
}
