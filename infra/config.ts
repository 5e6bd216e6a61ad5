import * as z from "zod";
import { days, logLevel, origin, providerUrl, redirectAddress, trustedProxies } from "../shared/kernel/settings.ts";
import { FIREWALL_REGION, regionalModel } from "./regions.ts";

/** Proxies between clients and API Gateway with WAF. */
const CLOUDFRONT_HOPS = 1;

/** With it, the name of the search domain has the 28 characters that OpenSearch allows. */
const MAX_STAGE_LENGTH = 13;
/** Stages with the defaults of production, such as `prod` and `prod-eu`. */
const PRODUCTION = /^prod(-|$)/;
const DEFAULT_CHAT_MODEL = "amazon.nova-lite-v1:0";
const SIZES = ["minimal", "small", "standard"] as const;
const LOG_RETENTION_DAYS = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731] as const;

/** Values of `-c name=value` are strings; those of cdk.json may also be numbers, booleans and arrays. */
const whole = (least: number) => z.coerce.number().int().min(least);
const text = z.string().min(1);
const flag = z.union([z.boolean(), z.enum(["true", "false"]).transform((value) => value === "true")]);
const list = z
  .union([z.string(), z.array(z.string()).transform((entries) => entries.join(","))])
  .transform((value) => value.split(",").filter((entry) => entry !== ""));
const nameIn = (entry: string): string => entry.slice(0, entry.indexOf("="));
/** `memories=2,search=1`: a number for each named function. */
const byFunction = list
  .pipe(z.array(z.string().regex(/^[a-z0-9-]+=[1-9]\d*$/, "must be numbers of functions, like memories=2,search=1")))
  .transform(
    (entries) =>
      new Map(entries.map((entry): [string, number] => [nameIn(entry), Number(entry.slice(nameIn(entry).length + 1))])),
  )
  .default(new Map());
const provider = z.enum(["built-in", "bedrock"]);
const instanceType = z
  .string()
  .regex(/^[a-z0-9]+\.[a-z0-9]+\.search$/, "must be an OpenSearch instance type, like r7g.large.search");
const NO_COLLECTION =
  "must be 'domain': vector collections of OpenSearch Serverless do not accept the document ids and versions that synchronize the index with the table";
const iamRole = z.string().regex(/^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]+$/, "must be an ARN of an IAM role");
const certificate = z
  .string()
  .regex(/^arn:aws[a-z-]*:acm:[a-z0-9-]+:\d{12}:certificate\/\S+$/, "must be an ARN of ACM");

const vault = z
  .string()
  .regex(/^arn:aws[a-z-]*:backup:[a-z0-9-]+:\d{12}:backup-vault:[\w-]{2,50}$/, "must be the ARN of a backup vault");

const table = z
  .string()
  .regex(/^arn:aws[a-z-]*:dynamodb:[a-z0-9-]+:\d{12}:table\/[\w.-]{3,255}$/, "must be an ARN of a DynamoDB table");
const tableStream = z
  .string()
  .regex(
    /^arn:aws[a-z-]*:dynamodb:[a-z0-9-]+:\d{12}:table\/[\w.-]{3,255}\/stream\/[\d:T.-]+$/,
    "must be the ARN of a stream of a DynamoDB table",
  );
const bucketName = z
  .string()
  .regex(/^(?!\d+\.\d+\.\d+\.\d+$)[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, "must be the name of an S3 bucket, not its ARN");

const Keys = z.strictObject({
  stage: z
    .string()
    .max(MAX_STAGE_LENGTH)
    .regex(
      /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
      "must consist of lower-case letters, digits and single hyphens, and start with a letter",
    )
    .default("dev")
    .describe(
      `Any name of up to ${MAX_STAGE_LENGTH} characters, such as a developer's or a pull request's; part of all names`,
    ),
  production: flag.describe(
    "Whether the stage has the defaults and the rules of production; true for `prod` and stages that begin with `prod-`",
  ),
  size: z
    .enum(SIZES)
    .describe(
      "Nodes, zones, volumes, memory and alarms together: `minimal` (one small node), `small` (three small nodes in three zones) or `standard`",
    ),
  removalPolicy: z
    .enum(["destroy", "retain"])
    .describe(
      "Whether deleting a stack deletes its table, domain, bucket (if empty) and keys; production always retains them",
    ),
  rollout: z
    .enum(["at-once", "canary"])
    .describe("Whether new code gets all requests at once, or a tenth for five minutes with a rollback on failure"),
  backupDays: whole(0).describe(
    "Days that daily backups of table and bucket are kept in AWS Backup, besides point-in-time recovery; 0 makes none",
  ),
  backupCopyVaultArn: vault
    .optional()
    .describe("Backup vault of another region or account that each daily backup is copied to; needs `backupDays`"),
  tableArn: table
    .optional()
    .describe("Existing table, such as one restored from a backup, used instead of a new one; needs `tableStreamArn`"),
  tableStreamArn: tableStream
    .optional()
    .describe("Stream of that table, with new and old images (`LatestStreamArn` of `aws dynamodb describe-table`)"),
  bucketName: bucketName
    .optional()
    .describe("Existing bucket, such as one restored from a backup, used instead of a new one"),
  vpc: flag.default(false).describe("Put functions and OpenSearch into a VPC, with NAT for connections outside of AWS"),
  natGateways: z.coerce
    .number()
    .pipe(z.literal([1, 2]))
    .describe("NAT gateways of the VPC: 1, or 2 for one in each zone"),
  customDomain: z
    .hostname()
    .optional()
    .describe("Host name of the API, instead of API Gateway's; needs `certificateArn`"),
  certificateArn: certificate
    .optional()
    .describe(`ACM certificate for it: of this region, or of ${FIREWALL_REGION} with \`waf\``),
  hostedZoneId: z
    .string()
    .regex(/^Z[A-Z0-9]+$/, "must be the id of a hosted zone of Route 53")
    .optional()
    .describe("Route 53 zone for the host name's record; without it, create the record yourself"),
  waf: flag.default(false).describe("Put CloudFront and AWS WAF in front of the API; needs `customDomain`"),
  wafRequestsPerAddress: whole(10)
    .default(10_000)
    .describe("Requests per address in five minutes before WAF blocks it"),
  originSecretNumber: whole(1)
    .default(1)
    .describe("The number of the secret that CloudFront sends to functions with `waf`; the next number rotates it"),
  searchService: z
    .literal("domain", NO_COLLECTION)
    .default("domain")
    .describe("The type of OpenSearch: a `domain`; serverless collections are not supported"),
  searchInstanceType: instanceType.describe("Data nodes of the OpenSearch domain"),
  searchInstanceCount: whole(1).describe("The number of nodes"),
  searchZones: z.coerce
    .number()
    .pipe(z.literal([1, 2, 3]))
    .optional()
    .describe("Availability zones of the nodes: 1, 2 or 3; two for several nodes if unset"),
  searchMasterCount: z.coerce
    .number()
    .pipe(z.union([z.literal(0), z.literal(3), z.literal(5)]))
    .describe("Dedicated cluster managers: 0, 3 or 5"),
  searchMasterInstanceType: instanceType.default("m7g.medium.search").describe("Their instance type"),
  searchVolumeGb: whole(10).describe("gp3 volume of each data node"),
  searchShards: whole(1)
    .default(3)
    .describe(
      "Primary shards of the search index; applies to an index that a full sync builds. One organization is on one shard",
    ),
  searchFineGrainedAccess: flag
    .default(true)
    .describe("Map function roles inside OpenSearch, besides IAM; off only for emulators"),
  searchRoles: list
    .pipe(z.array(iamRole))
    .default([])
    .describe(
      "IAM roles of this account, besides the functions', that may search and index inside OpenSearch, as `npm run restore` does: ARNs, comma-separated",
    ),
  searchEndpoint: z
    .url()
    .optional()
    .describe("OpenSearch endpoint to use instead of the domain; for emulators, dev only"),
  allowedOrigins: list
    .pipe(z.array(origin))
    .default([])
    .describe("Browser origins that may call the API, comma-separated; none by default"),
  alarmEmail: z.email().optional().describe("The recipient of alarms; required in production"),
  alarmScope: z
    .enum(["function", "stack"])
    .describe("Whether each function has its own alarms (three), or only a stack as a whole"),
  monthlyBudget: whole(0).describe(
    "US dollars a month for the whole account, of which 80% spent or 100% forecast are reported to `alarmEmail`; 0 for no budget",
  ),
  minMemoryMb: whole(128).describe("Minimum memory of functions that answer requests; Lambda provides CPU by memory"),
  feedConcurrency: whole(1)
    .pipe(z.number().max(10))
    .default(1)
    .describe(
      "Batches of one shard of the change feed that each of its workers processes at once, 1 to 10; changes of one item stay in order",
    ),
  provisionedConcurrency: byFunction.describe(
    "Instances that Lambda keeps initialized, by group, like `memories=2,search=1`; each is billed all the time. Needs `rollout=canary`",
  ),
  reservedConcurrency: byFunction.describe(
    "Maximum executions at once, by group or worker, like `memories=200,search=200`; taken from what other functions of the account may use",
  ),
  tracing: flag.default(false).describe("Trace requests with AWS X-Ray, by its sampling rules"),
  languageModel: provider.default("bedrock").describe("LANGUAGE_MODEL of the functions"),
  languageModelWhen: z
    .enum(["always", "unsure"])
    .default("always")
    .describe("LANGUAGE_MODEL_WHEN of the functions; `unsure` needs the embedder `onnx`"),
  embedder: z
    .enum(["onnx", "lexical", "bedrock"])
    .default("bedrock")
    .describe("EMBEDDER of the functions; `onnx` runs this repository's model from a Lambda layer"),
  formerEmbedder: z
    .enum(["onnx", "bedrock"])
    .optional()
    .describe(
      "The previous `embedder`: stays available to the functions, so that searches use it until a full sync has built the new index",
    ),
  bedrockModel: text
    .optional()
    .describe("Bedrock chat model or inference profile; Amazon Nova Lite by the profile of the region if unset"),
  bedrockEmbeddingModel: text
    .default("amazon.titan-embed-text-v2:0")
    .describe("Titan Text Embeddings v2, or a model with the same interface"),
  embeddingDimensions: z.coerce
    .number()
    .pipe(z.literal([256, 512, 1024]))
    .default(1024)
    .describe("Length of its vectors: 256, 512 or 1024; after a change a full sync builds the new index"),
  defaultPlan: z
    .enum(["free", "pro", "team", "enterprise"])
    .default("free")
    .describe("Plan of newly registered organizations"),
  allowRegistration: flag.describe("Allow registration; ALLOW_REGISTRATION of the functions"),
  signingRotationDays: days.default(30).describe("Days until access tokens are signed with a new key"),
  auditRetentionDays: days
    .default(365)
    .describe("Days that audit records of sign-ins, key and role changes and admin actions are kept"),
  trustedProxies: trustedProxies
    .default(0)
    .describe(
      "Number of proxies in front of API Gateway whose X-Forwarded-For is trusted, not counting CloudFront of `waf`",
    ),
  publicUrl: z
    .url()
    .optional()
    .describe("Public URL of the API for links in mails and sign-in with providers; the API's own URL if unset"),
  oauthRedirectUris: list
    .pipe(z.array(redirectAddress))
    .default([])
    .describe("Additional redirect URLs for sign-in with providers, comma-separated"),
  googleClientId: text.optional().describe("Client id at Google; without it, sign-in with Google is off"),
  githubClientId: text.optional().describe("Client id at GitHub; without it, sign-in with GitHub is off"),
  githubUrl: providerUrl.optional().describe("GitHub Enterprise Server instead of github.com"),
  githubApiUrl: providerUrl.optional().describe("Its API"),
  notionClientId: text.optional().describe("Client id at Notion for connections that users authorize"),
  slackClientId: text.optional().describe("Client id at Slack for connections that users authorize"),
  logLevel: logLevel.default("info").describe("Minimum level of log lines, in upper or lower case"),
  logRetentionDays: z.coerce
    .number()
    .pipe(z.literal(LOG_RETENTION_DAYS))
    .describe(`Days logs are kept: one of ${LOG_RETENTION_DAYS.join(", ")}`),
  throttleRate: whole(1).describe("Requests per second for the whole API, in addition to the limits by plan"),
  throttleBurst: whole(1).describe("Burst of requests"),
  mailSender: z.email().optional().describe("Verified SES address mail is sent from; without it no mail is sent"),
  localEngines: flag
    .default(false)
    .describe(
      "Declare endpoint variables, so that `sam local` can point functions at engines of this machine; dev only",
    ),
  runbook: text
    .default("infra/README.md")
    .describe("Runbook URL for alarm descriptions; the alarm's section is appended as #fragment"),
});

/** Rules about several keys: each key that breaks one, and why. */
function* problemsOf(deployment: z.output<typeof Keys>): Generator<[key: string, message: string]> {
  const { tableArn, tableStreamArn, customDomain, certificateArn, hostedZoneId, waf } = deployment;
  if (deployment.production) {
    if (deployment.removalPolicy !== "retain") yield ["removalPolicy", "must be 'retain' in production"];
    if (deployment.localEngines) yield ["localEngines", "must be false in production"];
    if (deployment.searchEndpoint !== undefined)
      yield ["searchEndpoint", "must not be set in production, which has its own domain"];
    if (deployment.alarmEmail === undefined) yield ["alarmEmail", "is required in production"];
    if (deployment.size === "minimal") yield ["size", "must be 'small' or 'standard' in production"];
  } else if (PRODUCTION.test(deployment.stage)) {
    yield ["production", `must be true for the stage '${deployment.stage}'`];
  }
  if (zonesOf(deployment) > deployment.searchInstanceCount) {
    yield ["searchZones", "must not exceed searchInstanceCount"];
  }
  if ((tableArn === undefined) !== (tableStreamArn === undefined)) {
    yield [
      "tableStreamArn",
      "is required with tableArn, because workers read the change feed from the stream; without it, it must not be set",
    ];
  } else if (tableStreamArn?.startsWith(`${tableArn}/stream/`) === false) {
    yield ["tableStreamArn", "must be a stream of the table in tableArn"];
  }
  if ((customDomain === undefined) !== (certificateArn === undefined)) {
    yield ["certificateArn", "is required with customDomain; without it, it must not be set"];
  }
  if (customDomain === undefined) {
    if (hostedZoneId !== undefined) yield ["hostedZoneId", "requires customDomain"];
    if (waf) yield ["waf", "requires customDomain, because CloudFront serves only your own host name"];
  }
  if (!trustedProxies.safeParse(proxiesOf(deployment)).success) {
    yield ["trustedProxies", "exceeds the maximum of the functions together with CloudFront of `waf`"];
  }
  if (deployment.provisionedConcurrency.size > 0 && deployment.rollout !== "canary") {
    yield ["provisionedConcurrency", "needs rollout=canary, because Lambda provisions versions"];
  }
  if (waf && certificateArn?.split(":")[3] !== FIREWALL_REGION) {
    yield ["certificateArn", `must be in ${FIREWALL_REGION}, because CloudFront requires it`];
  }
}

const DeploymentSchema = Keys.superRefine((deployment, { addIssue }) => {
  for (const [key, message] of problemsOf(deployment)) addIssue({ code: "custom", path: [key], message });
});

/** The settings of a deployment; each field is a CDK context key (`-c stage=prod`). */
export type Deployment = z.infer<typeof DeploymentSchema>;

/** Defaults that differ between production and other stages. */
const STAGE_DEFAULTS = {
  development: {
    size: "minimal",
    removalPolicy: "destroy",
    rollout: "at-once",
    backupDays: 0,
    natGateways: 1,
    allowRegistration: true,
    logRetentionDays: 14,
    throttleRate: 100,
    throttleBurst: 200,
  },
  production: {
    size: "standard",
    removalPolicy: "retain",
    rollout: "canary",
    backupDays: 35,
    natGateways: 2,
    allowRegistration: false,
    logRetentionDays: 90,
    throttleRate: 1000,
    throttleBurst: 2000,
  },
} satisfies Record<string, Record<string, unknown>>;

/** Defaults that differ by size. */
const SIZE_DEFAULTS: Record<Deployment["size"], Record<string, unknown>> = {
  minimal: {
    searchInstanceType: "t3.small.search",
    searchInstanceCount: 1,
    searchMasterCount: 0,
    searchVolumeGb: 10,
    alarmScope: "stack",
    monthlyBudget: 0,
    minMemoryMb: 256,
  },
  small: {
    searchInstanceType: "t3.small.search",
    searchInstanceCount: 3,
    searchZones: 3,
    searchMasterCount: 0,
    searchVolumeGb: 10,
    alarmScope: "stack",
    monthlyBudget: 200,
    minMemoryMb: 512,
  },
  standard: {
    searchInstanceType: "r7g.large.search",
    searchInstanceCount: 2,
    searchMasterCount: 3,
    searchVolumeGb: 100,
    alarmScope: "function",
    monthlyBudget: 1000,
    minMemoryMb: 1024,
  },
};

/** The number of availability zones of the search domain's nodes. */
export function zonesOf({
  searchZones,
  searchInstanceCount,
}: Pick<z.output<typeof Keys>, "searchZones" | "searchInstanceCount">): number {
  return searchZones ?? Math.min(searchInstanceCount, 2);
}

/** The chat model of a deployment in a region. */
export function chatModelOf({ bedrockModel }: Pick<Deployment, "bedrockModel">, region: string | undefined): string {
  return bedrockModel ?? regionalModel(DEFAULT_CHAT_MODEL, region);
}

/** The public URL of the API; undefined if it is only API Gateway's own. */
export function publicUrlOf({ publicUrl, customDomain }: Deployment): string | undefined {
  return publicUrl ?? (customDomain && `https://${customDomain}`);
}

/** The number of trusted proxies in front of the functions. */
export function proxiesOf(deployment: { trustedProxies: number; waf: boolean }): number {
  return deployment.trustedProxies + (deployment.waf ? CLOUDFRONT_HOPS : 0);
}

/** The part of a CDK node that a deployment is read from. */
interface Context {
  tryGetContext(key: string): unknown;
  getAllContext?(): Record<string, unknown>;
}

/** An option of the deployment is not valid; the message says which and why. */
export class InvalidDeploymentError extends Error {
  constructor(problems: string[]) {
    super(`The options of the deployment are not valid: ${problems.join("; ")}.`);
    this.name = "InvalidDeploymentError";
  }
}

/**
 * Reads a deployment from CDK context; absent keys take the defaults of its stage and size. Throws an
 * InvalidDeploymentError that names each invalid key.
 */
export function readDeployment(context: Context): Deployment {
  const keys = Object.keys(Keys.shape);
  const given: Record<string, unknown> = Object.fromEntries(
    keys
      .map((key) => [key, context.tryGetContext(key)] as const)
      .filter(([, value]) => value !== undefined && value !== ""),
  );
  const parsed = DeploymentSchema.safeParse({ ...defaultsFor(given), ...given });
  const unknown = Object.keys(context.getAllContext?.() ?? {}).filter(
    (key) => OWN_KEY.test(key) && !keys.includes(key),
  );
  const problems = [
    ...unknown.map((key) => `${key} is not an option`),
    ...(parsed.error?.issues ?? []).map(({ path, message }) => `${String(path[0])} ${worded(message)}`),
  ];
  if (problems.length > 0 || !parsed.success) throw new InvalidDeploymentError(problems);
  return parsed.data;
}

/** Keys of CDK itself contain other characters. */
const OWN_KEY = /^[A-Za-z]+$/;

/** Zod's messages are sentences ("Invalid input: expected …"), those of this file continue the key ("must be …"). */
function worded(message: string): string {
  return /^[A-Z]/.test(message) ? `is not valid (${message.charAt(0).toLowerCase()}${message.slice(1)})` : message;
}

/** The defaults for the given stage and size, which may be invalid. */
function defaultsFor(given: Record<string, unknown>): Record<string, unknown> {
  const stage = Keys.shape.stage.catch("dev").parse(given.stage);
  const production = Keys.shape.production.catch(PRODUCTION.test(stage)).parse(given.production);
  const ofStage = production ? STAGE_DEFAULTS.production : STAGE_DEFAULTS.development;
  const size = Keys.shape.size.catch(Keys.shape.size.parse(ofStage.size)).parse(given.size);
  const ofSize = SIZE_DEFAULTS[size];
  return { stage, production, ...ofStage, ...ofSize, size };
}

/** Whether functions use an embedder, for new documents or for searches of the former index. */
export function usesEmbedder(
  { embedder, formerEmbedder }: Pick<Deployment, "embedder" | "formerEmbedder">,
  choice: Deployment["embedder"],
): boolean {
  return [embedder, formerEmbedder].includes(choice);
}

/** The context keys as rows of the table in infra/README.md. */
export function deploymentRows(): { key: string; dev: string; prod: string; meaning: string }[] {
  const [dev, prod] = ["dev", "prod"].map((stage) => defaultsFor({ stage }));
  const shown = (value: unknown) => {
    if (value instanceof Map) return [...value].map((entry) => entry.join("=")).join(",");
    return Array.isArray(value) ? value.join(",") : String(value ?? "");
  };
  return Object.entries(Keys.shape).map(([key, schema]) => ({
    key,
    dev: shown(dev?.[key] ?? schema.safeParse(undefined).data),
    prod: shown(prod?.[key] ?? schema.safeParse(undefined).data),
    meaning: schema.description ?? "",
  }));
}
