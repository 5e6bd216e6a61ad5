import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openHost } from "../../infra/local/host.ts";
import { loadConfig } from "../../shared/kernel/config.ts";
import type { Home } from "../../shared/platform/context.ts";
import type { SearchDocument } from "../../shared/platform/ports.ts";
import { createClient, type Service } from "../support/service.ts";
import type { Generator } from "./corpus.ts";

const BATCH_SIZE = 1000;
/** Memories of one conversation, a minute apart. */
const SESSION_LENGTH = 20;
const MINUTE_MS = 60_000;
const STARTED_AT = Date.UTC(2024, 0, 1);

/** The service in this process, on a temporary folder; memories get into its search index without being stored. */
export interface IndexedService extends Service {
  home: Home;
  adminKey: string;
  dataDir: string;
  close(): Promise<void>;
}

export async function openIndexed(): Promise<IndexedService> {
  const folder = mkdtempSync(path.join(tmpdir(), "memory-service-bench-"));
  const host = await openHost(loadConfig({ DATA_DIR: folder, PORT: "0", LOG_LEVEL: "error" }));
  const adminKey = host.firstKey.secret;
  return {
    ...createClient("http://localhost", adminKey, (request) => host.app.fetch(request)),
    home: host.home,
    adminKey,
    dataDir: folder,
    close: async () => {
      await host.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Indexes generated memories in sessions, their capitalized words as entities; answers their texts by id. `from` is how
 * many of them the organization has.
 */
export async function indexMemories(
  { ports }: Pick<Home, "ports">,
  org: string,
  text: Generator,
  count: number,
  from = 0,
): Promise<Map<string, string>> {
  const contents = new Map(
    Array.from({ length: count }, (_, place) => [`mem_${String(from + place).padStart(8, "0")}`, text.memory()]),
  );
  const all = [...contents];
  for (let start = 0; start < count; start += BATCH_SIZE) {
    const batch = all.slice(start, start + BATCH_SIZE);
    const embeddings = await ports.embedder.embed(batch.map(([, content]) => content));
    await ports.search.upsert(
      batch.flatMap(([id, content], place) => {
        const embedding = embeddings[place];
        return embedding ? [documentOf(org, id, content, from + start + place, embedding)] : [];
      }),
    );
  }
  return contents;
}

function documentOf(org: string, id: string, content: string, place: number, embedding: Float32Array): SearchDocument {
  const created_at = new Date(STARTED_AT + place * MINUTE_MS).toISOString();
  const names = new Set(content.match(/(?<=[a-z,] )[A-Z][a-z]+/g));
  return {
    org,
    id,
    version: 1,
    content,
    user_id: "bench",
    session_id: `session_${Math.floor(place / SESSION_LENGTH)}`,
    metadata: {},
    entity_ids: [...names].map((name) => `ent_${name}`),
    created_at,
    updated_at: created_at,
    original_tokens: 0,
    compressed_tokens: 0,
    processing_ms: 0,
    embedding,
  };
}
