import { homedir } from "node:os";
import path from "node:path";
import { askHook } from "./ask-hook.ts";
import type { Entry } from "./edits.ts";

/** What the hook uses of OpenClaw's events, which docs/automation/hooks.md of its repository describes. */
interface Event {
  type: string;
  action: string;
  sessionKey: string;
  context: {
    workspaceDir?: string;
    bootstrapFiles?: object[];
    sessionId?: string;
    sessionEntry?: SessionEntry;
    previousSessionEntry?: SessionEntry;
  };
}

interface SessionEntry {
  sessionId?: string;
  sessionFile?: string;
}

/** Sessions in which others write, or nobody does. */
const NOT_OF_USER = /(?:^|:)(?:group|channel|room|topic|thread|subagent|cron|hook)(?::|$)/;
const MAX_SESSIONS = 100;

/**
 * A hook of OpenClaw: recalls once in a session and adds it to the files of the workspace that the agent reads. Before a
 * compaction, and when a session is reset, the words of the user and the agent are remembered.
 */
export function createHook(hook: Entry) {
  /** What was recalled, by session; a run of the agent asks for it again. */
  const recalled = new Map<string, Promise<string>>();
  const folders = new Map<string, string>();

  return async ({ type, action, sessionKey, context }: Event): Promise<void> => {
    if (NOT_OF_USER.test(sessionKey)) return;
    if (context.workspaceDir !== undefined) keep(folders, sessionKey, context.workspaceDir);
    const folder = folders.get(sessionKey);
    if (type === "agent" && action === "bootstrap") {
      const session = context.sessionId ?? sessionKey;
      const asked = recalled.get(session) ?? askHook(hook, { folder });
      keep(recalled, session, asked);
      const content = await asked;
      const file = { name: "MEMORY.md", path: path.join(folder ?? "", "memory-service.md"), content, missing: false };
      if (content !== "") context.bootstrapFiles?.push(file);
      return;
    }
    const { sessionId = context.sessionId, sessionFile } = context.previousSessionEntry ?? context.sessionEntry ?? {};
    const transcript = sessionFile ?? transcriptOf(sessionKey, sessionId);
    recalled.delete(sessionKey);
    if (transcript !== undefined) await askHook(hook, { folder, transcript });
  };
}

/** Keeps a value as the newest, and the newest ones alone. */
function keep<Value>(values: Map<string, Value>, key: string, value: Value): void {
  values.delete(key);
  values.set(key, value);
  const [oldest] = values.keys();
  if (values.size > MAX_SESSIONS && oldest !== undefined) values.delete(oldest);
}

/** Where OpenClaw keeps the transcript of a session whose key begins with `agent:` and the agent's id. */
function transcriptOf(sessionKey: string, id: string | undefined): string | undefined {
  const [, agent] = sessionKey.split(":");
  if (id === undefined || agent === undefined) return undefined;
  const state = process.env.OPENCLAW_STATE_DIR ?? path.join(homedir(), ".openclaw");
  return path.join(state, "agents", path.basename(agent), "sessions", `${path.basename(id)}.jsonl`);
}
