import type { Component } from "../../../ports/components.ts";
import { SEGMENTS } from "../../../ports/pages.ts";
import type { StoredRecord } from "../../../ports/record-store.ts";
import type { IndexRebuild } from "../../../ports/search-index.ts";
import type { Runtime } from "../../../runtime/context.ts";
import { sweepJobs } from "../../../runtime/jobs/sweep.ts";
import { sweepDanglingReferences } from "../../agents/unlinking.ts";
import { EXPIRE_UPLOAD_JOB, INGEST_SOURCE_JOB, REMOVE_SOURCE_JOB } from "../../knowledge/sources/job-kinds.ts";
import { MEMORY_KIND } from "../../memory/memory-keys.ts";
import { sweepSessions } from "../../sessions/archive.ts";
import { OWNERSHIP_TRANSFER_JOB } from "../offboarding/job-kinds.ts";
import { findLagging, findOrphanDocuments, INDEXED_KINDS, indexRecords } from "./drift.ts";
import { blobsNamedBy, findLostContent, findUnreadable, restoreContent } from "./lost-content.ts";
import type { SyncPass, Tally, Task } from "./pass.ts";
import { isRebuilding, type SyncOptions } from "./plan.ts";

const PAGE = 100;
const UPGRADED_PER_PAGE = 250;
const DOCUMENTS_PER_PAGE = 500;
const INDEX = "search_index";

/** Opens the index that a sync builds. Each sync has its own, which it finds again after a crash. */
function openRebuild(runtime: Runtime, { id }: Pick<Task<unknown>, "id">): Promise<IndexRebuild> {
  return runtime.ports.search.rebuild(id.slice(id.indexOf("_") + 1).toLowerCase());
}

/** Processes one page of records: embeds those that the new index lacks or has in an earlier version. */
const buildIndex: SyncPass = async (runtime, job, tally, after) => {
  const target = await openRebuild(runtime, job);
  const { items, cursor } = await runtime.ports.inventory.list({
    kinds: INDEXED_KINDS,
    limit: PAGE,
    segments: SEGMENTS,
    after,
  });
  const { indexed } = await indexRecords(runtime, target, await findLagging(target, items));
  tally.add(INDEX, "repaired", indexed);
  return cursor;
};

/** Processes one page of the new index: deletes documents whose record was deleted meanwhile. */
const pruneIndex: SyncPass = async (runtime, job, _tally, after) => {
  const target = await openRebuild(runtime, job);
  const page = { limit: DOCUMENTS_PER_PAGE, after };
  const { orphans, cursor } = await findOrphanDocuments(target, runtime.ports.records, page);
  await target.remove(orphans);
  return cursor;
};

/** Switches to the new index. */
const useIndex: SyncPass = async (runtime, job) => {
  await (await openRebuild(runtime, job)).activate();
  return undefined;
};

/** Kinds of records that a component is made of. */
const KINDS: { [component in Component]: string[] } = {
  memories: ["memory"],
  sessions: ["session"],
  skills: ["skill"],
  agents: ["agent", "group"],
  sources: ["source"],
  webhooks: ["webhook"],
  users: ["user"],
  config: ["setting"],
  search_index: INDEXED_KINDS,
  blobs: ["memory", "version", "message", "source"],
};

/** Processes one page of records: counts them by component, indexes missing documents, and looks for missing blobs. */
const syncRecords: SyncPass = async (runtime, { options }, tally, after) => {
  const { inventory, search } = runtime.ports;
  const { items, cursor } = await inventory.list({ kinds: kindsFor(options), limit: PAGE, segments: SEGMENTS, after });
  for (const component of options.components) {
    if (component === "search_index" || component === "blobs") continue;
    tally.add(component, "checked", items.filter(({ kind }) => KINDS[component].includes(kind)).length);
  }
  if (options.components.includes("blobs")) await syncBlobs(runtime, items, tally);
  for (const [area, records] of Map.groupBy(items, (record) => indexedAs(record, options))) {
    if (area === undefined) continue;
    const { indexed, failed } = await indexRecords(runtime, search, await findLagging(search, records));
    tally.add(area, "repaired", indexed);
    tally.add(area, "failed", failed);
  }
  return cursor;
};

function kindsFor(options: SyncOptions): string[] {
  const kinds = options.components.flatMap((component) => KINDS[component]);
  return [...new Set(isRebuilding(options) ? [...kinds, ...INDEXED_KINDS] : kinds)];
}

/** Returns the component that reports a record's document: its own if requested, otherwise the search index. */
function indexedAs({ kind }: StoredRecord, options: SyncOptions): Component | undefined {
  if (!INDEXED_KINDS.includes(kind)) return undefined;
  const component = kind === MEMORY_KIND ? "memories" : "skills";
  if (options.components.includes(component)) return component;
  return options.components.includes("search_index") || isRebuilding(options) ? "search_index" : undefined;
}

/** Restores lost or damaged blobs, which is possible for memories and versions. */
async function syncBlobs(runtime: Runtime, records: StoredRecord[], tally: Tally): Promise<void> {
  const naming = records.flatMap(blobsNamedBy);
  tally.add("blobs", "checked", naming.length);
  const restored = new Set<string>();
  for (const record of await findUnreadable(runtime, records)) {
    // A version may name the same blob as its memory.
    if (blobsNamedBy(record).every((key) => restored.has(key))) continue;
    const content = await findLostContent(runtime, record);
    if (content === undefined) {
      runtime.logger.warn("BLOB_MISSING", { key: { pk: record.pk, sk: record.sk }, blobs: blobsNamedBy(record) });
    } else {
      await restoreContent(runtime, record, content);
      restored.add(String(record.content_blob));
    }
    tally.add("blobs", content === undefined ? "failed" : "repaired");
  }
}

/** Processes one page of records: upgrades those of earlier releases. */
const upgradeRecords: SyncPass = async ({ ports }, _task, tally, after) => {
  const { checked, upgraded, cursor } = await ports.inventory.upgrade({ limit: UPGRADED_PER_PAGE, after });
  tally.add("items", "checked", checked);
  tally.add("items", "upgraded", upgraded);
  return cursor;
};

/** Processes one page of the search index: deletes documents without a record. */
const syncDocuments: SyncPass = async ({ ports: { search, records } }, _task, tally, after) => {
  const { orphans, documents, cursor } = await findOrphanDocuments(search, records, {
    limit: DOCUMENTS_PER_PAGE,
    after,
  });
  await search.remove(orphans);
  tally.add(INDEX, "checked", documents.length);
  tally.add(INDEX, "removed", orphans.length);
  return cursor;
};

/** Functions that resume the unfinished work of a component, and return how many items they resumed. */
const RESUME_WORK: { [component in Component]?: (runtime: Runtime) => Promise<number> } = {
  sessions: sweepSessions,
  agents: sweepDanglingReferences,
  sources: (runtime) => sweepJobs(runtime, [INGEST_SOURCE_JOB, REMOVE_SOURCE_JOB, EXPIRE_UPLOAD_JOB]),
  users: (runtime) => sweepJobs(runtime, [OWNERSHIP_TRANSFER_JOB]),
};

/** Resumes all unfinished work at once; the sweep does the same periodically. */
const resumeWork: SyncPass = async (runtime, { options }, tally) => {
  for (const component of options.components) {
    tally.add(component, "repaired", (await RESUME_WORK[component]?.(runtime)) ?? 0);
  }
  return undefined;
};

export const SYNC_PASSES: { [name: string]: SyncPass } = {
  upgrade_records: upgradeRecords,
  build_index: buildIndex,
  catch_up_index: buildIndex,
  prune_index: pruneIndex,
  use_index: useIndex,
  sync_records: syncRecords,
  sync_documents: syncDocuments,
  sync_chores: resumeWork,
};
