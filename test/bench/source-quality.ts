/**
 * Measures how well questions find the chunks of long documents that answer them: `node test/bench/source-quality.ts`.
 */
import { readFileSync } from "node:fs";
import { createOrganization, openService } from "../support/service.ts";
import {
  EXACT,
  manual,
  OPERATOR_QUESTIONS,
  PARAPHRASED,
  README_QUESTIONS,
  type SourceQuestion,
} from "./source-questions.ts";

const LIMIT = 5;
/** Pages for new users, and for operators; each list is ingested as one document. */
const PAGES = ["README.md", "docs/settings.md", "docs/development.md"];
const OPERATOR_PAGES = ["security", "operations", "webhooks", "users", "import-and-export", "sessions"].map(
  (name) => `docs/${name}.md`,
);
const POLL_EVERY_MS = 200;

/** Shares of the questions with the answer in the first chunk, and in the first five. */
export interface Hits {
  first: number;
  five: number;
}

/** Quality on all questions, and on the half that nothing was fitted to. */
export interface SourceQuality {
  chunks: number;
  all: Hits;
  keptApart: Hits;
}

export interface SourceQualities {
  paraphrased: SourceQuality;
  exact: SourceQuality;
  readme: SourceQuality;
  operators: SourceQuality;
}

export async function measureSourceQuality(): Promise<SourceQualities> {
  const text = manual();
  return {
    paraphrased: await ask(text, PARAPHRASED),
    exact: await ask(text, EXACT),
    readme: await ask(together(PAGES), README_QUESTIONS),
    operators: await ask(together(OPERATOR_PAGES), OPERATOR_QUESTIONS),
  };
}

function together(pages: string[]): string {
  return pages.map((page) => readFileSync(new URL(`../../${page}`, import.meta.url), "utf8")).join("\n");
}

async function ask(content: string, questions: readonly SourceQuestion[]): Promise<SourceQuality> {
  for (const { answer } of questions) if (!content.includes(answer)) throw new Error(`no text says "${answer}"`);
  const service = await openService({ EMBEDDER: "onnx" });
  try {
    const { key, org } = await createOrganization(service);
    const { body } = await service.request("POST", "/sources/ingest", { key, body: { content, title: "Document" } });
    const chunks = await untilRead(() => service.request("GET", `/sources/${body.source_id}`, { key }));
    await service.runtime.drainChangeFeed();
    while ((await service.runtime.ports.search.vectorState([org])).pending > 0) await pause();
    const places: number[] = [];
    for (const { question, answer } of questions) {
      const query = new URLSearchParams({ q: question, type: "source_chunk", limit: String(LIMIT) });
      const { body: found } = await service.request("GET", `/search?${query}`, { key });
      const results: { content: string }[] = found.data.results;
      places.push(results.findIndex((result) => result.content.includes(answer)));
      if (process.argv[1] === import.meta.filename && places.at(-1) === -1) console.log(`not found: ${question}`);
    }
    return { chunks, all: hitsOf(places), keptApart: hitsOf(places.filter((_, place) => place % 2 === 1)) };
  } finally {
    await service.close();
  }
}

async function untilRead(read: () => Promise<{ body: { status: string; chunks_created: number } }>): Promise<number> {
  for (;;) {
    const { status, chunks_created } = (await read()).body;
    if (status !== "processing") return chunks_created;
    await pause();
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
}

function hitsOf(places: number[]): Hits {
  const share = (isHit: (place: number) => boolean) => places.filter(isHit).length / places.length;
  return { first: share((place) => place === 0), five: share((place) => place >= 0) };
}

if (process.argv[1] === import.meta.filename) {
  const qualities = await measureSourceQuality();
  console.table(
    Object.entries(qualities).map(([questions, { chunks, all, keptApart }]) => ({
      questions,
      chunks,
      "hit@1": all.first,
      "hit@5": all.five,
      "hit@1 kept apart": keptApart.first,
      "hit@5 kept apart": keptApart.five,
    })),
  );
}
