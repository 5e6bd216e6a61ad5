/**
 * Widens a part of a text to whole square brackets: the end of "[REDACTED:password]" is punctuation for readers of words.
 * Both ends are offsets; takes time linear in the part.
 */
export function withBrackets(text: string, start: number, end: number): { start: number; end: number } {
  const part = text.slice(start, end);
  const opens = part.lastIndexOf("[") > part.lastIndexOf("]");
  const closes = part.includes("]") && (!part.includes("[") || part.indexOf("]") < part.indexOf("["));
  const isInside = !/[[\]]/.test(part) && text[start - 1] === "[" && text[end] === "]";
  return {
    start: (closes || isInside) && text[start - 1] === "[" ? start - 1 : start,
    end: (opens || isInside) && text[end] === "]" ? end + 1 : end,
  };
}
