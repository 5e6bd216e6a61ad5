import * as z from "zod";
import type { DateAnnotation } from "../dates/schema.ts";
import type { SaidBy } from "./said-by.ts";

export const ENTITY_TYPES = ["person", "organization", "place", "date", "product", "other"] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];

export const FACT_CATEGORIES = ["preference", "event", "plan", "relationship", "attribute", "other"] as const;
export type FactCategory = (typeof FACT_CATEGORIES)[number];

/** Most a memory may carry, whichever provider read it. */
export const MAX_ENTITIES = 40;
export const MAX_FACTS = 60;
/** Most a fact may carry. */
export const MAX_DATES = 20;

const MAX_NAME_CHARACTERS = 120;
export const MAX_FACT_CHARACTERS = 500;

/** Models drift from a closed list now and then; an unknown word means "other", it is no reason to ask again. */
export const EntitySchema = z.object({
  name: z.string().trim().min(1).max(MAX_NAME_CHARACTERS),
  type: z.enum(ENTITY_TYPES).catch("other"),
  aliases: z.array(z.string().trim().min(1).max(MAX_NAME_CHARACTERS)).default([]),
});
export type ExtractedEntity = z.infer<typeof EntitySchema>;

/** How a fact stands to a memory that is there already: it says the same, adds to it or changes it, or denies it. */
export const RELATIONS = ["new", "same", "update", "contradiction"] as const;
export type Relation = (typeof RELATIONS)[number];

export const FactSchema = z.object({
  content: z.string().trim().min(1).max(MAX_FACT_CHARACTERS),
  confidence: z.number().min(0).max(1),
  category: z.enum(FACT_CATEGORIES).catch("other"),
});
/** A statement, with the dates that its words name. */
export type ExtractedFact = z.infer<typeof FactSchema> & {
  dates?: DateAnnotation[];
  /** Known of a text of turns. */
  said_by?: SaidBy;
  /** Absent of a fact that is new, as far as is known. */
  relation?: Exclude<Relation, "new">;
  /** The memory that it relates to. */
  related_memory_id?: string;
  /** Of the organization's own categories those that fit. */
  categories?: string[];
};

const ReadFactSchema = FactSchema.extend({
  relation: z.enum(RELATIONS).optional().catch(undefined),
  /** Number of the memory that it relates to, from 1. */
  memory: z.int().optional().catch(undefined),
  categories: z.array(z.string()).optional().catch(undefined),
});
export type ReadFact = z.infer<typeof ReadFactSchema> & Pick<ExtractedFact, "dates" | "said_by">;

/** Facts come first: what is cut off of an answer is its end. */
export const FindingsSchema = z.object({
  facts: z.array(ReadFactSchema),
  entities: z.array(EntitySchema).default([]),
  /** Numbers of the lines, from 1, that the wishes exclude. */
  excluded_lines: z.array(z.int()).optional().catch(undefined),
});
/** What one reading of a text found. */
export type Findings = z.infer<typeof FindingsSchema>;

export const VerdictsSchema = z.object({
  verdicts: z.array(
    z.object({ fact: z.number().int().min(0), supported: z.boolean(), confidence: z.number().min(0).max(1) }),
  ),
});
/** `fact` is the place of a statement in the list that was asked about. */
export type Verdicts = z.infer<typeof VerdictsSchema>;

/** Why a sentence is not kept. */
export const OMISSIONS = [
  "question",
  "small_talk",
  "request",
  "hypothetical",
  "irony",
  "repetition",
  "not_prose",
  "excluded",
  "not_included",
] as const;
export type OmissionReason = (typeof OMISSIONS)[number];

export interface Omission {
  text: string;
  reason: OmissionReason;
}
