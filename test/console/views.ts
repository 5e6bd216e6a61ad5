import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const FOLDER = new URL("../../functions/console/", import.meta.url);
/** All that a browser loads; the bundle has all modules, without comments. */
const FILES = ["bundle/console.js", "browser/style.css", "browser/page.html"];

/** The file beside the pictures that says which views they show. */
export const PICTURED = new URL("../../docs/images/views.sha256", import.meta.url);

/** Changes with anything that a view shows. */
export function hashOfViews(): string {
  const hash = createHash("sha256");
  for (const file of FILES) hash.update(readFileSync(new URL(file, FOLDER)));
  return hash.digest("hex");
}
