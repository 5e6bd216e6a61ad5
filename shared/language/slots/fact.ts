/** How many values a slot has at a time. */
export const CARDINALITIES = ["single", "multiple"] as const;
export type Cardinality = (typeof CARDINALITIES)[number];
/** In place of a cardinality: a statement that an earlier release stored as a fact although it fits no slot. */
export const NO_SLOT = "open";

/** What a statement does to its slot: the value holds, has ended, is planned, is cancelled, or corrects an earlier one. */
export const FACT_ACTS = ["state", "end", "plan", "cancel", "correct"] as const;
export type Act = (typeof FACT_ACTS)[number];

/** What a statement says about one slot of one subject. */
export interface FactDraft {
  /** USER, or the name of an entity as it is written. */
  subject: string;
  /** A normalised slot: "lives_in", "dose_of ramipril". */
  attribute: string;
  cardinality: Cardinality;
  /** As stated: "Berlin", "5 mg in the morning". */
  value: string;
  act: Act;
  /** For a correction: the value that it says is wrong. */
  replaces?: string;
  /** 0..1 */
  confidence: number;
  /** Whether it is a fact only where it changes another one. */
  is_guess?: boolean;
  /** The range of the statement in the memory's content, in UTF-16 units. */
  span: { start: number; end: number };
  /** ISO date or instant, if the statement names one. */
  valid_from?: string;
  valid_to?: string;
  /** The id of the model that read it; absent if the rules did. */
  read_by?: string;
}

/** The subject of what people say about themselves: the user of the memory. */
export const USER = "user";
/** The slot of lasting instructions to the assistant. */
export const INSTRUCTION = "instruction";
/** The subject of what the assistant recommends and promises. */
export const ASSISTANT = "assistant";

/** A draft that is stored with a memory. It never changes: what depends on the whole slot is computed on reading. */
export interface Observation extends FactDraft {
  id: string;
  memory_id: string;
  /** ISO instant with offset: when it was said or happened. */
  observed_at: string;
  /** A manual decision that overrides the rules. */
  decision?: (typeof STANDING_DECISIONS)[number];
}

export const STANDING_DECISIONS = ["retracted", "restored"] as const;

export const FACT_STATES = ["current", "superseded", "retracted", "planned", "past"] as const;
export type FactStatus = (typeof FACT_STATES)[number];

/** An observation, evaluated among all others of its slot that the reader may see. */
export interface Fact extends Observation {
  status: FactStatus;
  valid_from: string;
  /** Exclusive; absent while the fact holds. For a plan that was cancelled or moved: when that was said. */
  valid_to?: string;
  /** Ids of the previous and the next fact. */
  supersedes?: string;
  superseded_by?: string;
}
