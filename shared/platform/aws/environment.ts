/**
 * Names of the environment variables through which a deployment tells the adapters where its resources are.
 * The CDK app sets them, the adapters read them. Endpoints of AWS services are overridden by the SDKs' own
 * variables (AWS_ENDPOINT_URL, AWS_ENDPOINT_URL_DYNAMODB, AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL_SQS …).
 */
export const ENVIRONMENT = {
  /** DynamoDB table, shaped as `table.ts` says. */
  tableName: "TABLE_NAME",
  /** S3 bucket. */
  bucketName: "BUCKET_NAME",
  /** What the bucket's keys of exports of the table begin with; unset where the function may not export it. */
  tableExportPrefix: "TABLE_EXPORT_PREFIX",
  /** Base URL of the OpenSearch domain. Requests to `https:` are signed with SigV4, to `http:` (a local engine) not. */
  searchEndpoint: "SEARCH_ENDPOINT",
  /** Name of the domain behind the endpoint, for its health; unset where the endpoint is no domain of AWS. */
  searchDomain: "SEARCH_DOMAIN",
  /** Name that search indexes start with; the embedder's id follows, as vectors of two embedders never mix. */
  searchIndex: "SEARCH_INDEX",
  /** Every queue, those of dead letters included, as `queueUrls` reads them. */
  queues: "QUEUES",
  /** What the URLs of all queues begin with. */
  queueUrlPrefix: "QUEUE_URL_PREFIX",
  /** URL of the queue of a worker's own dead letters; set for those that follow the change feed. */
  deadLettersUrl: "DEAD_LETTERS_URL",
  /** Prefix of Secrets Manager names, e.g. `memory-service/`. */
  secretPrefix: "SECRET_PREFIX",
  /** ARN of the KMS key that new secrets are encrypted with; unset where Secrets Manager's own key does. */
  secretEncryption: "SECRET_ENCRYPTION",
  /** What the names of the service's log groups begin with, e.g. `/memory-service/prod/`. */
  logGroupPrefix: "LOG_GROUP_PREFIX",
  /** Sender address that SES has verified. */
  mailFrom: "MAIL_FROM",
  /** Model id of Bedrock's Titan Text Embeddings v2; read where Bedrock is the embedder. */
  embeddingModel: "EMBEDDING_MODEL",
  /** Vector length that the Bedrock model is asked for: 256, 512 or 1024. */
  embeddingDimensions: "EMBEDDING_DIMENSIONS",
} as const;

/**
 * The URLs of all queues by name. Written out they would take more than the 4 KB that a function's whole environment may
 * have, so a queue is told as `name`, or `name=rest`: its URL is the common prefix and the rest, which else is the name.
 */
export function queueUrls(environment: Environment): ReadonlyMap<string, string> {
  const { [ENVIRONMENT.queues]: queues = "", [ENVIRONMENT.queueUrlPrefix]: prefix = "" } = environment;
  const told = queues.split(",").filter((each) => each !== "");
  return new Map(
    told.map((each) => {
      const [name = "", rest = name] = each.split(/=(.*)/s, 2);
      return [name, prefix + rest];
    }),
  );
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable that must be set; names it when it is not. */
export function required(environment: Environment, variable: string): string {
  const value = environment[variable];
  if (value === undefined || value === "") throw new Error(`environment variable ${variable} is not set`);
  return value;
}
