import { chmodSync, existsSync, lstatSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { systemClock } from "../../shared/kernel/clock.ts";
import type { Config } from "../../shared/kernel/config.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import { assembleHome, layFoundation } from "../../shared/platform/home.ts";
import { QUEUES_FILE } from "../../shared/platform/local/data-files.ts";
import { acquireLock } from "../../shared/platform/local/lock.ts";
import { DataDirInUse, ownerLockOf } from "../../shared/platform/local/platform.ts";
import { openLocalPorts } from "../../shared/platform/local/ports.ts";
import { LocalQueue } from "../../shared/platform/local/queue.ts";
import { loadWorkers, queuesOf, streamsOf } from "../local/host.ts";
import { examineContents } from "./contents.ts";
import { examineFiles, examinePermissions, examineSpace, type FileFinding } from "./files.ts";
import { type CheckName, Report } from "./report.ts";
import { SetAside } from "./set-aside.ts";

const OWNER_ALONE = 0o7700;
/** What must be well before a folder can be opened. */
const OF_FILES: CheckName[] = ["files", "versions"];

/** There is no folder to examine. */
export class NoDataFolder extends Error {
  constructor(dataDir: string) {
    super(`There is no folder ${dataDir}. Set DATA_DIR to the one to examine.`);
    this.name = "NoDataFolder";
  }
}

/**
 * Examines a data folder that no service has open, and mends what can be mended from what is right. What is replaced is
 * kept in a folder beside it. Throws NoDataFolder and DataDirInUse.
 */
export async function examineFolder(config: Config, { repair }: { repair: boolean }): Promise<Report> {
  const { DATA_DIR: dataDir } = config;
  if (!existsSync(dataDir)) throw new NoDataFolder(dataDir);
  const report = new Report();
  const aside = new SetAside(dataDir, systemClock());
  await locked(dataDir, async () => {
    const files = examineFiles(dataDir, report);
    const readable = examinePermissions(dataDir, report);
    await examineSpace(dataDir, report);
    if (!repair) return;
    for (const finding of files) mendFile(finding, dataDir, aside);
    for (const finding of readable) {
      chmodSync(finding.what, lstatSync(finding.what).mode & OWNER_ALONE);
      finding.isMended = true;
    }
  });
  const open = report.findings.filter(({ check, isMended }) => !isMended && OF_FILES.includes(check));
  const toUpgrade = repair ? open.filter(({ check, mend }) => check === "versions" && mend !== undefined) : [];
  // To open an earlier release's folder is to upgrade it, which is for a repair or a start.
  if (toUpgrade.length < open.length) return report;
  await compare(config, report, { repair, aside });
  for (const finding of toUpgrade) finding.isMended = true;
  return report;
}

async function locked(dataDir: string, work: () => Promise<void>): Promise<void> {
  const release = acquireLock(ownerLockOf(dataDir), 0);
  if (release === undefined) throw new DataDirInUse(dataDir);
  try {
    await work();
  } finally {
    release();
  }
}

function mendFile(finding: FileFinding, dataDir: string, aside: SetAside): void {
  const { file, action } = finding;
  if (action === "reindex") {
    aside.copy(file);
    const connection = new DatabaseSync(file);
    connection.exec("REINDEX");
    connection.close();
  } else {
    aside.move(file);
    // The start makes an index file anew by itself, and refuses to make a lost queue.
    if (file === path.join(dataDir, QUEUES_FILE)) new LocalQueue({ file, clock: systemClock, queues: [] }).close();
  }
  finding.isMended = true;
}

/** Opens the folder as a start does, with no worker at work, and compares what is in it. */
async function compare(config: Config, report: Report, { repair, aside }: { repair: boolean; aside: SetAside }) {
  const manifests = (await loadWorkers()).map(({ worker }) => worker);
  const wiring = { streams: streamsOf(manifests), queues: queuesOf(manifests), baseUrl: () => "" };
  const foundation = layFoundation(config, systemClock, silentLogger);
  const { ports, index, close } = await openLocalPorts(foundation, wiring);
  try {
    const home = assembleHome(foundation, ports);
    await examineContents(home, report, { repair, setAside: (blob) => aside.copyBlob(home, blob) });
    if (repair) index.markInLine();
  } finally {
    close();
  }
}
