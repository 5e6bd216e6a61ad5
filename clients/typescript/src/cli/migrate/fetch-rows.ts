import { createReadStream } from "node:fs";
import { type FileHandle, open, readFile, rename, writeFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Output } from "../output.ts";
import { SetupError } from "../setup-error.ts";
import type { ForeignList, ForeignService } from "./foreign-api.ts";

/** How far the fetching is, stored beside the file after each page. */
interface Progress {
  /** The service, its address and the user: another source does not continue this file. */
  from: string;
  /** Lists that are complete. */
  done: string[];
  /** The list in progress, with where its next page begins. */
  current: { name: string; cursor: string } | null;
  /** Bytes of the file that are complete; what a stopped run wrote after them is fetched again. */
  bytes: number;
  rows: number;
  isComplete: boolean;
}

const progressFile = (file: string) => `${file}.progress`;

/**
 * Fetches the rows of a service into a file, one on each line, each id once; returns how many. A run that stopped
 * continues after its last complete page, and a complete file is not fetched again.
 */
export async function fetchRows(
  service: ForeignService,
  { file, from, user }: { file: string; from: string; user: string | undefined },
  output: Output,
): Promise<number> {
  const before = await readProgress(file);
  if (before !== undefined && before.from !== from)
    throw new SetupError(`${file} has rows from ${before.from}.`, "Name another file with --file, or delete this one.");
  if (before?.isComplete) {
    output.note(`${file} is complete with ${before.rows} rows. Delete it to fetch them again.`);
    return before.rows;
  }
  // A file without progress is not ours.
  const handle = await open(file, before === undefined ? "wx" : "r+", 0o600);
  try {
    const draft = new Draft(
      file,
      handle,
      before ?? { from, done: [], current: null, bytes: 0, rows: 0, isComplete: false },
    );
    await draft.begin();
    for await (const list of service.lists(user)) await draft.add(list, output);
    return await draft.end();
  } finally {
    await handle.close();
  }
}

/** A file that grows by pages. */
class Draft {
  readonly #file: string;
  readonly #handle: FileHandle;
  readonly #progress: Progress;
  /** Ids of the rows in the file: a memory of a user and an agent is in the lists of both. */
  readonly #seen = new Set<string>();

  constructor(file: string, handle: FileHandle, progress: Progress) {
    this.#file = file;
    this.#handle = handle;
    this.#progress = progress;
  }

  async begin(): Promise<void> {
    await this.#handle.truncate(this.#progress.bytes);
    for await (const line of createInterface({ input: createReadStream(this.#file) })) this.#isNew(JSON.parse(line));
    await this.#save();
  }

  async add(list: ForeignList, output: Output): Promise<void> {
    const progress = this.#progress;
    if (progress.done.includes(list.name)) return;
    let cursor = progress.current?.name === list.name ? progress.current.cursor : undefined;
    do {
      const { rows, next } = await list.read(cursor);
      const added = rows.filter((row) => this.#isNew(row));
      const lines = Buffer.from(added.map((row) => `${JSON.stringify(row)}\n`).join(""));
      await this.#handle.write(lines, 0, lines.length, progress.bytes);
      progress.bytes += lines.length;
      progress.rows += added.length;
      progress.current = next === undefined ? null : { name: list.name, cursor: next };
      if (next === undefined) progress.done.push(list.name);
      await this.#save();
      output.note(`${progress.rows} rows, ${list.name}`);
      cursor = next;
    } while (cursor !== undefined);
  }

  async end(): Promise<number> {
    this.#progress.isComplete = true;
    await this.#save();
    return this.#progress.rows;
  }

  /** Notes the id of a row; false if the file has it. */
  #isNew(row: { id?: unknown; uuid?: unknown }): boolean {
    const id = row.id ?? row.uuid;
    if (typeof id !== "string") return true;
    if (this.#seen.has(id)) return false;
    this.#seen.add(id);
    return true;
  }

  /** Stores how far the file is, after its rows. */
  async #save(): Promise<void> {
    await this.#handle.sync();
    const target = progressFile(this.#file);
    await writeFile(`${target}.partial`, JSON.stringify(this.#progress), { mode: 0o600 });
    await rename(`${target}.partial`, target);
  }
}

async function readProgress(file: string): Promise<Progress | undefined> {
  try {
    return JSON.parse(await readFile(progressFile(file), "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
