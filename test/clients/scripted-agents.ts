import { spawn } from "node:child_process";
import { appendFileSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

/** What the user says, and what the agent answers. */
export type Turn = [user: string, agent: string];

/** An agent that calls what `memory install` put into its files, in the order and with the JSON of the real one. */
export interface ScriptedAgent {
  /** Starts a session with a first prompt, and returns everything that the agent gets to know. */
  open(session: string, prompt: string): Promise<string>;
  /** Has a session to its end. */
  converse(session: string, turns: Turn[]): Promise<void>;
}

interface Place {
  home: string;
  /** Where the agent works. */
  folder: string;
  environment: Record<string, string>;
}

/** Parts of messages that are no words of the user. */
const TOOL_OUTPUT = "120 lines of a tool";
/** What an agent says before it is done. */
const ON_THE_WAY = "The robot looks around first.";

/** Runs a command line as an agent does, with JSON on stdin, and returns the JSON that it prints. */
async function run(command: string, given: object, { environment, folder }: Place) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const child = spawn("sh", ["-c", command], { cwd: folder, env: { PATH, NODE_COMPILE_CACHE, ...environment } });
  child.stdin.end(JSON.stringify(given));
  const printed = await text(child.stdout);
  return printed === "" ? undefined : JSON.parse(printed);
}

function read(...names: string[]): string {
  return readFileSync(path.join(...names), "utf8");
}

function writeLines(file: string, lines: object[]): void {
  mkdirSync(path.dirname(file), { recursive: true });
  appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

const blocks = (words: string) => [{ type: "text", text: words }];

export const SCRIPTED_AGENTS: Record<string, (place: Place) => ScriptedAgent> = {
  /** Fields as in anthropics/claude-code, plugins/plugin-dev/skills/hook-development/SKILL.md at 0abd56c8. */
  "claude-code"(place) {
    const transcript = (session: string) => path.join(place.home, `${session}.jsonl`);
    const { hooks } = JSON.parse(read(place.home, ".claude", "settings.json"));
    const call = (event: string, session: string, more: object) => {
      const common = { session_id: session, transcript_path: transcript(session), cwd: place.folder };
      return run(hooks[event][0].hooks[0].command, { ...common, hook_event_name: event, ...more }, place);
    };
    return groupedHooks(call, async (session, turns) => {
      for (const [user, agent] of turns) {
        writeLines(transcript(session), [
          { type: "user", message: { role: "user", content: user } },
          { type: "assistant", message: { role: "assistant", content: blocks(ON_THE_WAY) } },
          { type: "user", message: { role: "user", content: [{ type: "tool_result", content: TOOL_OUTPUT }] } },
          { type: "assistant", message: { role: "assistant", content: blocks(agent) } },
        ]);
      }
      await call("SessionEnd", session, { reason: "exit" });
    });
  },

  /**
   * Fields as in openai/codex, codex-rs/hooks/schema/generated/*.command.input.schema.json at bde5e187; lines of the
   * transcript as codex-rs/rollout/src/policy.rs keeps them at 0136a731.
   */
  codex(place) {
    const transcript = (session: string) => path.join(place.home, ".codex", "sessions", `rollout-${session}.jsonl`);
    const { hooks } = JSON.parse(read(place.home, ".codex", "hooks.json"));
    const call = (event: string, session: string, more: object) => {
      const common = { session_id: session, transcript_path: transcript(session), cwd: place.folder, model: "any" };
      const given = { ...common, hook_event_name: event, permission_mode: "default", ...more };
      return run(hooks[event][0].hooks[0].command, given, place);
    };
    const line = (type: string, payload: object) => ({ timestamp: "2026-10-01T09:00:00.000Z", type, payload });
    return groupedHooks(call, async (session, turns) => {
      for (const [index, [user, agent]] of turns.entries()) {
        const turn_id = String(index);
        writeLines(transcript(session), [
          line("event_msg", { type: "task_started", turn_id }),
          line("response_item", { type: "message", role: "user", content: [{ type: "input_text", text: user }] }),
          line("event_msg", { type: "user_message", message: user, images: [] }),
          line("event_msg", { type: "agent_message", message: ON_THE_WAY }),
          line("response_item", { type: "function_call_output", call_id: "1", output: TOOL_OUTPUT }),
          line("event_msg", { type: "agent_message", message: agent }),
        ]);
        await call("Stop", session, { turn_id, stop_hook_active: false, last_assistant_message: agent });
        writeLines(transcript(session), [line("event_msg", { type: "task_complete", turn_id })]);
      }
    });
  },

  /** The common fields as in cursor/plugins, continual-learning/hooks at 195d9359; the others are untested. */
  cursor(place) {
    const { hooks } = JSON.parse(read(place.home, ".cursor", "hooks.json"));
    const folder = place.folder.slice(1).replace(/[^\da-z]/gi, "-");
    const transcript = (session: string) =>
      path.join(place.home, ".cursor", "projects", folder, "agent-transcripts", `${session}.jsonl`);
    const call = (event: string, session: string, more: object) => {
      const common = { conversation_id: session, generation_id: "1", workspace_roots: [place.folder] };
      return run(hooks[event][0].command, { ...common, hook_event_name: event, transcript_path: null, ...more }, place);
    };
    return {
      async open(session) {
        const answer = await call("sessionStart", session, { session_id: session, is_background_agent: false });
        return answer?.additional_context ?? "";
      },
      async converse(session, turns) {
        for (const [user, agent] of turns) {
          writeLines(transcript(session), [
            {
              role: "user",
              message: { content: blocks(`<timestamp>today</timestamp>\n<user_query>\n${user}\n</user_query>`) },
            },
            {
              role: "assistant",
              message: { content: [...blocks(ON_THE_WAY), { type: "tool_use", name: "Shell", input: {} }] },
            },
            { role: "assistant", message: { content: blocks(agent) } },
          ]);
        }
        await call("sessionEnd", session, { session_id: session, reason: "completed", final_status: "completed" });
      },
    };
  },

  /**
   * Hooks as in anomalyco/opencode, packages/plugin/src/index.ts at 0d4d22f4; messages of a session as in
   * packages/web/src/content/docs/sdk.mdx at bfa10ca1.
   */
  opencode(place) {
    const messages: { info: { role: string }; parts: object[] }[] = [];
    const file = path.join(place.home, ".config", "opencode", "plugins", "memory-service.js");
    const get = async ({ path: { id } }: { path: { id: string } }) => ({
      data: id === "task" ? { parentID: "1" } : {},
    });
    const loaded = import(pathToFileURL(file).href).then(({ MemoryService }) =>
      MemoryService({
        directory: place.folder,
        client: { session: { get, messages: async () => ({ data: messages }) } },
      }),
    );
    const say = async (session: string, words: string) => {
      const parts = [
        { type: "text", text: words },
        { type: "text", text: TOOL_OUTPUT, synthetic: true },
      ];
      await (await loaded)["chat.message"]({ sessionID: session }, { message: {}, parts });
    };
    return {
      async open(session, prompt) {
        await say(session, prompt);
        const system: string[] = [];
        await (await loaded)["experimental.chat.system.transform"]({ sessionID: session, model: {} }, { system });
        return system.join("\n");
      },
      async converse(session, turns) {
        for (const [user, agent] of turns) {
          await say(session, user);
          messages.push(...[ON_THE_WAY, agent].map((text) => ({ info: { role: "assistant" }, parts: blocks(text) })));
          await say("task", "The agent writes this prompt of a task: I am a robot.");
          const event = { type: "session.idle", properties: { sessionID: session } };
          await (await loaded).event({ event });
        }
      },
    };
  },

  /**
   * Events as in openclaw/openclaw, docs/automation/hooks.md at 00463892; transcripts as in
   * docs/reference/session-management-compaction.md at 010f0c86 and src/hooks/bundled/session-memory/handler.ts at ccd5e4a4.
   */
  openclaw(place) {
    const file = path.join(place.home, ".openclaw", "hooks", "memory-service", "handler.js");
    const loaded = import(pathToFileURL(file).href).then((module) => module.default);
    const call = async (type: string, action: string, context: object, sessionKey = "agent:main:main") =>
      (await loaded)({ type, action, sessionKey, timestamp: new Date(), messages: [], context });
    const bootstrap = async (session: string, sessionKey?: string) => {
      const bootstrapFiles: { content?: string }[] = [];
      await call("agent", "bootstrap", { workspaceDir: place.folder, sessionId: session, bootstrapFiles }, sessionKey);
      return bootstrapFiles.map(({ content }) => content).join("\n");
    };
    return {
      async open(session) {
        const inGroup = await bootstrap(session, "agent:main:telegram:group:1");
        if (inGroup !== "") throw new Error("The hook gave memories of the user to a group chat.");
        return bootstrap(session);
      },
      async converse(session, turns) {
        await bootstrap(session);
        const transcript = path.join(place.home, ".openclaw", "agents", "main", "sessions", `${session}.jsonl`);
        const metadata = 'Conversation info (untrusted metadata):\n```json\n{ "sender": "Robot" }\n```\n\n';
        for (const [user, agent] of turns) {
          writeLines(transcript, [
            {
              type: "message",
              message: { role: "user", content: blocks(`${metadata}[Thu 2026-10-01 09:00 UTC] ${user}`) },
            },
            { type: "message", message: { role: "assistant", content: blocks(ON_THE_WAY) } },
            { type: "message", message: { role: "toolResult", content: blocks(TOOL_OUTPUT) } },
            { type: "message", message: { role: "assistant", content: blocks(agent) } },
          ]);
        }
        await call("session", "compact:before", { sessionId: session, messageCount: turns.length });
        renameSync(transcript, `${transcript}.reset.2026-10-01T09-00-00.000Z`);
        await call("command", "new", { previousSessionEntry: { sessionId: session, sessionFile: transcript } });
      },
    };
  },

  /** Fields as in NousResearch/hermes-agent, website/docs/user-guide/features/hooks.md at 006a5aeb. */
  hermes(place) {
    const config = read(place.home, ".hermes", "config.yaml");
    const commandOf = (event: string) => {
      const [, hook = "{}"] = new RegExp(`^ *${event}:.*\\n *- (\\{.*\\}) #`, "m").exec(config) ?? [];
      return JSON.parse(hook).command;
    };
    const call = (event: string, session: string, extra: object) => {
      const common = { tool_name: null, tool_input: null, session_id: session, cwd: place.folder, profile: "default" };
      const given = { hook_event_name: event, ...common, extra: { platform: "cli", model: "any", ...extra } };
      return run(commandOf(event), given, place);
    };
    return {
      async open(session, prompt) {
        const first = { user_message: prompt, conversation_history: [], is_first_turn: true };
        return (await call("pre_llm_call", session, first))?.context ?? "";
      },
      async converse(session, turns) {
        for (const [user, agent] of turns) {
          await call("post_llm_call", session, {
            user_message: blocks(user),
            assistant_response: agent,
            conversation_history: [{ role: "tool", content: TOOL_OUTPUT }],
          });
        }
      },
    };
  },
};

/** A session of an agent with the hooks of Claude Code. */
function groupedHooks(
  call: (
    event: string,
    session: string,
    more: object,
  ) => Promise<{ hookSpecificOutput: { additionalContext: string } }>,
  converse: ScriptedAgent["converse"],
): ScriptedAgent {
  const contextOf = async (event: string, session: string, more: object) =>
    (await call(event, session, more))?.hookSpecificOutput.additionalContext ?? "";
  return {
    async open(session, prompt) {
      const atStart = await contextOf("SessionStart", session, { source: "startup" });
      return [atStart, await contextOf("UserPromptSubmit", session, { prompt })].join("\n").trim();
    },
    converse,
  };
}
