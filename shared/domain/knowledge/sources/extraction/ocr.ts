/** The OCR engine, if configured. */
export interface OcrSettings {
  engine: "tesseract";
  /** Language code of the data, such as `eng`. */
  language: string;
}

/** Recognizes text in images, one at a time; opened per file. */
export interface Ocr {
  /** Returns the text of a PNG, JPEG, WebP or PNM image line by line, or undefined if it cannot be read in time. */
  recognize(picture: Uint8Array, timeMs: number): Promise<string | undefined>;
  close(): Promise<void>;
}

/**
 * Limits for one file: number of pages or pictures, pixels of each, and milliseconds for each. `bufferBytes` holds one
 * colour picture with that many pixels in four forms: as stored, with transparency, as drawn, and in grey.
 */
export const OCR_LIMITS = { pictures: 60, pixels: 10_000_000, timeMs: 20_000, bufferBytes: 160_000_000 } as const;

/** Opens the configured OCR engine. */
export async function openOcr({ language }: OcrSettings): Promise<Ocr> {
  const { openTesseract } = await import("./tesseract.ts");
  return openTesseract(language);
}
