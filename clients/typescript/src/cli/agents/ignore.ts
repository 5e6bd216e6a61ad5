import { randomUUID } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { SetupError } from "../setup-error.ts";
import { findProject } from "./project.ts";

const IGNORE_FILE = ".memoryignore";
/** A file with more rules is refused, so that checking a path stays fast. */
const MAX_RULES = 1_000;

/** Matches one character of a name; STAR matches any number of them. */
type Part = typeof STAR | ((character: string) => boolean);
const STAR = "*";
const ANY_FOLDERS = "**";
type Segment = typeof ANY_FOLDERS | Part[];

interface Rule {
  segments: Segment[];
  isNegated: boolean;
  isFolderOnly: boolean;
}

/** The rules of a `.memoryignore`, which has the syntax of a `.gitignore`: what is never sent. */
export class IgnoreRules {
  readonly #rules: Rule[];

  constructor(text: string) {
    this.#rules = text.split(/\r?\n/).flatMap(ruleOf);
    if (this.#rules.length > MAX_RULES) throw new Error(`${IGNORE_FILE} has more than ${MAX_RULES} rules.`);
  }

  /** Returns the rules in a folder; there are none if it has no such file. */
  static in(folder: string): IgnoreRules {
    const file = path.join(folder, IGNORE_FILE);
    return new IgnoreRules(statSync(file, { throwIfNoEntry: false }) ? readFileSync(file, "utf8") : "");
  }

  /** Whether a file is ignored: by its own name, or because one of its folders is. The path has slashes. */
  ignores(file: string): boolean {
    const names = file.split("/").filter((name) => name !== "" && name !== ".");
    return names.some((_, index) => this.#decides(names.slice(0, index + 1), index + 1 < names.length));
  }

  /** Whether every file is ignored: only a rule for all names matches a new name. */
  ignoresAll(): boolean {
    return this.ignores(randomUUID());
  }

  /** Whether a text names an ignored file of the folder. */
  isNamedIn(text: string, folder: string): boolean {
    if (this.#rules.length === 0) return false;
    const words = text.split(/[\s"'`()<>,;]+/).map((word) => word.replace(/^@/, "").replace(/[.:!?]+$/, ""));
    const files = words.filter((word) => /[./\\]/.test(word)).map((word) => path.resolve(folder, word));
    return files.some((file) => this.ignores(path.relative(folder, file).split(path.sep).join("/")));
  }

  #decides(names: string[], isFolder: boolean): boolean {
    const rule = this.#rules.findLast(
      ({ segments, isFolderOnly }) => (isFolder || !isFolderOnly) && matches(segments, names),
    );
    return rule !== undefined && !rule.isNegated;
  }
}

/** Throws a SetupError if the file is ignored by its project. */
export function refuseIgnored(file: string): void {
  const { root } = findProject(path.dirname(path.resolve(file)));
  if (!IgnoreRules.in(root).ignores(path.relative(root, path.resolve(file)).split(path.sep).join("/"))) return;
  throw new SetupError(`${file} is not sent.`, `${path.join(root, IGNORE_FILE)} names it.`);
}

function ruleOf(line: string): Rule[] {
  const isNegated = line.startsWith("!");
  const pattern = withoutTrailingSpaces(line.slice(isNegated ? 1 : 0));
  if (pattern === "" || line.startsWith("#")) return [];
  const isFolderOnly = pattern.endsWith("/");
  const names = pattern.split("/").filter((name, index, all) => name !== "" || (index > 0 && index < all.length - 1));
  const isAnchored = pattern.slice(0, -1).includes("/");
  if (names.length === 0) return [];
  const segments = names.map((name) => (name === ANY_FOLDERS ? ANY_FOLDERS : partsOf(name)));
  return [{ segments: isAnchored ? segments : [ANY_FOLDERS, ...segments], isNegated, isFolderOnly }];
}

/** Removes spaces at the end, except one behind a backslash. */
function withoutTrailingSpaces(text: string): string {
  let end = text.length;
  while (text[end - 1] === " " && text[end - 2] !== "\\") end -= 1;
  return text.slice(0, end);
}

/** The parts of a pattern for one name. An unclosed bracket matches nothing. */
function partsOf(name: string): Part[] {
  const parts: Part[] = [];
  for (let index = 0; index < name.length; index += 1) {
    const character = name[index] ?? "";
    if (character === "*") {
      if (parts.at(-1) !== STAR) parts.push(STAR);
    } else if (character === "?") parts.push(() => true);
    else if (character === "[") {
      const end = name.indexOf("]", index + (/[!^]/.test(name[index + 1] ?? "") ? 3 : 2));
      parts.push(end === -1 ? () => false : rangeOf(name.slice(index + 1, end)));
      index = end === -1 ? name.length : end;
    } else {
      if (character === "\\") index += 1;
      const literal = name[index];
      parts.push((other) => other === literal);
    }
  }
  return parts;
}

/** The characters of a bracket, such as `a-z_` or `!0-9`. */
function rangeOf(inner: string): (character: string) => boolean {
  const isNegated = /^[!^]/.test(inner);
  const ranges = [...inner.slice(isNegated ? 1 : 0).matchAll(/\\?(.)(?:-\\?(.))?/gsu)];
  return (character) =>
    ranges.some(([, first = "", last = first]) => first <= character && character <= last) !== isNegated;
}

/** Whether segments match the names of a path. Each name is compared with each segment at most once. */
function matches(segments: Segment[], names: string[]): boolean {
  let reached = new Set([0]);
  for (const [index, segment] of segments.entries()) {
    const next = new Set<number>();
    const isLast = index === segments.length - 1;
    for (const at of reached) {
      if (segment !== ANY_FOLDERS) {
        const name = names[at];
        if (name !== undefined && matchesName(segment, name)) next.add(at + 1);
        // At the end, the pattern matches what is in a folder, but not the folder.
      } else for (let end = isLast ? at + 1 : at; end <= names.length; end += 1) next.add(end);
    }
    reached = next;
  }
  return reached.has(names.length);
}

/** Whether parts match a name; only the last star is tried at other positions, so the work is their product. */
function matchesName(parts: Part[], name: string): boolean {
  let [part, at, star, from] = [0, 0, -1, 0];
  while (at < name.length) {
    const current = parts[part];
    if (current === STAR) {
      [star, from] = [part, at];
      part += 1;
    } else if (current?.(name[at] ?? "")) {
      part += 1;
      at += 1;
    } else if (star !== -1) {
      part = star + 1;
      from += 1;
      at = from;
    } else return false;
  }
  return parts.slice(part).every((rest) => rest === STAR);
}
