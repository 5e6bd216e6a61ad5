/**
 * A text without the characters at its end that a pattern of one character matches. A pattern with `+$` takes time by the
 * square of a run that is not at the end.
 */
export function trimmedEnd(text: string, character: RegExp): string {
  let end = text.length;
  while (end > 0 && character.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
