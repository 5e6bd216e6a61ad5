import { compareTexts } from "../../../../kernel/strings.ts";
import { fromItem, toItem } from "../../../../ports/item.ts";
import type { RecordKey, RecordStore, Write } from "../../../../ports/record-store.ts";
import type { Skill, VersionName } from "../skill.ts";

/** A file of a skill folder other than its SKILL.md. */
export interface BundledFile {
  path: string;
  encoding: "utf8" | "base64";
  content: string;
}

export const FILE = "file#";
/** Digits by which versions sort as text. */
const VERSION_DIGITS = 9;

/** Files belong to the version that imported them; later versions refer to that version until the next import. */
const fileKey = (org: string, id: string, version: number, path: string): RecordKey => ({
  pk: `${org}#${id}`,
  sk: `${FILE}${String(version).padStart(VERSION_DIGITS, "0")}#${path}`,
});

/** The writes that store a version's files. */
export function insertFiles({ org, id, version }: VersionName, files: BundledFile[]): Write[] {
  return files.map((file) => ({
    put: toItem(fileKey(org, id, version, file.path), "skill_file", { ...file, org, skill_id: id, version }),
    condition: "absent",
  }));
}

/** The files of a skill's version by path. */
export async function readFiles(
  records: Pick<RecordStore, "getMany">,
  { org, id, bundle }: Skill,
): Promise<BundledFile[]> {
  if (bundle === undefined) return [];
  const found = await records.getMany(bundle.paths.map((path) => fileKey(org, id, bundle.version, path)));
  return found
    .map(fromItem<BundledFile>)
    .map(({ path, encoding, content }) => ({ path, encoding, content }))
    .sort((a, b) => compareTexts(a.path, b.path));
}
