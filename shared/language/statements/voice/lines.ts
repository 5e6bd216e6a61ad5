import { PACKS } from "../../languages/packs.ts";

/** A line's form in a chat, a log or a quotation, with whom it names. */
export interface LineForm {
  /** `line` ends with the line, `paragraph` with a blank line, `turn` with the next turn; `open` also applies to what follows. */
  scope: "line" | "paragraph" | "turn" | "open";
  source: "chat" | "document" | "machine";
  speaker?: string | undefined;
}

const TIME = String.raw`\d{1,2}[:.]\d{2}(?:[:.,]\d{2}(?:[.,]\d{1,3})?)?(?:\s?[ap]\.?m\.?)?`;
const DATE = String.raw`(?:\d{1,4}[-./]\d{1,2}[-./]\d{1,4}|\d{1,2}\.? \p{L}{3,10}\.? \d{4}|\p{L}{3,10} \d{1,2}, \d{4})`;
const TABLES = Object.values(PACKS).flatMap(({ dates }) => dates ?? []);
const NEAR_DAYS = TABLES.flatMap(({ days }) => days.split(";").slice(1, 3))
  .join("|")
  .replaceAll("'", "['’]");
const UNITS = TABLES.flatMap(({ units }) => units.split(";").slice(0, 3)).join("|");
const AT = TABLES.flatMap(({ at }) => at ?? []).join("|");
/** A day that is a date only beside a time or after a separator. */
const DAY = String.raw`(?:\d{1,2}\.? \p{L}{3,10}\.?|\p{L}{3,10} \d{1,2}|${NEAR_DAYS})`;
const NAME = String.raw`[@~]?[\p{L}\p{N}][\p{L}\p{M}\p{N}_.'’-]{0,30}(?: [\p{L}\p{N}(@][\p{L}\p{M}\p{N}_.'’)-]{0,30}){0,3}`;
/** "[12/03/2026, 10:02] Eve: hi", "10:02 - Eve: hi", "10:02 <eve> hi", "12.03.26, 10:02 - hi". */
const STAMPED = new RegExp(
  String.raw`^\s*(?:[[(](?:${DATE}|${DAY})?[, T]*(?:(?:${AT}) )?${TIME}[^\])\n]{0,20}[\])]|(?:${DATE}|${DAY})[,T ]+(?:(?:${AT}) )?${TIME}\S{0,12}|\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?=\s*(?:[-–—|<]|-->|$|\p{L}+ ?:|${NAME}: ))|\d{1,2}:\d{2}:\d{2}\S{0,8})\s*(?:[-–—|]\s*)?(?:<?(?<name>${NAME})[:>]\s)?`,
  "iu",
);
/** "Eve  10:02 AM", "Eve — Today at 10:02", "Eve, [03.11.26 10:02]", "Eve · 2h", "10:02 AM Eve". */
const HEADED = new RegExp(
  String.raw`^\s*(?:(?<name>${NAME})(?:\s*[-–—·•,|]\s*|\s+)[[(]?(?:${DATE}|(?:${DATE}|${DAY})[, ]*(?:(?:${AT}) )?${TIME}|(?<=[–—·•|]\s*)${DAY}|${TIME}|\d{1,3} ?(?:h|min|m|d|s|hrs?|mins?|std|${UNITS})(?: ago)?)(?: \p{L}{2,4})?[\])]?|[[(]?${TIME}[\])]?\s+(?<later>${NAME}))\s*:?\s*$`,
  "iu",
);
const SUBTITLE = /-->|^WEBVTT|^\s*\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?\s*$/u;
const PREFIXED = /^\s{0,3}(?:>|\||[│┃▌║¦]|»|\/\/|;;?\s|%\s|--\s|↳|→|⤷|└|├|~~|={1,2}\s|"""|'''|::\s|\\)/u;
const HASH_COMMENT = /^\s*#{1,6}(?:!|\s+[^\n]*[.!?]\s*$)/u;
const DIFF = /^(?:[+-](?![\s+-]|\d)|[+-]{3}\s|@@|[+-]\s*(?:#|\/\/))/u;
const DASHED = /^\s*[—–―]\s*\p{L}[^\n]*[.!?…]/u;
const PROMPT = /^\s*(?:[\w.-]+@[\w.-]+[:~][^$#]{0,80}[$#]|PS [A-Z]:|C:\\[^>]{0,80}>|In \[\d*\]:|Out\[\d*\]:|\$|❯|➜)\s/u;
const ARROWED = /^\s*(?<name>\p{L}[\p{L}\p{N}_.-]{0,20})(?: ?[>»›]| ?\|)\s+\S/u;
const LOGGED =
  /^\s*(?:(?:\[(?:info|debug|warn(?:ing)?|error|trace|fatal|notice|stdout|stderr)\]|(?:info|debug|warn(?:ing)?|error|trace|fatal|notice|panic|stdout|stderr)\s*[:|])\s*\S|\d{4}-\d{2}-\d{2}T?\s?\d{2}:\d{2})/u;
const LOGGED_UPPER = /^\s*\[?(?:INFO|DEBUG|WARN(?:ING)?|ERROR|TRACE|FATAL|NOTICE)\]?[\s:|-]+\S/u;
const STARS = /[★☆⭐]/u;
const CAPITALS =
  /^\s*(?!(?:FYI|NOTE|PS|IMPORTANT|ABOUT|TODO|RULES?|MY|I|UPDATE|REMINDER|OK)\b)\p{Lu}[\p{Lu} .'’-]{2,30}(?:\([^)\n]{1,20}\))?:?\s*$/u;
const MAX_HEAD = 90;
/** The form of a line is at its beginning. */
const MAX_READ = 400;
const INDENTED = /^(?: {4,}|\t)\s*(?![-*•+]\s|\d+[.)]\s)\S/u;

const MACHINE_LINES = [PREFIXED, DIFF, DASHED, HASH_COMMENT, INDENTED, LOGGED, LOGGED_UPPER];

/** Returns the form by which a line is somebody else's; undefined for other lines. */
export function formOf(whole: string, next: string): LineForm | undefined {
  const line = whole.slice(0, MAX_READ);
  if (PROMPT.test(line) || STARS.test(line)) return { scope: "open", source: "machine" };
  if (SUBTITLE.test(line)) return { scope: "paragraph", source: "machine" };
  if (MACHINE_LINES.some((form) => form.test(line))) return { scope: "line", source: "machine" };
  const stamped = STAMPED.exec(line);
  if (stamped !== null) {
    const name = stamped.groups?.name;
    const scope = stamped[0].trim() === line.trim() ? "open" : name === undefined ? "line" : "turn";
    return { scope, speaker: nameOf(name), source: "chat" };
  }
  const arrowed = ARROWED.exec(line);
  if (arrowed !== null) return { scope: "line", speaker: nameOf(arrowed.groups?.name), source: "chat" };
  if (next.trim() === "") return undefined;
  const headed = line.length <= MAX_HEAD ? HEADED.exec(line) : null;
  if (headed !== null)
    return { scope: "open", speaker: nameOf(headed.groups?.name ?? headed.groups?.later), source: "chat" };
  if (CAPITALS.test(line)) return { scope: "open", speaker: nameOf(line.trim()), source: "document" };
  return undefined;
}

function nameOf(name: string | undefined): string | undefined {
  return name !== undefined && /^\p{Lu}/u.test(name) ? name : undefined;
}
