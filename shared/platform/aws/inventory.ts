import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { type Clock, systemClock } from "../../kernel/clock.ts";
import type { InventoryRequest, RecordInventory, RecordPage, StoredRecord } from "../ports.ts";
import { requireQueryLimit } from "../preconditions.ts";
import { unescapeNames } from "./attribute-names.ts";
import { ENVIRONMENT, type Environment, required } from "./environment.ts";
import { notExpired, Placeholders, testsHold } from "./expressions.ts";

export function openInventory(environment: Environment, clock: Clock = systemClock): RecordInventory {
  return new DynamoInventory(new DynamoDBClient(), required(environment, ENVIRONMENT.tableName), clock);
}

/** RecordInventory by scans of the DynamoDB table. */
export class DynamoInventory implements RecordInventory {
  readonly #client: DynamoDBDocumentClient;
  readonly #table: string;
  readonly #clock: Clock;

  constructor(client: DynamoDBClient, table: string, clock: Clock) {
    this.#client = DynamoDBDocumentClient.from(client);
    this.#table = table;
    this.#clock = clock;
  }

  async list({ kinds, limit, after }: InventoryRequest): Promise<RecordPage> {
    requireQueryLimit({ limit });
    const to = new Placeholders();
    const filters = [notExpired(Math.floor(this.#clock() / 1000), to)];
    if (kinds !== undefined) filters.push(testsHold({ kind: { oneOf: kinds } }, to));
    const { Items = [], LastEvaluatedKey } = await this.#client.send(
      new ScanCommand({
        TableName: this.#table,
        ConsistentRead: true,
        FilterExpression: filters.join(" AND "),
        Limit: limit,
        ExclusiveStartKey: after === undefined ? undefined : JSON.parse(Buffer.from(after, "base64url").toString()),
        ...to.members(),
      }),
    );
    const items = Items.map((item) => unescapeNames(item as StoredRecord));
    if (LastEvaluatedKey === undefined) return { items };
    return { items, cursor: Buffer.from(JSON.stringify(LastEvaluatedKey)).toString("base64url") };
  }
}
