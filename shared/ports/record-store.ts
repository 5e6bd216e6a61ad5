import type { Json, Scalar } from "./json.ts";

/** The key of a record. `pk` names an item collection, `sk` an item in it. */
export interface RecordKey {
  pk: string;
  sk: string;
}

/** gsi1 and gsi2 hold whole items; gsi3 only keys and the `FACETS`, so that counting and ordering are cheap. */
export type IndexName = "gsi1" | "gsi2" | "gsi3";

/**
 * One item: flat JSON attributes; undefined ones are not stored. `kind` is its type (memory, version, edge …). `ttl` is
 * in epoch seconds: from then on the item reads as absent; its row is deleted later.
 */
export interface StoredRecord extends RecordKey {
  kind: string;
  gsi1pk?: string;
  gsi1sk?: string;
  gsi2pk?: string;
  gsi2sk?: string;
  gsi3pk?: string;
  gsi3sk?: string;
  ttl?: number;
  [attribute: string]: Json | undefined;
}

/** A test of one attribute: a scalar means equality, strings sort bytewise, an absent one fails unless `orAbsent`. */
export type AttributeTest =
  | Scalar
  | { oneOf: Scalar[] }
  | { not: Scalar }
  | { absent: boolean }
  /** Text that contains any of these non-empty strings; a list that has any of them as a member. */
  | { containsAny: string[] }
  | {
      lessThan?: string | number;
      atMost?: string | number;
      greaterThan?: string | number;
      atLeast?: string | number;
      orAbsent?: true;
    };

/** Attribute tests that must all hold. At least one; an empty object is refused. */
export type AttributeTests = { [attribute: string]: AttributeTest };

/**
 * `absent`: no live item under the key. `present`: there is one. Tests: all hold; an absent item counts as one without
 * attributes, so it passes if every test allows an absent attribute (`{absent: true}`, `orAbsent`).
 */
export type Condition = "absent" | "present" | AttributeTests;

/**
 * One change of an atomic write. `update` sets, adds to (numbers; absent counts as 0) and removes attributes, and
 * creates the item if its condition allows; `check` writes nothing. Setting an index key moves the item in that index.
 */
export type Write =
  | { put: StoredRecord; condition?: Condition }
  | {
      update: RecordKey;
      set?: { [attribute: string]: Json };
      add?: { [attribute: string]: number };
      remove?: string[];
      condition?: Condition;
    }
  | { delete: RecordKey; condition?: Condition }
  | { check: RecordKey; condition: Condition };

export interface RecordQuery {
  index?: IndexName;
  pk: string;
  sk?: { beginsWith: string } | { atLeast?: string; atMost?: string };
  /** Applied to each item before `offset` and `limit`. */
  where?: AttributeTests;
  descending?: boolean;
  offset?: number;
  /** Maximum number of items, 1..1000. */
  limit: number;
  /** The previous page's `cursor`; opaque. */
  after?: string;
}

/** The keys that order the items of a query: those of the record, and its sort key in the index. */
export type RecordPosition = RecordKey & { sort: string };

export interface RecordPage {
  items: StoredRecord[];
  /** Absent on the last page; a cursor may still lead to an empty page. */
  cursor?: string;
}

/** The store of record. Reads are consistent except on indexes, which may lag by under a second on AWS. */
export interface RecordStore {
  get(key: RecordKey): Promise<StoredRecord | undefined>;
  /**
   * Any number of keys in any order; missing items are left out. Without `consistent` it may lag as an index does, at
   * half the price.
   */
  getMany(keys: RecordKey[], options?: { consistent?: boolean }): Promise<StoredRecord[]>;
  query(query: RecordQuery): Promise<RecordPage>;
  /** The cursor of a page of this query whose last item has these keys, whether the item still exists or not. */
  cursorAt(query: Pick<RecordQuery, "index" | "pk">, keys: RecordPosition): string;
  /** The number of matching items, counted up to `upTo`. */
  count(query: Omit<RecordQuery, "limit" | "after" | "offset" | "descending">, upTo: number): Promise<number>;
  /**
   * Atomic, 1..100 writes on different keys. Throws ConditionFailedError (nothing written), RecordTooLargeError (an
   * item over 400 KB). Durable when it resolves. Conflicts with concurrent writes are retried.
   */
  write(...writes: Write[]): Promise<void>;
  /** This process's current connections to the store. */
  connections(): ConnectionUse;
  /** Performs a write that leaves nothing behind. */
  ping(): Promise<void>;
}

/** Open connections: `active` ones serve a request, `idle` ones wait for the next. */
export interface ConnectionUse {
  active: number;
  idle: number;
}
