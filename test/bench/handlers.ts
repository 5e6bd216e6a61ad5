/** What the Lambda handlers weigh and how long the import of one takes beside a bare Hono handler's. */
import { bundleHandlers, HANDLER_BUDGET_BYTES } from "../../infra/bundle.ts";
import { importTimes } from "../../infra/bundle-times.ts";
import { report } from "./report.ts";
import { percentile } from "./timing.ts";

const bundle = await bundleHandlers();
const times = await importTimes(bundle);
const sizes = bundle.handlers.map(({ name, own, shared }) => ({ name, bytes: own + shared }));
const largest = sizes.reduce((most, each) => (each.bytes > most.bytes ? each : most));
const imports = times.handlers.map(({ milliseconds }) => milliseconds);
const [usual, slow] = [percentile(imports, 0.5), percentile(imports, 0.95)];
report([
  {
    what: "the largest handler with the chunks it shares, minified",
    value: largest.bytes / 1000,
    unit: "KB",
    limit: { atMost: HANDLER_BUDGET_BYTES / 1000 },
    from: `${largest.name}, of ${sizes.length}`,
  },
  {
    what: "import of a handler",
    baseline: "of a bare Hono handler",
    value: usual / times.bare,
    p95: slow / times.bare,
    unit: "x",
    from: `${usual} : ${times.bare} ms`,
  },
]);
