import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { S3Client } from "@aws-sdk/client-s3";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SQSClient } from "@aws-sdk/client-sqs";
import { Client, Connection } from "@opensearch-project/opensearch";
import { type Amounts, addTraffic, BACKENDS, type Backend, type Traffic } from "../../infra/costs/figures.ts";
import { S3BlobStore } from "../../shared/adapters/aws/blobs.ts";
import { ENVIRONMENT, queueUrls, required } from "../../shared/adapters/aws/environment.ts";
import { SqsQueue } from "../../shared/adapters/aws/queue.ts";
import { DynamoRecordStore } from "../../shared/adapters/aws/records.ts";
import { OpenSearchIndex } from "../../shared/adapters/aws/search.ts";
import { ManagedSecrets } from "../../shared/adapters/aws/secrets.ts";
import type { Clock } from "../../shared/kernel/clock.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import type { Embedder, LanguageModel, LanguageModels, Ports } from "../../shared/ports/ports.ts";
import type { EnginePlatform } from "./platform.ts";
import { WriteUnits } from "./write-units.ts";

/** What DynamoDB says that a call consumed, of a table and its indexes. */
interface Consumed {
  Table?: { CapacityUnits?: number };
  GlobalSecondaryIndexes?: Record<string, { CapacityUnits?: number }>;
}

/** Calls that are under way together. */
interface Wave {
  open: number;
  backends: Set<Backend>;
  ended: Promise<void>;
  end(): void;
}

/** Reads, whose units the engine tells; those of writes are reckoned. */
const READS: ReadonlySet<string> = new Set(["GetItemCommand", "BatchGetItemCommand", "QueryCommand"]);

/**
 * Counts what the AWS adapters send, at their clients. Calls that are under way together are one round trip: none is
 * answered before all of them are, so that the count does not hang on which engine happened to be faster.
 */
export class Meter {
  /** Whether units of writes are reckoned, which takes processor time that is no request's. */
  isWeighing = true;
  #traffic = addTraffic();
  #wave: Wave | undefined;

  /** What was counted while `act` ran. Nothing else may run at the same time. */
  async measure(act: () => Promise<unknown>): Promise<Traffic> {
    this.#traffic = addTraffic();
    await act();
    return structuredClone(this.#traffic);
  }

  /** One call of a backend, or as many at once as `times` says. */
  async pass<T>(backend: Backend, act: () => Promise<T>, times = 1): Promise<T> {
    increase(this.#traffic.calls, backend, times);
    const wave = this.#join(backend);
    try {
      return await act();
    } finally {
      if (--wave.open === 0) this.#end(wave);
      await wave.ended;
    }
  }

  consumedReading(consumed: Consumed[]): void {
    const { read } = this.#traffic;
    for (const { Table, GlobalSecondaryIndexes = {} } of consumed) {
      increase(read, "table", Table?.CapacityUnits);
      for (const [index, { CapacityUnits }] of Object.entries(GlobalSecondaryIndexes)) {
        increase(read, index, CapacityUnits);
      }
    }
  }

  consumedWriting(written: Amounts): void {
    for (const [where, units] of Object.entries(written)) increase(this.#traffic.written, where, units);
  }

  #join(backend: Backend): Wave {
    if (this.#wave === undefined) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#wave = { open: 0, backends: new Set(), ended: promise, end: resolve };
    }
    this.#wave.open++;
    this.#wave.backends.add(backend);
    return this.#wave;
  }

  #end({ backends, end }: Wave): void {
    this.#wave = undefined;
    const slowest = BACKENDS.find((backend) => backends.has(backend));
    if (slowest) increase(this.#traffic.waits, slowest, 1);
    end();
  }
}

function increase(amounts: Amounts, name: string, amount = 0): void {
  if (amount > 0) amounts[name] = (amounts[name] ?? 0) + amount;
}

/** The platform's ports, each on a client that is counted; those are left as they are that no request asks for. */
export function meteredPorts({ environment, ports }: EnginePlatform, clock: Clock, meter: Meter): Ports {
  const s3 = new S3Client({ forcePathStyle: true, requestChecksumCalculation: "WHEN_REQUIRED" });
  const [sqs, secrets] = [new SQSClient(), new SecretsManagerClient()];
  countCalls(s3, meter, (command) => (command.startsWith("Put") ? "s3Put" : "s3Get"));
  countCalls(sqs, meter, () => "sqs");
  countCalls(secrets, meter, () => "secrets");
  const node = required(environment, ENVIRONMENT.searchEndpoint);
  const search = new Client({ node, Connection: connectionCountedBy(meter) });
  const embedder = countedEmbedder(ports.embedder, meter);
  return {
    ...ports,
    records: new DynamoRecordStore(countedDynamo(meter), required(environment, ENVIRONMENT.tableName), clock),
    search: new OpenSearchIndex(search, required(environment, ENVIRONMENT.searchIndex), embedder, { clock }),
    blobs: new S3BlobStore(s3, required(environment, ENVIRONMENT.bucketName), silentLogger),
    queue: new SqsQueue(sqs, queueUrls(environment)),
    secrets: new ManagedSecrets(secrets, required(environment, ENVIRONMENT.secretPrefix)),
    embedder,
    models: countedModels(ports.models, meter),
  };
}

/** A client whose calls are counted with the units that they consumed. */
function countedDynamo(meter: Meter): DynamoDBClient {
  const client = new DynamoDBClient();
  const units = new WriteUnits();
  client.middlewareStack.add(
    (next, { commandName = "" }) =>
      async (call) => {
        if (READS.has(commandName)) {
          const input = { ...call.input, ReturnConsumedCapacity: "INDEXES" as const };
          const result = await meter.pass("dynamodb", () => next({ ...call, input }));
          const { ConsumedCapacity = [] } = result.output as { ConsumedCapacity?: Consumed | Consumed[] };
          meter.consumedReading([ConsumedCapacity].flat());
          return result;
        }
        if (!meter.isWeighing) return meter.pass("dynamodb", () => next(call));
        const { result, written } = await meter.pass("dynamodb", () => units.of(call.input, () => next(call)));
        meter.consumedWriting(written);
        return result;
      },
    { step: "initialize", name: "meter" },
  );
  return client;
}

function countCalls(
  { middlewareStack }: S3Client | SQSClient | SecretsManagerClient,
  meter: Meter,
  backendOf: (command: string) => Backend,
): void {
  // Each client's stack has the types of its own calls, none of which is looked into.
  (middlewareStack as DynamoDBClient["middlewareStack"]).add(
    (next, { commandName = "" }) =>
      (call) =>
        meter.pass(backendOf(commandName), () => next(call)),
    { step: "initialize", name: "meter" },
  );
}

function connectionCountedBy(meter: Meter): typeof Connection {
  return class extends Connection {
    override request(...[parameters, callback]: Parameters<Connection["request"]>): ReturnType<Connection["request"]> {
      const { promise: answered, resolve } = Promise.withResolvers<void>();
      const released = meter.pass("search", () => answered);
      return super.request(parameters, (error, response) => {
        resolve();
        released.then(() => callback(error, response));
      });
    }
  };
}

/** Bedrock's embedder takes one text a call. */
function countedEmbedder(embedder: Embedder, meter: Meter): Embedder {
  const { id, dimensions, isLexical, background } = embedder;
  return {
    id,
    dimensions,
    isLexical,
    background,
    embed: (texts, options) => {
      const embed = () => embedder.embed(texts, options);
      return texts.length === 0 ? embed() : meter.pass("embedder", embed, texts.length);
    },
  };
}

/** A task is at least one call of a model, which the built-in rules stand in for here. */
function countedModels(models: LanguageModels, meter: Meter): LanguageModels {
  const { usual, providers } = models;
  return {
    usual,
    providers,
    open: async (choice) => {
      const model = await models.open(choice);
      const run: LanguageModel["run"] = (...task) => meter.pass("model", () => model.run(...task));
      return { run };
    },
  };
}
