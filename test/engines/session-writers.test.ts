import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoRecordStore } from "../../shared/adapters/aws/records.ts";
import { describeSessionWriters } from "../contract/session-writers.ts";
import { createTable, deleteTable } from "./resources.ts";

describeSessionWriters(
  "DynamoDB",
  async () => {
    const table = await createTable();
    const store = new DynamoRecordStore(new DynamoDBClient(), table, Date.now);
    return { store, close: () => deleteTable(table) };
  },
  { runs: 3, interleaved: false },
);
