import { posix } from "node:path";

/** An import between two files; `typeOnly` if it does not exist at run time. */
export interface FileImport {
  from: string;
  to: string;
  typeOnly: boolean;
}

/** Type imports that may close a cycle: from the files of one folder to those in or below another. */
export interface TypeCircle {
  from: string;
  to: string;
  why: string;
}

/** The import cycles between the folders of a tree, at every depth. */
export interface FolderReport {
  /** All folders with a file that imports or is imported. */
  folders: string[];
  /** Folders that import each other at run time or by types that are not allowed, in alphabetical order. */
  circles: string[][];
  /** Allowed type imports that do not exist. */
  unused: TypeCircle[];
}

const isBelow = (folder: string, above: string): boolean => `${folder}/`.startsWith(`${above}/`);

/** The folder of a file, or its ancestor at this depth. */
function folderAt(file: string, depth: number): string {
  return posix.dirname(file).split("/").slice(0, depth).join("/");
}

/** Finds cycles between the folders below `root`, at each depth from that of `root` to the deepest folder. */
export function findFolderCircles(root: string, imports: FileImport[], allowed: TypeCircle[]): FolderReport {
  const inside = imports.filter(({ from, to }) => isBelow(from, root) && isBelow(to, root));
  const allows = ({ from, to }: FileImport) =>
    allowed.filter((each) => posix.dirname(from) === each.from && isBelow(posix.dirname(to), each.to));
  const typeImports = inside.filter(({ typeOnly }) => typeOnly);
  const used = new Set(typeImports.flatMap(allows));
  const counted = inside.filter((each) => !each.typeOnly || allows(each).length === 0);
  const folders = [...new Set(inside.flatMap(({ from, to }) => [posix.dirname(from), posix.dirname(to)]))].sort();
  const depths = folders.map((folder) => folder.split("/").length);
  const found = new Map<string, string[]>();
  for (let depth = root.split("/").length; depth <= Math.max(0, ...depths); depth++) {
    for (const circle of circlesAt(depth, counted)) found.set(circle.join(" "), circle);
  }
  return { folders, circles: [...found.values()], unused: allowed.filter((each) => !used.has(each)) };
}

/** Sets of folders that import each other directly or through others. */
function circlesAt(depth: number, imports: FileImport[]): string[][] {
  const targets = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    const folder = folderAt(from, depth);
    targets.set(folder, (targets.get(folder) ?? new Set()).add(folderAt(to, depth)));
  }
  const reached = new Map([...targets.keys()].map((folder) => [folder, reachedFrom(folder, targets)]));
  const left = new Set([...targets.keys()].sort());
  const circles: string[][] = [];
  for (const folder of left) {
    const circle = [...left].filter((other) => reached.get(folder)?.has(other) && reached.get(other)?.has(folder));
    if (circle.length > 1) circles.push(circle);
    for (const each of circle) left.delete(each);
  }
  return circles;
}

/** Folders that a folder imports, directly or through others, including itself. */
function reachedFrom(folder: string, targets: Map<string, Set<string>>): Set<string> {
  const reached = new Set([folder]);
  for (const each of reached) for (const next of targets.get(each) ?? []) reached.add(next);
  return reached;
}
