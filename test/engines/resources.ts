import { randomUUID } from "node:crypto";
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient, UpdateTableCommand } from "@aws-sdk/client-dynamodb";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { CreateEmailIdentityCommand, SESv2Client } from "@aws-sdk/client-sesv2";
import { CreateQueueCommand, DeleteQueueCommand, GetQueueAttributesCommand, SQSClient } from "@aws-sdk/client-sqs";
import { Client } from "@opensearch-project/opensearch";
import { inject } from "vitest";
import { ENVIRONMENT, type Environment } from "../../shared/adapters/aws/environment.ts";
import { TABLE_INDEXES, TABLE_KEY } from "../../shared/adapters/aws/table.ts";

const MAIL_FROM = "memory@example.com";
const STREAM = { StreamEnabled: true, StreamViewType: "NEW_AND_OLD_IMAGES" } as const;

/** `withStream`: as in the deployment; a table that AWS restores has no stream. */
export async function createTable(withStream = true): Promise<string> {
  const name = `memory-service-${randomUUID()}`;
  const keys = [TABLE_KEY, ...TABLE_INDEXES];
  const schema = ({ partition, sort }: { partition: string; sort: string }) => [
    { AttributeName: partition, KeyType: "HASH" as const },
    { AttributeName: sort, KeyType: "RANGE" as const },
  ];
  await new DynamoDBClient().send(
    new CreateTableCommand({
      TableName: name,
      BillingMode: "PAY_PER_REQUEST",
      KeySchema: schema(TABLE_KEY),
      AttributeDefinitions: keys
        .flatMap(({ partition, sort }) => [partition, sort])
        .map((AttributeName) => ({ AttributeName, AttributeType: "S" })),
      GlobalSecondaryIndexes: TABLE_INDEXES.map((index) => ({
        IndexName: index.name,
        KeySchema: schema(index),
        Projection: index.include
          ? { ProjectionType: "INCLUDE", NonKeyAttributes: [...index.include] }
          : { ProjectionType: "ALL" },
      })),
      ...(withStream && { StreamSpecification: STREAM }),
    }),
  );
  return name;
}

export async function enableStream(TableName: string): Promise<void> {
  await new DynamoDBClient().send(new UpdateTableCommand({ TableName, StreamSpecification: STREAM }));
}

export async function deleteTable(name: string): Promise<void> {
  await new DynamoDBClient().send(new DeleteTableCommand({ TableName: name }));
}

export async function createBucket(): Promise<string> {
  const name = `memory-service-${randomUUID()}`;
  // The SDK requests a bucket's location in every other region, which the S3 server does not know.
  const client = new S3Client({ forcePathStyle: true, region: "us-east-1" });
  await client.send(new CreateBucketCommand({ Bucket: name }));
  return name;
}

export interface QueueShape {
  name: string;
  visibilitySeconds: number;
  /** The destination of a message after `maxReceives` receives without success. */
  redrive?: { deadLetters: string; maxReceives: number };
}

/** Creates queues, dead letter queues before the queues that name them; returns their URLs by name. */
export async function createQueues(shapes: QueueShape[], suffix = ""): Promise<Map<string, string>> {
  const client = new SQSClient();
  const urls = new Map<string, string>();
  for (const { name, visibilitySeconds, redrive } of shapes.toSorted((a) => (a.redrive ? 1 : -1))) {
    const deadLetterTargetArn = redrive && (await queueArn(client, urls.get(redrive.deadLetters)));
    const { QueueUrl = "" } = await client.send(
      new CreateQueueCommand({
        QueueName: name + suffix,
        Attributes: {
          VisibilityTimeout: String(visibilitySeconds),
          ...(redrive && {
            RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: redrive.maxReceives }),
          }),
        },
      }),
    );
    urls.set(name, QueueUrl);
  }
  return urls;
}

export async function deleteQueues(urls: Iterable<string>): Promise<void> {
  const client = new SQSClient();
  for (const QueueUrl of urls) await client.send(new DeleteQueueCommand({ QueueUrl }));
}

export async function queueArn(client: SQSClient, url: string | undefined): Promise<string> {
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ["QueueArn"] }),
  );
  return Attributes?.QueueArn ?? "";
}

export async function verifySender(): Promise<string> {
  await new SESv2Client().send(new CreateEmailIdentityCommand({ EmailIdentity: MAIL_FROM }));
  return MAIL_FROM;
}

/** Search indexes with a separate name, how to refresh them, and how to delete them. */
export function searchSpace(prefix = `memories-${randomUUID()}`) {
  const node = inject("engines").opensearch;
  const client = new Client({ node });
  const index = `${prefix}-*`;
  return {
    environment: { [ENVIRONMENT.searchEndpoint]: node, [ENVIRONMENT.searchIndex]: prefix } satisfies Environment,
    refresh: async () => {
      await client.indices.refresh({ index });
    },
    drop: async () => {
      await client.indices.delete({ index });
      await client.close();
    },
  };
}

export function queueEnvironment(urls: Map<string, string>): Environment {
  return { [ENVIRONMENT.queues]: [...urls].map(([name, url]) => `${name}=${url}`).join(",") };
}
