import { DescribeTimeToLiveCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { EventBridgeClient, ListRulesCommand, ListTargetsByRuleCommand } from "@aws-sdk/client-eventbridge";
import {
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  PurgeQueueCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from "vitest";
import { discoverWorkers } from "../../infra/discover.ts";
import { namePrefix } from "../../infra/names.ts";
import { ENVIRONMENT } from "../../shared/adapters/aws/environment.ts";
import { TTL_ATTRIBUTE } from "../../shared/adapters/aws/table.ts";
import { beginAttempt } from "../../shared/domain/integration/webhooks/attempts.ts";
import { deliveryOf, makeDeliveries } from "../../shared/domain/integration/webhooks/deliveries.ts";
import { timestamp } from "../../shared/kernel/clock.ts";
import { deployedNameOf, type WorkerManifest } from "../../shared/ports/manifest.ts";
import { DELIVER_QUEUE, deadLettersOf, REMEMBER_QUEUE } from "../../shared/ports/queues.ts";
import { createOrganization, type TestedService } from "../support/service.ts";
import { Caller, eventually, openTestedService } from "../support/target.ts";
import { storeWebhook } from "../support/webhooks.ts";
import { DeployedFunctions } from "./functions.ts";

const { tableName, bucketName, url, functions: described } = inject("deployment");
const functions = new DeployedFunctions(described);

let service: TestedService;
let caller: Caller;
let org: string;
let workers: WorkerManifest[];

beforeAll(async () => {
  service = await openTestedService();
  const organization = await createOrganization(service);
  org = organization.org;
  caller = new Caller(service, organization.key);
  workers = (await discoverWorkers()).map(({ manifest }) => manifest);
});
afterAll(() => service.close());

it("tells where the API is, and functions where their table and bucket are", () => {
  expect(new URL(url).hostname).toMatch(/^[a-z0-9]+\.execute-api\./);
  expect(functions.environment).toMatchObject({
    [ENVIRONMENT.tableName]: tableName,
    [ENVIRONMENT.bucketName]: bucketName,
  });
});

it("answers who only asks for its health, and nobody else without a key", async () => {
  const health = await service.request("GET", "/health", { key: null });
  expect(health).toMatchObject({ status: 200, body: { data: { status: "healthy" } } });
  const answer = await service.request("GET", "/memories", { key: null });
  expect(answer).toMatchObject({ status: 401, body: { error: { code: "UNAUTHORIZED" } } });
  expect((await service.request("GET", "/nowhere", { key: null })).status).toBe(404);
});

it("finds by way of the change feed what was stored, and no more once it is deleted", async () => {
  const stored = await caller.post("/memories", { content: "Ada sails from Genoa to Corsica in June." });
  expect(stored.status).toBe(201);
  const found = async () => {
    const answer = await caller.post("/search", { query: "Where does Ada sail?", options: { threshold: 0 } });
    return answer.body.data.results.map(({ id }: { id: string }) => id);
  };
  await eventually(async () => expect(await found()).toEqual([stored.body.data.id]));
  expect((await caller.delete(`/memories/${stored.body.data.id}`)).status).toBeLessThan(300);
  await eventually(async () => expect(await found()).toEqual([]));
});

it("works off queues", async () => {
  const added = await caller.post("/v3/memories/add", { memory: "Bob drinks black coffee.", user_id: "bob" });
  expect(added.status, JSON.stringify(added.body)).toBeLessThan(300);
  await eventually(async () => {
    const { body } = await caller.post("/search", { query: "Who drinks coffee?", options: { threshold: 0 } });
    expect(body.data.results).toMatchObject([{ content: expect.stringContaining("coffee") }]);
  });
});

it("gives up what fails too often to the dead letters, as every queue's policy says", async () => {
  const client = new SQSClient();
  const prefix = namePrefix({ stage: "dev" });
  const urlOf = async (name: string) =>
    (await client.send(new GetQueueUrlCommand({ QueueName: prefix + name }))).QueueUrl;
  for (const { source } of workers) {
    if (!("queues" in source)) continue;
    for (const name of source.queues.names) {
      const asked = new GetQueueAttributesCommand({ QueueUrl: await urlOf(name), AttributeNames: ["RedrivePolicy"] });
      const { RedrivePolicy = "{}" } = (await client.send(asked)).Attributes ?? {};
      expect(JSON.parse(RedrivePolicy)).toEqual({
        deadLetterTargetArn: expect.stringMatching(new RegExp(`:${prefix}${deadLettersOf(name)}$`)),
        maxReceiveCount: source.queues.maxReceives,
      });
    }
  }
  const QueueUrl = await urlOf(REMEMBER_QUEUE);
  const defaults = await client.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ["VisibilityTimeout"] }),
  );
  // So long nobody would wait for each of its receives.
  await client.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: { VisibilityTimeout: "1" } }));
  onTestFinished(async () => {
    await client.send(new SetQueueAttributesCommand({ QueueUrl, Attributes: defaults.Attributes }));
  });
  const { queue } = service.runtime.ports;
  const before = (await queue.depth(deadLettersOf(REMEMBER_QUEUE))).waiting;
  await queue.send(REMEMBER_QUEUE, [{ body: { this: "is no job" } }]);
  await eventually(async () =>
    expect((await queue.depth(deadLettersOf(REMEMBER_QUEUE))).waiting).toBeGreaterThan(before),
  );
  // Else the deployment is not healthy to those who ask for it next.
  await client.send(new PurgeQueueCommand({ QueueUrl: await urlOf(deadLettersOf(REMEMBER_QUEUE)) }));
});

it("tells of a delivery that its workers gave up on", async () => {
  const runtime = { ...service.runtime, org };
  const webhook = await storeWebhook(runtime);
  const now = runtime.clock();
  const resource = { name: "agent", value: { id: "agent_1" } };
  const event = { id: "evt_1", event: "agent.created", timestamp: timestamp(now), org, resource } as const;
  const made = deliveryOf(webhook, event, now);
  await makeDeliveries(runtime, [made]);
  const ids = { delivery_id: made.delivery.id, webhook_id: webhook.id };
  await beginAttempt(runtime, ids, () => 1);
  await runtime.ports.queue.send(deadLettersOf(DELIVER_QUEUE), [{ body: { org, ...ids } }]);
  await eventually(async () => {
    const { body } = await caller.get("/webhooks/dead-letter");
    expect(body.data.dead_letter_entries).toMatchObject([{ webhook_id: webhook.id, failure_reason: "worker_failed" }]);
  });
});

it("runs what is to be done at fixed times", async () => {
  const client = new EventBridgeClient();
  const rules = new Map<string, string>();
  const { Rules = [] } = await client.send(new ListRulesCommand({}));
  for (const { Name: Rule = "", ScheduleExpression = "" } of Rules) {
    const { Targets = [] } = await client.send(new ListTargetsByRuleCommand({ Rule }));
    for (const { Arn = "" } of Targets) rules.set(functions.nameOf(Arn), ScheduleExpression);
  }
  const scheduled = workers.flatMap((worker) =>
    "schedule" in worker.source ? [{ name: deployedNameOf(worker), ...worker.source.schedule }] : [],
  );
  expect(scheduled).not.toEqual([]);
  for (const { name, everyMinutes } of scheduled) {
    expect(rules.get(name)).toBe(everyMinutes === 1 ? "rate(1 minute)" : `rate(${everyMinutes} minutes)`);
    await functions.invoke(name, { source: "aws.events", "detail-type": "Scheduled Event", detail: {} });
  }
  const { migration_stats } = (await caller.get("/tier/policy")).body.data;
  expect(migration_stats.last_sweep_at).toMatch(/^\d{4}-/);
});

it("lets records expire", async () => {
  const { TimeToLiveDescription } = await new DynamoDBClient().send(
    new DescribeTimeToLiveCommand({ TableName: tableName }),
  );
  expect(TimeToLiveDescription).toMatchObject({ AttributeName: TTL_ATTRIBUTE, TimeToLiveStatus: "ENABLED" });
});
