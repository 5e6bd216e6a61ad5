import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { FAULTS } from "./fault-plan.ts";
import { type FaultReport, runFaults } from "./run.ts";

const SEEDS = 2 ** 31;
const MAX_SHOWN = 20;

const { values } = parseArgs({
  options: {
    operations: { type: "string", default: "10000" },
    seed: { type: "string", default: String(randomInt(SEEDS)) },
    rate: { type: "string", default: "0.01" },
    lanes: { type: "string", default: "4" },
  },
});

const run = {
  operations: Number(values.operations),
  seed: Number(values.seed),
  rate: Number(values.rate),
  lanes: Number(values.lanes),
};
console.log(
  `${run.operations} operations by ${run.lanes} clients, 1 call in ${1 / run.rate} goes wrong, --seed ${run.seed}`,
);
const report = await runFaults(run);
print(report);
process.exitCode = report.record.violations.length > 0 ? 1 : 0;

function print({ plan, record, lines, events, rounds, givenUp, seconds }: FaultReport): void {
  console.table(
    Object.fromEntries(
      [...plan.met].map(([port, met]) => [
        port,
        Object.fromEntries(FAULTS.map((fault) => [fault, met.get(fault) ?? 0])),
      ]),
    ),
  );
  console.table(
    Object.fromEntries([...record.byOperation].sort().map(([name, met]) => [name, Object.fromEntries(met)])),
  );
  console.log("log lines:", Object.fromEntries([...lines].sort()));
  console.log(`answers of 500 and above: ${record.failed.size}; items of batches that failed: ${record.failedItems}`);
  console.log(`events: ${events.occurred} to be told, ${events.received} requests to the receiver`);
  console.log(`at rest after ${rounds} rounds of the workers; given up: ${givenUp.join(", ") || "nothing"}`);
  console.log(
    `${seconds.operations.toFixed(1)} s of operations, ${seconds.convergence.toFixed(1)} s until all was checked`,
  );
  const rules = Map.groupBy(record.violations, ({ rule }) => rule);
  console.log(
    `violations: ${record.violations.length}`,
    Object.fromEntries([...rules].map(([rule, all]) => [rule, all.length])),
  );
  for (const { rule, detail } of record.violations.slice(0, MAX_SHOWN))
    console.log(`- ${rule}: ${detail.slice(0, 600)}`);
}
