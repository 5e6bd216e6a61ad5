import { randomUUID } from "node:crypto";
import { ENVIRONMENT, type Environment } from "../../shared/adapters/aws/environment.ts";
import { openAwsPlatform } from "../../shared/adapters/aws/platform.ts";
import { createLineLogger } from "../../shared/adapters/local/logger.ts";
import { loadConfig } from "../../shared/entry/config.ts";
import { systemClock } from "../../shared/kernel/clock.ts";
import type { Config } from "../../shared/kernel/config.ts";
import { type Logger, silentLogger } from "../../shared/kernel/logger.ts";
import type { Capability, Ports } from "../../shared/ports/ports.ts";
import { PURPOSES } from "../../shared/ports/secret-names.ts";
import { openLogGroup } from "./log-writer.ts";
import { createQueuePoller } from "./queue-poller.ts";
import {
  createBucket,
  createQueues,
  createTable,
  deleteQueues,
  deleteTable,
  type QueueShape,
  queueEnvironment,
  searchSpace,
  verifySender,
} from "./resources.ts";
import { createStreamPoller } from "./stream-poller.ts";

const ALL: Capability[] = [
  "records",
  "inventory",
  "search",
  "blobs",
  "queue",
  "embedder",
  "reader",
  "models",
  "mailer",
  "logs",
  ...PURPOSES.map((purpose) => `secrets:${purpose}` as const),
];

export interface EnginePlatformOptions {
  queues?: QueueShape[];
  /** Settings in addition to those of this platform: AWS adapters, built-in embedder and language model. */
  settings?: Record<string, string>;
  /** Existing table, bucket, search index and secrets, as after a recovery; the others are created. */
  existing?: Environment;
}

/** The AWS adapters on the real engines, with a separate table, bucket, queues and search indexes. */
export interface EnginePlatform {
  config: Config;
  ports: Ports;
  /** The environment of a Lambda function; assign it to `process.env` to run handlers directly. */
  environment: Environment;
  /** Writes into the log group that the port reads. */
  logger: Logger;
  /** Passes every new change to stream workers' handlers; returns how many they have processed in all. */
  pollStream: ReturnType<typeof createStreamPoller>;
  /** Passes up to ten visible messages to a queue worker's handler; returns their number. */
  pollQueue: ReturnType<typeof createQueuePoller>;
  /** Makes everything indexed so far searchable immediately. */
  refreshSearch(): Promise<void>;
  close(): Promise<void>;
}

/** For tests that run with `--mode engines`, which starts the engines. */
export async function openEnginePlatform(options: EnginePlatformOptions = {}): Promise<EnginePlatform> {
  const { existing = {} } = options;
  const space = searchSpace(existing[ENVIRONMENT.searchIndex]);
  const table = existing[ENVIRONMENT.tableName] ?? (await createTable());
  // Several of them may be open at the same time.
  const logGroup = await openLogGroup();
  const urls = await createQueues(options.queues ?? [], `-${randomUUID().slice(0, 8)}`);
  const settings = { PLATFORM: "aws", EMBEDDER: "lexical", LANGUAGE_MODEL: "built-in", ...options.settings };
  const environment: Environment = {
    ...settings,
    ...space.environment,
    ...queueEnvironment(urls),
    [ENVIRONMENT.tableName]: table,
    [ENVIRONMENT.bucketName]: existing[ENVIRONMENT.bucketName] ?? (await createBucket()),
    [ENVIRONMENT.secretPrefix]: existing[ENVIRONMENT.secretPrefix] ?? `${randomUUID()}/`,
    [ENVIRONMENT.logGroupPrefix]: logGroup.prefix,
    [ENVIRONMENT.mailFrom]: await verifySender(),
    AWS_ENDPOINT_URL_S3: process.env.AWS_ENDPOINT_URL_S3,
  };
  const config = loadConfig(environment);
  const ports = await openAwsPlatform({
    config,
    clock: systemClock,
    logger: silentLogger,
    capabilities: ALL,
    environment,
  });
  return {
    config,
    ports,
    environment,
    logger: createLineLogger(config.LOG_LEVEL, (lines) => void logGroup.write(lines)),
    pollStream: createStreamPoller(table),
    pollQueue: createQueuePoller(urls),
    refreshSearch: space.refresh,
    close: async () => {
      await Promise.all([space.drop(), logGroup.drop(), deleteTable(table), deleteQueues(urls.values())]);
    },
  };
}
