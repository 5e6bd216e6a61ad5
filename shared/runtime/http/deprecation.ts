/** When a route or field was deprecated, when it ends, and the page that says what replaces it. Dates are ISO 8601. */
export interface Deprecation {
  since: string;
  sunset?: string;
  see: string;
}

/** What a route says about its own deprecation and that of its query parameters and fields. */
export interface Deprecations {
  deprecated?: Deprecation;
  deprecatedFields?: Record<string, Deprecation>;
}

/** Returns the deprecations of the fields and query parameters that a request names. */
export function deprecationsIn(fields: Record<string, Deprecation>, ...inputs: unknown[]): Deprecation[] {
  const isNamed = (name: string) => inputs.some((input) => (input as Record<string, unknown>)?.[name] !== undefined);
  return Object.entries(fields).flatMap(([name, deprecation]) => (isNamed(name) ? [deprecation] : []));
}

/** Adds Deprecation (RFC 9745), Sunset (RFC 8594) and a Link to each page; of several dates, the earliest. */
export function announceDeprecations(headers: Headers, deprecations: readonly Deprecation[]): void {
  const since = earliest(deprecations.map((each) => each.since));
  if (since === undefined) return;
  const sunset = earliest(deprecations.flatMap((each) => each.sunset ?? []));
  headers.set("Deprecation", `@${Math.floor(since.getTime() / 1000)}`);
  if (sunset !== undefined) headers.set("Sunset", sunset.toUTCString());
  for (const see of new Set(deprecations.map((each) => each.see))) {
    headers.append("Link", `<${see}>; rel="deprecation"`);
  }
}

/** Describes the deprecations of a route as sentences; undefined if it has none. */
export function describeDeprecations({ deprecated, deprecatedFields = {} }: Deprecations): string | undefined {
  const sentences = [
    ...(deprecated ? [sentenceOf("This operation", deprecated)] : []),
    ...Object.entries(deprecatedFields).map(([name, each]) => sentenceOf(`\`${name}\``, each)),
  ];
  return sentences.length === 0 ? undefined : sentences.join(" ");
}

function sentenceOf(what: string, { since, sunset, see }: Deprecation): string {
  const end = sunset === undefined ? "" : ` and ends on ${sunset}`;
  return `${what} is deprecated since ${since}${end}: see ${see}.`;
}

function earliest(dates: string[]): Date | undefined {
  const [first] = dates.map((date) => new Date(date)).sort((one, other) => one.getTime() - other.getTime());
  return first;
}
