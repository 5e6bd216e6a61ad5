/** Of robots.txt, what everybody must read (RFC 9309, 2.5); what comes after it is not read. */
const MAX_BYTES = 500 * 1024;
/** Rules that a crawler keeps of its group; a site with more is served by its first ones. */
const MAX_RULES = 1_000;
/** Of them, those with wildcards, and the wildcards of one. */
const MAX_WILDCARD_RULES = 100;
const MAX_WILDCARDS = 10;
const MAX_PATTERN_LENGTH = 500;
const MAX_SITEMAPS = 100;
const ANY_ROBOT = "*";

/** What a robots.txt says to one robot. */
export interface Robots {
  isDisallowed(url: string): boolean;
  /** In seconds; undefined where it asks for none. */
  readonly crawlDelay: number | undefined;
  readonly sitemaps: readonly string[];
}

interface Rule {
  isAllowed: boolean;
  /** Characters of the pattern: of the rules that match, the longest counts. */
  length: number;
  /** What a path holds in this order: the first part at its beginning, anything between the parts. */
  parts: string[];
  /** The last part is at the end of the path. */
  isWhole: boolean;
}

/** The rules of all groups for one robot, merged. */
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

/**
 * Reads what a robots.txt says to the robot with this product token (RFC 9309). Time and memory are linear in the bytes
 * that are read, and checking an address is linear in its length for each rule.
 */
export function parseRobots(bytes: Uint8Array, robot: string): Robots {
  const groups = new Map([robot.toLowerCase(), ANY_ROBOT].map((name) => [name, new Group()] as const));
  const named = new Set<string>();
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
      const name = productTokenIn(value);
      const group = groups.get(name);
      if (group) current.add(group);
      if (group) named.add(name);
      continue;
    }
    isNaming = false;
    for (const group of current) {
      if (key === "crawl-delay") group.crawlDelay ??= delayIn(value);
      else group.add(value, key === "allow");
    }
  }
  const own = groups.get(named.has(robot.toLowerCase()) ? robot.toLowerCase() : ANY_ROBOT) ?? new Group();
  return { sitemaps, crawlDelay: own.crawlDelay, isDisallowed: (url) => isDisallowed(own.rules, url) };
}

const KEYS = new Set(["user-agent", "allow", "disallow", "crawl-delay", "sitemap"]);

/** The lines that mean something, as names in lower case and values. A line that the limit cuts is left out. */
function* linesOf(bytes: Uint8Array): Generator<[key: string, value: string], void> {
  const text = new TextDecoder().decode(bytes.subarray(0, MAX_BYTES));
  const end = bytes.byteLength > MAX_BYTES ? Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) : text.length;
  for (const line of text.slice(0, Math.max(0, end)).split(/\r\n?|\n/)) {
    const comment = line.indexOf("#");
    const said = comment < 0 ? line : line.slice(0, comment);
    const colon = said.indexOf(":");
    const key = colon < 0 ? "" : said.slice(0, colon).trim().toLowerCase();
    if (KEYS.has(key)) yield [key, said.slice(colon + 1).trim()];
  }
}

/** "Memory-Service/1.0" names `memory-service`. */
function productTokenIn(value: string): string {
  return /^(?:\*|[a-z_-]+)/.exec(value.toLowerCase())?.[0] ?? "";
}

function delayIn(value: string): number | undefined {
  const seconds = Number.parseFloat(value);
  return seconds >= 0 && Number.isFinite(seconds) ? seconds : undefined;
}

/**
 * The rule of a pattern; an empty one says nothing. A pattern beyond the limits is cut where it forbids, so that it
 * forbids more, and left out where it allows.
 */
function ruleOf(given: string, isAllowed: boolean): Rule | undefined {
  if (given === "") return undefined;
  const pattern = encoded(given.slice(0, MAX_PATTERN_LENGTH));
  const parts = pattern.replace(/\*{2,}/g, "*").split("*");
  const isCut = given.length > MAX_PATTERN_LENGTH || parts.length - 1 > MAX_WILDCARDS;
  if (isCut && isAllowed) return undefined;
  const kept = parts.slice(0, MAX_WILDCARDS + 1);
  const last = kept.pop() ?? "";
  const isWhole = !isCut && last.endsWith("$");
  return { isAllowed, length: pattern.length, parts: [...kept, isWhole ? last.slice(0, -1) : last], isWhole };
}

/** As addresses are written: in ASCII, with upper-case percent-encoding. */
function encoded(pattern: string): string {
  return encodeURI(pattern.toWellFormed())
    .replaceAll("%25", "%")
    .replace(/%[\da-f]{2}/gi, (code) => code.toUpperCase());
}

/** The longest rule that matches decides; of two as long ones, the one that allows (RFC 9309, 2.2.2). */
function isDisallowed(rules: readonly Rule[], url: string): boolean {
  const { pathname, search } = new URL(url);
  const path = encoded(pathname + search);
  let decisive: Rule | undefined;
  for (const rule of rules) {
    const isLonger = decisive === undefined || rule.length > decisive.length;
    const isMilder = rule.length === decisive?.length && rule.isAllowed && !decisive.isAllowed;
    if ((isLonger || isMilder) && matches(rule, path)) decisive = rule;
  }
  return decisive !== undefined && !decisive.isAllowed;
}

function matches({ parts: [first = "", ...others], isWhole }: Rule, path: string): boolean {
  if (!path.startsWith(first)) return false;
  let place = first.length;
  const last = isWhole ? others.pop() : undefined;
  for (const part of others) {
    const found = indexOf(path, part, place);
    if (found < 0) return false;
    place = found + part.length;
  }
  if (last !== undefined) return path.length - last.length >= place && path.endsWith(last);
  return !isWhole || place === path.length;
}

/** As String's, but linear in both lengths whatever they hold (Knuth, Morris and Pratt 1977). */
function indexOf(text: string, part: string, from: number): number {
  if (part === "") return from;
  const borders = bordersOf(part);
  let matched = 0;
  for (let place = from; place < text.length; place++) {
    while (matched > 0 && text[place] !== part[matched]) matched = borders[matched - 1] ?? 0;
    if (text[place] === part[matched]) matched++;
    if (matched === part.length) return place - part.length + 1;
  }
  return -1;
}

/** How long the longest beginning of each beginning is that it also ends with. */
function bordersOf(part: string): number[] {
  const borders = [0];
  let matched = 0;
  for (let place = 1; place < part.length; place++) {
    while (matched > 0 && part[place] !== part[matched]) matched = borders[matched - 1] ?? 0;
    if (part[place] === part[matched]) matched++;
    borders.push(matched);
  }
  return borders;
}
