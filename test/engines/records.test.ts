import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoInventory } from "../../shared/adapters/aws/inventory.ts";
import { DynamoRecordStore } from "../../shared/adapters/aws/records.ts";
import { describeRecordInventory } from "../contract/record-inventory.ts";
import { describeRecordStore } from "../contract/record-store.ts";
import { createTable, deleteTable } from "./resources.ts";

describeRecordStore(
  "DynamoDB",
  async (clock) => {
    const table = await createTable();
    const store = new DynamoRecordStore(new DynamoDBClient(), table, clock);
    // DynamoDB Local updates its indexes together with the table.
    return { store, drainChangeFeed: async () => {}, close: () => deleteTable(table) };
  },
  { runs: 25 },
);

describeRecordInventory("DynamoDB", async (clock) => {
  const table = await createTable();
  const client = new DynamoDBClient();
  const store = new DynamoRecordStore(client, table, clock);
  return { inventory: new DynamoInventory(client, table, clock), store, close: () => deleteTable(table) };
});
