import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { inOpenAiMessages } from "./command-formats.ts";
import { WorkingCommands } from "./commands.ts";
import { isFields } from "./edits.ts";
import {
  CLAUDE_CODE,
  CODEX,
  CURSOR,
  OPENCLAW,
  type Said,
  said,
  saidBy,
  type Transcript,
  wordsOf,
} from "./transcripts.ts";

type Fields = Record<string, unknown>;

/** What an agent wants of the memory at an event. */
export interface Wanted {
  /** Where the agent works. */
  folder: string;
  /** What is known of the project and its user. */
  isProjectWanted?: boolean;
  /** What is known for this prompt. */
  prompt?: string | undefined;
  /** Words of the user and of the agent, to be remembered. */
  said?: AsyncIterable<Said> | Iterable<Said>;
}

/** How an agent calls its hooks. docs/agents.md cites the source of each format. */
interface Hook {
  /** Reads what the agent sends; undefined if there is nothing to do. */
  read(given: Fields): Wanted | undefined | Promise<Wanted | undefined>;
  /** Returns the answer that adds a text to the agent's context. */
  write(context: string, given: Fields): object;
}

export const HOOKS: Record<string, Hook> = {
  "claude-code": hookLikeClaudeCode(CLAUDE_CODE),
  codex: hookLikeClaudeCode(CODEX),
  cursor: {
    read(given) {
      const folder = stringIn(given.workspace_roots) ?? process.cwd();
      if (given.hook_event_name === "sessionStart") return { folder, isProjectWanted: true };
      const file = stringIn(given.transcript_path) ?? cursorTranscript(folder, stringIn(given.conversation_id));
      return file === undefined ? undefined : { folder, said: wordsOf(file, CURSOR) };
    },
    write: (context) => ({ additional_context: context }),
  },
  opencode: {
    read: ({ folder, prompt, said }) => ({
      folder: stringIn(folder) ?? process.cwd(),
      ...(typeof prompt === "string" && { isProjectWanted: true, prompt }),
      ...(Array.isArray(said) && {
        said: said.filter(isFields).flatMap(({ role, content }) => saidBy(role, content) ?? []),
      }),
    }),
    write: (context) => ({ context }),
  },
  openclaw: {
    read({ folder, transcript }) {
      const wanted = { folder: stringIn(folder) ?? process.cwd() };
      if (typeof transcript !== "string") return { ...wanted, isProjectWanted: true };
      const file = existsSync(transcript) ? transcript : archiveOf(transcript);
      return file === undefined ? undefined : { ...wanted, said: wordsOf(file, OPENCLAW) };
    },
    write: (context) => ({ context }),
  },
  hermes: {
    read({ hook_event_name, cwd, extra }) {
      const given = isFields(extra) ? extra : {};
      const { user_message, assistant_response, conversation_history, is_first_turn, platform } = given;
      const folder = stringIn(cwd) ?? process.cwd();
      if (hook_event_name === "post_llm_call") {
        const words = [saidBy("user", user_message), saidBy("assistant", assistant_response)];
        const said = [...words.flatMap((each) => each ?? []), ...commandsIn(conversation_history)];
        return isLocal(platform) ? { folder, said } : undefined;
      }
      return is_first_turn === true ? { folder, isProjectWanted: true, prompt: said(user_message) } : undefined;
    },
    write: (context) => ({ context }),
  },
};

/** Codex has the events and fields of Claude Code, but its turns end with `Stop`, and its sessions with no event. */
function hookLikeClaudeCode(format: Transcript): Hook {
  return {
    async read(given) {
      const { hook_event_name: event } = given;
      const folder = stringIn(given.cwd) ?? process.cwd();
      const transcript = stringIn(given.transcript_path);
      if (event === "SessionStart") return { folder, isProjectWanted: true };
      if (transcript === undefined) return undefined;
      if (event !== "UserPromptSubmit")
        return { folder, said: wordsOf(transcript, format, event === "Stop" ? "last" : "all") };
      const prompt = promptOf(given);
      return (await isFirst(transcript, format, prompt)) ? { folder, prompt } : undefined;
    },
    write: (additionalContext, { hook_event_name: hookEventName }) => ({
      hookSpecificOutput: { hookEventName, additionalContext },
    }),
  };
}

/** The documents of Claude Code name the field in two ways. */
function promptOf({ prompt, user_prompt }: Fields): string {
  return stringIn([prompt, user_prompt]) ?? "";
}

/** Whether nothing was said in this session: the transcript has no other words of the user than this prompt. */
async function isFirst(transcript: string, format: Transcript, prompt: string): Promise<boolean> {
  if (!existsSync(transcript)) return true;
  for await (const { role, content } of wordsOf(transcript, format)) {
    if (role === "user" && content.trim() !== prompt.trim()) return false;
  }
  return true;
}

/** The command line of Cursor names no transcript. Its folder is named after the project's path. */
function cursorTranscript(folder: string, id: string | undefined): string | undefined {
  if (id === undefined || path.basename(id) !== id) return undefined;
  const project = folder.replace(/^\//, "").replace(/[^\da-z]/gi, "-");
  const transcripts = path.join(homedir(), ".cursor", "projects", project, "agent-transcripts");
  return [`${id}.jsonl`, path.join(id, `${id}.jsonl`)].map((file) => path.join(transcripts, file)).find(existsSync);
}

/** OpenClaw renames the transcript of a session that is reset. */
function archiveOf(transcript: string): string | undefined {
  const folder = path.dirname(transcript);
  if (!existsSync(folder)) return undefined;
  const archives = readdirSync(folder).filter((file) => file.startsWith(`${path.basename(transcript)}.reset.`));
  const newest = archives.sort().at(-1);
  return newest === undefined ? undefined : path.join(folder, newest);
}

/** The commands that worked in the last turn of a conversation. */
function commandsIn(history: unknown): Said[] {
  const commands = new WorkingCommands();
  for (const message of Array.isArray(history) ? history.filter(isFields) : []) {
    if (message.role === "user") commands.endTurn();
    commands.read(inOpenAiMessages(message));
  }
  return commands.said();
}

/** Whether the user of this machine writes, rather than somebody in a channel. */
function isLocal(platform: unknown): boolean {
  return typeof platform !== "string" || ["", "cli", "tui", "desktop"].includes(platform);
}

function stringIn(value: unknown): string | undefined {
  return [value].flat().find((item) => typeof item === "string");
}
