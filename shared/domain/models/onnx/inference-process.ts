import { type ChildProcess, fork } from "node:child_process";
import { ModelProviderError } from "../remote-model.ts";
import type { ChildMessage, InferenceRequest, InferenceTask, InferenceTasks } from "./messages.ts";
import { ModelFolderError } from "./model-folder.ts";

export interface InferenceProcessOptions {
  /** Folder of the model. */
  folder: string;
  /** Maximum time in which the child must do one pass through the network. */
  passTimeoutMs?: number;
  /** Module of the child, which loads the folder and answers as `messages.ts` defines. */
  child?: URL;
}

/** Work that somebody waits for, and work for later. The child processes one request of each at a time. */
export type Urgency = (typeof URGENCIES)[number];

interface Waiting<Task extends InferenceTask> {
  id: number;
  input: InferenceTasks[Task]["input"];
  urgency: Urgency;
  resolve(result: InferenceTasks[Task]["result"]): void;
  reject(error: Error): void;
}

const CHILD = new URL("./inference-child.ts", import.meta.url);
/** Maximum time in which the child must load the model. */
const START_TIMEOUT_MS = 120_000;
const PASS_TIMEOUT_MS = 15_000;
/** The child frees what loading leaves behind, and creates too few objects to need large young generations. */
const MEMORY_FLAGS = ["--expose-gc", "--max-semi-space-size=2"];
/** In the order in which they are served. */
const URGENCIES = ["now", "later"] as const;
/** After a failed start, requests fail immediately for this time. */
const RESTART_PAUSE_MS = 1_000;
/** Maximum requests in the queue, because later ones would be answered too late to be useful. */
const MAX_WAITING = 10_000;

/**
 * A child process that runs a model for one task. It processes one urgent and one other request at a time, pass by pass
 * in turn, so an urgent request waits for at most one pass of the other. The native runtime can neither block nor crash
 * the service: if the child dies, the requests in progress fail; if it hangs, the request that takes too long fails.
 * The next request starts another child.
 */
export class InferenceProcess<Task extends InferenceTask> {
  readonly #task: Task;
  readonly #folder: string;
  readonly #childModule: URL;
  readonly #passTimeoutMs: number;
  readonly #waiting: Record<Urgency, Set<Waiting<Task>>> = { now: new Set(), later: new Set() };
  readonly #current = new Map<Urgency, { waiting: Waiting<Task>; timer: NodeJS.Timeout }>();
  #child: ChildProcess | undefined;
  #isReady = false;
  #startTimer: NodeJS.Timeout | undefined;
  #requests = 0;
  #failedStart: { error: Error; at: number } | undefined;
  readonly #verified = Promise.withResolvers<void>();

  constructor(task: Task, { folder, passTimeoutMs = PASS_TIMEOUT_MS, child = CHILD }: InferenceProcessOptions) {
    this.#task = task;
    this.#folder = folder;
    this.#childModule = child;
    this.#passTimeoutMs = passTimeoutMs;
  }

  /** Resolves once a child has found that the runtime works and the files are those of the manifest. */
  get verified(): Promise<void> {
    return this.#verified.promise;
  }

  /** Whether a child is loading the model. */
  get isLoading(): boolean {
    return this.#child !== undefined && !this.#isReady;
  }

  /** Returns the model's result. Throws ModelProviderError, ModelFolderError, or the signal's reason if aborted. */
  run(
    input: InferenceTasks[Task]["input"],
    urgency: Urgency,
    signal?: AbortSignal,
  ): Promise<InferenceTasks[Task]["result"]> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#waiting[urgency].size >= MAX_WAITING)
      return Promise.reject(new ModelProviderError("too many requests wait for the model", true));
    const { promise, resolve, reject } = Promise.withResolvers<InferenceTasks[Task]["result"]>();
    const waiting: Waiting<Task> = { id: ++this.#requests, input, urgency, resolve, reject };
    const onAbort = () => {
      this.#waiting[urgency].delete(waiting);
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    this.#waiting[urgency].add(waiting);
    this.#next();
    return promise.finally(() => signal?.removeEventListener("abort", onAbort));
  }

  /** Ends the child and rejects the queued requests. */
  close(): void {
    this.#stop();
    this.#rejectAll(new ModelProviderError("the model is closed", false));
  }

  get #hasWaiting(): boolean {
    return URGENCIES.some((urgency) => this.#waiting[urgency].size > 0);
  }

  #next(): void {
    if (this.#child === undefined) {
      if (this.#hasWaiting) this.#start();
      return;
    }
    if (!this.#isReady) return;
    for (const urgency of URGENCIES) this.#send(this.#child, urgency);
    if (this.#current.size === 0) this.#unref(this.#child);
  }

  /** Sends the first queued request to the child, unless the child is processing one of that urgency. */
  #send(child: ChildProcess, urgency: Urgency): void {
    const [waiting] = this.#waiting[urgency];
    if (waiting === undefined || this.#current.has(urgency)) return;
    this.#waiting[urgency].delete(waiting);
    const timer = setTimeout(() => this.#onHang(child, urgency), this.#passTimeoutMs);
    this.#current.set(urgency, { waiting, timer });
    this.#ref(child);
    const { id, input } = waiting;
    child.send({ id, input } satisfies InferenceRequest<Task>);
  }

  #start(): void {
    const failed = this.#failedStart;
    if (failed && Date.now() - failed.at < RESTART_PAUSE_MS) {
      this.#rejectAll(failed.error);
      return;
    }
    // The environment is empty, because the child needs no settings and must not see the service's secrets.
    const child = fork(this.#childModule, [this.#folder, this.#task], {
      env: {},
      execArgv: MEMORY_FLAGS,
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.#child = child;
    this.#startTimer = setTimeout(() => this.#onExit(child, "it takes too long to load"), START_TIMEOUT_MS);
    child.on("message", (message: ChildMessage<Task>) => this.#onMessage(child, message));
    child.once("error", (error) => this.#onExit(child, `its process failed: ${error.message}`));
    child.once("exit", (code, signal) => this.#onExit(child, `its process ended with ${signal ?? code}`));
  }

  #onMessage(child: ChildProcess, message: ChildMessage<Task>): void {
    if (child !== this.#child) return;
    if (message.kind === "unusable") {
      const { part, reason } = message;
      this.#failStart(part === "folder" ? new ModelFolderError(reason) : new ModelProviderError(reason, false));
      return;
    }
    if (message.kind === "verified") {
      this.#verified.resolve();
      return;
    }
    if (message.kind === "ready") {
      clearTimeout(this.#startTimer);
      this.#isReady = true;
      this.#failedStart = undefined;
    } else {
      this.#onAnswer(message);
    }
    this.#next();
  }

  #onAnswer(message: Exclude<ChildMessage<Task>, { kind: "verified" | "ready" | "unusable" }>): void {
    const current = [...this.#current.values()].find(({ waiting }) => waiting.id === message.id);
    if (current === undefined) return;
    const { waiting, timer } = current;
    if (message.kind === "progress") {
      timer.refresh();
      return;
    }
    this.#release(waiting.urgency);
    if (message.kind === "result") waiting.resolve(message.result);
    else waiting.reject(new ModelProviderError(message.reason, false));
  }

  /** Rejects a request that takes too long; another child continues with the others. */
  #onHang(child: ChildProcess, urgency: Urgency): void {
    if (child !== this.#child) return;
    this.#release(urgency)?.reject(failureOf("a pass takes too long"));
    for (const [other, { waiting }] of this.#current) {
      // Put it back at the front of the queue.
      this.#waiting[other] = new Set([waiting, ...this.#waiting[other]]);
      this.#release(other);
    }
    this.#stop();
    this.#next();
  }

  /** Rejects the requests in progress. The others wait for another child, or are rejected too if this one never started. */
  #onExit(child: ChildProcess, problem: string): void {
    if (child !== this.#child) return;
    const error = failureOf(problem);
    if (!this.#isReady) {
      this.#failStart(error);
      return;
    }
    for (const urgency of URGENCIES) this.#release(urgency)?.reject(error);
    this.#stop();
    this.#next();
  }

  #failStart(error: Error): void {
    this.#failedStart = { error, at: Date.now() };
    this.#stop();
    this.#rejectAll(error);
  }

  #stop(): void {
    clearTimeout(this.#startTimer);
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
    this.#isReady = false;
  }

  #rejectAll(error: Error): void {
    for (const urgency of URGENCIES) {
      this.#release(urgency)?.reject(error);
      for (const waiting of this.#waiting[urgency]) waiting.reject(error);
      this.#waiting[urgency].clear();
    }
  }

  /** Removes and returns the request of that urgency that is in progress. */
  #release(urgency: Urgency): Waiting<Task> | undefined {
    const current = this.#current.get(urgency);
    clearTimeout(current?.timer);
    this.#current.delete(urgency);
    return current?.waiting;
  }

  /** Lets the service's process exit while the child is idle. */
  #unref(child: ChildProcess): void {
    child.unref();
    child.channel?.unref();
  }

  #ref(child: ChildProcess): void {
    child.ref();
    child.channel?.ref();
  }
}

function failureOf(problem: string): ModelProviderError {
  return new ModelProviderError(`The model failed: ${problem}.`, true);
}
