/** Kinds of guards, by which the table is grouped. */
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
  "names",
] as const;

export type Kind = (typeof KINDS)[number];

/** A place in a source file, and the text that replaces it to remove a guard. */
export interface Edit {
  /** Path from the root of the repository. */
  file: string;
  /** Must occur exactly once. */
  find: string;
  replace: string;
}

/** A guard, the edit that removes it, and the tests that must fail without it. */
export interface Patch extends Edit {
  /** Name of the guard in the table and for `--only`. */
  name: string;
  kind: Kind;
  /** Test files; the one that fails soonest is first. */
  tests: string[];
  /** Pattern for the full names of the tests to run; all by default. */
  only?: string;
  /** Further layers with the same effect, removed together with the guard: each alone is redundant on purpose. */
  besides?: Edit[];
}

/**
 * A row of the lists: the guard's name, the file, the text to replace, the replacement, the tests, the pattern of their names,
 * and the further layers. In both texts, `$org` stands for a template's `${org}`.
 */
export type Row = readonly [
  name: string,
  file: string,
  find: string,
  replace: string,
  tests: string[],
  only?: string | undefined,
  besides?: Edit[],
];

/** Creates the patches of one kind from rows. */
export function guards(kind: Kind, rows: readonly Row[]): Patch[] {
  return rows.map(([name, file, find, replace, tests, only, besides]) => ({
    name,
    kind,
    file,
    find: templated(find),
    replace: templated(replace),
    tests,
    ...(only && { only }),
    ...(besides && { besides }),
  }));
}

function templated(text: string): string {
  return text.replaceAll(/\$(\w+)/g, "$${$1}");
}

export function editsOf({ file, find, replace, besides = [] }: Patch): Edit[] {
  return [{ file, find, replace }, ...besides];
}

/** Counts the occurrences of a text in another one. */
export function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}
