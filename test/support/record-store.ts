import path from "node:path";
import { onTestFinished } from "vitest";
import { LocalRecordStore } from "../../shared/adapters/local/records.ts";
import type { Clock } from "../../shared/kernel/clock.ts";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";

/** Opens an empty record store of a local server, which is closed when the test finishes. */
export function openRecordStore(
  clock: Clock,
  streams: ConstructorParameters<typeof LocalRecordStore>[0]["streams"] = [],
): LocalRecordStore {
  const store = new LocalRecordStore({ file: path.join(temporaryFolder(), "records.sqlite"), clock, streams });
  onTestFinished(() => store.close());
  return store;
}
