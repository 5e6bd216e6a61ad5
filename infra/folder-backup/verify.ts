import { createReadStream, existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { blobPathOf } from "../../shared/adapters/local/blobs.ts";
import { BLOBS_FOLDER, RECORDS_FILE, SECRETS_FILE } from "../../shared/adapters/local/storage/data-files.ts";
import { ArchiveKeys } from "../../shared/domain/operations/backups/keys.ts";
import { isLater, type ReadArchiveOptions } from "../../shared/domain/operations/backups/read-archive.ts";
import { splitLines } from "../../shared/kernel/lines.ts";
import { parseJsonIfValid } from "../../shared/kernel/objects.ts";
import { sumOf } from "./copy-file.ts";
import { blobsNamedIn, damageOf, readDatabase, statsOf } from "./databases.ts";
import {
  DATA_FOLDER,
  FileEntry,
  FOLDER_FORMAT,
  FOLDER_MARK,
  FolderBackupError,
  FolderHeader,
  HEADER_FILE,
  LIST_FILE,
  macText,
  SEALED_FILE,
  SECRETS_PART,
} from "./format.ts";

/** A complete and unchanged folder backup. */
export interface VerifiedFolder {
  header: FolderHeader;
  /** Its encrypted secrets, decrypted; undefined if it has none or no key was given. */
  secrets?: string;
}

/** Whether a path is a folder backup, valid or not. */
export function isFolderBackup(folder: string): boolean {
  return existsSync(path.join(folder, HEADER_FILE));
}

/**
 * Verifies a whole folder backup: version, key, checksums, SQLite's own check, row counts, and the existence of every
 * referenced blob. Throws FolderBackupError or InvalidArchiveError.
 */
export async function verifyFolderBackup(folder: string, options: ReadArchiveOptions): Promise<VerifiedFolder> {
  const header = readHeader(folder, options);
  const keys = await ArchiveKeys.of(options.key, header.id, header.sealing);
  if (keys && (header.mac === undefined || !keys.isMac(macText(header), header.mac))) {
    throw changedError("its key does not vouch for its header");
  }
  await verifyFiles(folder, header);
  return {
    header,
    ...(keys && header.secrets === "sealed" && { secrets: await decryptSecrets(folder, header, keys) }),
  };
}

/** Yields the entries of the list of files. Throws FolderBackupError if one cannot be read. */
export async function* filesIn(folder: string): AsyncGenerator<FileEntry> {
  for await (const line of splitLines(createReadStream(path.join(folder, LIST_FILE)))) {
    const entry = FileEntry.safeParse(parseJsonIfValid(line.toString()));
    if (!entry.success) throw changedError("its list of files cannot be read");
    yield entry.data;
  }
}

function readHeader(folder: string, { service }: ReadArchiveOptions): FolderHeader {
  const found = parseJsonIfValid(readFileSync(path.join(folder, HEADER_FILE), "utf8")) as
    | Partial<FolderHeader>
    | undefined;
  if (found?.backup !== FOLDER_MARK) throw new FolderBackupError(`${folder} is no backup that this service made.`);
  if (typeof found.format === "number" && found.format > FOLDER_FORMAT) {
    throw new FolderBackupError(
      `The backup has format ${found.format}, and this version reads ${FOLDER_FORMAT}. Update the service first.`,
    );
  }
  const header = FolderHeader.safeParse(found);
  if (!header.success) throw changedError("its header cannot be read");
  if (isLater(header.data.service, service)) {
    throw new FolderBackupError(
      `The backup was made by version ${header.data.service}, and this is ${service}. Update the service first.`,
    );
  }
  return header.data;
}

async function verifyFiles(folder: string, header: FolderHeader): Promise<void> {
  const list = await sumOf(path.join(folder, LIST_FILE));
  if (list?.sha256 !== header.files_sha256)
    throw changedError("its list of files is another one than its header states");
  const listed = new Set<string>();
  for await (const entry of filesIn(folder)) {
    listed.add(entry.path);
    await verifyFile(path.join(folder, DATA_FOLDER, ...entry.path.split("/")), entry);
  }
  for (const entry of readdirSync(path.join(folder, DATA_FOLDER), { withFileTypes: true, recursive: true })) {
    if (entry.isDirectory()) continue;
    const file = path.relative(path.join(folder, DATA_FOLDER), path.join(entry.parentPath, entry.name));
    if (!listed.has(file.split(path.sep).join("/"))) throw changedError(`it has a file ${file} that it does not list`);
  }
  if (!listed.has(RECORDS_FILE)) throw changedError(`it has no ${RECORDS_FILE}`);
  if (listed.has(SECRETS_FILE) !== (header.secrets === "plain"))
    throw changedError("its header and its data folder disagree about secrets");
  verifyBlobs(folder, header, listed);
}

async function verifyFile(file: string, { path: name, size, sha256, database }: FileEntry): Promise<void> {
  const sum = await sumOf(file);
  if (sum === undefined) throw changedError(`the file ${name} is missing`);
  if (sum.size !== size || sum.sha256 !== sha256)
    throw changedError(`the file ${name} is another one than its list of files states`);
  if (database === undefined) return;
  readDatabase(file, (connection) => {
    const damage = damageOf(connection);
    if (damage !== undefined) throw changedError(`the database ${name} is damaged: ${damage}`);
    if (JSON.stringify(statsOf(connection)) !== JSON.stringify(database)) {
      throw changedError(`the row counts of the database ${name} are not those in its list of files`);
    }
  });
}

function verifyBlobs(folder: string, { missing_blobs }: FolderHeader, listed: Set<string>): void {
  readDatabase(path.join(folder, DATA_FOLDER, RECORDS_FILE), (connection) => {
    for (const key of blobsNamedIn(connection)) {
      if (listed.has(`${BLOBS_FOLDER}/${blobPathOf(key)}`) || missing_blobs.includes(key)) continue;
      throw changedError(`the blob ${key} that a record references is missing`);
    }
  });
}

/** Returns the decrypted secrets as text. */
async function decryptSecrets(folder: string, { sealed_sha256 }: FolderHeader, keys: ArchiveKeys): Promise<string> {
  const file = path.join(folder, SEALED_FILE);
  const sum = await sumOf(file);
  if (sum === undefined || sum.sha256 !== sealed_sha256) throw changedError(`${SEALED_FILE} is missing or was changed`);
  return keys.unseal(SECRETS_PART, readFileSync(file, "utf8"));
}

function changedError(problem: string): FolderBackupError {
  return new FolderBackupError(`The backup was changed or damaged: ${problem}.`);
}
