import * as z from "zod";

declare module "../../../kernel/config.ts" {
  interface Config extends z.infer<typeof BackupsConfig> {}
}

/** The settings of this folder with their defaults and meanings. */
export const BackupsConfig = z.object({
  BACKUP_KEY: z
    .string()
    .min(20)
    .optional()
    .describe(
      "Key of the secrets in backups, at least 20 characters; else the kept secret `backups/backup-key`, and without either backups have no secrets",
    ),
});
