/**
 * What each Lambda handler weighs, and how long its process takes under Lambda's own runtime client until it asks for its
 * first invocation, beside a bare Hono handler's: `npm run bench -- handlers`.
 */
import { fileURLToPath } from "node:url";
import { type Bundle, bundleHandlers, HANDLER_BUDGET_BYTES } from "../../infra/bundle.ts";
import { installRuntimeClient } from "../engines/install.ts";
import { openLambdaFunction } from "../support/lambda-function.ts";
import { type Figure, report } from "./report.ts";

const ROUNDS = 9;
/** What an init may take: so much more than a bare handler's, or so many times as much, whichever is longer. */
const BUDGET = { more: 120, times: 3 };

/** Of their own, so that whoever deploys or tests meanwhile keeps the usual one. */
const FOLDER = fileURLToPath(new URL("../../dist/bench", import.meta.url));
const BARE = "bare";
const BARE_SOURCE = fileURLToPath(new URL("../../infra/bundle-baseline.ts", import.meta.url));

/** Of what the deployment sets, as much as is read before the first invocation. */
const ENVIRONMENT = { PLATFORM: "aws", AWS_REGION: "us-east-1" };

const runtimeClient = installRuntimeClient();
const bundle = await bundleHandlers({ folder: `${FOLDER}/lambda` });
const bare = await bundleHandlers({ folder: `${FOLDER}/bare`, entries: { [BARE]: BARE_SOURCE } });
const inits = await initTimes();
const bareMs = inits.get(BARE) ?? Number.NaN;
const mostMs = Math.max(bareMs + BUDGET.more, bareMs * BUDGET.times);
report([
  ...bundle.handlers.map(sizeFigure),
  { what: `${BARE} Hono handler, init`, value: bareMs, unit: "ms" },
  ...initFigures(),
  ...extremes(),
]);

/** Of all handlers, what tells whether they hold. */
function extremes(): Figure[] {
  const heaviest = Math.max(...bundle.handlers.map(({ own, shared }) => own + shared));
  const slowest = Math.max(...bundle.handlers.map(({ name }) => inits.get(name) ?? Number.NaN));
  return [
    {
      what: `largest of ${bundle.handlers.length} handlers, minified`,
      value: heaviest / 1000,
      unit: "KB",
      limit: { atMost: HANDLER_BUDGET_BYTES / 1000 },
      headline: true,
    },
    {
      what: `slowest init of ${bundle.handlers.length} handlers under Lambda's runtime client`,
      baseline: `${BARE} Hono handler's`,
      value: slowest / bareMs,
      unit: "x",
      limit: { atMost: mostMs / bareMs },
      from: `${Math.round(slowest)} : ${Math.round(bareMs)} ms`,
      headline: true,
    },
  ];
}

function sizeFigure({ name, own, shared }: Bundle["handlers"][number]): Figure {
  return {
    what: `handler ${name}, minified`,
    value: (own + shared) / 1000,
    unit: "KB",
    limit: { atMost: HANDLER_BUDGET_BYTES / 1000 },
    from: `${Math.round(own / 1000)} own + ${Math.round(shared / 1000)} shared`,
  };
}

function initFigures(): Figure[] {
  const atMost = Math.round(mostMs);
  return bundle.handlers.map(({ name }) => {
    const value = inits.get(name) ?? Number.NaN;
    return {
      what: `handler ${name}, init`,
      value,
      unit: "ms",
      limit: { atMost },
      from: `${(value / bareMs).toFixed(1)} x bare`,
    };
  });
}

/** The shortest of several inits of each, in turns: what others do on the machine only ever makes one longer. */
async function initTimes(): Promise<Map<string, number>> {
  const all = [bare, bundle].flatMap(({ folder, handlers }) => handlers.map(({ name }) => ({ folder, name })));
  const shortest = new Map<string, number>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const { folder, name } of all) {
      const milliseconds = await initMilliseconds(folder, name);
      shortest.set(name, Math.min(milliseconds, shortest.get(name) ?? milliseconds));
    }
  }
  return shortest;
}

/** From the spawn of the process until it asks for its first invocation. */
async function initMilliseconds(taskRoot: string, name: string): Promise<number> {
  const lambda = await openLambdaFunction({
    runtimeClient,
    taskRoot,
    handler: `${name}.handler`,
    environment: ENVIRONMENT,
  });
  try {
    return await lambda.init();
  } finally {
    await lambda.close();
  }
}
