import { sha256 } from "../kernel/digest.ts";
import { derivedId } from "../kernel/ids.ts";
import type { FactReference, Memory } from "../memory/memory.ts";
import { fromItem, toItem } from "../platform/item.ts";
import type { RecordKey, RecordQuery, RecordStore, StoredRecord, Write } from "../platform/ports.ts";
import type { FactDraft, Observation } from "./fact.ts";
import { slotKey } from "./slot-key.ts";

/**
 * One record a fact, in the memory's item collection, so that it goes with the memory. It counts for as long as the memory
 * is there and names it (`FactReference`); its index holds the facts of an organization by user, slot and time.
 */
export const FACT_KIND = "fact";

/** What people decide about a fact. */
export const DECISIONS = ["corrected", "retracted", "restored"] as const;

/** The parts of a fact that people correct. */
export const CORRECTABLE = ["subject", "attribute", "value", "valid_from", "valid_to"] as const;
export type Correctable = Pick<FactDraft, (typeof CORRECTABLE)[number]>;

/** What somebody decided about a fact, and when. */
export interface Decision {
  action: (typeof DECISIONS)[number];
  /** Principal. */
  by: string;
  /** ISO */
  at: string;
  /** What a correction changed, as it was before. */
  before?: Partial<Correctable>;
}

/** An observation as its record has it. */
export interface StoredFact extends Observation {
  org: string;
  user_id?: string;
  /** The words of the memory that state it. */
  content: string;
  /** Oldest first. */
  decisions?: Decision[];
  /** ISO; when it was read. */
  created_at: string;
  /** Counts what people decided. */
  version: number;
}

/** Most facts of a memory. */
const MAX_FACTS = 60;
/** Of one transaction. */
const MAX_WRITES = 100;
export const MAX_NAME_LENGTH = 100;
export const MAX_VALUE_LENGTH = 1000;
/** UTF-8 bytes of the parts of the index's key, which DynamoDB allows 1024. */
const MAX_USER_BYTES = 256;
const MAX_SLOT_BYTES = 640;

const SORT_KEY = "fact#";

export const factKey = (org: string, memory_id: string, id: string): RecordKey => ({
  pk: `${org}#${memory_id}`,
  sk: SORT_KEY + id,
});

const isFactKey = ({ sk }: RecordKey): boolean => sk.startsWith(SORT_KEY);

/** The facts that a memory has stated, whether it still does or not. */
export function statedIn(org: string, memory_id: string): Omit<RecordQuery, "limit"> {
  return { pk: factKey(org, memory_id, "").pk, sk: { beginsWith: SORT_KEY } };
}

/** All facts of an organization, by user, slot and time. */
const factsOf = (org: string): string => `${org}#facts`;

/** Where a fact is found by its id alone. */
const placeOf = (org: string, id: string): string => `${org}#${id}`;

/** The slot of a fact: those of one user's slot are placed among each other. */
export function slotOf({ subject, attribute }: Pick<FactDraft, "subject" | "attribute">): string {
  return slotKey(subject, attribute);
}

/** A part of the index's key; one that is too long for it is digested. */
function keyPart(text: string, maxBytes: number): string {
  const part = text.replaceAll("%", "%25").replaceAll("#", "%23");
  return Buffer.byteLength(part) <= maxBytes ? part : `%${sha256(part)}`;
}

const userPart = (user = ""): string => keyPart(user, MAX_USER_BYTES);
const slotPart = (slot: string): string => keyPart(slot, MAX_SLOT_BYTES);

/** The facts of one slot, in the order of their time; of a user whose memories they are, or of nobody's memories. */
export function inSlot(org: string, user: string | undefined, slot: string): Omit<RecordQuery, "limit"> {
  return withinIndex(org, `${userPart(user)}#${slotPart(slot)}#`);
}

/** The facts whose slots begin so: slot by slot, each in the order of its time. Of everybody where no user is named. */
export function inSlotsFrom(org: string, user: string | undefined, beginning = ""): Omit<RecordQuery, "limit"> {
  return withinIndex(org, user === undefined ? "" : `${userPart(user)}#${slotPart(beginning)}`);
}

function withinIndex(org: string, beginsWith: string): Omit<RecordQuery, "limit"> {
  return { index: "gsi1", pk: factsOf(org), ...(beginsWith !== "" && { sk: { beginsWith } }) };
}

/** The record of one fact, by its id; it holds keys alone. */
export function byFactId(org: string, id: string): Omit<RecordQuery, "limit"> {
  return { index: "gsi3", pk: placeOf(org, id) };
}

/** Where a fact stands in the index. */
function placeInIndex(fact: Pick<StoredFact, "org" | "id" | "user_id" | "observed_at" | "subject" | "attribute">) {
  const moment = new Date(fact.observed_at).toISOString();
  return {
    gsi1pk: factsOf(fact.org),
    gsi1sk: `${userPart(fact.user_id)}#${slotPart(slotOf(fact))}#${moment}#${fact.id}`,
  };
}

export function toStoredFact(record: StoredRecord): StoredFact {
  return fromItem<StoredFact>(record);
}

export function putFact(fact: StoredFact): Extract<Write, { put: unknown }> {
  return {
    put: toItem(factKey(fact.org, fact.memory_id, fact.id), FACT_KIND, fact, {
      ...placeInIndex(fact),
      gsi3pk: placeOf(fact.org, fact.id),
      gsi3sk: fact.memory_id,
    }),
  };
}

// ---------------------------------------------------------------- facts of a memory

/** What a memory names of its facts, and the writes that make it so. */
interface FactsChange {
  references: FactReference[] | undefined;
  writes: Write[];
}

/**
 * The facts of a memory after they were read from it (`observed`), the most confident ones; as they were where nothing was
 * read. A fact that is there already is not written again, so what people decided about it stays.
 */
export function changeFacts(before: Memory | undefined, after: Memory): FactsChange {
  if (after.observed === undefined) return { references: after.observations, writes: [] };
  const read = factsReadFrom(after).sort((one, other) => other.confidence - one.confidence);
  const facts = read.slice(0, MAX_FACTS);
  const ids = new Set(facts.map(({ id }) => id));
  const former = before?.observations ?? [];
  const known = new Set(former.map(({ id }) => id));
  const added = facts.filter(({ id }) => !known.has(id));
  const gone = former.filter(({ id }) => !ids.has(id));
  return {
    references: [
      ...former.filter(({ id }) => ids.has(id)),
      ...added.map((fact) => ({ id: fact.id, slot: slotOf(fact) })),
    ],
    writes: [...added.map(putFact), ...gone.map(({ id }): Write => ({ delete: factKey(after.org, after.id, id) }))],
  };
}

/**
 * The writes of a memory in two, where they are too many for one transaction: new facts that go ahead, which count once
 * the memory names them; and all others, but for facts that it no longer names, which a clean-up removes.
 */
export function splitWrites(writes: Write[], most = MAX_WRITES): { ahead: Write[]; together: Write[] } {
  let surplus = writes.length - most;
  const left = writes.filter((write) => !("delete" in write && isFactKey(write.delete) && surplus-- > 0));
  const ahead = left.filter((write) => "put" in write && write.put.kind === FACT_KIND && surplus-- > 0);
  return { ahead, together: left.filter((write) => !ahead.includes(write)) };
}

/** Writes a memory and what belongs to it, so that readers find all of it or nothing. Throws as `RecordStore.write`. */
export async function writeWithFacts(records: RecordStore, ...writes: Write[]): Promise<void> {
  const { ahead, together } = splitWrites(writes);
  if (ahead.length > 0) await records.write(...ahead);
  await records.write(...together);
}

/** Each fact once. Its id follows from what it says, so that the same text read again gives the same facts. */
function factsReadFrom(memory: Memory): StoredFact[] {
  const { org, id: memory_id, user_id, content, observed, updated_at: created_at } = memory;
  if (observed === undefined) return [];
  const observed_at = observed.at;
  const owner = user_id === undefined ? {} : { user_id };
  const facts = observed.drafts.filter(isStorable).map((draft): StoredFact => {
    const id = derivedId("fact", sha256(JSON.stringify([org, memory_id, observed_at, identityOf(draft)])));
    const words = content.slice(draft.span.start, draft.span.end).toWellFormed();
    return { ...draft, id, org, memory_id, ...owner, observed_at, content: words, created_at, version: 1 };
  });
  return [...new Map(facts.map((fact) => [fact.id, fact])).values()];
}

const identityOf = ({
  subject,
  attribute,
  cardinality,
  value,
  act,
  replaces,
  span,
  valid_from,
  valid_to,
}: FactDraft) => [
  ...[subject, attribute, cardinality, value, act, replaces ?? null, span.start, span.end],
  ...[valid_from ?? null, valid_to ?? null],
];

function isStorable({ subject, attribute, value, valid_from, valid_to }: FactDraft): boolean {
  const isDated = [valid_from, valid_to].every((date) => date === undefined || !Number.isNaN(Date.parse(date)));
  const fits = subject.length <= MAX_NAME_LENGTH && attribute.length <= MAX_NAME_LENGTH;
  return isDated && fits && value.length <= MAX_VALUE_LENGTH;
}
