#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Command, EXIT_FAILED, EXIT_USAGE, OPTIONS, type OptionName, UsageError } from "./cli/command.ts";
import { COMMANDS } from "./cli/commands.ts";
import { findConnection } from "./cli/credentials.ts";
import { createOutput, endWithReader } from "./cli/output.ts";
import { usage } from "./cli/usage.ts";

/** Options of every command. */
const COMMON: readonly OptionName[] = ["json", "help", "version"];
/** Arguments of one word. */
const WORDS: readonly unknown[] = ["FILE", "AGENT", "SERVICE", "ID", "on|off"];

endWithReader();
const output = createOutput(process.argv.includes("--json"));
try {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: OPTIONS });
  const [name, ...words] = positionals;
  if (values.version) output.print({ version: version() }, (printed) => printed.version);
  else if (values.help) process.stdout.write(usage());
  else {
    if (name === undefined) throw new UsageError("Name a command.");
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (command === undefined) throw new UsageError(`There is no command '${name}'.`);
    check(name, command, words, Object.keys(values) as OptionName[]);
    await command.run({ text: words.join(" "), values, output, connection: findConnection });
  }
} catch (error) {
  output.complain(error);
  if (isUsage(error)) output.note("`memory --help` shows the commands.");
  process.exitCode = isUsage(error) ? EXIT_USAGE : EXIT_FAILED;
}

/** Throws a UsageError if the command does not accept these arguments or options. */
function check(name: string, { argument, options }: Command, words: string[], given: OptionName[]): void {
  const unknown = given.find((option) => !options.includes(option) && !COMMON.includes(option));
  if (unknown !== undefined) throw new UsageError(`'memory ${name}' takes no --${unknown}.`);
  if (argument === undefined && words.length > 0) throw new UsageError(`'memory ${name}' takes no words.`);
  if (argument !== undefined && words.join("") === "") throw new UsageError(`'memory ${name}' needs a ${argument}.`);
  if (WORDS.includes(argument) && words.length > 1) throw new UsageError(`'memory ${name}' takes one ${argument}.`);
}

/** The version of the package, whose file is one folder above this program. */
function version(): string {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
}

function isUsage(error: unknown): boolean {
  if (error instanceof UsageError) return true;
  return error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
}
