import { readFile } from "node:fs/promises";
import path from "node:path";
import { ServiceError } from "../../shared/kernel/errors.ts";
import { type Asset, assetOf, filesOf, PAGE_POLICY } from "../../shared/runtime/http/page.ts";
import { group } from "./group.ts";

/** The page, what it loads, and what the page of the API reference loads; `npm run console` writes the scripts. */
const SERVED = [
  "browser/page.html",
  "browser/style.css",
  "browser/reference.css",
  "browser/icon.svg",
  "bundle/console.js",
  "bundle/reference.js",
];

/** Content types of the console's files by extension. */
const CONTENT_TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

const PAGE = "page.html";
/** The root of the service as seen from `/console`, `/console/people`, `/console/people/` and `/console/settings/search/`. */
const ROOTS = ["./", "../", "../../", "../../../"];
/** Marks, in the page, the root of the service relative to the page, and whether the browser has a session. */
const [ROOT, SESSION] = ["{root}", "{session}"];

/** What the page depends on. */
interface Visitor {
  /** The root of the service relative to the page. */
  root: string;
  hasSession: boolean;
}

/** Names of views; files have an extension. */
const VIEW = /^[a-z]+$/;

interface Files {
  pages: (Visitor & { asset: Asset })[];
  assets: Map<string, Asset>;
}

let files: Promise<Files> | undefined;

/** The page with links that start at the service's root, marked if the browser has a session. */
export async function readPage({ root, hasSession }: Visitor): Promise<Asset> {
  const { pages } = await loadFiles();
  const page = pages.find((each) => each.root === root && each.hasSession === hasSession);
  if (!page) throw new Error(`the page has no variant for the root ${root}`);
  return page.asset;
}

/** Whether names are those of a view and its section, which the page shows, and not of a file. */
export function isView(...names: string[]): boolean {
  return names.every((name) => VIEW.test(name));
}

export function noSuchFile(): ServiceError {
  return new ServiceError("NOT_FOUND", "The console has no such file. Start at GET /console.");
}

/** A file of the console by its name. Throws NOT_FOUND for an unknown name. */
export async function readAsset(name: string): Promise<Asset> {
  const asset = (await loadFiles()).assets.get(name);
  if (!asset) throw noSuchFile();
  return asset;
}

function loadFiles(): Promise<Files> {
  files ??= readFiles(filesOf(group, new URL("./", import.meta.url)));
  return files;
}

/** All files, read once per process, so that a request's name never becomes a path. */
async function readFiles(from: URL): Promise<Files> {
  const contents = new Map(
    await Promise.all(SERVED.map(async (name) => [path.basename(name), await readFile(new URL(name, from))] as const)),
  );
  const page = contents.get(PAGE)?.toString() ?? "";
  contents.delete(PAGE);
  return {
    pages: ROOTS.flatMap((root) =>
      [true, false].map((hasSession) => ({ root, hasSession, asset: pageFor(page, { root, hasSession }) })),
    ),
    assets: new Map([...contents].map(([name, content]) => [name, assetOf(content, headersOf(name))])),
  };
}

function pageFor(page: string, { root, hasSession }: Visitor): Asset {
  const filled = page.replaceAll(ROOT, root).replace(SESSION, hasSession ? "open" : "");
  // A cache that others share must not store it: it depends on the cookie.
  return assetOf(filled, { ...headersOf(PAGE), "Cache-Control": "private, no-cache" });
}

function headersOf(name: string): Record<string, string> {
  return {
    "Content-Type": CONTENT_TYPES[path.extname(name)] ?? "application/octet-stream",
    "Content-Security-Policy": PAGE_POLICY,
    // The modules must all be of the same deployment.
    "Cache-Control": "no-cache",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
  };
}
