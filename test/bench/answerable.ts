/**
 * `npm run bench:answerable [-- fit|development|test|stranger]`: stores ten accounts (by default of `test`, on which nothing is
 * fitted), and asks `POST /recall` what they have an answer to and what not: whether `confident` says it, and how long
 * the block is. Uses the service at BASE_URL with API_KEY if both are set, else its own instance.
 */
import { parseArgs } from "node:util";
import type { Service } from "../support/service.ts";
import {
  type Account,
  type AccountFile,
  type AccountQuestion,
  ASKED_AT,
  FILES,
  groupOf,
  type Kind,
  readAccounts,
} from "./answerable/accounts.ts";
import { demand, reachService } from "./stored-conversations.ts";

const BATCH = 100;
const POLL_MS = 200;
const MAX_TOKENS = 300;

interface Asked {
  question: AccountQuestion;
  isConfident: boolean;
  tokens: number;
  /** Whether the first result of a search has the answer. */
  isFirst: boolean;
}

const { positionals, values: options } = parseArgs({
  allowPositionals: true,
  options: { verbose: { type: "boolean", default: false } },
});
const isFile = (name: string): name is AccountFile => FILES.some((each) => each === name);
const [file = "test"] = positionals;
if (!isFile(file)) throw new Error(`name one of ${FILES.join(", ")}`);

const { service, close } = await reachService();
try {
  const accounts = readAccounts(file);
  const run = Date.now();
  const users = new Map(accounts.map((account) => [account, `${account.id}-${run}`]));
  for (const [account, user] of users) await store(service, account, user);
  while ((await demand(service, "GET", "/status")).index.pending > 0)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  const asked: Asked[] = [];
  for (const [{ questions }, user] of users)
    for (const question of questions) asked.push(await ask(service, question, user));
  print(asked);
} finally {
  await close();
}

async function store(service: Service, { memories }: Account, user: string): Promise<void> {
  for (let start = 0; start < memories.length; start += BATCH) {
    const batch = memories.slice(start, start + BATCH).map((memory) => ({ ...memory, user_id: user }));
    await demand(service, "POST", "/memories/batch", { body: { memories: batch } });
  }
}

async function ask(service: Service, question: AccountQuestion, user: string): Promise<Asked> {
  const { text, answer } = question;
  const body = { query: text, user_id: user, max_tokens: MAX_TOKENS, now: ASKED_AT };
  const { confident, tokens } = await demand(service, "POST", "/recall", { body });
  const query = new URLSearchParams({ q: text, user_id: user, limit: "1", now: ASKED_AT });
  const { results } = await demand(service, "GET", `/search?${query}`);
  const first: string = results[0]?.content ?? "";
  const isFirst = answer !== undefined && first.toLowerCase().includes(answer.toLowerCase());
  if (options.verbose && confident !== (answer !== undefined)) console.log(question.kind, text, "|", first);
  return { question, isConfident: confident, tokens, isFirst };
}

function print(asked: Asked[]): void {
  const shares = (own: Asked[]) => ({
    questions: own.length,
    "not confident": mean(own, ({ isConfident }) => (isConfident ? 0 : 1)),
    "tokens of the block": Math.round(mean(own, ({ tokens }) => tokens)),
    "answer first": own.some(({ question }) => question.answer === undefined)
      ? ""
      : mean(own, ({ isFirst }) => (isFirst ? 1 : 0)),
  });
  const table = (groups: Map<string, Asked[]>) =>
    console.table(Object.fromEntries([...groups].map(([name, own]) => [name, shares(own)])));
  table(Map.groupBy(asked, ({ question }) => groupOf(question)));
  table(
    Map.groupBy(asked, ({ question: { kind, answer } }): `${Kind}${string}` =>
      answer === undefined || kind === "answered" ? kind : `${kind}, with an answer`,
    ),
  );
}

function mean(asked: Asked[], figureOf: (one: Asked) => number): number {
  const sum = asked.reduce((all, one) => all + figureOf(one), 0);
  return Number((sum / asked.length).toFixed(3));
}
