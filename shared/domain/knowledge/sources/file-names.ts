import { randomUUID } from "node:crypto";
import type { Source } from "./source.ts";

const MAX_NAME_LENGTH = 255;
const MAX_KEY_NAME_LENGTH = 100;
const UNNAMED = "file";

/** Returns a client's file name without folders and control characters. */
export function fileName(given: string): string {
  const last = given.split(/[/\\]/).at(-1) ?? "";
  const plain = last
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}]+/gu, "")
    .trim()
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed();
  return /^\.*$/.test(plain) ? UNNAMED : plain;
}

/** Returns the decoded last segment of a URL's path. */
export function nameInPath(pathname: string): string {
  const last = pathname.slice(pathname.lastIndexOf("/") + 1);
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}

/** Returns a unique key for one content of a source. It ends in the file's name, which browsers use for downloads. */
export function blobKey({ org, id }: Pick<Source, "org" | "id">, name: string): string {
  const ending = name.replace(/[^A-Za-z0-9._-]+/g, "_").slice(-MAX_KEY_NAME_LENGTH);
  return `sources/${org}/${id}/${randomUUID()}/${/^[._]*$/.test(ending) ? UNNAMED : ending}`;
}
