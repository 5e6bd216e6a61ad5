import type { SessionMessage } from "../../../shared/domain/sessions/session.ts";
import { factsOf, labelsOf, type Transcript, titleOf } from "./transcript.ts";

/** Characters that Markdown would interpret. */
const MARKUP = /[\\`*_{}[\]<>#|~]/g;
const LINE_ENDS = /[\r\n\u2028\u2029]+/g;

/** The transcript as JSON in chunks: `{session, messages, exported_at}`. */
export async function* jsonOf(transcript: Transcript): AsyncGenerator<string, void> {
  const { messages, includeMetadata, exportedAt } = transcript;
  yield `{"session":${JSON.stringify(sessionOf(transcript))},\n"messages":[`;
  let separator = "\n";
  for await (const batch of messages) {
    const lines = batch.map((message) => JSON.stringify(toJson(message, includeMetadata)));
    yield separator + lines.join(",\n");
    separator = ",\n";
  }
  yield `\n],\n"exported_at":${JSON.stringify(exportedAt)}}\n`;
}

function sessionOf({ session, context, includeMetadata }: Transcript): object {
  const { id, agent_id, user_id, title, status, message_count, total_tokens, created_at, updated_at } = session;
  const { closed_at, archived_at, reason, summary, config, metadata } = session;
  const facts = { id, agent_id, user_id, title, status, message_count, total_tokens, created_at, updated_at };
  const { initial_context, current } = context;
  const added = includeMetadata ? { config, metadata, initial_context, context: current } : {};
  return { ...facts, closed_at, archived_at, reason, summary, ...added };
}

function toJson(
  { id, role, content, metadata, tokens, created_at, occurred_at = created_at }: SessionMessage,
  includeMetadata: boolean,
): object {
  return includeMetadata
    ? { id, role, content, metadata, tokens, occurred_at, created_at }
    : { role, content, occurred_at, created_at };
}

/** The transcript as Markdown in chunks. Message text is kept as written, because it often is Markdown. */
export async function* markdownOf(transcript: Transcript): AsyncGenerator<string, void> {
  const facts = factsOf(transcript).map(([name, value]) => `- **${name}:** ${escaped(value)}`);
  yield `# ${escaped(titleOf(transcript.session))}\n\n${facts.join("\n")}\n`;
  for await (const batch of transcript.messages) {
    yield batch.map((message) => toMarkdown(message, transcript.includeMetadata)).join("");
  }
}

function toMarkdown(message: SessionMessage, includeMetadata: boolean): string {
  const { heading, note } = labelsOf(message);
  const notes = includeMetadata ? `\n\n<sub>${escaped(note)}</sub>` : "";
  return `\n---\n\n### ${heading}\n\n${closedFences(message.content)}${notes}\n`;
}

/** Closes an open code fence, which would otherwise include all following messages. */
function closedFences(content: string): string {
  let open: string | undefined;
  for (const line of content.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark === undefined) continue;
    if (open === undefined) open = mark;
    else if (mark.startsWith(open) && line.trim() === mark) open = undefined;
  }
  return open === undefined ? content : `${content}\n${open}`;
}

function escaped(text: string): string {
  return text.replace(LINE_ENDS, " ").replace(MARKUP, "\\$&");
}
