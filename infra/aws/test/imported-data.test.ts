import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { TABLE_INDEXES } from "../../../shared/adapters/aws/table.ts";
import { allResources, onlyResource, PROD, resourcesOf, type Synthesized, synthesize, templatesOf } from "./synth.ts";

const TABLE = "arn:aws:dynamodb:eu-central-1:123456789012:table/restored-table";
const STREAM = `${TABLE}/stream/2026-01-01T00:00:00.000`;
const BUCKET = "restored-bucket";
const IMPORTED = { tableArn: TABLE, tableStreamArn: STREAM, bucketName: BUCKET };

interface Statement {
  Action: string | string[];
  Resource: unknown;
}

let made: Synthesized;
let imported: Synthesized;

beforeAll(async () => {
  made = await synthesize(PROD);
  imported = await synthesize({ ...PROD, ...IMPORTED });
});
afterEach(() => vi.unstubAllEnvs());

/** The resources that policies allow for an action, each as text. */
function resourcesFor(service: Synthesized, prefix: string): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [, { Properties }] of allResources("AWS::IAM::Policy", service)) {
    for (const { Action, Resource } of Properties.PolicyDocument.Statement as Statement[]) {
      for (const action of [Action].flat().filter((each) => each.startsWith(prefix))) {
        const resources = [Resource].flat().map((each) => JSON.stringify(each));
        found.set(action, [...(found.get(action) ?? []), ...resources]);
      }
    }
  }
  return found;
}

describe("an existing table and bucket", () => {
  it("are created by no stack, and no stack refers to the tables and buckets of another", () => {
    for (const type of ["AWS::DynamoDB::Table", "AWS::S3::Bucket"]) {
      expect(resourcesOf(type, made.templates.data)).toHaveLength(1);
      expect(resourcesOf(type, imported.templates.data)).toEqual([]);
    }
    expect(JSON.stringify(templatesOf(imported))).not.toMatch(/ExportsOutput\w*(?:Table|Bucket)/);
    expect(imported.remarks).toEqual([]);
  });

  it("are configured in every function that needs one", () => {
    const variables = (service: Synthesized, name: string) =>
      allResources("AWS::Lambda::Function", service).flatMap(([id, { Properties }]) => {
        const value = Properties.Environment?.Variables?.[name];
        return value === undefined ? [] : [[id, value]];
      });
    for (const [name, value] of [
      ["TABLE_NAME", "restored-table"],
      ["BUCKET_NAME", BUCKET],
    ] as const) {
      const before = variables(made, name);
      expect(before.length, name).toBeGreaterThan(10);
      expect(variables(imported, name), name).toEqual(before.map(([id]) => [id, value]));
    }
  });

  it("are the only ones in policies: the table, its indexes and its stream, the bucket and its objects", () => {
    const expected = { table: `"${TABLE}"`, stream: `"${STREAM}"`, exports: `"${TABLE}/export/*"` };
    const indexes = TABLE_INDEXES.map(({ name }) => `"${TABLE}/index/${name}"`);
    const granted = resourcesFor(imported, "dynamodb:");
    const before = resourcesFor(made, "dynamodb:");
    expect([...granted.keys()].sort()).toEqual([...before.keys()].sort());
    for (const [action, resources] of granted) {
      expect(resources.length, action).toBe(before.get(action)?.length);
      for (const resource of resources) {
        expect([expected.table, expected.stream, expected.exports, ...indexes, '"*"'], action).toContain(resource);
      }
    }
    expect(new Set(granted.get("dynamodb:Query"))).toEqual(new Set([expected.table, ...indexes]));
    expect(new Set(granted.get("dynamodb:GetRecords"))).toEqual(new Set([expected.stream]));
    const objects = resourcesFor(imported, "s3:");
    expect(objects.size).toBeGreaterThan(3);
    for (const [action, resources] of objects) {
      expect(resources.length, action).toBe(resourcesFor(made, "s3:").get(action)?.length);
      for (const resource of resources)
        expect(resource, action).toMatch(new RegExp(`:s3:::${BUCKET}(/(backups/exports/)?\\*)?"`));
    }
  });

  it("feed every consumer of the change feed from the table's stream", () => {
    const streams = ({ templates }: Synthesized) =>
      resourcesOf("AWS::Lambda::EventSourceMapping", templates.workers)
        .filter(([, { Properties }]) => Properties.StartingPosition !== undefined)
        .map(([id, { Properties }]) => [id, Properties.EventSourceArn]);
    expect(streams(made).length).toBeGreaterThan(1);
    expect(streams(imported)).toEqual(streams(made).map(([id]) => [id, STREAM]));
  });

  it("are monitored, shown on the dashboard and backed up every night", () => {
    const throttles = resourcesOf("AWS::CloudWatch::Alarm", imported.templates.observability)
      .map(([, alarm]) => JSON.stringify(alarm.Properties))
      .filter((alarm) => alarm.includes("AWS/DynamoDB"));
    expect(throttles.length).toBeGreaterThan(1);
    for (const alarm of throttles) expect(alarm).toContain('"restored-table"');
    const dashboard = onlyResource("AWS::CloudWatch::Dashboard", imported.templates.observability);
    expect(JSON.stringify(dashboard.Properties)).toContain("restored-table");
    const { Resources } = onlyResource("AWS::Backup::BackupSelection", imported.templates.data).Properties
      .BackupSelection;
    const [table, bucket] = (Resources as unknown[]).map((each) => JSON.stringify(each));
    expect(table).toBe(`"${TABLE}"`);
    expect(bucket).toContain(`:s3:::${BUCKET}`);
    expect(imported.templates.data.Outputs).toMatchObject({
      TableName: { Value: "restored-table" },
      BucketName: { Value: BUCKET },
    });
  });

  it("can be configured separately", async () => {
    const { bucketName, ...table } = IMPORTED;
    const { templates } = await synthesize({ ...PROD, ...table }, { standInsOnly: true });
    expect(resourcesOf("AWS::DynamoDB::Table", templates.data)).toEqual([]);
    expect(resourcesOf("AWS::S3::Bucket", templates.data)).toHaveLength(1);
    const other = await synthesize({ ...PROD, bucketName }, { standInsOnly: true });
    expect(resourcesOf("AWS::DynamoDB::Table", other.templates.data)).toHaveLength(1);
    expect(resourcesOf("AWS::S3::Bucket", other.templates.data)).toEqual([]);
  });

  it.each([
    ["CDK_DEFAULT_REGION", "us-east-1", /tableArn is of the region eu-central-1, and the stack of us-east-1/],
    ["CDK_DEFAULT_ACCOUNT", "999999999999", /tableArn is of the account 123456789012, and the stack of 999999999999/],
  ])("must be in the region and account of the stacks: %s", async (name, value, reason) => {
    vi.stubEnv("CDK_DEFAULT_REGION", "eu-central-1");
    vi.stubEnv("CDK_DEFAULT_ACCOUNT", "123456789012");
    await synthesize({ ...PROD, ...IMPORTED }, { standInsOnly: true });
    vi.stubEnv(name, value);
    await expect(synthesize({ ...PROD, ...IMPORTED }, { standInsOnly: true })).rejects.toThrow(reason);
  });
});
