import { text as readAll } from "node:stream/consumers";
import type * as api from "../api.ts";
import { MemoryClient } from "../client.ts";
import { asLine } from "../prompt.ts";
import { bridge } from "../stdio.ts";
import { Transport } from "../transport.ts";
import { runHook } from "./agents/hook.ts";
import { refuseIgnored } from "./agents/ignore.ts";
import { changeAgent, statusOf } from "./agents/install.ts";
import { offerNotes } from "./agents/notes.ts";
import { type Command, EXIT_FAILED, type Invocation, UsageError } from "./command.ts";
import { switchHooks } from "./credentials.ts";
import { examine, reportOf } from "./doctor.ts";
import { login } from "./login.ts";
import { inWords, migrate, SOURCE_NAMES } from "./migrate/migrate.ts";
import { exportFile, importFile } from "./transfers.ts";

const FORMATS = ["json", "jsonl", "csv"] as const;
const IMPORT_FORMATS = [...FORMATS, "zip"] as const;
/** Without `json`: the service detects whether such a file contains one value or one value per line. */
const NAMED_IMPORT_FORMATS = ["jsonl", "csv", "zip"] as const;
const FACT_STATUSES = ["current", "superseded", "retracted", "planned", "past"] as const;
const DEFAULT_RECALL_TOKENS = 500;
const DEFAULT_LISTED = 20;
/** Most items of a page of a list. */
const MAX_PAGE = 100;

export const COMMANDS: Record<string, Command> = {
  login: {
    summary: "store the address of a service and a key, which is read from MEMORY_API_KEY or stdin",
    options: ["url"],
    async run({ values, output }) {
      const stored = await login(values.url);
      output.print(stored, ({ url, file }) => `Stored the key for ${url} in ${file}.`);
    },
  },
  remember: {
    argument: "TEXT",
    summary: "store a memory; `-` reads it from stdin",
    options: ["user"],
    async run(invocation) {
      const content = invocation.text === "-" ? (await readAll(process.stdin)).trim() : invocation.text;
      const stored = await clientOf(invocation).remember({ content, ...userOf(invocation) });
      invocation.output.print(stored, ({ id }) => id);
    },
  },
  recall: {
    argument: "QUERY",
    summary: "what is known for a question, as a block for a prompt; needs --user",
    options: ["user", "max-tokens"],
    async run(invocation) {
      const max_tokens = wholeNumber(invocation, "max-tokens") ?? DEFAULT_RECALL_TOKENS;
      const recalled = await clientOf(invocation).recall(invocation.text, { ...userOf(invocation), max_tokens });
      invocation.output.print(recalled, ({ context, confident }) =>
        confident ? context : `(nothing answers this)\n${context}`,
      );
    },
  },
  search: {
    argument: "QUERY",
    summary: "memories that a query finds, best first",
    options: ["user"],
    async run(invocation) {
      const found = await clientOf(invocation).search(invocation.text, { filters: userOf(invocation) });
      invocation.output.print(found, ({ results }) =>
        results.map(({ id, score, content }) => `${score.toFixed(2)} ${id} ${asLine(content ?? "")}`).join("\n"),
      );
    },
  },
  list: {
    summary: "memories, newest first",
    options: ["user", "category", "type", "limit"],
    async run(invocation) {
      const { category, type } = invocation.values;
      const most = wholeNumber(invocation, "limit") ?? DEFAULT_LISTED;
      const query = { ...userOf(invocation), category, type, limit: Math.min(Math.max(most, 1), MAX_PAGE) };
      const memories = await firstOf(clientOf(invocation).list(query), most);
      invocation.output.print({ memories }, () =>
        memories.map(({ id, occurred_at, content }) => `${id} ${dayOf(occurred_at)} ${asLine(content)}`).join("\n"),
      );
    },
  },
  get: {
    argument: "ID",
    summary: "one memory",
    options: [],
    async run(invocation) {
      invocation.output.print(await clientOf(invocation).get(invocation.text), ({ content }) => content);
    },
  },
  forget: {
    argument: "ID",
    summary: "delete one memory",
    options: [],
    async run(invocation) {
      invocation.output.print(await clientOf(invocation).forget(invocation.text), ({ id }) => `${id} is deleted`);
    },
  },
  profile: {
    summary: "what a user said about themselves; needs --user",
    options: ["user"],
    async run(invocation) {
      const { user } = invocation.values;
      if (user === undefined) throw new UsageError("'memory profile' needs --user.");
      invocation.output.print(await clientOf(invocation).profile(user), ({ text }) => text);
    },
  },
  facts: {
    summary: "what memories say, as values of properties",
    options: ["user", "status", "as-of", "limit"],
    async run(invocation) {
      const { status: given = "current", "as-of": as_of } = invocation.values;
      const status = oneOf("status", given, FACT_STATUSES);
      const most = wholeNumber(invocation, "limit") ?? Number.POSITIVE_INFINITY;
      const facts = await firstOf(clientOf(invocation).facts.list({ ...userOf(invocation), status, as_of }), most);
      invocation.output.print({ facts }, () => facts.map(factLine).join("\n"));
    },
  },
  correct: {
    argument: "ID [VALUE]",
    summary: "correct the value of a fact; without a value, it was never true",
    options: [],
    async run(invocation) {
      const [id = "", ...words] = invocation.text.split(" ");
      const { facts } = clientOf(invocation);
      const changed = words.length > 0 ? await facts.correct(id, { value: words.join(" ") }) : await facts.retract(id);
      invocation.output.print(changed, factLine);
    },
  },
  import: {
    argument: "FILE",
    summary: "store the memories or conversations of a file, and wait until they are stored",
    options: ["user", "format"],
    async run(invocation) {
      const { text, values, output } = invocation;
      const format = oneOf("format", values.format, IMPORT_FORMATS) ?? namedBy(text, NAMED_IMPORT_FORMATS);
      refuseIgnored(text);
      const event = await importFile(transportOf(invocation), text, { format, ...userOf(invocation) }, output);
      const { imported = 0, skipped = 0, progress, errors, status } = event;
      const failed = progress?.failed ?? 0;
      for (const { index, message } of errors) output.note(index === undefined ? message : `row ${index}: ${message}`);
      output.print(event, () => `${imported} imported, ${skipped} skipped, ${failed} failed (${event.id})`);
      if (status === "FAILED" || failed > 0) process.exitCode = EXIT_FAILED;
    },
  },
  export: {
    argument: "FILE",
    summary: "write memories to a file of json, jsonl or csv; `-` is stdout",
    options: ["user", "category", "type", "format"],
    async run(invocation) {
      const { text: file, values, output } = invocation;
      const { category, type } = values;
      const format = oneOf("format", values.format, FORMATS) ?? namedBy(file, FORMATS);
      const filters = { ...userOf(invocation), category, type, format };
      const event = await exportFile(transportOf(invocation), file, filters, output);
      const isDone = event.status === "completed";
      const inWords = `${event.progress?.done ?? 0} memories written to ${file}`;
      if (!isDone) throw new Error(`The export failed: ${event.errors.map(({ message }) => message).join("; ")}`);
      if (file === "-") output.note(inWords);
      else output.print(event, () => inWords);
    },
  },
  migrate: {
    argument: "SERVICE",
    summary: `fetch the memories of ${SOURCE_NAMES.join(" or ")}, import them, and report those that failed`,
    options: ["user", "file", "dry-run"],
    async run(invocation) {
      const { text, values, output } = invocation;
      const source = SOURCE_NAMES.find((name) => name === text);
      if (source === undefined) throw new UsageError(`SERVICE is one of ${SOURCE_NAMES.join(", ")}, not '${text}'.`);
      const { user, file = `${source}-memories.jsonl`, "dry-run": isDryRun = false } = values;
      const report = await migrate(() => transportOf(invocation), { source, file, user, isDryRun }, output);
      output.print(report, inWords);
      if ((report.failed ?? 0) > 0) process.exitCode = EXIT_FAILED;
    },
  },
  mcp: {
    summary: "the Model Context Protocol over stdin and stdout",
    options: ["user"],
    run(invocation) {
      const { url: baseUrl, key: apiKey } = invocation.connection();
      return bridge({ baseUrl, apiKey, userId: invocation.values.user, input: process.stdin, output: process.stdout });
    },
  },
  install: {
    argument: "AGENT",
    summary: "add the memory to a coding agent, after showing the change",
    options: ["user", "yes", "notes"],
    async run(invocation) {
      await changeAgent(invocation, true);
      await offerNotes(invocation, () => clientOf(invocation));
    },
  },
  uninstall: {
    argument: "AGENT",
    summary: "remove the memory from a coding agent, after showing the change",
    options: ["yes"],
    run: (invocation) => changeAgent(invocation, false),
  },
  status: {
    summary: "which coding agents have the memory",
    options: [],
    async run({ output }) {
      const status = statusOf();
      output.print(status, () =>
        Object.entries(status)
          .map(([agent, state]) => `${agent.padEnd(12)} ${state}`)
          .join("\n"),
      );
    },
  },
  hook: {
    argument: "AGENT",
    summary: "what an installed agent runs during a session",
    options: ["user"],
    run: runHook,
  },
  hooks: {
    argument: "on|off",
    summary: "switch the hooks of all agents on or off",
    options: [],
    async run({ text, output }) {
      if (text !== "on" && text !== "off") throw new UsageError(`Hooks are switched on or off, not '${text}'.`);
      switchHooks(text === "on");
      output.print({ hooks: text }, ({ hooks }) => `The hooks of all agents are ${hooks}.`);
    },
  },
  doctor: {
    summary: "check address, service, key, permissions and index, with a hint for what fails",
    options: [],
    async run({ output }) {
      const checks = await examine();
      const isWell = checks.every(({ status }) => status !== "failed");
      output.print({ ok: isWell, checks }, () => reportOf(checks));
      if (!isWell) process.exitCode = EXIT_FAILED;
    },
  },
};

function clientOf({ connection }: Invocation): MemoryClient {
  const { url: baseUrl, key: apiKey } = connection();
  return new MemoryClient({ baseUrl, apiKey });
}

function transportOf({ connection }: Invocation): Transport {
  const { url: baseUrl, key: apiKey } = connection();
  return new Transport({ baseUrl, apiKey });
}

function userOf({ values: { user } }: Invocation): Pick<api.RememberBody, "user_id"> {
  return user === undefined ? {} : { user_id: user };
}

function wholeNumber({ values }: Invocation, name: "max-tokens" | "limit"): number | undefined {
  const given = values[name];
  if (given === undefined) return undefined;
  if (/^\d+$/.test(given)) return Number(given);
  throw new UsageError(`--${name} is a whole number, not '${given}'.`);
}

/** Returns the first items of a list, and reads no page after them. */
async function firstOf<Item>(items: AsyncIterable<Item>, most: number): Promise<Item[]> {
  const found: Item[] = [];
  if (most === 0) return found;
  for await (const item of items) {
    found.push(item);
    if (found.length === most) break;
  }
  return found;
}

function factLine({ id, status, subject, attribute, value, valid_from }: api.Fact | api.GetFactAnswer): string {
  const state = status === "current" ? "" : ` (${status})`;
  return `${id} ${asLine(`${subject} ${attribute}: ${value}`)} since ${dayOf(valid_from)}${state}`;
}

function dayOf(moment: string): string {
  return moment.slice(0, "2026-01-01".length);
}

/** Returns the format of the file's extension, or undefined if the extension is unknown. */
function namedBy<Name extends string>(file: string, names: readonly Name[]): Name | undefined {
  return names.find((name) => file.toLowerCase().endsWith(`.${name}`));
}

function oneOf<Name extends string>(
  option: "format" | "status",
  given: string | undefined,
  names: readonly Name[],
): Name | undefined {
  if (given === undefined) return undefined;
  const name = names.find((known) => known === given);
  if (name === undefined) throw new UsageError(`--${option} is one of ${names.join(", ")}, not '${given}'.`);
  return name;
}
