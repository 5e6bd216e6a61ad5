import { describe, expect, it } from "vitest";
import { sessionTools } from "../../../../../test/fixtures/connections/session-tools.ts";
import { settingsOf } from "../settings.ts";
import { MAX_CHECKPOINT_BYTES } from "./checkpoint-size.ts";
import { openGitHub } from "./github.ts";
import type { Listing } from "./provider.ts";

const SETTINGS = settingsOf("code_host", { owner: "ada", repo: "notes" });

interface Entry {
  path: string;
  type: "blob" | "tree";
  sha: string;
}

/** Opens a repository that GitHub never lists at once. `trees` are its trees by hash; "root" is the top one. */
function openLarge(trees: Map<string, Entry[]>, truncated: string[] = []) {
  const asked: string[] = [];
  const answer = (path: string, isWhole: boolean) => {
    if (path.startsWith("commits/")) return { sha: "head", commit: { tree: { sha: "root" } } };
    const sha = path.replace("git/trees/", "");
    if (!isWhole) asked.push(sha);
    return { tree: isWhole ? [] : trees.get(sha), truncated: isWhole || truncated.includes(sha) };
  };
  const fetch = async (address: string | URL) => {
    const url = new URL(address);
    const path = url.pathname.replace("/repos/ada/notes/", "");
    return Response.json(answer(path, url.searchParams.has("recursive")));
  };
  const session = openGitHub(SETTINGS, sessionTools({ fetch }));
  return { session, asked };
}

async function listAll({ list }: ReturnType<typeof openLarge>["session"]) {
  const paths: string[] = [];
  const sizes: number[] = [];
  for (let place: Listing["next"]; ; ) {
    const { found, next, ...last } = await list({ place });
    paths.push(...found.map(({ external_id }) => external_id.replace("ada/notes/", "")));
    if (next === undefined) return { paths, sizes, last };
    place = structuredClone(next);
    sizes.push(Buffer.byteLength(JSON.stringify(place)));
  }
}

/**
 * Adds a folder with a text and `widths[0]` subfolders, whose names have the given length. Only the first subfolder has
 * subfolders itself, as many as the next width.
 */
function foldersIn(trees: Map<string, Entry[]>, parent: string, widths: number[], length: number): void {
  const [width = 0, ...inner] = widths;
  const names = Array.from({ length: width }, (_, place) => `${place}-`.padEnd(length, "x"));
  const folders = names.map((path, place): Entry => ({ path, type: "tree", sha: `${parent}.${place}` }));
  trees.set(parent, [{ path: "text.md", type: "blob", sha: `${parent}.text` }, ...folders]);
  for (const [place, { sha }] of folders.entries()) foldersIn(trees, sha, place === 0 ? inner : [], length);
}

describe("a repository that is listed folder by folder", () => {
  it("is listed completely and once, with a checkpoint that fits in a record for any number of folders", async () => {
    const trees = new Map<string, Entry[]>();
    foldersIn(trees, "root", [1000, 20, 3], 250);
    const { session, asked } = openLarge(trees);
    const { paths, sizes, last } = await listAll(session);
    expect(Math.max(...sizes)).toBeLessThan(MAX_CHECKPOINT_BYTES + 4000);
    expect(Math.max(...sizes)).toBeGreaterThan(MAX_CHECKPOINT_BYTES - 2000);
    expect(paths).toHaveLength(trees.size);
    expect(new Set(paths).size).toBe(trees.size);
    expect(last).toEqual({ cursor: "head", isInventory: true });
    expect(asked.length).toBeLessThan(trees.size + 40);
  });

  it("is no complete inventory if GitHub truncates a folder", async () => {
    const trees = new Map<string, Entry[]>();
    foldersIn(trees, "root", [3, 2], 5);
    const whole = await listAll(openLarge(trees).session);
    expect(whole.last).toEqual({ cursor: "head", isInventory: true });
    const { paths, last } = await listAll(openLarge(trees, ["root.0"]).session);
    expect(paths).toHaveLength(whole.paths.length);
    expect(last).toEqual({ cursor: "head", isInventory: false });
  });
});
