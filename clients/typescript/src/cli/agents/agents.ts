import path from "node:path";
import { pathToFileURL } from "node:url";
import { changeJson, type Edit, type Entry, inJson, inToml, isFields, setWithin } from "./edits.ts";
import { inSkill } from "./skill.ts";
import { inYaml } from "./yaml.ts";

/** A file of an agent that has an entry of ours. */
interface AgentFile {
  /** Below the home folder. */
  path: string[];
  edit: Edit;
}

/** Seconds after which an agent ends a hook; the hook itself ends after two. */
const HOOK_TIMEOUT = 5;
/** Causes of a session start at which the hook recalls memories. A resumed session still has them in its context. */
const STARTS = "startup|clear|compact";
/** Events of agents with the causes for which a hook runs. */
const CLAUDE_CODE_EVENTS = {
  SessionStart: STARTS,
  UserPromptSubmit: undefined,
  PreCompact: undefined,
  SessionEnd: undefined,
};
const CODEX_EVENTS = { SessionStart: STARTS, UserPromptSubmit: undefined, PreCompact: undefined, Stop: undefined };
const CURSOR_EVENTS = ["sessionStart", "preCompact", "sessionEnd"];
const HERMES_EVENTS = ["pre_llm_call", "post_llm_call"];

const stdio = ({ command, args }: Entry) => ({ command, args });

const skillIn = (...folder: string[]): AgentFile => ({
  path: [...folder, "skills", "memory-service", "SKILL.md"],
  edit: inSkill,
});

/** The agents, by their names on the command line. docs/agents.md cites the source of each format. */
export const AGENTS: Record<string, AgentFile[]> = {
  "claude-code": [
    { path: [".claude.json"], edit: inJson(["mcpServers"], (entry) => ({ type: "stdio", ...stdio(entry) })) },
    { path: [".claude", "settings.json"], edit: hookGroups("claude-code", CLAUDE_CODE_EVENTS) },
    skillIn(".claude"),
  ],
  codex: [
    { path: [".codex", "config.toml"], edit: inToml },
    { path: [".codex", "hooks.json"], edit: hookGroups("codex", CODEX_EVENTS) },
    skillIn(".agents"),
  ],
  cursor: [
    { path: [".cursor", "mcp.json"], edit: inJson(["mcpServers"], stdio) },
    { path: [".cursor", "hooks.json"], edit: cursorHooks },
    skillIn(".cursor"),
  ],
  opencode: [
    {
      path: [".config", "opencode", "opencode.json"],
      edit: inJson(["mcp"], ({ command, args }) => ({ type: "local", command: [command, ...args], enabled: true })),
    },
    {
      path: [".config", "opencode", "plugins", "memory-service.js"],
      edit: inModule("opencode", "opencode-plugin", "createPlugin", "const MemoryService ="),
    },
    skillIn(".config", "opencode"),
  ],
  openclaw: [
    {
      path: [".openclaw", "openclaw.json"],
      edit: inTurn(
        inJson(["mcp", "servers"], stdio),
        inJson(["hooks", "internal", "entries"], () => ({ enabled: true })),
      ),
    },
    { path: [".openclaw", "hooks", "memory-service", "HOOK.md"], edit: openClawHook },
    {
      path: [".openclaw", "hooks", "memory-service", "handler.js"],
      edit: inModule("openclaw", "openclaw-hook", "createHook", "default"),
    },
    skillIn(".openclaw"),
  ],
  hermes: [
    {
      path: [".hermes", "config.yaml"],
      edit: inYaml([
        { keys: ["mcp_servers"], toLine: (entry) => `memory-service: ${JSON.stringify(entry)}` },
        ...HERMES_EVENTS.map((event) => ({
          keys: ["hooks", event],
          toLine: (entry: Entry) =>
            `- ${JSON.stringify({ command: hookCommand(entry, "hermes"), timeout: HOOK_TIMEOUT })}`,
        })),
      ]),
    },
    skillIn(".hermes"),
  ],
};

export function fileIn(home: string, file: AgentFile): string {
  return path.join(home, ...file.path);
}

function inTurn(...edits: Edit[]): Edit {
  return (text, entry) => edits.reduce((edited, edit) => edit(edited, entry), text);
}

/** Hooks in groups of one cause, beside those of others. */
function hookGroups(agent: string, events: Record<string, string | undefined>): Edit {
  return (text, entry) =>
    changeJson(text, (root) => {
      for (const [event, matcher] of Object.entries(events)) {
        setHook(
          root,
          event,
          agent,
          entry && {
            ...(matcher !== undefined && { matcher }),
            hooks: [{ type: "command", command: hookCommand(entry, agent), timeout: HOOK_TIMEOUT }],
          },
        );
      }
    });
}

function cursorHooks(text: string, entry: Entry | undefined): string {
  return changeJson(text, (root) => {
    for (const event of CURSOR_EVENTS) {
      setHook(root, event, "cursor", entry && { command: hookCommand(entry, "cursor"), timeout: HOOK_TIMEOUT });
    }
    if (entry) root.version ??= 1;
    else if (Object.keys(root).join() === "version") delete root.version;
  });
}

/** Puts our hook of an event behind those of others; without a hook, removes it. */
function setHook(root: Record<string, unknown>, event: string, agent: string, hook: object | undefined): void {
  const hooks = isFields(root.hooks) ? root.hooks[event] : undefined;
  const others = (Array.isArray(hooks) ? hooks : []).filter((each) => !JSON.stringify(each).includes(` hook ${agent}`));
  const all = hook ? [...others, hook] : others;
  if (all.length > 0 || hooks !== undefined) {
    setWithin(root, ["hooks", event], all.length > 0 ? all : undefined);
  }
}

/** A module that an agent loads; the code is in the package of the entry's program. */
function inModule(agent: string, file: string, factory: string, exported: string): Edit {
  return (_text, entry) => {
    if (entry === undefined) return "";
    const [program = ""] = entry.args;
    const url = pathToFileURL(path.join(path.dirname(program), "cli", "agents", file + path.extname(program)));
    const hook = { command: entry.command, args: hookArguments(entry, agent) };
    return `import { ${factory} } from ${JSON.stringify(url)};

export ${exported} ${factory}(${JSON.stringify(hook)});
`;
  };
}

function openClawHook(_text: string, entry: Entry | undefined): string {
  if (entry === undefined) return "";
  const events = ["agent:bootstrap", "session:compact:before", "command:new", "command:reset"];
  return `---
name: memory-service
description: Recalls what is known at the start of a session, and remembers what was said.
metadata: ${JSON.stringify({ openclaw: { events } })}
---

# Long-term memory

At the start of a session, the agent gets what the memory service knows of the user and the project. Before a compaction and at \`/new\` or
\`/reset\`, the words of the user and the answers are remembered. \`memory hooks off\` switches this off.
`;
}

/** The command line of a hook: that of the tools, with another command. */
function hookCommand(entry: Entry, agent: string): string {
  return [entry.command, ...hookArguments(entry, agent)].map(quoted).join(" ");
}

function hookArguments({ args }: Entry, agent: string): string[] {
  const [program = "", _mcp, ...options] = args;
  return [program, "hook", agent, ...options];
}

function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return process.platform === "win32" ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`;
}
