/** HTML that is already escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

type Part = Html | Html[] | string | number | undefined;

/** Builds HTML from a template; inserted text is escaped, `undefined` is empty. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(strings.reduce((all, text, index) => all + toText(parts[index - 1]) + text));
}

/** HTML that is known to be safe: the page's own style and script. */
export function verbatim(text: string): Html {
  return new Html(text);
}

function toText(part: Part): string {
  if (part === undefined) return "";
  if (Array.isArray(part)) return part.join("");
  return part instanceof Html ? part.text : escapeText(String(part));
}

const ESCAPES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** Plain text with `code` in backticks and blank lines between paragraphs. */
export function prose(text: string): Html[] {
  return text.split(/\n{2,}/).map((paragraph) => html`<p>${withCode(paragraph)}</p>`);
}

function withCode(text: string): Html[] {
  return text.split("`").map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`));
}
