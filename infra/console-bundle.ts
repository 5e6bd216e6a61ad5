/**
 * `npm run console` bundles the console's modules into the one script that its page loads. The script is checked in, so
 * that a service without development packages serves it. With --check it fails if the script is not up to date.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const SCRIPT = new URL("../functions/console/bundle/console.js", import.meta.url);
const BANNER = "// Generated from functions/console/browser by `npm run console`.";

const { outputFiles } = await build({
  absWorkingDir: fileURLToPath(new URL("..", import.meta.url)),
  entryPoints: ["functions/console/browser/main.js"],
  bundle: true,
  minify: true,
  write: false,
  format: "esm",
  platform: "browser",
  target: "es2023",
  legalComments: "none",
  banner: { js: BANNER },
});
const [bundled] = outputFiles;
if (bundled === undefined) throw new Error("esbuild wrote no script");
if (!process.argv.includes("--check")) writeFileSync(SCRIPT, bundled.text);
else if (readFileSync(SCRIPT, "utf8") !== bundled.text) {
  console.error("functions/console/bundle is not what its sources say. Run `npm run console` and commit it.");
  process.exitCode = 1;
}
