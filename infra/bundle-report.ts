/** `npm run bundle`: bundles all handlers and prints their sizes. `npm run bench -- handlers` also times them. */
import { type Bundle, bundleHandlers, HANDLER_BUDGET_BYTES } from "./bundle.ts";

const bundle = await bundleHandlers();
console.table(sizeRows(bundle));
console.log(
  `all files ${kilobytes(bundle.totalBytes)} KB; budget ${kilobytes(HANDLER_BUDGET_BYTES)} KB a handler, own + shared`,
);

function sizeRows({ handlers }: Bundle) {
  return handlers.map(({ name, own, shared, dynamic }) => ({
    handler: name,
    "own KB": kilobytes(own),
    "shared KB": kilobytes(shared),
    "own + shared KB": kilobytes(own + shared),
    "dynamic KB": kilobytes(dynamic),
  }));
}

function kilobytes(bytes: number): number {
  return Math.round(bytes / 1000);
}
