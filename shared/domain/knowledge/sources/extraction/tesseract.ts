import { createRequire } from "node:module";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Ocr } from "./ocr.ts";

/** The used part of tesseract.js 7, which is not a dependency: it and its data are installed when needed. */
interface Tesseract {
  createWorker(language: string, engine: number, options: object): Promise<TesseractWorker>;
}

interface TesseractWorker {
  recognize(picture: Buffer): Promise<{ data: { text: string } }>;
  terminate(): Promise<unknown>;
}

/** The LSTM engine, for which the data packages have integer models. */
const LSTM_ENGINE = 1;
const LSTM_DATA = "4.0.0_best_int";
const LIBRARY = "tesseract.js";

const require = createRequire(import.meta.url);

/** Resolves the packages of a language. Throws an error that names missing ones. */
export function resolveTesseract(language: string): { library: string; data: string } {
  const wanted = [LIBRARY, `@tesseract.js-data/${language}`];
  const [library, data] = wanted.map(resolved);
  if (library !== undefined && data !== undefined) return { library, data: path.join(path.dirname(data), LSTM_DATA) };
  const missing = wanted.filter((name) => resolved(name) === undefined);
  throw new Error(
    `OCR=tesseract needs the packages ${wanted.join(" and ")}; install what is missing: npm install --no-save ${missing.join(" ")}`,
  );
}

function resolved(name: string): string | undefined {
  try {
    return require.resolve(name);
  } catch {
    return undefined;
  }
}

/** Starts Tesseract in its own thread, which ends with `close` or when an image takes too long. */
export async function openTesseract(language: string): Promise<Ocr> {
  const { library, data } = resolveTesseract(language);
  const { createWorker } = require(library) as Tesseract;
  const start = () =>
    createWorker(language, LSTM_ENGINE, { langPath: data, cacheMethod: "none", gzip: true, errorHandler: () => {} });
  let worker: TesseractWorker | undefined;
  const close = async () => {
    await worker?.terminate();
    worker = undefined;
  };
  return {
    close,
    async recognize(picture, timeMs) {
      worker ??= await start();
      const late = new AbortController();
      const text = await Promise.race([
        textOf(worker, picture),
        delay(timeMs, "late" as const, { signal: late.signal }).catch(() => "late" as const),
      ]);
      late.abort();
      if (text !== "late") return text.text;
      await close();
      return undefined;
    },
  };
}

/** Tesseract rejects invalid images with a string. */
async function textOf(worker: TesseractWorker, picture: Uint8Array): Promise<{ text: string | undefined }> {
  try {
    const { data } = await worker.recognize(Buffer.from(picture));
    return { text: data.text.trim() };
  } catch {
    return { text: undefined };
  }
}
