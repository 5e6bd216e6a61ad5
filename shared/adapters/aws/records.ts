import { randomUUID } from "node:crypto";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  BatchGetCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  paginateQuery,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
  UpdateCommand,
} from "@aws-sdk/lib-dynamodb";
import { type Clock, systemClock } from "../../kernel/clock.ts";
import { inBatches } from "../../kernel/parallel.ts";
import { fromCursor, toCursor } from "../../ports/cursor.ts";
import { BackendBusyError, ConditionFailedError, RecordTooLargeError } from "../../ports/errors.ts";
import { identityOf, keyOf, requireQueryLimit, requireSoundWrites } from "../../ports/preconditions.ts";
import type {
  AttributeTests,
  ConnectionUse,
  IndexName,
  RecordKey,
  RecordPage,
  RecordPosition,
  RecordQuery,
  RecordStore,
  StoredRecord,
  Write,
} from "../../ports/record-store.ts";
import { markWritten } from "../../ports/write-tracking.ts";
import { fromTable } from "./attribute-names.ts";
import { attempts } from "./backoff.ts";
import { documentClientOf } from "./document-client.ts";
import { ENVIRONMENT, type Environment, required } from "./environment.ts";
import { notExpired, Placeholders, passesWithout, testExpression } from "./expressions.ts";
import { toRecord } from "./item-format.ts";
import { isAfterUnknown, isTooLarge, isTransient, onUnknownOutcome, type Refusal, refusals } from "./record-faults.ts";
import { isDone, type TransactItem, toEviction, toTransactItem } from "./record-writes.ts";
import { socketsOf } from "./sockets.ts";
import { TABLE_INDEXES, TABLE_KEY } from "./table.ts";

/** Maximum keys of one BatchGetItem. */
const MAX_BATCH_GET = 100;
/** The item does not exist, so deleting it needs write permission and capacity but changes nothing. */
const PROBE = { pk: "ping", sk: "ping" };
/** Maximum bytes of partition and sort keys; DynamoDB refuses longer ones (Developer Guide, "Constraints"). */
const MAX_PK_BYTES = 2048;
const MAX_SK_BYTES = 1024;
/** Maximum items to examine per page; DynamoDB ends a page at 1 MB anyway. */
const MAX_EXAMINED = 20_000;

export function openRecords(environment: Environment, clock: Clock = systemClock): RecordStore {
  return new DynamoRecordStore(new DynamoDBClient(), required(environment, ENVIRONMENT.tableName), clock);
}

/** RecordStore on one DynamoDB table with the schema of `table.ts`. */
export class DynamoRecordStore implements RecordStore {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #clock: Clock;

  constructor(client: DynamoDBClient, table: string, clock: Clock) {
    onUnknownOutcome(client, markWritten);
    this.#client = documentClientOf(client);
    this.#table = table;
    this.#clock = clock;
  }

  async get(key: RecordKey): Promise<StoredRecord | undefined> {
    if (!canExist(key)) return undefined;
    const { Item } = await this.#client.send(
      new GetCommand({ TableName: this.#table, Key: { pk: key.pk, sk: key.sk }, ConsistentRead: true }),
    );
    return this.#live(Item);
  }

  async getMany(keys: RecordKey[], { consistent = true } = {}): Promise<StoredRecord[]> {
    const distinct = [
      ...new Map(keys.filter(canExist).map(({ pk, sk }) => [identityOf({ pk, sk }), { pk, sk }])).values(),
    ];
    const found = await Promise.all(
      inBatches(distinct, MAX_BATCH_GET).map((batch) => this.#getBatch(batch, consistent)),
    );
    return found.flat();
  }

  async query(query: RecordQuery): Promise<RecordPage> {
    requireQueryLimit(query);
    const request = this.#queryRequest(query);
    if (request === undefined) return { items: [] };
    const { offset = 0, limit } = query;
    const found: StoredRecord[] = [];
    let skipped = 0;
    let next = query.after === undefined ? undefined : fromCursor<Record<string, string>>(query.after);
    // DynamoDB limits the examined items, not the matches: examine twice as many each time filters leave too few.
    for (let examine = offset + limit; ; examine = Math.min(examine * 2, MAX_EXAMINED)) {
      const page = await this.#client.send(new QueryCommand({ ...request, Limit: examine, ExclusiveStartKey: next }));
      const matches = page.Items ?? [];
      const skipping = Math.min(matches.length, offset - skipped);
      skipped += skipping;
      found.push(...matches.slice(skipping).map((item) => toIndexRecord(query.index, item)));
      next = page.LastEvaluatedKey;
      if (next === undefined || found.length >= limit) break;
    }
    const items = found.slice(0, limit).map((item) => withoutTtl(query.index, item));
    const last = found[limit - 1];
    if (last === undefined || (next === undefined && found.length === limit)) return { items };
    return { items, cursor: toCursor(positionOf(query.index, last)) };
  }

  cursorAt({ index, pk: collection }: Pick<RecordQuery, "index" | "pk">, { sort, pk, sk }: RecordPosition): string {
    const { partition, sort: name } = keysOf(index);
    return toCursor({ [partition]: collection, [name]: sort, pk, sk });
  }

  async count(query: Omit<RecordQuery, "limit" | "after" | "offset" | "descending">, upTo: number): Promise<number> {
    const request = this.#queryRequest(query);
    if (request === undefined) return 0;
    let counted = 0;
    for await (const { Count = 0 } of paginateQuery({ client: this.#client }, { ...request, Select: "COUNT" })) {
      counted += Count;
      if (counted >= upTo) break;
    }
    return Math.min(counted, upTo);
  }

  async write(...writes: Write[]): Promise<void> {
    requireSoundWrites(writes);
    const now = this.#now();
    const send = this.#sender(writes, now);
    let fault: unknown;
    for await (const _attempt of attempts()) {
      try {
        await send();
        markWritten();
        return;
      } catch (error) {
        fault = error;
      }
      if (isTooLarge(fault)) throw new RecordTooLargeError();
      const refused = refusals(fault);
      if (refused.length > 0) await this.#evictExpired(writes, refused, now);
      else if (!isTransient(fault)) throw fault;
    }
    throw isTransient(fault) ? new BackendBusyError(`DynamoDB was too busy for ${writes.length} writes`, fault) : fault;
  }

  connections(): ConnectionUse {
    return socketsOf(this.#client);
  }

  async ping(): Promise<void> {
    await this.#sender([{ delete: PROBE }], this.#now())();
  }

  #now(): number {
    return Math.floor(this.#clock() / 1000);
  }

  #live(item: Record<string, unknown> | undefined): StoredRecord | undefined {
    if (item === undefined) return undefined;
    const record = toRecord(item);
    return isExpired(record, this.#now()) ? undefined : record;
  }

  async #getBatch(keys: RecordKey[], consistent: boolean): Promise<StoredRecord[]> {
    const found: StoredRecord[] = [];
    let pending: Record<string, unknown>[] = keys.map((key) => ({ ...key }));
    for await (const _attempt of attempts()) {
      const { Responses, UnprocessedKeys } = await this.#client.send(
        new BatchGetCommand({ RequestItems: { [this.#table]: { Keys: pending, ConsistentRead: consistent } } }),
      );
      found.push(...(Responses?.[this.#table] ?? []).flatMap((item) => this.#live(item) ?? []));
      pending = UnprocessedKeys?.[this.#table]?.Keys ?? [];
      if (pending.length === 0) return found;
    }
    throw new BackendBusyError(`DynamoDB left ${pending.length} of ${keys.length} keys unread`);
  }

  /**
   * Undefined if nothing can match and DynamoDB would refuse the query: a key that is too long, an empty range, or a
   * test of an attribute outside of an index.
   */
  #queryRequest(query: Omit<RecordQuery, "limit">): QueryCommandInput | undefined {
    if (!canExist({ pk: query.pk, sk: "" })) return undefined;
    const placeholders = new Placeholders();
    const KeyConditionExpression = keyCondition(query, placeholders);
    const tests = testsWithin(query.index, query.where);
    if (KeyConditionExpression === undefined || tests === "never") return undefined;
    const filters = [
      notExpired(this.#now(), placeholders),
      ...(tests === "always" ? [] : [testExpression(tests, placeholders)]),
    ];
    return {
      TableName: this.#table,
      IndexName: query.index,
      ConsistentRead: query.index === undefined,
      KeyConditionExpression,
      FilterExpression: filters.join(" AND "),
      ScanIndexForward: !query.descending,
      ...placeholders.members(),
    };
  }

  /** Sends the writes, once per call. A single write is sent without a transaction, at half the price. */
  #sender(writes: Write[], now: number): () => Promise<void> {
    const items = writes.map((write) => toTransactItem(write, this.#table, now));
    const [item, write] = [items[0], writes[0]];
    if (items.length === 1 && item !== undefined && write !== undefined && item.ConditionCheck === undefined) {
      let mayBeDone = false;
      return async () => {
        try {
          await this.#sendOne(item);
        } catch (error) {
          mayBeDone ||= isAfterUnknown(error);
          const [refusal] = refusals(error);
          if (refusal === undefined || !mayBeDone || !isDone(write, refusal.existing)) throw error;
        }
      };
    }
    // The token makes a repeated transaction succeed if the first one did but its response was lost.
    const transaction = { TransactItems: items, ClientRequestToken: randomUUID() };
    return async () => {
      await this.#client.send(new TransactWriteCommand(transaction));
    };
  }

  async #sendOne(item: TransactItem): Promise<void> {
    if (item.Put !== undefined) await this.#client.send(new PutCommand(item.Put));
    if (item.Update !== undefined) await this.#client.send(new UpdateCommand(item.Update));
    if (item.Delete !== undefined) await this.#client.send(new DeleteCommand(item.Delete));
  }

  /** Deletes expired rows that blocked updates; throws ConditionFailedError for any other cause. */
  async #evictExpired(writes: Write[], refused: Refusal[], now: number): Promise<void> {
    const keys = refused.map(({ index, existing }) => {
      const write = writes[index];
      const isExpiredItem = existing !== undefined && isExpired(existing, now);
      if (write === undefined || !("update" in write) || !isExpiredItem) {
        throw new ConditionFailedError(index, isExpiredItem ? undefined : existing);
      }
      return keyOf(write);
    });
    await Promise.all(keys.map((key) => this.#evict(key, now)));
  }

  async #evict(key: RecordKey, now: number): Promise<void> {
    try {
      await this.#client.send(new DeleteCommand(toEviction(key, this.#table, now)));
    } catch (error) {
      // Another writer evicted or renewed it first; the following write will notice.
      if (refusals(error).length === 0 && !isTransient(error)) throw error;
    }
  }
}

function canExist({ pk, sk }: RecordKey): boolean {
  return Buffer.byteLength(pk) <= MAX_PK_BYTES && Buffer.byteLength(sk) <= MAX_SK_BYTES;
}

function isExpired(record: StoredRecord, now: number): boolean {
  return record.ttl !== undefined && record.ttl <= now;
}

/** The record of an index entry. A narrow index holds only part of an item, which item steps cannot process. */
function toIndexRecord(index: IndexName | undefined, item: Record<string, unknown>): StoredRecord {
  return keysOf(index).include === undefined ? toRecord(item) : fromTable(item as StoredRecord);
}

function keysOf(index: IndexName | undefined): { partition: string; sort: string; include?: readonly string[] } {
  return TABLE_INDEXES.find(({ name }) => name === index) ?? TABLE_KEY;
}

/** The narrow index contains `ttl` only for this adapter. */
function withoutTtl(index: IndexName | undefined, item: StoredRecord): StoredRecord {
  if (keysOf(index).include === undefined) return item;
  const { ttl, ...held } = item;
  return held;
}

/** The tests of attributes that the index holds; other attributes are absent from all its items. */
function testsWithin(
  index: IndexName | undefined,
  where: AttributeTests | undefined,
): AttributeTests | "always" | "never" {
  if (where === undefined) return "always";
  const { include, partition, sort } = keysOf(index);
  if (include === undefined) return where;
  const held = new Set([TABLE_KEY.partition, TABLE_KEY.sort, partition, sort, ...include]);
  const tests = Object.entries(where);
  const inside = tests.filter(([attribute]) => held.has(attribute));
  const outside = tests.filter(([attribute]) => !held.has(attribute));
  if (outside.some(([, test]) => !passesWithout(test))) return "never";
  return inside.length === 0 && outside.length > 0 ? "always" : Object.fromEntries(inside);
}

/** Undefined if no sort key is in the range. */
function keyCondition({ index, pk, sk }: Omit<RecordQuery, "limit">, placeholders: Placeholders): string | undefined {
  const { partition, sort } = keysOf(index);
  const inCollection = `${placeholders.name(partition)} = ${placeholders.value(pk)}`;
  if (sk === undefined) return inCollection;
  if ("beginsWith" in sk) {
    if (sk.beginsWith === "") return inCollection;
    return `${inCollection} AND begins_with(${placeholders.name(sort)}, ${placeholders.value(sk.beginsWith)})`;
  }
  const { atLeast, atMost } = sk;
  if (atLeast !== undefined && atMost !== undefined) {
    if (Buffer.compare(Buffer.from(atLeast), Buffer.from(atMost)) > 0) return undefined;
    const bounds = `${placeholders.value(atLeast)} AND ${placeholders.value(atMost)}`;
    return `${inCollection} AND ${placeholders.name(sort)} BETWEEN ${bounds}`;
  }
  if (atLeast !== undefined) return `${inCollection} AND ${placeholders.name(sort)} >= ${placeholders.value(atLeast)}`;
  if (atMost !== undefined) return `${inCollection} AND ${placeholders.name(sort)} <= ${placeholders.value(atMost)}`;
  return inCollection;
}

/** The position of a query: the keys, in table and index, of the last returned item. */
function positionOf(index: IndexName | undefined, last: StoredRecord): Record<string, unknown> {
  const { partition, sort } = keysOf(index);
  const names = new Set([TABLE_KEY.partition, TABLE_KEY.sort, partition, sort]);
  return Object.fromEntries([...names].map((name) => [name, last[name]]));
}
