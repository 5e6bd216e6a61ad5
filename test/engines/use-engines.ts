import { randomUUID } from "node:crypto";
import { inject } from "vitest";
import { ENGINE_CREDENTIALS } from "./engines.ts";

const urls = inject("engines");

/** Points every AWS client that a test file opens to the engines. */
Object.assign(process.env, {
  AWS_ACCESS_KEY_ID: ENGINE_CREDENTIALS.accessKeyId,
  AWS_SECRET_ACCESS_KEY: ENGINE_CREDENTIALS.secretAccessKey,
  // For each file: DynamoDB Local keeps a database for each region, and one that all files share gets slower with every
  // table, deleted ones included, and executes one file's writes at a time.
  AWS_REGION: `test-${randomUUID().slice(0, 8)}`,
  AWS_ENDPOINT_URL: urls.moto,
  AWS_ENDPOINT_URL_DYNAMODB: urls.dynamodb,
  AWS_ENDPOINT_URL_DYNAMODB_STREAMS: urls.dynamodb,
  AWS_ENDPOINT_URL_SQS: urls.sqs,
  AWS_ENDPOINT_URL_S3: urls.s3,
});
