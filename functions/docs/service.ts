import { type Asset, assetOf, PAGE_POLICY } from "../../shared/runtime/http/page.ts";

let document: Promise<Asset> | undefined;

/** The committed document; loaded on demand, because it is larger than all the code around it. */
export function readDocument(): Promise<Asset> {
  document ??= import("../../openapi.json", { with: { type: "json" } }).then(({ default: content }) =>
    assetOf(JSON.stringify(content), { "Content-Type": "application/json", "Cache-Control": "public, max-age=300" }),
  );
  return document;
}

/**
 * The page, whose links start at the service's root as seen from the page's address. The group `console` has the files
 * that it loads, because it looks as the console does.
 */
export function readPage(root: string): Asset {
  const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Memory Service API reference</title>
    <link rel="icon" href="${root}console/icon.svg" type="image/svg+xml">
    <link rel="stylesheet" href="${root}console/style.css">
    <link rel="stylesheet" href="${root}console/reference.css">
    <script type="module" src="${root}console/reference.js"></script>
  </head>
  <body>
    <a class="skip" href="#main">Skip to the content</a>
    <header>
      <p class="brand">Memory Service API reference</p>
      <p class="links"><a href="${root}console">Console</a> <a href="${root}openapi.json">OpenAPI document</a></p>
      <button type="button" id="menu" aria-controls="views" aria-expanded="false">Groups</button>
    </header>
    <nav id="views" class="views" aria-label="Groups"></nav>
    <main id="main" tabindex="-1">
      <noscript><p>The reference needs JavaScript. The same as a document: <a href="${root}openapi.json">openapi.json</a>.</p></noscript>
    </main>
    <div id="status" role="status"></div>
  </body>
</html>
`;
  return assetOf(page, {
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": PAGE_POLICY,
    "Cache-Control": "no-cache",
    "Referrer-Policy": "no-referrer",
  });
}
