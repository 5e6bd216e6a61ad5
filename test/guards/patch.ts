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
  "names",
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

/**
 * A guard as the lists tell it, and in their order: its name, the file, what stands there, what does instead, the tests,
 * which of them, and the layers behind it. `$org` is how both texts write what a source has as a template's `${org}`.
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

/** A list of guards that keep out the same. */
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

/** How often a text is in another one. */
export function countOf(text: string, part: string): number {
  return text.split(part).length - 1;
}
