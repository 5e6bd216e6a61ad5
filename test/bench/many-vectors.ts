/**
 * Measures semantic search among more memories than a benchmark can embed: random unit vectors of the default model's
 * dimensions in the index of a service in this process. MEMORIES sets their number.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LocalSearchIndex } from "../../shared/adapters/local/search.ts";
import { SEARCH_FOLDER } from "../../shared/adapters/local/storage/data-files.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import type { Embedder } from "../../shared/ports/embedder.ts";
import { OPERATOR_ORG } from "../../shared/runtime/access/operator.ts";
import { openService } from "../support/service.ts";
import { Generator } from "./corpus.ts";
import { indexMemories } from "./indexed.ts";
import { useOfTree } from "./process-tree.ts";
import { type Figure, readable, report, skip } from "./report.ts";
import { sized } from "./sizes.ts";

const MEMORIES = Number(process.env.MEMORIES ?? sized(100_000, 10_000));
const QUESTIONS = 100;
const POLL_MS = 50;

if (process.platform === "linux") report(await measure());
else skip("memory and processor time of child processes are read from /proc, which Linux has");

async function measure(): Promise<Figure[]> {
  const { EMBEDDING_MODEL_DIR } = process.env;
  const dataDir = mkdtempSync(path.join(tmpdir(), "memory-service-bench-"));
  const model = { EMBEDDER: "onnx", ...(EMBEDDING_MODEL_DIR && { EMBEDDING_MODEL_DIR }) };
  const service = await openService({ ...model, DATA_DIR: dataDir });
  const { ports } = service.runtime;
  // Waits because catch-up removes documents without a record, like those below.
  while (ports.search.isCatchingUp) await sleep(POLL_MS);
  const { dimensions } = ports.embedder;
  const text = new Generator(1);
  const embedder = { ...ports.embedder, embed: async (texts: string[]) => texts.map(() => randomUnit(dimensions)) };
  await indexMemories({ ports: { ...ports, embedder } }, OPERATOR_ORG, text, MEMORIES);

  const indexed = await ports.search.count({ org: OPERATOR_ORG, now: service.runtime.clock() });
  if (indexed !== MEMORIES) throw new Error(`${indexed} of ${MEMORIES} memories are in the index`);

  const use = () => useOfTree(process.pid);
  const search = async () => {
    const { status, body } = await service.request("GET", `/search?q=${encodeURIComponent(text.question())}`);
    if (status !== 200) throw new Error(JSON.stringify(body));
  };
  const semantic = { vector: randomUnit(dimensions), limit: 10 };
  await ports.search.search({ org: OPERATOR_ORG, now: service.runtime.clock(), semantic });
  // Warms up the JIT compiler.
  for (let i = 0; i < QUESTIONS; i++) await search();
  const before = use();
  let most = 0;
  for (let i = 0; i < QUESTIONS; i++) {
    await search();
    most = Math.max(most, use().residentBytes);
  }
  const after = use();
  await service.close();
  const start = await firstSearch(path.join(dataDir, SEARCH_FOLDER), embedder, text.question());
  rmSync(dataDir, { recursive: true });

  const among = `${MEMORIES.toLocaleString("en")} memories, vectors of ${dimensions} dimensions`;
  return [
    {
      what: `${among}: processor time of a search in the service`,
      value: (after.cpuMs.own - before.cpuMs.own) / QUESTIONS,
      unit: "ms",
    },
    {
      what: `${among}: processor time of a query's vector`,
      value: (after.cpuMs.children - before.cpuMs.children) / QUESTIONS,
      unit: "ms",
    },
    {
      what: `${among}: first search after a start, which reads the vectors into memory`,
      value: start.searchedMs,
      unit: "ms",
      from: `${readable(start.processorMs)} ms of the processor, at most ${readable(start.turnMs)} in a row; the next search takes ${readable(start.nextTurnMs)}`,
    },
    { what: `${among}: resident, all processes`, value: most / 1e6, unit: "MB", limit: { atMost: 800 } },
  ];
}

/**
 * Measures the first search, which includes the start of the index, and the longest time that it blocks the event loop.
 */
async function firstSearch(folder: string, embedder: Embedder, question: string) {
  const index = new LocalSearchIndex({ folder, embedder, embedsLater: true, clock: Date.now, logger: silentLogger });
  const search = async () => {
    const semantic = { vector: randomUnit(embedder.dimensions), limit: 10 };
    const keyword = { text: question, limit: 10 };
    const { semantic: found } = await index.search({ org: OPERATOR_ORG, now: Date.now(), semantic, keyword });
    if (found.length < semantic.limit) throw new Error(`a search found ${found.length}`);
  };
  index.preload();
  const [began, used] = [performance.now(), process.cpuUsage()];
  const first = await longestTurn(search);
  const searchedMs = performance.now() - began;
  const { user, system } = process.cpuUsage(used);
  const next = await longestTurn(search);
  index.close();
  return { searchedMs, processorMs: (user + system) / 1000, turnMs: first, nextTurnMs: next };
}

/**
 * Returns the most processor time that this thread takes in one turn of the event loop during the work; independent of
 * other load on the machine.
 */
async function longestTurn(work: () => Promise<void>): Promise<number> {
  const used = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let [last, longest, isDone] = [used(), 0, false];
  const look = () => {
    const now = used();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isDone) setImmediate(look);
  };
  setImmediate(look);
  await work();
  look();
  isDone = true;
  return longest;
}

function randomUnit(dimensions: number): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, () => Math.random() - 0.5);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}
