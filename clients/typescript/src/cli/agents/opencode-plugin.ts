import { askHook } from "./ask-hook.ts";
import type { Entry } from "./edits.ts";
import { said } from "./transcripts.ts";

/** What the plugin uses of OpenCode, whose types are in packages/plugin/src/index.ts of its repository. */
interface Input {
  directory: string;
  client: { session: { get(request: { path: { id: string } }): Promise<{ data?: { parentID?: string } }> } };
}

interface Session {
  context: string;
  /** Words of the user that are not yet remembered. */
  said: string[];
}

/**
 * A plugin of OpenCode: recalls once at the first prompt of a session, and adds it to the system prompt, which OpenCode
 * does not keep. After each turn and before a compaction, the user's words are remembered.
 */
export function createPlugin(hook: Entry) {
  return async ({ directory: folder, client }: Input) => {
    const sessions = new Map<string, Session>();
    const remember = async (id: string) => {
      const words = sessions.get(id)?.said.splice(0) ?? [];
      if (words.length > 0) await askHook(hook, { folder, said: words });
    };
    // A session with a parent is that of a task, whose prompts the agent writes.
    const isOfUser = async (id: string) => (await client.session.get({ path: { id } })).data?.parentID === undefined;

    return {
      "chat.message": async ({ sessionID: id }: { sessionID: string }, { parts }: { parts: object[] }) => {
        const prompt = said(parts.filter((part) => !("synthetic" in part && part.synthetic === true)));
        if (prompt === "" || !(await isOfUser(id))) return;
        const session = sessions.get(id) ?? { context: await askHook(hook, { folder, prompt }), said: [] };
        session.said.push(prompt);
        sessions.set(id, session);
      },
      "experimental.chat.system.transform": async (
        { sessionID: id }: { sessionID?: string },
        { system }: { system: string[] },
      ) => {
        const context = sessions.get(id ?? "")?.context ?? "";
        if (context !== "") system.push(context);
      },
      "experimental.session.compacting": ({ sessionID: id }: { sessionID: string }) => remember(id),
      event: async ({
        event,
      }: {
        event: { type: string; properties?: { sessionID?: string; info?: { id?: string } } };
      }) => {
        if (event.type === "session.idle") await remember(event.properties?.sessionID ?? "");
        if (event.type === "session.deleted") sessions.delete(event.properties?.info?.id ?? "");
      },
    };
  };
}
