import type { ExtractedFact } from "../../language/statements/schemas.ts";
import type { Context } from "../../runtime/context.ts";
import type { Memory } from "./memory.ts";

/** The relation of a statement to an earlier memory. */
export type FactRelation = Pick<ExtractedFact, "relation" | "related_memory_id">;

/** `UPDATE`: it replaces an earlier memory. `DELETE`: it no longer holds. `NOOP`: it was known already. */
export const RESULT_EVENTS = ["ADD", "UPDATE", "DELETE", "NOOP"] as const;

/** The result for one memory. Its content is read on request. */
export type EventResult = {
  id: string;
  event: (typeof RESULT_EVENTS)[number];
  /** For an update, the memory that it replaces. */
  previous_memory_id?: string;
} & FactRelation;

/** The result of storing a memory, with its content. */
export type MemoryResult = EventResult & {
  memory: string;
  occurred_at: string;
  user_id: string | null;
  categories: string[];
  /** For an update, the content of the memory that it replaces. */
  previous_memory?: string;
};

/** Returns the results of storing a memory: first its own, then those of other memories that it ends. */
export type ResultsOf = (ctx: Context, memory: Memory, isNew: boolean) => Promise<MemoryResult[]>;

export const ownResult: ResultsOf = async (_ctx, memory, isNew) => [toMemoryResult(memory, isNew)];

/** Returns the result for a new or an already known memory, with its content. */
export function toMemoryResult(memory: ContentSource, isNew: boolean): MemoryResult {
  return { id: memory.id, event: isNew ? "ADD" : "NOOP", ...contentFieldsOf(memory) };
}

/** Returns a result without the memory's content, as events store it. */
export function toResult({ memory, occurred_at, user_id, categories, previous_memory, ...result }: MemoryResult) {
  return result;
}

export type ContentFields = Omit<MemoryResult, keyof EventResult>;
type ContentSource = Pick<
  Memory,
  "id" | "content" | "user_id" | "category" | "categories" | "occurred_at" | "created_at"
>;

export function contentFieldsOf(memory: ContentSource): ContentFields {
  const { content, user_id, category, categories } = memory;
  return {
    memory: content,
    occurred_at: memory.occurred_at ?? memory.created_at,
    user_id: user_id ?? null,
    categories: categories ?? (category === undefined ? [] : [category]),
  };
}
