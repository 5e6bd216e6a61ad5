import * as z from "zod";
import { BACKUP_STATES } from "../../shared/backups/records.ts";
import { Pagination, page } from "../../shared/http/fields.ts";
import { COMPONENTS } from "../../shared/platform/components.ts";

const MOST_RETENTION_DAYS = 3650;

const Component = z.enum(COMPONENTS);

export const CreateBackup = z
  .object({
    components: z
      .array(Component)
      .min(1)
      .max(2 * COMPONENTS.length)
      .describe("What to save, of all organizations; for a home that can be restored, name all of them"),
    include_logs: z.boolean().default(false).describe("Save the audit trail too"),
    compression_enabled: z.boolean().default(true).describe("Pack the archive by gzip"),
    retention_days: z
      .int()
      .min(1)
      .max(MOST_RETENTION_DAYS)
      .default(30)
      .describe("Days after which it is removed, counted from when it is completed"),
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
      .describe("How far it is; of a completed one what it holds"),
    consistency: z
      .enum(["moment", "pages"])
      .nullable()
      .describe("`moment`: all records are of one moment. `pages`: each is as it was when its page was read"),
    has_secrets: z
      .boolean()
      .nullable()
      .describe("Whether credentials and other secrets are in it, under the operator's key"),
    left_out: z.int().nullable().describe("Secret records and parts of records that are not in it, as there is no key"),
    size_bytes: z.int().nullable(),
    sha256: z.string().nullable().describe("SHA-256 of the archive, in hex"),
    error: z.string().nullable().describe("What the last attempt failed with"),
    created_by: z.string(),
    created_at: z.string(),
    completed_at: z.string().nullable(),
    expires_at: z.string(),
  })
  .meta({ id: "Backup" });

export const BackupList = z.object({ backups: z.array(Backup), pagination: Pagination }).meta({ id: "BackupList" });
