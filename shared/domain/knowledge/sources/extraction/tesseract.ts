import { createRequire } from "node:module";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Ocr } from "./ocr.ts";

/** The part used here of tesseract.js 7, which is not a dependency: users of OCR install it and its data. */
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

/** Returns the paths of the library and of a language's data. Throws an error that names missing packages. */
export function resolveTesseract(language: string): { library: string; data: string } {
  const packages = [LIBRARY, `@tesseract.js-data/${language}`];
  const [library, data] = packages.map(tryResolve);
  if (library !== undefined && data !== undefined) return { library, data: path.join(path.dirname(data), LSTM_DATA) };
  const missing = packages.filter((name) => tryResolve(name) === undefined);
  throw new Error(
    `OCR=tesseract needs the packages ${packages.join(" and ")}; install what is missing: npm install --no-save ${missing.join(" ")}`,
  );
}

function tryResolve(name: string): string | undefined {
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
      const timer = new AbortController();
      const result = await Promise.race([
        textOf(worker, picture),
        delay(timeMs, "timeout" as const, { signal: timer.signal }).catch(() => "timeout" as const),
      ]);
      timer.abort();
      if (result !== "timeout") return result.text;
      await close();
      return undefined;
    },
  };
}

/** Returns the recognized text, or undefined if Tesseract rejects the image. */
async function textOf(worker: TesseractWorker, picture: Uint8Array): Promise<{ text: string | undefined }> {
  try {
    const { data } = await worker.recognize(Buffer.from(picture));
    return { text: data.text.trim() };
  } catch {
    return { text: undefined };
  }
}
