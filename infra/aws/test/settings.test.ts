import { beforeAll, expect, it } from "vitest";
import cdk from "../../../cdk.json" with { type: "json" };
import { configRows, loadConfig } from "../../../shared/entry/config.ts";
import { readDeployment } from "../../config.ts";
import { resourcesOf, synthesize } from "./synth.ts";

/** Context keys that become settings of the functions: the variable of each, and a value that is valid for both. */
const SETTINGS: Record<string, { variable: string; good: string }> = {
  languageModel: { variable: "LANGUAGE_MODEL", good: "built-in" },
  languageModelWhen: { variable: "LANGUAGE_MODEL_WHEN", good: "unsure" },
  embedder: { variable: "EMBEDDER", good: "lexical" },
  bedrockModel: { variable: "BEDROCK_MODEL", good: "amazon.nova-pro-v1:0" },
  defaultPlan: { variable: "DEFAULT_PLAN", good: "pro" },
  allowRegistration: { variable: "ALLOW_REGISTRATION", good: "false" },
  signingRotationDays: { variable: "SIGNING_ROTATION_DAYS", good: "3650" },
  auditRetentionDays: { variable: "AUDIT_RETENTION_DAYS", good: "3650" },
  trustedProxies: { variable: "TRUSTED_PROXIES", good: "10" },
  publicUrl: { variable: "PUBLIC_URL", good: "https://memory.example.com" },
  oauthRedirectUris: {
    variable: "OAUTH_REDIRECT_URIS",
    good: "https://a.example/page,http://localhost:3000/page",
  },
  googleClientId: { variable: "GOOGLE_CLIENT_ID", good: "client-at-google" },
  githubClientId: { variable: "GITHUB_CLIENT_ID", good: "client-at-github" },
  githubUrl: { variable: "GITHUB_URL", good: "https://github.example.com" },
  githubApiUrl: { variable: "GITHUB_API_URL", good: "https://github.example.com/api/v3" },
  notionClientId: { variable: "NOTION_CLIENT_ID", good: "client-at-notion" },
  slackClientId: { variable: "SLACK_CLIENT_ID", good: "client-at-slack" },
  mailSender: { variable: "MAIL_FROM", good: "service@example.com" },
  logLevel: { variable: "LOG_LEVEL", good: "warn" },
};

/** Set by the deployment, regardless of the context. */
const FIXED = ["PLATFORM"];

/** Values that are invalid for some settings. */
const CANDIDATES = [
  ...["-1", "0", "0.5", "1", "9", "10", "11", "3650", "3651", "4000", "1e9", "many", "true", "yes", " "],
  ...["pro", "built-in", "lexical", "openai", "debug", "silly", "no url", "/path", "mailto:somebody@example.com"],
  ...["http://a.example/page", "https://a.example/page?next=1", "https://a.example/page#top", "ftp://a.example/page"],
  ...["https://user@a.example/page", "https://a.example/page,http://b.example/page", "https://a.example/page, b"],
];

function deploymentWith(given: Record<string, string>) {
  const context: Record<string, unknown> = { ...cdk.context, ...given };
  return readDeployment({ tryGetContext: (key: string) => context[key] });
}

function isAccepted(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

/** Variables of all functions of a deployment with every context key. */
let variables: Record<string, unknown>;

beforeAll(async () => {
  const context = Object.fromEntries(Object.entries(SETTINGS).map(([key, { good }]) => [key, good]));
  const { templates } = await synthesize(context, { standInsOnly: true });
  const functions = resourcesOf("AWS::Lambda::Function", ...Object.values(templates));
  variables = Object.assign({}, ...functions.map(([, { Properties }]) => Properties.Environment?.Variables));
});

it("this test covers every setting that a deployment passes to its functions", () => {
  const settings = configRows().map(({ name }) => name);
  const given = Object.keys(variables).filter((name) => settings.includes(name));
  expect(new Set(given)).toEqual(new Set([...Object.values(SETTINGS).map(({ variable }) => variable), ...FIXED]));
});

it.each(Object.entries(SETTINGS))(
  "a deployment passes %s to functions in the format that they read",
  (_key, { variable, good }) => {
    expect(variables[variable]).toBe(good);
    expect(isAccepted(() => loadConfig({ [variable]: good }))).toBe(true);
  },
);

it.each(Object.entries(SETTINGS))(
  "a deployment refuses a %s with which functions would not start",
  (key, { variable }) => {
    for (const value of CANDIDATES.filter((each) => !isAccepted(() => loadConfig({ [variable]: each })))) {
      expect(() => deploymentWith({ [key]: value }), value).toThrow(new RegExp(`[:;] ${key} `));
    }
  },
);
