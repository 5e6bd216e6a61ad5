import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import {
  BatchWriteCommand,
  type DynamoDBDocumentClient,
  paginateScan,
  ScanCommand,
  type ScanCommandInput,
} from "@aws-sdk/lib-dynamodb";
import { type Clock, systemClock } from "../../kernel/clock.ts";
import type { Logger } from "../../kernel/logger.ts";
import { inBatches, inParallel } from "../../kernel/parallel.ts";
import { fromCursor, toCursor } from "../../ports/cursor.ts";
import { identityOf, requireQueryLimit } from "../../ports/preconditions.ts";
import type {
  InventoryRequest,
  RecordInventory,
  RecordSnapshot,
  UpgradePage,
  UpgradeRequest,
} from "../../ports/record-inventory.ts";
import type { RecordPage, StoredRecord } from "../../ports/record-store.ts";
import { upgradeItems } from "../../runtime/upgrades/item-upgrade.ts";
import { RESTORED_MARK } from "./attribute-names.ts";
import { attempts } from "./backoff.ts";
import { documentClientOf } from "./document-client.ts";
import { ENVIRONMENT, type Environment, required } from "./environment.ts";
import { notExpired, Placeholders, testExpression } from "./expressions.ts";
import { toRecord, toTableItem } from "./item-format.ts";
import type { TableExports } from "./table-exports.ts";
import { upgradeItemsOf } from "./upgrade-items.ts";

export async function openInventory(
  environment: Environment,
  logger: Logger,
  clock: Clock = systemClock,
): Promise<RecordInventory> {
  const client = new DynamoDBClient();
  const table = required(environment, ENVIRONMENT.tableName);
  const prefix = environment[ENVIRONMENT.tableExportPrefix];
  if (prefix === undefined) return new DynamoInventory(client, table, clock);
  // Functions that export nothing do not load the S3 client.
  const [{ TableExports }, { openBlobs }] = await Promise.all([import("./table-exports.ts"), import("./blobs.ts")]);
  const exports = new TableExports(client, {
    table,
    prefix,
    bucket: required(environment, ENVIRONMENT.bucketName),
    key: environment[ENVIRONMENT.secretEncryption],
    blobs: openBlobs(environment, logger),
  });
  return new DynamoInventory(client, table, clock, exports);
}

/** Where a segment's next page begins: undefined at its beginning, null if it has ended. */
type Position = Record<string, unknown> | null | undefined;

/** Returns the position of each segment; a walk that began without segments goes on without them. */
function positionsIn(after: string | undefined, segments: number): Position[] {
  if (after === undefined) return Array.from({ length: segments }, () => undefined);
  const position = fromCursor<Position | Position[]>(after);
  return Array.isArray(position) ? position : [position];
}

/** Maximum items of one BatchWriteItem. */
const MAX_BATCH_WRITE = 25;
const FILL_CONCURRENCY = 4;
const SNAPSHOT_PAGE = 500;

/** RecordInventory by scans of the DynamoDB table. */
export class DynamoInventory implements RecordInventory {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #clock: Clock;
  readonly #exports: TableExports | undefined;

  /** Without `exports`, every snapshot is a scan. */
  constructor(client: DynamoDBClient, table: string, clock: Clock, exports?: TableExports) {
    this.#client = documentClientOf(client);
    this.#table = table;
    this.#clock = clock;
    this.#exports = exports;
  }

  async list({ kinds, limit, segments = 1, after }: InventoryRequest): Promise<RecordPage> {
    requireQueryLimit({ limit });
    const placeholders = new Placeholders();
    const filters = [notExpired(Math.floor(this.#clock() / 1000), placeholders)];
    if (kinds !== undefined) filters.push(testExpression({ kind: { oneOf: kinds } }, placeholders));
    const request = {
      TableName: this.#table,
      ConsistentRead: true,
      FilterExpression: filters.join(" AND "),
      Limit: limit,
      ...placeholders.members(),
    };
    const positions = positionsIn(after, segments);
    const pages = await Promise.all(
      positions.map((from, segment) => this.#listSegment(request, positions, segment, from)),
    );
    const items = pages.flatMap((page) => page.items);
    const next = pages.map((page) => page.next);
    if (next.every((position) => position === null)) return { items };
    return { items, cursor: toCursor(next.length === 1 ? next[0] : next) };
  }

  async #listSegment(request: ScanCommandInput, positions: Position[], segment: number, from: Position) {
    if (from === null) return { items: [], next: null };
    const part = positions.length === 1 ? {} : { Segment: segment, TotalSegments: positions.length };
    const { Items = [], LastEvaluatedKey = null } = await this.#client.send(
      new ScanCommand({ ...request, ...part, ExclusiveStartKey: from }),
    );
    return { items: Items.map(toRecord), next: LastEvaluatedKey };
  }

  snapshot(): RecordSnapshot {
    return { consistency: "pages", pages: this.#scan() };
  }

  async requestSnapshot(id: string): Promise<RecordSnapshot | undefined> {
    if (!(await this.#exports?.isLarge())) return this.snapshot();
    const pages = await this.#exports?.request(id);
    return pages && { consistency: "moment", pages };
  }

  async discardSnapshot(id: string): Promise<void> {
    await this.#exports?.discard(id);
  }

  async fill(records: StoredRecord[]): Promise<void> {
    const distinct = [...new Map(upgradeItems(records).map((record) => [identityOf(record), record])).values()];
    await inParallel(inBatches(distinct, MAX_BATCH_WRITE), FILL_CONCURRENCY, (batch) => this.#put(batch));
  }

  async upgrade({ limit, after }: UpgradeRequest): Promise<UpgradePage> {
    requireQueryLimit({ limit });
    return upgradeItemsOf({ client: this.#client, name: this.#table }, limit, after);
  }

  async *#scan(): AsyncGenerator<StoredRecord[]> {
    const request = { TableName: this.#table, ConsistentRead: true, Limit: SNAPSHOT_PAGE };
    for await (const { Items = [] } of paginateScan({ client: this.#client }, request)) yield Items.map(toRecord);
  }

  async #put(batch: StoredRecord[]): Promise<void> {
    let pending = batch.map((record) => ({
      PutRequest: { Item: { ...toTableItem(record), [RESTORED_MARK]: true } as Record<string, unknown> },
    }));
    for await (const _attempt of attempts()) {
      const { UnprocessedItems } = await this.#client.send(
        new BatchWriteCommand({ RequestItems: { [this.#table]: pending } }),
      );
      pending = (UnprocessedItems?.[this.#table] ?? []) as typeof pending;
      if (pending.length === 0) return;
    }
    throw new Error(`DynamoDB left ${pending.length} of ${batch.length} records unwritten`);
  }
}
