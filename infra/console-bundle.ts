/**
 * `npm run console` bundles the modules of the console, and those of the API reference, into the one script that each
 * page loads. The scripts are checked in, so that a service without development packages serves them. With --check it
 * fails if they are not up to date.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const FOLDER = "functions/console/bundle";
const BANNER = "// Generated from functions/console/browser by `npm run console`.";

const { outputFiles } = await build({
  absWorkingDir: ROOT,
  entryPoints: {
    console: "functions/console/browser/main.js",
    reference: "functions/console/browser/reference.js",
  },
  outdir: FOLDER,
  bundle: true,
  minify: true,
  write: false,
  format: "esm",
  platform: "browser",
  target: "es2023",
  legalComments: "none",
  banner: { js: BANNER },
});
for (const { path, text } of outputFiles) {
  if (!process.argv.includes("--check")) writeFileSync(path, text);
  else if (!existsSync(path) || readFileSync(path, "utf8") !== text) {
    console.error(`${FOLDER} is not what its sources say. Run \`npm run console\` and commit it.`);
    process.exitCode = 1;
  }
}
