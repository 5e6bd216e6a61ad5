import type { MemoryClient } from "./client.ts";
import { ConflictError } from "./errors.ts";

export interface MemoryToolOptions {
  client: Pick<MemoryClient, "list" | "remember" | "update" | "forget">;
  /** The user whose files these are. Their recalls and searches find the files too. */
  userId: string;
}

/** A file is a memory of this type, whose category is the path. */
const TYPE = "memory_file";
const ROOT = "/memories";
const MAX_PATH_LENGTH = 256;
/** Levels below a folder that `view` shows. */
const MAX_DEPTH = 2;
const LINE_NUMBER_WIDTH = 6;
/** Lines around a change that `str_replace` shows. */
const SNIPPET_LINES = 2;
/** The content of a file without words, because a memory has some. */
const BLANK = "(blank file)";

type Listed = Awaited<ReturnType<ReturnType<MemoryClient["list"]>["next"]>>["value"] & object;

interface File {
  id: string;
  path: string;
  text: string;
  version: number;
}

/**
 * Handlers for `betaMemoryTool` of `@anthropic-ai/sdk`, the tool `memory_20250818`: the files below `/memories` are
 * memories of a user. What a handler throws is an answer that the model reads.
 */
export function memoryToolHandlers({ client, userId }: MemoryToolOptions) {
  async function filesIn(query: { category?: string }): Promise<File[]> {
    const files: File[] = [];
    for await (const memory of client.list({ user_id: userId, type: TYPE, limit: 100, ...query })) {
      files.push(fileOf(memory));
    }
    return files;
  }

  async function find(path: string): Promise<File | undefined> {
    const [file] = await filesIn({ category: checked(path) });
    return file;
  }

  async function read(path: string): Promise<File> {
    const file = await find(path);
    if (file === undefined) throw new Error(`The path ${path} does not exist. Please provide a valid path.`);
    return file;
  }

  async function store(path: string, text: string): Promise<void> {
    await client.remember({
      content: text.trim() === "" ? BLANK : text,
      user_id: userId,
      type: TYPE,
      category: path,
      metadata: metadataOf(text),
      // Notes of a model are not what the user said.
      options: { extract_facts: false },
    });
  }

  async function write({ id, path, version }: File, text: string): Promise<void> {
    const changes = { content: text.trim() === "" ? BLANK : text, metadata: metadataOf(text) };
    await client.update(id, changes, { ifVersion: version }).catch((error: unknown) => {
      if (!(error instanceof ConflictError)) throw error;
      throw new Error(`The file ${path} was changed at the same time. View it again.`);
    });
  }

  /** The files at a path: the file itself, or those in the folder. */
  async function filesAt(path: string): Promise<File[]> {
    const name = checked(path);
    const files = (await filesIn({})).filter((file) => file.path === name || file.path.startsWith(`${name}/`));
    if (files.length === 0) throw new Error(`The path ${path} does not exist`);
    return files;
  }

  return {
    async view({ path, view_range }: { path: string; view_range?: number[] }): Promise<string> {
      const file = checked(path) === ROOT ? undefined : await find(path);
      if (file !== undefined)
        return `Here's the content of ${path} with line numbers:\n${numbered(file.text, view_range)}`;
      const files = (await filesIn({})).filter((each) => each.path.startsWith(`${checked(path)}/`));
      if (files.length === 0 && checked(path) !== ROOT) {
        throw new Error(`The path ${path} does not exist. Please provide a valid path.`);
      }
      const heading = `Here're the files and directories up to ${MAX_DEPTH} levels deep in ${path}, excluding hidden items:`;
      return [heading, ...tree(checked(path), files)].join("\n");
    },

    async create({ path, file_text }: { path: string; file_text: string }): Promise<string> {
      const name = checked(path);
      if (name === ROOT || (await find(path)) !== undefined) throw new Error(`File ${path} already exists`);
      await store(name, file_text);
      return `File created successfully at: ${path}`;
    },

    async str_replace({
      path,
      old_str,
      new_str = "",
    }: {
      path: string;
      old_str: string;
      new_str?: string;
    }): Promise<string> {
      const file = await read(path);
      const pieces = file.text.split(old_str);
      const quoted = `old_str \`${old_str}\``;
      if (old_str === "" || pieces.length === 1) {
        throw new Error(`No replacement was performed, ${quoted} did not appear verbatim in ${path}.`);
      }
      const lines = pieces.slice(0, -1).map((_, index) => lineAfter(pieces.slice(0, index + 1).join(old_str)));
      if (lines.length > 1) {
        const where = `Multiple occurrences of ${quoted} in lines: ${lines.join(", ")}`;
        throw new Error(`No replacement was performed. ${where}. Please ensure it is unique`);
      }
      const changed = pieces.join(new_str);
      await write(file, changed);
      const [line = 1] = lines;
      const range = [Math.max(1, line - SNIPPET_LINES), line + SNIPPET_LINES];
      return `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${numbered(changed, range)}`;
    },

    async insert({
      path,
      insert_line,
      insert_text,
    }: {
      path: string;
      insert_line: number;
      insert_text: string;
    }): Promise<string> {
      const file = await read(path);
      const lines = file.text === "" ? [] : file.text.replace(/\n$/, "").split("\n");
      if (insert_line < 0 || insert_line > lines.length) {
        const allowed = `It should be within the range [0, ${lines.length}].`;
        throw new Error(`Invalid \`insert_line\` parameter: ${insert_line}. ${allowed}`);
      }
      lines.splice(insert_line, 0, insert_text.replace(/\n+$/, ""));
      await write(file, `${lines.join("\n")}\n`);
      return `The file ${path} has been edited.`;
    },

    async delete({ path }: { path: string }): Promise<string> {
      if (checked(path) === ROOT) throw new Error(`Cannot delete the ${ROOT} directory itself`);
      for (const { id } of await filesAt(path)) await client.forget(id);
      return `Successfully deleted ${path}`;
    },

    /** Stores each file at its new path before the old one is deleted, so that an interruption loses nothing. */
    async rename({ old_path, new_path }: { old_path: string; new_path: string }): Promise<string> {
      const [from, to] = [checked(old_path), checked(new_path)];
      if (from === ROOT || `${to}/`.startsWith(`${from}/`)) throw new Error(`Cannot rename ${old_path} to ${new_path}`);
      const files = await filesAt(old_path);
      const names = (await filesIn({})).map(({ path }) => path);
      if (to === ROOT || names.some((name) => name === to || name.startsWith(`${to}/`))) {
        throw new Error(`The destination ${new_path} already exists`);
      }
      for (const { path, text } of files) await store(checked(to + path.slice(from.length)), text);
      for (const { id } of files) await client.forget(id);
      return `Successfully renamed ${old_path} to ${new_path}`;
    },
  };
}

/** Returns the path without a slash at its end. Throws an Error for a path outside of the folder. */
function checked(path: string): string {
  const name = path.replace(/\/$/, "");
  const [empty, root, ...names] = name.split("/");
  const isOutside = names.some((each) => ["", ".", ".."].includes(each) || /[\\\0]|%2e|%2f/i.test(each));
  if (empty !== "" || `/${root}` !== ROOT || isOutside) throw new Error(`Path must be below ${ROOT}, got: ${path}`);
  if (name.length > MAX_PATH_LENGTH) throw new Error(`Path has more than ${MAX_PATH_LENGTH} characters: ${path}`);
  return name;
}

function metadataOf(text: string): Record<string, unknown> {
  return text.trim() === "" ? { [TYPE]: { text } } : { [TYPE]: {} };
}

function fileOf({ id, category, content, metadata, version }: Listed): File {
  const { text = content } = Object(Object(metadata)[TYPE]);
  return { id, path: category ?? "", text, version };
}

/** The number of the line behind a text. */
function lineAfter(text: string): number {
  return text.split("\n").length;
}

function numbered(text: string, [first = 1, last = -1]: number[] = []): string {
  const lines = text.split("\n");
  const start = Math.max(1, first) - 1;
  return lines
    .slice(start, last === -1 ? lines.length : last)
    .map((line, index) => `${String(start + index + 1).padStart(LINE_NUMBER_WIDTH)}\t${line}`)
    .join("\n");
}

/** The lines of a folder and of what is in it, with sizes; a folder's is that of its files. */
function tree(folder: string, files: File[]): string[] {
  const sizes = new Map([[folder, 0]]);
  const folders = new Set<string>();
  for (const { path, text } of files) {
    const names = path.slice(folder.length + 1).split("/");
    const size = new TextEncoder().encode(text).length;
    sizes.set(folder, (sizes.get(folder) ?? 0) + size);
    if (names.some((name) => name.startsWith("."))) continue;
    for (let depth = 1; depth <= Math.min(names.length, MAX_DEPTH); depth += 1) {
      const shown = [folder, ...names.slice(0, depth)].join("/");
      sizes.set(shown, (sizes.get(shown) ?? 0) + size);
      if (depth < names.length) folders.add(shown);
    }
  }
  return [...sizes]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, size]) => `${sizeInWords(size)}\t${path}${folders.has(path) ? "/" : ""}`);
}

function sizeInWords(bytes: number): string {
  return bytes < 1024 ? `${bytes}B` : `${(bytes / 1024).toFixed(1)}K`;
}
