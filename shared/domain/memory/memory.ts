import type * as z from "zod";
import type { FactDraft } from "../../language/slots/fact.ts";
import type * as schema from "../../runtime/schemas/provenance.ts";
import type { Sent } from "./admit-text.ts";
import type { CarriedDecision } from "./facts/decisions.ts";
import type { SharedAccess } from "./visibility.ts";
import type * as wire from "./wire.ts";

/** An entity of a memory. An explicitly linked one has a relation; a mentioned one does not. */
export type EntityReference = z.infer<typeof wire.EntityReference>;

/** A statement of a memory as a fact record (shared/domain/memory/facts), with its slot. */
export interface FactReference {
  id: string;
  slot: string;
  /** Somebody made a decision about it. */
  is_decided?: true;
  /** It states a plan. */
  is_plan?: true;
  /** It is a guess: see FactDraft. */
  is_guess?: true;
  /** Of the fact's record; absent before version 8 of items. */
  confidence?: number;
  /** What the fact's own record says, so that reading the memory reads its facts: see `repeating`. */
  stated?: StatedFact;
}

/** What a statement says, and when. Its words and provenance are the memory's; also `created_at`, if it is absent. */
export interface StatedFact extends FactDraft {
  observed_at: string;
  created_at?: string;
}

/** The statements of a text, and when it was said (ISO 8601, with its offset if known). */
export interface Observed {
  at: string;
  drafts: FactDraft[];
  /** BY_LANGUAGE_MODEL if a language model read them, so that no other model reads the text. */
  reader?: string;
  /** Decisions of an imported row. */
  decisions?: CarriedDecision[];
}

/** The savings of compression in o200k_base tokens. */
export type CompressionSummary = z.infer<typeof wire.Memory>["compression"];

/** An agent that a memory is shared with. */
export interface Share {
  agent_id: string;
  access_type: SharedAccess;
  shared_at: string;
  /** ISO 8601; when the share ends. */
  expires_at?: string;
  /** The principal that shared it. */
  shared_by: string;
}

/** Client-side names of the agent, app and run of a memory; they grant no access. */
export interface Labels {
  agent?: string;
  app?: string;
  run?: string;
}

/** Who stored a memory or fact first, by which door, and from what. */
export type Provenance = z.infer<typeof schema.Provenance>;
/** The parts of a provenance that a door knows; the context knows the others. */
export type Origin = Pick<Provenance, "door" | "derived_from">;
/** Who wrote words, and by which door. */
export type Writer = Omit<Provenance, "derived_from">;

/** The current memory. `version` counts changes for clients, `revision` every write except moves between tiers. */
export interface Memory extends Omit<z.infer<typeof wire.Memory>, "occurred_at" | "planned"> {
  org: string;
  /** All categories, if there are several; `category` is the first. */
  categories?: string[];
  labels?: Labels;
  /** ISO 8601 with its offset; when it happened or was said, if that was given. */
  occurred_at?: string;
  created_by: string;
  /** The agent whose key stored it. */
  agent_id?: string;
  /** Who wrote its content, if that is not the first one. */
  reworded?: Writer;
  /** It was not by the user when it was stored, whatever its metadata say since. */
  is_foreign?: true;
  /** One per agent; may include expired ones. */
  shares?: Share[];
  /** The fact records of its statements. Absent if none were extracted yet. */
  observations?: FactReference[];
  /** The version of the rules by which its facts were read: see FACTS_FORMAT. Absent before 2. */
  facts_format?: number;
  /** The id of the model that has read it, after the rules. Absent if none has. */
  facts_reader?: string;
  /** What the placeholders of its content and metadata stand for; no answer has it: see secret-exposure.ts. */
  sent?: Sent | undefined;
  /** New statements to store; not part of its record. */
  observed?: Observed;
  /** Whether it owns its content, for as long as it lives and the content is unchanged. */
  is_claimant?: true;
  /** The id of the memory with the piece of the same message before it, which a model reads as context. */
  follows?: string;
  /** The event time of its claim: the same words at another time are another statement. See `timeSaidOf`. */
  said_of?: string;
  processing_ms: number;
  revision: number;
  /** The latest version that restored an older one, if any. */
  restored_version?: number;
  feedback_count: number;
  feedback_sum: number;
}

/** What a change sets and each version keeps, so that a restore brings back all of it. The expiry is in no version. */
export const VERSIONED = ["content", "metadata", "sent", "occurred_at"] as const satisfies (keyof Memory)[];
export type Versioned = Pick<Memory, (typeof VERSIONED)[number]>;

export interface MemoryVersion extends Versioned, Pick<Memory, "version" | "content_missing" | "created_at"> {
  /** Names of the fields that this version changed; `created` for the first. */
  changes: string[];
  /** The key or user whose request made it. */
  changed_by: string;
  reason?: string;
}

export interface Feedback extends z.infer<typeof wire.Feedback> {
  created_by: string;
}

/** An entity that an organization's memories mention under one name and type. */
export type Entity = Pick<EntityReference, "id" | "name" | "type">;
