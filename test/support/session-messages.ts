import type { MessageRole, SessionMessage } from "../../shared/domain/sessions/session.ts";

/** The message of a session at a position, of a user where that is odd, changed by `change`. */
export function newMessage(position: number, change: Partial<SessionMessage> = {}): SessionMessage {
  return {
    id: `msg_${position}`,
    org: "org_1",
    session_id: "sess_1",
    position,
    role: position % 2 === 1 ? "user" : "assistant",
    content: "Hello",
    metadata: {},
    tokens: 1,
    tokens_before: position - 1,
    created_at: "2026-01-01T00:00:00.000Z",
    created_by: "ak_1",
    ...change,
  };
}

/** Messages of lines of the form "role: text". */
export function talk(...lines: string[]): { role: MessageRole; content: string }[] {
  return lines.map((line) => {
    const [role, content] = line.split(/: (.*)/s, 2);
    return { role: role as MessageRole, content: content ?? "" };
  });
}
