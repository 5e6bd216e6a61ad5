import { createHash } from "node:crypto";
import type { ApiDocument } from "./document.ts";

/** The document changes only with a deployment; a short cache saves a second download. */
export const CACHED = "public, max-age=300";

/** The page with a policy that allows only its own style and script. */
export interface ReferencePage {
  html: string;
  policy: string;
}

let reference: Promise<ReferencePage> | undefined;

/** The committed document; loaded on demand, because it is larger than all the code around it. */
export async function readDocument(): Promise<ApiDocument> {
  const { default: document } = await import("../../openapi.json", { with: { type: "json" } });
  return asApiDocument(document);
}

/** The reference page, rendered once per process. */
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

/** `npm run openapi` writes the file and a test validates it, so it has the expected shape. */
function asApiDocument(document: object): ApiDocument {
  return document as ApiDocument;
}
