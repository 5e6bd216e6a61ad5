import { occurredMs } from "../kernel/event-time.ts";
import type { ViewerHome } from "../platform/context.ts";
import type { SearchSource } from "../platform/ports.ts";
import { analyse } from "../retrieval/text.ts";
import { findClaimant } from "./claims.ts";
import type { Memory } from "./memory.ts";
import { findMemory } from "./records.ts";
import { timeSaidOf } from "./said-of.ts";
import { saysInTheSameTerms, saysTheSame } from "./sameness.ts";

/** Best ones looked at: among those of all users only some may be of nobody in particular. */
const LOOKED_AT = 20;
/** A later statement that shares this part of its words may say that the earlier one holds no more. */
const RIVAL_SHARE = 0.5;

type Finder = Pick<ViewerHome, "ports" | "clock" | "org" | "viewer">;
type Draft = Pick<Memory, "user_id" | "content" | "said_of"> & { occurred_at: string };

/** What is known of a statement that is to be stored once. */
export interface Known {
  /** The memory that says it, of the same time, of the same user, and holds as far as is known. */
  duplicate?: Memory;
  /** The memory that claims the content, though its statement may not have held in between. */
  former?: string;
}

/**
 * Looks for what a new memory would say again: the very same content, or the same in the same words. A state that was said
 * before something else of the kind ("I live in Paris", then Rome) is no duplicate: said again, it may hold anew.
 */
export async function findKnown(ctx: Finder, draft: Draft): Promise<Known> {
  const [claimant, documents] = await Promise.all([
    findClaimant(ctx.ports.records, { ...draft, org: ctx.org, agent_id: ctx.viewer }),
    findSimilar(ctx, draft),
  ]);
  const id = claimant ?? (await findSame(draft, documents));
  const same = id === undefined ? undefined : await findMemory(ctx, id);
  if (!same) return {};
  if (draft.said_of !== undefined || !documents.some((other) => isRival(other, same, draft)))
    return { duplicate: same };
  return same.id === claimant ? { former: claimant } : {};
}

/** The memory that a model takes for what a draft says, where the rules find nothing that it would lose. */
export async function confirmSame(ctx: Finder, draft: Draft, id: string): Promise<Memory | undefined> {
  const known = await findMemory(ctx, id);
  if (!known || known.user_id !== draft.user_id || !saysInTheSameTerms(draft.content, known.content)) return undefined;
  const [time, timeOfKnown, documents] = await Promise.all([
    timeSaidOf(draft.content, draft.occurred_at),
    timeSaidOf(known.content, known.occurred_at ?? known.created_at),
    findSimilar(ctx, draft),
  ]);
  const mayHoldNoMore = documents.some((other) => isRival(other, known, draft));
  return time !== timeOfKnown || (time === undefined && mayHoldNoMore) ? undefined : known;
}

/** What memories of the same user share words with a text, best first. Whatever says the same, or something else of the kind, does. */
export async function findSimilar(
  ctx: Finder,
  { user_id, content }: Pick<Draft, "user_id" | "content">,
): Promise<SearchSource[]> {
  const { keyword } = await ctx.ports.search.search({
    org: ctx.org,
    now: ctx.clock(),
    viewer: ctx.viewer,
    filters: user_id === undefined ? undefined : { user_id: [user_id] },
    keyword: { text: content, limit: LOOKED_AT },
  });
  return keyword.map(({ document }) => document).filter((document) => document.user_id === user_id);
}

/** The latest that says the same of the same time. */
async function findSame({ content, said_of }: Draft, documents: SearchSource[]): Promise<string | undefined> {
  const same = documents.filter((document) => saysTheSame(content, document.content));
  for (const document of same.sort((one, other) => occurredMs(other) - occurredMs(one))) {
    const occurred_at = document.occurred_at ?? document.created_at;
    if ((await timeSaidOf(document.content, occurred_at)) === said_of) return document.id;
  }
  return undefined;
}

function isRival(other: SearchSource, known: Memory, draft: Draft): boolean {
  const isBetween = occurredMs(other) > occurredMs(known) && occurredMs(other) <= Date.parse(draft.occurred_at);
  if (!isBetween || saysTheSame(other.content, draft.content)) return false;
  const [own, others] = [new Set(analyse(draft.content)), new Set(analyse(other.content))];
  return countShared(own, others) > 0 && areOfAKind(own, others);
}

/** Whether statements of these terms may be about the same; those without terms may be about anything. */
function areOfAKind(terms: Set<string>, others: Set<string>): boolean {
  return countShared(terms, others) >= RIVAL_SHARE * Math.min(terms.size, others.size);
}

function countShared(terms: Set<string>, others: Set<string>): number {
  return [...terms].filter((term) => others.has(term)).length;
}

/**
 * Statements in groups, in order, at most so many in each: none of a group may repeat or contradict another of it, so that
 * what each finds is the same whether they are stored one by one or together.
 */
export function independentGroups<Statement extends { content: string }>(
  statements: Statement[],
  size: number,
): Statement[][] {
  const groups: Statement[][] = [];
  let known: Set<string>[] = [];
  for (const statement of statements) {
    const terms = new Set(analyse(statement.content));
    if (groups.length === 0 || known.length >= size || known.some((others) => areOfAKind(terms, others))) {
      groups.push([]);
      known = [];
    }
    groups.at(-1)?.push(statement);
    known.push(terms);
  }
  return groups;
}
