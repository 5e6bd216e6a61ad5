import { type getDocumentProxy, getResolvedPDFJS } from "unpdf";
import { OCR_LIMITS, type Ocr } from "./ocr.ts";
import { type Row, rowsOf } from "./pdf-rows.ts";

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof getDocumentProxy>>["getPage"]>>;

/** An image as decoded by pdf.js; `kind` is its pixel format. */
interface Picture {
  width: number;
  height: number;
  kind: number;
  data?: Uint8Array | Uint8ClampedArray;
}

/** Pixel formats of pdf.js by bytes per pixel; kind 1 has eight pixels per byte. */
const BITMAP = 1;
const PIXEL_BYTES: { readonly [kind: number]: number } = { 2: 3, 3: 4 };
/** Minimum width and height in pixels of an image with a line of text. */
const MIN_SIDE = 30;
/** Recognized lines have no position on the page and are placed below each other. */
const LINE = { size: 10, height: 12 };

/** Recognizes text on scanned pages within the limits. */
export class ScannedPages {
  #recognized = 0;
  #notRecognized = 0;
  readonly #ocr: Ocr;
  readonly #deadline: number;
  #pictures = 0;

  constructor(ocr: Ocr, deadline: number) {
    this.#ocr = ocr;
    this.#deadline = deadline;
  }

  /** Counts of recognized pages and of those beyond the limits; empty for a PDF without scanned pages. */
  get details(): { pages_recognized?: number; pages_not_recognized?: number } {
    return {
      ...(this.#recognized > 0 && { pages_recognized: this.#recognized }),
      ...(this.#notRecognized > 0 && { pages_not_recognized: this.#notRecognized }),
    };
  }

  /** Returns the recognized text of a page's images, in drawing order. */
  async read(page: Page): Promise<Row[]> {
    const texts: string[] = [];
    for await (const picture of picturesOf(page)) {
      const timeMs = Math.min(OCR_LIMITS.timeMs, this.#deadline - performance.now());
      if (this.#pictures >= OCR_LIMITS.pictures || timeMs <= 0) {
        this.#notRecognized += 1;
        return rowsOfText(texts);
      }
      this.#pictures += 1;
      const text = await this.#ocr.recognize(toPnm(picture), timeMs);
      if (text) texts.push(text);
    }
    if (texts.length > 0) this.#recognized += 1;
    return rowsOfText(texts);
  }
}

function rowsOfText(texts: string[]): Row[] {
  const lines = texts.join("\n\n").split("\n");
  const { size, height } = LINE;
  return rowsOf(
    lines.map((text, index) => ({
      ...{ text, x: 0, y: -index * height, size },
      width: (text.length * size) / 2,
    })),
  );
}

type DecodedPicture = Required<Picture>;

async function* picturesOf(page: Page): AsyncGenerator<DecodedPicture> {
  const { OPS } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await page.getOperatorList();
  const drawn = new Set<string>();
  for (const [index, operator] of fnArray.entries()) {
    if (operator !== OPS.paintImageXObject) continue;
    const [name] = argsArray[index] as [string];
    if (drawn.has(name)) continue;
    drawn.add(name);
    const picture = await objectOf(page, name);
    if (picture && isReadable(picture)) yield picture;
  }
}

function objectOf(page: Page, name: string): Promise<Picture | null> {
  const objects = name.startsWith("g_") ? page.commonObjs : page.objs;
  return new Promise((resolve) => objects.get(name, resolve));
}

function isReadable(picture: Picture): picture is DecodedPicture {
  const { width, height, kind, data } = picture;
  const isKnown = kind === BITMAP || PIXEL_BYTES[kind] !== undefined;
  return data !== undefined && isKnown && Math.min(width, height) >= MIN_SIDE && width * height <= OCR_LIMITS.pixels;
}

/** Converts an image to PNM, in grey or in black and white. */
function toPnm({ width, height, kind, data }: DecodedPicture): Buffer {
  if (kind === BITMAP) {
    // A set bit is black in PNM and white in pdf.js.
    const bits = Uint8Array.from(data, (byte) => ~byte);
    return Buffer.concat([Buffer.from(`P4\n${width} ${height}\n`), bits]);
  }
  const step = PIXEL_BYTES[kind] ?? 1;
  const header = Buffer.from(`P5\n${width} ${height}\n255\n`);
  const pnm = Buffer.alloc(header.length + width * height);
  header.copy(pnm);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const offset = pixel * step;
    pnm[header.length + pixel] = ((data[offset] ?? 0) + 2 * (data[offset + 1] ?? 0) + (data[offset + 2] ?? 0)) >> 2;
  }
  return pnm;
}
