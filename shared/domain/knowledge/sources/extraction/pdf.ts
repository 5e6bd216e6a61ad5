import { getDocumentProxy } from "unpdf";
import { MarkdownWriter } from "./markdown-writer.ts";
import { OCR_LIMITS, type Ocr } from "./ocr.ts";
import { sizesOf, writePage } from "./pdf-layout.ts";
import { glyphsOf, mayHaveReversedLigatures, withLigaturesInOrder } from "./pdf-ligatures.ts";
import { type PlacedText, type Row, rowsOf, textOfRow } from "./pdf-rows.ts";
import { ScannedPages } from "./pdf-scans.ts";
import { UnreadableError } from "./unreadable.ts";

/** Limits of a PDF; the rest is skipped and reported in the details. */
export interface PdfLimits {
  pages: number;
  characters: number;
  /** `performance.now()` after which no further page starts. */
  deadline: number;
}

export interface PdfText {
  text: string;
  title?: string;
  /** Counts of recognized scanned pages and of those beyond the limits of OCR. */
  details: { pages: number; pages_read?: number; pages_recognized?: number; pages_not_recognized?: number };
}

/** Pages after which rendering data is released. */
const CLEAN_EVERY = 20;
const MAX_TITLE_LENGTH = 300;

/**
 * Returns the text of a PDF page by page in reading order, without running headers and footers; each page starts with
 * a page break. With OCR, pages without text are recognized from their images. Throws UnreadableError for a broken or
 * encrypted file.
 */
export async function readPdf(bytes: Uint8Array, limits: PdfLimits, ocr?: Ocr): Promise<PdfText> {
  const pdf = await open(bytes, ocr ? OCR_LIMITS.pixels : undefined);
  const scans = ocr && new ScannedPages(ocr, limits.deadline);
  const pages: Row[][] = [];
  let characters = 0;
  for (let number = 1; number <= Math.min(pdf.numPages, limits.pages); number++) {
    if (characters > limits.characters || performance.now() > limits.deadline) break;
    const rows = await readPage(pdf, number, scans);
    pages.push(rows);
    characters += rows.reduce((sum, row) => sum + textOfRow(row).length, 0);
    if (number % CLEAN_EVERY === 0) await pdf.cleanup();
  }
  const title = await titleOf(pdf);
  const isCut = pages.length < pdf.numPages;
  return {
    text: characters === 0 ? "" : textOf(pages).slice(0, limits.characters),
    ...(title !== "" && { title }),
    details: { pages: pdf.numPages, ...(isCut && { pages_read: pages.length }), ...scans?.details },
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
type Page = Awaited<ReturnType<Pdf["getPage"]>>;
type TextContent = Awaited<ReturnType<Page["getTextContent"]>>;
type TextItem = Extract<TextContent["items"][number], { str: string }>;

/** Opens a PDF; images with more than `pixels` are not decoded. */
async function open(bytes: Uint8Array, pixels = -1): Promise<Pdf> {
  try {
    return await getDocumentProxy(bytes, { disableFontFace: true, verbosity: 0, maxImageSize: pixels });
  } catch (error) {
    const isLocked = error instanceof Error && error.name === "PasswordException";
    throw new UnreadableError(isLocked ? "the PDF requires a password" : "the file is broken, or not a PDF");
  }
}

/** Returns the rows of a page; none if it is unreadable. */
async function readPage(pdf: Pdf, number: number, scans: ScannedPages | undefined): Promise<Row[]> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const texts = await withLigatures(
      page,
      items.flatMap((item) => ("str" in item ? [item] : [])),
    );
    const rows = rowsOf(texts.map(toPlacedText));
    const found = rows.length === 0 && scans ? await scans.read(page) : rows;
    page.cleanup();
    return found;
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return [];
  }
}

/** Returns the items with the letters of Arabic ligatures in their order. */
async function withLigatures(page: Page, items: TextItem[]): Promise<TextItem[]> {
  if (!mayHaveReversedLigatures(items)) return items;
  const texts = withLigaturesInOrder(items, await glyphsOf(page));
  return items.map((item, index) => ({ ...item, str: texts[index] ?? item.str }));
}

/** Converts a text item; rotated text is placed at its start. */
function toPlacedText({ str, transform, width, height }: TextItem): PlacedText {
  const [a = 0, b = 0, , , x = 0, y = 0] = transform as number[];
  const size = height > 0 ? height : Math.hypot(a, b);
  return { text: str, x, y, width, size };
}

async function titleOf(pdf: Pdf): Promise<string> {
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} }));
  const title = "Title" in info && typeof info.Title === "string" ? info.Title : "";
  return title.replace(/\s+/g, " ").trim().slice(0, MAX_TITLE_LENGTH);
}

/** Number of rows at the top and at the bottom of a page that may be running headers and footers. */
const EDGE_ROWS = 3;
/** Minimum number and share of pages with a running row; left and right pages may have different ones. */
const MIN_PAGES = 3;
const MIN_SHARE = 0.3;
/** Maximum baseline difference, in points, of the same row on two pages. */
const TOLERANCE = 4;

/** Returns the pages without running headers and footers, which may contain page numbers. */
function withoutRunningRows(pages: Row[][]): Row[][] {
  const counts = new Map<string, number>();
  for (const rows of pages) {
    for (const key of new Set(edgesOf(rows).flatMap(keysOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const minPages = Math.max(MIN_PAGES, pages.length * MIN_SHARE);
  const isRunning = (row: Row) => keysOf(row).some((key) => (counts.get(key) ?? 0) >= minPages);
  return pages.map((rows) => {
    const running = new Set(edgesOf(rows).filter(isRunning));
    return rows.filter((row) => !running.has(row));
  });
}

function edgesOf(rows: Row[]): Row[] {
  return rows.length <= 2 * EDGE_ROWS ? rows : [...rows.slice(0, EDGE_ROWS), ...rows.slice(-EDGE_ROWS)];
}

/** Returns two keys of a row, so that rows on either side of a rounding boundary match. */
function keysOf(row: Row): string[] {
  const text = textOfRow(row).replaceAll(/\d+/g, "#");
  const index = row.y / TOLERANCE;
  return [`${Math.floor(index)} ${text}`, `~${Math.round(index)} ${text}`];
}
