import { beforeAll, describe, expect, it } from "vitest";
import { describeCost, monthlyCostOf } from "../monthly-cost.ts";
import {
  documentedCosts,
  onlyResource,
  PROD,
  resourcesOf,
  type Synthesized,
  synthesize,
  templatesOf,
} from "./synth.ts";

const STAND_INS = { standInsOnly: true } as const;

let minimal: Synthesized;
let small: Synthesized;
let standard: Synthesized;

beforeAll(async () => {
  minimal = await synthesize({ stage: "pr-1234", alarmEmail: "developer@example.com" }, STAND_INS);
  small = await synthesize({ ...PROD, size: "small" });
  standard = await synthesize(
    { ...PROD, stage: "prod-eu", vpc: true, searchInstanceCount: 3, searchZones: 3 },
    STAND_INS,
  );
});

const domainOf = ({ templates }: Synthesized) =>
  onlyResource("AWS::OpenSearchService::Domain", templates.data).Properties;
const alarmsOf = ({ templates }: Synthesized) => resourcesOf("AWS::CloudWatch::Alarm", templates.observability);

describe("a stage with any name", () => {
  it("has its name in all of its stacks, queues, functions and its domain", () => {
    expect(domainOf(minimal).DomainName).toBe("memory-service-pr-1234");
    for (const [type, property] of [
      ["AWS::SQS::Queue", "QueueName"],
      ["AWS::Lambda::Function", "FunctionName"],
    ] as const) {
      for (const [id, { Properties }] of resourcesOf(type, ...templatesOf(minimal)))
        expect(Properties[property], id).toMatch(/^memory-service-pr-1234-/);
    }
  });

  it("that begins with prod has the protection of production and a name of its own", () => {
    expect(onlyResource("AWS::DynamoDB::Table", standard.templates.data).Properties.DeletionProtectionEnabled).toBe(
      true,
    );
    expect(domainOf(standard).DomainName).toBe("memory-service-prod-eu");
    expect(resourcesOf("AWS::KMS::Key", standard.templates.data)).toHaveLength(1);
  });
});

describe("a small deployment", () => {
  it("has three small nodes in three zones, of which any two elect the manager", () => {
    expect(domainOf(small)).toMatchObject({
      ClusterConfig: {
        InstanceType: "t3.small.search",
        InstanceCount: 3,
        DedicatedMasterEnabled: false,
        ZoneAwarenessEnabled: true,
        ZoneAwarenessConfig: { AvailabilityZoneCount: 3 },
      },
      EBSOptions: { VolumeSize: 10 },
    });
  });

  it("has no alarms of single functions, but one for up to ten workers and one for throttles", () => {
    const ids = alarmsOf(small).map(([id]) => id);
    expect(ids.length).toBeLessThan(57);
    expect(ids.filter((id) => /throttles/.test(id))).toHaveLength(3);
    const together = alarmsOf(small).filter(([id]) => id.includes("workererrors"));
    const watched = together.flatMap(([, { Properties }]) =>
      Properties.Metrics.filter((each: object) => "MetricStat" in each).map(
        (each: { MetricStat: { Metric: { Dimensions: { Value: string }[] } } }) =>
          each.MetricStat.Metric.Dimensions[0]?.Value,
      ),
    );
    expect(watched).toHaveLength(small.workers.length);
    for (const [, { Properties }] of together) expect(Properties.Metrics.length).toBeLessThanOrEqual(11);
  });

  it("rejects registrations and reports a budget, as every deployment in production", () => {
    for (const service of [small, standard]) {
      const variables = resourcesOf("AWS::Lambda::Function", service.templates.api)
        .map(([, { Properties }]) => Properties.Environment?.Variables.ALLOW_REGISTRATION)
        .filter((value) => value !== undefined);
      expect(new Set(variables)).toEqual(new Set(["false"]));
      const { Budget, NotificationsWithSubscribers } = onlyResource(
        "AWS::Budgets::Budget",
        service.templates.observability,
      ).Properties;
      expect(Budget.BudgetLimit).toEqual({ Amount: service === small ? 200 : 1000, Unit: "USD" });
      expect(NotificationsWithSubscribers).toHaveLength(2);
    }
    expect(resourcesOf("AWS::Budgets::Budget", minimal.templates.observability)).toEqual([]);
  });
});

it("three zones in a VPC have a subnet each, and the domain one node in each", () => {
  expect(domainOf(standard).VPCOptions.SubnetIds).toHaveLength(3);
  expect(domainOf(standard).ClusterConfig.ZoneAwarenessConfig).toEqual({ AvailabilityZoneCount: 3 });
});

it("functions that answer requests have the minimum memory of the size, others that of their manifest", () => {
  const memory = ({ templates }: Synthesized) =>
    Math.min(
      ...resourcesOf("AWS::Lambda::Function", templates.api)
        .filter(([, { Properties }]) => Properties.Environment?.Variables.PUBLIC_URL !== undefined)
        .map(([, { Properties }]) => Properties.MemorySize),
    );
  expect([minimal, small, standard].map(memory)).toEqual([256, 512, 1024]);
});

describe("throttle alarms", () => {
  it("watch the table and each of its indexes", () => {
    for (const kind of ["read", "write"]) {
      const [, { Properties }] = alarmsOf(small).find(([id]) => id.includes(`table${kind}throttles`))!;
      const indexes = Properties.Metrics.flatMap(
        (each: { MetricStat?: { Metric: { Dimensions: { Name: string; Value: unknown }[] } } }) =>
          (each.MetricStat?.Metric.Dimensions ?? []).filter(({ Name }) => Name === "GlobalSecondaryIndexName"),
      ).map(({ Value }: { Value: unknown }) => Value);
      expect(indexes).toEqual(["gsi1", "gsi2", "gsi3"]);
    }
  });
});

describe("the monthly cost", () => {
  it("of a small deployment is less than 100 dollars", () => {
    expect(monthlyCostOf(templatesOf(small)).total).toBeLessThan(100);
    // The stand-ins cost a little, too.
    expect(Math.abs(documentedCosts().small - monthlyCostOf(templatesOf(small)).total)).toBeLessThan(4);
  });

  it("names what it is made of, and nodes without a known price", async () => {
    expect(describeCost(monthlyCostOf(templatesOf(small)))).toMatch(
      /^about \$9\d a month without requests and data \(OpenSearch nodes 79, Their volumes 4, /,
    );
    const other = await synthesize({ searchInstanceType: "r8g.large.search" }, STAND_INS);
    expect(describeCost(monthlyCostOf(templatesOf(other)))).toMatch(/, without r8g\.large\.search$/);
  });
});
