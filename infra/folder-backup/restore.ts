import path from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { SECRETS_FILE } from "../../shared/adapters/local/storage/data-files.ts";
import { copyNew, flushFolders, writeNew } from "./copy-file.ts";
import { DATA_FOLDER, FolderBackupError, type FolderHeader } from "./format.ts";
import { withOwnerLock } from "./new-folder.ts";
import { filesIn, verifyFolderBackup } from "./verify.ts";

export interface FolderRestoreReport {
  header: FolderHeader;
  /** Whether the folder contains the backed-up secrets. */
  withSecrets: boolean;
}

/** Restores a folder backup into an empty folder, which is locked meanwhile. Everything is verified first. */
export async function restoreFolder(
  folder: string,
  { file: source, withoutSecrets }: { file: string; withoutSecrets: boolean },
  key: string | undefined,
): Promise<FolderRestoreReport> {
  return withOwnerLock(folder, async () => {
    const { header, secrets } = await verifyFolderBackup(source, { key, service: packageJson.version });
    if (header.secrets === "sealed" && secrets === undefined && !withoutSecrets) {
      throw new FolderBackupError(
        "The secrets of the backup are sealed. Give the key that it was made with as BACKUP_KEY, or restore --without-secrets.",
      );
    }
    for await (const { path: name, sha256 } of filesIn(source)) {
      if (name === SECRETS_FILE && withoutSecrets) continue;
      const parts = name.split("/");
      const copied = await copyNew(path.join(source, DATA_FOLDER, ...parts), path.join(folder, ...parts));
      if (copied.sha256 !== sha256) throw new FolderBackupError(`The file ${name} changed while it was restored.`);
    }
    const sealed = withoutSecrets ? undefined : secrets;
    if (sealed !== undefined) await writeNew(path.join(folder, SECRETS_FILE), [Buffer.from(sealed)]);
    await flushFolders(folder);
    return { header, withSecrets: !withoutSecrets && header.secrets !== "none" };
  });
}
