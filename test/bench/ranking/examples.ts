import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { LocalSearchIndex } from "../../../shared/adapters/local/search.ts";
import { createOnnxEmbedder } from "../../../shared/domain/models/onnx/onnx-embedder.ts";
import { filtersAround, mergeAnswers } from "../../../shared/domain/retrieval/asked-time.ts";
import {
  type Question as Asked,
  type Features,
  type Candidate as Found,
  featuresOf,
} from "../../../shared/domain/retrieval/ranking/features.ts";
import type { FoundTogether } from "../../../shared/domain/retrieval/ranking/fusion.ts";
import { readNeighbours, toCandidates } from "../../../shared/domain/retrieval/ranking/rank.ts";
import { silentLogger } from "../../../shared/kernel/logger.ts";
import { inBatches } from "../../../shared/kernel/parallel.ts";
import { askedRanges } from "../../../shared/language/dates/asked.ts";
import { Query } from "../../../shared/language/questions/query.ts";
import type { Embedder } from "../../../shared/ports/embedder.ts";
import type { SearchAnswer, SearchFilters, SearchIndex } from "../../../shared/ports/search-index.ts";
import { type Example, toVector } from "./fit.ts";
import type { Question, QuestionSet, Stored } from "./questions.ts";

const POOL = 100;
const BATCH = 64;

/** The hits of a question in an index that holds the set's texts. */
export interface Searched {
  question: Question;
  asked: Asked;
  answer: SearchAnswer;
  found: Found[];
  /** The features of the hits, in the same order. */
  features: Features[];
}

export type Search = (set: Pick<QuestionSet, "stored" | "questions">) => Promise<Searched[]>;

/** Searches sets with the model in a folder; its process ends when `run` ends. */
export async function withOnnx<Result>(folder: string, run: (search: Search) => Promise<Result>): Promise<Result> {
  const embedder = createOnnxEmbedder({ folder });
  try {
    return await run((set) => searchSet(embedder, set));
  } finally {
    embedder.close();
  }
}

/**
 * Searches an index that holds the set's texts for each question. Evidence of questions with `hidesEvidence` is not
 * found.
 */
export async function searchSet(
  embedder: Embedder,
  { stored, questions }: Pick<QuestionSet, "stored" | "questions">,
): Promise<Searched[]> {
  const folder = mkdtempSync(path.join(tmpdir(), "ranking-"));
  const index = new LocalSearchIndex({ folder, embedder, embedsLater: false, clock: Date.now, logger: silentLogger });
  try {
    const vectors = new Map<string, Float32Array>();
    for (const batch of inBatches(stored, BATCH)) await store(index, { embedder, vectors }, batch);
    const searched: Searched[] = [];
    for (const question of questions) searched.push(await ask(index, embedder, question));
    return searched;
  } finally {
    index.close();
    rmSync(folder, { recursive: true });
  }
}

/** Returns a question's candidates in the form of the fit. */
export function toExample({ question: { evidence, group }, found, features }: Searched, weight: number): Example {
  const candidates = found.flatMap(({ id }, position) => {
    const own = features[position];
    return own === undefined ? [] : [{ features: toVector(own), isEvidence: evidence.includes(id) }];
  });
  return { group, weight, candidates, evidence: evidence.length };
}

/** `vectors` caches the vectors of contents that were embedded before. */
interface Embedding {
  embedder: Embedder;
  vectors: Map<string, Float32Array>;
}

async function store(index: SearchIndex, { embedder, vectors }: Embedding, batch: Stored[]): Promise<void> {
  const contents = [...new Set(batch.map(({ content }) => content))].filter((content) => !vectors.has(content));
  const embeddings = await embedder.embed(contents, { purpose: "passage" });
  for (const [position, vector] of embeddings.entries()) vectors.set(contents[position] ?? "", vector);
  const sizes = { original_tokens: 0, compressed_tokens: 0, processing_ms: 0 };
  await index.upsert(
    batch.map(({ id, user, content, created_at, session, speaker }) => ({
      org: "fit",
      id,
      version: 1,
      content,
      user_id: user,
      session_id: session,
      metadata: { speaker: speaker ?? null },
      entity_ids: [],
      created_at,
      updated_at: created_at,
      ...sizes,
      embedding: vectors.get(content),
    })),
  );
}

async function ask(index: SearchIndex, embedder: Embedder, question: Question): Promise<Searched> {
  const { text, user, evidence, hidesEvidence, asked_at, as_of } = question;
  const [vector] = await embedder.embed([text], { purpose: "query" });
  const scope = { org: "fit", filters: { user_id: [user] }, now: Date.now() };
  const askedAt = asked_at === undefined ? scope.now : Date.parse(asked_at);
  const query = new Query(text);
  const ranges = askedRanges(query, { instant: new Date(askedAt) });
  const search = (filters: SearchFilters) =>
    index.search({
      ...scope,
      filters,
      semantic: vector && { vector, limit: POOL },
      keyword: { text, limit: POOL },
    });
  const around = filtersAround(ranges, scope.filters);
  const first = await search(scope.filters);
  const complete = around ? mergeAnswers(first, await search(around)) : first;
  const answer = hidesEvidence ? without(complete, new Set(evidence)) : complete;
  const found = toCandidates(embedder, answer);
  const now = as_of ? Date.parse(as_of) : askedAt;
  const asked = { query, now, asked: ranges };
  const features = featuresOf(asked, found, await readNeighbours(index, found, scope));
  return { question, asked, answer, found, features };
}

function without({ semantic, keyword, ...rest }: FoundTogether, hidden: Set<string>): FoundTogether {
  const isSeen = ({ id }: { id: string }) => !hidden.has(id);
  return { semantic: semantic.filter(isSeen), keyword: keyword.filter(isSeen), ...rest };
}
