import { text } from "node:stream/consumers";
import type { ProfileAnswer, RecallAnswer } from "../../api.ts";
import { MemoryClient } from "../../client.ts";
import { asDataBlock, asItem } from "../../prompt.ts";
import { Transport } from "../../transport.ts";
import { type Invocation, UsageError } from "../command.ts";
import { areHooksOff } from "../credentials.ts";
import { isFields } from "./edits.ts";
import { HOOKS, type Wanted } from "./hooks.ts";
import { IgnoreRules } from "./ignore.ts";
import { userOrDefault } from "./install.ts";
import { findProject, type Project } from "./project.ts";

/** A hook never delays the agent by more than two seconds: milliseconds since its process began, with time to end. */
const LIMIT_MS = 1_800;
/** Time to write what was answered when the rest was not. */
const WRITING_MS = 100;
const MAX_TOKENS = 800;
/** The service rejects longer queries. */
const MAX_QUERY = 1_000;
/** Limits of what is sent of a session: the last messages. */
const MAX_MESSAGES = 50;
const MAX_CHARACTERS = 4_000;
const ELSEWHERE = "Said in other projects:";
const MAX_ELSEWHERE = 3;

/**
 * Answers a hook of an agent: at a session's start, what is known of the project and its user; at its first prompt, what
 * is known for that prompt; before a compaction and at the end, the words of the user and the agent are remembered. Says
 * only what the service answers in time.
 */
export async function runHook({ text: agent, connection, values }: Invocation): Promise<void> {
  const hook = Object.hasOwn(HOOKS, agent) ? HOOKS[agent] : undefined;
  if (!hook) throw new UsageError(`There are no hooks of '${agent}': name one of ${Object.keys(HOOKS).join(", ")}.`);
  if (areHooksOff()) return;
  setTimeout(() => process.exit(0), LIMIT_MS - performance.now()).unref();
  try {
    const given: unknown = JSON.parse(await text(process.stdin));
    const wanted = isFields(given) ? await hook.read(given) : undefined;
    if (!isFields(given) || !wanted) return;
    const user = userOrDefault(values.user);
    const { url: baseUrl, key: apiKey } = connection();
    const project = findProject(wanted.folder);
    const timeoutMs = Math.max(1, Math.floor(LIMIT_MS - WRITING_MS - performance.now()));
    const options = { baseUrl, apiKey, maxRetries: 0, timeoutMs };
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
  { name, id: project_id }: Project,
  user_id: string,
): Promise<string[]> {
  const scope = { user_id, max_tokens: MAX_TOKENS };
  const within = { project_id };
  const query = `What was decided, preferred and learned about the project ${name}?`;
  const asked = prompt.trim().slice(-MAX_QUERY);
  const [profile, ofProject, here, anywhere] = await Promise.all([
    isProjectWanted ? answered(client.profile(user_id)) : undefined,
    isProjectWanted ? answered(client.recall(query, { ...scope, within })) : undefined,
    asked === "" ? undefined : answered(client.recall(asked, { ...scope, within })),
    asked === "" ? undefined : answered(client.recall(asked, scope)),
  ]);
  const elsewhere = anywhere?.confident ? linesElsewhere(anywhere.items, here?.items ?? [], project_id) : [];
  return [
    ...(profile ? linesAbout(profile) : []),
    ofProject?.context ?? "",
    here?.confident ? here.context : "",
    ...(elsewhere.length > 0 ? [ELSEWHERE, ...elsewhere] : []),
  ];
}

/** Returns an answer, or undefined if the service does not give one in time. */
function answered<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  return answer.catch(() => undefined);
}

/** What answers the prompt better than anything of this project, but is of another one. */
function linesElsewhere(anywhere: RecallAnswer["items"], here: RecallAnswer["items"], project_id: string): string[] {
  const best = Math.max(0, ...here.map(({ score }) => score));
  return anywhere
    .filter(({ score, metadata: { project_id: other } = {} }) => score > best && other && other !== project_id)
    .slice(0, MAX_ELSEWHERE)
    .map(({ content, metadata = {} }) => `- ${metadata.project}: ${asItem(content)}`);
}

/** The profile without plans and decisions, which belong to projects: a recall tells those of this project. */
function linesAbout({ sections, derived = [] }: ProfileAnswer): string[] {
  const ofPerson = sections.filter(({ name }) => name !== "plans");
  const listed = ({ text }: { text: string }) => `- ${text}`;
  return [
    ...ofPerson.flatMap(({ name, lines }) => [`${name.replace("_", " ")}:`, ...lines.map(listed)]),
    ...derived.map(listed),
  ];
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
    .filter(({ content }) => content.length <= MAX_CHARACTERS)
    .filter(({ content }) => !rules.isNamedIn(content, project.root));
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
