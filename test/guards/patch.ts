/** What a guard keeps out: how the table groups them. */
export const KINDS = [
  "permission",
  "credential",
  "organization",
  "viewer",
  "signature",
  "secret",
  "fetching",
  "limit",
  "confinement",
] as const;

export type Kind = (typeof KINDS)[number];

/** One place of a source file, and what stands there instead once the guard is gone. */
export interface Edit {
  /** Path from the root of the repository. */
  file: string;
  /** Must be there exactly once. */
  find: string;
  replace: string;
}

/** A guard, how it is taken away, and the tests that must notice. */
export interface Patch extends Edit {
  /** Names the guard in the table, and for `--only`. */
  name: string;
  kind: Kind;
  /** Test files, the one that fails soonest first. */
  tests: string[];
  /** Only tests whose full name matches, where the files have many others. */
  only?: string;
  /** Layers behind this one that catch the same, taken away with it: each alone is redundant on purpose. */
  besides?: Edit[];
}

export function editsOf({ file, find, replace, besides = [] }: Patch): Edit[] {
  return [{ file, find, replace }, ...besides];
}

/** How often a text is in another one. */
export function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}
