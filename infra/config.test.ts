import { readFileSync } from "node:fs";
import { RootConstruct } from "constructs";
import { describe, expect, it } from "vitest";
import { deploymentRows, readDeployment } from "./config.ts";

/** Context as CDK hands it down, without an app and its output folder. */
function read(context: Record<string, unknown>) {
  const { node } = new RootConstruct();
  for (const [key, value] of Object.entries(context)) node.setContext(key, value);
  return readDeployment(node);
}

describe("readDeployment", () => {
  it("takes the stage's defaults", () => {
    expect(read({})).toMatchObject({
      stage: "dev",
      removalPolicy: "destroy",
      searchInstanceCount: 1,
      allowedOrigins: [],
    });
    expect(read({ stage: "prod", alarmEmail: "operator@example.com" })).toMatchObject({
      removalPolicy: "retain",
      searchInstanceCount: 2,
    });
  });

  it("reads the strings of the command line", () => {
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
    ["stage", { stage: "staging" }],
    ["searchVolumeGb", { searchVolumeGb: "many" }],
    ["searchMasterCount", { searchMasterCount: 2 }],
    ["logRetentionDays", { logRetentionDays: 8 }],
    ["allowedOrigins", { allowedOrigins: "https://a.example/path" }],
    ["oauthRedirectUris", { oauthRedirectUris: "http://a.example/page" }],
    ["alarmEmail", { alarmEmail: "nobody" }],
    ["alarmEmail", { stage: "prod" }],
    ["searchEndpoint", { stage: "prod", alarmEmail: "operator@example.com", searchEndpoint: "http://localhost:9200" }],
    ["localEngines", { stage: "prod", alarmEmail: "operator@example.com", localEngines: true }],
    ["removalPolicy", { stage: "prod", alarmEmail: "operator@example.com", removalPolicy: "destroy" }],
  ])("refuses a bad %s by name", (key, context) => {
    expect(() => read(context)).toThrow(new RegExp(`→ at ${key}`));
  });
});

describe("infra/README.md", () => {
  it("documents every context key, its defaults and its meaning", () => {
    const readme = readFileSync(new URL("README.md", import.meta.url), "utf8");
    for (const { key, dev, prod, meaning } of deploymentRows()) {
      expect(readme).toContain(`| \`${key}\` | ${dev} | ${prod} | ${meaning} |`);
    }
  });
});
