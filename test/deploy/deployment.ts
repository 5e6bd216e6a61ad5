import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { DynamoDBClient, UpdateTimeToLiveCommand } from "@aws-sdk/client-dynamodb";
import * as z from "zod";
import { endWithThisProcess } from "../engines/engine-process.ts";
import { EMULATED_ACCOUNT } from "./emulator.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CDK = path.join(ROOT, "infra/aws/cdk.mjs");
const MAX_OUTPUT_BYTES = 50_000_000;
const STACKS = { data: "memory-service-dev-data", api: "memory-service-dev-api" } as const;

const Outputs = z.object({
  [STACKS.data]: z.object({ TableName: z.string(), BucketName: z.string() }),
  [STACKS.api]: z.object({ Url: z.url() }),
});

const Template = z.object({
  Resources: z.record(z.string(), z.object({ Type: z.string(), Properties: z.unknown().optional() })),
});
const Table = z.object({
  TimeToLiveSpecification: z.object({ AttributeName: z.string(), Enabled: z.boolean() }),
});

/** What a deployment told when it was done. */
export interface Deployed {
  tableName: string;
  bucketName: string;
  /** As people would reach the API at API Gateway. */
  url: string;
}

/** Runs `cdk bootstrap` and `cdk deploy --all` with the plain CLI, on the emulator that the environment names. */
export async function deploy(folder: string, context: Record<string, string>): Promise<Deployed> {
  const account = `aws://${EMULATED_ACCOUNT.AWS_ACCESS_KEY_ID}/${EMULATED_ACCOUNT.AWS_REGION}`;
  const assembly = path.join(folder, "assembly");
  await runCdk("bootstrap", account);
  const outputs = path.join(folder, "outputs.json");
  const given = Object.entries(context).flatMap(([key, value]) => ["--context", `${key}=${value}`]);
  const destination = ["--output", assembly, "--outputs-file", outputs];
  await runCdk("deploy", "--all", "--require-approval", "never", ...destination, ...given);
  const { [STACKS.data]: data, [STACKS.api]: api } = Outputs.parse(JSON.parse(readFileSync(outputs, "utf8")));
  await setTimeToLive(data.TableName, assembly);
  return { tableName: data.TableName, bucketName: data.BucketName, url: api.Url };
}

/** The emulator drops it from the template. */
async function setTimeToLive(table: string, assembly: string): Promise<void> {
  const template = JSON.parse(readFileSync(path.join(assembly, `${STACKS.data}.template.json`), "utf8"));
  const { Resources } = Template.parse(template);
  const found = Object.values(Resources).find(({ Type }) => Type === "AWS::DynamoDB::Table");
  const { TimeToLiveSpecification } = Table.parse(found?.Properties);
  const update = new UpdateTimeToLiveCommand({ TableName: table, TimeToLiveSpecification });
  await new DynamoDBClient().send(update);
}

async function runCdk(...parameters: string[]): Promise<void> {
  const running = promisify(execFile)(CDK, [...parameters, "--ci"], { cwd: ROOT, maxBuffer: MAX_OUTPUT_BYTES });
  endWithThisProcess(running.child);
  try {
    await running;
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    throw new Error(`cdk ${parameters[0]} failed:\n${`${stdout}${stderr}`.slice(-4_000)}`);
  }
}
