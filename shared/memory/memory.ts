import type { Tier } from "../compression/tiers.ts";
import type { FactDraft } from "../facts/fact.ts";
import type { JsonObject } from "../platform/ports.ts";
import type { DateAnnotation } from "./dates/schema.ts";
import type { SharedAccess } from "./visibility.ts";

/** An entity as a memory names it. One linked by hand says how it relates; one found in the text does not. */
export interface EntityReference {
  id: string;
  name: string;
  type: string;
  relationship_type?: string;
  /** 0..1 */
  strength?: number;
}

export interface Fact {
  id: string;
  content: string;
  /** 0..1 */
  confidence: number;
  category: string;
  /** The dates that its words name; none are kept as no field. */
  dates?: DateAnnotation[];
}

/** A statement of a memory as a record of its own (shared/facts), and the slot that it is kept in. */
export interface FactReference {
  id: string;
  slot: string;
}

/** What a text states, and when it was said (ISO with its offset where that is known). */
export interface Observed {
  at: string;
  drafts: FactDraft[];
}

/** How a memory was understood, or how far that has come. */
export interface Processing {
  /**
   * `queued`: the workers will do it. `failed`: they gave up; the memory is stored all the same. `skipped`, in the answer
   * to a request alone: nothing was stored, `duplicate_of` says it already.
   */
  status: "done" | "queued" | "failed" | "skipped";
  /** Who read the content; absent where nobody was to, or has yet. */
  provider?: string;
  model?: string;
  /** A model was asked and the built-in rules had to answer, be it once. */
  fallback?: boolean;
  /** What the workers do it under. */
  job_id?: string;
  duplicate_of?: string;
}

/** What compressing the content gains, in o200k_base tokens. */
export interface CompressionSummary {
  original_tokens: number;
  compressed_tokens: number;
  reduction_percentage: number;
}

/** An agent that a memory is shared with. */
export interface Share {
  agent_id: string;
  access_type: SharedAccess;
  /** ISO */
  shared_at: string;
  /** ISO; from that instant on the agent sees the memory no more. */
  expires_at?: string;
  /** Principal that shared it. */
  shared_by: string;
}

/** Whom and what else a memory is about, by names that clients give; they open and close nothing. */
export interface Labels {
  agent?: string;
  app?: string;
  run?: string;
}

/** A memory as it is now. `version` counts what clients see change, `revision` every write but a move between tiers. */
export interface Memory {
  id: string;
  org: string;
  /** Empty where `content_missing`. */
  content: string;
  /** Its blob is missing or damaged. */
  content_missing?: true;
  user_id?: string;
  category?: string;
  /** All of them, where it was stored with several; `category` is the first. */
  categories?: string[];
  type?: string;
  labels?: Labels;
  metadata: JsonObject;
  expire_at?: string;
  /** ISO with its offset; when it happened or was said. Absent where nobody gave it: when it was created. */
  occurred_at?: string;
  created_at: string;
  updated_at: string;
  created_by: string;
  /** Agent that the key was made for by which it was stored. */
  agent_id?: string;
  /** One an agent; may name some whose time is up. */
  shares?: Share[];
  entities: EntityReference[];
  facts: Fact[];
  /** The records of its statements that count. Absent where nobody looked for any. */
  observations?: FactReference[];
  /** The statements that were just read from its content, which are to be stored; not part of its record. */
  observed?: Observed;
  compression: CompressionSummary;
  processing: Processing;
  /** It was stored as the only one of its content, and is for as long as it lives and the content stays. */
  is_claimant?: true;
  /** The time that its claim is of: the same words of another time are another statement. See `timeSaidOf`. */
  said_of?: string;
  /** How often it was said again and not stored again, and when last; ISO. */
  repeats?: number;
  repeated_at?: string;
  processing_ms: number;
  /** `working` from each change on; the sweep moves it from there. */
  tier: Tier;
  version: number;
  revision: number;
  /** The version, if any, that was last made by restoring an older one. */
  restored_version?: number;
  feedback_count: number;
  feedback_sum: number;
}

/** What a memory was at one version. */
export interface MemoryVersion {
  version: number;
  /** Empty where `content_missing`. */
  content: string;
  /** Its blob is missing or damaged. */
  content_missing?: true;
  metadata: JsonObject;
  occurred_at?: string;
  created_at: string;
  /** Names of the fields that this version changed; `created` for the first. */
  changes: string[];
  reason?: string;
}

export interface Feedback {
  id: string;
  memory_id: string;
  /** 1 (useless) to 5 (just right). */
  rating: number;
  comment?: string;
  category?: string;
  created_at: string;
  created_by: string;
}

/** An entity on its own: what memories of one organization mention under one name and type. */
export interface Entity {
  id: string;
  name: string;
  type: string;
}
