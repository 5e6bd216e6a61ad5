import { type ImportEntry, UnreadableImportError } from "./entry.ts";
import { foreignRow } from "./other-services.ts";

/** Maximum characters of a file of notes. */
const MAX_LENGTH = 5_000_000;
/** A longer section is stored by its paragraphs. */
const MAX_SECTION_LENGTH = 2_000;
const FRONT_MATTER = /^---\r?\n(?<fields>[\s\S]{0,20000}?)\r?\n---\r?\n/;
const DATE_FIELD =
  /^(?:date|created|created_at):\s*["']?(?<date>\d{4}-\d{2}-\d{2}(?:T[\d:.]{5,15}(?:Z|[+-]\d{2}:\d{2}))?)/im;
const HEADING = /^(?<marks>#{1,6})\s+(?<title>\S.*)$/;
const FENCE = /^\s{0,3}(?:```|~~~)/;

/**
 * The sections of notes in Markdown, as of CLAUDE.md, AGENTS.md or an Obsidian vault: each becomes a memory with its file
 * and headings as metadata. A section imported twice is stored once. Throws UnreadableImportError.
 */
export function rowsOfMarkdown(file: string, markdown: string): ImportEntry[] {
  if (markdown.length > MAX_LENGTH) {
    throw new UnreadableImportError(`${file} has more than ${MAX_LENGTH} characters. Upload it as a source.`);
  }
  const front = FRONT_MATTER.exec(markdown);
  const date = DATE_FIELD.exec(front?.groups?.fields ?? "")?.groups?.date;
  const body = front ? markdown.slice(front[0].length) : markdown;
  return sectionsOf(body).flatMap(({ headings, text }) =>
    piecesOf(text).map((content) =>
      foreignRow("markdown", [file, headings, content], {
        ...{ content, occurred_at: date },
        metadata: { file, section: headings.join(" > ") },
      }),
    ),
  );
}

function sectionsOf(body: string): { headings: string[]; text: string }[] {
  const sections: { headings: string[]; text: string }[] = [];
  let path: { level: number; title: string }[] = [];
  let lines: string[] = [];
  let isCode = false;
  const end = () => {
    const text = lines.join("\n").trim();
    if (text !== "") sections.push({ headings: path.map(({ title }) => title), text });
    lines = [];
  };
  for (const line of body.split(/\r?\n/)) {
    if (FENCE.test(line)) isCode = !isCode;
    const { marks, title } = (isCode ? undefined : HEADING.exec(line)?.groups) ?? {};
    if (marks === undefined || title === undefined) lines.push(line);
    else {
      end();
      path = [...path.filter(({ level }) => level < marks.length), { level: marks.length, title: title.trim() }];
    }
  }
  end();
  return sections;
}

function piecesOf(text: string): string[] {
  if (text.length <= MAX_SECTION_LENGTH) return [text];
  return text.split(/\n{2,}/).flatMap((paragraph) => (paragraph.trim() === "" ? [] : [paragraph.trim()]));
}
