import { getDocumentProxy } from "unpdf";
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

/** The text of a PDF, page by page. Throws Unreadable for one that is broken, encrypted or no PDF. */
export async function readPdf(bytes: Uint8Array, limits: PdfLimits): Promise<PdfText> {
  const pdf = await open(bytes);
  const pages: string[] = [];
  let characters = 0;
  for (let number = 1; number <= Math.min(pdf.numPages, limits.pages); number++) {
    if (characters > limits.characters || performance.now() > limits.deadline) break;
    const text = await readPage(pdf, number);
    pages.push(text);
    characters += text.length;
    if (number % CLEAN_EVERY === 0) await pdf.cleanup();
  }
  const title = await titleOf(pdf);
  const isCut = pages.length < pdf.numPages;
  return {
    text: pages.join("\n\n").slice(0, limits.characters),
    ...(title !== "" && { title }),
    details: { pages: pdf.numPages, ...(isCut && { pages_read: pages.length }) },
  };
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

async function open(bytes: Uint8Array): Promise<Pdf> {
  try {
    return await getDocumentProxy(bytes, { disableFontFace: true, verbosity: 0 });
  } catch (error) {
    const isLocked = error instanceof Error && error.name === "PasswordException";
    throw new Unreadable(isLocked ? "the PDF asks for a password" : "the PDF is broken, or is none");
  }
}

/** A page that cannot be read is left out; the others can. */
async function readPage(pdf: Pdf, number: number): Promise<string> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    return items.map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : "")).join("");
  } catch (error) {
    if (error instanceof RangeError) throw error;
    return "";
  }
}

async function titleOf(pdf: Pdf): Promise<string> {
  const { info } = await pdf.getMetadata().catch(() => ({ info: {} }));
  const title = "Title" in info && typeof info.Title === "string" ? info.Title : "";
  return title.replace(/\s+/g, " ").trim().slice(0, MAX_TITLE_LENGTH);
}
