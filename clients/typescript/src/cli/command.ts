import type { ParseArgsConfig } from "node:util";
import type { Connection } from "./credentials.ts";
import type { Output } from "./output.ts";

/** All options of the command line; each command lists those it accepts. */
export const OPTIONS = {
  user: { type: "string", value: "ID", summary: "the user it is about" },
  limit: { type: "string", value: "N", summary: "most memories of a list, 20 by default" },
  status: { type: "string", value: "NAME", summary: "facts of this status: current (by default), superseded, past …" },
  "as-of": { type: "string", value: "DATE", summary: "facts that were true at this time" },
  "max-tokens": { type: "string", value: "N", summary: "most tokens of a recall, 500 by default" },
  format: { type: "string", value: "NAME", summary: "format of the file, by default what its name or content says" },
  category: { type: "string", value: "NAME", summary: "memories of this category alone" },
  type: { type: "string", value: "NAME", summary: "memories of this type alone" },
  url: { type: "string", value: "URL", summary: "address of the service" },
  file: {
    type: "string",
    value: "FILE",
    summary: "where fetched memories are kept, SERVICE-memories.jsonl by default",
  },
  "dry-run": { type: "boolean", summary: "fetch and count, without storing anything in the service" },
  yes: { type: "boolean", summary: "make the change without a question" },
  notes: { type: "boolean", summary: "store CLAUDE.md and AGENTS.md of this project without a question" },
  json: { type: "boolean", summary: "answers and errors as JSON" },
  version: { type: "boolean", short: "v", summary: "the version of this program" },
  help: { type: "boolean", short: "h", summary: "this text" },
} as const satisfies NonNullable<ParseArgsConfig["options"]> & Record<string, { value?: string; summary: string }>;

export type OptionName = keyof typeof OPTIONS;

export type OptionValues = {
  [Name in OptionName]?: (typeof OPTIONS)[Name]["type"] extends "boolean" ? boolean : string;
};

/** The arguments of a command. */
export interface Invocation {
  /** The words after the command's name, joined by spaces. */
  text: string;
  values: OptionValues;
  output: Output;
  /** Returns the service's address and key. Throws a SetupError if there is no key. */
  connection(): Connection;
}

export interface Command {
  /** Name of the positional argument; without it, the command takes no words. */
  argument?: "TEXT" | "QUERY" | "FILE" | "AGENT" | "SERVICE" | "ID" | "ID [VALUE]" | "on|off";
  summary: string;
  options: readonly OptionName[];
  run(invocation: Invocation): Promise<void>;
}

/** The command line is invalid. */
export class UsageError extends Error {}

export const EXIT_FAILED = 1;
export const EXIT_USAGE = 2;
