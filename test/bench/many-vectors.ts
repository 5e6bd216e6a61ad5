/**
 * Search by meaning among more memories than a benchmark can embed: random unit vectors of the default model's dimensions,
 * put into the index of a service in this process. MEMORIES says how many.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { OPERATOR_ORG } from "../../shared/identity/bootstrap.ts";
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
  const service = await openService({ EMBEDDER: "onnx", ...(EMBEDDING_MODEL_DIR && { EMBEDDING_MODEL_DIR }) });
  const { ports } = service.home;
  // It removes documents without a record, as those below.
  while (ports.search.isCatchingUp) await sleep(POLL_MS);
  const { dimensions } = ports.embedder;
  const text = new Generator(1);
  const embedder = { ...ports.embedder, embed: async (texts: string[]) => texts.map(() => randomUnit(dimensions)) };
  await indexMemories({ ports: { ...ports, embedder } }, OPERATOR_ORG, text, MEMORIES);

  const indexed = await ports.search.count({ org: OPERATOR_ORG, now: service.home.clock() });
  if (indexed !== MEMORIES) throw new Error(`${indexed} of ${MEMORIES} memories are in the index`);

  const use = () => useOfTree(process.pid);
  const search = async () => {
    const { status, body } = await service.request("GET", `/search?q=${encodeURIComponent(text.question())}`);
    if (status !== 200) throw new Error(JSON.stringify(body));
  };
  const loading = use();
  const semantic = { vector: randomUnit(dimensions), limit: 10 };
  await ports.search.search({ org: OPERATOR_ORG, now: service.home.clock(), semantic });
  const before = use();
  let most = 0;
  for (let i = 0; i < QUESTIONS; i++) {
    await search();
    most = Math.max(most, use().residentBytes);
  }
  const after = use();
  await service.close();

  const among = `${MEMORIES.toLocaleString("en")} memories, vectors of ${dimensions} dimensions`;
  const first = `loading all vectors before took ${readable(before.cpuMs.own - loading.cpuMs.own)} ms`;
  return [
    {
      what: `${among}: processor time of a search in the service`,
      value: (after.cpuMs.own - before.cpuMs.own) / QUESTIONS,
      unit: "ms",
      from: first,
    },
    {
      what: `${among}: processor time of a query's vector`,
      value: (after.cpuMs.children - before.cpuMs.children) / QUESTIONS,
      unit: "ms",
    },
    { what: `${among}: resident, all processes`, value: most / 1e6, unit: "MB", limit: { atMost: 800 } },
  ];
}

function randomUnit(dimensions: number): Float32Array {
  const vector = Float32Array.from({ length: dimensions }, () => Math.random() - 0.5);
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}
