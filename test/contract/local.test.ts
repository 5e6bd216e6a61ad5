import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { LocalRecordStore } from "../../shared/platform/local/records.ts";
import { describeRecordStore } from "./record-store.ts";

function temporaryFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), "contract-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

describeRecordStore("local", async (clock) => {
  const { folder, remove } = temporaryFolder();
  const store = new LocalRecordStore({ file: path.join(folder, "records.sqlite"), clock, streams: [] });
  return {
    store,
    settle: async () => {},
    close: async () => {
      store.close();
      remove();
    },
  };
});
