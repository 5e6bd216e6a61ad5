import { type ChildProcess, fork } from "node:child_process";
import { ProviderFailure } from "../asked-model.ts";
import type { ChildMessage, InferenceRequest, InferenceTask, InferenceTasks } from "./messages.ts";
import { ModelFolderError } from "./model-folder.ts";

export interface InferenceProcessOptions {
  /** Folder of the model. */
  folder: string;
  /** Longest that the child may take to load the model. */
  startTimeoutMs?: number;
  /** Longest that it may take for one window of a text. */
  windowTimeoutMs?: number;
  /** Module of the child, which loads the folder and answers as `messages.ts` says. */
  child?: URL;
}

/** What somebody waits for, and what is for later: the child works on one request of each at a time. */
export type Urgency = (typeof URGENCIES)[number];

interface Waiting<Task extends InferenceTask> {
  id: number;
  input: InferenceTasks[Task]["input"];
  urgency: Urgency;
  resolve(result: InferenceTasks[Task]["result"]): void;
  reject(error: Error): void;
}

const CHILD = new URL("./inference-child.ts", import.meta.url);
const START_TIMEOUT_MS = 30_000;
const WINDOW_TIMEOUT_MS = 15_000;
/** In the order in which they are served. */
const URGENCIES = ["now", "later"] as const;
/** After a failed start, requests fail at once for so long. */
const RESTART_PAUSE_MS = 1_000;
/** Texts that may wait; more of them would be answered too late to be of use. */
const MAX_WAITING = 10_000;

/**
 * A child process that runs a model for one task, one urgent request and one other at a time, window by window in turn: an
 * urgent one waits for one window of the other at most. The native runtime can neither block nor crash the service: a child that dies
 * fails the texts it works on, one that hangs the text that takes too long, and the next text starts another.
 */
export class InferenceProcess<Task extends InferenceTask> {
  readonly #task: Task;
  readonly #folder: string;
  readonly #childModule: URL;
  readonly #startTimeoutMs: number;
  readonly #windowTimeoutMs: number;
  readonly #waiting: Record<Urgency, Set<Waiting<Task>>> = { now: new Set(), later: new Set() };
  readonly #current = new Map<Urgency, { waiting: Waiting<Task>; timer: NodeJS.Timeout }>();
  #child: ChildProcess | undefined;
  #isReady = false;
  #startTimer: NodeJS.Timeout | undefined;
  #requests = 0;
  #failedStart: { error: Error; at: number } | undefined;

  constructor(task: Task, { folder, startTimeoutMs, windowTimeoutMs, child }: InferenceProcessOptions) {
    this.#task = task;
    this.#folder = folder;
    this.#childModule = child ?? CHILD;
    this.#startTimeoutMs = startTimeoutMs ?? START_TIMEOUT_MS;
    this.#windowTimeoutMs = windowTimeoutMs ?? WINDOW_TIMEOUT_MS;
  }

  /** What the model answers. Throws ProviderFailure and ModelFolderError; rejects with the signal's reason when it is aborted. */
  run(
    input: InferenceTasks[Task]["input"],
    urgency: Urgency,
    signal?: AbortSignal,
  ): Promise<InferenceTasks[Task]["result"]> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#waiting[urgency].size >= MAX_WAITING)
      return Promise.reject(new ProviderFailure("too many texts wait for the model", true));
    const { promise, resolve, reject } = Promise.withResolvers<InferenceTasks[Task]["result"]>();
    const waiting: Waiting<Task> = { id: ++this.#requests, input, urgency, resolve, reject };
    const giveUp = () => {
      this.#waiting[urgency].delete(waiting);
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", giveUp, { once: true });
    this.#waiting[urgency].add(waiting);
    this.#next();
    return promise.finally(() => signal?.removeEventListener("abort", giveUp));
  }

  /** Ends the child; texts that wait are rejected. */
  close(): void {
    this.#stop();
    this.#rejectAll(new ProviderFailure("the model is closed", false));
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
    if (this.#current.size === 0) this.#letProcessEnd(this.#child);
  }

  /** Hands the first text that waits to the child, unless it works on one of that urgency. */
  #send(child: ChildProcess, urgency: Urgency): void {
    const [waiting] = this.#waiting[urgency];
    if (waiting === undefined || this.#current.has(urgency)) return;
    this.#waiting[urgency].delete(waiting);
    const timer = setTimeout(() => this.#hang(child, urgency), this.#windowTimeoutMs);
    this.#current.set(urgency, { waiting, timer });
    this.#keepProcess(child);
    const { id, input } = waiting;
    child.send({ id, input } satisfies InferenceRequest<Task>);
  }

  #start(): void {
    const failed = this.#failedStart;
    if (failed && Date.now() - failed.at < RESTART_PAUSE_MS) {
      this.#rejectAll(failed.error);
      return;
    }
    // An empty environment: the child needs no setting, and no secret of the service.
    const child = fork(this.#childModule, [this.#folder, this.#task], {
      env: {},
      execArgv: [],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.#child = child;
    const tooLong = "it takes too long to load";
    this.#startTimer = setTimeout(() => this.#lose(child, tooLong), this.#startTimeoutMs);
    child.on("message", (message: ChildMessage<Task>) => this.#take(child, message));
    child.once("error", (error) => this.#lose(child, `its process failed: ${error.message}`));
    child.once("exit", (code, signal) => this.#lose(child, `its process ended with ${signal ?? code}`));
  }

  #take(child: ChildProcess, message: ChildMessage<Task>): void {
    if (child !== this.#child) return;
    if (message.kind === "unusable") {
      const { part, reason } = message;
      this.#failStart(part === "folder" ? new ModelFolderError(reason) : new ProviderFailure(reason, false));
      return;
    }
    if (message.kind === "ready") {
      clearTimeout(this.#startTimer);
      this.#isReady = true;
      this.#failedStart = undefined;
    } else {
      this.#takeOf(message);
    }
    this.#next();
  }

  #takeOf(message: Exclude<ChildMessage<Task>, { kind: "ready" | "unusable" }>): void {
    const current = [...this.#current.values()].find(({ waiting }) => waiting.id === message.id);
    if (current === undefined) return;
    const { waiting, timer } = current;
    if (message.kind === "progress") {
      timer.refresh();
      return;
    }
    this.#release(waiting.urgency);
    if (message.kind === "result") waiting.resolve(message.result);
    else waiting.reject(new ProviderFailure(message.reason, false));
  }

  /** A text takes too long: it fails, and another child goes on with the others. */
  #hang(child: ChildProcess, urgency: Urgency): void {
    if (child !== this.#child) return;
    this.#release(urgency)?.reject(failureOf("a text takes too long"));
    for (const [other, { waiting }] of this.#current) {
      // First again, as it was before.
      this.#waiting[other] = new Set([waiting, ...this.#waiting[other]]);
      this.#release(other);
    }
    this.#stop();
    this.#next();
  }

  /** The texts that were worked on fail; the others wait for another child, unless none could be started. */
  #lose(child: ChildProcess, problem: string): void {
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

  /** The request of that urgency that was worked on, which is worked on no more. */
  #release(urgency: Urgency): Waiting<Task> | undefined {
    const current = this.#current.get(urgency);
    clearTimeout(current?.timer);
    this.#current.delete(urgency);
    return current?.waiting;
  }

  /** A child without work does not keep the service's process alive. */
  #letProcessEnd(child: ChildProcess): void {
    child.unref();
    child.channel?.unref();
  }

  #keepProcess(child: ChildProcess): void {
    child.ref();
    child.channel?.ref();
  }
}

function failureOf(problem: string): ProviderFailure {
  return new ProviderFailure(`The model failed: ${problem}.`, true);
}
