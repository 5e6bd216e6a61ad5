import { createHash } from "node:crypto";
import type { ApiDocument } from "./document.ts";

/** The document changes with a deployment only; a few minutes spare a reader the second download. */
export const CACHED = "public, max-age=300";

/** The page and the policy that lets nothing but its own style and script run. */
export interface ReferencePage {
  html: string;
  policy: string;
}

let reference: Promise<ReferencePage> | undefined;

/** The committed document; loaded when first asked for, because it is larger than all the code around it. */
export async function readDocument(): Promise<ApiDocument> {
  const { default: document } = await import("../../openapi.json", { with: { type: "json" } });
  return asApiDocument(document);
}

/** The reference page, made once per process. */
export function readReference(): Promise<ReferencePage> {
  reference ??= makeReference();
  return reference;
}

async function makeReference(): Promise<ReferencePage> {
  const [document, { renderPage }, { SCRIPT, STYLE }] = await Promise.all([
    readDocument(),
    import("./page.ts"),
    import("./assets.ts"),
  ]);
  const policy = [
    "default-src 'none'",
    `style-src '${hashOf(STYLE)}'`,
    `script-src '${hashOf(SCRIPT)}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
  return { html: renderPage(document, { style: STYLE, script: SCRIPT }), policy };
}

function hashOf(source: string): string {
  return `sha256-${createHash("sha256").update(source).digest("base64")}`;
}

/** The file is written by `npm run openapi` alone and its validity is tested, so it has the shape that the page reads. */
function asApiDocument(document: object): ApiDocument {
  return document as ApiDocument;
}
