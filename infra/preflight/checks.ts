import { BedrockRuntimeClient, ConverseCommand, InvokeModelCommand } from "@aws-sdk/client-bedrock-runtime";
import { DescribeLimitsCommand, DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { GetAccountSettingsCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { ListInstanceTypeDetailsCommand, OpenSearchClient } from "@aws-sdk/client-opensearch";
import { GetAccountCommand, GetEmailIdentityCommand, SESv2Client } from "@aws-sdk/client-sesv2";
import { MAX_ANSWER_TOKENS } from "../../shared/adapters/aws/bedrock-model.ts";
import { chatModelOf, type Deployment, usesEmbedder } from "../config.ts";

/** Below it, a few slow requests and the workers take all executions; new accounts may start with 10. */
const MIN_CONCURRENCY = 100;
/** Less than on-demand tables of an account have by default. */
const MIN_WRITE_UNITS = 40_000;
const ENGINE = "OpenSearch_2.19";

export interface Finding {
  /** `failed` prevents the service from working; `warning` limits it. */
  result: "ok" | "warning" | "failed";
  /** What was found and, if it is not ok, what to do. */
  text: string;
}

export interface Check {
  name: string;
  run(deployment: Deployment): Promise<Finding>;
}

const ok = (text: string): Finding => ({ result: "ok", text });
const warning = (text: string): Finding => ({ result: "warning", text });
const failed = (text: string): Finding => ({ result: "failed", text });

/** What a deployment needs of its account and region. Each check makes one or two calls, and changes nothing. */
export const CHECKS: Check[] = [
  {
    name: "language model",
    async run(deployment) {
      const { languageModel } = deployment;
      if (languageModel !== "bedrock") return ok(`not used: the language model is ${languageModel}`);
      const client = new BedrockRuntimeClient();
      const modelId = chatModelOf(deployment, await client.config.region());
      // With a tool and the maximum of tokens, as the service asks it.
      await client.send(
        new ConverseCommand({
          modelId,
          messages: [{ role: "user", content: [{ text: "Call the tool with an empty object." }] }],
          inferenceConfig: { maxTokens: MAX_ANSWER_TOKENS, temperature: 0 },
          toolConfig: { tools: [{ toolSpec: { name: "answer", inputSchema: { json: { type: "object" } } } }] },
        }),
      );
      return ok(`${modelId} answers`);
    },
  },
  {
    name: "embedding model",
    async run(deployment) {
      const { bedrockEmbeddingModel: modelId, embeddingDimensions: dimensions } = deployment;
      if (!usesEmbedder(deployment, "bedrock")) return ok(`not used: the embedder is ${deployment.embedder}`);
      const body = JSON.stringify({ inputText: "preflight", dimensions, normalize: true });
      const request = { modelId, contentType: "application/json", accept: "application/json", body };
      const answer = await new BedrockRuntimeClient().send(new InvokeModelCommand(request));
      const { embedding = [] } = JSON.parse(Buffer.from(answer.body).toString("utf8"));
      if (embedding.length === dimensions) return ok(`${modelId} returns ${dimensions} dimensions`);
      return failed(
        `${modelId} returns ${embedding.length} dimensions: set embeddingDimensions to one that it supports`,
      );
    },
  },
  {
    name: "concurrent executions",
    async run() {
      const { AccountLimit } = await new LambdaClient().send(new GetAccountSettingsCommand());
      const limit = AccountLimit?.ConcurrentExecutions ?? 0;
      if (limit >= MIN_CONCURRENCY) return ok(`${limit} of Lambda`);
      return warning(`Lambda allows only ${limit}: request ${MIN_CONCURRENCY} or more in Service Quotas`);
    },
  },
  {
    name: "mail",
    async run({ mailSender }) {
      if (mailSender === undefined) return warning("no mail is sent, such as resets of passwords: set mailSender");
      const ses = new SESv2Client();
      const [account, identity] = await Promise.all([
        ses.send(new GetAccountCommand()),
        ses.send(new GetEmailIdentityCommand({ EmailIdentity: mailSender })),
      ]);
      if (!identity.VerifiedForSendingStatus) return failed(`${mailSender} is not verified in SES`);
      if (!account.SendingEnabled) return failed("SES has suspended sending for this account");
      if (account.ProductionAccessEnabled) return ok(`SES sends from ${mailSender}`);
      return warning("SES is in its sandbox and sends only to verified addresses: request production access");
    },
  },
  {
    name: "search nodes",
    async run({ searchInstanceType, searchMasterInstanceType, searchMasterCount }) {
      const types = [searchInstanceType, ...(searchMasterCount > 0 ? [searchMasterInstanceType] : [])];
      const client = new OpenSearchClient();
      const offered = await Promise.all(types.map((type) => isOffered(client, type)));
      const missing = types.filter((_type, index) => !offered[index]);
      if (missing.length === 0) return ok(`this region offers ${types.join(" and ")}`);
      return failed(`this region does not offer ${missing.join(" and ")}: choose another type`);
    },
  },
  {
    name: "write capacity",
    async run() {
      const { TableMaxWriteCapacityUnits = 0 } = await new DynamoDBClient().send(new DescribeLimitsCommand());
      if (TableMaxWriteCapacityUnits >= MIN_WRITE_UNITS) return ok(`${TableMaxWriteCapacityUnits} units of a table`);
      return warning(`a table is limited to ${TableMaxWriteCapacityUnits} write units: request ${MIN_WRITE_UNITS}`);
    },
  },
];

async function isOffered(client: OpenSearchClient, InstanceType: string): Promise<boolean> {
  const { InstanceTypeDetails = [] } = await client.send(
    new ListInstanceTypeDetailsCommand({ EngineVersion: ENGINE, InstanceType }),
  );
  return InstanceTypeDetails.some((each) => each.InstanceType === InstanceType);
}

/** The finding of a check; a call that AWS refuses is one too. */
export async function findingOf(check: Check, deployment: Deployment): Promise<Finding> {
  try {
    return await check.run(deployment);
  } catch (error) {
    const { name, message } = error as Error;
    const advice =
      name === "AccessDeniedException" ? ": grant these credentials the call, or the account the model" : "";
    return failed(`${name}: ${message}${advice}`);
  }
}
