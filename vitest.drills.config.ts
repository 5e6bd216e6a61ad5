import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { configOf, testFiles } from "./vitest.config.ts";

/** Those whose size differs between `npm test` and a drill. */
const hasSizes = (file: string) => /\bsized\(/.test(readFileSync(file, "utf8"));

export default defineConfig(configOf(testFiles.filter(hasSizes), { DRILLS: "full" }));
