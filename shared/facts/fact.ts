/** How values of a slot relate: one at a time; many side by side; or known by likeness alone, where no slot fits. */
export type Cardinality = "single" | "multiple" | "open";

/** What a statement does to its slot: it holds, it has ended, it is intended, it is called off, an earlier one was wrong. */
export const FACT_ACTS = ["state", "end", "plan", "cancel", "correct"] as const;
export type Act = (typeof FACT_ACTS)[number];

/** What a statement says of one slot of one subject. */
export interface FactDraft {
  /** USER, or the name of an entity as it is written. */
  subject: string;
  /** A normalised slot ("lives_in", "dose_of ramipril"), or the lemma of an open fact's relation. */
  attribute: string;
  cardinality: Cardinality;
  /** As it is said: "Berlin", "5 mg in the morning". */
  value: string;
  act: Act;
  /** Of a correction: the value that it says is wrong. */
  replaces?: string;
  /** 0..1 */
  confidence: number;
  /** Where the statement stands in the memory's content, in UTF-16 units. */
  span: { start: number; end: number };
  /** ISO date or instant; only where the statement tells it. */
  valid_from?: string;
  valid_to?: string;
}

/** The subject of what people say of themselves: the user whose memory it is. */
export const USER = "user";
/** The subject of what the assistant recommends and promises. */
export const ASSISTANT = "assistant";

/** A draft that a memory holds. It never changes; what follows from all of a slot is computed when it is read. */
export interface Observation extends FactDraft {
  id: string;
  memory_id: string;
  /** ISO with offset: when it was said or happened. */
  observed_at: string;
  /** What somebody decided by hand, over what the rules say. */
  decision?: "retracted" | "restored";
}

export const FACT_STATES = ["current", "superseded", "retracted", "planned", "past"] as const;
export type FactStatus = (typeof FACT_STATES)[number];

/** An observation among all others of its slot that the reader may see. */
export interface Fact extends Observation {
  status: FactStatus;
  valid_from: string;
  /** Exclusive; absent while it holds. Of a plan that was called off or moved: when that was said. */
  valid_to?: string;
  /** Ids of the facts before and after it. */
  supersedes?: string;
  superseded_by?: string;
}
