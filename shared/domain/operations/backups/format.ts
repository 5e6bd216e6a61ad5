import * as z from "zod";
import { COMPONENTS } from "../../../ports/components.ts";

/**
 * An archive is JSON lines, optionally gzipped: a header, one line per entry with its component, and finally the
 * manifest with the lines, bytes and SHA-256 of each component. An archive without a manifest is incomplete.
 */
export const ARCHIVE_FORMAT = 1;

export const ARCHIVE_MARK = "memory-service-backup";

/** Maximum length of a line: a record of 400 KB whose text JSON escapes. */
export const MAX_LINE_BYTES = 8 * 1024 * 1024;

/** How the archive's keys are derived from the operator's key (RFC 7914), and a check that only they decrypt. */
export const ArchiveSealing = z.object({
  kdf: z.literal("scrypt"),
  cost: z
    .int()
    .min(2)
    .max(2 ** 20),
  block_size: z.int().min(1).max(32),
  parallelization: z.int().min(1).max(16),
  salt: z.string(),
  /** The archive's id, encrypted; identifies a wrong key. */
  check: z.string(),
});

/** `moment`: all records as of one moment. `pages`: each page as of the time it was read, while writes continued. */
const CONSISTENCIES = ["moment", "pages"] as const;

export const ArchiveHeader = z.object({
  archive: z.literal(ARCHIVE_MARK),
  format: z.int().min(1),
  /** Version of the service that created it. */
  service: z.string(),
  id: z.string(),
  created_at: z.string(),
  components: z.array(z.enum([...COMPONENTS, "logs"])),
  consistency: z.enum(CONSISTENCIES),
  sealing: ArchiveSealing.optional(),
});

export type ArchiveHeader = z.output<typeof ArchiveHeader>;
export type ArchiveSealing = z.output<typeof ArchiveSealing>;

const ENTRY_COMPONENTS = [...COMPONENTS, "logs", "secrets"] as const;

const ComponentSummary = z.object({
  lines: z.int().min(0),
  bytes: z.int().min(0),
  /** Over the component's lines in order, each with its line end. */
  sha256: z.string(),
});

export const ArchiveManifest = z.object({
  header_sha256: z.string(),
  completed_at: z.string(),
  components: z.partialRecord(z.enum(ENTRY_COMPONENTS), ComponentSummary),
  records: z.int().min(0),
  blobs: z.int().min(0),
  /** Secret records and attributes that were left out because there was no key. */
  left_out: z.int().min(0),
});

export type ArchiveManifest = z.output<typeof ArchiveManifest>;

/** The last line; `mac` is the manifest's HMAC-SHA-256 under the operator's key, if there is one. */
export const ClosingLine = z.object({ manifest: ArchiveManifest, mac: z.string().optional() });

const StoredRecord = z.looseObject({ pk: z.string().min(1), sk: z.string().min(1), kind: z.string() });

const recordComponent = z.enum(ENTRY_COMPONENTS).exclude(["blobs", "search_index", "secrets"]);
const blobs = z.literal("blobs");

/** A line between header and manifest. A blob is metadata, pieces and totals, or `gone` if it was deleted meanwhile. */
export const ArchiveEntry = z.union([
  z.strictObject({ component: recordComponent, record: StoredRecord, sealed: z.string().optional() }),
  z.strictObject({ component: recordComponent, sealed: z.string() }),
  z.strictObject({ component: blobs, key: z.string(), content_type: z.string() }),
  z.strictObject({ component: blobs, key: z.string(), piece: z.string() }),
  z.strictObject({ component: blobs, key: z.string(), size: z.int(), sha256: z.string() }),
  z.strictObject({ component: blobs, key: z.string(), gone: z.literal(true) }),
  z.strictObject({
    component: z.literal("search_index"),
    document: z.object({ org: z.string(), id: z.string(), version: z.int() }),
  }),
  z.strictObject({ component: z.literal("secrets"), sealed: z.string() }),
]);

export type ArchiveEntry = z.output<typeof ArchiveEntry>;
export type BlobEntry = Extract<ArchiveEntry, { component: "blobs" }>;

/** An archive cannot be restored; the message says why. Nothing was written. */
export class InvalidArchiveError extends Error {
  override name = "InvalidArchiveError";
}
