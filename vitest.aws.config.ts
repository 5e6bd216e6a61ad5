import { existsSync, globSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { configOf } from "./vitest.config.ts";

if (!existsSync("infra/aws/node_modules")) process.stderr.write("CDK is not installed. Run npm run install:aws\n");

/** Those of the CDK app. */
export default defineConfig(configOf(globSync("infra/aws/test/*.test.ts")));
