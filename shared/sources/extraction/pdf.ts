import { getDocumentProxy } from "unpdf";
import { MarkdownWriter } from "./markdown-writer.ts";
import { sizesOf, writePage } from "./pdf-layout.ts";
import { type PlacedText, type Row, rowsOf, textOfRow } from "./pdf-rows.ts";
import { withoutRunningRows } from "./pdf-running.ts";
import { Unreadable } from "./unreadable.ts";

/** What is read of a PDF at most; the rest is left, and the details say so. */
export interface PdfLimits {
  pages: number;
  characters: number;
  /** `performance.now()` at which no further page is begun. */
  deadline: number;
}

export interface PdfText {
  text: string;
  title?: string;
  details: { pages: number; pages_read?: number };
}

/** Pages after which what was kept for drawing is let go of. */
const CLEAN_EVERY = 20;
const MAX_TITLE_LENGTH = 300;

/**
 * The text of a PDF, page by page in the order that people read it, without running headers and footers; each page begins
 * with a page break. Throws Unreadable for one that is broken, encrypted or no PDF.
 */
export async function readPdf(bytes: Uint8Array, limits: PdfLimits): Promise<PdfText> {
  const pdf = await open(bytes);
  const pages: Row[][] = [];
  let characters = 0;
  for (let number = 1; number <= Math.min(pdf.numPages, limits.pages); number++) {
    if (characters > limits.characters || performance.now() > limits.deadline) break;
    const rows = await readPage(pdf, number);
    pages.push(rows);
    characters += rows.reduce((sum, row) => sum + textOfRow(row).length, 0);
    if (number % CLEAN_EVERY === 0) await pdf.cleanup();
  }
  const title = await titleOf(pdf);
  const isCut = pages.length < pdf.numPages;
  return {
    text: characters === 0 ? "" : textOf(pages).slice(0, limits.characters),
    ...(title !== "" && { title }),
    details: { pages: pdf.numPages, ...(isCut && { pages_read: pages.length }) },
  };
}

function textOf(pages: Row[][]): string {
  const writer = new MarkdownWriter();
  const sizes = sizesOf(pages);
  for (const rows of withoutRunningRows(pages)) {
    writer.pageBreak();
    writePage(writer, rows, sizes);
  }
  return writer.text;
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
type TextContent = Awaited<ReturnType<Awaited<ReturnType<Pdf["getPage"]>>["getTextContent"]>>;
type TextItem = Extract<TextContent["items"][number], { str: string }>;

async function open(bytes: Uint8Array): Promise<Pdf> {
  try {
    return await getDocumentProxy(bytes, { disableFontFace: true, verbosity: 0 });
  } catch (error) {
    const isLocked = error instanceof Error && error.name === "PasswordException";
    throw new Unreadable(isLocked ? "the PDF asks for a password" : "the PDF is broken, or is none");
  }
}

/** A page that cannot be read is left out; the others can. */
async function readPage(pdf: Pdf, number: number): Promise<Row[]> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    return rowsOf(items.flatMap((item) => ("str" in item ? [placed(item)] : [])));
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return [];
  }
}

/** Text that is turned is read as if it were not: where it begins is where it stands. */
function placed({ str, transform, width, height, dir }: TextItem): PlacedText {
  const [a = 0, b = 0, , , x = 0, y = 0] = transform as number[];
  const size = height > 0 ? height : Math.hypot(a, b);
  return { text: str, x, y, width, size, isRightToLeft: dir === "rtl" };
}

async function titleOf(pdf: Pdf): Promise<string> {
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} }));
  const title = "Title" in info && typeof info.Title === "string" ? info.Title : "";
  return title.replace(/\s+/g, " ").trim().slice(0, MAX_TITLE_LENGTH);
}
