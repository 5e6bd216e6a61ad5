import { DatabaseSync } from "node:sqlite";
import type { StoredRecord } from "../../ports/ports.ts";

const PAGE = 500;

/**
 * All records of a database file as of the first page: a separate connection in one read transaction, which blocks no
 * writer. The write-ahead log keeps concurrent writes until it ends.
 */
export async function* snapshotOf(file: string): AsyncGenerator<StoredRecord[]> {
  const connection = new DatabaseSync(file, { readOnly: true });
  try {
    connection.exec("BEGIN");
    const next = connection.prepare("SELECT pk, sk, item FROM records WHERE (pk, sk) > (?, ?) ORDER BY pk, sk LIMIT ?");
    let last = { pk: "", sk: "" };
    while (true) {
      const rows = next.all(last.pk, last.sk, PAGE);
      if (rows.length > 0) yield rows.map(({ item }): StoredRecord => JSON.parse(String(item)));
      const end = rows.at(-1);
      if (end === undefined || rows.length < PAGE) return;
      last = { pk: String(end.pk), sk: String(end.sk) };
    }
  } finally {
    connection.close();
  }
}
