import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type ChatRequest, startChatCompletions, type Turn } from "../fixtures/chat-completions-server.ts";
import { createOrganization, type LocalService, openService } from "./service.ts";

const FOLDER = new URL("../fixtures/model-conversations/", import.meta.url);

/** A fact that a careful reader of a conversation expects: `past` ones may be listed, but not as current. */
interface Expected {
  subject: string;
  attribute: string;
  value: string;
  isPast: boolean;
}

/** A conversation with what its writer expects to stand in the facts of its user afterwards. */
export interface ModelConversation {
  number: string;
  language: string;
  user: string;
  at: string;
  messages: { role: string; content: string }[];
  wanted: Expected[];
  /** True, but not wanted by everybody. */
  allowed: Expected[];
  /** Words that occur in no current value. */
  wrong: string[];
}

export const CONVERSATIONS: ModelConversation[] = readText("conversations.txt")
  .split(/^(?=# \d)/m)
  .map(conversationIn);

/** The recorded prompt of each conversation. */
export const PROMPTS = readText("prompts.txt")
  .split(/^#{8} \d+\n/m)
  .slice(1);

function readText(name: string): string {
  return readFileSync(new URL(name, FOLDER), "utf8");
}

/** Answers of models: by the author of the conversations, and by two others who saw the prompts alone. */
export const RECORDINGS = ["capable", "capable-other", "sloppy", "sloppy-other"] as const;
export type Recording = (typeof RECORDINGS)[number];

/** Returns what a model answered to each recorded prompt, as it wrote it. */
function answersOf(name: Recording): string[] {
  return readText(`${name}.txt`)
    .split(/^#{8} \d+\n/m)
    .slice(1);
}

function conversationIn(text: string): ModelConversation {
  const [heading = "", ...lines] = text.trimEnd().split("\n");
  const [, number = "", language = "", user = "", at = ""] = heading.split(" ");
  const messages: ModelConversation["messages"] = [];
  const marked: Record<string, string[]> = { "=": [], "~": [], "-": [] };
  for (const line of lines) {
    const [, speaker, said] = /^([ua]): (.*)$/.exec(line) ?? [];
    const [, mark = "", words = ""] = /^([=~-]) (.*)$/.exec(line) ?? [];
    const last = messages.at(-1);
    if (said !== undefined) messages.push({ role: speaker === "u" ? "user" : "assistant", content: said });
    else if (mark !== "") marked[mark]?.push(words);
    else if (last !== undefined) last.content += `\n${line}`;
  }
  for (const message of messages) message.content = message.content.trimEnd();
  const [wanted = [], allowed = []] = [marked["="], marked["~"]].map((own) => own?.map(expectedIn));
  return { number, language, user, at, messages, wanted, allowed, wrong: marked["-"] ?? [] };
}

function expectedIn(line: string): Expected {
  const [subject = "", attribute = "", value = "", status] = line.split(" | ");
  return { subject, attribute, value, isPast: status === "past" };
}

/** A turn of a model that answers the recorded prompts in their order; `prompts` gets what it was asked. */
function replaying(answers: string[], prompts: string[]) {
  return ({ messages }: ChatRequest["body"]): Turn => {
    // Observations of what is stored are asked for in the background.
    if (messages[1]?.content.startsWith("Messages:\n")) return { says: '{"observations":[]}' };
    // A repair shows the model its mistakes, and a retry asks the same again: both get the same answer.
    const prompt = messages[1]?.content ?? "";
    if (messages.length === 2 && prompt !== prompts.at(-1)) prompts.push(prompt);
    return { says: answers[prompts.length - 1] ?? '{"facts":[]}' };
  };
}

const POLL_MS = 20;

/** A service whose language model answers the recorded prompts, with the prompts that it was asked. */
export async function openReplay(name: Recording) {
  const prompts: string[] = [];
  const server = await startChatCompletions(replaying(answersOf(name), prompts));
  const service = await openService({
    LANGUAGE_MODEL: "openai",
    OPENAI_BASE_URL: server.baseUrl,
    OPENAI_MODEL: name,
    FACT_READER: "rules",
  });
  const { key } = await createOrganization(service);
  const close = async () => {
    await service.close();
    await server.close();
  };
  return { service, key, prompts, close };
}

/** Stores a conversation, waits for its result, and returns how its facts are. */
export async function replay(service: LocalService, key: string, conversation: ModelConversation): Promise<Judged> {
  const { messages, user, at } = conversation;
  // The prompt has what the index knows.
  await service.runtime.drainChangeFeed();
  const request = { messages, user_id: user, timestamp: Math.floor(Date.parse(at) / 1000) };
  const added = await service.request("POST", "/v3/memories/add/", { key, body: request });
  for (let status = ""; status !== "SUCCEEDED"; await sleep(POLL_MS)) {
    status = (await service.request("GET", `/v1/event/${added.body.event_id}/`, { key })).body.status;
    if (status === "FAILED") throw new Error(`conversation ${conversation.number} was not stored`);
  }
  const { body } = await service.request("GET", `/facts?user_id=${user}&limit=100`, { key });
  return judge(body.data.facts, conversation);
}

export interface Judged {
  listed: number;
  right: number;
  wanted: number;
  read: number;
  /** Facts that are not right, and expected ones that are missing, as lines. */
  mistakes: string[];
}

interface ListedFact {
  subject: string;
  attribute: string;
  value: string;
  status: string;
}

/** What is a plan in the conversation may be over when the test runs. */
const HOLDING = ["current", "planned"];
const TIMED = ["plan", "event"];

/** Compares the facts of a user with what the writer of the conversation expects. */
function judge(facts: ListedFact[], { wanted, allowed, wrong }: ModelConversation): Judged {
  const holds = ({ status, attribute }: ListedFact) => HOLDING.includes(status) || TIMED.includes(attribute);
  const isRight = (fact: ListedFact) =>
    !(holds(fact) && wrong.some((word) => fact.value.includes(word))) &&
    [...wanted, ...allowed].some((expected) => states(fact, expected) && !(expected.isPast && holds(fact)));
  const told = (fact: ListedFact) => `${fact.subject} | ${fact.attribute} | ${fact.value} | ${fact.status}`;
  const missing = wanted.filter((expected) => !facts.some((fact) => holds(fact) && states(fact, expected)));
  const mistaken = facts.filter((fact) => !isRight(fact));
  return {
    listed: facts.length,
    right: facts.length - mistaken.length,
    wanted: wanted.length,
    read: wanted.length - missing.length,
    mistakes: [
      ...mistaken.map((fact) => `wrong: ${told(fact)}`),
      ...missing.map(({ subject, attribute, value }) => `missing: ${subject} | ${attribute} | ${value}`),
    ],
  };
}

function states(fact: ListedFact, { subject, attribute, value }: Expected): boolean {
  const isOf = fact.subject.toLowerCase() === subject.toLowerCase() && fact.attribute === attribute;
  return isOf && fact.value.toLowerCase().includes(value.toLowerCase());
}
