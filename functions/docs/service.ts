import { createHash } from "node:crypto";
import { ServiceError } from "../../shared/kernel/errors.ts";
import { type Asset, assetOf } from "../../shared/runtime/http/page.ts";

/**
 * The page runs its own script and calls this service. Scalar's editor creates style elements and attributes, to which
 * a nonce does not apply, so inline styles are allowed; they load nothing from other hosts.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** Settings of Scalar: only what works without its own services, and an API key as the first choice. */
const CONFIGURATION = {
  authentication: { preferredSecurityScheme: "ApiKey" },
  defaultHttpClient: { targetKey: "shell", clientKey: "curl" },
  documentDownloadType: "direct",
  orderSchemaPropertiesBy: "preserve",
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: "never",
  telemetry: false,
  withDefaultFonts: false,
};

/** A compressed script and its file name, which contains a hash of the content. */
export interface Script {
  name: string;
  gzip: Buffer<ArrayBuffer>;
}

let script: Promise<Script> | undefined;

let document: Promise<Asset> | undefined;

/** The committed document; loaded on demand, because it is larger than all the code around it. */
export function readDocument(): Promise<Asset> {
  document ??= import("../../openapi.json", { with: { type: "json" } }).then(({ default: content }) =>
    assetOf(JSON.stringify(content), { "Content-Type": "application/json", "Cache-Control": "public, max-age=300" }),
  );
  return document;
}

/** The page, whose links start at the service's root as seen from the page's address. */
export async function readPage(root: string): Promise<Asset> {
  const { name } = await loadScript();
  const configuration = { ...CONFIGURATION, url: `${root}openapi.json`, servers: [{ url: root }] };
  const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Memory Service API reference</title>
<link rel="icon" href="${root}console/icon.svg">
</head>
<body>
<noscript><p>The reference needs JavaScript. The same as a document: <a href="${root}openapi.json">openapi.json</a>.</p></noscript>
<script id="api-reference" type="application/json" data-configuration='${JSON.stringify(configuration)}'></script>
<script src="${root}docs/${name}"></script>
</body>
</html>
`;
  return assetOf(page, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": POLICY,
    // The page names the script of its deployment.
    "Cache-Control": "no-cache",
    "Referrer-Policy": "no-referrer",
  });
}

/** The script by its file name. Throws NOT_FOUND for another name, such as one of an earlier deployment. */
export async function readScript(name: string): Promise<Script> {
  const found = await loadScript();
  if (name !== found.name) throw new ServiceError("NOT_FOUND", "The reference has no such file. Start at GET /docs.");
  return found;
}

/** Loads the script once per process, when the reference is first opened. */
export function loadScript(): Promise<Script> {
  script ??= import("./scalar.ts").then(({ compressedScript: gzip }) => {
    const hash = createHash("sha256").update(gzip).digest("hex").slice(0, 16);
    return { name: `scalar-${hash}.js`, gzip };
  });
  return script;
}
