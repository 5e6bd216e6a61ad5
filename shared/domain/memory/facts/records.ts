import { isDeepStrictEqual } from "node:util";
import { sha256 } from "../../../kernel/digest.ts";
import { derivedId } from "../../../kernel/ids.ts";
import { analyse, countShared } from "../../../kernel/text/text.ts";
import type { FactDraft, Observation } from "../../../language/slots/fact.ts";
import { slotKey } from "../../../language/slots/slot-key.ts";
import { fromItem, toItem } from "../../../ports/item.ts";
import type { RecordKey, RecordQuery, RecordStore, Write } from "../../../ports/record-store.ts";
import type { FactReference, Memory, Provenance } from "../memory.ts";
import { applyCarried, type Correction, type Decision, identityKey, identityOf } from "./decisions.ts";

/**
 * One record per fact, in the memory's item collection, so that it is deleted with the memory. It is valid while the
 * memory exists and references it (`FactReference`). Its index holds the facts of an organization by user, slot and
 * time.
 */
export const FACT_KIND = "fact";

/** A stored observation. */
export interface StoredFact extends Observation {
  org: string;
  user_id?: string;
  /** The words of the memory that state it. */
  content: string;
  /** Oldest first. */
  decisions?: Decision[];
  /** What the text says in the fields that were ever corrected; null for a date that the text does not name. */
  as_read?: Correction;
  /** Who wrote the words that state it, by which door, and the memory. */
  provenance: Provenance;
  /** ISO instant when it was read. */
  created_at: string;
  /** Increases with each decision. */
  version: number;
}

/** Maximum facts of a memory. */
export const MAX_FACTS = 60;
/** Maximum writes of a transaction. */
const MAX_WRITES = 100;
export const MAX_NAME_LENGTH = 100;
export const MAX_VALUE_LENGTH = 1000;
/** Maximum UTF-8 bytes of the parts of the index key, which DynamoDB limits to 1024. */
const MAX_USER_BYTES = 256;
const MAX_SLOT_BYTES = 640;

const SORT_KEY = "fact#";

export const factKey = (org: string, memory_id: string, id: string): RecordKey => ({
  pk: `${org}#${memory_id}`,
  sk: SORT_KEY + id,
});

const isFactKey = ({ sk }: RecordKey): boolean => sk.startsWith(SORT_KEY);

/** Partition of all facts of an organization, by user, slot and time. */
const factsOf = (org: string): string => `${org}#facts`;

/** Key by which a fact is found by its id alone. */
const idPartition = (org: string, id: string): string => `${org}#${id}`;

/** Returns the slot of a fact. The facts of a user's slot are evaluated together. */
export function slotOf({ subject, attribute }: Pick<FactDraft, "subject" | "attribute">): string {
  return slotKey(subject, attribute);
}

/** Returns the name of a fact's slot among those of all users. */
export function ownSlotOf(fact: Pick<StoredFact, "user_id" | "subject" | "attribute">): string {
  return JSON.stringify([fact.user_id, slotOf(fact)]);
}

/** Returns a part of the index key, hashed if it is too long. */
function keyPart(text: string, maxBytes: number): string {
  const part = text.replaceAll("%", "%25").replaceAll("#", "%23");
  return Buffer.byteLength(part) <= maxBytes ? part : `%${sha256(part)}`;
}

const userPart = (user = ""): string => keyPart(user, MAX_USER_BYTES);
const slotPart = (slot: string): string => keyPart(slot, MAX_SLOT_BYTES);

/** Query for the facts of one slot in order of time, in a user's memories or in memories without a user. */
export function inSlot(org: string, user: string | undefined, slot: string): Omit<RecordQuery, "limit"> {
  return withinIndex(org, `${userPart(user)}#${slotPart(slot)}#`);
}

/** Query for the facts, of one user or all, whose slots have this prefix: slot by slot, each in order of time. */
export function inSlotsFrom(org: string, user: string | undefined, beginning = ""): Omit<RecordQuery, "limit"> {
  return withinIndex(org, user === undefined ? "" : `${userPart(user)}#${slotPart(beginning)}`);
}

type Positioned = Pick<StoredFact, "id" | "user_id" | "observed_at" | "subject" | "attribute">;

/** Returns the position of a fact among those of the organization: by user, slot, time and id. */
export function positionOf(fact: Positioned): string {
  const moment = new Date(fact.observed_at).toISOString();
  return `${userPart(fact.user_id)}#${slotPart(slotOf(fact))}#${moment}#${fact.id}`;
}

/** Returns where the slot of a position begins; undefined for a text that is no position. */
export function slotStartOf(position: string): string | undefined {
  return /^[^#]*#[^#]*#(?=[^#]+#[^#]+$)/.exec(position)?.[0];
}

/** Whether a query for the facts of slots selects a position. */
export function selects({ sk }: Omit<RecordQuery, "limit">, position: string): boolean {
  return sk === undefined || !("beginsWith" in sk) || position.startsWith(sk.beginsWith);
}

/** Returns a query for the facts of slots without those before a position, which it selects. */
export function fromPosition(query: Omit<RecordQuery, "limit">, atLeast: string): Omit<RecordQuery, "limit"> {
  const beginning = query.sk !== undefined && "beginsWith" in query.sk ? query.sk.beginsWith : "";
  return { ...query, sk: { atLeast, atMost: beginning + LAST } };
}

/** Query for all facts of a user whose slots come at or after this one in the index, or after it. */
export function fromSlot(
  org: string,
  user: string,
  slot: string,
  { isAfter = false }: { isAfter?: boolean } = {},
): Omit<RecordQuery, "limit"> {
  const own = `${userPart(user)}#`;
  const atLeast = slot === "" ? own : `${own}${slotPart(slot)}#${isAfter ? AFTER_TIMES : ""}`;
  return { index: "gsi1", pk: factsOf(org), sk: { atLeast, atMost: own + LAST } };
}

/** Query for all facts of a user whose slots are between these two in the index, and in them. */
export function betweenSlots(org: string, user: string, [first, last]: [string, string]): Omit<RecordQuery, "limit"> {
  const own = `${userPart(user)}#`;
  const range = { atLeast: own + orderOfSlot(first), atMost: own + orderOfSlot(last) + AFTER_TIMES };
  return { index: "gsi1", pk: factsOf(org), sk: range };
}

/** Returns the text by whose bytes the index orders slots. */
export const orderOfSlot = (slot: string): string => `${slotPart(slot)}#`;

/** Sorts after every moment, and after every slot. */
const AFTER_TIMES = "~";
const LAST = "\u{10ffff}";

function withinIndex(org: string, beginsWith: string): Omit<RecordQuery, "limit"> {
  return { index: "gsi1", pk: factsOf(org), ...(beginsWith !== "" && { sk: { beginsWith } }) };
}

/** Query for the record of one fact by its id; the result contains only keys. */
export function byFactId(org: string, id: string): Omit<RecordQuery, "limit"> {
  return { index: "gsi3", pk: idPartition(org, id) };
}

/** Returns the index keys of a fact. */
function indexKeys(fact: Positioned & Pick<StoredFact, "org">) {
  return { gsi1pk: factsOf(fact.org), gsi1sk: positionOf(fact) };
}

export const toStoredFact = fromItem<StoredFact>;

/** Returns what the text says, without the corrections of people. */
export function withoutCorrections({ as_read = {}, ...fact }: StoredFact): FactDraft {
  const { subject, attribute, cardinality, value, act, replaces, confidence, is_guess, span } = fact;
  const { valid_from, valid_to } = fact;
  const read = {
    subject,
    attribute,
    cardinality,
    value,
    act,
    replaces,
    confidence,
    is_guess,
    span,
    valid_from,
    valid_to,
    ...as_read,
  };
  return Object.fromEntries(
    Object.entries(read).filter(([, value]) => value !== undefined && value !== null),
  ) as unknown as FactDraft;
}

export function putFact(fact: StoredFact): Extract<Write, { put: unknown }> {
  return {
    put: toItem(factKey(fact.org, fact.memory_id, fact.id), FACT_KIND, fact, {
      ...indexKeys(fact),
      gsi3pk: idPartition(fact.org, fact.id),
      gsi3sk: fact.memory_id,
    }),
  };
}

/** Returns the write of a changed fact, refused if it changed since it was read. Throws for a changed provenance. */
export function replaceFact(before: StoredFact, after: StoredFact): Write {
  if (!isDeepStrictEqual(before.provenance, after.provenance)) throw new Error("a fact keeps its provenance");
  return { ...putFact(after), condition: { version: before.version } };
}

// ---------------------------------------------------------------- facts of a memory

/**
 * Returns the references and writes for the facts that were read from a memory (`observed`), limited to the most
 * confident ones. If nothing was read, the references stay unchanged. An existing fact is written again only if nobody
 * decided about it, and it has another confidence than its reference tells, or became a guess or a fact.
 */
export function changeFacts(
  before: Memory | undefined,
  after: Memory,
  { keepsDecided = false }: { /** Whether facts stay that people decided about. */ keepsDecided?: boolean } = {},
) {
  if (after.observed === undefined) {
    const isSame = before === undefined || (before.content === after.content && isOfSameWriter(before, after));
    return { references: isSame ? after.observations : after.observations?.map(notRepeating), writes: [] as Write[] };
  }
  const facts = mostConfident(factsReadFrom(after));
  const ids = new Set(facts.map(({ id }) => id));
  const former = before?.observations ?? [];
  const known = new Map(former.map((reference) => [reference.id, reference]));
  const added = facts.filter((fact) => {
    const reference = known.get(fact.id);
    return reference === undefined || isReadOtherwise(fact, reference);
  });
  const written = new Set(added.map(({ id }) => id));
  const isKept = ({ id, is_decided }: FactReference) => ids.has(id) || (keepsDecided && is_decided === true);
  const gone = former.filter((reference) => !isKept(reference));
  const isSameWriter = before === undefined || isOfSameWriter(before, after);
  const kept = former
    .filter((reference) => isKept(reference) && !written.has(reference.id))
    .map((reference) => (isSameWriter ? reference : notRepeating(reference)));
  return {
    references: repeating(after, [...kept, ...added.map(referenceTo)], added),
    writes: [...added.map(putFact), ...gone.map(({ id }): Write => ({ delete: factKey(after.org, after.id, id) }))],
  };
}

/** Whether a new reading is surer or less sure than the one before of a fact that nobody decided about. */
function isReadOtherwise(fact: StoredFact, { is_decided, is_guess, confidence }: FactReference): boolean {
  return is_decided !== true && (fact.confidence !== confidence || fact.is_guess !== (is_guess ?? false));
}

/** Returns a memory's reference to a fact. */
export function referenceTo(fact: StoredFact): Omit<FactReference, "stated"> {
  return {
    id: fact.id,
    slot: slotOf(fact),
    ...(fact.decisions !== undefined && { is_decided: true }),
    ...(fact.act === "plan" && { is_plan: true }),
    ...(fact.is_guess && { is_guess: true }),
    confidence: fact.confidence,
  };
}

/** Maximum facts that a memory repeats: with more, its record would be long for readers who need none. */
const MAX_REPEATED = 8;

/** Returns a memory's references with what new facts say, if there are few and nobody decided about them. */
function repeating(
  { created_at: stored_at }: Pick<Memory, "created_at">,
  references: FactReference[],
  added: StoredFact[],
): FactReference[] {
  if (references.length > MAX_REPEATED) return references.map(notRepeating);
  const byId = new Map(added.filter(({ decisions }) => decisions === undefined).map((fact) => [fact.id, fact]));
  return references.map((reference) => {
    const fact = byId.get(reference.id);
    if (fact === undefined) return reference;
    const { id: _, org, memory_id, user_id, content, version, provenance, created_at, ...said } = fact;
    return { ...reference, stated: { ...said, ...(created_at !== stored_at && { created_at }) } };
  });
}

function notRepeating({ stated: _, ...reference }: FactReference): FactReference {
  return reference;
}

/** The fields of a memory that facts are read from; `content` is absent if it is not in the memory's record. */
export type FactSourceRecord = Pick<Memory, "org" | "id" | "user_id" | "created_at"> &
  WrittenMemory & { content?: string | undefined };

/** Returns a fact that its memory repeats; undefined if it must be read from its own record. */
export function repeatedFact(memory: FactSourceRecord, { id, stated }: FactReference): StoredFact | undefined {
  const { org, id: memory_id, user_id, content } = memory;
  if (stated === undefined || content === undefined) return undefined;
  const words = content.slice(stated.span.start, stated.span.end).toWellFormed();
  const owner = user_id === undefined ? {} : { user_id };
  const provenance = provenanceOf(memory);
  return {
    created_at: memory.created_at,
    // Until version 8 of items, the confidence told a guess.
    is_guess: stated.confidence <= 0.4,
    ...stated,
    id,
    org,
    memory_id,
    ...owner,
    content: words,
    provenance,
    version: 1,
  };
}

/**
 * Splits the writes of a memory if they are too many for one transaction. `early` has new facts, which are valid once
 * the memory references them. `transaction` has the rest; surplus deletions of facts are left to a clean-up.
 */
export function splitWrites(writes: Write[], max = MAX_WRITES): { early: Write[]; transaction: Write[] } {
  let surplus = writes.length - max;
  const kept = writes.filter((write) => !("delete" in write && isFactKey(write.delete) && surplus-- > 0));
  const early = kept.filter((write) => "put" in write && write.put.kind === FACT_KIND && surplus-- > 0);
  return { early, transaction: kept.filter((write) => !early.includes(write)) };
}

/** Writes a memory and its facts, so that readers see all of it or nothing. Throws the errors of `RecordStore.write`. */
export async function writeWithFacts(records: RecordStore, ...writes: Write[]): Promise<void> {
  const { early, transaction } = splitWrites(writes);
  if (early.length > 0) await records.write(...early);
  await records.write(...transaction);
}

/** Increased by a release whose rules read other facts, so that the facts of all memories are read anew. */
export const FACTS_FORMAT = 2;

/** In place of a model's id: the memory was stored with `extract_facts: false`. */
export const NOT_TO_READ = "none";
/** In place of the id of a model that reads facts: a language model has read them. */
export const BY_LANGUAGE_MODEL = "language-model";

/** Returns the condition that a memory's facts were not read anew since it was read, which changes no revision. */
export function factsUnchanged({ facts_format, facts_reader }: Pick<Memory, "facts_format" | "facts_reader">) {
  return {
    facts_format: facts_format ?? { absent: true as const },
    facts_reader: facts_reader ?? { absent: true as const },
  };
}

/**
 * Returns a memory with new statements and, for each of its sentences, the ids of the facts that were read from it: from
 * the one that shares most terms with the words of the fact, and at least half of them.
 */
export function withFactIds(memory: Memory): Memory {
  if (memory.observed === undefined) return memory;
  const statements = memory.facts.map((fact) => ({ fact, terms: new Set(analyse(fact.content)), ids: [] as string[] }));
  const stated = mostConfident(factsReadFrom(memory)).filter(({ act }) => act !== "end" && act !== "cancel");
  for (const { id, content } of stated) {
    const terms = new Set(analyse(content));
    let best: (typeof statements)[number] | undefined;
    let most = terms.size / 2;
    for (const statement of statements) {
      const shared = countShared(terms, statement.terms);
      if (shared > most || (shared === most && best === undefined && shared > 0)) [best, most] = [statement, shared];
    }
    best?.ids.push(id);
  }
  const facts = statements.map(({ fact, ids }) => ({ ...fact, fact_ids: ids }));
  // Other words, or other facts of the rules, are to be read by the model again.
  const facts_reader = memory.facts_reader === NOT_TO_READ ? NOT_TO_READ : memory.observed.reader;
  return { ...memory, facts, facts_format: FACTS_FORMAT, facts_reader };
}

function mostConfident(facts: StoredFact[]): StoredFact[] {
  return facts.toSorted((one, other) => other.confidence - one.confidence).slice(0, MAX_FACTS);
}

/** The data that a fact's record is created from. */
type FactSource = Pick<Memory, "org" | "id" | "user_id" | "created_by" | "content" | "observed" | "updated_at"> &
  WrittenMemory;
type WrittenMemory = Pick<Memory, "id" | "created_by" | "provenance" | "reworded">;

function provenanceOf({ id, created_by, provenance, reworded }: WrittenMemory): Provenance {
  const written = reworded ?? provenance ?? { written_by: created_by, door: "unknown" };
  return { ...written, derived_from: id };
}

/** Whether facts that are read from both have the same provenance. */
function isOfSameWriter(one: WrittenMemory, other: WrittenMemory): boolean {
  return isDeepStrictEqual(provenanceOf(one), provenanceOf(other));
}

/** Returns each fact once, with its row's decisions. Its id is derived from the statement: reading again keeps it. */
export function factsReadFrom(memory: FactSource): StoredFact[] {
  const { org, id: memory_id, user_id, created_by, content, observed, updated_at: created_at } = memory;
  if (observed === undefined) return [];
  const observed_at = observed.at;
  const provenance = provenanceOf(memory);
  const owner = user_id === undefined ? {} : { user_id };
  const carried = new Map(observed.decisions?.map((decision) => [identityKey(decision.fact), decision]));
  const facts = observed.drafts.filter(isStorable).map((draft): StoredFact => {
    const id = derivedId("fact", sha256(JSON.stringify([org, memory_id, observed_at, identityOf(draft)])));
    const words = content.slice(draft.span.start, draft.span.end).toWellFormed();
    const stated = { is_guess: false, ...draft, id, org, memory_id, ...owner, observed_at, content: words };
    const fact = { ...stated, provenance, created_at, version: 1 };
    const decided = carried.get(identityKey(draft));
    return decided === undefined ? fact : applyCarried(fact, decided, created_by);
  });
  return [...new Map(facts.map((fact) => [fact.id, fact])).values()];
}

function isStorable({ subject, attribute, value, valid_from, valid_to }: FactDraft): boolean {
  const isDated = [valid_from, valid_to].every((date) => date === undefined || !Number.isNaN(Date.parse(date)));
  const fits = subject.length <= MAX_NAME_LENGTH && attribute.length <= MAX_NAME_LENGTH;
  return isDated && fits && value.length <= MAX_VALUE_LENGTH;
}
