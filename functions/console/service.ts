import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { ServiceError } from "../../shared/kernel/errors.ts";
import { GROUP_FILES_FOLDER } from "../../shared/ports/manifest.ts";
import { group } from "./group.ts";

/** Content types of the console's files by extension; other files of the folder are never served. */
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

/** A file as it is served. */
export interface Asset {
  body: Buffer<ArrayBuffer>;
  headers: Record<string, string>;
}

let assets: Promise<Map<string, Asset>> | undefined;

/** A file of the console by its name. Throws NOT_FOUND for an unknown name. */
export async function readAsset(name: string): Promise<Asset> {
  assets ??= readAssets(folder());
  const asset = (await assets).get(name);
  if (!asset) throw new ServiceError("NOT_FOUND", "The console has no such file. Start at GET /console.");
  return asset;
}

/** In source the files are in a folder next to this module; in a bundle, in the folder of all groups' files. */
function folder(): URL {
  const root = process.env.LAMBDA_TASK_ROOT;
  if (import.meta.url.endsWith(".ts") || root === undefined) return new URL("./browser/", import.meta.url);
  return pathToFileURL(path.join(root, GROUP_FILES_FOLDER, group.name, "browser", path.sep));
}

/** All files, read once per process, so that a request's name never becomes a path. */
async function readAssets(from: URL): Promise<Map<string, Asset>> {
  const names = (await readdir(from)).filter((name) => CONTENT_TYPES[path.extname(name)]);
  const read = names.map(async (name): Promise<[string, Asset]> => {
    const body = await readFile(new URL(name, from));
    return [name, { body, headers: headersOf(name) }];
  });
  return new Map(await Promise.all(read));
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
