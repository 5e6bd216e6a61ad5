import { createHash } from "node:crypto";

/** A page with one script of its own, which fetches everything else from this service. */
export interface InlinePage {
  title: string;
  /** HTML without anything that a request contains. */
  main: string;
  script: string;
}

const STYLE = `:root { color-scheme: light dark; }
body { margin: 10vh auto; max-width: 26rem; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
input:not([type=checkbox], [type=radio]), button { width: 100%; padding: .5rem; font: inherit; box-sizing: border-box; }`;

function hashOf(source: string): string {
  return `'sha256-${createHash("sha256").update(source).digest("base64")}'`;
}

/** Allows only the page's own script, which may call only this service. */
function policyFor(script: string): string {
  return [
    "default-src 'none'",
    `style-src ${hashOf(STYLE)}`,
    `script-src ${hashOf(script)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

/** The page as a response. */
export function showInlinePage({ title, main, script }: InlinePage): Response {
  const html = `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${STYLE}</style>
<main><h1>${title}</h1>
${main}
<noscript>This page needs JavaScript.</noscript></main>
<script>${script}</script></html>
`;
  const headers = {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policyFor(script),
    "Referrer-Policy": "no-referrer",
  };
  return new Response(html, { headers });
}
