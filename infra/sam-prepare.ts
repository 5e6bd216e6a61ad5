/**
 * `npm run sam:prepare [-- --output FOLDER]`: synthesizes for `sam local` into cdk.out or the given folder, creates the
 * table, bucket and queues on the engines of compose.yaml, stores the sample events' key in the table, and writes
 * env.json beside the templates, which points the functions there.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  ResourceInUseException,
} from "@aws-sdk/client-dynamodb";
import { BucketAlreadyOwnedByYou, CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { CreateQueueCommand, SQSClient } from "@aws-sdk/client-sqs";
import * as z from "zod";
import sample from "../events/memories.json" with { type: "json" };
import { ENVIRONMENT } from "../shared/adapters/aws/environment.ts";
import { openAwsPlatform } from "../shared/adapters/aws/platform.ts";
import { bootstrap } from "../shared/domain/identity/bootstrap.ts";
import { loadConfig } from "../shared/entry/config.ts";
import { createBaseRuntime, createRuntime } from "../shared/entry/runtime.ts";
import { LOCAL_ACCOUNT, LOCAL_ENGINES } from "./local-engines.ts";
import { namePrefix } from "./names.ts";

const NAME = "memory-service";

const QUEUE_NAME_PREFIX = namePrefix({ stage: "dev" });

const SERVICE = {
  [ENVIRONMENT.tableName]: NAME,
  [ENVIRONMENT.bucketName]: NAME,
  [ENVIRONMENT.searchIndex]: "memories",
  EMBEDDER: "lexical",
  LANGUAGE_MODEL: "built-in",
};

const { output } = parseArgs({ options: { output: { type: "string", default: "cdk.out" } } }).values;
const templateOf = (stack: string) => path.join(output, `memory-service-dev-${stack}.template.json`);
const variablesFile = path.join(output, "env.json");

const Template = z.object({
  Resources: z.record(z.string(), z.object({ Type: z.string(), Properties: z.unknown() })),
});

execFileSync("npm", ["run", "synth", "--", "--context", "localEngines=true", "--output", path.resolve(output)], {
  stdio: "inherit",
});
const environment = { ...LOCAL_ENGINES, ...LOCAL_ACCOUNT, ...SERVICE, ...process.env };
Object.assign(process.env, environment);
await createTable();
await createBucket();
const queueUrlPrefix = await createQueues();
await admitSampleKey();
const settings = { ...settingsOf(environment), [ENVIRONMENT.queueUrlPrefix]: queueUrlPrefix };
writeFileSync(variablesFile, JSON.stringify({ Parameters: forContainers(settings) }, null, 2));
console.log(
  `${variablesFile} is written. Next: sam local start-api -t ${templateOf("api")} --env-vars ${variablesFile}`,
);

/** The table as in the data stack's template; an existing one is kept. */
async function createTable(): Promise<void> {
  const [table] = propertiesOf("AWS::DynamoDB::Table", templateOf("data"));
  // CloudFormation's table properties are DynamoDB's, and the template was validated at synthesis.
  const properties = table as Omit<CreateTableCommandInput, "TableName">;
  const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, BillingMode } = properties;
  const input = { TableName: NAME, KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, BillingMode };
  await unless(ResourceInUseException, new DynamoDBClient().send(new CreateTableCommand(input)));
}

/** The queues of the workers stack's template. Returns their URL prefix. */
async function createQueues(): Promise<string> {
  const client = new SQSClient();
  const named = z.array(z.object({ QueueName: z.string().optional() }));
  const queues = named.parse(propertiesOf("AWS::SQS::Queue", templateOf("workers")));
  const prefixes = new Set<string>();
  for (const { QueueName } of queues) {
    if (QueueName === undefined) continue;
    const { QueueUrl = "" } = await client.send(new CreateQueueCommand({ QueueName }));
    prefixes.add(QueueUrl.slice(0, QueueUrl.lastIndexOf("/") + 1) + QUEUE_NAME_PREFIX);
  }
  const [prefix, ...others] = prefixes;
  if (prefix === undefined || others.length > 0) throw new Error(`queues at ${[...prefixes].join(" and ")}`);
  return prefix;
}

/** Properties of all resources of a type; there must be at least one. */
function propertiesOf(type: string, file: string): unknown[] {
  const { Resources } = Template.parse(JSON.parse(readFileSync(file, "utf8")));
  const found = Object.values(Resources).filter(({ Type }) => Type === type);
  if (found.length === 0) throw new Error(`${file} has no ${type}`);
  return found.map(({ Properties }) => Properties);
}

async function createBucket(): Promise<void> {
  const client = new S3Client({ forcePathStyle: true });
  await unless(BucketAlreadyOwnedByYou, client.send(new CreateBucketCommand({ Bucket: NAME })));
}

async function unless(harmless: new (...parameters: never[]) => Error, work: Promise<unknown>): Promise<void> {
  await work.catch((error: unknown) => {
    if (!(error instanceof harmless)) throw error;
  });
}

async function admitSampleKey(): Promise<void> {
  const config = loadConfig({ ...process.env, PLATFORM: "aws", BOOTSTRAP_API_KEY: sample.headers["x-api-key"] });
  const base = createBaseRuntime(config);
  await bootstrap(createRuntime(base, await openAwsPlatform({ ...base, capabilities: ["records"] })));
}

/** The functions' variables except those of the account. */
function settingsOf(environment: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.keys({ ...LOCAL_ENGINES, ...SERVICE }).map((name) => [name, environment[name] ?? ""]),
  );
}

/** Inside a container, this host is not localhost. */
function forContainers(settings: Record<string, string>): Record<string, string> {
  const inside = (value: string) => value.replace("//localhost:", "//host.docker.internal:");
  return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, inside(value)]));
}
