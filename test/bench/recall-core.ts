import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { silentLogger } from "../../shared/kernel/logger.ts";
import { createOnnxEmbedder } from "../../shared/models/onnx/onnx-embedder.ts";
import { openLocalSearch } from "../../shared/platform/local/search.ts";
import type { SearchDocument, SearchIndex } from "../../shared/platform/ports.ts";
import { plainWeights } from "../../shared/retrieval/fusion.ts";
import { rank } from "../../shared/retrieval/ranking/rank.ts";
import { spread } from "../../shared/retrieval/spreading.ts";
import { answerable, type Conversation, contentOf, evidenceRecall } from "./locomo.ts";

/** Hits of each query that take part. */
const POOL = 100;
const DEPTH = 10;
const SPREADING = { maxHops: 3, decayFactor: 0.85, threshold: 0.1, budget: 1 };
/** Turns of one conversation, so close in time that their order alone counts. */
const STARTED_AT = Date.UTC(2024, 0, 1);

const MODEL = fileURLToPath(new URL("../../models/minilm-bge-small", import.meta.url));
const embedder = createOnnxEmbedder({ folder: MODEL });

export interface Recall {
  /** Mean evidence recall@10 over all questions. */
  all: number;
  /** The same by category of LoCoMo. */
  byCategory: Map<number, number>;
  questions: number;
}

export type Mode = "plain" | "spreading";

/** Evidence recall of the retrieval algorithms alone, without HTTP and without extracted entities. */
export async function measureRecall(conversations: Conversation[], mode: Mode): Promise<Recall> {
  const folder = mkdtempSync(path.join(tmpdir(), "recall-"));
  const index = openLocalSearch({
    folder,
    embedder,
    embedsLater: false,
    clock: () => STARTED_AT,
    logger: silentLogger,
  });
  try {
    const asked: { category: number; recall: number }[] = [];
    for (const conversation of conversations) {
      await index.upsert(await documentsOf(conversation));
      for (const question of answerable(conversation)) {
        const found = await ask(index, conversation.name, question.question, mode);
        asked.push({ category: question.category, recall: evidenceRecall(question, new Set(found.slice(0, DEPTH))) });
      }
    }
    const categories = Map.groupBy(asked, ({ category }) => category);
    return {
      all: mean(asked),
      byCategory: new Map([...categories].map(([category, own]) => [category, mean(own)])),
      questions: asked.length,
    };
  } finally {
    index.close();
    embedder.close();
    rmSync(folder, { recursive: true });
  }
}

async function ask(index: SearchIndex, org: string, query: string, mode: Mode): Promise<string[]> {
  const [vector] = await embedder.embed([query], { purpose: "query" });
  const scope = { org, now: STARTED_AT };
  const keyword = { text: query, limit: POOL };
  const answer = await index.search({ ...scope, keyword, semantic: vector && { vector, limit: POOL } });
  const ranked = await rank({ embedder, search: index }, { query, answer, scope, now: STARTED_AT });
  const best =
    mode === "plain"
      ? ranked
      : (await spread(index, { ranked, weights: plainWeights(embedder), scope, parameters: SPREADING })).ranked;
  return best.map(({ id }) => id);
}

async function documentsOf({ name, turns }: Conversation): Promise<SearchDocument[]> {
  const contents = turns.map(contentOf);
  const embeddings = await embedder.embed(contents, { purpose: "passage" });
  return turns.flatMap(({ dia_id, session }, place) => {
    const [content, embedding] = [contents[place], embeddings[place]];
    if (content === undefined || embedding === undefined) return [];
    const created_at = new Date(STARTED_AT + place).toISOString();
    const sizes = { original_tokens: 0, compressed_tokens: 0, processing_ms: 0 };
    const origin = { org: name, id: dia_id, version: 1, user_id: name, session_id: session };
    return [
      { ...origin, content, embedding, metadata: {}, entity_ids: [], created_at, updated_at: created_at, ...sizes },
    ];
  });
}

function mean(asked: { recall: number }[]): number {
  return asked.reduce((sum, { recall }) => sum + recall, 0) / asked.length;
}
