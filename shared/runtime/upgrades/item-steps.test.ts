import { globSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { openFolder, releases } from "../../../test/fixtures/folders/folders.ts";
import type { StoredRecord } from "../../ports/record-store.ts";
import { takeStep } from "./item-upgrade.ts";
import { ITEM_STEPS } from "./steps/item-steps.ts";
import type { ItemStep } from "./steps/step.ts";

/** Applies steps to all records, as an upgrade does. */
function apply(records: StoredRecord[], steps: ItemStep[]): StoredRecord[] {
  return steps.reduce(
    (current, step) =>
      current.flatMap((record): StoredRecord[] => {
        if (!step.kinds.includes(record.kind)) return [record];
        const changed = "replace" in step ? step.replace(record) : takeStep(step, record);
        return changed ?? [record];
      }),
    records,
  );
}

function recordsOf(release: string): StoredRecord[] {
  const database = new DatabaseSync(`${openFolder(release).dataDir}/records.sqlite`);
  try {
    return database
      .prepare("SELECT item FROM records")
      .all()
      .map(({ item }) => JSON.parse(String(item)) as StoredRecord);
  } finally {
    database.close();
  }
}

it("has one numbered file a step, in order", () => {
  const files = globSync("shared/runtime/upgrades/steps/[0-9]*.ts", { exclude: ["**/*.test.ts"] }).sort();
  expect(files.map((file) => Number(/(\d+)-[a-z-]+\.ts$/.exec(file)?.[1]))).toEqual(ITEM_STEPS.map((_, at) => at + 1));
  const versions = ITEM_STEPS.map(({ version }) => version);
  expect(versions).toEqual([...versions].sort((one, other) => one - other));
});

it.each(releases())("upgrades records of release %s the same wherever an upgrade stopped", (release) => {
  const records = recordsOf(release);
  const upgraded = apply(records, ITEM_STEPS);
  expect(upgraded).not.toEqual(records);
  for (const count of ITEM_STEPS.keys()) {
    const stopped = apply(records, ITEM_STEPS.slice(0, count));
    expect(apply(stopped, ITEM_STEPS.slice(count)), `after ${count} steps`).toEqual(upgraded);
    expect(apply(stopped, ITEM_STEPS), `again after ${count} steps`).toEqual(upgraded);
  }
});
