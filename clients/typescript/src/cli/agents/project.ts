import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import path from "node:path";

export interface Project {
  /** The root of the repository; the folder itself if it is in none. */
  root: string;
  name: string;
  /** The same for every copy of a repository. The address of its remote may be private, so it is hashed. */
  id: string;
}

const ID_LENGTH = 16;

export function findProject(folder: string): Project {
  const root = git(folder, "rev-parse", "--show-toplevel") ?? folder;
  const remote = git(folder, "config", "--get", "remote.origin.url");
  const id = createHash("sha256")
    .update(remote === undefined ? root : normalized(remote))
    .digest("hex");
  return { root, name: path.basename(root), id: id.slice(0, ID_LENGTH) };
}

/** Returns what git prints, or undefined if it fails, is missing or takes long. */
function git(folder: string, ...words: string[]): string | undefined {
  try {
    const printed = execFileSync("git", ["-C", folder, ...words], {
      encoding: "utf8",
      timeout: 500,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return printed.trim() || undefined;
  } catch {
    return undefined;
  }
}

/** `git@host:team/app.git` and `https://name:token@host/team/app` are both `host/team/app`. */
function normalized(remote: string): string {
  return remote
    .replace(/^[a-z+]+:\/\//i, "")
    .replace(/^[^@/]*@/, "")
    .replace(":", "/")
    .replace(/\.git\/?$/, "")
    .toLowerCase();
}
