/**
 * `node kill-in-step.ts FILE NAME VERSION`: runs the migrations of a file, and dies of SIGKILL within one of them, before its
 * end.
 */
import type { DatabaseSync } from "node:sqlite";
import type { Migration } from "../../shared/adapters/local/storage/migrations.ts";
import { Database } from "../../shared/adapters/local/storage/sqlite.ts";
import { MIGRATIONS } from "./migrations.ts";

const [file = "", name = "", version] = process.argv.slice(2);

function dyingIn(migration: Migration): Migration {
  const run = (connection: DatabaseSync) => {
    if (typeof migration.run === "string") connection.exec(migration.run);
    else migration.run(connection, () => {});
    process.kill(process.pid, "SIGKILL");
  };
  return { ...migration, run };
}

const migrations = (MIGRATIONS[name] ?? []).map((each) => (each.version === Number(version) ? dyingIn(each) : each));
new Database({ file, migrations });
