/**
 * `npm run demo -- FILE`: stores a LoCoMo conversation turn by turn, asks its questions and prints how much of the
 * evidence search finds. Uses the service at BASE_URL with API_KEY when both are set, else one of its own.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { Presets, SingleBar } from "cli-progress";
import { openHost } from "../../infra/local/host.ts";
import { loadConfig } from "../../shared/kernel/config.ts";
import { createClient, type RequestOptions, type Service } from "../support/service.ts";
import {
  ANSWERABLE,
  answerable,
  type Conversation,
  evidenceRecall,
  type Question,
  readConversation,
  type SpokenTurn,
} from "./locomo.ts";

const BATCH_SIZE = 100;
const DEPTH = 10;
const ANSWERS_SHOWN = 5;
const PREVIEW_LENGTH = 110;

interface ReachedService {
  service: Service;
  close(): Promise<void>;
}

interface Hit {
  content: string;
  metadata: { dia_id: string };
}

interface Asked {
  question: Question;
  hits: Hit[];
  recall: number;
}

const { positionals } = parseArgs({ allowPositionals: true });
const [file] = positionals;
if (file === undefined) {
  console.error("Name a LoCoMo conversation: npm run demo -- FILE");
  process.exit(1);
}
const conversation = readConversation(file);
const { service, close } = await reachService();
try {
  await storeConversation(service, conversation);
  const asked = await askQuestions(service, conversation);
  showAnswers(asked);
  showRecall(asked);
} finally {
  await close();
}

async function reachService(): Promise<ReachedService> {
  const { BASE_URL, API_KEY } = process.env;
  if (BASE_URL && API_KEY) return { service: createClient(BASE_URL, API_KEY), close: async () => {} };
  const folder = mkdtempSync(path.join(tmpdir(), "memory-service-demo-"));
  const host = await openHost(loadConfig({ DATA_DIR: folder, PORT: "0", LOG_LEVEL: "warn" }));
  const close = async () => {
    await host.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { service: createClient(await host.listen(), host.firstKey.secret), close };
}

/** Stores each turn once: a conversation that is there from an earlier run is left as it is. */
async function storeConversation(service: Service, { name, turns }: Conversation): Promise<void> {
  const listed = await demand(service, "GET", `/memories?user_id=${userOf(name)}&limit=1`);
  const { total } = listed.pagination;
  if (total === turns.length) return console.log(`${total} memories of ${userOf(name)} are there already`);
  if (total > 0) throw new Error(`${userOf(name)} has ${total} memories of something else; delete them first`);
  const bar = new SingleBar(
    { format: "storing {bar} {value}/{total} memories, {duration_formatted}", noTTYOutput: !process.stdout.isTTY },
    Presets.shades_classic,
  );
  bar.start(turns.length, 0);
  for (let start = 0; start < turns.length; start += BATCH_SIZE) {
    const memories = turns.slice(start, start + BATCH_SIZE).map((turn) => toMemory(name, turn));
    const { created, failed } = await demand(service, "POST", "/memories/batch", { body: { memories } });
    if (failed.length > 0) throw new Error(`memories were refused: ${JSON.stringify(failed)}`);
    bar.increment(created.length);
  }
  bar.stop();
}

function userOf(conversationName: string): string {
  return `locomo-${conversationName}`;
}

function toMemory(name: string, { dia_id, speaker, text, blip_caption, session, sessionDateTime }: SpokenTurn) {
  const picture = blip_caption === undefined ? "" : ` [shares a picture: ${blip_caption}]`;
  return {
    content: `${speaker}: ${text}${picture}`,
    user_id: userOf(name),
    metadata: { session_id: session, dia_id, speaker, session_date_time: sessionDateTime },
  };
}

async function askQuestions(service: Service, conversation: Conversation): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const question of answerable(conversation)) {
    const query = new URLSearchParams({
      q: question.question,
      user_id: userOf(conversation.name),
      threshold: "0",
      limit: String(DEPTH),
    });
    const { results } = await demand(service, "GET", `/search?${query}`);
    const hits: Hit[] = results;
    const found = new Set(hits.map(({ metadata }) => metadata.dia_id));
    asked.push({ question, hits, recall: evidenceRecall(question, found) });
  }
  return asked;
}

/** The data of an answer. Throws on any that is no success. */
async function demand(service: Service, method: string, path: string, options?: RequestOptions) {
  const { status, body } = await service.request(method, path, options);
  if (status >= 300) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(body)}`);
  return body.data;
}

function showAnswers(asked: Asked[]): void {
  const answered = asked.filter(({ recall }) => recall === 1);
  const step = Math.max(1, Math.floor(answered.length / ANSWERS_SHOWN));
  for (const { question, hits } of answered.filter((_, place) => place % step === 0).slice(0, ANSWERS_SHOWN)) {
    console.log(`\n? ${question.question}  (expected: ${question.answer})`);
    for (const [place, { content, metadata }] of hits.entries()) {
      if (!question.evidence.includes(metadata.dia_id)) continue;
      console.log(`  ${place + 1}. ${metadata.dia_id} ${content.replace(/\s+/g, " ").slice(0, PREVIEW_LENGTH)}`);
    }
  }
}

function showRecall(asked: Asked[]): void {
  const parts = [...ANSWERABLE].map(([category, name]) => ({
    questions: `${category} ${name}`,
    part: asked.filter(({ question }) => question.category === category),
  }));
  console.log("\nEvidence recall: the share of the turns with the answer that are among the hits, mean over questions");
  console.table(
    [...parts, { questions: "all", part: asked }].map(({ questions, part }) => ({
      questions,
      asked: part.length,
      [`recall@${DEPTH}`]: meanRecall(part),
    })),
  );
}

function meanRecall(asked: Asked[]): string {
  if (asked.length === 0) return "-";
  return (asked.reduce((sum, { recall }) => sum + recall, 0) / asked.length).toFixed(3);
}
