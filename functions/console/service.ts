import { readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { ServiceError } from "../../shared/kernel/errors.ts";
import { GROUP_FILES_FOLDER } from "../../shared/ports/manifest.ts";
import { type Asset, assetOf } from "../../shared/runtime/http/page.ts";
import { group } from "./group.ts";

/** The page, and what it loads; `npm run console` writes the script. */
const SERVED = ["browser/page.html", "browser/style.css", "browser/icon.svg", "bundle/console.js"];

/** Content types of the console's files by extension. */
const CONTENT_TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The page may run and show its own files and call this service; it must not create markup from text. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const PAGE = "page.html";
/** The root of the service as seen from `/console` and from `/console/`. */
const ROOTS = ["./", "../"];
/** Marks, in the page, the root of the service relative to the page. */
const ROOT = "{root}";

interface Files {
  /** The page by the root that its links start with. */
  pages: Map<string, Asset>;
  assets: Map<string, Asset>;
}

let files: Promise<Files> | undefined;

/** The page with links that start at the service's root, as seen from the page's address. */
export async function readPage(root: string): Promise<Asset> {
  const { pages } = await loadFiles();
  const page = pages.get(root);
  if (!page) throw new Error(`the page has no variant for the root ${root}`);
  return page;
}

/** A file of the console by its name. Throws NOT_FOUND for an unknown name. */
export async function readAsset(name: string): Promise<Asset> {
  const asset = (await loadFiles()).assets.get(name);
  if (!asset) throw new ServiceError("NOT_FOUND", "The console has no such file. Start at GET /console.");
  return asset;
}

function loadFiles(): Promise<Files> {
  files ??= readFiles(folder());
  return files;
}

/** In source the files are next to this module; in a bundle, in the folder of all groups' files. */
function folder(): URL {
  const root = process.env.LAMBDA_TASK_ROOT;
  if (import.meta.url.endsWith(".ts") || root === undefined) return new URL("./", import.meta.url);
  return pathToFileURL(path.join(root, GROUP_FILES_FOLDER, group.name, path.sep));
}

/** All files, read once per process, so that a request's name never becomes a path. */
async function readFiles(from: URL): Promise<Files> {
  const contents = new Map(
    await Promise.all(SERVED.map(async (name) => [path.basename(name), await readFile(new URL(name, from))] as const)),
  );
  const page = contents.get(PAGE)?.toString() ?? "";
  contents.delete(PAGE);
  return {
    pages: new Map(ROOTS.map((root) => [root, assetOf(page.replaceAll(ROOT, root), headersOf(PAGE))])),
    assets: new Map([...contents].map(([name, content]) => [name, assetOf(content, headersOf(name))])),
  };
}

function headersOf(name: string): Record<string, string> {
  return {
    "Content-Type": CONTENT_TYPES[path.extname(name)] ?? "application/octet-stream",
    "Content-Security-Policy": POLICY,
    // The modules must all be of the same deployment.
    "Cache-Control": "no-cache",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
  };
}
