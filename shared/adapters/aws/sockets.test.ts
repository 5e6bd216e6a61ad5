import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { expect, it } from "vitest";
import { listenOnLoopback } from "../../../test/fixtures/loopback-server.ts";
import { DynamoRecordStore } from "./records.ts";

it("counts the sockets in use and the idle ones", async () => {
  const answers: (() => void)[] = [];
  const server = await listenOnLoopback((_request, response) => {
    answers.push(() => response.end("{}"));
  });
  const credentials = { accessKeyId: "key", secretAccessKey: "secret" };
  const client = new DynamoDBClient({ endpoint: server.url, region: "us-east-1", credentials });
  const store = new DynamoRecordStore(client, "table", Date.now);
  try {
    expect(store.connections()).toEqual({ active: 0, idle: 0 });
    const reading = Array.from({ length: 3 }, () => store.get({ pk: "p", sk: "s" }));
    await expect.poll(() => answers.length).toBe(3);
    expect(store.connections()).toEqual({ active: 3, idle: 0 });
    answers[0]?.();
    await expect.poll(() => store.connections()).toEqual({ active: 2, idle: 1 });
    for (const answer of answers.slice(1)) answer();
    await Promise.all(reading);
    await expect.poll(() => store.connections()).toEqual({ active: 0, idle: 3 });
  } finally {
    client.destroy();
    await server.close();
  }
  await expect.poll(() => store.connections()).toEqual({ active: 0, idle: 0 });
});
