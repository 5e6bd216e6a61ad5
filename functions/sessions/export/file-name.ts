import { normalized, trimmedEnd } from "../../../shared/kernel/strings.ts";

const MAX_NAME_LENGTH = 80;
/** Characters that file systems and shells reject, and that would end the header's quotation. */
const UNSAFE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}/\\:*?"<>|%]+/gu;
/** RFC 8187's attr-char except letters and digits; encodeURIComponent leaves five more unescaped. */
const NOT_ENCODED = /['()*]/g;

/** A file name from the title: never empty, hidden or a path. */
function nameFor(title: string, fallback: string): string {
  const name = title
    .toWellFormed()
    .replace(UNSAFE, " ")
    .replace(/\s+/g, " ")
    .replace(/^[.\s]+/, "");
  const short = [...name].slice(0, MAX_NAME_LENGTH).join("").trim();
  return short === "" ? fallback : short;
}

/** A file name with only letters, digits, `.`, `_` and `-`; accents are dropped, other scripts use the fallback. */
export function plainFileName(title: string, fallback: string, extension: string): string {
  const ascii = normalized(nameFor(title, fallback), "NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[-.]+/, "");
  const name = trimmedEnd(ascii, /[-.]/);
  return `${name === "" ? fallback : name}.${extension}`;
}

/** Content-Disposition of a download (RFC 6266) with the full name (RFC 8187). */
export function attachment(title: string, fallback: string, extension: string): string {
  const full = `${nameFor(title, fallback)}.${extension}`;
  const encoded = encodeURIComponent(full).replace(
    NOT_ENCODED,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plainFileName(title, fallback, extension)}"; filename*=UTF-8''${encoded}`;
}
