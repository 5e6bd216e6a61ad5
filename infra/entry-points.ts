import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "esbuild";

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const ENTRIES = path.join(ROOT, "shared/entry/lambda");
const NAMESPACE = "entry-point";

/**
 * The Lambda entry point of a group's `routes.ts` or a worker's `worker.ts`, as esbuild's `entryPoints` name it. It is
 * relative, because esbuild puts it into the hashes in names of chunks.
 */
export function entryPointOf(module: string): string {
  return `${NAMESPACE}:${path.relative(ROOT, module).replaceAll(path.sep, "/")}`;
}

/** Generates the entry points. */
export const entryPoints: Plugin = {
  name: "entry-points",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: new RegExp(`^${NAMESPACE}:`) }, ({ path: name }) => {
      return { path: name.slice(NAMESPACE.length + 1), namespace: NAMESPACE };
    });
    onLoad({ filter: /.*/, namespace: NAMESPACE }, ({ path: module }) => {
      return { contents: sourceFor(path.join(ROOT, module)), resolveDir: ENTRIES, loader: "js" };
    });
  },
};

/** During init, Lambda gives any function a whole core. What fails is repeated, and answered, at the first invocation. */
const OPENED = "await open().catch(() => undefined);";

function sourceFor(module: string): string {
  if (path.basename(module) === "worker.ts") {
    return `import { workerEntry } from "./worker.ts";
      import * as worker from ${JSON.stringify(module)};
      export const { handler, open } = workerEntry(worker);
      ${OPENED}`;
  }
  return `import { groupEntry } from "./group.ts";
    import { routes } from ${JSON.stringify(module)};
    export const { handler, open } = groupEntry(routes);
    ${OPENED}`;
}
