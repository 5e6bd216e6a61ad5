import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { LocalRecordStore } from "../../shared/adapters/local/records.ts";
import { describeSessionWriters } from "./session-writers.ts";

describeSessionWriters(
  "local",
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), "contract-"));
    const store = new LocalRecordStore({ file: path.join(folder, "records.sqlite"), clock: Date.now, streams: [] });
    return {
      store,
      close: async () => {
        store.close();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  },
  { runs: 4, interleaved: true },
);
