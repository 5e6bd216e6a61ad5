import { askHook } from "./ask-hook.ts";
import { inOpenCodeParts } from "./command-formats.ts";
import { WorkingCommands } from "./commands.ts";
import type { Entry } from "./edits.ts";
import { type Said, said, saidBy } from "./transcripts.ts";

/** What the plugin uses of OpenCode, whose types are in packages/plugin/src/index.ts of its repository. */
interface Input {
  directory: string;
  client: {
    session: {
      get(request: OfSession): Promise<{ data?: { parentID?: string } }>;
      messages(request: OfSession): Promise<{ data?: { info: { role: string }; parts: Part[] }[] }>;
    };
  };
}

interface OfSession {
  path: { id: string };
}

interface Part {
  synthetic?: boolean;
}

interface Session {
  context: string;
  /** Words of the user that are not yet remembered. */
  said: Said[];
}

/**
 * A plugin of OpenCode: recalls once at the first prompt of a session, and adds it to the system prompt, which OpenCode
 * does not keep. Before a compaction and after each turn, the user's words are remembered, then with the agent's answer.
 */
export function createPlugin(hook: Entry) {
  return async ({ directory: folder, client }: Input) => {
    const sessions = new Map<string, Session>();
    const remember = async (id: string, answerOf?: (id: string) => Promise<Said[]>) => {
      const words = sessions.get(id)?.said.splice(0) ?? [];
      if (words.length > 0) await askHook(hook, { folder, said: [...words, ...((await answerOf?.(id)) ?? [])] });
    };
    /** The last message of the session, if the agent wrote it, and the commands that worked since the last prompt. */
    const answerIn = async (id: string): Promise<Said[]> => {
      const { data: messages = [] } = await client.session.messages({ path: { id } });
      const last = messages.at(-1);
      const answer = last && saidBy(last.info.role, last.parts.filter(isWritten));
      const commands = new WorkingCommands();
      for (const { info, parts } of messages) {
        if (info.role === "user") commands.endTurn();
        commands.read(inOpenCodeParts(parts));
      }
      return [...(answer?.role === "assistant" ? [answer] : []), ...commands.said()];
    };
    // A session with a parent is that of a task, whose prompts the agent writes.
    const isOfUser = async (id: string) => (await client.session.get({ path: { id } })).data?.parentID === undefined;

    return {
      "chat.message": async ({ sessionID: id }: { sessionID: string }, { parts }: { parts: Part[] }) => {
        const prompt = said(parts.filter(isWritten));
        if (prompt === "" || !(await isOfUser(id))) return;
        const session = sessions.get(id) ?? { context: await askHook(hook, { folder, prompt }), said: [] };
        session.said.push({ role: "user", content: prompt });
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
        if (event.type === "session.idle") await remember(event.properties?.sessionID ?? "", answerIn);
        if (event.type === "session.deleted") sessions.delete(event.properties?.info?.id ?? "");
      },
    };
  };
}

/** Whether somebody wrote a part, rather than OpenCode. */
function isWritten({ synthetic }: Part): boolean {
  return synthetic !== true;
}
