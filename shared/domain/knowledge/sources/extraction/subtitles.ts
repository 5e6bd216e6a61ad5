import { MarkdownWriter } from "./markdown-writer.ts";
import { UnreadableError } from "./unreadable.ts";

/** The time of a cue; WebVTT may omit hours. */
const TIMES = /^(?<start>(?:\d{1,3}:)?\d{1,2}:\d{2})[.,]\d{1,3}[ \t]+-->[ \t]+(?:\d{1,3}:)?\d{1,2}:\d{2}[.,]\d{1,3}/;
const VOICE = /<v(?:\.[^ >]{0,100})? (?<speaker>[^>]{1,200})>/g;
const TAG = /<[^<>]{0,200}>|\{\\[^{}]{0,200}\}/g;
const ENTITIES: { readonly [entity: string]: string } = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&nbsp;": " " };
const MINUTES = /^\d{1,2}:\d{2}$/;

/** Returns the cues of subtitles (SubRip, WebVTT) with their start times. Throws UnreadableError if there are none. */
export function readSubtitles(text: string): MarkdownWriter {
  const writer = new MarkdownWriter();
  let cue: { start: string; lines: string[] } | undefined;
  let previous = "";
  const endCue = () => {
    const newText = (cue?.lines ?? []).filter((line) => line !== previous).join(" ");
    previous = cue?.lines.at(-1) ?? previous;
    if (cue && newText !== "") {
      writer.pageBreak();
      writer.paragraph(`[${cue.start}] ${newText}`);
    }
    cue = undefined;
  };
  for (const raw of text.split(/\r?\n|\r/)) {
    const line = raw.trim();
    const start = TIMES.exec(line)?.groups?.start;
    if (start !== undefined) {
      endCue();
      cue = { start: MINUTES.test(start) ? `00:${start.padStart(5, "0")}` : start, lines: [] };
    } else if (line === "") endCue();
    else cue?.lines.push(plainText(line));
  }
  endCue();
  if (writer.isEmpty) throw new UnreadableError("it contains no cues");
  return writer;
}

function plainText(line: string): string {
  return line
    .replace(VOICE, "$<speaker>: ")
    .replace(TAG, "")
    .replace(/&(?:amp|lt|gt|nbsp);/g, (entity) => ENTITIES[entity] ?? entity)
    .trim();
}
