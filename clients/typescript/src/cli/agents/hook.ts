import { createReadStream } from "node:fs";
import path from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { MemoryClient } from "../../client.ts";
import { asDataBlock } from "../../prompt.ts";
import { Transport } from "../../transport.ts";
import type { Invocation } from "../command.ts";
import { isFields } from "./edits.ts";

/** A hook never delays the agent for longer. */
const LIMIT_MS = 2_000;
const MAX_TOKENS = 800;
/** Limits of what is sent of a transcript: the last messages. */
const MAX_MESSAGES = 50;
const MAX_CHARACTERS = 4_000;
/** Text that the agent or a service put into a user's message. */
const NOT_SAID = /^\s*<(?:command-|local-command|system-reminder|memories|task-)/;

type Fields = Record<string, unknown>;

/**
 * Answers a hook of Claude Code: at a session's start, what is known of the project and its user; before a compaction
 * and at the end, the user's own words are remembered. Says nothing if the service does not answer in time.
 */
export async function runHook({ connection, values: { user = "" } }: Invocation): Promise<void> {
  if (["off", "0", "false"].includes(process.env.MEMORY_HOOKS ?? "")) return;
  setTimeout(() => process.exit(0), LIMIT_MS).unref();
  try {
    const given: unknown = JSON.parse(await text(process.stdin));
    if (!isFields(given)) return;
    const { url: baseUrl, key: apiKey } = connection();
    const options = { baseUrl, apiKey, maxRetries: 0 };
    if (given.hook_event_name === "SessionStart") await tell(new MemoryClient(options), given, user);
    else await remember(new Transport(options), given, user);
  } catch {
    // The agent must work without its memory.
  } finally {
    process.exitCode = 0;
  }
}

async function tell(client: MemoryClient, given: Fields, user_id: string): Promise<void> {
  const project = projectOf(given);
  const query = `What was decided, preferred and learned about the project ${project}?`;
  const [profile, recalled] = await Promise.allSettled([
    client.profile(user_id),
    client.recall(query, { user_id, max_tokens: MAX_TOKENS }),
  ]);
  const texts = [
    profile.status === "fulfilled" ? profile.value.text : "",
    recalled.status === "fulfilled" ? recalled.value.context : "",
  ];
  const known = texts.filter((part) => part.trim() !== "");
  if (known.length === 0) return;
  const additionalContext = asDataBlock(known.join("\n"));
  const output = { hookSpecificOutput: { hookEventName: "SessionStart", additionalContext } };
  process.stdout.write(`${JSON.stringify(output)}\n`);
}

async function remember(transport: Transport, given: Fields, user_id: string): Promise<void> {
  if (typeof given.transcript_path !== "string") return;
  const messages = await saidIn(given.transcript_path);
  if (messages.length === 0) return;
  const metadata = { project: projectOf(given) };
  const body = { messages, user_id, agent_id: "claude-code", metadata };
  await transport.send({ method: "POST", path: "/v3/memories/add", body });
}

/** The last messages that the user wrote, read as a stream. */
async function saidIn(transcript: string): Promise<{ role: "user"; content: string }[]> {
  const said: { role: "user"; content: string }[] = [];
  for await (const line of createInterface({
    input: createReadStream(transcript),
    crlfDelay: Number.POSITIVE_INFINITY,
  })) {
    if (!line.includes('"user"')) continue;
    const content = wordsIn(line);
    if (content === undefined) continue;
    said.push({ role: "user", content });
    if (said.length > MAX_MESSAGES) said.shift();
  }
  return said;
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

function projectOf({ cwd }: Fields): string {
  return path.basename(typeof cwd === "string" ? cwd : process.cwd());
}
