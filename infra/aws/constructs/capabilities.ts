import { ArnFormat, Stack } from "aws-cdk-lib";
import type { Construct } from "constructs";
import { ENVIRONMENT } from "../../../shared/adapters/aws/environment.ts";
import { TABLE_EXPORT_PREFIX, TABLE_INDEXES } from "../../../shared/adapters/aws/table.ts";
import { portOf, queueSentTo, secretPurposeOf } from "../../../shared/ports/manifest.ts";
import type { Capability, PortName } from "../../../shared/ports/ports.ts";
import { deadLettersOf } from "../../../shared/ports/queues.ts";
import { SECRET_PURPOSES, type SecretPurpose } from "../../../shared/ports/secret-names.ts";
import type { Secrets } from "../../../shared/ports/secrets.ts";
import { chatModelOf, type Deployment, usesEmbedder } from "../../config.ts";
import { namePrefix } from "../../names.ts";
import { logGroupPrefix, type Permission } from "./function-identity.ts";
import { keyUse } from "./key.ts";
import { LAYER_MODEL_FOLDER } from "./onnx-layer.ts";
import type { FunctionEnvironment } from "./resources.ts";

/** A declared port on AWS: the variables of its adapter and the IAM permissions it needs. */
export interface Grant {
  variables: Record<string, string>;
  permissions: Permission[];
}

type Grants = Record<
  Exclude<PortName, "secrets" | "queue">,
  (scope: Construct, environment: FunctionEnvironment) => Grant
>;

const GRANTS: Grants = {
  records: (_scope, { table, key }) => ({
    variables: { [ENVIRONMENT.tableName]: table.tableName },
    permissions: [
      {
        actions: [
          "dynamodb:BatchGetItem",
          "dynamodb:ConditionCheckItem",
          "dynamodb:DeleteItem",
          "dynamodb:GetItem",
          "dynamodb:PutItem",
          "dynamodb:Query",
          "dynamodb:UpdateItem",
        ],
        resources: [table.tableArn],
      },
      { actions: ["dynamodb:Query"], resources: TABLE_INDEXES.map(({ name }) => `${table.tableArn}/index/${name}`) },
      ...keyUse(key),
    ],
  }),
  inventory: (_scope, { table, key }) => ({
    variables: { [ENVIRONMENT.tableName]: table.tableName },
    permissions: [{ actions: ["dynamodb:Scan"], resources: [table.tableArn] }, ...keyUse(key)],
  }),
  search: (_scope, { search, deployment }) => ({
    variables: {
      ...embedderVariables(deployment),
      [ENVIRONMENT.searchEndpoint]: deployment.searchEndpoint ?? search.endpoint,
      [ENVIRONMENT.searchIndex]: search.indexPrefix,
      [ENVIRONMENT.searchShards]: String(deployment.searchShards),
      ...(deployment.searchEndpoint === undefined && { [ENVIRONMENT.searchDomain]: search.domainName }),
    },
    permissions: [
      { actions: ["es:DescribeDomainHealth"], resources: [search.domainArn] },
      {
        actions: ["es:ESHttpGet", "es:ESHttpHead", "es:ESHttpPost", "es:ESHttpPut"],
        resources: [`${search.domainArn}/*`],
        reason:
          "IAM sees request paths, and one search uses several; roles inside OpenSearch limit them to the service's indexes.",
      },
    ],
  }),
  blobs: (_scope, { bucket, key }) => ({
    variables: { [ENVIRONMENT.bucketName]: bucket.bucketName },
    permissions: [
      { actions: ["s3:ListBucket"], resources: [bucket.bucketArn] },
      {
        actions: ["s3:AbortMultipartUpload", "s3:DeleteObject", "s3:GetObject", "s3:PutObject"],
        resources: [bucket.arnForObjects("*")],
        reason: "Keys of blobs are created at run time; the bucket contains nothing else.",
      },
      ...keyUse(key),
    ],
  }),
  embedder: (scope, { deployment }) => ({
    variables: embedderVariables(deployment),
    permissions: usesEmbedder(deployment, "bedrock") ? [modelUse(scope, deployment.bedrockEmbeddingModel)] : [],
  }),
  // Its model is in the layer of the embedder.
  reader: (_scope, { deployment }) => ({ variables: embedderVariables(deployment), permissions: [] }),
  // Only a local server has a reranker.
  reranker: () => ({ variables: {}, permissions: [] }),
  models: (scope, { deployment }) => ({
    variables: {
      LANGUAGE_MODEL: deployment.languageModel,
      LANGUAGE_MODEL_WHEN: deployment.languageModelWhen,
      BEDROCK_MODEL: chatModelOf(deployment, Stack.of(scope).region),
    },
    permissions: deployment.languageModel === "bedrock" ? [anyModelUse(scope)] : [],
  }),
  mailer: (scope, { deployment: { mailSender } }) => ({
    variables: { ...(mailSender !== undefined && { [ENVIRONMENT.mailFrom]: mailSender }) },
    permissions: mailSender === undefined ? [] : [mailUse(scope, mailSender)],
  }),
  logs: (scope, { deployment }) => ({
    variables: { [ENVIRONMENT.logGroupPrefix]: logGroupPrefix(deployment) },
    permissions: [
      {
        actions: ["logs:StartQuery"],
        resources: [
          Stack.of(scope).formatArn({
            service: "logs",
            resource: "log-group",
            resourceName: `${logGroupPrefix(deployment)}*`,
            arnFormat: ArnFormat.COLON_RESOURCE_NAME,
          }),
        ],
        reason: "The log groups of this deployment's functions have this prefix.",
      },
      {
        actions: ["logs:DescribeLogGroups", "logs:GetQueryResults"],
        resources: ["*"],
        reason: "IAM cannot limit the listing of log groups by prefix and the reading of results by query id.",
      },
    ],
  }),
};

/** The grants of a function's declared capabilities. */
export function grantsOf(
  capabilities: readonly Capability[],
  scope: Construct,
  environment: FunctionEnvironment,
): Grant[] {
  const isOfQueues = (capability: Capability) => portOf(capability) === "queue";
  const queues = capabilities.filter(isOfQueues);
  const others = capabilities.filter((capability) => !isOfQueues(capability));
  const grants = others.map((capability) => {
    const purpose = secretPurposeOf(capability);
    if (purpose !== undefined) return secretsGrant(purpose, scope, environment);
    if (capability === "inventory:export") return exportGrant(environment);
    return GRANTS[capability as keyof Grants](scope, environment);
  });
  // Together, because a statement for each queue would exceed the size of a policy.
  return queues.length === 0 ? grants : [...grants, queueGrant(queues, scope, environment)];
}

/** Reading the state of all queues, and sending to those declared and to their dead-letter queues. */
function queueGrant(capabilities: Capability[], scope: Construct, environment: FunctionEnvironment): Grant {
  const { queues, deployment, key } = environment;
  if (queues.length === 0) return { variables: {}, permissions: [] };
  const sent = capabilities.flatMap((capability) => queueSentTo(capability) ?? []);
  const unread = sent.find((name) => !queues.includes(name));
  if (unread !== undefined) throw new Error(`a function sends to the queue '${unread}', which no worker reads`);
  const arnsOf = (names: readonly string[]) => names.flatMap((name) => queueArns(scope, name, deployment));
  return {
    variables: queueVariables(scope, queues, deployment),
    permissions: [
      {
        actions: ["sqs:GetQueueAttributes"],
        resources: [queueArn(scope, "*", deployment)],
        reason: "The names of all queues of the deployment have this prefix, and a list of them would exceed a policy.",
      },
      ...(sent.length === 0 ? [] : [{ actions: ["sqs:SendMessage"], resources: arnsOf(sent) }, ...keyUse(key)]),
    ],
  };
}

/** A queue and its dead-letter queue. */
function queueArns(scope: Construct, queue: string, deployment: Deployment): string[] {
  return [queue, deadLettersOf(queue)].map((name) => queueArn(scope, name, deployment));
}

function queueArn(scope: Construct, name: string, deployment: Deployment): string {
  return Stack.of(scope).formatArn({ service: "sqs", resource: namePrefix(deployment) + name });
}

/** DynamoDB writes an export with the caller's permissions. */
function exportGrant({ table, bucket, key }: FunctionEnvironment): Grant {
  return {
    variables: {
      [ENVIRONMENT.bucketName]: bucket.bucketName,
      [ENVIRONMENT.tableExportPrefix]: TABLE_EXPORT_PREFIX,
      ...(key && { [ENVIRONMENT.secretEncryption]: key.keyArn }),
    },
    permissions: [
      { actions: ["dynamodb:DescribeTable", "dynamodb:ExportTableToPointInTime"], resources: [table.tableArn] },
      {
        actions: ["dynamodb:DescribeExport"],
        resources: [`${table.tableArn}/export/*`],
        reason: "DynamoDB names exports itself.",
      },
      {
        actions: ["s3:AbortMultipartUpload", "s3:PutObject", "s3:PutObjectAcl"],
        resources: [bucket.arnForObjects(`${TABLE_EXPORT_PREFIX}*`)],
        reason: "Files of an export are named by DynamoDB.",
      },
      ...keyUse(key),
    ],
  };
}

const SECRET_ACTIONS: Record<keyof Secrets, string> = {
  get: "secretsmanager:GetSecretValue",
  putIfAbsent: "secretsmanager:CreateSecret",
  remove: "secretsmanager:DeleteSecret",
};

/** Grants the actions of one purpose on the secrets of that purpose. */
function secretsGrant(
  purpose: SecretPurpose,
  scope: Construct,
  { secretPrefix, deployment, key }: FunctionEnvironment,
): Grant {
  const resourceName = `${secretPrefix}${purpose}/*`;
  const arnFormat = ArnFormat.COLON_RESOURCE_NAME;
  return {
    variables: {
      [ENVIRONMENT.secretPrefix]: secretPrefix,
      ...(key && { [ENVIRONMENT.secretEncryption]: key.keyArn }),
      ...(purpose === "providers" && providerClients(deployment)),
    },
    permissions: [
      ...keyUse(key),
      {
        actions: SECRET_PURPOSES[purpose].map((verb) => SECRET_ACTIONS[verb]),
        resources: [
          Stack.of(scope).formatArn({ service: "secretsmanager", resource: "secret", resourceName, arnFormat }),
        ],
        reason:
          "Secrets Manager appends six random characters to every name, and the service creates its signing keys itself.",
      },
    ],
  };
}

/** The queue names and their URL prefix: a URL ends with its queue's name, and all names share a prefix. */
function queueVariables(scope: Construct, queues: readonly string[], deployment: Deployment): Record<string, string> {
  const { region, urlSuffix, account } = Stack.of(scope);
  return {
    [ENVIRONMENT.queues]: queues.flatMap((name) => [name, deadLettersOf(name)]).join(","),
    [ENVIRONMENT.queueUrlPrefix]: `https://sqs.${region}.${urlSuffix}/${account}/${namePrefix(deployment)}`,
  };
}

/** The embedder's variables. Search needs them too: an index holds vectors of one embedder and is named after it. */
function embedderVariables(deployment: Deployment): Record<string, string> {
  return {
    EMBEDDER: deployment.embedder,
    ...(usesEmbedder(deployment, "onnx") && { EMBEDDING_MODEL_DIR: LAYER_MODEL_FOLDER }),
    ...(usesEmbedder(deployment, "bedrock") && {
      [ENVIRONMENT.embeddingModel]: deployment.bedrockEmbeddingModel,
      [ENVIRONMENT.embeddingDimensions]: String(deployment.embeddingDimensions),
    }),
  };
}

/** The service's client ids at providers of sign-in and documents; the client secrets are stored with all others. */
function providerClients(deployment: Deployment): Record<string, string> {
  const settings = {
    GOOGLE_CLIENT_ID: deployment.googleClientId,
    GITHUB_CLIENT_ID: deployment.githubClientId,
    GITHUB_URL: deployment.githubUrl,
    GITHUB_API_URL: deployment.githubApiUrl,
    NOTION_CLIENT_ID: deployment.notionClientId,
    SLACK_CLIENT_ID: deployment.slackClientId,
  };
  return Object.fromEntries(Object.entries(settings).flatMap(([name, value]) => (value ? [[name, value]] : [])));
}

const INVOKE = ["bedrock:InvokeModel"];

/** The permission to use a model, given by its id or cross-region inference profile (`eu.amazon.nova-lite-v1:0`). */
function modelUse(scope: Construct, model: string): Permission {
  const profiledModel = /^(?:us|us-gov|eu|apac|jp|au|ca|global)\.(?<model>.+)$/.exec(model)?.groups?.model;
  if (profiledModel === undefined) {
    return { actions: INVOKE, resources: [foundationModel(scope, Stack.of(scope).region, model)] };
  }
  return {
    actions: INVOKE,
    resources: [inferenceProfile(scope, model), foundationModel(scope, "*", profiledModel)],
    reason: "An inference profile uses any region of its geography.",
  };
}

/** Every model and inference profile of Bedrock, because the choice is a run-time setting. */
function anyModelUse(scope: Construct): Permission {
  return {
    actions: INVOKE,
    resources: [inferenceProfile(scope, "*"), foundationModel(scope, "*", "*")],
    reason: "The operator chooses the language models of extraction at run time, with PUT /compression/mode.",
  };
}

function inferenceProfile(scope: Construct, resourceName: string): string {
  return Stack.of(scope).formatArn({ service: "bedrock", resource: "inference-profile", resourceName });
}

function foundationModel(scope: Construct, region: string, resourceName: string): string {
  const resource = { service: "bedrock", account: "", resource: "foundation-model", resourceName };
  return Stack.of(scope).formatArn({ ...resource, region });
}

function mailUse(scope: Construct, sender: string): Permission {
  const identity = (resourceName: string) =>
    Stack.of(scope).formatArn({ service: "ses", resource: "identity", resourceName });
  return { actions: ["ses:SendEmail"], resources: [identity(sender), identity(sender.replace(/^.*@/, ""))] };
}
