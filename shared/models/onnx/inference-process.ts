import { type ChildProcess, fork } from "node:child_process";
import type { EmbeddingPurpose } from "../../platform/ports.ts";
import { ProviderFailure } from "../asked-model.ts";
import type { ChildMessage, EncodeRequest } from "./messages.ts";
import { ModelFolderError } from "./model-folder.ts";

export interface InferenceProcessOptions {
  /** Folder of the model. */
  folder: string;
  /** Longest that the child may take to load the model. */
  startTimeoutMs?: number;
  /** Longest that it may take for one text. */
  encodeTimeoutMs?: number;
}

interface Waiting {
  text: string;
  purpose: EmbeddingPurpose;
  resolve(vector: Float32Array): void;
  reject(error: Error): void;
}

const CHILD = new URL("./inference-child.ts", import.meta.url);
const START_TIMEOUT_MS = 30_000;
const ENCODE_TIMEOUT_MS = 15_000;
/** After a failed start, requests fail at once for so long. */
const RESTART_PAUSE_MS = 1_000;
/** Texts that may wait; more of them would be answered too late to be of use. */
const MAX_WAITING = 10_000;

/**
 * A child process that turns texts into vectors, one at a time, queries before passages. The native runtime can neither
 * block nor crash the service: a child that dies or hangs fails the text it works on, and the next text starts another.
 */
export class InferenceProcess {
  readonly #folder: string;
  readonly #startTimeoutMs: number;
  readonly #encodeTimeoutMs: number;
  readonly #waiting: Record<EmbeddingPurpose, Set<Waiting>> = { query: new Set(), passage: new Set() };
  #child: ChildProcess | undefined;
  #isReady = false;
  #current: (Waiting & { id: number }) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #requests = 0;
  #failedStart: { error: Error; at: number } | undefined;

  constructor({ folder, startTimeoutMs, encodeTimeoutMs }: InferenceProcessOptions) {
    this.#folder = folder;
    this.#startTimeoutMs = startTimeoutMs ?? START_TIMEOUT_MS;
    this.#encodeTimeoutMs = encodeTimeoutMs ?? ENCODE_TIMEOUT_MS;
  }

  /** The text's vector. Throws ProviderFailure and ModelFolderError; rejects with the signal's reason when it is aborted. */
  encode(text: string, purpose: EmbeddingPurpose, signal?: AbortSignal): Promise<Float32Array> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (this.#waiting[purpose].size >= MAX_WAITING)
      return Promise.reject(new ProviderFailure("too many texts wait for their embedding", true));
    const { promise, resolve, reject } = Promise.withResolvers<Float32Array>();
    const waiting: Waiting = { text, purpose, resolve, reject };
    const giveUp = () => {
      this.#waiting[purpose].delete(waiting);
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", giveUp, { once: true });
    this.#waiting[purpose].add(waiting);
    this.#next();
    return promise.finally(() => signal?.removeEventListener("abort", giveUp));
  }

  /** Ends the child; texts that wait are rejected. */
  close(): void {
    this.#stop(new ProviderFailure("the embedder is closed", false), this.#allWaiting());
  }

  #allWaiting(): Waiting[] {
    return [...this.#waiting.query, ...this.#waiting.passage];
  }

  #next(): void {
    if (this.#current !== undefined) return;
    if (this.#child === undefined) {
      if (this.#allWaiting().length > 0) this.#start();
      return;
    }
    if (!this.#isReady) return;
    const [waiting] = this.#waiting.query.size > 0 ? this.#waiting.query : this.#waiting.passage;
    if (waiting === undefined) {
      this.#letProcessEnd(this.#child);
      return;
    }
    this.#waiting[waiting.purpose].delete(waiting);
    this.#current = { ...waiting, id: ++this.#requests };
    this.#keepProcess(this.#child);
    this.#limit(this.#encodeTimeoutMs, "an embedding takes too long");
    const { id, text, purpose } = this.#current;
    this.#child.send({ id, text, purpose } satisfies EncodeRequest);
  }

  #start(): void {
    const failed = this.#failedStart;
    if (failed && Date.now() - failed.at < RESTART_PAUSE_MS) {
      this.#stop(failed.error, this.#allWaiting());
      return;
    }
    // An empty environment: the child needs no setting, and no secret of the service.
    const child = fork(CHILD, [this.#folder], {
      env: {},
      execArgv: [],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.#child = child;
    this.#limit(this.#startTimeoutMs, "the embedding model takes too long to load");
    child.on("message", (message: ChildMessage) => this.#take(message));
    child.once("error", (error) => this.#lost(child, `its process failed: ${error.message}`));
    child.once("exit", (code, signal) => this.#lost(child, `its process ended with ${signal ?? code}`));
  }

  #take(message: ChildMessage): void {
    clearTimeout(this.#timer);
    if (message.kind === "unusable") {
      const { part, reason } = message;
      this.#failStart(part === "folder" ? new ModelFolderError(reason) : new ProviderFailure(reason, false));
      return;
    }
    if (message.kind === "ready") {
      this.#isReady = true;
      this.#failedStart = undefined;
    } else if (message.id === this.#current?.id) {
      const { resolve, reject } = this.#current;
      this.#current = undefined;
      if (message.kind === "vector") resolve(message.vector);
      else reject(new ProviderFailure(message.reason, false));
    }
    this.#next();
  }

  #limit(milliseconds: number, problem: string): void {
    clearTimeout(this.#timer);
    const child = this.#child;
    this.#timer = setTimeout(() => child && this.#lost(child, problem), milliseconds);
  }

  /** The text that was worked on fails; the others wait for another child, unless none could be started. */
  #lost(child: ChildProcess, problem: string): void {
    if (child !== this.#child) return;
    const error = new ProviderFailure(`The embedder failed: ${problem}.`, true);
    if (!this.#isReady) {
      this.#failStart(error);
      return;
    }
    this.#stop(error, []);
    this.#next();
  }

  #failStart(error: Error): void {
    this.#failedStart = { error, at: Date.now() };
    this.#stop(error, this.#allWaiting());
  }

  #stop(error: Error, others: Waiting[]): void {
    clearTimeout(this.#timer);
    const child = this.#child;
    const current = this.#current;
    this.#child = undefined;
    this.#current = undefined;
    this.#isReady = false;
    child?.kill("SIGKILL");
    current?.reject(error);
    for (const waiting of others) {
      this.#waiting[waiting.purpose].delete(waiting);
      waiting.reject(error);
    }
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
