/** `npm run install:engines`: installs into .cache what `npm run test:engines` runs on, and would install itself. */
import { ALL_ENGINES } from "./engines.ts";
import { installEngine, installRuntimeClient } from "./install.ts";

await Promise.all([...ALL_ENGINES.map(installEngine), installRuntimeClient()]);
