import {
  AccessDeniedException,
  BedrockRuntimeClient,
  ConverseCommand,
  InvokeModelCommand,
} from "@aws-sdk/client-bedrock-runtime";
import { DescribeLimitsCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { GetAccountSettingsCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { ListInstanceTypeDetailsCommand, OpenSearchClient } from "@aws-sdk/client-opensearch";
import { GetAccountCommand, GetEmailIdentityCommand, SESv2Client } from "@aws-sdk/client-sesv2";
import { mockClient } from "aws-sdk-client-mock";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readDeployment } from "../config.ts";
import { CHECKS, findingOf } from "./checks.ts";

const bedrock = mockClient(BedrockRuntimeClient);
const dynamodb = mockClient(DynamoDBClient);
const lambda = mockClient(LambdaClient);
const opensearch = mockClient(OpenSearchClient);
const ses = mockClient(SESv2Client);

beforeEach(() => {
  vi.stubEnv("AWS_REGION", "eu-central-1");
  for (const client of [bedrock, dynamodb, lambda, opensearch, ses]) client.reset();
});
afterEach(() => vi.unstubAllEnvs());

/** The result and the text of one check for a deployment with these options. */
async function run(name: string, context: Record<string, unknown> = {}): Promise<string> {
  const check = CHECKS.find((each) => each.name === name);
  if (check === undefined) throw new Error(`no check is named ${name}`);
  const { result, text } = await findingOf(check, readDeployment({ tryGetContext: (key) => context[key] }));
  return `${result}: ${text}`;
}

/** An answer of the embedding model with a vector of this length. */
function vectorOf(length: number) {
  const body = new TextEncoder().encode(JSON.stringify({ embedding: Array(length).fill(0) }));
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own type of a body has methods that no code here calls
  return { body } as any;
}

describe("the check of", () => {
  it("the language model calls it as the service does", async () => {
    bedrock.on(ConverseCommand).resolves({});
    expect(await run("language model")).toBe("ok: eu.amazon.nova-lite-v1:0 answers");
    expect(await run("language model", { bedrockModel: "amazon.nova-pro-v1:0" })).toBe(
      "ok: amazon.nova-pro-v1:0 answers",
    );
    expect(bedrock.commandCalls(ConverseCommand)[0]?.args[0].input).toMatchObject({
      inferenceConfig: { maxTokens: 8_000 },
      toolConfig: { tools: [{}] },
    });
    expect(await run("language model", { languageModel: "built-in" })).toMatch(/^ok: not used/);
  });

  it("the language model says what is missing", async () => {
    const refused = { message: "You don't have access to the model.", $metadata: {} };
    bedrock.on(ConverseCommand).rejects(new AccessDeniedException(refused));
    expect(await run("language model")).toBe(
      "failed: AccessDeniedException: You don't have access to the model.: grant these credentials the call, or the account the model",
    );
  });

  it("the embedding model compares dimensions", async () => {
    bedrock.on(InvokeModelCommand).resolves(vectorOf(1024));
    expect(await run("embedding model")).toMatch(/^ok: .* returns 1024 dimensions$/);
    expect(await run("embedding model", { embeddingDimensions: 256 })).toMatch(
      /^failed: .* returns 1024 dimensions: set/,
    );
    expect(await run("embedding model", { embedder: "lexical" })).toMatch(/^ok: not used/);
  });

  it("concurrent executions warns of the limit of a new account", async () => {
    lambda.on(GetAccountSettingsCommand).resolves({ AccountLimit: { ConcurrentExecutions: 1000 } });
    expect(await run("concurrent executions")).toBe("ok: 1000 of Lambda");
    lambda.on(GetAccountSettingsCommand).resolves({ AccountLimit: { ConcurrentExecutions: 10 } });
    expect(await run("concurrent executions")).toMatch(/^warning: Lambda allows only 10: request 100 /);
  });

  it("mail finds an unverified sender and the sandbox", async () => {
    const mailSender = "memory@example.com";
    ses.on(GetEmailIdentityCommand).resolves({ VerifiedForSendingStatus: true });
    ses.on(GetAccountCommand).resolves({ ProductionAccessEnabled: true, SendingEnabled: true });
    expect(await run("mail", { mailSender })).toBe("ok: SES sends from memory@example.com");
    expect(await run("mail")).toMatch(/^warning: no mail is sent/);
    ses.on(GetAccountCommand).resolves({ ProductionAccessEnabled: false, SendingEnabled: true });
    expect(await run("mail", { mailSender })).toMatch(/^warning: SES is in its sandbox/);
    ses.on(GetAccountCommand).resolves({ ProductionAccessEnabled: true, SendingEnabled: false });
    expect(await run("mail", { mailSender })).toMatch(/^failed: SES has suspended/);
    ses.on(GetEmailIdentityCommand).resolves({ VerifiedForSendingStatus: false });
    expect(await run("mail", { mailSender })).toBe("failed: memory@example.com is not verified in SES");
  });

  it("search nodes asks for the data nodes and the managers of the size", async () => {
    opensearch.on(ListInstanceTypeDetailsCommand).resolves({ InstanceTypeDetails: [] });
    const offered = (InstanceType: "t3.small.search" | "r6g.large.search") =>
      opensearch
        .on(ListInstanceTypeDetailsCommand, { InstanceType })
        .resolves({ InstanceTypeDetails: [{ InstanceType }] });
    offered("t3.small.search");
    expect(await run("search nodes")).toBe("ok: this region offers t3.small.search");
    offered("r6g.large.search");
    expect(await run("search nodes", { size: "standard", searchInstanceType: "r6g.large.search" })).toMatch(
      /^failed: this region does not offer m7g\.medium\.search/,
    );
  });

  it("write capacity reads the limits of a table", async () => {
    dynamodb.on(DescribeLimitsCommand).resolves({ TableMaxWriteCapacityUnits: 40_000 });
    expect(await run("write capacity")).toBe("ok: 40000 units of a table");
    dynamodb.on(DescribeLimitsCommand).resolves({ TableMaxWriteCapacityUnits: 10_000 });
    expect(await run("write capacity")).toMatch(/^warning: a table is limited to 10000 write units/);
  });
});
