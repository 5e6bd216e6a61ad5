import path from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { GROUP_FILES_FOLDER, type GroupManifest } from "../../ports/manifest.ts";
import type { RequestOrigin } from "../context.ts";
import { contentTagOf, isKnown } from "./content-tag.ts";

/** A file that browsers load, compressed once, with the hash that tells whether a browser's copy is current. */
export interface Asset {
  body: Buffer<ArrayBuffer>;
  gzip: Buffer<ArrayBuffer>;
  etag: string;
  headers: Record<string, string>;
}

/** Names of the headers that `respondWith` reads. */
export const ASSET_HEADERS = ["accept-encoding", "if-none-match"] as const;

/** A page may run and show the service's own files and call it; it must not create markup from text. */
export const PAGE_POLICY = [
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

export function assetOf(content: string | Buffer<ArrayBuffer>, headers: Record<string, string>): Asset {
  const body = Buffer.from(content);
  return { body, gzip: gzipSync(body, { level: 9 }), etag: contentTagOf(body), headers };
}

/** Answers with the file, compressed if the client takes it, or with 304 if the client has it already. */
export function respondWith({ body, gzip, etag, headers }: Asset, sent: Record<string, string>): Response {
  const common = { ...headers, ETag: etag, Vary: "Accept-Encoding" };
  if (isKnown(etag, sent["if-none-match"])) return new Response(null, { status: 304, headers: common });
  if (!/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(sent["accept-encoding"] ?? "")) {
    return new Response(body, { headers: common });
  }
  return new Response(gzip, { headers: { ...common, "Content-Encoding": "gzip" } });
}

/**
 * The service's root relative to the page of a request. A proxy may serve the service under a prefix that only the browser
 * knows, so links in pages are relative.
 */
export function rootFrom(request: RequestOrigin | undefined): string {
  const depth = (request?.path ?? "/").split("/").length - 2;
  return depth === 0 ? "./" : "../".repeat(depth);
}

/** The folder of a group's files: in source a given one; in a bundle, in the folder of all groups' files. */
export function filesOf({ name }: Pick<GroupManifest, "name">, inSource: URL): URL {
  const root = process.env.LAMBDA_TASK_ROOT;
  if (import.meta.url.endsWith(".ts") || root === undefined) return inSource;
  return pathToFileURL(path.join(root, GROUP_FILES_FOLDER, name, path.sep));
}
