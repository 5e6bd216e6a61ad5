import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { LocalSearchIndex } from "../../shared/adapters/local/search.ts";
import { createOnnxEmbedder } from "../../shared/domain/models/onnx/onnx-embedder.ts";
import { plainWeights } from "../../shared/domain/retrieval/ranking/fusion.ts";
import { rank } from "../../shared/domain/retrieval/ranking/rank.ts";
import { spread } from "../../shared/domain/retrieval/spreading.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import { Query } from "../../shared/language/questions/query.ts";
import type { SearchDocument, SearchIndex } from "../../shared/ports/search-index.ts";
import { answerable, type Conversation, contentOf, evidenceRecall } from "./locomo.ts";

/** Hits per query that are fused. */
const POOL = 100;
const DEPTH = 10;
const SPREADING = { maxHops: 3, decayFactor: 0.85, threshold: 0.1, budget: 1 };
/** Start of a conversation; its turns are so close in time that only their order matters. */
const STARTED_AT = Date.UTC(2024, 0, 1);

const MODEL = fileURLToPath(new URL("../../models/multilingual-e5-small", import.meta.url));
const embedder = createOnnxEmbedder({ folder: MODEL });

export interface Recall {
  /** Mean evidence recall@10 over all questions. */
  all: number;
  /** The same by LoCoMo category. */
  byCategory: Map<number, number>;
  questions: number;
}

const MODES = ["plain", "spreading"] as const;
type Mode = (typeof MODES)[number];

interface Asked {
  category: number;
  recall: number;
}

/** Measures evidence recall of the retrieval algorithms alone, without HTTP and without extracted entities. */
export async function measureRecall(conversations: Conversation[]): Promise<Record<Mode, Recall>> {
  const folder = mkdtempSync(path.join(tmpdir(), "recall-"));
  const index = new LocalSearchIndex({
    folder,
    embedder,
    embedsLater: false,
    clock: () => STARTED_AT,
    logger: silentLogger,
  });
  try {
    const asked: Record<Mode, Asked[]> = { plain: [], spreading: [] };
    for (const conversation of conversations) {
      await index.upsert(await documentsOf(conversation));
      for (const question of answerable(conversation)) {
        const found = await ask(index, conversation.name, question.question);
        for (const mode of MODES) {
          const recall = evidenceRecall(question, new Set(found[mode].slice(0, DEPTH)));
          asked[mode].push({ category: question.category, recall });
        }
      }
    }
    return { plain: recallOf(asked.plain), spreading: recallOf(asked.spreading) };
  } finally {
    index.close();
    embedder.close();
    rmSync(folder, { recursive: true });
  }
}

async function ask(index: SearchIndex, org: string, query: string): Promise<Record<Mode, string[]>> {
  const [vector] = await embedder.embed([query], { purpose: "query" });
  const scope = { org, now: STARTED_AT };
  const keyword = { text: query, limit: POOL };
  const answer = await index.search({ ...scope, keyword, semantic: vector && { vector, limit: POOL } });
  const ranked = await rank({ embedder, search: index }, { query: new Query(query), answer, scope, now: STARTED_AT });
  const spreading = await spread(index, { ranked, weights: plainWeights(embedder), scope, parameters: SPREADING });
  return { plain: ranked.map(({ id }) => id), spreading: spreading.ranked.map(({ id }) => id) };
}

function recallOf(asked: Asked[]): Recall {
  const categories = Map.groupBy(asked, ({ category }) => category);
  return {
    all: mean(asked),
    byCategory: new Map([...categories].map(([category, own]) => [category, mean(own)])),
    questions: asked.length,
  };
}

async function documentsOf({ name, turns }: Conversation): Promise<SearchDocument[]> {
  const contents = turns.map(contentOf);
  const embeddings = await embedder.embed(contents, { purpose: "passage" });
  return turns.flatMap(({ dia_id, session }, position) => {
    const [content, embedding] = [contents[position], embeddings[position]];
    if (content === undefined || embedding === undefined) return [];
    const created_at = new Date(STARTED_AT + position).toISOString();
    const sizes = { original_tokens: 0, compressed_tokens: 0, processing_ms: 0 };
    const origin = { org: name, id: dia_id, version: 1, user_id: name, session_id: session };
    return [
      { ...origin, content, embedding, metadata: {}, entity_ids: [], created_at, updated_at: created_at, ...sizes },
    ];
  });
}

function mean(asked: Asked[]): number {
  return asked.reduce((sum, { recall }) => sum + recall, 0) / asked.length;
}
