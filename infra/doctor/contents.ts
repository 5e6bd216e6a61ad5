import { SECRETS_FILE } from "../../shared/adapters/local/storage/data-files.ts";
import { forgetCount, isCountLow } from "../../shared/domain/identity/owned-counts.ts";
import { catchUpIndex } from "../../shared/domain/operations/maintenance/catch-up.ts";
import { findOrphanBlobs } from "../../shared/domain/operations/maintenance/clean-blobs.ts";
import { findLagging, findOrphanDocuments, INDEXED_KINDS } from "../../shared/domain/operations/maintenance/drift.ts";
import {
  blobsNamedBy,
  findLostContent,
  findUnreadable,
  restoreContent,
} from "../../shared/domain/operations/maintenance/lost-content.ts";
import { CLEANUP_OPERATIONS } from "../../shared/domain/operations/maintenance/plan.ts";
import { DAY_MS } from "../../shared/kernel/durations.ts";
import { pagesOf } from "../../shared/ports/pages.ts";
import type { StoredRecord } from "../../shared/ports/record-store.ts";
import { DATA_KEY } from "../../shared/ports/secret-names.ts";
import type { Runtime } from "../../shared/runtime/context.ts";
import { OWNED_KINDS } from "./owned-kinds.ts";
import type { CheckName, Report } from "./report.ts";

const PAGE = 500;
/** The form of values encrypted by `seal`. */
const SEALED = /"v1\.[A-Za-z0-9_-]{38,}"/;

/** How the doctor may handle findings in an open folder. */
export interface Remedies {
  repair: boolean;
  /** Copies a blob before it is replaced or deleted. */
  setAside(blob: string): Promise<void>;
}

/** Compares records, blobs and the search index in both directions, and repairs what can be repaired. */
export async function examineContents(runtime: Runtime, report: Report, remedies: Remedies): Promise<void> {
  const lagging = await examineRecords(runtime, report, remedies);
  await examineOrphanBlobs(runtime, report, remedies);
  await examineIndex(runtime, report, remedies, lagging);
}

/** Examines the blobs, documents, secrets and counters of all records. Returns how many have no current document. */
async function examineRecords(runtime: Runtime, report: Report, remedies: Remedies): Promise<number> {
  let lagging = 0;
  let sealed = 0;
  for (const check of ["blobs of records", "index of records", "secrets", "counters"] as const) report.count(check, 0);
  const read = (after: string | undefined) =>
    runtime.ports.inventory.list({ limit: PAGE, ...(after !== undefined && { after }) });
  for await (const { items } of pagesOf(read)) {
    await examineBlobs(runtime, report, remedies, items);
    const searched = items.filter(({ kind }) => INDEXED_KINDS.includes(kind));
    report.count("index of records", searched.length);
    lagging += (await findLagging(runtime.ports.search, searched)).length;
    sealed += items.filter((record) => SEALED.test(JSON.stringify(record))).length;
    for (const record of items)
      if (record.kind === "organization") await examineCounter(runtime, report, remedies, String(record.id));
  }
  report.count("secrets", sealed);
  if (sealed > 0 && (await runtime.ports.secrets.get(DATA_KEY)) === undefined) {
    const problem = `lacks the data key that ${sealed} records are sealed with: put a copy of the file back, or set up webhook secrets, connections and second factors again`;
    report.add({ check: "secrets", what: SECRETS_FILE, problem });
  }
  return lagging;
}

async function examineBlobs(
  runtime: Runtime,
  report: Report,
  { repair, setAside }: Remedies,
  items: StoredRecord[],
): Promise<void> {
  report.count("blobs of records", items.flatMap(blobsNamedBy).length);
  const restored = new Set<string>();
  for (const record of await findUnreadable(runtime, items)) {
    const blobs = blobsNamedBy(record);
    if (blobs.every((key) => restored.has(key))) continue;
    const content = await findLostContent(runtime, record);
    const finding = report.add({
      check: "blobs of records",
      what: `${record.kind} ${record.pk}`,
      problem: `names a blob that is missing or damaged (${blobs.join(", ")})${content === undefined ? "; no other copy is left: restore it from a backup" : ""}`,
      ...(content !== undefined && { mend: "restores it from another copy" }),
    });
    if (!repair || content === undefined) continue;
    for (const key of blobs) await setAside(key);
    await restoreContent(runtime, record, content);
    for (const key of blobs) restored.add(key);
    finding.isMended = true;
  }
}

async function examineCounter(runtime: Runtime, report: Report, { repair }: Remedies, org: string): Promise<void> {
  for (const kind of Object.values(OWNED_KINDS)) {
    report.count("counters", 1);
    if (!(await isCountLow(runtime, kind, org))) continue;
    const problem = `counts fewer ${kind.name} than it has`;
    const finding = report.add({ check: "counters", what: `organization ${org}`, problem, mend: "counts them again" });
    if (!repair) continue;
    await forgetCount(runtime, kind, org);
    finding.isMended = true;
  }
}

/** Examines blobs older than a day: newer ones may belong to writes that were in progress when the service ended. */
async function examineOrphanBlobs(runtime: Runtime, report: Report, { repair, setAside }: Remedies): Promise<void> {
  const before = runtime.clock() - DAY_MS;
  report.count("orphaned blobs", 0);
  const read = (after: string | undefined) =>
    findOrphanBlobs(runtime, { before, operations: CLEANUP_OPERATIONS }, after);
  for await (const { orphans } of pagesOf(read)) {
    for (const { key } of orphans.flatMap(({ blobs }) => blobs)) {
      report.count("orphaned blobs", 1);
      const problem = "is named by no record and older than a day";
      const finding = report.add({ check: "orphaned blobs", what: key, problem, mend: "moves it aside" });
      if (!repair) continue;
      await setAside(key);
      await runtime.ports.blobs.delete(key);
      finding.isMended = true;
    }
  }
}

async function examineIndex(runtime: Runtime, report: Report, { repair }: Remedies, lagging: number): Promise<void> {
  const { search, records } = runtime.ports;
  let orphaned = 0;
  const read = (after: string | undefined) =>
    findOrphanDocuments(search, records, { limit: PAGE, ...(after && { after }) });
  report.count("orphaned documents", 0);
  for await (const { orphans, documents } of pagesOf(read)) {
    report.count("orphaned documents", documents.length);
    orphaned += orphans.length;
  }
  const add = (check: CheckName, amount: number, problem: string, mend: string) =>
    amount > 0 ? [report.add({ check, what: "search", problem, mend })] : [];
  const lacks = `lacks ${lagging} memories and skills, or has an earlier version of them`;
  const found = [
    ...add("index of records", lagging, lacks, "indexes them"),
    ...add("orphaned documents", orphaned, `has ${orphaned} documents whose record is missing`, "removes them"),
  ];
  if (!repair) return;
  const { failed } = await catchUpIndex(runtime, undefined, new AbortController().signal);
  for (const finding of found) finding.isMended = finding.check !== "index of records" || failed === 0;
}
