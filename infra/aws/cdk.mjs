#!/usr/bin/env node
/** `npx cdk` in the root: the CLI of this folder's packages, which `npm ci` in the root does not install. */
import { createRequire } from "node:module";

const require = createRequire(import.meta.url);
try {
  require.resolve("aws-cdk/bin/cdk");
} catch {
  console.error("CDK is not installed. Run npm run install:aws");
  process.exit(1);
}
require("aws-cdk/bin/cdk");
