import { sha256 } from "../../kernel/digest.ts";
import { derivedId } from "../../kernel/ids.ts";
import { fromItem, toItem } from "../../ports/item.ts";
import type { RecordKey, RecordQuery, Write } from "../../ports/record-store.ts";
import type { RecordReader } from "../memory/records.ts";
import type { FoundPattern } from "./pattern.ts";

const PATTERN_KIND = "pattern";

/** Reads the records of an organization. */
type OrgRecords = Pick<RecordReader, "ports" | "org">;

/** A stored pattern: one record per user and key, so that finding it again replaces it. */
export interface Pattern extends Omit<FoundPattern, "key"> {
  id: string;
  org: string;
  user_id: string;
  /** ISO instant of its first discovery. */
  created_at: string;
  updated_at: string;
  /** ISO instant since when somebody declines it. */
  declined_at?: string;
  declined_by?: string;
  /** Increases with each change of what it says, and with each decision. */
  version: number;
}

/** Maximum patterns of a user, with the declined ones. */
export const MAX_PATTERNS = 200;

const patternsOfUser = (org: string, user: string): string => `${org}#patterns#${user}`;

const patternKey = ({ org, user_id, id }: Pick<Pattern, "org" | "user_id" | "id">): RecordKey => ({
  pk: patternsOfUser(org, user_id),
  sk: id,
});

/** Query for all patterns of a user, with the declined ones. */
export function patternsQuery(org: string, user: string): Pick<RecordQuery, "pk"> {
  return { pk: patternsOfUser(org, user) };
}

/** The same pattern of a user has the same id whenever it is found. */
export function patternId(org: string, user: string, key: string): string {
  return derivedId("pattern", sha256(JSON.stringify([org, user, key])));
}

export function putPattern(pattern: Pattern, before: Pattern | undefined): Write {
  const { org, id, user_id } = pattern;
  const index = { gsi3pk: `${org}#${id}`, gsi3sk: user_id };
  return {
    put: toItem(patternKey(pattern), PATTERN_KIND, pattern, index),
    condition: before === undefined ? "absent" : { version: before.version },
  };
}

export function removePattern(pattern: Pattern): Write {
  return { delete: patternKey(pattern), condition: { version: pattern.version } };
}

/** Returns the patterns of a user as stored, with the declined ones. One round trip. */
export async function storedPatterns({ ports, org }: OrgRecords, user: string): Promise<Pattern[]> {
  const { items } = await ports.records.query({ ...patternsQuery(org, user), limit: MAX_PATTERNS });
  return items.map(fromItem<Pattern>);
}

/** Returns a pattern by its id alone. */
export async function findStoredPattern({ ports, org }: OrgRecords, id: string): Promise<Pattern | undefined> {
  const { items } = await ports.records.query({ index: "gsi3", pk: `${org}#${id}`, limit: 1 });
  const [found] = items;
  const record = found && (await ports.records.get({ pk: found.pk, sk: found.sk }));
  return record && fromItem<Pattern>(record);
}

// ---------------------------------------------------------------- the last reading

/** When the patterns of a user were found last, and in how many memories. */
export interface LastReading {
  /** ISO instant of its start: memories stored before it were read. */
  read_at: string;
  memories: number;
  observed?: LastObserving;
}

/** The last answer of a language model about a user's memories, with its cost. */
export interface LastObserving {
  /** ISO instant. */
  at: string;
  /** The number of memories that the model was shown. */
  memories: number;
  provider: string;
  model: string;
  /** What was stored, and what was dropped because its evidence was missing or somebody declined it. */
  kept: number;
  dropped: number;
  input_tokens: number;
  output_tokens: number;
  /** In US dollars, at the price in the deployment's settings. */
  cost_usd: number;
  /** Why there is no usable answer. */
  failure?: string;
}

const READING_KIND = "pattern_reading";

const readingKey = (org: string, user: string): RecordKey => ({ pk: `${org}#pattern-reading#${user}`, sk: "reading" });

export function putReading(org: string, user: string, reading: LastReading): Write {
  return { put: toItem(readingKey(org, user), READING_KIND, { org, user_id: user, ...reading }) };
}

export function removeReading(org: string, user: string): Write {
  return { delete: readingKey(org, user) };
}

export async function lastReading({ ports, org }: OrgRecords, user: string): Promise<LastReading | undefined> {
  const record = await ports.records.get(readingKey(org, user));
  return record && fromItem<LastReading>(record);
}
