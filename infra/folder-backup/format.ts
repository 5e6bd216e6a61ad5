import * as z from "zod";
import { ArchiveSealing } from "../../shared/backups/format.ts";

/**
 * A folder backup is a folder with three things: `data`, the files of a data folder as they were at one moment;
 * `files.jsonl`, a line for each of them; and `backup.json`, the header, which names the SHA-256 of the former.
 */
export const FOLDER_FORMAT = 1;
export const FOLDER_MARK = "memory-service-folder-backup";

export const HEADER_FILE = "backup.json";
export const LIST_FILE = "files.jsonl";
export const DATA_FOLDER = "data";
/** Holds the secrets where the backup has a key; next to `data`, as the service does not read it. */
export const SEALED_FILE = "secrets.sealed";
/** What the sealed secrets are bound to besides the id of the backup. */
export const SECRETS_PART = "secrets";

const Sha256 = z.string().regex(/^[0-9a-f]{64}$/);

export const FolderHeader = z.object({
  backup: z.literal(FOLDER_MARK),
  format: z.int().min(1),
  /** Version of the service that made it. */
  service: z.string(),
  id: z.string(),
  /** The moment that all records are of. */
  created_at: z.string(),
  secrets: z.enum(["sealed", "plain", "none"]),
  sealing: ArchiveSealing.optional(),
  sealed_sha256: Sha256.optional(),
  files: z.int().min(0),
  bytes: z.int().min(0),
  files_sha256: Sha256,
  /** Blobs that records name and that the data folder did not have when it was backed up. */
  missing_blobs: z.array(z.string()),
  /** HMAC-SHA-256 of the header without this member, under the operator's key; absent where there is none. */
  mac: z.string().optional(),
});

export type FolderHeader = z.output<typeof FolderHeader>;

/** One file below `data`; of a database also its version and how many rows each table has. */
export const FileEntry = z.strictObject({
  /** Relative, with `/` between folders. */
  path: z.string().refine(isInside, "leads out of the folder"),
  size: z.int().min(0),
  sha256: Sha256,
  database: z.strictObject({ user_version: z.int(), rows: z.record(z.string(), z.int().min(0)) }).optional(),
});

export type FileEntry = z.output<typeof FileEntry>;

/** Why a backup is not made or not restored: what is wrong, then what to do. */
export class FolderBackupError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "FolderBackupError";
  }
}

/** What the MAC covers: the header without it, its members in the order of the schema. */
export function macText(header: FolderHeader): string {
  return JSON.stringify(FolderHeader.omit({ mac: true }).parse(header));
}

function isInside(path: string): boolean {
  const parts = path.split("/");
  return !path.includes("\\") && parts.every((part) => part !== "" && part !== "." && part !== "..");
}
