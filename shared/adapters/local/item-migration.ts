import type { DatabaseSync } from "node:sqlite";
import { identityOf } from "../../ports/preconditions.ts";
import type { RecordKey, StoredRecord } from "../../ports/record-store.ts";
import { takeStep } from "../../runtime/upgrades/item-upgrade.ts";
import { ITEM_STEPS } from "../../runtime/upgrades/steps/item-steps.ts";
import type { ItemStep } from "../../runtime/upgrades/steps/step.ts";
import type { Migration } from "./storage/migrations.ts";
import { recordOf, rowOf, STORED_COLUMNS } from "./stored-item.ts";

/** Maximum number of rows in memory. */
const BATCH = 500;

/** The migration of records.sqlite that upgrades items to a version: all of them or none. */
export function itemMigration(version: number, itemVersion: number): Migration {
  return {
    version,
    name: `bring items to version ${itemVersion}`,
    run: (connection, report) => {
      const table = tableOf(connection);
      let checked = 0;
      for (const step of ITEM_STEPS.filter(({ version }) => version === itemVersion)) {
        for (const record of recordsOf(connection, step.kinds)) {
          report(++checked);
          applyStep(step, record, table);
        }
      }
    },
  };
}

function applyStep(step: ItemStep, record: StoredRecord, { store, remove }: Table): void {
  if ("replace" in step) {
    const replacement = step.replace(record);
    if (replacement === undefined) return;
    if (!replacement.some((next) => identityOf(next) === identityOf(record))) remove(record);
    for (const next of replacement) store(next, "replace");
    return;
  }
  const [changed, ...additional] = takeStep(step, record) ?? [];
  if (changed !== undefined) store(changed, "replace");
  for (const other of additional) store(other, "keep");
}

/** Pages follow the row id, which a replacement under the same key keeps, so no row is read twice. */
function* recordsOf(connection: DatabaseSync, kinds: string[]): Generator<StoredRecord> {
  const placeholders = kinds.map(() => "?").join();
  const page = connection.prepare(
    `SELECT rowid, ${STORED_COLUMNS.join(", ")} FROM records WHERE rowid > ? AND kind IN (${placeholders}) ORDER BY rowid LIMIT ${BATCH}`,
  );
  for (let last = 0, count = BATCH; count === BATCH; ) {
    const rows = page.all(last, ...kinds);
    count = rows.length;
    last = Number(rows.at(-1)?.rowid);
    yield* rows.map(recordOf);
  }
}

interface Table {
  store(record: StoredRecord, existing: "replace" | "keep"): void;
  remove(key: RecordKey): void;
}

/** Writes the columns that the table has at this migration; later ones may add more. */
function tableOf(connection: DatabaseSync): Table {
  const names = connection.prepare("SELECT name FROM pragma_table_info('records')").all();
  const columns = names.map(({ name }) => String(name)).filter((name) => name !== "item");
  const all = [...columns, "item"];
  const insert = `INSERT INTO records (${all.join()}) VALUES (${all.map(() => "?").join()}) ON CONFLICT (pk, sk)`;
  const replacing = connection.prepare(
    `${insert} DO UPDATE SET ${all.map((name) => `${name} = excluded.${name}`).join()}`,
  );
  const keeping = connection.prepare(`${insert} DO NOTHING`);
  const removing = connection.prepare("DELETE FROM records WHERE pk = ? AND sk = ?");
  return {
    store: (record, existing) => void (existing === "replace" ? replacing : keeping).run(...rowOf(record, columns)),
    remove: ({ pk, sk }) => void removing.run(pk, sk),
  };
}
