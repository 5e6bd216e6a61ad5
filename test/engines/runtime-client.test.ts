/** Runs the bundled functions with Lambda's own runtime client on the engines, to test what Lambda sees. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { APIGatewayProxyEventV2, SQSBatchResponse, SQSEvent } from "aws-lambda";
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest";
import { type Bundle, bundleHandlers, CUSTOM_RESOURCES, lambdaHandler } from "../../infra/bundle.ts";
import { discoverGroups, discoverWorkers } from "../../infra/discover.ts";
import { LOCAL_ACCOUNT } from "../../infra/local-engines.ts";
import { bootstrap } from "../../shared/domain/identity/bootstrap.ts";
import { createBaseRuntime, createRuntime } from "../../shared/entry/runtime.ts";
import { systemClock } from "../../shared/kernel/clock.ts";
import { REMEMBER_QUEUE } from "../../shared/ports/queues.ts";
import { readRequests } from "../../shared/runtime/stats/traffic.ts";
import { type LambdaFunction, type Outcome, openLambdaFunction } from "../support/lambda-function.ts";
import { installRuntimeClient } from "./install.ts";
import { type LossyProxy, openLossyProxy } from "./lossy-proxy.ts";
import { type EnginePlatform, openEnginePlatform } from "./platform.ts";
import { queuesOf } from "./service.ts";

/** Long enough for a response of a busy machine, short enough to wait for. */
const TIMEOUT_MS = 10_000;
/** Enough for a warm function to reach its first write. */
const SHORT_TIMEOUT_MS = 4_000;
const VISIBILITY_SECONDS = 2;
const CANARY = "canary-that-nobody-may-be-told";

interface HttpAnswer {
  statusCode: number;
  body: string;
}

// The client's native half only supports Linux, like Lambda.
describe.skipIf(process.platform !== "linux")("a function under Lambda's runtime client", () => {
  let runtimeClient: string;
  let folder: string;
  let assetOf: Bundle["assetOf"];
  let platform: EnginePlatform;
  let table: LossyProxy;
  let key: string;
  const opened: LambdaFunction[] = [];

  beforeAll(async () => {
    runtimeClient = await installRuntimeClient();
    folder = mkdtempSync(path.join(tmpdir(), "memory-service-bundle-"));
    ({ assetOf } = await bundleHandlers({ folder: path.join(folder, "lambda") }));
    const workers = (await discoverWorkers()).map(({ manifest }) => manifest);
    const queues = workers.flatMap(queuesOf).map((queue) => ({ ...queue, visibilitySeconds: VISIBILITY_SECONDS }));
    platform = await openEnginePlatform({ queues });
    table = await openLossyProxy(inject("engines").dynamodb);
    const sample = readJson("events/memories.json").headers["x-api-key"];
    const base = createBaseRuntime({ ...platform.config, BOOTSTRAP_API_KEY: sample }, systemClock, platform.logger);
    key = (await bootstrap(createRuntime(base, platform.ports))).secret;
  }, 600_000);
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((each) => each.close()));
  });
  afterAll(async () => {
    await table?.close();
    await platform?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(handler: string, environment: Record<string, string | undefined> = {}): Promise<LambdaFunction> {
    const lambda = await openLambdaFunction({
      runtimeClient,
      taskRoot: assetOf(handler),
      handler,
      environment: {
        ...engineVariables(),
        AWS_ENDPOINT_URL_DYNAMODB: table.url,
        ...platform.environment,
        ...environment,
      },
    });
    opened.push(lambda);
    return lambda;
  }

  /** An invocation by API Gateway, like the sample event. */
  function request(method: string, target: string, body?: unknown): APIGatewayProxyEventV2 {
    const sample: APIGatewayProxyEventV2 = JSON.parse(readFileSync("events/memories.json", "utf8"));
    const { pathname, search } = new URL(target, "http://localhost");
    const http = { ...sample.requestContext.http, method, path: pathname };
    return {
      ...sample,
      rawPath: pathname,
      rawQueryString: search.slice(1),
      headers: { ...sample.headers, "x-api-key": key },
      requestContext: { ...sample.requestContext, http },
      ...(body === undefined ? { body: undefined } : { body: JSON.stringify(body) }),
    };
  }

  async function call(lambda: LambdaFunction, method: string, target: string, body?: unknown) {
    const outcome = await lambda.invoke(request(method, target, body));
    const { statusCode, body: text } = responseOf(outcome) as HttpAnswer;
    return { status: statusCode, body: JSON.parse(text) };
  }

  /** A user's memories, which must be as many as their count. */
  async function listOf(memories: LambdaFunction, user: string): Promise<{ id: string; content: string }[]> {
    const { data } = (await call(memories, "GET", `/memories?user_id=${user}`)).body;
    expect(data.pagination.total).toBe(data.memories.length);
    return data.memories;
  }

  describe("every handler of the bundle", () => {
    it("starts, and answers its sample event", async () => {
      const [groups, workers] = await Promise.all([discoverGroups(), discoverWorkers()]);
      const handlers = [
        ...groups.map(({ manifest: { name } }) => ({ name, handler: lambdaHandler.group(name) })),
        ...workers.map(({ manifest: { name } }) => ({ name, handler: lambdaHandler.worker(name) })),
      ];
      expect(handlers.length).toBeGreaterThan(30);
      const failed: unknown[] = [];
      for (const { name, handler } of handlers) {
        const lambda = await open(handler);
        const outcome = await lambda.invoke(readJson(`events/${name}.json`));
        if (outcome.kind !== "response" || !isSuccess(outcome.response)) failed.push({ name, outcome });
        await lambda.close();
      }
      expect(failed).toEqual([]);
    }, 300_000);

    it("of a custom resource starts", async () => {
      expect(CUSTOM_RESOURCES.length).toBeGreaterThan(0);
      for (const name of CUSTOM_RESOURCES) await (await open(lambdaHandler.customResource(name))).init();
    }, 60_000);

    it("that does not exist fails at init", async () => {
      await expect((await open("memories.nothing")).init()).rejects.toThrow("memories.nothing failed at init");
    });
  });

  describe("an endpoint group", () => {
    it("is loaded once, and answers successive invocations", async () => {
      const memories = await open(lambdaHandler.group("memories"));
      await memories.init();
      const made = await call(memories, "POST", "/memories", { content: "Ada keeps bees.", user_id: "ada" });
      expect(made.status).toBe(201);
      const read = await call(memories, "GET", `/memories/${made.body.data.id}`);
      expect(read.body.data).toMatchObject({ content: "Ada keeps bees.", user_id: "ada" });
      expect(memories.starts()).toBe(1);
    });

    it("writes what it counted since its last flush when Lambda ends it", async () => {
      const memories = await open(lambdaHandler.group("memories"));
      const read = async () => (await readRequests(platform.ports.records)).successful ?? 0;
      await call(memories, "GET", "/memories?limit=1");
      const before = await read();
      for (let request = 0; request < 3; request++) await call(memories, "GET", "/memories?limit=1");
      await memories.shutDown();
      expect(await read()).toBe(before + 3);
    });

    it("returns its own errors, and logs neither the credential nor the body", async () => {
      const memories = await open(lambdaHandler.group("memories"), { LOG_LEVEL: "debug" });
      const refused = await call(memories, "POST", "/memories", { content: CANARY, metadata: CANARY });
      expect(refused).toMatchObject({ status: 400, body: { error: { code: "VALIDATION_ERROR" } } });
      expect(memories.output()).toContain('"message":"REQUEST"');
      expect(memories.output()).not.toContain(key);
      expect(memories.output()).not.toContain(CANARY);
    });

    it("receives empty headers, such as an empty key", async () => {
      const memories = await open(lambdaHandler.group("memories"));
      const event = request("POST", "/memories", { content: "Ada keeps bees." });
      const asked = { ...event, headers: { ...event.headers, "idempotency-key": "" } };
      const { statusCode, body } = responseOf(await memories.invoke(asked)) as HttpAnswer;
      expect([statusCode, JSON.parse(body).error?.code]).toEqual([400, "VALIDATION_ERROR"]);
    });

    it("answers 503 while the table is unavailable, without the reason", async () => {
      const unreachable = { AWS_ENDPOINT_URL_DYNAMODB: "http://127.0.0.1:1" };
      const memories = await open(lambdaHandler.group("memories"), unreachable);
      const { status, body } = await call(memories, "GET", "/memories");
      expect(status).toBe(503);
      expect(body).toMatchObject({ success: false, error: { code: "SERVICE_UNAVAILABLE" } });
      expect(JSON.stringify(body)).not.toMatch(/127\.0\.0\.1|ECONNREFUSED|dynamo/i);
    });

    it("reports an exception to Lambda by type and message, and continues", async () => {
      const memories = await open(lambdaHandler.group("memories"));
      const outcome = await memories.invoke(null);
      expect(outcome).toMatchObject({ kind: "error", error: { errorType: "TypeError" } });
      expect(JSON.stringify(outcome) + memories.output()).not.toContain(key);
      expect((await call(memories, "GET", "/memories?limit=1")).status).toBe(200);
      expect(memories.starts()).toBe(1);
    });

    it("answers 503 when it times out, and has written all or nothing", async () => {
      const memories = await open(lambdaHandler.group("memories"));
      await memories.init();
      expect(await listOf(memories, "grace")).toEqual([]);
      table.withholdNextAnswer("TransactWriteItems");
      const late = request("POST", "/memories", { content: "Grace sails.", user_id: "grace" });
      const { statusCode, body } = responseOf(
        await memories.invoke(late, { timeoutMs: SHORT_TIMEOUT_MS }),
      ) as HttpAnswer;
      expect(statusCode).toBe(503);
      expect(JSON.parse(body)).toMatchObject({ success: false, error: { code: "SERVICE_UNAVAILABLE" } });
      expect(memories.output()).toContain('"message":"REQUEST_TIMED_OUT"');
      const found = await listOf(memories, "grace");
      expect(found).toMatchObject([{ content: "Grace sails.", version: 1 }]);
      const history = await call(memories, "GET", `/memories/${found[0]!.id}/history`);
      expect(history.body.data.versions).toHaveLength(1);
      expect(memories.starts()).toBe(1);
    });
  });

  describe("an invalid configuration", () => {
    it.each([
      ["a setting", { LOG_LEVEL: "loud", OPENAI_API_KEY: CANARY }, "InvalidConfigError", /not valid\. LOG_LEVEL: /],
      ["a resource", { TABLE_NAME: "", OPENAI_API_KEY: CANARY }, "Error", /environment variable TABLE_NAME is not set/],
    ])("is reported with the name of %s by every function", async (_what, environment, errorType, message) => {
      for (const handler of [lambdaHandler.group("memories"), lambdaHandler.worker("extract-conversations")]) {
        const lambda = await open(handler, environment);
        const outcome = await lambda.invoke({ Records: [] });
        expect(outcome).toMatchObject({
          kind: "error",
          error: { errorType, errorMessage: expect.stringMatching(message) },
        });
        expect(JSON.stringify(outcome) + lambda.output()).not.toContain(CANARY);
        expect(lambda.output()).toMatch(message);
      }
    });

    it("is reported before any invocation if the handler does not exist", async () => {
      const lambda = await open("memories.nothing");
      expect(await lambda.invoke({})).toMatchObject({
        kind: "init-error",
        error: { errorType: "Runtime.HandlerNotFound", errorMessage: expect.stringContaining("memories.nothing") },
      });
    });
  });

  describe("a worker on a queue", () => {
    interface Delivery {
      event: SQSEvent;
      outcome: Outcome;
    }

    /** Emulates Lambda's event source with the queue's next batch; a batch without a response is delivered again. */
    async function deliver(lambda: LambdaFunction, timeoutMs = TIMEOUT_MS): Promise<Delivery> {
      let delivery: Delivery | undefined;
      const poll = async () => {
        await platform.pollQueue(REMEMBER_QUEUE, async (event) => {
          const outcome = await lambda.invoke(event, { timeoutMs });
          delivery = { event, outcome };
          return responseOf(outcome) as SQSBatchResponse;
        });
        return delivery;
      };
      await expect.poll(poll, { timeout: 20_000, interval: 200 }).toBeDefined();
      return delivery!;
    }

    /** Takes longer than the time until the response; nothing in a system message is stored. */
    async function conversationOf(user_id: string, content: string) {
      const compat = await open(lambdaHandler.group("compat"));
      const messages = [
        { role: "system", content: "Be brief. ".repeat(1100) },
        { role: "user", content },
      ];
      const { status, body } = await call(compat, "POST", "/v3/memories/add/", { messages, user_id });
      expect(status).toBe(200);
      return { status: async () => (await call(compat, "GET", `/v1/event/${body.event_id}/`)).body.status };
    }

    it("reports a batch that it cannot read to Lambda, and continues", async () => {
      const worker = await open(lambdaHandler.worker("extract-conversations"));
      const outcome = await worker.invoke({ nothing: CANARY });
      expect(outcome).toMatchObject({ kind: "error", error: { errorType: "TypeError" } });
      expect(JSON.stringify(outcome) + worker.output()).not.toContain(CANARY);
      expect(await worker.invoke({ Records: [] })).toEqual({ kind: "response", response: { batchItemFailures: [] } });
      expect(worker.starts()).toBe(1);
    });

    it("that is killed after its timeout receives the message again, and processes it once", async () => {
      const worker = await open(lambdaHandler.worker("extract-conversations"));
      const memories = await open(lambdaHandler.group("memories"));
      await worker.invoke({ Records: [] });
      const event = await conversationOf("mary", "I work at Acme and my sister Ann lives in Porto.");
      table.withholdNextAnswer("TransactWriteItems");
      const killed = await deliver(worker, SHORT_TIMEOUT_MS);
      expect(killed.outcome).toEqual({ kind: "timed-out" });
      expect(await event.status()).toBe("RUNNING");
      // A killed worker's lease expires; until then other workers leave the job alone, and the sweep enqueues it later.
      const { org, job } = JSON.parse(killed.event.Records[0]!.body);
      await platform.ports.records.write({ update: { pk: `${org}#${job}`, sk: "job" }, set: { lease_until: 0 } });
      const done = await deliver(worker);
      expect(worker.starts()).toBe(2);
      expect(done.event.Records[0]).toMatchObject({
        messageId: killed.event.Records[0]!.messageId,
        attributes: { ApproximateReceiveCount: "2" },
      });
      expect(done.outcome).toEqual({ kind: "response", response: { batchItemFailures: [] } });
      expect(await event.status()).toBe("SUCCEEDED");
      const remembered = await listOf(memories, "mary");
      expect(remembered.length).toBeGreaterThan(0);
      expect(new Set(remembered.map(({ content }) => content)).size).toBe(remembered.length);
      // Queues deliver at least once, sometimes twice.
      await worker.invoke(done.event);
      expect(await listOf(memories, "mary")).toEqual(remembered);
    });

    it("names only the failed messages of a batch", async () => {
      const worker = await open(lambdaHandler.worker("extract-conversations"));
      const event = await conversationOf("joan", "I moved to Lisbon in March 2024.");
      await platform.ports.queue.send(REMEMBER_QUEUE, [{ body: { neither: "org", nor: "event" } }]);
      const { event: batch, outcome } = await deliver(worker);
      expect(batch.Records).toHaveLength(2);
      const bad = batch.Records.find(({ body }) => body.includes("neither"))!;
      const batchItemFailures = [{ itemIdentifier: bad.messageId }];
      expect(outcome).toEqual({ kind: "response", response: { batchItemFailures } });
      expect(await event.status()).toBe("SUCCEEDED");
      const again = await deliver(worker);
      expect(again.event.Records.map(({ messageId }) => messageId)).toEqual([bad.messageId]);
    });
  });
});

/** The part of a synthesized function that `sam local` reads. */
interface SynthesizedFunction {
  Properties: { Handler: string; Environment: { Variables: Record<string, unknown> } };
  Metadata: { SamResourceId?: string; "aws:asset:path": string };
}

describe.skipIf(process.platform !== "linux")("the output of `npm run sam:prepare`", () => {
  let output: string;

  beforeAll(() => {
    output = mkdtempSync(path.join(tmpdir(), "memory-service-sam-"));
    const { opensearch, moto } = inject("engines");
    const engines = {
      ...LOCAL_ACCOUNT,
      SEARCH_ENDPOINT: opensearch,
      AWS_ENDPOINT_URL_SECRETS_MANAGER: moto,
      AWS_ENDPOINT_URL_SESV2: moto,
    };
    const script = ["infra/sam-prepare.ts", "--output", output];
    execFileSync(process.execPath, script, {
      env: { ...process.env, ...engines },
      stdio: ["ignore", "ignore", "pipe"],
    });
  }, 600_000);
  afterAll(() => rmSync(output, { recursive: true, force: true }));

  /** Runs the function of `sam local invoke NAME` without its container. */
  async function invoke(stack: string, name: string): Promise<unknown> {
    const { Resources } = readJson(path.join(output, `memory-service-dev-${stack}.template.json`));
    const { Properties, Metadata } = Object.values<SynthesizedFunction>(Resources).find(
      (resource) => resource.Metadata?.SamResourceId === name,
    )!;
    const { Parameters } = readJson(path.join(output, "env.json"));
    const declared = Object.entries(Properties.Environment.Variables).map(([variable, value]) => {
      const told = Parameters[variable] ?? value;
      // The SAM CLI leaves references to other stacks' resources empty.
      return [variable, typeof told === "string" ? told.replaceAll("host.docker.internal", "127.0.0.1") : ""];
    });
    const lambda = await openLambdaFunction({
      runtimeClient: await installRuntimeClient(),
      taskRoot: path.resolve(output, Metadata["aws:asset:path"]),
      handler: Properties.Handler,
      environment: { ...LOCAL_ACCOUNT, ...Object.fromEntries(declared) },
    });
    try {
      return responseOf(await lambda.invoke(readJson(`events/${name}.json`)));
    } finally {
      await lambda.close();
    }
  }

  it("lets an endpoint group and a worker answer their sample events, like `sam local`", async () => {
    const { statusCode, body } = (await invoke("api", "memories")) as HttpAnswer;
    expect(statusCode, body).toBe(201);
    expect(JSON.parse(body).data).toMatchObject({ user_id: "user_alice", metadata: { session_id: "sess_1" } });
    expect(await invoke("workers", "index-memories")).toEqual({ batchItemFailures: [] });
    expect(await invoke("workers", "extract-conversations")).toEqual({ batchItemFailures: [] });
  }, 180_000);
});

/** How this process reaches the engines; the rest of its environment is separate. */
function engineVariables(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith("AWS_")));
}

// biome-ignore lint/suspicious/noExplicitAny: templates and events are read without a schema
function readJson(file: string): any {
  return JSON.parse(readFileSync(file, "utf8"));
}

/** Whether a worker has processed its event, or a group has answered with a status below 300. */
function isSuccess(response: unknown): boolean {
  const { statusCode = 200, batchItemFailures = [] } = (response ?? {}) as Partial<HttpAnswer & SQSBatchResponse>;
  return statusCode < 300 && batchItemFailures.length === 0;
}

function responseOf(outcome: Outcome): unknown {
  if (outcome.kind !== "response") throw new Error(`no response, but ${JSON.stringify(outcome)}`);
  return outcome.response;
}
