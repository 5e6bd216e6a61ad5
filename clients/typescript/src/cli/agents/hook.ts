import { createReadStream, existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { MemoryClient } from "../../client.ts";
import { asDataBlock } from "../../prompt.ts";
import { Transport } from "../../transport.ts";
import type { Invocation } from "../command.ts";
import { isFields } from "./edits.ts";
import { IgnoreRules } from "./ignore.ts";
import { userOrDefault } from "./install.ts";
import { findProject, type Project } from "./project.ts";

/** A hook never delays the agent for longer. */
const LIMIT_MS = 2_000;
const MAX_TOKENS = 800;
/** The service rejects longer queries. */
const MAX_QUERY = 1_000;
/** Limits of what is sent of a transcript: the last messages. */
const MAX_MESSAGES = 50;
const MAX_CHARACTERS = 4_000;
/** Text that the agent or a service put into a user's message. */
const NOT_SAID = /^\s*<(?:command-|local-command|system-reminder|memories|task-)/;

type Fields = Record<string, unknown>;

/**
 * Answers a hook of Claude Code: at a session's start, what is known of the project and its user; at its first prompt,
 * what is known for that prompt; before a compaction and at the end, the user's own words are remembered. Says nothing if
 * the service does not answer in time.
 */
export async function runHook({ connection, values }: Invocation): Promise<void> {
  if (["off", "0", "false"].includes(process.env.MEMORY_HOOKS ?? "")) return;
  setTimeout(() => process.exit(0), LIMIT_MS).unref();
  try {
    const given: unknown = JSON.parse(await text(process.stdin));
    if (!isFields(given)) return;
    const user = userOrDefault(values.user);
    const { url: baseUrl, key: apiKey } = connection();
    const options = { baseUrl, apiKey, maxRetries: 0 };
    const project = findProject(typeof given.cwd === "string" ? given.cwd : process.cwd());
    const client = new MemoryClient(options);
    if (given.hook_event_name === "SessionStart") await tell("SessionStart", await knownOf(client, project, user));
    else if (given.hook_event_name !== "UserPromptSubmit") await remember(new Transport(options), given, project, user);
    else if (await isFirst(given)) await tell("UserPromptSubmit", [await recalledFor(client, promptOf(given), user)]);
  } catch {
    // The agent must work without its memory.
  } finally {
    process.exitCode = 0;
  }
}

async function knownOf(client: MemoryClient, { name }: Project, user_id: string): Promise<string[]> {
  const query = `What was decided, preferred and learned about the project ${name}?`;
  const [profile, recalled] = await Promise.allSettled([
    client.profile(user_id),
    client.recall(query, { user_id, max_tokens: MAX_TOKENS }),
  ]);
  return [
    profile.status === "fulfilled" ? profile.value.text : "",
    recalled.status === "fulfilled" ? recalled.value.context : "",
  ];
}

async function recalledFor(client: MemoryClient, query: string, user_id: string): Promise<string> {
  if (query.trim() === "") return "";
  const { context, confident } = await client.recall(query.slice(-MAX_QUERY), { user_id, max_tokens: MAX_TOKENS });
  return confident ? context : "";
}

async function tell(hookEventName: string, texts: string[]): Promise<void> {
  const known = texts.filter((part) => part.trim() !== "");
  if (known.length === 0) return;
  const output = { hookSpecificOutput: { hookEventName, additionalContext: asDataBlock(known.join("\n")) } };
  process.stdout.write(`${JSON.stringify(output)}\n`);
}

/** The documents of Claude Code name the field in two ways. */
function promptOf({ prompt, user_prompt }: Fields): string {
  return [prompt, user_prompt].find((text) => typeof text === "string") ?? "";
}

/** Whether nothing was said in this session: the transcript has no other words of the user than this prompt. */
async function isFirst(given: Fields): Promise<boolean> {
  if (typeof given.transcript_path !== "string" || !existsSync(given.transcript_path)) return true;
  const prompt = promptOf(given).trim();
  for await (const words of wordsOf(given.transcript_path)) if (words.trim() !== prompt) return false;
  return true;
}

async function remember(transport: Transport, given: Fields, project: Project, user_id: string): Promise<void> {
  if (typeof given.transcript_path !== "string") return;
  const rules = IgnoreRules.in(project.root);
  if (rules.ignoresAll()) return;
  const messages = (await lastOf(wordsOf(given.transcript_path), MAX_MESSAGES))
    .filter((content) => !rules.isNamedIn(content, project.root))
    .map((content) => ({ role: "user", content }));
  if (messages.length === 0) return;
  const metadata = { project: project.name, project_id: project.id };
  const body = { messages, user_id, agent_id: "claude-code", metadata };
  await transport.send({ method: "POST", path: "/v3/memories/add", body });
}

async function lastOf<Item>(items: AsyncIterable<Item>, most: number): Promise<Item[]> {
  const kept: Item[] = [];
  for await (const item of items) {
    kept.push(item);
    if (kept.length > most) kept.shift();
  }
  return kept;
}

/** The messages that the user wrote, read as a stream. */
async function* wordsOf(transcript: string): AsyncGenerator<string> {
  const input = createReadStream(transcript);
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (!line.includes('"user"')) continue;
    const content = wordsIn(line);
    if (content !== undefined) yield content;
  }
}

/** The user's words in a line of a transcript; neither results of tools nor what the agent added. */
function wordsIn(line: string): string | undefined {
  const entry = parsed(line);
  if (entry.type !== "user" || entry.isMeta === true || entry.isSidechain === true) return undefined;
  const { content } = isFields(entry.message) ? entry.message : {};
  const parts = typeof content === "string" ? [content] : Array.isArray(content) ? content.map(textOf) : [];
  const words = parts.filter((part) => part.trim() !== "" && !NOT_SAID.test(part)).join("\n");
  return words === "" || words.length > MAX_CHARACTERS ? undefined : words;
}

function textOf(part: unknown): string {
  return isFields(part) && part.type === "text" && typeof part.text === "string" ? part.text : "";
}

function parsed(line: string): Fields {
  try {
    return Object(JSON.parse(line));
  } catch {
    return {};
  }
}
