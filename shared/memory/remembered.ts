import type { Context } from "../platform/context.ts";
import type { ExtractedFact } from "./extraction/schemas.ts";
import type { Memory } from "./memory.ts";

/** How a statement stands to a memory that was there before. */
export type FactRelation = Pick<ExtractedFact, "relation" | "related_memory_id">;

/** `UPDATE`: it says what holds instead of an earlier memory. `DELETE`: it no longer holds. `NOOP`: it was known already. */
export const RESULT_EVENTS = ["ADD", "UPDATE", "DELETE", "NOOP"] as const;

/** What came of one memory. What the memory says is read when somebody asks. */
export type EventResult = {
  id: string;
  event: (typeof RESULT_EVENTS)[number];
  /** Of an update: the memory whose place it takes. */
  previous_memory_id?: string;
} & FactRelation;

/** What came of one memory that was to be stored, and what it says. */
export type Remembered = EventResult & {
  memory: string;
  occurred_at: string;
  user_id: string | null;
  categories: string[];
  /** Of an update: what the memory said whose place it takes. */
  previous_memory?: string;
};

/** Tells what came of a memory that was to be stored: first of itself, then of others that it ends. */
export type ResultsOf = (ctx: Context, memory: Memory, isNew: boolean) => Promise<Remembered[]>;

/** Of itself alone. */
export const ownResult: ResultsOf = async (_ctx, memory, isNew) => [toRemembered(memory, isNew)];

/** Whether the memory is new or was known already, and what it says. */
export function toRemembered(memory: Sayable, isNew: boolean): Remembered {
  return { id: memory.id, event: isNew ? "ADD" : "NOOP", ...sayingOf(memory) };
}

/** What a result is without what its memory says, as an event keeps it. */
export function toResult({ id, event, previous_memory_id, relation, related_memory_id }: Remembered): EventResult {
  return {
    id,
    event,
    ...(previous_memory_id && { previous_memory_id }),
    ...(relation && { relation, related_memory_id }),
  };
}

/** What a memory says, as results tell it. */
export type Saying = Omit<Remembered, keyof EventResult>;
type Sayable = Pick<Memory, "id" | "content" | "user_id" | "category" | "categories" | "occurred_at" | "created_at">;

export function sayingOf(memory: Sayable): Saying {
  const { content, user_id, category, categories } = memory;
  return {
    memory: content,
    occurred_at: memory.occurred_at ?? memory.created_at,
    user_id: user_id ?? null,
    categories: categories ?? (category === undefined ? [] : [category]),
  };
}
