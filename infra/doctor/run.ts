import { chmodSync, existsSync, lstatSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { LocalPorts } from "../../shared/adapters/local/ports.ts";
import { LocalQueue } from "../../shared/adapters/local/queue.ts";
import { QUEUES_FILE } from "../../shared/adapters/local/storage/data-files.ts";
import { systemClock } from "../../shared/kernel/clock.ts";
import type { Config } from "../../shared/kernel/config.ts";
import type { Runtime } from "../../shared/runtime/context.ts";
import { withOwnerLock } from "../folder-backup/new-folder.ts";
import { loadWorkers, queuesOf, streamsOf } from "../local/host.ts";
import { withRuntime } from "../local-runtime.ts";
import { NoDataFolderError } from "../operator-errors.ts";
import { examineContents } from "./contents.ts";
import { examineFiles, examinePermissions, examineSpace, type FileFinding } from "./files.ts";
import { type CheckName, Report } from "./report.ts";
import { SetAside } from "./set-aside.ts";

const OWNER_ONLY = 0o7700;
/** Checks that must pass before a folder can be opened. */
const FILE_CHECKS: CheckName[] = ["files", "versions"];

/**
 * Examines a data folder that no service uses, and repairs what can be derived from intact data. Replaced files are
 * kept in a separate folder. Throws NoDataFolderError and DataDirInUseError.
 */
export async function examineFolder(config: Config, { repair }: { repair: boolean }): Promise<Report> {
  const { DATA_DIR: dataDir } = config;
  if (!existsSync(dataDir)) throw new NoDataFolderError(dataDir);
  const report = new Report();
  const aside = new SetAside(dataDir, systemClock());
  await withOwnerLock(dataDir, async () => {
    const files = examineFiles(dataDir, report);
    const readable = examinePermissions(dataDir, report);
    await examineSpace(dataDir, report);
    if (!repair) return;
    for (const finding of files) repairFile(finding, dataDir, aside);
    for (const finding of readable) {
      chmodSync(finding.what, lstatSync(finding.what).mode & OWNER_ONLY);
      finding.isMended = true;
    }
  });
  const unresolved = report.findings.filter(({ check, isMended }) => !isMended && FILE_CHECKS.includes(check));
  const toUpgrade = repair ? unresolved.filter(({ check, mend }) => check === "versions" && mend !== undefined) : [];
  // Opening an earlier release's folder would upgrade it, which is left to a repair or a start.
  if (toUpgrade.length < unresolved.length) return report;
  await compare(config, report, { repair, aside });
  for (const finding of toUpgrade) finding.isMended = true;
  return report;
}

function repairFile(finding: FileFinding, dataDir: string, aside: SetAside): void {
  const { file, action } = finding;
  if (action === "reindex") {
    aside.copy(file);
    const connection = new DatabaseSync(file);
    connection.exec("REINDEX");
    connection.close();
  } else {
    aside.move(file);
    // A start rebuilds an index file by itself, but refuses to create a lost queue.
    if (file === path.join(dataDir, QUEUES_FILE)) new LocalQueue({ file, clock: systemClock, queues: [] }).close();
  }
  finding.isMended = true;
}

/** Opens the folder as a start does, without workers, and compares its content. */
async function compare(config: Config, report: Report, { repair, aside }: { repair: boolean; aside: SetAside }) {
  const manifests = (await loadWorkers()).map(({ worker }) => worker);
  const wiring = { streams: streamsOf(manifests), queues: queuesOf(manifests), baseUrl: () => "" };
  const examine = async (runtime: Runtime, { index }: LocalPorts) => {
    await examineContents(runtime, report, { repair, setAside: (blob) => aside.copyBlob(runtime, blob) });
    if (repair) index.markCaughtUp();
  };
  await withRuntime(config, examine, wiring);
}
