/**
 * Measures the size of each Lambda handler and the init time of its process under Lambda's own runtime client until it
 * requests its first invocation, relative to a bare Hono handler: `npm run bench -- handlers`.
 */
import { fileURLToPath } from "node:url";
import { type Bundle, bundleHandlers, HANDLER_BUDGET_BYTES } from "../../infra/bundle.ts";
import { installRuntimeClient } from "../engines/install.ts";
import { openLambdaFunction } from "../support/lambda-function.ts";
import { type Figure, report } from "./report.ts";

const ROUNDS = 9;
/**
 * Maximum init time: this many milliseconds more than a bare handler's, or this multiple of it, whichever is longer.
 */
const BUDGET = { more: 120, times: 3 };

/** A separate output folder, so that concurrent deployments or tests keep the usual one. */
const FOLDER = fileURLToPath(new URL("../../dist/bench", import.meta.url));
const BARE = "bare";
const BARE_SOURCE = fileURLToPath(new URL("../../infra/bundle-baseline.ts", import.meta.url));

/** The environment variables of a deployment that are read before the first invocation. */
const ENVIRONMENT = { PLATFORM: "aws", AWS_REGION: "us-east-1" };

const runtimeClient = await installRuntimeClient();
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

/** Returns the extremes over all handlers, which decide whether the limits are met. */
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

/**
 * Returns the shortest of several inits per handler, measured in turns, because other load on the machine only makes
 * them longer.
 */
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

/** Milliseconds from spawning the process until it requests its first invocation. */
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
