import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
/** Every page that shows a command or code to a reader. */
const PAGES = ["*.md", "docs/**/*.md", "infra/*.md", "clients/*/README.md"];

/** The client's own tests run these blocks and check their output. */
const OWN_TESTS = ["clients/python/README.md"];

/** One fenced block of a page. */
export interface Block {
  page: string;
  /** The line of the opening fence, from 1. */
  line: number;
  language: string;
  /** The text after the language, such as `no-run: needs Docker`. */
  info: string;
  text: string;
}

/** Returns the reason why a block is not run, or undefined if it runs. */
export function reasonNotToRun({ info }: Block): string | undefined {
  return /^no-run: (.+)$/.exec(info)?.[1];
}

/** Returns what a block must print when it fails, for `fails: TEXT`, or undefined if it must succeed. */
export function expectedFailure({ info }: Block): string | undefined {
  return /^fails: (.+)$/.exec(info)?.[1];
}

/** Whether a block needs the service stopped, for `stopped: WHY`. */
export function needsStopped({ info }: Block): boolean {
  return info.startsWith("stopped: ");
}

/** Returns the blocks of all pages by page. */
export function readPages(): Map<string, Block[]> {
  const pages = globSync(PAGES, { cwd: PROJECT, exclude: OWN_TESTS }).sort();
  return new Map(pages.map((page) => [page, blocksOf(page, readFileSync(path.join(PROJECT, page), "utf8"))]));
}

/** Returns the fenced blocks of a Markdown text. Throws an error if a block has no end. */
export function blocksOf(page: string, markdown: string): Block[] {
  const blocks: Block[] = [];
  let open: { fence: string; indent: number; block: Block } | undefined;
  for (const [place, line] of markdown.split("\n").entries()) {
    const [, indent = "", fence, rest = ""] = /^(\s*)(`{3,}|~{3,})(.*)$/.exec(line) ?? [];
    if (open === undefined) {
      if (fence === undefined) continue;
      const [language = "", ...info] = rest.trim().split(" ");
      open = {
        fence,
        indent: indent.length,
        block: { page, line: place + 1, language, info: info.join(" "), text: "" },
      };
    } else if (fence?.startsWith(open.fence) && rest.trim() === "") {
      blocks.push(open.block);
      open = undefined;
    } else {
      open.block.text += `${line.slice(Math.min(open.indent, line.search(/\S|$/)))}\n`;
    }
  }
  if (open) throw new Error(`${page}:${open.block.line}: the block has no end`);
  return blocks;
}
