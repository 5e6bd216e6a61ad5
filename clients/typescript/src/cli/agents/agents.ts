import path from "node:path";
import { changeJson, type Edit, type Entry, inJson, inToml, inYaml, isFields, setWithin } from "./edits.ts";
import { inSkill } from "./skill.ts";

/** A file of an agent that has an entry of ours. */
interface AgentFile {
  /** Below the home folder. */
  path: string[];
  edit: Edit;
  /** It has nothing but our entry, and is removed with it. */
  isOwn?: true;
}

/** Names the hooks of this program among an agent's others. */
const HOOK = " hook claude-code";
/** Seconds after which Claude Code ends a hook; the hook itself ends after two. */
const HOOK_TIMEOUT = 5;
/** Events of Claude Code with the causes for which a hook runs. */
const EVENTS = {
  SessionStart: "startup|clear|compact",
  UserPromptSubmit: undefined,
  PreCompact: undefined,
  SessionEnd: undefined,
};

const stdio = ({ command, args }: Entry) => ({ command, args });

const skillIn = (...folder: string[]): AgentFile => ({
  path: [...folder, "skills", "memory-service", "SKILL.md"],
  edit: inSkill,
  isOwn: true,
});

/** The agents, by their names on the command line. docs/agents.md cites the source of each format. */
export const AGENTS: Record<string, AgentFile[]> = {
  "claude-code": [
    { path: [".claude.json"], edit: inJson(["mcpServers"], (entry) => ({ type: "stdio", ...stdio(entry) })) },
    { path: [".claude", "settings.json"], edit: claudeHooks },
    skillIn(".claude"),
  ],
  codex: [{ path: [".codex", "config.toml"], edit: inToml }, skillIn(".agents")],
  cursor: [{ path: [".cursor", "mcp.json"], edit: inJson(["mcpServers"], stdio) }, skillIn(".cursor")],
  opencode: [
    {
      path: [".config", "opencode", "opencode.json"],
      edit: inJson(["mcp"], ({ command, args }) => ({ type: "local", command: [command, ...args], enabled: true })),
    },
    skillIn(".config", "opencode"),
  ],
  openclaw: [{ path: [".openclaw", "openclaw.json"], edit: inJson(["mcp", "servers"], stdio) }, skillIn(".openclaw")],
  hermes: [{ path: [".hermes", "config.yaml"], edit: inYaml }, skillIn(".hermes")],
};

export function fileIn(home: string, file: AgentFile): string {
  return path.join(home, ...file.path);
}

/** The hooks of Claude Code, beside those of others. */
function claudeHooks(text: string, entry: Entry | undefined): string {
  return changeJson(text, (root) => {
    for (const [event, matcher] of Object.entries(EVENTS)) {
      const hooks = isFields(root.hooks) ? root.hooks[event] : undefined;
      const others = (Array.isArray(hooks) ? hooks : []).filter((group) => !JSON.stringify(group).includes(HOOK));
      const own = entry && {
        ...(matcher !== undefined && { matcher }),
        hooks: [{ type: "command", command: hookCommand(entry), timeout: HOOK_TIMEOUT }],
      };
      const groups = own ? [...others, own] : others;
      if (groups.length > 0 || hooks !== undefined) {
        setWithin(root, ["hooks", event], groups.length > 0 ? groups : undefined);
      }
    }
  });
}

/** The command line of a hook: that of the tools, with another command. */
function hookCommand({ command, args }: Entry): string {
  const [program = "", _mcp, ...options] = args;
  return `${quoted(command)} ${quoted(program)}${HOOK} ${options.map(quoted).join(" ")}`.trimEnd();
}

function quoted(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  return process.platform === "win32" ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`;
}
