/** What each Lambda handler weighs and how long its import takes beside a bare Hono handler's. */
import { bundleHandlers, HANDLER_BUDGET_BYTES } from "../../infra/bundle.ts";
import { importTimes } from "../../infra/bundle-times.ts";
import { type Figure, report } from "./report.ts";

const bundle = await bundleHandlers();
const times = await importTimes(bundle);
const sizes = bundle.handlers.map(
  ({ name, own, shared }): Figure => ({
    what: `handler ${name}, minified`,
    value: (own + shared) / 1000,
    unit: "KB",
    limit: { atMost: HANDLER_BUDGET_BYTES / 1000 },
    from: `${Math.round(own / 1000)} own + ${Math.round(shared / 1000)} shared`,
  }),
);
const imports = times.handlers.map(
  ({ name, milliseconds }): Figure => ({
    what: `handler ${name}, import : bare Hono handler`,
    value: milliseconds / times.bare,
    unit: "x",
    from: `${milliseconds} : ${times.bare} ms`,
  }),
);
report([...sizes, ...imports]);
