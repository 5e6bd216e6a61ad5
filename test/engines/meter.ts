import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { S3Client } from "@aws-sdk/client-s3";
import { SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { SQSClient } from "@aws-sdk/client-sqs";
import { Client, Connection } from "@opensearch-project/opensearch";
import { type Amounts, BACKENDS, type Backend } from "../../infra/costs.ts";
import { S3BlobStore } from "../../shared/adapters/aws/blobs.ts";
import { ENVIRONMENT, queueUrls, required } from "../../shared/adapters/aws/environment.ts";
import { SqsQueue } from "../../shared/adapters/aws/queue.ts";
import { DynamoRecordStore } from "../../shared/adapters/aws/records.ts";
import { OpenSearchIndex } from "../../shared/adapters/aws/search.ts";
import { ManagedSecrets } from "../../shared/adapters/aws/secrets.ts";
import type { Clock } from "../../shared/kernel/clock.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import type { LanguageModel } from "../../shared/ports/language-model.ts";
import type { Ports } from "../../shared/ports/ports.ts";
import type { EnginePlatform } from "./platform.ts";

const READS: ReadonlySet<string> = new Set(["GetItemCommand", "BatchGetItemCommand", "QueryCommand"]);

/** Counts the calls of the AWS adapters. Concurrent calls count as one round trip of the slowest backend. */
export class Meter {
  #amounts: Amounts = {};
  #wave = newWave();

  /** Measures `act`. Nothing else may run at the same time. */
  async measure(act: () => Promise<unknown>): Promise<Amounts> {
    this.#amounts = {};
    const before = process.cpuUsage();
    await act();
    const { user, system } = process.cpuUsage(before);
    return { ...this.#amounts, cpu_ms: (user + system) / 1000 };
  }

  add(name: string, amount = 0): void {
    if (amount > 0) this.#amounts[name] = (this.#amounts[name] ?? 0) + amount;
  }

  /** Makes a call, which ends with all concurrent ones: the count does not depend on which engine is faster. */
  async pass<T>(backend: Backend, act: () => Promise<T>, times = 1): Promise<T> {
    this.add(backend, times);
    const wave = this.#wave;
    wave.open++;
    wave.backends.add(backend);
    try {
      return await act();
    } finally {
      if (--wave.open === 0) {
        this.#wave = newWave();
        this.add(`${BACKENDS.find((each) => wave.backends.has(each))}_trips`, 1);
        wave.end();
      }
      await wave.ended;
    }
  }
}

function newWave() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { open: 0, backends: new Set<Backend>(), ended: promise, end: resolve };
}

/** The platform's ports with counting clients. */
export function meteredPorts({ environment, ports }: EnginePlatform, clock: Clock, meter: Meter): Ports {
  const setting = (name: keyof typeof ENVIRONMENT) => required(environment, ENVIRONMENT[name]);
  const s3 = counted(new S3Client({ forcePathStyle: true, requestChecksumCalculation: "WHEN_REQUIRED" }), meter, "s3");
  const search = new Client({ node: setting("searchEndpoint"), Connection: countedConnection(meter) });
  const embedder = { ...ports.embedder };
  // Bedrock embeds one text per call.
  embedder.embed = (...[texts, options]) => {
    const embed = () => ports.embedder.embed(texts, options);
    return texts.length === 0 ? embed() : meter.pass("embedder", embed, texts.length);
  };
  return {
    ...ports,
    records: new DynamoRecordStore(countedDynamo(meter), setting("tableName"), clock),
    search: new OpenSearchIndex(search, setting("searchIndex"), embedder, { clock }),
    blobs: new S3BlobStore(s3, setting("bucketName"), silentLogger),
    queue: new SqsQueue(counted(new SQSClient(), meter, "sqs"), queueUrls(environment)),
    secrets: new ManagedSecrets(counted(new SecretsManagerClient(), meter, "secrets"), setting("secretPrefix")),
    embedder,
    models: {
      ...ports.models,
      open: async (choice) => {
        const model = await ports.models.open(choice);
        const run: LanguageModel["run"] = (...task) => meter.pass("model", () => model.run(...task));
        return { run };
      },
    },
  };
}

/** Each client's stack has the types of its own calls, which nothing here reads. */
function counted<SdkClient extends { middlewareStack: object }>(client: SdkClient, meter: Meter, backend: Backend) {
  (client.middlewareStack as DynamoDBClient["middlewareStack"]).add(
    (next) => (call) => meter.pass(backend, () => next(call)),
    { step: "initialize", name: "meter" },
  );
  return client;
}

/** A client whose calls are counted with the capacity units that the engine returns. */
function countedDynamo(meter: Meter): DynamoDBClient {
  const client = new DynamoDBClient();
  client.middlewareStack.add(
    (next, { commandName = "" }) =>
      async (call) => {
        const input = { ...call.input, ReturnConsumedCapacity: "INDEXES" as const };
        const result = await meter.pass("dynamodb", () => next({ ...call, input }));
        const { ConsumedCapacity = [] } = result.output as { ConsumedCapacity?: Consumed | Consumed[] };
        for (const { CapacityUnits } of [ConsumedCapacity].flat()) {
          meter.add(READS.has(commandName) ? "read_units" : "write_units", CapacityUnits);
        }
        return result;
      },
    { step: "initialize", name: "meter" },
  );
  return client;
}

interface Consumed {
  CapacityUnits?: number;
}

/** Each query of a multi-search counts. */
function queriesOf({ path, body }: Parameters<Connection["request"]>[0]): number {
  return path?.endsWith("/_msearch") ? String(body).trim().split("\n").length / 2 : 1;
}

function countedConnection(meter: Meter): typeof Connection {
  return class extends Connection {
    override request(...[parameters, callback]: Parameters<Connection["request"]>): ReturnType<Connection["request"]> {
      const { promise: answered, resolve } = Promise.withResolvers<void>();
      const released = meter.pass("search", () => answered, queriesOf(parameters));
      return super.request(parameters, (error, response) => {
        resolve();
        released.then(() => callback(error, response));
      });
    }
  };
}
