import type { Context } from "../../runtime/context.ts";
import {
  type Found,
  readPart,
  remember,
  type SpokenMessage,
  type StatementSource,
  statementsOf,
} from "./conversation.ts";
import { independentGroups } from "./duplicates.ts";
import { type EventResult, toResult } from "./memory-results.ts";

/** Statements stored concurrently; on a local server they share a commit. */
const CONCURRENCY = 8;

/** The position in a conversation. */
export type ConversationCheckpoint = {
  /** Index of the current part; earlier parts are done. */
  part: number;
  /** Statements of the part, or null before it is read. A repeated step stores these and does not read again. */
  found: Found | null;
  /** Number of the part's stored statements. */
  stored: number;
};

export const BEGINNING: ConversationCheckpoint = { part: 0, found: null, stored: 0 };

/** The input of a step; `said_at` (ISO 8601) is when it was said. */
export interface PartWork extends StatementSource {
  part: SpokenMessage[];
  checkpoint: ConversationCheckpoint;
  said_at: string;
}

/**
 * Reads a part, or stores groups of its statements until `isOver` returns true, at least one group. The caller saves
 * the statements before any is stored, so that a repeated step stores the same ones.
 */
export async function processPart(
  ctx: Context,
  { part, checkpoint, said_at, ...source }: PartWork,
  isOver: () => boolean,
) {
  const results: EventResult[] = [];
  if (checkpoint.found === null) {
    const { found, leftOut } = await readPart(ctx, source.conversation, part, said_at);
    return { checkpoint: advance({ ...checkpoint, found }, found.length), results, leftOut };
  }
  const statements = statementsOf(part, checkpoint.found);
  let { stored } = checkpoint;
  for (const group of independentGroups(statements.slice(checkpoint.stored), CONCURRENCY)) {
    const work = group.map((statement) => remember(ctx, source, statement, { skip_duplicates: true }));
    // All must have ended before one fails, because a failed statement is retried with its group.
    await Promise.allSettled(work);
    results.push(...(await Promise.all(work)).flat().map(toResult));
    stored += group.length;
    if (isOver()) break;
  }
  return { checkpoint: advance({ ...checkpoint, stored }, statements.length), results, leftOut: [] };
}

/** Returns the same position, or the next part if all statements of this one are stored. */
function advance(checkpoint: ConversationCheckpoint, total: number): ConversationCheckpoint {
  return checkpoint.stored < total ? checkpoint : { part: checkpoint.part + 1, found: null, stored: 0 };
}
