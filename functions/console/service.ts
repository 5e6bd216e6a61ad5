import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { ServiceError } from "../../shared/kernel/errors.ts";
import { group } from "./group.ts";

/** Of what the console consists, by the endings of its files; no other file of the folder is ever served. */
const CONTENT_TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".svg": "image/svg+xml",
};

const PAGE = "page.html";

/** What the page may do: run and show its own files, speak to this service, and make no markup from text. */
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

/** One file as it is answered. */
export interface Asset {
  body: Buffer<ArrayBuffer>;
  headers: Record<string, string>;
}

let assets: Promise<Map<string, Asset>> | undefined;

export function readPage(): Promise<Asset> {
  return readAsset(PAGE);
}

/** A file of the console by its name. Throws NOT_FOUND for what is none. */
export async function readAsset(name: string): Promise<Asset> {
  assets ??= readAssets(folder());
  const asset = (await assets).get(name);
  if (!asset) throw new ServiceError("NOT_FOUND", "The console has no such file. It begins at GET /console.");
  return asset;
}

/** From source the files are in a folder beside this module; a bundle has them in a folder of the group's name. */
function folder(): URL {
  const root = process.env.LAMBDA_TASK_ROOT;
  if (import.meta.url.endsWith(".ts") || root === undefined) return new URL("./browser/", import.meta.url);
  return pathToFileURL(path.join(root, group.name, "browser", path.sep));
}

/** All of them, read once per process, so that a name from a request never becomes a path. */
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
    // The modules belong together: none may come from a deployment before.
    "Cache-Control": "no-cache",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
  };
}
