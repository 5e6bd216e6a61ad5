import { COMMENT, type Edit, type Entry, unreadable } from "./edits.ts";

/** A line of a YAML file, and the keys below which it is. */
interface YamlLine {
  keys: string[];
  toLine(entry: Entry): string;
}

/** Lines of a YAML file, whose keys may exist. What is ours ends with our comment. */
export function inYaml(own: YamlLine[]): Edit {
  return (text, entry) => {
    let lines = text === "" ? [] : text.replace(/\n$/, "").split("\n");
    for (const { keys } of own) lines = withoutOwn(lines, keys);
    if (entry && !lines.every(isPossible)) throw unreadable("is not valid YAML");
    if (entry) for (const { keys, toLine } of own) lines = withOwn(lines, keys, `${toLine(entry)} ${COMMENT}`);
    return lines.length === 0 ? "" : `${lines.join("\n")}${entry || text.endsWith("\n") ? "\n" : ""}`;
  };
}

/** Whether a line can be in a YAML file: those that are not indented are keys, items, comments, marks or brackets. */
function isPossible(line: string): boolean {
  return /^(?: *[^\s]|\s*$)/.test(line) && /^(?:$|[\s#%{}[\],"'-]|\.\.\.|.+:(?:\s|$))/.test(line);
}

interface Block {
  /** The lines below a key. */
  start: number;
  end: number;
  indent: string;
}

/** Removes our line below the keys, and the keys that are ours and become empty. */
function withoutOwn(lines: string[], keys: string[]): string[] {
  const block = blockOf(lines, keys);
  if (!block) return lines;
  const isOwn = (line: string) => line.startsWith(block.indent) && line.endsWith(` ${COMMENT}`);
  let kept = lines.filter((line, index) => index < block.start || index >= block.end || !isOwn(line));
  for (let depth = keys.length; depth > 0; depth -= 1) {
    const inner = blockOf(kept, keys.slice(0, depth));
    if (!inner || inner.end > inner.start || !kept[inner.start - 1]?.endsWith(`: ${COMMENT}`)) break;
    kept = kept.filter((_, index) => index !== inner.start - 1);
  }
  return kept;
}

function withOwn(lines: string[], keys: string[], line: string): string[] {
  const found = keys.findLastIndex((_, index) => blockOf(lines, keys.slice(0, index + 1)) !== undefined) + 1;
  const block = found > 0 ? blockOf(lines, keys.slice(0, found)) : undefined;
  const { start, indent } = block ?? { start: lines.length, indent: "" };
  const own = keys.slice(found).map((key, depth) => `${indent}${"  ".repeat(depth)}${key}: ${COMMENT}`);
  return [...lines.slice(0, start), ...own, `${indent}${"  ".repeat(own.length)}${line}`, ...lines.slice(start)];
}

/** Finds the block below the keys, each on a line of its own. Throws a SetupError for a key in another form. */
function blockOf(lines: string[], keys: string[]): Block | undefined {
  let block: Block = { start: 0, end: lines.length, indent: "" };
  for (const key of keys) {
    const named = new RegExp(`^${block.indent}["']?${key}["']?\\s*:`);
    const at = lines.findIndex((line, index) => index >= block.start && index < block.end && named.test(line));
    if (at === -1) return undefined;
    if (!/:[ \t]*(#.*)?$/.test(lines[at] ?? "")) throw unreadable(`has \`${key}\` in a form that is not known here`);
    block = blockBelow(lines, at, block);
  }
  return block;
}

function blockBelow(lines: string[], at: number, { indent: outer, end: last }: Block): Block {
  const isBlank = (line: string) => /^\s*(#.*)?$/.test(line);
  let end = at + 1;
  for (let index = at + 1; index < last; index += 1) {
    const line = lines[index] ?? "";
    if (isBlank(line)) continue;
    // The items of a list may be as far left as its key.
    if (indentOf(line).length <= outer.length && !line.startsWith(`${outer}- `)) break;
    end = index + 1;
  }
  const first = lines.slice(at + 1, end).find((line) => !isBlank(line));
  return { start: at + 1, end, indent: first === undefined ? `${outer}  ` : indentOf(first) };
}

function indentOf(line: string): string {
  return /^ */.exec(line)?.[0] ?? "";
}
