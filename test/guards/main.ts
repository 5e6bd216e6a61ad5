import { parseArgs } from "node:util";
import { type Guard, ROOT, readGuards } from "./guards.ts";
import { type Outcome, Workshop } from "./workshop.ts";

/**
 * `npm run test:guards`: removes each guard of the list in a copy of the sources, and runs the tests that must fail
 * without it. Options: `--only NAME` (repeatable) selects guards by a part of their line in the list, and
 * `--workers 1|2`. Exits with 1 if no test fails without a guard, or if the result is unclear.
 */
const MAX_WORKERS = 2;
const NAME_WIDTH = 90;
/** Tests usually take a few seconds. After this time they probably never end, such as a loop without its guard. */
const MAX_TEST_MS = 5 * 60_000;

interface Result {
  guard: Guard;
  outcome: Outcome;
  seconds: number;
}

function readOptions(): { only: string[]; workers: number } {
  const { values } = parseArgs({
    options: { only: { type: "string", multiple: true, default: [] }, workers: { type: "string", default: "1" } },
  });
  const workers = Number(values.workers);
  if (!Number.isInteger(workers) || workers < 1 || workers > MAX_WORKERS) {
    throw new Error(`--workers takes 1 to ${MAX_WORKERS}`);
  }
  return { only: values.only, workers };
}

/** Returns each test file once, with a pattern for the names of all selected tests in it. */
function selectionsOf(guards: Guard[]): { file: string; only: string | undefined }[] {
  const wanted = new Map<string, Set<string | undefined>>();
  for (const { tests, only } of guards) {
    for (const file of tests) wanted.set(file, (wanted.get(file) ?? new Set()).add(only));
  }
  return [...wanted].map(([file, names]) => ({
    file,
    only: names.has(undefined) ? undefined : [...names].map((name) => `(${name})`).join("|"),
  }));
}

/** Distributes work: each workshop takes the next piece until none is left. */
async function distribute<Work>(
  workshops: Workshop[],
  work: Work[],
  run: (workshop: Workshop, piece: Work) => Promise<void>,
) {
  const remaining = work.values();
  await Promise.all(
    workshops.map(async (workshop) => {
      for (const piece of remaining) await run(workshop, piece);
    }),
  );
}

/** Returns the test files that fail although every guard is in place, and their failures. Such files prove nothing. */
async function findFailing(workshops: Workshop[], guards: Guard[]): Promise<Map<string, string>> {
  const failing = new Map<string, string>();
  await distribute(workshops, selectionsOf(guards), async (workshop, { file, only }) => {
    const outcome = await workshop.run({ files: [file], only });
    if (outcome.is !== "passed") failing.set(file, outcome.is === "failed" ? outcome.test : outcome.why);
  });
  return failing;
}

/** Runs a guard's tests without the guard, if they pass with it. */
async function judge(workshop: Workshop, guard: Guard, failing: Map<string, string>): Promise<Outcome> {
  const failingFile = guard.tests.find((file) => failing.has(file));
  if (failingFile === undefined) return workshop.runWithout(guard);
  // Another guard's tests in these files may have failed, or the machine was too busy.
  const { is } = await workshop.run({ files: guard.tests, only: guard.only });
  if (is === "passed") return workshop.runWithout(guard);
  return { is: "broken", why: `${failingFile} fails although every guard is in place: ${failing.get(failingFile)}` };
}

function describe({ is, ...details }: Outcome): string {
  if (is === "passed") return "SURVIVED";
  return "test" in details ? details.test : `CANNOT TELL ${"why" in details ? details.why : ""}`;
}

function print({ guard: { name }, outcome, seconds }: Result): void {
  console.log(`${name.padEnd(NAME_WIDTH)} ${seconds.toFixed(1).padStart(5)} s  ${describe(outcome)}`);
}

const { only, workers } = readOptions();
const startedMs = performance.now();
const chosen = readGuards().filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)));
if (chosen.length === 0) throw new Error("no guard matches --only");

const workshops = await Promise.all(Array.from({ length: workers }, () => Workshop.open(ROOT)));
const abort = () => {
  for (const workshop of workshops) workshop.abandon();
  process.exit(1);
};
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, abort);
const results: Result[] = [];
try {
  const failing = await findFailing(workshops, chosen);
  await distribute(workshops, chosen, async (workshop, guard) => {
    const guardStartedMs = performance.now();
    const timeout = setTimeout(() => {
      console.log(
        `${guard.name}: its tests do not end without it. Give them a timeout, or remove the guard in another way.`,
      );
      abort();
    }, MAX_TEST_MS);
    const outcome = await judge(workshop, guard, failing).finally(() => clearTimeout(timeout));
    const result = { guard, outcome, seconds: (performance.now() - guardStartedMs) / 1000 };
    results.push(result);
    print(result);
  });
} finally {
  await Promise.all(workshops.map((workshop) => workshop.close()));
}
const unproven = results.filter(({ outcome }) => outcome.is !== "failed");
console.log(
  `${results.length} guards, ${unproven.length} without proof, ${Math.round((performance.now() - startedMs) / 1000)} s`,
);
// Vitest reports the expected failures as a failure of this process.
process.exitCode = unproven.length > 0 ? 1 : 0;
