import { DAY_MS } from "../../shared/kernel/durations.ts";
import { analyse } from "../../shared/kernel/text/text.ts";
import type { Query } from "../../shared/language/questions/query.ts";
import type { Json } from "../../shared/ports/json.ts";
import type { SearchSource } from "../../shared/ports/search-index.ts";
import { timeOf } from "./search.ts";

/** Boosts by field; see `isBoostable`. */
export type Boosts = Record<string, number>;

export const MAX_BOOST = 10;
/** Maximum number of the query's words that are looked for in a field. */
const MAX_TERMS = 64;
/** Age in milliseconds at which recency is halved. */
const RECENCY_HALF_LIFE_MS = 30 * DAY_MS;

const TEXT_FIELDS = ["content", "category", "type", "user_id"] as const;
const DATE_FIELDS = ["created_at", "occurred_at", "updated_at"] as const;
const METADATA_PREFIX = "metadata.";

/** Boostable fields, for messages. */
export const BOOSTABLE = [...TEXT_FIELDS, ...DATE_FIELDS, `${METADATA_PREFIX}<path>`].join(", ");

export function isBoostable(field: string): boolean {
  return isIn(TEXT_FIELDS, field) || isIn(DATE_FIELDS, field) || pathOf(field) !== undefined;
}

/**
 * Applies boosts to a score: it is multiplied by 1 + (boost - 1) * match per field. Match is the share of the query's
 * words in the field or, for a date, its recency: 1 at `now`, halved every 30 days in both directions. A boost of 1
 * changes nothing; one below 1 lowers matches.
 */
export function booster(boosts: Boosts, query: Query, now: number): (score: number, document: SearchSource) => number {
  const terms = [...query.terms].slice(0, MAX_TERMS);
  const factors = Object.entries(boosts);
  return (score, document) =>
    factors.reduce((product, [field, boost]) => {
      const match = isIn(DATE_FIELDS, field)
        ? recencyOf(timeOf(document, field), now)
        : shareOfTerms(terms, textOf(document, field));
      return product * (1 + (boost - 1) * match);
    }, score);
}

function recencyOf(moment: number, now: number): number {
  return 2 ** (-Math.abs(now - moment) / RECENCY_HALF_LIFE_MS);
}

function shareOfTerms(terms: string[], text: string): number {
  if (terms.length === 0) return 0;
  const textTerms = new Set(analyse(text));
  return terms.filter((term) => textTerms.has(term)).length / terms.length;
}

function textOf(document: SearchSource, field: string): string {
  if (isIn(TEXT_FIELDS, field)) return document[field] ?? "";
  return wordsAt(document.metadata, pathOf(field)?.split(".") ?? []);
}

/** All scalars at a metadata path, including array members, as one text. */
function wordsAt(value: Json | undefined, path: string[]): string {
  if (Array.isArray(value)) return value.map((member) => wordsAt(member, path)).join(" ");
  const [name, ...rest] = path;
  if (typeof value === "object" && value !== null) return name === undefined ? "" : wordsAt(value[name], rest);
  return name === undefined ? String(value ?? "") : "";
}

function pathOf(field: string): string | undefined {
  return field.startsWith(METADATA_PREFIX) && field.length > METADATA_PREFIX.length
    ? field.slice(METADATA_PREFIX.length)
    : undefined;
}

function isIn<Name extends string>(names: readonly Name[], field: string): field is Name {
  return (names as readonly string[]).includes(field);
}
