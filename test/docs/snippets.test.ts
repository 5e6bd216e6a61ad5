import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Block, blocksOf, readPages, reasonNotToRun } from "./blocks.ts";
import { hasMem0, openPageFolder, type PageFolder } from "./page-folder.ts";
import { buildClient, DRAWING, NO_SHELL, OUTPUT, PYTHON, RUNNERS } from "./run-block.ts";

/** The page that is read first is tried with the model of `npm start`, which takes a second to load. */
const FIRST_PAGE = "README.md";

const pages = readPages();
const all = [...pages.values()].flat();

/** What is missing on this machine to run a language. */
const LACKS: Record<string, string | undefined> = { sh: NO_SHELL, bash: NO_SHELL, python: PYTHON.missing };

/**
 * Returns the reason why a block is not run here: its mark, a missing program or package, or that the block whose output
 * it shows is not run.
 */
function skipReason(block: Block): string | undefined {
  if (block.language === OUTPUT && reasonNotToRun(block) === undefined) {
    const blocks = pages.get(block.page) ?? [];
    const before = blocks[blocks.indexOf(block) - 1];
    return before && skipReason(before);
  }
  const lacksMem0 = !hasMem0 && block.text.includes('from "mem0ai"');
  return reasonNotToRun(block) ?? LACKS[block.language] ?? (lacksMem0 ? "run npm run install:test" : undefined);
}

const isRunnable = ({ language }: Block) => language !== DRAWING;
const placeOf = ({ page, line, language }: Block) => `${page}:${line} ${language}`;

/** Expects each line of a `text` block in a line of the preceding block's output; `…` stands for any text. */
function expectShown(shown: string, output: string): void {
  for (const line of shown.split("\n").filter((text) => text.trim() !== "")) {
    const parts = line.trim().split("…");
    const printed = output.split("\n").some((text) => containsInOrder(text, parts));
    expect(printed, `"${line}" in ${output}`).toBe(true);
  }
}

function containsInOrder(text: string, parts: string[]): boolean {
  let from = 0;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return true;
}

describe("every block of the documents", () => {
  it("has a language that is known and a note that is understood", () => {
    for (const block of all) {
      const isKnown =
        [...Object.keys(RUNNERS), DRAWING, OUTPUT].includes(block.language) || reasonNotToRun(block) !== undefined;
      expect(isKnown, `${placeOf(block)}: name the language, or say 'no-run: why'`).toBe(true);
      expect(block.info, placeOf(block)).toMatch(/^$|^(no-run|fails|stopped): \S/);
    }
  });

  it("runs where it asks the service alone", () => {
    for (const block of all.filter(reasonNotToRun)) {
      const lines = block.text.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
      const isOurs = lines.every((line) => /^(curl|api) .*(localhost|127\.0\.0\.1):3000/.test(line));
      expect(isOurs, `${placeOf(block)} asks this service alone, so it can run`).toBe(false);
    }
  });

  it("installs nothing into a folder whose service it has started", () => {
    for (const [page, blocks] of pages) {
      const commands = blocks.map(({ text }) => text).join("\n");
      const [started, installed] = [commands.indexOf("npm start"), commands.lastIndexOf("npm ci")];
      expect(started === -1 || installed < started, `${page}: npm ci takes the modules of a running service`).toBe(
        true,
      );
    }
  });

  it("is counted, whether it runs or not", () => {
    const reasons = Map.groupBy(all.filter(isRunnable), (block) => skipReason(block) ?? "");
    const ran = reasons.get("")?.length ?? 0;
    reasons.delete("");
    const notRun = [...reasons].map(([reason, { length }]) => `  ${length} not run: ${reason}`);
    console.log([`${ran} blocks of ${pages.size} pages run`, ...notRun].join("\n"));
    expect(ran).toBeGreaterThan(20);
  });
});

describe("the reader of blocks", () => {
  it("reads fences of any length, with their place, language and note", () => {
    const markdown = "Text\n\n````sh no-run: needs Docker\n```\na\n```\n````\n- b\n\n  ~~~json\n  {}\n  ~~~\n";
    expect(blocksOf("page.md", markdown)).toEqual([
      { page: "page.md", line: 3, language: "sh", info: "no-run: needs Docker", text: "```\na\n```\n" },
      { page: "page.md", line: 10, language: "json", info: "", text: "{}\n" },
    ]);
    expect(() => blocksOf("page.md", "```sh\na\n")).toThrow("page.md:1");
  });
});

describe("snippets", () => {
  let built: string;
  beforeAll(() => {
    built = mkdtempSync(path.join(tmpdir(), "memory-client-"));
    buildClient(built);
  });
  afterAll(() => rmSync(built, { recursive: true, force: true }));

  for (const [name, blocks] of pages) {
    if (!blocks.some((block) => isRunnable(block) && skipReason(block) === undefined)) continue;
    describe(name, () => {
      let page: PageFolder;
      const outputs = new Map<Block, string>();
      beforeAll(async () => {
        page = await openPageFolder(built, name === FIRST_PAGE ? "onnx" : "lexical");
      });
      afterAll(() => page?.close());

      for (const [index, block] of blocks.entries()) {
        const reason = skipReason(block);
        if (reason !== undefined) {
          it.skip(`${placeOf(block)} (${reason})`);
        } else if (block.language === OUTPUT) {
          const before = blocks[index - 1];
          const output = () => (before && outputs.get(before)) ?? expect.unreachable("no block before this one ran");
          it(`${placeOf(block)} is what the block before it prints`, () => expectShown(block.text, output()));
        } else if (isRunnable(block)) {
          it(placeOf(block), async () => {
            const runner = RUNNERS[block.language] ?? expect.unreachable(`nothing runs ${block.language}`);
            outputs.set(block, await runner(block, page, blocks.slice(0, index)));
          });
        }
      }
    });
  }
});
