import * as z from "zod";
import { ArchiveSealing } from "../../shared/domain/operations/backups/format.ts";

/**
 * A folder backup is a folder with `data`, the files of a data folder as of one moment; `files.jsonl`, a line per file;
 * and `backup.json`, the header with the SHA-256 of `files.jsonl`.
 */
export const FOLDER_FORMAT = 1;
export const FOLDER_MARK = "memory-service-folder-backup";

export const HEADER_FILE = "backup.json";
export const LIST_FILE = "files.jsonl";
export const DATA_FOLDER = "data";
/** Holds the secrets if the backup has a key; next to `data`, because the service does not read it. */
export const SEALED_FILE = "secrets.sealed";
/** The context to which encrypted secrets are bound besides the backup's id. */
export const SECRETS_PART = "secrets";

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const FolderHeader = z.object({
  backup: z.literal(FOLDER_MARK),
  format: z.int().min(1),
  /** Version of the service that created it. */
  service: z.string(),
  id: z.string(),
  /** The time as of which all records were copied, ISO 8601. */
  created_at: z.string(),
  secrets: z.enum(["sealed", "plain", "none"]),
  sealing: ArchiveSealing.optional(),
  sealed_sha256: Sha256.optional(),
  files: z.int().min(0),
  bytes: z.int().min(0),
  files_sha256: Sha256,
  /** Blobs that records name and that were missing in the data folder. */
  missing_blobs: z.array(z.string()),
  /** HMAC-SHA-256 of the header without this member, under the operator's key; absent without one. */
  mac: z.string().optional(),
});

export type FolderHeader = z.output<typeof FolderHeader>;

/** A file below `data`; for a database with its version and row counts per table. */
export const FileEntry = z.strictObject({
  /** Relative, with `/` as separator. */
  path: z.string().refine(isInside, "must be inside the folder"),
  size: z.int().min(0),
  sha256: Sha256,
  database: z.strictObject({ user_version: z.int(), rows: z.record(z.string(), z.int().min(0)) }).optional(),
});

export type FileEntry = z.output<typeof FileEntry>;

/** Why a backup is not created or restored: the problem, then the remedy. */
export class FolderBackupError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "FolderBackupError";
  }
}

/** The text that the MAC covers: the header without it, members in schema order. */
export function macText(header: FolderHeader): string {
  return JSON.stringify(FolderHeader.omit({ mac: true }).parse(header));
}

function isInside(path: string): boolean {
  const parts = path.split("/");
  return !path.includes("\\") && parts.every((part) => part !== "" && part !== "." && part !== "..");
}
