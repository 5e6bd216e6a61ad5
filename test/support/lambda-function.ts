import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { type LoopbackServer, listenOnLoopback, textOf } from "../fixtures/loopback-server.ts";

const API = "/2018-06-01/runtime";
const EXTENSIONS_API = "/2020-01-01/extension";
/** The time that Lambda gives a process with an internal extension to shut down. */
const SHUTDOWN_MS = 500;
const START_TIMEOUT_MS = 30_000;
const ANSWER_TIMEOUT_MS = 30_000;

/** An error as the runtime client reports it to Lambda. */
export interface ToldError {
  errorType: string;
  errorMessage: string;
  trace: string[];
}

/** How an invocation ended: by the function, or with the process, which Lambda kills after a timeout. */
export type Outcome =
  | { kind: "response"; response: unknown }
  | { kind: "error"; error: ToldError }
  | { kind: "init-error"; error: ToldError }
  | { kind: "timed-out" }
  | { kind: "exited"; code: number | null };

export interface LambdaFunctionOptions {
  /** Entry point of aws-lambda-ric. */
  runtimeClient: string;
  /** Folder of the bundle. */
  taskRoot: string;
  /** Module and export in it, e.g. `workers/extract-conversations.handler`. */
  handler: string;
  /** All environment variables of the function's configuration; it inherits none of this process. */
  environment: Record<string, string | undefined>;
}

/**
 * A function as Lambda runs it: a process of the real runtime client, started at the first invocation and then reused.
 */
export interface LambdaFunction {
  /**
   * Starts a process if there is none. Returns the milliseconds from its start to its request for the first
   * invocation, or 0 for a running process. Throws an Error with the output of a process that fails before that.
   */
  init(): Promise<number>;
  /**
   * Runs one invocation at a time and returns how it ended. After `timeoutMs` the process is killed, and the next
   * invocation starts another one.
   */
  invoke(event: unknown, options?: { timeoutMs?: number }): Promise<Outcome>;
  /** Ends the process as Lambda does with an idle one. */
  shutDown(): Promise<void>;
  /** Returns the output of all processes of the function. */
  output(): string;
  /** Returns the number of processes started so far. */
  starts(): number;
  close(): Promise<void>;
}

interface Invocation {
  id: string;
  body: string;
  /** Epoch milliseconds. */
  deadlineMs: number;
  ended: PromiseWithResolvers<Outcome>;
}

/** Serves Lambda's Runtime API on the loopback interface to one function. */
export async function openLambdaFunction(options: LambdaFunctionOptions): Promise<LambdaFunction> {
  const api = createRuntimeApi();
  const server = await listenOnLoopback((request, response) => void api.answer(request, response));
  const written: string[] = [];
  let child: ChildProcess | undefined;
  let starts = 0;

  /** Returns the milliseconds until the process was ready or had failed. */
  const start = async (): Promise<number> => {
    if (child) return 0;
    const ready = api.expectProcess();
    const startedMs = performance.now();
    const started = spawnClient(options, server, written);
    child = started;
    starts += 1;
    started.once("exit", (code) => {
      if (child === started) child = undefined;
      api.processEnded({ kind: "exited", code });
    });
    await within(START_TIMEOUT_MS, ready, () => `${options.handler} did not start: ${written.join("")}`);
    return performance.now() - startedMs;
  };

  /** Kills the process with SIGKILL, at any point of its work, and waits for its exit. */
  const kill = async (): Promise<void> => {
    const killed = child;
    if (!killed) return;
    const exited = once(killed, "exit");
    killed.kill("SIGKILL");
    await exited;
  };

  return {
    init: async () => {
      const tookMs = await start();
      if (!api.isReady()) throw new Error(`${options.handler} failed at init: ${written.join("")}`);
      return tookMs;
    },
    invoke: async (event, { timeoutMs = ANSWER_TIMEOUT_MS } = {}) => {
      await start();
      const outcome = api.begin(event, timeoutMs);
      const timer = setTimeout(() => {
        api.processEnded({ kind: "timed-out" });
        void kill();
      }, timeoutMs);
      const ended = await outcome;
      clearTimeout(timer);
      if (ended.kind !== "response" && ended.kind !== "error") await kill();
      return ended;
    },
    shutDown: async () => {
      if (child && api.hasExtension()) {
        child.kill("SIGTERM");
        await Promise.race([once(child, "exit"), sleep(SHUTDOWN_MS)]);
      }
      await kill();
    },
    output: () => written.join(""),
    starts: () => starts,
    close: async () => {
      await kill();
      await server.close();
    },
  };
}

function spawnClient(options: LambdaFunctionOptions, { url }: LoopbackServer, written: string[]): ChildProcess {
  const { runtimeClient, taskRoot, handler, environment } = options;
  const child = spawn(process.execPath, [runtimeClient], {
    cwd: taskRoot,
    env: {
      AWS_LAMBDA_RUNTIME_API: new URL(url).host,
      AWS_LAMBDA_FUNCTION_NAME: "tested",
      AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: "512",
      AWS_LAMBDA_LOG_GROUP_NAME: "/tested",
      AWS_LAMBDA_LOG_STREAM_NAME: "tested",
      AWS_LAMBDA_LOG_FORMAT: "JSON",
      AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
      LAMBDA_TASK_ROOT: taskRoot,
      _HANDLER: handler,
      TZ: ":UTC",
      ...environment,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => written.push(String(chunk)));
  return child;
}

/** Gives the invocations of one function to its successive processes, and returns their results. */
function createRuntimeApi() {
  /** Pending since the process was spawned; resolves once it is ready or has failed. */
  let ready = Promise.withResolvers<void>();
  let failedInit: ToldError | undefined;
  /** The open response to a process that asked for its next invocation. */
  let nextResponse: ServerResponse | undefined;
  let hasExtension = false;
  let current: Invocation | undefined;
  let queued: Invocation | undefined;

  const deliver = (): void => {
    if (!nextResponse || !queued) return;
    current = queued;
    nextResponse.writeHead(200, {
      "Content-Type": "application/json",
      "Lambda-Runtime-Aws-Request-Id": current.id,
      "Lambda-Runtime-Deadline-Ms": String(current.deadlineMs),
      "Lambda-Runtime-Invoked-Function-Arn": "arn:aws:lambda:us-east-1:123456789012:function:tested",
      "Lambda-Runtime-Trace-Id": "Root=1-00000000-000000000000000000000000;Sampled=0",
    });
    nextResponse.end(current.body);
    [nextResponse, queued] = [undefined, undefined];
  };

  const end = (id: string, outcome: Outcome): void => {
    if (current?.id !== id) return;
    current.ended.resolve(outcome);
    current = undefined;
  };

  const receiveReport = async (route: string, request: IncomingMessage): Promise<void> => {
    const body = JSON.parse(await textOf(request));
    const [, id = "", kind] = route.match(/^\/invocation\/([^/]+)\/(response|error)$/) ?? [];
    if (kind === "response") return end(id, { kind: "response", response: body });
    if (kind === "error") return end(id, { kind: "error", error: body });
    if (route !== "/init/error") throw new Error(`the Runtime API has no ${route}`);
    failedInit = body;
    ready.resolve();
  };

  return {
    answer: async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      if (request.url === `${EXTENSIONS_API}/register`) {
        hasExtension = true;
        return void response.writeHead(200, { "Lambda-Extension-Identifier": randomUUID() }).end("{}");
      }
      // An extension that registered for no event receives none.
      if (request.url === `${EXTENSIONS_API}/event/next`) return;
      const route = (request.url ?? "").slice(API.length);
      if (request.method === "GET" && route === "/invocation/next") {
        nextResponse = response;
        ready.resolve();
        return deliver();
      }
      await receiveReport(route, request);
      response.writeHead(202).end("{}");
    },
    hasExtension: () => hasExtension,
    isReady: () => nextResponse !== undefined,
    expectProcess: (): Promise<void> => {
      hasExtension = false;
      ready = Promise.withResolvers();
      failedInit = undefined;
      nextResponse = undefined;
      return ready.promise;
    },
    processEnded: (outcome: Outcome): void => {
      ready.resolve();
      nextResponse = undefined;
      (current ?? queued)?.ended.resolve(outcome);
      [current, queued] = [undefined, undefined];
    },
    begin: (event: unknown, timeoutMs: number): Promise<Outcome> => {
      if (failedInit) return Promise.resolve({ kind: "init-error", error: failedInit });
      queued = {
        id: randomUUID(),
        body: JSON.stringify(event),
        deadlineMs: Date.now() + timeoutMs,
        ended: Promise.withResolvers(),
      };
      const { ended } = queued;
      deliver();
      return ended.promise;
    },
  };
}

async function within<T>(timeoutMs: number, work: Promise<T>, messageOf: () => string): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(messageOf())), timeoutMs);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}
