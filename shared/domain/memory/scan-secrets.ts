import { isDeepStrictEqual } from "node:util";
import { tryWrite } from "../../ports/conflicts.ts";
import { queryPages } from "../../ports/pages.ts";
import type { StoredRecord } from "../../ports/record-store.ts";
import type { MemoryScope, OrgRuntime } from "../../runtime/context.ts";
import type { JobHandler } from "../../runtime/jobs/handler.ts";
import { type Detection, recordDetection, takeOut } from "./admit-text.ts";
import { contentKey, storeContent, withContent } from "./content.ts";
import { splitWrites, withFactIds } from "./facts/records.ts";
import { SCAN_SECRETS_JOB } from "./job-kinds.ts";
import { keepLinked } from "./links.ts";
import type { Memory, MemoryVersion } from "./memory.ts";
import { memoryKey } from "./memory-keys.ts";
import { listMemoriesAfter } from "./memory-lists.ts";
import { eraseModelAnswers } from "./model-answers.ts";
import { findMemory, replaceMemory } from "./records.ts";
import { revealMemory } from "./reveal-secrets.ts";
import type { SecretPolicy } from "./secret-policies.ts";
import { readSecretPolicy } from "./secret-policy.ts";
import { understand } from "./understand.ts";
import { putVersion } from "./version-records.ts";

export interface SecretScanInput {
  /** Only count. */
  dry_run: boolean;
}

export interface SecretScanCheckpoint {
  /** Where the next step continues in the list of memories; absent at the beginning. */
  cursor?: string;
  checked: number;
  /** Memories with secrets that the policy changes. */
  changed: number;
  /** Secrets of these memories, by type. */
  found: Record<string, number>;
}

const PAGE_SIZE = 50;
/** Maximum attempts per memory in case of concurrent changes, which pass the policy themselves. */
const MAX_ATTEMPTS = 5;

/**
 * Applies the policies for secrets to what is stored, one page of memories per step: memories and their versions. Where
 * the policy refuses secrets, stored ones are taken out. A dry run only counts.
 */
export const scanSecrets: JobHandler<"scan_secrets"> = {
  job: SCAN_SECRETS_JOB,

  async step(runtime, { job: { input, checkpoint } }) {
    const scope = { ...runtime, viewer: undefined } as const;
    const { memories, cursor } = await listMemoriesAfter(scope, {}, { limit: PAGE_SIZE, after: checkpoint.cursor });
    const found = { ...checkpoint.found };
    let { changed } = checkpoint;
    for (const memory of memories) {
      const detection = await scanMemory(scope, memory, input.dry_run);
      if (detection === undefined) continue;
      changed += 1;
      for (const type of detection.types) found[type] = (found[type] ?? 0) + 1;
      if (!input.dry_run) await recordDetection(runtime, detection, memory.id);
    }
    const progress = { checked: checkpoint.checked + memories.length, changed, found };
    if (cursor === undefined) return { end: "completed", checkpoint: progress };
    return { checkpoint: { ...progress, cursor } };
  },

  onEnded({ logger }, { id, org, state, input, checkpoint: { checked, changed } }) {
    logger.info("SECRETS_SCANNED", { org, job: id, state, dry_run: input.dry_run, checked, changed });
  },
};

/** Applies the policy to a memory and its versions; returns what was found if that changes the memory. */
async function scanMemory(scope: MemoryScope, found: Memory, isDryRun: boolean): Promise<Detection | undefined> {
  let memory: Memory | undefined = found;
  for (let attempt = 1; memory !== undefined && attempt <= MAX_ATTEMPTS; attempt++) {
    if (memory.content_missing) return undefined;
    const policy = await policyFor(scope, memory);
    const { text, types } = underPolicy(memory, policy);
    const versions = await versionsOf(scope, memory, policy);
    const isChanged = text !== undefined;
    if (!isChanged && versions.length === 0) return undefined;
    const detection = { policy, types, user_id: memory.user_id };
    if (isDryRun || (await rewrite(scope, memory, text, versions))) return detection;
    memory = await findMemory(scope, memory.id);
  }
  return undefined;
}

/** A stored text cannot be refused: where secrets are, they are taken out. */
async function policyFor(runtime: OrgRuntime, { user_id }: Memory): Promise<Exclude<SecretPolicy, "block">> {
  const policy = await readSecretPolicy(runtime, user_id);
  return policy === "block" ? "redact" : policy;
}

type Texts = Pick<Memory, "content" | "metadata" | "in_reply_to" | "quote" | "sent">;

/** Returns the texts of a memory or version as the policy stores them; undefined if they are stored so. */
function underPolicy<Stored extends Pick<Memory, "content" | "metadata" | "sent"> & Partial<Texts>>(
  stored: Stored,
  policy: Exclude<SecretPolicy, "block">,
): { text: Texts | undefined; types: string[] } {
  const { content, metadata, sent } = asStored(stored);
  const original: Texts = { content, metadata, in_reply_to: stored.in_reply_to, quote: stored.quote, sent };
  const taken = takeOut(original);
  const text = policy === "store" ? original : taken.under(policy);
  const before: Texts = {
    content: stored.content,
    metadata: stored.metadata,
    in_reply_to: stored.in_reply_to,
    quote: stored.quote,
    sent: stored.sent,
  };
  return { text: isDeepStrictEqual(text, before) ? undefined : text, types: taken.types };
}

/** A text as it was sent, with nothing beside it. */
function asStored({ content, metadata, sent }: Pick<Memory, "content" | "metadata" | "sent">) {
  const whole = revealMemory("", { content, metadata, sent, facts: [], user_id: "" });
  return { content: whole.content, metadata: whole.metadata, sent: undefined };
}

interface ChangedVersion {
  version: MemoryVersion;
  text: Texts;
  record: StoredRecord;
}

async function versionsOf(
  scope: MemoryScope,
  { org, id }: Memory,
  policy: Exclude<SecretPolicy, "block">,
): Promise<ChangedVersion[]> {
  const changed: ChangedVersion[] = [];
  const query = { pk: memoryKey(org, id).pk, sk: { beginsWith: "version#" }, limit: 100 };
  for await (const records of queryPages(scope.ports.records, query)) {
    for (const record of records) {
      const version = await withContent<MemoryVersion>(scope, record);
      if (version === undefined || version.content_missing) continue;
      const { text } = underPolicy(version, policy);
      if (text) changed.push({ version, text, record });
    }
  }
  return changed;
}

/** Stores the changed texts, reads the memory anew, and deletes what held the former ones. False after a conflict. */
async function rewrite(
  scope: MemoryScope,
  memory: Memory,
  text: Texts | undefined,
  versions: ChangedVersion[],
): Promise<boolean> {
  if (text) {
    const after: Memory = { ...memory, ...text, is_claimant: undefined, revision: memory.revision + 1 };
    const understood = await understand(scope, { ...after, stored_at: after.created_at });
    Object.assign(after, withFactIds({ ...after, ...understood }), {
      entities: keepLinked(memory.entities, understood.entities),
    });
    const stored = await storeContent(scope, contentKey(after, after.content), after.content);
    const { early, transaction } = splitWrites(replaceMemory(memory, after, stored));
    if (early.length > 0) await scope.ports.records.write(...early);
    if (!(await tryWrite(scope, ...transaction))) return false;
    await eraseModelAnswers(scope.ports.records, scope.org, memory.user_id);
  }
  const blobs = new Set<string>();
  for (const { version, text: own, record } of versions) {
    const stored = await storeContent(scope, contentKey(memory, own.content), own.content);
    const whole = { ...memory, ...version, ...own, updated_at: version.created_at };
    await scope.ports.records.write(putVersion(whole, stored, version));
    if (typeof record.content_blob === "string") blobs.add(record.content_blob);
  }
  for (const blob of blobs) await scope.ports.blobs.delete(blob);
  return true;
}
