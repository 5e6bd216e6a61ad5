/**
 * Measures the cost of language models per stored memory: requests and o200k tokens of POST /v3/memories/add, against a
 * stand-in that states each line of its prompt's text. Some conversations are small talk, some are sent again.
 */
import { loadTokenCounter } from "../../shared/domain/compression/condensing/tokens.ts";
import { type ChatRequest, startChatCompletions } from "../fixtures/chat-completions-server.ts";
import { Generator } from "./corpus.ts";
import { report } from "./report.ts";
import { serve } from "./served.ts";
import { sized } from "./sizes.ts";

const CONVERSATIONS = sized(60, 12);
const STATEMENTS = 3;
/** Every fourth conversation is small talk, and every fourth is a repetition. */
const KINDS = 4;
const POLL_MS = 50;
const MAX_POLLS = 600;

const { count } = await loadTokenCounter();
const text = new Generator(7);
const tokens = { told: 0, sent: 0 };
const model = await startChatCompletions(answer);
const service = await serve(undefined, { LANGUAGE_MODEL: "openai", OPENAI_BASE_URL: model.baseUrl });
const memories = new Set<string>();
let previous = conversation();
for (let index = 0; index < CONVERSATIONS; index++) {
  const messages =
    index % KINDS === 1 ? ["Hi there!", "Thanks a lot!"] : index % KINDS === 2 ? previous : conversation();
  previous = messages;
  tokens.told += count(messages.join("\n"));
  for (const id of await add(messages)) memories.add(id);
}
await service.close();
await model.close();
report([
  {
    what: "requests to a language model, a conversation added",
    value: model.requests.length / CONVERSATIONS,
    unit: "",
    limit: { atMost: 1 },
    from: `${CONVERSATIONS} conversations of ${STATEMENTS} statements, a quarter small talk, a quarter sent again`,
  },
  {
    what: "requests to a language model, a memory stored",
    value: model.requests.length / memories.size,
    unit: "",
    headline: true,
    from: `${model.requests.length} requests, ${memories.size} memories`,
  },
  {
    what: "tokens to and from a language model, a memory stored",
    baseline: "tokens of the messages, a memory",
    value: tokens.sent / tokens.told,
    unit: "x",
    headline: true,
    from: `${Math.round(tokens.sent / memories.size)} : ${Math.round(tokens.told / memories.size)} tokens`,
  },
]);

function conversation(): string[] {
  return Array.from({ length: STATEMENTS }, () => text.memory());
}

function answer({ messages }: ChatRequest["body"]) {
  const prompt = messages.map(({ content }) => content).join("\n");
  const said = prompt.slice(prompt.lastIndexOf("\nText:\n") + 1).split("\n");
  const facts = said.slice(1).map((line) => {
    const content = line.slice(line.indexOf(": ") + 2).slice(0, 400);
    return { content, confidence: 0.9, category: "other", relation: "new" };
  });
  const says = JSON.stringify({ facts, entities: [] });
  const usage = { prompt_tokens: count(prompt), completion_tokens: count(says) };
  tokens.sent += usage.prompt_tokens + usage.completion_tokens;
  return { says, usage };
}

/** Returns the ids of the memories created from a conversation. */
async function add(contents: string[]): Promise<string[]> {
  const messages = contents.map((content) => ({ role: "user", content }));
  const { event_id } = await demand("POST", "/v3/memories/add/", { messages, user_id: "bench" });
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    const event = await demand("GET", `/v1/event/${event_id}/`);
    if (event.status === "SUCCEEDED") return event.results.map(({ id }: { id: string }) => id);
    if (event.status === "FAILED") throw new Error(`an add failed: ${JSON.stringify(event.errors)}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error("an add does not end");
}

async function demand(method: string, path: string, body?: object) {
  const answered = await service.request(method, path, body === undefined ? {} : { body });
  if (answered.status >= 300) throw new Error(`${path} answered ${answered.status}: ${JSON.stringify(answered.body)}`);
  return answered.body;
}
