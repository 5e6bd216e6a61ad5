import { accessSync, constants } from "node:fs";
import path from "node:path";
import { type Browser, chromium } from "playwright-core";

/** The shell first: it has no windows to draw, and starts a page in a fifth of the processor time. */
const NAMES = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome",
  "google-chrome-stable",
  "chrome",
];

/** The browser of CHROMIUM_PATH, or the first of the usual names on PATH; undefined where there is none. */
export function findChromium({ CHROMIUM_PATH, PATH = "" }: NodeJS.ProcessEnv = process.env): string | undefined {
  if (CHROMIUM_PATH) return CHROMIUM_PATH;
  const folders = PATH.split(path.delimiter);
  return folders.flatMap((folder) => NAMES.map((name) => path.join(folder, name))).find(isExecutable);
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Starts it without a window; as root it has no sandbox to be in. */
export function openBrowser(executablePath: string): Promise<Browser> {
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath, args });
}
