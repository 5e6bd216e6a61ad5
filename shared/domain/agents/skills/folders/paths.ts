import { normalized } from "../../../../kernel/strings.ts";

/** The file that defines a skill folder. */
export const SKILL_FILE = "SKILL.md";

export const MAX_PATH_LENGTH = 200;
const MAX_DEPTH = 8;
/** Characters with a special meaning in paths of some system: separators, drives, wildcards, control characters. */
const UNSAFE = /[\p{Cc}\p{Cf}\\:*?"<>|]/u;

/** Why a path must not be written below a folder; undefined for a safe path. */
export function problemOfPath(path: string): string | undefined {
  if (path.length > MAX_PATH_LENGTH) return `is longer than ${MAX_PATH_LENGTH} characters`;
  if (UNSAFE.test(path)) return "holds a character that no file name may have everywhere";
  const segments = path.split("/");
  if (segments.length > MAX_DEPTH) return `is more than ${MAX_DEPTH} folders deep`;
  const isWithin = segments.every((name) => name.trim() === name && name !== "" && name !== "." && name !== "..");
  return isWithin ? undefined : "leads out of its folder, or has an empty name";
}

/** The paths without a common top folder. */
export function withoutCommonFolder(paths: string[]): string[] {
  const [first = ""] = paths;
  const end = first.indexOf("/") + 1;
  const folder = first.slice(0, end);
  const isCommon = end > 0 && !paths.includes(SKILL_FILE) && paths.every((path) => path.startsWith(folder));
  return isCommon ? paths.map((path) => path.slice(end)) : paths;
}

/** The first path that some file system would confuse with another one or with its folder. */
export function findPathClash(paths: string[]): string | undefined {
  const seen = new Set<string>();
  const folders = new Set<string>();
  for (const path of paths) {
    const comparable = normalized(path, "NFC").toLowerCase();
    if (seen.has(comparable)) return path;
    seen.add(comparable);
    for (let end = comparable.indexOf("/"); end >= 0; end = comparable.indexOf("/", end + 1))
      folders.add(comparable.slice(0, end));
  }
  return paths.find((path) => folders.has(normalized(path, "NFC").toLowerCase()));
}
