import * as z from "zod";
import type { DateAnnotation } from "../dates/schema.ts";
import type { FactDraft } from "../slots/fact.ts";
import type { SaidBy } from "./said-by.ts";

export const ENTITY_TYPES = ["person", "organization", "place", "date", "product", "other"] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];

export const FACT_CATEGORIES = ["preference", "event", "plan", "relationship", "attribute", "other"] as const;
export type FactCategory = (typeof FACT_CATEGORIES)[number];

/** Limits of a memory's results from any provider. */
export const MAX_ENTITIES = 40;
export const MAX_FACTS = 60;
/** Limit of a fact's dates. */
export const MAX_DATES = 20;

const MAX_NAME_CHARACTERS = 120;
export const MAX_FACT_CHARACTERS = 500;

/** Models sometimes answer a value outside a closed list. It becomes "other", so that the model is not asked again. */
export const EntitySchema = z.object({
  name: z.string().trim().min(1).max(MAX_NAME_CHARACTERS),
  type: z.enum(ENTITY_TYPES).catch("other"),
  aliases: z.array(z.string().trim().min(1).max(MAX_NAME_CHARACTERS)).default([]),
});
export type ExtractedEntity = z.infer<typeof EntitySchema>;

/** The relation of a fact to an existing memory: equal, an addition or change, or a denial. */
export const RELATIONS = ["new", "same", "update", "contradiction"] as const;

export const FactSchema = z.object({
  content: z.string().trim().min(1).max(MAX_FACT_CHARACTERS),
  confidence: z.number().min(0).max(1),
  category: z.enum(FACT_CATEGORIES).catch("other"),
});
/** A statement with its dates. */
export type ExtractedFact = z.infer<typeof FactSchema> & {
  dates?: DateAnnotation[];
  /** Known for a text with turns. */
  said_by?: SaidBy;
  /** Absent for a new fact. */
  relation?: Exclude<(typeof RELATIONS)[number], "new">;
  related_memory_id?: string;
  /** The organization's categories that fit. */
  categories?: string[];
  /** The words of the message that state it, as sent, if a language model wrote the content and quoted them. */
  quote?: string;
  /** What the model read in these words by slot; absent if it quoted nothing. */
  drafts?: FactDraft[];
};

/** Kinds of statements; those after `instruction` are no facts. */
export const WRITTEN_KINDS = [
  ...["state", "event", "habit", "preference", "plan", "instruction"],
  ...["request", "hypothetical", "hearsay", "joke", "talk"],
] as const;
const WRITTEN_STATES = ["current", "past", "planned", "ended", "cancelled"] as const;

const MAX_QUOTE_CHARACTERS = 1_000;
const MAX_VALUE_CHARACTERS = 300;
const shortText = z.string().trim().min(1).max(MAX_VALUE_CHARACTERS).optional().catch(undefined);

/** A fact in the form of a record, as a model writes it; parts that do not fit are ignored. */
export const WrittenFact = z.object({
  quote: z.string().trim().min(1).max(MAX_QUOTE_CHARACTERS).optional().catch(undefined),
  subject: shortText,
  attribute: shortText,
  value: shortText,
  polarity: z.enum(["yes", "no"]).optional().catch(undefined),
  kind: z.enum(WRITTEN_KINDS).optional().catch(undefined),
  holds: z.enum(WRITTEN_STATES).optional().catch(undefined),
  from: z.string().optional().catch(undefined),
  to: z.string().optional().catch(undefined),
  replaces: shortText,
  ends: z.array(z.int()).optional().catch(undefined),
});
export type WrittenFact = z.infer<typeof WrittenFact>;

const ReadFactSchema = FactSchema.extend({
  ...WrittenFact.shape,
  relation: z.enum(RELATIONS).optional().catch(undefined),
  /** Number of the related memory, from 1. */
  memory: z.int().optional().catch(undefined),
  categories: z.array(z.string()).optional().catch(undefined),
});
export type ReadFact = z.infer<typeof ReadFactSchema> & Pick<ExtractedFact, "dates" | "said_by" | "drafts">;

/** Facts come first, because a truncated answer loses its end. */
export const FindingsSchema = z.object({
  facts: z.array(ReadFactSchema),
  entities: z.array(EntitySchema).default([]),
  /** Numbers of the lines, from 1, that the instructions exclude. */
  excluded_lines: z.array(z.int()).optional().catch(undefined),
});
/** The result of one reading. */
export type Findings = z.infer<typeof FindingsSchema>;

export const VerdictsSchema = z.object({
  verdicts: z.array(
    z.object({ fact: z.number().int().min(0), supported: z.boolean(), confidence: z.number().min(0).max(1) }),
  ),
});
/** `fact` is the index of a statement in the request. */
export type Verdicts = z.infer<typeof VerdictsSchema>;

/** Why a sentence is dropped. */
export const OMISSIONS = [
  "question",
  "small_talk",
  "request",
  "hypothetical",
  "irony",
  "repetition",
  "not_prose",
  "recalled",
  "excluded",
  "not_included",
  "not_text",
  "unknown_field",
  "secret",
] as const;
export type OmissionReason = (typeof OMISSIONS)[number];

export interface Omission {
  text: string;
  reason: OmissionReason;
}
