import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/fixtures/temporary-folder.ts";
import { Database } from "../storage/sqlite.ts";
import { vectorOfBytes } from "../vectors/quantized.ts";
import { SEARCH_MIGRATIONS } from "./schema.ts";

test("vectors of an earlier release are kept in half of the room", () => {
  const file = join(temporaryFolder(), "search.db");
  const earlier = new Database({ file, migrations: SEARCH_MIGRATIONS.slice(0, 12) });
  const vector = Float32Array.of(0.5, -0.25, 1);
  for (const table of ["vectors", "next_vectors"]) {
    for (let doc = 0; doc < 1_001; doc++) {
      earlier.run(`INSERT INTO ${table} (doc, vector) VALUES (?, ?)`, doc, new Uint8Array(vector.buffer));
    }
  }
  earlier.close();
  const database = new Database({ file, migrations: SEARCH_MIGRATIONS });
  for (const table of ["vectors", "next_vectors"]) {
    const rows = database.tuples(`SELECT vector FROM ${table}`);
    expect(rows).toHaveLength(1_001);
    for (const [stored] of rows) {
      const kept = vectorOfBytes(stored as Uint8Array);
      expect(kept).toHaveLength(3);
      for (const [i, number] of vector.entries()) expect(kept[i]).toBeCloseTo(number, 4);
    }
  }
  expect(database.get("PRAGMA application_id")).toEqual({ application_id: 0 });
  database.close();
});
