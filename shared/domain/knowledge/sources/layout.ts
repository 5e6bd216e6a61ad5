import type { JsonObject } from "../../../ports/ports.ts";
import type { Chunk } from "./chunking.ts";
import type { FileKind } from "./source.ts";
import type { Syntax } from "./structure.ts";

/** How the text of a file type is read, and the unit of its parts. */
interface Layout {
  syntax: Syntax;
  /** The unit that a page break starts, if the text has any. */
  unit?: "page" | "slide" | "sheet" | "chapter" | "cell" | "cue";
  /** Whether lines of the text are lines of the file. */
  hasLines?: boolean;
}

const PLAIN: Layout = { syntax: "markdown", hasLines: true };
const CONVERTED: Layout = { syntax: "markdown" };

const LAYOUTS: Record<FileKind, Layout> = {
  text: PLAIN,
  markdown: PLAIN,
  code: { syntax: "code", hasLines: true },
  html: CONVERTED,
  pdf: { ...CONVERTED, unit: "page" },
  document: CONVERTED,
  book: { ...CONVERTED, unit: "chapter" },
  presentation: { ...CONVERTED, unit: "slide" },
  spreadsheet: { ...CONVERTED, unit: "sheet" },
  notebook: { ...CONVERTED, unit: "cell" },
  subtitles: { ...CONVERTED, unit: "cue" },
  email: CONVERTED,
  data: CONVERTED,
  image: { ...CONVERTED, unit: "page" },
  audio: CONVERTED,
  attachment: CONVERTED,
};

/** The layout of a file's text, or of a text without a file. */
export function layoutOf(kind: FileKind | undefined): Layout {
  return kind === undefined ? PLAIN : LAYOUTS[kind];
}

/** The location of a chunk in its document: its headings, and its pages, slides or lines, counted from 1. */
export function placeOf({ headings, first, last }: Chunk, { unit, hasLines }: Layout): JsonObject {
  return {
    ...(headings.length > 0 && { headings }),
    ...(hasLines && range("line", first.line, last.line)),
    ...(unit !== undefined && first.breaks > 0 && range(unit, first.breaks, last.breaks)),
  };
}

function range(unit: string, first: number, last: number): JsonObject {
  return first === last ? { [unit]: first } : { [unit]: first, [`${unit}_end`]: last };
}
