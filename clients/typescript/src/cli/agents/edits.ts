import { SetupError } from "../setup-error.ts";
import { changedText } from "./json-text.ts";

/** How an agent starts the service's tools. */
export interface Entry {
  command: string;
  args: string[];
}

/** Returns a file's text with our entry, or without it if there is no entry to add. */
export type Edit = (text: string, entry: Entry | undefined) => string;

/** The name of our entry. */
const NAME = "memory-service";
export const COMMENT = `# ${NAME}`;

type Fields = Record<string, unknown>;

/** An entry in a JSON file, within the named objects. */
export function inJson(within: string[], toValue: (entry: Entry) => unknown): Edit {
  return (text, entry) =>
    changeJson(text, (root) => {
      setWithin(root, [...within, NAME], entry && toValue(entry));
    });
}

/** Changes a JSON file; returns the same text if nothing changes. Throws a SetupError for what is not plain JSON. */
export function changeJson(text: string, change: (root: Fields) => void): string {
  const root = text.trim() === "" ? {} : parsed(text);
  if (!isFields(root)) throw unreadable("is not a JSON object without comments");
  const before = JSON.stringify(root);
  change(root);
  if (JSON.stringify(root) === before) return text;
  return changedText(text, root);
}

/** Sets a value within nested objects; undefined removes it, with the objects that become empty. */
export function setWithin(root: Fields, [name, ...rest]: string[], value: unknown): void {
  if (name === undefined) return;
  if (rest.length === 0) {
    if (value === undefined) delete root[name];
    else root[name] = value;
    return;
  }
  const inner = root[name] ?? (value === undefined ? undefined : {});
  if (inner === undefined) return;
  if (!isFields(inner)) throw unreadable(`has a \`${name}\` that is no object`);
  const wasEmpty = Object.keys(inner).length === 0;
  setWithin(inner, rest, value);
  if (Object.keys(inner).length > 0) root[name] = inner;
  else if (!wasEmpty) delete root[name];
}

const OWN_TABLE = new RegExp(`(\\n?\\n?)${COMMENT}: begin\\n[\\s\\S]*?${COMMENT}: end(\\n?)`);

/** A table at the end of a TOML file. Like the file before it, it ends with a line end or without one. */
export const inToml: Edit = (text, entry) => {
  const kept = text.replace(OWN_TABLE, (_, before: string, after: string) => (after === "" ? "" : before.slice(1)));
  if (entry === undefined) return kept;
  if (!isToml(kept)) throw unreadable("is not valid TOML");
  if (new RegExp(`^\\s*\\[mcp_servers\\."?${NAME}"?\\]`, "m").test(kept)) throw unreadable("has such an entry already");
  const { command, args } = entry;
  const lines = [`[mcp_servers.${NAME}]`, `command = ${JSON.stringify(command)}`, `args = ${JSON.stringify(args)}`];
  const table = `${COMMENT}: begin\n${lines.join("\n")}\n${COMMENT}: end`;
  if (kept === "") return `${table}\n`;
  return kept.endsWith("\n") ? `${kept}\n${table}\n` : `${kept}\n\n${table}`;
};

/** Whether every line is a table, a key with a value, or part of a value, and strings and brackets are closed. */
function isToml(text: string): boolean {
  const tokens = /"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|#[^\n]*/g;
  const bare = text.replace(tokens, (token) => (token.startsWith("#") ? "" : "text"));
  let [depth, lines] = [0, ""];
  for (const character of bare) {
    if ("[{".includes(character)) depth += 1;
    if ("]}".includes(character)) depth -= 1;
    if (depth < 0) return false;
    lines += character === "\n" && depth > 0 ? " " : character;
  }
  const isLine = (line: string) => /^(?:\[[^=]*\]|[\w.-][\w.\s-]*=\s*[^\s=].*)?$/.test(line.trim());
  return depth === 0 && !/["']/.test(bare) && lines.split("\n").every(isLine);
}

/** The file is in a form that is not edited here. */
export function unreadable(problem: string): SetupError {
  return new SetupError(`The file ${problem}.`, "It was left as it is. Add the entry by hand: see docs/agents.md.");
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
