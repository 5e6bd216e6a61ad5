import { beforeAll, describe, expect, it } from "vitest";
import {
  type CfnTemplate,
  onlyResource,
  PROD,
  type Resource,
  resourcesOf,
  type StackName,
  type Synthesized,
  synthesize,
} from "./synth.ts";

/** Stacks that consist of code, and change with it. */
const OF_CODE: StackName[] = ["workers", "api", "observability"];

const OPERATOR = "arn:aws:iam::123456789012:role/operators/of-the-service";

let dev: Synthesized;
let prod: Synthesized;

beforeAll(async () => {
  const context = { alarmEmail: "developer@example.com", backupDays: 7, searchRoles: OPERATOR };
  dev = await synthesize(context, { standInsOnly: true });
  prod = await synthesize(PROD, { standInsOnly: true });
});

function stages(): [string, Synthesized["templates"]][] {
  return [
    ["dev", dev.templates],
    ["prod", prod.templates],
  ];
}

/** The values that a template imports with a CloudFormation function. */
function importsOf(fn: string, value: unknown): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === fn ? [inner] : importsOf(fn, inner)));
}

function physicalNames(type: string, property: string, ...templates: CfnTemplate[]): unknown[] {
  return resourcesOf(type, ...templates).map(([, { Properties }]) => Properties[property]);
}

/** The dimensions of an alarm's metric, or of all metrics of its expression. */
function dimensionsOf({ Dimensions = [], Metrics = [] }: Resource["Properties"]): { Name: string; Value: unknown }[] {
  return [
    ...Dimensions,
    ...Metrics.flatMap((each: Resource["Properties"]) => each.MetricStat?.Metric.Dimensions ?? []),
  ];
}

describe("stacks of code", () => {
  it("import only from the data stack, so that any worker, queue or group can be removed", () => {
    for (const [stage, templates] of stages()) {
      for (const name of OF_CODE) {
        const imported = importsOf("Fn::ImportValue", templates[name]).map(String);
        expect(imported.length, name).toBeGreaterThan(0);
        for (const each of imported) expect(each, name).toMatch(new RegExp(`^memory-service-${stage}-data:`));
        for (const [id, output] of Object.entries(templates[name].Outputs ?? {})) {
          expect(output, `${name}: ${id}`).not.toHaveProperty("Export");
        }
      }
    }
  });

  it("read no outputs of each other except the API's id for API Gateway", () => {
    for (const [, templates] of stages()) {
      for (const name of ["workers", "api"] as const)
        expect(importsOf("Fn::GetStackOutput", templates[name])).toEqual([]);
      const [[api]] = resourcesOf("AWS::ApiGatewayV2::Api", templates.api) as [[string, unknown]];
      const outputs = importsOf("Fn::GetStackOutput", templates.observability) as { OutputName: string }[];
      const found = outputs.map(({ OutputName }) => templates.api.Outputs?.[OutputName]?.Value);
      expect(found.length).toBeGreaterThan(0);
      for (const each of found) expect(each).toEqual({ Ref: api });
    }
  });

  it("send messages only to existing queues", () => {
    for (const [, { api, workers }] of stages()) {
      const queues = physicalNames("AWS::SQS::Queue", "QueueName", workers);
      expect(new Set(queues).size).toBe(queues.length);
      const policies = resourcesOf("AWS::IAM::Policy", api, workers).map(([, policy]) => JSON.stringify(policy));
      const named = policies.flatMap((policy) => [...policy.matchAll(/:sqs:.*?:(memory-service-[\w-]+)"/g)]);
      expect(named.length).toBeGreaterThan(0);
      for (const [, queue] of named) expect(queues).toContain(queue);
    }
  });

  it("monitor only existing functions and queues", () => {
    for (const [, { api, workers, observability }] of stages()) {
      const there: Record<string, unknown[]> = {
        FunctionName: physicalNames("AWS::Lambda::Function", "FunctionName", api, workers),
        QueueName: physicalNames("AWS::SQS::Queue", "QueueName", workers),
      };
      const watched = resourcesOf("AWS::CloudWatch::Alarm", observability).flatMap(([, { Properties }]) =>
        dimensionsOf(Properties),
      );
      for (const [dimension, names] of Object.entries(there)) {
        const values = watched.filter(({ Name }) => Name === dimension).map(({ Value }) => Value);
        expect(values.length, dimension).toBeGreaterThan(0);
        for (const value of values) expect(names, dimension).toContain(value);
      }
    }
  });

  it("call the function that grants access to search by its name", () => {
    for (const [stage, { api, workers }] of stages()) {
      const name = `memory-service-${stage}-SearchAccess`;
      expect(physicalNames("AWS::Lambda::Function", "FunctionName", workers)).toContain(name);
      const [token] = physicalNames("Custom::SearchRole", "ServiceToken", api);
      expect(JSON.stringify(token)).toMatch(new RegExp(`:lambda:.*:function:${name}"`));
    }
  });
});

describe("inside OpenSearch", () => {
  it("only the configured IAM roles of operators get access", () => {
    const members = (template: CfnTemplate) => onlyResource("Custom::SearchRole", template).Properties.Members;
    const strangers = (template: CfnTemplate) =>
      members(template).filter((member: unknown) => typeof member === "string");
    expect(strangers(dev.templates.workers)).toEqual([OPERATOR]);
    expect(members(dev.templates.workers).length).toBeGreaterThan(1);
    expect(strangers(prod.templates.workers)).toEqual([]);
  });
});

describe("a stack that contains data", () => {
  it("can be emptied if it is deleted with its stack, and keeps its backups otherwise", () => {
    const vault = (service: Synthesized) => onlyResource("AWS::Backup::BackupVault", service.templates.data).Properties;
    expect(vault(dev).AccessPolicy).toBeUndefined();
    expect(JSON.stringify(vault(prod).AccessPolicy)).toContain("backup:DeleteRecoveryPoint");
  });

  it("deletes markers of objects that were deleted long ago", () => {
    const { Rules } = onlyResource("AWS::S3::Bucket", prod.templates.data).Properties.LifecycleConfiguration;
    expect(Rules).toEqual([expect.objectContaining({ ExpiredObjectDeleteMarker: true, Status: "Enabled" })]);
  });

  it("shows in prod which keys of the table and of each index are throttled", () => {
    const insights = (service: Synthesized) => {
      const { Properties } = onlyResource("AWS::DynamoDB::Table", service.templates.data);
      return [Properties, ...Properties.GlobalSecondaryIndexes].map((each) => each.ContributorInsightsSpecification);
    };
    expect(insights(prod)).toEqual(Array(4).fill({ Enabled: true, Mode: "THROTTLED_KEYS" }));
    expect(insights(dev)).toEqual(Array(4).fill(undefined));
  });
});
