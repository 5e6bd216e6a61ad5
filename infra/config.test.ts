import { describe, expect, it } from "vitest";
import { chatModelOf, deploymentRows, publicUrlOf, readDeployment } from "./config.ts";

/** Reads a deployment from context, which is undefined for a key that is not set, as in CDK. */
function read(context: Record<string, unknown>) {
  return readDeployment({ tryGetContext: (key) => context[key] });
}

const TABLE = "arn:aws:dynamodb:eu-central-1:123456789012:table/restored";
const STREAM = `${TABLE}/stream/2026-01-01T00:00:00.000`;

const certificateIn = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/of-the-api`;

describe("readDeployment", () => {
  it("uses the stage's defaults", () => {
    expect(read({})).toMatchObject({
      stage: "dev",
      removalPolicy: "destroy",
      searchInstanceCount: 1,
      allowedOrigins: [],
    });
    expect(read({ stage: "prod", alarmEmail: "operator@example.com" })).toMatchObject({
      production: true,
      size: "standard",
      removalPolicy: "retain",
      searchInstanceCount: 2,
      allowRegistration: false,
    });
  });

  it("accepts any stage, with the defaults of production for those that begin with prod", () => {
    for (const stage of ["maria", "pr-1234", "staging", "production"]) {
      expect(read({ stage })).toMatchObject({ stage, production: false, removalPolicy: "destroy", size: "minimal" });
    }
    const alarmEmail = "operator@example.com";
    expect(read({ stage: "prod-eu", alarmEmail })).toMatchObject({ production: true, removalPolicy: "retain" });
    expect(read({ stage: "acme", production: "true", alarmEmail })).toMatchObject({ rollout: "canary" });
  });

  it("picks nodes, zones, volumes, memory and alarms by size, each of which can be overridden", () => {
    const small = read({ stage: "prod", size: "small", alarmEmail: "operator@example.com" });
    expect(small).toMatchObject({
      searchInstanceType: "t3.small.search",
      searchInstanceCount: 3,
      searchZones: 3,
      searchMasterCount: 0,
      searchVolumeGb: 10,
      alarmScope: "stack",
      minMemoryMb: 512,
    });
    expect(read({ size: "standard" })).toMatchObject({ searchInstanceCount: 2, removalPolicy: "destroy" });
    expect(read({ size: "small", searchVolumeGb: "20" })).toMatchObject({ searchVolumeGb: 20, searchZones: 3 });
  });

  it("explains every problem in one line", () => {
    const context = { stage: "Prod", searchVolumeGb: "many", size: "huge" };
    expect(() => read(context)).toThrow(
      /^The options of the deployment are not valid: stage must consist of [^\n]+; size is not valid [^\n]+; searchVolumeGb [^\n]+\.$/,
    );
  });

  it("refuses a misspelt option, but no key of CDK itself", () => {
    const readAll = (all: Record<string, unknown>) =>
      readDeployment({ tryGetContext: (key) => all[key], getAllContext: () => all });
    expect(() => readAll({ alarmEmial: "operator@example.com" })).toThrow("alarmEmial is not an option");
    expect(readAll({ "aws:cdk:bundling-stacks": ["**"], "@aws-cdk/core:target-partitions": ["aws"] }).stage).toBe(
      "dev",
    );
  });

  it("parses the strings of the command line", () => {
    const given = {
      searchVolumeGb: "50",
      searchFineGrainedAccess: "false",
      allowedOrigins: "https://a.example,https://b.example",
    };
    expect(read(given)).toMatchObject({
      searchVolumeGb: 50,
      searchFineGrainedAccess: false,
      allowedOrigins: ["https://a.example", "https://b.example"],
    });
  });

  it.each([
    ["stage", { stage: "Staging" }],
    ["stage", { stage: "pr_12" }],
    ["stage", { stage: "pr-" }],
    ["stage", { stage: "fourteen-chars" }],
    ["production", { stage: "prod-eu", production: false }],
    ["size", { size: "large" }],
    ["size", { stage: "prod", alarmEmail: "operator@example.com", size: "minimal" }],
    ["searchZones", { searchZones: 3 }],
    ["searchVolumeGb", { searchVolumeGb: "many" }],
    ["searchMasterCount", { searchMasterCount: 2 }],
    ["logRetentionDays", { logRetentionDays: 8 }],
    ["allowedOrigins", { allowedOrigins: "https://a.example/path" }],
    ["allowedOrigins", { allowedOrigins: "a.example" }],
    ["oauthRedirectUris", { oauthRedirectUris: "http://a.example/page" }],
    ["oauthRedirectUris", { oauthRedirectUris: ["https://a.example/page,tail"] }],
    [
      "trustedProxies",
      { trustedProxies: 10, waf: true, customDomain: "api.example.com", certificateArn: certificateIn("us-east-1") },
    ],
    ["originSecretNumber", { originSecretNumber: 0 }],
    ["tableArn", { tableArn: "restored", tableStreamArn: STREAM }],
    ["tableArn", { tableArn: `${TABLE}/index/gsi1`, tableStreamArn: STREAM }],
    ["tableArn", { tableArn: "arn:aws:s3:::restored", tableStreamArn: STREAM }],
    ["tableStreamArn", { tableArn: TABLE }],
    ["tableStreamArn", { tableStreamArn: STREAM }],
    ["tableStreamArn", { tableArn: TABLE, tableStreamArn: TABLE }],
    ["tableStreamArn", { tableArn: TABLE, tableStreamArn: STREAM.replace("restored", "restored-2") }],
    ["tableStreamArn", { tableArn: TABLE, tableStreamArn: STREAM.replace("eu-central-1", "eu-west-1") }],
    ["bucketName", { bucketName: "arn:aws:s3:::restored" }],
    ["bucketName", { bucketName: "Restored" }],
    ["bucketName", { bucketName: "10.0.0.1" }],
    ["alarmEmail", { alarmEmail: "nobody" }],
    ["alarmEmail", { stage: "prod" }],
    ["searchEndpoint", { stage: "prod", alarmEmail: "operator@example.com", searchEndpoint: "http://localhost:9200" }],
    ["localEngines", { stage: "prod", alarmEmail: "operator@example.com", localEngines: true }],
    ["searchRoles", { searchRoles: "arn:aws:iam::123456789012:user/operator" }],
    ["searchService", { searchService: "serverless" }],
    ["rollout", { rollout: "slowly" }],
    ["natGateways", { vpc: true, natGateways: 0 }],
    ["customDomain", { customDomain: "https://api.example.com", certificateArn: certificateIn("eu-central-1") }],
    ["certificateArn", { customDomain: "api.example.com" }],
    ["certificateArn", { certificateArn: certificateIn("eu-central-1") }],
    ["certificateArn", { customDomain: "api.example.com", certificateArn: "the-one-in-the-console" }],
    ["hostedZoneId", { hostedZoneId: "Z0123456789ABC" }],
    ["waf", { waf: true }],
    ["certificateArn", { waf: true, customDomain: "api.example.com", certificateArn: certificateIn("eu-central-1") }],
    ["removalPolicy", { stage: "prod", alarmEmail: "operator@example.com", removalPolicy: "destroy" }],
  ])("names an invalid %s in its error", (key, context) => {
    expect(() => read(context)).toThrow(new RegExp(`[:;] ${key} `));
  });
});

describe("deploymentRows", () => {
  it("describe every context key with its defaults in both stages", () => {
    const rows = deploymentRows();
    for (const { key, meaning } of rows) expect(meaning, key).not.toBe("");
    expect(rows).toContainEqual(expect.objectContaining({ key: "rollout", dev: "at-once", prod: "canary" }));
  });
});

describe("chatModelOf", () => {
  it("is the inference profile of the region, unless a model is chosen", () => {
    expect(chatModelOf(read({}), "us-west-2")).toBe("us.amazon.nova-lite-v1:0");
    expect(chatModelOf(read({}), "eu-west-3")).toBe("eu.amazon.nova-lite-v1:0");
    expect(chatModelOf(read({}), "ap-southeast-2")).toBe("apac.amazon.nova-lite-v1:0");
    for (const region of ["eu-west-2", undefined]) expect(chatModelOf(read({}), region)).toBe("amazon.nova-lite-v1:0");
    expect(chatModelOf(read({ bedrockModel: "amazon.nova-pro-v1:0" }), "us-west-2")).toBe("amazon.nova-pro-v1:0");
  });
});

describe("publicUrlOf", () => {
  const customDomain = "api.example.com";
  const certificateArn = certificateIn("eu-central-1");

  it("is the custom host name, unless a public URL is configured", () => {
    expect(publicUrlOf(read({ customDomain, certificateArn }))).toBe("https://api.example.com");
    const publicUrl = "https://www.example.com/memory";
    expect(publicUrlOf(read({ customDomain, certificateArn, publicUrl }))).toBe(publicUrl);
    expect(publicUrlOf(read({}))).toBeUndefined();
  });
});
