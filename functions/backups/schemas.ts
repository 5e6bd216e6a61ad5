import * as z from "zod";
import { BACKUP_STATES } from "../../shared/domain/operations/backups/records.ts";
import { COMPONENTS } from "../../shared/ports/components.ts";
import { Pagination, page } from "../../shared/runtime/schemas/fields.ts";

const MAX_RETENTION_DAYS = 3650;

const Component = z.enum(COMPONENTS);

export const CreateBackup = z
  .object({
    components: z
      .array(Component)
      .min(1)
      .max(2 * COMPONENTS.length)
      .describe("What to back up, for all organizations; a full restore needs all of them"),
    include_logs: z.boolean().default(false).describe("Save the audit trail too"),
    compression_enabled: z.boolean().default(true).describe("Compress the archive with gzip"),
    retention_days: z
      .int()
      .min(1)
      .max(MAX_RETENTION_DAYS)
      .default(30)
      .describe("Days until the backup is deleted, counted from its completion"),
  })
  .meta({ id: "CreateBackup" });

export const ListBackups = z.object(page(50, 200));

export const Backup = z
  .object({
    id: z.string(),
    status: z.enum(BACKUP_STATES),
    components: z.array(Component),
    include_logs: z.boolean(),
    compression_enabled: z.boolean(),
    retention_days: z.int(),
    progress: z
      .object({ records: z.int(), blobs: z.int(), bytes: z.int() })
      .describe("The progress; for a completed backup, its contents"),
    consistency: z
      .enum(["moment", "pages"])
      .nullable()
      .describe(
        "`moment`: all records are from one point in time. `pages`: each page is from the time at which it was read",
      ),
    has_secrets: z
      .boolean()
      .nullable()
      .describe("Whether it contains credentials and other secrets, encrypted with the operator's key"),
    left_out: z.int().nullable().describe("Secret records and fields left out because there is no key"),
    size_bytes: z.int().nullable(),
    sha256: z.string().nullable().describe("SHA-256 of the archive, in hex"),
    error: z.string().nullable().describe("The error of the last attempt"),
    created_by: z.string(),
    created_at: z.string(),
    completed_at: z.string().nullable(),
    expires_at: z.string(),
  })
  .meta({ id: "Backup" });

export const BackupList = z.object({ backups: z.array(Backup), pagination: Pagination }).meta({ id: "BackupList" });
