/**
 * `npm run sam:prepare`: synthesizes for `sam local`, makes the table and the bucket on the engines of compose.yaml, puts
 * the sample events' key into the table and writes cdk.out/env.json, which points the functions at those engines.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DynamoDBClient,
  ResourceInUseException,
} from "@aws-sdk/client-dynamodb";
import { BucketAlreadyOwnedByYou, CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import * as z from "zod";
import sample from "../events/memories.json" with { type: "json" };
import { bootstrap } from "../shared/identity/bootstrap.ts";
import { loadConfig } from "../shared/kernel/config.ts";
import { ENVIRONMENT } from "../shared/platform/aws/environment.ts";
import { openAwsPlatform } from "../shared/platform/aws/platform.ts";
import { assembleHome, layFoundation } from "../shared/platform/home.ts";

const NAME = "memory-service";

/** Ports of compose.yaml; the environment may name others. */
const ENGINES = {
  AWS_ENDPOINT_URL_DYNAMODB: "http://localhost:8000",
  AWS_ENDPOINT_URL_S3: "http://localhost:9000",
  AWS_ENDPOINT_URL_SQS: "http://localhost:9324",
  [ENVIRONMENT.searchEndpoint]: "http://localhost:9200",
};

/** What the engines of compose.yaml take for an account. */
const ACCOUNT = { AWS_REGION: "us-east-1", AWS_ACCESS_KEY_ID: "engine", AWS_SECRET_ACCESS_KEY: "engine-secret" };

const SERVICE = {
  [ENVIRONMENT.tableName]: NAME,
  [ENVIRONMENT.bucketName]: NAME,
  [ENVIRONMENT.searchIndex]: "memories",
  EMBEDDER: "built-in",
  LANGUAGE_MODEL: "built-in",
};

const DATA_TEMPLATE = "cdk.out/memory-service-dev-data.template.json";

const DataTemplate = z.object({
  Resources: z.record(z.string(), z.object({ Type: z.string(), Properties: z.unknown() })),
});

execFileSync("cdk", ["synth", "--quiet", "--context", "localEngines=true"], { stdio: "inherit" });
const environment = { ...ENGINES, ...ACCOUNT, ...SERVICE, ...process.env };
Object.assign(process.env, environment);
await createTable();
await createBucket();
await admitSampleKey();
writeFileSync("cdk.out/env.json", JSON.stringify({ Parameters: forContainers() }, null, 2));
console.log(
  "cdk.out/env.json is written. Next: sam local start-api -t cdk.out/memory-service-dev-api.template.json --env-vars cdk.out/env.json",
);

/** The table as the data stack's template says; an existing one is left alone. */
async function createTable(): Promise<void> {
  const { Resources } = DataTemplate.parse(JSON.parse(readFileSync(DATA_TEMPLATE, "utf8")));
  const table = Object.values(Resources).find(({ Type }) => Type === "AWS::DynamoDB::Table");
  if (table === undefined) throw new Error(`${DATA_TEMPLATE} has no table`);
  const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, BillingMode } = toCreateTable(table.Properties);
  const input = { TableName: NAME, KeySchema, AttributeDefinitions, GlobalSecondaryIndexes, BillingMode };
  await unless(ResourceInUseException, new DynamoDBClient().send(new CreateTableCommand(input)));
}

/** CloudFormation's table properties are DynamoDB's own, and the template was validated when it was synthesized. */
function toCreateTable(properties: unknown): Omit<CreateTableCommandInput, "TableName"> {
  return properties as Omit<CreateTableCommandInput, "TableName">;
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
  const foundation = layFoundation(config);
  await bootstrap(assembleHome(foundation, await openAwsPlatform({ ...foundation, capabilities: ["records"] })));
}

/** From inside a container, this machine is not localhost. */
function forContainers(): Record<string, string> {
  const values = Object.keys({ ...ENGINES, ...SERVICE }).map((name) => [name, process.env[name] ?? ""] as const);
  return Object.fromEntries(
    values.map(([name, value]) => [name, value.replace("//localhost:", "//host.docker.internal:")]),
  );
}
