import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { NewerFormatError, RELEASE } from "../formats.ts";
import { writePrivately } from "./atomic-file.ts";
import { START_NEWER } from "./migrations.ts";
import { QUEUE_MIGRATIONS } from "./queue-migrations.ts";
import { RECORD_MIGRATIONS } from "./record-migrations.ts";
import { SEARCH_MIGRATIONS } from "./search/schema.ts";

const MANIFEST = "data.json";

/** The version of everything that a data folder keeps. A step that mends files of a former version runs at every start. */
export const FOLDER_FORMATS: Readonly<Record<string, number>> = {
  records: RECORD_MIGRATIONS.length,
  queues: QUEUE_MIGRATIONS.length,
  search: SEARCH_MIGRATIONS.length,
  /** 2: names begin with their purpose. */
  secrets: 2,
  blobs: 1,
  outbox: 1,
  logs: 1,
};

const Manifest = z.object({
  /** Release that wrote the folder last. */
  release: z.string(),
  formats: z.record(z.string(), z.int().min(1)),
  /** The release has begun to bring the folder to these formats, and not ended. */
  unfinished: z.literal(true).optional(),
});

type Manifest = z.output<typeof Manifest>;

/** The manifest of a data folder says nothing that can be understood. */
export class DataManifestError extends Error {
  constructor(file: string) {
    super(
      `${file} cannot be understood. Restore it from a backup, or remove it: it is written anew at the next start.`,
    );
    this.name = "DataManifestError";
  }
}

/** The upgrade of a data folder to this release. */
export interface FolderUpgrade {
  /** Whether files may be of an earlier version, as when a former upgrade was cut off. */
  isDue: boolean;
  /** Notes that all files are of this release. */
  finish(): void;
}

/** Throws NewerFormatError for a folder that a newer release wrote, and changes nothing. */
export function requireKnownFormats(dataDir: string, formats = FOLDER_FORMATS): void {
  const found = readManifest(path.join(dataDir, MANIFEST));
  if (found) refuseNewer(dataDir, found, formats);
}

/**
 * Begins to bring a folder to this release. That is noted before the first file is touched: the release before refuses
 * the folder from then on. Throws NewerFormatError, and touches nothing, where a newer release wrote it.
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
