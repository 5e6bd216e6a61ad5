import { text as readAll } from "node:stream/consumers";
import type * as api from "../api.ts";
import { MemoryClient } from "../client.ts";
import { asLine } from "../prompt.ts";
import { bridge } from "../stdio.ts";
import { Transport } from "../transport.ts";
import { runHook } from "./agents/hook.ts";
import { changeAgent, statusOf } from "./agents/install.ts";
import { type Command, EXIT_FAILED, type Invocation, UsageError } from "./command.ts";
import { examine, reportOf } from "./doctor.ts";
import { login } from "./login.ts";
import { exportFile, importFile } from "./transfers.ts";

const FORMATS = ["json", "jsonl", "csv"] as const;
const IMPORT_FORMATS = [...FORMATS, "zip"] as const;
/** Without `json`: the service detects whether such a file contains one value or one value per line. */
const NAMED_IMPORT_FORMATS = ["jsonl", "csv", "zip"] as const;
const DEFAULT_RECALL_TOKENS = 500;

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
  import: {
    argument: "FILE",
    summary: "store the memories or conversations of a file, and wait until they are stored",
    options: ["user", "format"],
    async run(invocation) {
      const { text, values, output } = invocation;
      const format = oneOf(values.format, IMPORT_FORMATS) ?? namedBy(text, NAMED_IMPORT_FORMATS);
      const event = await importFile(transportOf(invocation), text, { format, ...userOf(invocation) }, output.note);
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
      const format = oneOf(values.format, FORMATS) ?? namedBy(file, FORMATS);
      const filters = { ...userOf(invocation), category, type, format };
      const event = await exportFile(transportOf(invocation), file, filters, output.note);
      const isDone = event.status === "completed";
      const inWords = `${event.progress?.done ?? 0} memories written to ${file}`;
      if (!isDone) throw new Error(`The export failed: ${event.errors.map(({ message }) => message).join("; ")}`);
      if (file === "-") output.note(inWords);
      else output.print(event, () => inWords);
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
    options: ["user", "yes"],
    run: (invocation) => changeAgent(invocation, true),
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
    summary: "what an installed agent runs at the start and the end of a session",
    options: ["user"],
    run: runHook,
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

function wholeNumber({ values }: Invocation, name: "max-tokens"): number | undefined {
  const given = values[name];
  if (given === undefined) return undefined;
  if (/^\d+$/.test(given)) return Number(given);
  throw new UsageError(`--${name} is a whole number, not '${given}'.`);
}

/** Returns the format of the file's extension, or undefined if the extension is unknown. */
function namedBy<Name extends string>(file: string, names: readonly Name[]): Name | undefined {
  return names.find((name) => file.toLowerCase().endsWith(`.${name}`));
}

function oneOf<Name extends string>(given: string | undefined, names: readonly Name[]): Name | undefined {
  if (given === undefined) return undefined;
  const name = names.find((known) => known === given);
  if (name === undefined) throw new UsageError(`--format is one of ${names.join(", ")}, not '${given}'.`);
  return name;
}
