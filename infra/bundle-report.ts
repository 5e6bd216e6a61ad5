/** `npm run bundle [-- --time]`: bundles all handlers and prints what each weighs and, timed, how long its import takes. */
import { parseArgs } from "node:util";
import { type Bundle, bundleHandlers, HANDLER_BUDGET_BYTES } from "./bundle.ts";
import { importTimes } from "./bundle-times.ts";

const { values } = parseArgs({ options: { time: { type: "boolean", default: false } } });
const bundle = await bundleHandlers();
console.table(sizeRows(bundle));
console.log(
  `all files ${kilobytes(bundle.totalBytes)} KB; budget ${kilobytes(HANDLER_BUDGET_BYTES)} KB a handler, own + shared`,
);
if (values.time) console.table(await timeRows(bundle));

function sizeRows({ handlers }: Bundle) {
  return handlers.map(({ name, own, shared, dynamic }) => ({
    handler: name,
    "own KB": kilobytes(own),
    "shared KB": kilobytes(shared),
    "own + shared KB": kilobytes(own + shared),
    "dynamic KB": kilobytes(dynamic),
  }));
}

async function timeRows(bundle: Bundle) {
  const { bare, handlers } = await importTimes(bundle);
  const row = (handler: string, milliseconds: number) => ({
    handler,
    "import ms": milliseconds,
    "x bare Hono": Number((milliseconds / bare).toFixed(1)),
  });
  return [row("(bare Hono)", bare), ...handlers.map(({ name, milliseconds }) => row(name, milliseconds))];
}

function kilobytes(bytes: number): number {
  return Math.round(bytes / 1000);
}
