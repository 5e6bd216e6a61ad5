/** The part of robots.txt that every crawler must read (RFC 9309, 2.5); the rest is ignored. */
const MAX_BYTES = 500 * 1024;
/** Maximum number of rules of a group; later ones are ignored. */
const MAX_RULES = 1_000;
/** Maximum number of rules with wildcards, and of wildcards in a rule. */
const MAX_WILDCARD_RULES = 100;
const MAX_WILDCARDS = 10;
const MAX_PATTERN_LENGTH = 500;
const MAX_SITEMAPS = 100;
const ANY_ROBOT = "*";

/** The rules of a robots.txt for one crawler. */
export interface Robots {
  isDisallowed(url: string): boolean;
  /** In seconds; undefined if not given. */
  readonly crawlDelay: number | undefined;
  readonly sitemaps: readonly string[];
}

interface Rule {
  isAllowed: boolean;
  /** Length of the pattern: the longest matching rule wins. */
  length: number;
  /** Parts that a path contains in this order: the first at its start, with anything in between. */
  parts: string[];
  /** Whether the last part must be at the end of the path. */
  isAnchored: boolean;
}

/** The rules of all groups for one crawler, merged. */
class Group {
  readonly rules: Rule[] = [];
  crawlDelay: number | undefined;
  #wildcardRules = 0;

  add(pattern: string, isAllowed: boolean): void {
    const rule = ruleOf(pattern, isAllowed);
    if (rule === undefined || this.rules.length >= MAX_RULES) return;
    if (rule.parts.length > 1 && ++this.#wildcardRules > MAX_WILDCARD_RULES) return;
    this.rules.push(rule);
  }
}

/** Parses the rules of a robots.txt for a product token (RFC 9309) in linear time; a check is linear per rule. */
export function parseRobots(bytes: Uint8Array, robot: string): Robots {
  const groups = new Map([robot.toLowerCase(), ANY_ROBOT].map((name) => [name, new Group()] as const));
  const matchedNames = new Set<string>();
  const sitemaps: string[] = [];
  let current = new Set<Group>();
  let isNaming = false;
  for (const [key, value] of linesOf(bytes)) {
    if (key === "sitemap") {
      if (sitemaps.length < MAX_SITEMAPS) sitemaps.push(value);
      continue;
    }
    if (key === "user-agent") {
      if (!isNaming) current = new Set();
      isNaming = true;
      const name = /^(?:\*|[a-z_-]+)/.exec(value.toLowerCase())?.[0] ?? "";
      const group = groups.get(name);
      if (group) current.add(group);
      if (group) matchedNames.add(name);
      continue;
    }
    isNaming = false;
    for (const group of current) {
      if (key === "crawl-delay") group.crawlDelay ??= delayIn(value);
      else group.add(value, key === "allow");
    }
  }
  const group = groups.get(matchedNames.has(robot.toLowerCase()) ? robot.toLowerCase() : ANY_ROBOT) ?? new Group();
  return { sitemaps, crawlDelay: group.crawlDelay, isDisallowed: (url) => isDisallowed(group.rules, url) };
}

const KEYS = new Set(["user-agent", "allow", "disallow", "crawl-delay", "sitemap"]);

/** The directives with lower-case names and their values. A line cut by the limit is dropped. */
function* linesOf(bytes: Uint8Array): Generator<[key: string, value: string], void> {
  const text = new TextDecoder().decode(bytes.subarray(0, MAX_BYTES));
  const end = bytes.byteLength > MAX_BYTES ? Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) : text.length;
  for (const line of text.slice(0, Math.max(0, end)).split(/\r\n?|\n/)) {
    const comment = line.indexOf("#");
    const directive = comment < 0 ? line : line.slice(0, comment);
    const colon = directive.indexOf(":");
    const key = colon < 0 ? "" : directive.slice(0, colon).trim().toLowerCase();
    if (KEYS.has(key)) yield [key, directive.slice(colon + 1).trim()];
  }
}

function delayIn(value: string): number | undefined {
  const seconds = Number.parseFloat(value);
  return seconds >= 0 && Number.isFinite(seconds) ? seconds : undefined;
}

/**
 * The rule of a pattern; an empty pattern has none. A pattern beyond the limits is shortened if it disallows, so that
 * it disallows more, and dropped if it allows.
 */
function ruleOf(raw: string, isAllowed: boolean): Rule | undefined {
  if (raw === "") return undefined;
  const pattern = encoded(raw.slice(0, MAX_PATTERN_LENGTH));
  const parts = pattern.replace(/\*{2,}/g, "*").split("*");
  const isCut = raw.length > MAX_PATTERN_LENGTH || parts.length - 1 > MAX_WILDCARDS;
  if (isCut && isAllowed) return undefined;
  const firstParts = parts.slice(0, MAX_WILDCARDS + 1);
  const last = firstParts.pop() ?? "";
  const isAnchored = !isCut && last.endsWith("$");
  return {
    isAllowed,
    length: pattern.length,
    parts: [...firstParts, isAnchored ? last.slice(0, -1) : last],
    isAnchored,
  };
}

/** The pattern as in URLs: ASCII with upper-case percent-encoding. */
function encoded(pattern: string): string {
  return encodeURI(pattern.toWellFormed())
    .replaceAll("%25", "%")
    .replace(/%[\da-f]{2}/gi, (code) => code.toUpperCase());
}

/** The longest matching rule wins; on a tie, the allowing one (RFC 9309, 2.2.2). */
function isDisallowed(rules: readonly Rule[], url: string): boolean {
  const { pathname, search } = new URL(url);
  const path = encoded(pathname + search);
  let decisive: Rule | undefined;
  for (const rule of rules) {
    const isLonger = decisive === undefined || rule.length > decisive.length;
    const isLessStrict = rule.length === decisive?.length && rule.isAllowed && !decisive.isAllowed;
    if ((isLonger || isLessStrict) && matches(rule, path)) decisive = rule;
  }
  return decisive !== undefined && !decisive.isAllowed;
}

function matches({ parts: [first = "", ...others], isAnchored }: Rule, path: string): boolean {
  if (!path.startsWith(first)) return false;
  let index = first.length;
  const last = isAnchored ? others.pop() : undefined;
  for (const part of others) {
    const found = indexOf(path, part, index);
    if (found < 0) return false;
    index = found + part.length;
  }
  if (last !== undefined) return path.length - last.length >= index && path.endsWith(last);
  return !isAnchored || index === path.length;
}

/** Like `String.indexOf`, but linear in both lengths for any input (Knuth, Morris and Pratt 1977). */
function indexOf(text: string, part: string, from: number): number {
  if (part === "") return from;
  const borders = bordersOf(part);
  let matched = 0;
  for (let index = from; index < text.length; index++) {
    while (matched > 0 && text[index] !== part[matched]) matched = borders[matched - 1] ?? 0;
    if (text[index] === part[matched]) matched++;
    if (matched === part.length) return index - part.length + 1;
  }
  return -1;
}

/** For each prefix, the length of its longest border. */
function bordersOf(part: string): number[] {
  const borders = [0];
  let matched = 0;
  for (let index = 1; index < part.length; index++) {
    while (matched > 0 && part[index] !== part[matched]) matched = borders[matched - 1] ?? 0;
    if (part[index] === part[matched]) matched++;
    borders.push(matched);
  }
  return borders;
}
