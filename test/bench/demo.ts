/**
 * `npm run demo -- FILE`: stores a LoCoMo conversation turn by turn, asks its questions and prints how much of the
 * evidence search finds. Uses the service at BASE_URL with API_KEY if both are set, else its own instance.
 */
import { parseArgs } from "node:util";
import type { Service } from "../support/service.ts";
import {
  ANSWERABLE,
  answerable,
  type Conversation,
  evidenceRecall,
  type Question,
  readConversation,
} from "./locomo.ts";
import { demand, reachService, storeConversation, userOf } from "./stored-conversations.ts";

const DEPTH = 10;
const ANSWERS_SHOWN = 5;
const PREVIEW_LENGTH = 110;

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

function showAnswers(asked: Asked[]): void {
  const answered = asked.filter(({ recall }) => recall === 1);
  const step = Math.max(1, Math.floor(answered.length / ANSWERS_SHOWN));
  for (const { question, hits } of answered.filter((_, index) => index % step === 0).slice(0, ANSWERS_SHOWN)) {
    console.log(`\n? ${question.question}  (expected: ${question.answer})`);
    for (const [index, { content, metadata }] of hits.entries()) {
      if (!question.evidence.includes(metadata.dia_id)) continue;
      console.log(`  ${index + 1}. ${metadata.dia_id} ${content.replace(/\s+/g, " ").slice(0, PREVIEW_LENGTH)}`);
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
