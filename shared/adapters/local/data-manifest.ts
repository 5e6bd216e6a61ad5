import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { NewerFormatError, RELEASE } from "../../ports/formats.ts";
import { QUEUE_MIGRATIONS } from "./queue-migrations.ts";
import { RECORD_MIGRATIONS } from "./record-migrations.ts";
import { SEARCH_MIGRATIONS } from "./search/schema.ts";
import { writePrivately } from "./storage/atomic-file.ts";
import { START_NEWER } from "./storage/migrations.ts";

const MANIFEST = "data.json";

/** The format version of each kind of data in the folder. */
export const FOLDER_FORMATS: Readonly<Record<string, number>> = {
  records: RECORD_MIGRATIONS.length,
  queues: QUEUE_MIGRATIONS.length,
  search: SEARCH_MIGRATIONS.length,
  /** 2: names start with their purpose. */
  secrets: 2,
  blobs: 1,
  outbox: 1,
  logs: 1,
};

const Manifest = z.object({
  /** Release that last wrote the folder. */
  release: z.string(),
  formats: z.record(z.string(), z.int().min(1)),
  /** Whether the release started to upgrade the folder and has not finished. */
  unfinished: z.literal(true).optional(),
});

type Manifest = z.output<typeof Manifest>;

/** The manifest of a data folder cannot be parsed. */
export class DataManifestError extends Error {
  constructor(file: string) {
    super(`${file} cannot be parsed. Restore it from a backup, or remove it: the next start writes a new one.`);
    this.name = "DataManifestError";
  }
}

/** The upgrade of a data folder to this release. */
export interface FolderUpgrade {
  /** Whether files may be of an earlier version, for example after an interrupted upgrade. */
  isDue: boolean;
  /** Records that all files are of this release. */
  finish(): void;
}

/** Throws NewerFormatError for a folder of a newer release, and changes nothing. */
export function requireKnownFormats(dataDir: string, formats = FOLDER_FORMATS): void {
  const found = readManifest(path.join(dataDir, MANIFEST));
  if (found) refuseNewer(dataDir, found, formats);
}

/**
 * Starts to upgrade a folder to this release. This is recorded before the first file changes, so that the previous
 * release refuses the folder from then on. Throws NewerFormatError for a folder of a newer release, and changes
 * nothing.
 */
export function beginUpgrade(dataDir: string, formats = FOLDER_FORMATS): FolderUpgrade {
  const file = path.join(dataDir, MANIFEST);
  const found = readManifest(file);
  if (found) refuseNewer(dataDir, found, formats);
  const current: Manifest = { release: RELEASE, formats };
  if (isDeepStrictEqual(found, current)) return { isDue: false, finish: () => {} };
  writeManifest(file, { ...current, unfinished: true });
  const isDue = found === undefined || found.unfinished === true || !isDeepStrictEqual(found.formats, formats);
  return { isDue, finish: () => writeManifest(file, current) };
}

function refuseNewer(dataDir: string, found: Manifest, formats: Readonly<Record<string, number>>): void {
  const isNewer = Object.entries(found.formats).some(([name, version]) => version > (formats[name] ?? 0));
  if (!isNewer) return;
  throw new NewerFormatError({ what: `The data folder ${dataDir}`, writer: found.release, remedy: START_NEWER });
}

function readManifest(file: string): Manifest | undefined {
  if (!existsSync(file)) return undefined;
  try {
    return Manifest.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) throw new DataManifestError(file);
    throw error;
  }
}

function writeManifest(file: string, manifest: Manifest): void {
  writePrivately(file, `${JSON.stringify(manifest, undefined, 2)}\n`);
}
