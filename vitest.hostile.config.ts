import { globSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { configOf } from "./vitest.config.ts";

/** Hostile input, with its drills. */
export default defineConfig(configOf(globSync("test/hostile/*.test.ts")));
