import { normalized } from "../../../shared/kernel/normalized.ts";
import { trimmedEnd } from "../../../shared/kernel/trimmed.ts";

const MAX_NAME_LENGTH = 80;
/** What file systems and shells trip over, and what would end the header's quotation. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\:*?"<>|%]+/gu;
/** All of RFC 8187's attr-char but letters and digits; encodeURIComponent leaves five more as they are. */
const NOT_ENCODED = /['()*]/g;

/** The name for a file: the title as far as it may be in one, never empty, never hidden, never a path. */
function nameFor(title: string, fallback: string): string {
  const name = title
    .toWellFormed()
    .replace(UNSAFE, " ")
    .replace(/\s+/g, " ")
    .replace(/^[.\s]+/, "");
  const short = [...name].slice(0, MAX_NAME_LENGTH).join("").trim();
  return short === "" ? fallback : short;
}

/** The same in letters, digits, `.`, `_` and `-` alone; accents go, other scripts give way to the fallback. */
export function plainFileName(title: string, fallback: string, extension: string): string {
  const ascii = normalized(nameFor(title, fallback), "NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[-.]+/, "");
  const name = trimmedEnd(ascii, /[-.]/);
  return `${name === "" ? fallback : name}.${extension}`;
}

/** Content-Disposition of a download (RFC 6266), with the name in full for those who read it (RFC 8187). */
export function attachment(title: string, fallback: string, extension: string): string {
  const full = `${nameFor(title, fallback)}.${extension}`;
  const encoded = encodeURIComponent(full).replace(
    NOT_ENCODED,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plainFileName(title, fallback, extension)}"; filename*=UTF-8''${encoded}`;
}
