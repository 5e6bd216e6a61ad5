import { text } from "node:stream/consumers";
import { MemoryClient } from "../../client.ts";
import { asDataBlock } from "../../prompt.ts";
import { Transport } from "../../transport.ts";
import { type Invocation, UsageError } from "../command.ts";
import { areHooksOff } from "../credentials.ts";
import { isFields } from "./edits.ts";
import { HOOKS, type Wanted } from "./hooks.ts";
import { IgnoreRules } from "./ignore.ts";
import { userOrDefault } from "./install.ts";
import { findProject, type Project } from "./project.ts";

/** A hook never delays the agent for longer. */
const LIMIT_MS = 2_000;
const MAX_TOKENS = 800;
/** The service rejects longer queries. */
const MAX_QUERY = 1_000;
/** Limits of what is sent of a session: the last messages. */
const MAX_MESSAGES = 50;
const MAX_CHARACTERS = 4_000;

/**
 * Answers a hook of an agent: at a session's start, what is known of the project and its user; at its first prompt, what
 * is known for that prompt; before a compaction and at the end, the user's own words are remembered. Says nothing if the
 * service does not answer in time.
 */
export async function runHook({ text: agent, connection, values }: Invocation): Promise<void> {
  const hook = Object.hasOwn(HOOKS, agent) ? HOOKS[agent] : undefined;
  if (!hook) throw new UsageError(`There are no hooks of '${agent}': name one of ${Object.keys(HOOKS).join(", ")}.`);
  if (areHooksOff()) return;
  setTimeout(() => process.exit(0), LIMIT_MS).unref();
  try {
    const given: unknown = JSON.parse(await text(process.stdin));
    const wanted = isFields(given) ? await hook.read(given) : undefined;
    if (!isFields(given) || !wanted) return;
    const user = userOrDefault(values.user);
    const { url: baseUrl, key: apiKey } = connection();
    const options = { baseUrl, apiKey, maxRetries: 0 };
    const project = findProject(wanted.folder);
    await remember(new Transport(options), wanted, { agent, project, user });
    const known = (await recalled(new MemoryClient(options), wanted, project, user)).filter(
      (part) => part.trim() !== "",
    );
    if (known.length > 0) process.stdout.write(`${JSON.stringify(hook.write(asDataBlock(known.join("\n")), given))}\n`);
  } catch {
    // The agent must work without its memory.
  } finally {
    process.exitCode = 0;
  }
}

async function recalled(
  client: MemoryClient,
  { isProjectWanted, prompt = "" }: Wanted,
  { name }: Project,
  user_id: string,
): Promise<string[]> {
  const query = `What was decided, preferred and learned about the project ${name}?`;
  const recall = (words: string) => client.recall(words, { user_id, max_tokens: MAX_TOKENS });
  const asked = await Promise.allSettled([
    isProjectWanted ? client.profile(user_id).then(({ text }) => text) : "",
    isProjectWanted ? recall(query).then(({ context }) => context) : "",
    prompt.trim() === ""
      ? ""
      : recall(prompt.slice(-MAX_QUERY)).then(({ context, confident }) => (confident ? context : "")),
  ]);
  return asked.map((answer) => (answer.status === "fulfilled" ? answer.value : ""));
}

async function remember(
  transport: Transport,
  { said }: Wanted,
  { agent, project, user }: { agent: string; project: Project; user: string },
): Promise<void> {
  if (!said) return;
  const rules = IgnoreRules.in(project.root);
  if (rules.ignoresAll()) return;
  const messages = (await lastOf(said, MAX_MESSAGES))
    .filter((content) => content.trim() !== "" && content.length <= MAX_CHARACTERS)
    .filter((content) => !rules.isNamedIn(content, project.root))
    .map((content) => ({ role: "user", content }));
  if (messages.length === 0) return;
  const metadata = { project: project.name, project_id: project.id };
  const body = { messages, user_id: user, agent_id: agent, metadata };
  await transport.send({ method: "POST", path: "/v3/memories/add", body });
}

async function lastOf<Item>(items: AsyncIterable<Item> | Iterable<Item>, most: number): Promise<Item[]> {
  const kept: Item[] = [];
  for await (const item of items) {
    kept.push(item);
    if (kept.length > most) kept.shift();
  }
  return kept;
}
