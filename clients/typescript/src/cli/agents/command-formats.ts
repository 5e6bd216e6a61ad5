import type { CommandEvent } from "./commands.ts";
import { isFields } from "./edits.ts";

type Fields = Record<string, unknown>;

/** The commands in an entry of a transcript. docs/agents.md cites the source of each format. */
export type CommandReader = (entry: Fields) => CommandEvent[];

/** Claude Code: blocks of Anthropic's messages. */
export function inAnthropicBlocks({ message, isSidechain }: Fields): CommandEvent[] {
  if (!isFields(message) || isSidechain === true) return [];
  return fieldsIn(message.content).flatMap(({ type, id, name, input, tool_use_id, is_error }) => {
    if (type === "tool_use" && name === "Bash" && isFields(input) && typeof input.description === "string") {
      return started(id, input.command, input.description);
    }
    return type === "tool_result" ? ended(tool_use_id, is_error !== true) : [];
  });
}

/** Codex: calls of functions, whose output begins with the exit code. A long command ends in a later call. */
export function inCodexItems(): CommandReader {
  /** The call that started a process, by the number of its session, and by later calls that wait for it. */
  const waiting = new Map<unknown, string>();
  return ({ type, payload }) => {
    if (type !== "response_item" || !isFields(payload) || typeof payload.call_id !== "string") return [];
    const { call_id: id, name } = payload;
    if (payload.type === "function_call") {
      const given = parsed(payload.arguments);
      if (name === "exec_command") return started(id, given.cmd);
      if (name === "shell_command") return started(id, given.command);
      const first = name === "write_stdin" ? waiting.get(given.session_id) : undefined;
      if (first !== undefined) waiting.set(id, first);
      return [];
    }
    if (payload.type !== "function_call_output") return [];
    const [head = ""] = textOf(payload.output).split(/^Output:/m, 1);
    const first = waiting.get(id) ?? id;
    const [, session] = /^Process running with session ID (-?\d+)/m.exec(head) ?? [];
    if (session !== undefined) waiting.set(Number(session), first);
    const [, code] = /^(?:Exit code:|Process exited with code) (-?\d+)/m.exec(head) ?? [];
    return code === undefined ? [] : ended(first, code === "0");
  };
}

/** OpenClaw: messages with calls of `exec`, and results whose details have the exit code. */
export function inOpenClawMessages({ type, message }: Fields): CommandEvent[] {
  if (type !== "message" || !isFields(message)) return [];
  if (message.role === "toolResult") {
    const { exitCode } = isFields(message.details) ? message.details : {};
    return typeof exitCode === "number" ? ended(message.toolCallId, exitCode === 0 && message.isError !== true) : [];
  }
  return fieldsIn(message.content).flatMap(({ type: kind, name, id, arguments: given }) =>
    kind === "toolCall" && name === "exec" && isFields(given) ? started(id, given.command) : [],
  );
}

/** OpenCode: the part of a message that has both the call and its result. */
export function inOpenCodeParts(parts: unknown): CommandEvent[] {
  return fieldsIn(parts).flatMap(({ type, tool, callID, state }) => {
    if (type !== "tool" || tool !== "bash" || !isFields(state) || !isFields(state.input)) return [];
    const { command, description } = state.input;
    const { exit } = isFields(state.metadata) ? state.metadata : {};
    return [...started(callID, command, description), ...ended(callID, state.status === "completed" && exit === 0)];
  });
}

/** Hermes: messages of OpenAI's form, with calls of `terminal` and results as JSON. */
export function inOpenAiMessages({ role, content, tool_calls, tool_call_id }: Fields): CommandEvent[] {
  if (role === "tool") {
    const { exit_code, session_id } = parsed(content);
    // Of a process in the background, 0 says that it was started.
    return typeof exit_code === "number" && session_id === undefined ? ended(tool_call_id, exit_code === 0) : [];
  }
  return fieldsIn(tool_calls).flatMap(({ id, function: called }) =>
    isFields(called) && called.name === "terminal" ? started(id, parsed(called.arguments).command) : [],
  );
}

function started(id: unknown, text: unknown, description?: unknown): CommandEvent[] {
  if (typeof id !== "string" || typeof text !== "string") return [];
  return [{ id, text, ...(typeof description === "string" && { description }) }];
}

function ended(id: unknown, hasWorked: boolean): CommandEvent[] {
  return typeof id === "string" ? [{ id, hasWorked }] : [];
}

function fieldsIn(list: unknown): Fields[] {
  return Array.isArray(list) ? list.filter(isFields) : [];
}

function textOf(output: unknown): string {
  if (typeof output === "string") return output;
  return fieldsIn(output)
    .map(({ text }) => (typeof text === "string" ? text : ""))
    .join("\n");
}

/** The fields of a JSON object; none if it is something else. */
export function parsed(json: unknown): Fields {
  try {
    const value: unknown = JSON.parse(String(json));
    return isFields(value) ? value : {};
  } catch {
    return {};
  }
}
