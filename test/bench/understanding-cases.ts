/** The understanding cases in ../shared/bench, and how an answer is compared with one. */
import { existsSync, readFileSync } from "node:fs";

const FOLDER = new URL("../../../shared/bench/understanding/", import.meta.url);

/** Reason to skip the measurement. */
export const NO_CASES = "no cases in ../shared/bench/understanding";

/** Groups of alternatives ("a|b"); a text matches if it contains one alternative of each group, in any case. */
export type Groups = string[];

export interface ExtractionCase {
  id: string;
  /** `lang` for a text in a language other than English. */
  kind: string;
  content: string;
  /** ISO time when it was said. */
  at: string;
  speaker: string | null;
  facts: { all: Groups; cat: string | null }[];
  entities: [name: string, type: string][];
  dates: string[];
  /** Groups that no fact may match. */
  forbid: Groups[];
}

export interface DuplicateCase {
  id: string;
  a: string;
  b: string;
  same: boolean;
}

export interface TruthCase {
  id: string;
  /** Days, and what was said on each. */
  say: [day: string, text: string][];
  ask: string[];
  current: string;
  stale: string;
}

export interface CompressionCase {
  id: string;
  text: string;
  facts: Groups[];
}

export interface Cases {
  extraction: ExtractionCase[];
  duplicates: DuplicateCase[];
  truths: TruthCase[];
  compression: CompressionCase[];
}

/** Returns all cases; undefined if there are none. */
export function readCases(): Cases | undefined {
  if (!existsSync(FOLDER)) return undefined;
  const offsite = readFileSync(new URL("offsite.txt", FOLDER), "utf8");
  return {
    extraction: read("extraction_cases.json"),
    duplicates: read("dedup_cases.json"),
    truths: read("truth_cases.json"),
    compression: read<CompressionCase[]>("compression_cases.json").map((each) =>
      each.text === "@offsite" ? { ...each, text: offsite } : each,
    ),
  };
}

function read<Content>(name: string): Content {
  return JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"));
}

export function holdsGroups(text: string, groups: Groups): boolean {
  const lower = text.toLowerCase();
  return groups.every((group) =>
    group
      .toLowerCase()
      .split("|")
      .some((word) => lower.includes(word)),
  );
}

/** Whether a text is in English, according to its case. */
export function isEnglish({ kind }: Pick<ExtractionCase, "kind">): boolean {
  return kind !== "lang";
}
