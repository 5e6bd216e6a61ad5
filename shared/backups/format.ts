import * as z from "zod";
import { COMPONENTS } from "../platform/components.ts";

/**
 * An archive is JSON lines, gzip'd or not: a header, then one line an entry, each naming its component, and at the very
 * end the manifest, which tells how many lines and bytes each component has and their SHA-256. What has no manifest at
 * its end is no whole archive.
 */
export const ARCHIVE_FORMAT = 1;

export const ARCHIVE_MARK = "memory-service-backup";

/** No line is longer: the longest is a record of 400 KB whose text JSON escapes. */
export const LONGEST_LINE_BYTES = 8 * 1024 * 1024;

/** How the operator's key becomes the archive's keys (RFC 7914), and what opens only with it. */
export const ArchiveSealing = z.object({
  kdf: z.literal("scrypt"),
  cost: z
    .int()
    .min(2)
    .max(2 ** 20),
  block_size: z.int().min(1).max(32),
  parallelization: z.int().min(1).max(16),
  salt: z.string(),
  /** The archive's id, sealed: a key that does not open it is another one. */
  check: z.string(),
});

/** `moment`: every record as it was at one moment. `pages`: each as it was when its page was read, while writes went on. */
const CONSISTENCIES = ["moment", "pages"] as const;

export const ArchiveHeader = z.object({
  archive: z.literal(ARCHIVE_MARK),
  format: z.int().min(1),
  /** Version of the service that made it. */
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
  /** Of the component's lines in their order, each with its line end. */
  sha256: z.string(),
});

export const ArchiveManifest = z.object({
  header_sha256: z.string(),
  completed_at: z.string(),
  components: z.partialRecord(z.enum(ENTRY_COMPONENTS), ComponentSummary),
  records: z.int().min(0),
  blobs: z.int().min(0),
  /** Records and parts of records that are secret and were left out, as there was no key. */
  left_out: z.int().min(0),
});

export type ArchiveManifest = z.output<typeof ArchiveManifest>;

/** The last line; `mac` is the manifest's HMAC-SHA-256 under the operator's key, where there is one. */
export const ClosingLine = z.object({ manifest: ArchiveManifest, mac: z.string().optional() });

const StoredRecord = z.looseObject({ pk: z.string().min(1), sk: z.string().min(1), kind: z.string() });

const recordComponent = z.enum(ENTRY_COMPONENTS).exclude(["blobs", "search_index", "secrets"]);
const blobs = z.literal("blobs");

/**
 * One line between header and manifest. A blob is what it is, its pieces in order, and what they come to; or `gone`, as
 * when it was deleted while it was read.
 */
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

/** Why an archive is not restored; nothing was written. */
export class ArchiveRefused extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "ArchiveRefused";
  }
}
