import { parseArgs } from "node:util";
import { type Guard, ROOT, readGuards } from "./guards.ts";
import { type Outcome, Workshop } from "./workshop.ts";

/**
 * `npm run test:guards`: removes each guard of the list in a copy of the sources, and runs the tests that must fail without it.
 * `--only NAME` (repeatable, part of a line of the list) and `--workers 1|2`. Exits with 1 if no test fails without a guard, or
 * if the result is unclear.
 */
const MAX_WORKERS = 2;
const NAME_WIDTH = 90;
/** A few seconds are usual; longer tests probably never end, such as a loop without its guard. */
const MAX_MS = 5 * 60_000;

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

/** Each test file once, with the names of all selected tests in it. */
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
async function share<Work>(
  workshops: Workshop[],
  work: Work[],
  act: (workshop: Workshop, piece: Work) => Promise<void>,
) {
  const waiting = work.values();
  await Promise.all(
    workshops.map(async (workshop) => {
      for (const piece of waiting) await act(workshop, piece);
    }),
  );
}

/** Test files that fail although every guard is in place, with what failed; they prove nothing. */
async function findFailing(workshops: Workshop[], guards: Guard[]): Promise<Map<string, string>> {
  const failing = new Map<string, string>();
  await share(workshops, selectionsOf(guards), async (workshop, { file, only }) => {
    const outcome = await workshop.run({ files: [file], only });
    if (outcome.is !== "passed") failing.set(file, outcome.is === "failed" ? outcome.test : outcome.why);
  });
  return failing;
}

/** Runs a guard's tests without it, provided that they pass with it. */
async function judge(workshop: Workshop, guard: Guard, failing: Map<string, string>): Promise<Outcome> {
  const own = guard.tests.find((file) => failing.has(file));
  if (own === undefined) return workshop.runWithout(guard);
  // Another guard's tests in these files may have failed, or the machine was too busy.
  const { is } = await workshop.run({ files: guard.tests, only: guard.only });
  if (is === "passed") return workshop.runWithout(guard);
  return { is: "broken", why: `${own} fails with every guard in its place: ${failing.get(own)}` };
}

function describe({ is, ...told }: Outcome): string {
  if (is === "passed") return "SURVIVED";
  return "test" in told ? told.test : `CANNOT TELL ${"why" in told ? told.why : ""}`;
}

function tell({ guard: { name }, outcome, seconds }: Result): void {
  console.log(`${name.padEnd(NAME_WIDTH)} ${seconds.toFixed(1).padStart(5)} s  ${describe(outcome)}`);
}

const { only, workers } = readOptions();
const begun = performance.now();
const chosen = readGuards().filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)));
if (chosen.length === 0) throw new Error("no guard has such a name");

const workshops = await Promise.all(Array.from({ length: workers }, () => Workshop.open(ROOT)));
const leave = () => {
  for (const workshop of workshops) workshop.abandon();
  process.exit(1);
};
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, leave);
const results: Result[] = [];
try {
  const failing = await findFailing(workshops, chosen);
  await share(workshops, chosen, async (workshop, guard) => {
    const from = performance.now();
    const patience = setTimeout(() => {
      console.log(
        `${guard.name}: its tests do not end without it. Limit their time, or remove the guard in another way.`,
      );
      leave();
    }, MAX_MS);
    const outcome = await judge(workshop, guard, failing).finally(() => clearTimeout(patience));
    const result = { guard, outcome, seconds: (performance.now() - from) / 1000 };
    results.push(result);
    tell(result);
  });
} finally {
  await Promise.all(workshops.map((workshop) => workshop.close()));
}
const missed = results.filter(({ outcome }) => outcome.is !== "failed");
console.log(
  `${results.length} guards, ${missed.length} unnoticed, ${Math.round((performance.now() - begun) / 1000)} s`,
);
// Vitest reports the expected failures as a failure of this process.
process.exitCode = missed.length > 0 ? 1 : 0;
