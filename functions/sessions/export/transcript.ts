import type { Session, SessionContext, SessionMessage } from "../../../shared/domain/sessions/session.ts";
import { ServiceError } from "../../../shared/kernel/errors.ts";

/** A session to export. */
export interface Transcript {
  session: Session;
  context: Pick<SessionContext, "initial_context" | "current">;
  /** All messages in order, in batches; can be read once. */
  messages: AsyncIterable<SessionMessage[]>;
  /** Whether to include metadata, context, ids and token counts. */
  includeMetadata: boolean;
  /** ISO 8601. */
  exportedAt: string;
}

/** The title of a transcript. */
export function titleOf({ title, id }: Pick<Session, "title" | "id">): string {
  return title ?? `Session ${id}`;
}

/** Properties of a session above its messages; absent ones are left out. */
export function factsOf({ session, includeMetadata, exportedAt }: Transcript): [name: string, value: string][] {
  const { user_id, agent_id, status, message_count, total_tokens, metadata } = session;
  const all: [string, string | undefined][] = [
    ["Session", session.id],
    ["User", user_id],
    ["Agent", agent_id],
    ["Status", status],
    ["Begun", session.created_at],
    ["Closed", session.closed_at],
    ["Archived", session.archived_at],
    ["Reason", session.reason],
    ["Messages", String(message_count)],
    ["Tokens", includeMetadata ? String(total_tokens) : undefined],
    ["Metadata", includeMetadata && Object.keys(metadata).length > 0 ? JSON.stringify(metadata) : undefined],
    ["Exported", exportedAt],
    ["Summary", session.summary],
  ];
  return all.filter((fact): fact is [string, string] => fact[1] !== undefined);
}

/** Returns the heading of a message, and the note that is shown below it if metadata is included. */
export function labelsOf(message: SessionMessage): { heading: string; note: string } {
  const { role, created_at, occurred_at = created_at, id, tokens, metadata } = message;
  const heading = `${role.charAt(0).toUpperCase()}${role.slice(1)} · ${occurred_at}`;
  const added = Object.keys(metadata).length > 0 ? ` · ${JSON.stringify(metadata)}` : "";
  return { heading, note: `${id} · ${tokens} tokens${added}` };
}

export function tooLongForPdf({ id, message_count }: Session): ServiceError {
  return new ServiceError("PAYLOAD_TOO_LARGE", "The session is too long for a PDF. Export it as markdown or json.", {
    session_id: id,
    message_count,
  });
}
