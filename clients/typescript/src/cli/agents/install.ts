import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir, userInfo } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { fileURLToPath } from "node:url";
import { type Invocation, UsageError } from "../command.ts";
import { dataFolder, storedOwner } from "../credentials.ts";
import { SetupError } from "../setup-error.ts";
import { AGENTS, fileIn } from "./agents.ts";
import type { Entry } from "./edits.ts";

const CLI = fileURLToPath(new URL(`../../cli${path.extname(import.meta.url)}`, import.meta.url));
const PACKAGE = fileURLToPath(new URL("../../..", import.meta.url));
/** npx runs this program from its cache, which may be emptied at any time. */
const IS_CACHED = CLI.split(path.sep).includes("_npx");

interface Change {
  file: string;
  /** It is removed, because it had nothing but our entry. */
  isRemoved: boolean;
  before: string;
  after: string;
}

/** Adds our entries to an agent's files, or removes them: shows the change, and makes it if it is confirmed. */
export async function changeAgent(invocation: Invocation, isInstall: boolean): Promise<void> {
  const { text: agent, output, values } = invocation;
  const changes = changesFor(agent, isInstall ? entryFor(values.user) : undefined);
  if (changes.length === 0) {
    if (isInstall) keepProgram();
    output.print({ agent, changed: [] }, () => `Nothing to change for ${agent}.`);
    return;
  }
  for (const change of changes) output.note(shown(change));
  if (isInstall && IS_CACHED) output.note(`This program is copied to ${keptPackage()}.`);
  if (!values.yes && !(await isConfirmed("Make this change?"))) {
    throw new SetupError("Nothing was changed.", "Repeat the command with --yes to make this change.");
  }
  if (isInstall) keepProgram();
  for (const change of changes) write(change);
  if (!Object.values(statusOf()).some((state) => state !== "not installed")) {
    rmSync(keptPackage(), { recursive: true, force: true });
  }
  const changed = changes.map(({ file }) => file);
  output.print({ agent, changed }, () => `Changed ${changed.join(" and ")}. Restart ${agent}.`);
}

/** Whether each agent has our entries. */
export function statusOf(): Record<string, "installed" | "partly installed" | "not installed"> {
  const states = Object.entries(AGENTS).map(([agent, files]) => {
    const present = files.map((file) => {
      const text = read(fileIn(homedir(), file));
      try {
        return file.edit(text, undefined) !== text;
      } catch {
        return false;
      }
    });
    const some = present.some(Boolean) ? "partly installed" : "not installed";
    return [agent, present.every(Boolean) ? "installed" : some] as const;
  });
  return Object.fromEntries(states);
}

/** The command that agents start. Memories are the named user's, by default those of the key's owner. */
function entryFor(user: string | undefined): Entry {
  const program = IS_CACHED ? path.join(keptPackage(), path.relative(PACKAGE, CLI)) : CLI;
  return { command: process.execPath, args: [program, "mcp", "--user", userOrDefault(user)] };
}

/** Where a program from npx's cache is copied to. */
function keptPackage(): string {
  return path.join(dataFolder(), "client");
}

/** Copies the program out of npx's cache, in place of an older one. */
function keepProgram(): void {
  if (!IS_CACHED) return;
  const draft = `${keptPackage()}.${process.pid}`;
  const old = `${draft}.old`;
  try {
    cpSync(PACKAGE, draft, { recursive: true });
    if (existsSync(keptPackage())) renameSync(keptPackage(), old);
    renameSync(draft, keptPackage());
  } finally {
    // A failed copy leaves the older program in use.
    if (existsSync(old) && !existsSync(keptPackage())) renameSync(old, keptPackage());
    for (const folder of [draft, old]) rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the named user, or else who owns the key of `memory login`, or else this machine's user. */
export function userOrDefault(user: string | undefined): string {
  return user ?? storedOwner() ?? userInfo().username;
}

function changesFor(agent: string, entry: Entry | undefined): Change[] {
  const files = Object.hasOwn(AGENTS, agent) ? AGENTS[agent] : undefined;
  if (!files) throw new UsageError(`There is no agent '${agent}': name one of ${Object.keys(AGENTS).join(", ")}.`);
  return files.flatMap((each) => {
    const file = fileIn(homedir(), each);
    const before = read(file);
    const after = edited(file, () => each.edit(before, entry));
    return after === before ? [] : [{ file, before, after, isRemoved: !entry && /^(?:\{\})?\s*$/.test(after) }];
  });
}

/** Names the file in what an edit throws. */
function edited(file: string, edit: () => string): string {
  try {
    return edit();
  } catch (error) {
    if (error instanceof SetupError) throw new SetupError(error.message.replace("The file", file), error.hint);
    throw error;
  }
}

function read(file: string): string {
  return statSync(file, { throwIfNoEntry: false }) ? readFileSync(file, "utf8") : "";
}

/** Replaces a file at once, and keeps a copy of the former one beside it. */
function write({ file, after, isRemoved }: Change): void {
  if (isRemoved) {
    rmSync(file);
    if (readdirSync(path.dirname(file)).length === 0) rmdirSync(path.dirname(file));
    return;
  }
  const existing = statSync(file, { throwIfNoEntry: false });
  if (!existing) mkdirSync(path.dirname(file), { recursive: true });
  const target = existing ? realpathSync(file) : file;
  if (existing) copyFileSync(target, `${target}.before-memory`);
  const draft = `${target}.${process.pid}`;
  writeFileSync(draft, after, { mode: existing ? existing.mode & 0o777 : 0o600, flag: "wx" });
  renameSync(draft, target);
}

/** The lines that differ, between the first and the last of them. */
function shown({ file, before, after }: Change): string {
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start += 1;
  let end = 0;
  const rest = Math.min(old.length, fresh.length) - start;
  while (end < rest && old.at(-1 - end) === fresh.at(-1 - end)) end += 1;
  const removed = old.slice(start, old.length - end).map((line) => `- ${line}`);
  const added = fresh.slice(start, fresh.length - end).map((line) => `+ ${line}`);
  return [file, ...removed, ...added].join("\n");
}

export async function isConfirmed(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) return false;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await lines.question(`${question} [y/N] `);
  lines.close();
  return /^y(es)?$/i.test(answer.trim());
}
