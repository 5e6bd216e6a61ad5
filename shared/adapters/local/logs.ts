import { readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Clock } from "../../kernel/clock.ts";
import { timestamp } from "../../kernel/clock.ts";
import { DAY_MS } from "../../kernel/durations.ts";
import { identified, matches, type ParsedLine, parseLine } from "../../ports/log-line.ts";
import type { LogFilter, LogLine, LogStore } from "../../ports/log-store.ts";
import { unlessAbsent } from "./blobs.ts";
import { writePrivately } from "./storage/atomic-file.ts";
import { appendPrivately, makePrivateFolder } from "./storage/private-files.ts";

export interface LocalLogStoreOptions {
  /** Created if missing; used by one process. */
  folder: string;
  clock: Clock;
  retentionDays: number;
  /** Maximum bytes per file and maximum number of files. */
  segmentBytes?: number;
  maxSegments?: number;
}

const SEGMENT_BYTES = 4 * 1024 * 1024;
const MAX_SEGMENTS = 8;
/** Lines are written this many milliseconds after the first one, so that requests do not wait. */
const WRITE_AFTER_MS = 200;
const MAX_WAITING_CHARACTERS = 256 * 1024;
const EXTENSION = ".jsonl";

/**
 * `LogStore` in files of JSON lines: the logger's output is appended and the oldest file is deleted when there are too
 * many. A killed process loses the lines of its last fifth of a second here, but not on standard output.
 */
export class LocalLogStore implements LogStore {
  readonly #options: Required<LocalLogStoreOptions>;
  #waiting: string[] = [];
  #waitingCharacters = 0;
  #timer: NodeJS.Timeout | undefined;
  #current: number;
  #currentBytes: number;
  #isClosed = false;
  #isFailing = false;

  constructor(options: LocalLogStoreOptions) {
    this.#options = { segmentBytes: SEGMENT_BYTES, maxSegments: MAX_SEGMENTS, ...options };
    makePrivateFolder(options.folder);
    const newest = this.#segments().at(-1);
    this.#current = newest ?? 1;
    this.#currentBytes = newest === undefined ? 0 : statSync(this.#fileOf(newest)).size;
    this.#dropExpired();
  }

  /** Stores lines, each a JSON object, separated by line feeds. Returns before they are written. */
  append(lines: string): void {
    if (this.#isClosed) return;
    this.#waiting.push(lines);
    this.#waitingCharacters += lines.length;
    if (this.#waitingCharacters >= MAX_WAITING_CHARACTERS) this.#write();
    else this.#timer ??= setTimeout(() => this.#write(), WRITE_AFTER_MS).unref();
  }

  async find(filter: LogFilter, limit: number): Promise<{ lines: LogLine[]; total: number }> {
    this.#write();
    const from = this.#retainedFrom(filter.from);
    const found: ParsedLine[] = [];
    let total = 0;
    for (const segment of this.#segments().reverse()) {
      const lines = await this.#readLines(segment);
      if (lines.length > 0 && lines.every(({ at }) => at < from)) break;
      const matching = lines.filter((line) => line.at >= from && matches(filter, line));
      total += matching.length;
      if (found.length < limit) found.push(...matching.reverse());
    }
    // Lines of the same millisecond keep their order, the last one first.
    const newestFirst = found.sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : 0));
    return { lines: newestFirst.slice(0, limit).map(identified), total };
  }

  async prune(before: number, dryRun: boolean): Promise<{ lines: number; bytes: number }> {
    this.#write();
    const moment = timestamp(before);
    const dropped = { lines: 0, bytes: 0 };
    for (const segment of this.#segments()) {
      const lines = await this.#readLines(segment);
      const old = lines.filter(({ at }) => at < moment);
      if (lines.length > 0 && old.length === 0) break;
      dropped.lines += old.length;
      dropped.bytes += old.reduce((sum, { text }) => sum + Buffer.byteLength(text) + 1, 0);
      if (!dryRun) this.#dropLines(segment, moment);
    }
    return dropped;
  }

  close(): void {
    this.#write();
    this.#isClosed = true;
  }

  #write(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#waiting.length === 0) return;
    const text = `${this.#waiting.join("\n")}\n`;
    this.#waiting = [];
    this.#waitingCharacters = 0;
    try {
      if (this.#currentBytes >= this.#options.segmentBytes) this.#rotate();
      appendPrivately(this.#fileOf(this.#current), text);
      this.#currentBytes += Buffer.byteLength(text);
      this.#isFailing = false;
    } catch (error) {
      this.#warnOnce(error);
    }
  }

  /** Lines that cannot be stored, for example on a full disk, are still on standard output; the service continues. */
  #warnOnce(error: unknown): void {
    if (!this.#isFailing) process.emitWarning(`Log lines cannot be stored: ${error}`, "LogsNotKept");
    this.#isFailing = true;
  }

  #rotate(): void {
    this.#current += 1;
    this.#currentBytes = 0;
    const surplus = this.#segments().slice(0, -(this.#options.maxSegments - 1));
    for (const segment of surplus) rmSync(this.#fileOf(segment), { force: true });
    this.#dropExpired();
  }

  /** Deletes whole files of expired lines; a younger file keeps some until all its lines have expired. */
  #dropExpired(): void {
    const before = this.#options.clock() - this.#options.retentionDays * DAY_MS;
    for (const segment of this.#segments()) {
      const file = this.#fileOf(segment);
      if (segment === this.#current || statSync(file).mtimeMs >= before) break;
      rmSync(file);
    }
  }

  /** Rewrites a file in one turn of the event loop, so that no line arrives in between. */
  #dropLines(segment: number, before: string): void {
    const file = this.#fileOf(segment);
    const kept = linesOf(readFileSync(file, "utf8")).filter(({ at }) => at >= before);
    const text = kept.map((line) => `${line.text}\n`).join("");
    if (text === "") rmSync(file);
    else writePrivately(file, text);
    if (segment === this.#current) this.#currentBytes = Buffer.byteLength(text);
  }

  #retainedFrom(from: string): string {
    const oldest = timestamp(this.#options.clock() - this.#options.retentionDays * DAY_MS);
    return from > oldest ? from : oldest;
  }

  /** File numbers, oldest first. */
  #segments(): number[] {
    return readdirSync(this.#options.folder)
      .filter((name) => name.endsWith(EXTENSION))
      .map((name) => Number(name.slice(0, -EXTENSION.length)))
      .sort((a, b) => a - b);
  }

  /** The lines of a file; none if it was deleted meanwhile. */
  async #readLines(segment: number): Promise<ParsedLine[]> {
    return linesOf((await unlessAbsent(readFile(this.#fileOf(segment), "utf8"))) ?? "");
  }

  #fileOf(segment: number): string {
    return path.join(this.#options.folder, String(segment).padStart(12, "0") + EXTENSION);
  }
}

function linesOf(text: string): ParsedLine[] {
  return text.split("\n").flatMap((line) => parseLine(line) ?? []);
}
