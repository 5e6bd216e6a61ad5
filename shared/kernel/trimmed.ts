/**
 * A text without the trailing characters that match a one-character pattern. A regular expression with `+$` takes
 * quadratic time on runs that are not at the end.
 */
export function trimmedEnd(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0 && character.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
