import { isDeepStrictEqual } from "node:util";
import { type AttributeValue, BatchGetItemCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { marshall } from "@aws-sdk/util-dynamodb";
import type { Amounts } from "../../infra/costs/figures.ts";
import { TABLE_INDEXES, TABLE_KEY, type TableIndex } from "../../shared/adapters/aws/table.ts";

type Item = Record<string, AttributeValue>;
/** As the store names it: its keys are texts, not yet in DynamoDB's form. */
type Write = { TableName?: string; Key?: Record<string, unknown>; Item?: Record<string, unknown> };

const UNIT_BYTES = 1024;
const CONTAINER_BYTES = 3;

/**
 * Write units of one call, from the items as they are before and after it, by the rules of the Developer Guide ("Read and
 * write operations", "Item sizes and formats"): of the larger image, twice in a transaction, and of each index what
 * changes in it. DynamoDB Local tells some as well, but leaves out part of a transaction's.
 */
export class WriteUnits {
  readonly #client = new DynamoDBClient();

  /** Runs the call and answers what it consumed. */
  async of<T>(input: object, call: () => Promise<T>): Promise<{ result: T; written: Amounts }> {
    const { writes, times } = writesIn(input);
    const before = await this.#read(writes);
    const result = await call();
    const after = await this.#read(writes);
    const written: Amounts = {};
    for (const name of new Set([...before.keys(), ...after.keys()])) {
      const images = [before.get(name), after.get(name)] as const;
      increase(written, "table", times * unitsOf(Math.max(...images.map((image) => (image ? sizeOf(image) : 0)))));
      for (const index of TABLE_INDEXES) {
        increase(written, index.name, unitsIn(index, ...images));
      }
    }
    return { result, written };
  }

  async #read(writes: Write[]): Promise<Map<string, Item>> {
    const [{ TableName = "" } = {}] = writes;
    const Keys = writes.map(({ Key, Item = {} }) => marshall(Key ?? pick(Item, [TABLE_KEY.partition, TABLE_KEY.sort])));
    const request = { RequestItems: { [TableName]: { Keys, ConsistentRead: true } } };
    const { Responses = {} } = await this.#client.send(new BatchGetItemCommand(request));
    return new Map((Responses[TableName] ?? []).map((item) => [`${item.pk?.S} ${item.sk?.S}`, item]));
  }
}

function writesIn(input: { TransactItems?: Record<string, Write>[] } & Write): { writes: Write[]; times: number } {
  if (input.TransactItems === undefined) return { writes: [input], times: 1 };
  return { writes: input.TransactItems.flatMap((item) => Object.values(item)), times: 2 };
}

function unitsIn(index: TableIndex, before: Item | undefined, after: Item | undefined): number {
  const [old, now] = [projected(index, before), projected(index, after)];
  if (old === undefined || now === undefined) {
    const image = old ?? now;
    return image ? unitsOf(sizeOf(image)) : 0;
  }
  if (isDeepStrictEqual(old, now)) return 0;
  const place = (item: Item) => pick(item, [index.partition, index.sort]);
  // An entry that moves is taken out and put in again.
  if (!isDeepStrictEqual(place(old), place(now))) return unitsOf(sizeOf(old)) + unitsOf(sizeOf(now));
  return unitsOf(Math.max(sizeOf(old), sizeOf(now)));
}

function projected({ partition, sort, include }: TableIndex, item: Item | undefined): Item | undefined {
  if (item?.[partition] === undefined || item[sort] === undefined) return undefined;
  return include ? pick(item, [TABLE_KEY.partition, TABLE_KEY.sort, partition, sort, ...include]) : item;
}

function pick<Value>(item: Record<string, Value>, names: string[]): Record<string, Value> {
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
}

function unitsOf(bytes: number): number {
  return Math.max(1, Math.ceil(bytes / UNIT_BYTES));
}

function sizeOf(item: Item): number {
  return Object.entries(item).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueSize(value), 0);
}

function valueSize({ S, N, M, L, B }: AttributeValue): number {
  if (S !== undefined) return Buffer.byteLength(S);
  if (N !== undefined) return Math.ceil(N.replace(/\D/g, "").length / 2) + 1;
  if (B !== undefined) return B.byteLength;
  if (M !== undefined) return CONTAINER_BYTES + Object.keys(M).length + sizeOf(M);
  if (L !== undefined) return CONTAINER_BYTES + L.reduce((sum, member) => sum + 1 + valueSize(member), 0);
  return 1;
}

function increase(amounts: Amounts, name: string, amount: number): void {
  if (amount > 0) amounts[name] = (amounts[name] ?? 0) + amount;
}
