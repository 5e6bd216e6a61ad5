import type { ExtractedFact } from "./extraction/schemas.ts";
import type { Memory } from "./memory.ts";

/** How a statement stands to a memory that was there before. */
export type FactRelation = Pick<ExtractedFact, "relation" | "related_memory_id">;

/** What came of one memory: `NOOP` where it was known already. What the memory says is read when somebody asks. */
export type EventResult = { id: string; event: "ADD" | "NOOP" } & FactRelation;

/** What came of one memory that was to be stored, and what it says. */
export type Remembered = EventResult & {
  memory: string;
  occurred_at: string;
  user_id: string | null;
  categories: string[];
};

/** Whether the memory is new or was known already, and what it says. */
export function toRemembered(memory: Memory, isNew: boolean): Remembered {
  return { id: memory.id, event: isNew ? "ADD" : "NOOP", ...sayingOf(memory) };
}

/** What a memory says, as results tell it. */
export type Saying = Omit<Remembered, keyof EventResult>;

export function sayingOf(memory: Memory): Saying {
  const { content, user_id, category, categories } = memory;
  return {
    memory: content,
    occurred_at: memory.occurred_at ?? memory.created_at,
    user_id: user_id ?? null,
    categories: categories ?? (category === undefined ? [] : [category]),
  };
}
