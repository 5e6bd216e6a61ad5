/**
 * Environment variables that locate a deployment's resources. The CDK app sets them, the adapters read them. Endpoints
 * of AWS services are overridden with the SDKs' own variables (AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_DYNAMODB,
 * AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL_SQS …).
 */
export const ENVIRONMENT = {
  /** DynamoDB table with the schema of `table.ts`. */
  tableName: "TABLE_NAME",
  /** S3 bucket. */
  bucketName: "BUCKET_NAME",
  /** Key prefix of table exports in the bucket; unset if the function may not export the table. */
  tableExportPrefix: "TABLE_EXPORT_PREFIX",
  /** URL of the OpenSearch domain. Requests to `https:` are signed with SigV4, those to `http:` (local engine) not. */
  searchEndpoint: "SEARCH_ENDPOINT",
  /** Name of the domain for health checks; unset if the endpoint is not an AWS domain. */
  searchDomain: "SEARCH_DOMAIN",
  /** Prefix of search index names; the embedder's id follows, because vectors of two embedders never mix. */
  searchIndex: "SEARCH_INDEX",
  /** Primary shards of a search index that is created; three if unset. */
  searchShards: "SEARCH_SHARDS",
  /** All queues including dead-letter queues, in the form that `queueUrls` reads. */
  queues: "QUEUES",
  /** Common prefix of all queue URLs. */
  queueUrlPrefix: "QUEUE_URL_PREFIX",
  /** URL of the worker's own dead-letter queue; set for workers on the change feed. */
  deadLettersUrl: "DEAD_LETTERS_URL",
  /** Prefix of Secrets Manager names, e.g. `memory-service/`. */
  secretPrefix: "SECRET_PREFIX",
  /** ARN of the KMS key for new secrets; if unset, Secrets Manager's own key. */
  secretEncryption: "SECRET_ENCRYPTION",
  /** Prefix of the service's log group names, e.g. `/memory-service/prod/`. */
  logGroupPrefix: "LOG_GROUP_PREFIX",
  /** Sender address that is verified in SES. */
  mailFrom: "MAIL_FROM",
  /** Model id of Bedrock's Titan Text Embeddings v2; read if Bedrock is the embedder. */
  embeddingModel: "EMBEDDING_MODEL",
  /** Requested vector length of the Bedrock model: 256, 512 or 1024. */
  embeddingDimensions: "EMBEDDING_DIMENSIONS",
} as const;

/**
 * The URLs of all queues by name. Full URLs would exceed the 4 KB limit of a function's environment, so a queue is
 * written as `name` or `name=rest`: its URL is the common prefix and the rest, which defaults to the name.
 */
export function queueUrls(environment: Environment): ReadonlyMap<string, string> {
  const { [ENVIRONMENT.queues]: queues = "", [ENVIRONMENT.queueUrlPrefix]: prefix = "" } = environment;
  const entries = queues.split(",").filter((entry) => entry !== "");
  return new Map(
    entries.map((entry) => {
      const [name = "", rest = name] = entry.split(/=(.*)/s, 2);
      return [name, prefix + rest];
    }),
  );
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** A required variable; the error names it if it is not set. */
export function required(environment: Environment, variable: string): string {
  const value = environment[variable];
  if (value === undefined || value === "") throw new Error(`environment variable ${variable} is not set`);
  return value;
}
