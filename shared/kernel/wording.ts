/** The text on one line, cut between words if it is longer than `maxLength` characters, including `…`. */
export function excerpt(text: string, maxLength: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= maxLength) return line;
  const cut = line.slice(0, maxLength - 1);
  const wordEnd = cut.lastIndexOf(" ");
  return `${cut.slice(0, wordEnd > maxLength / 2 ? wordEnd : undefined).toWellFormed()}…`;
}

/** The text with an upper-case first letter. */
export function sentenceCase(text: string): string {
  const [first = ""] = text;
  return first.toUpperCase() + text.slice(first.length);
}
