/**
 * Measures what the main requests cost on natural memories, with the default embedder: processor time of this process
 * and of the model's, calls of the record store and of the search index, bytes written, and milliseconds. Processor time
 * is given relative to a fixed loop that runs in between, and compared with cost-budget.json, which WRITE_BUDGET=1
 * writes. Everything runs in this process, one request after another, none of them twice.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { openService, type Service } from "../support/service.ts";
import { type Conversation, contentOf, readConversation, timesOf } from "./locomo.ts";
import { locomoFiles, NO_LOCOMO } from "./locomo-files.ts";
import { callsOf, countingCalls } from "./port-calls.ts";
import { useOfTree } from "./process-tree.ts";
import { type Figure, readable, report, skip } from "./report.ts";
import { sized } from "./sizes.ts";
import { demand } from "./stored-conversations.ts";
import { percentile } from "./timing.ts";

const MEMORIES = sized(1000, 200);
const RUNS = sized(40, 10);
const WARM_UP = 5;
const BATCH = 50;
const MAX_TOKENS = 300;
const USER = "bench";
/** A request may cost this many times what it did when the budget was written. */
const MAX_GROWTH = 1.15;
/** What the loop reads. */
const LOOP_TEXT =
  "The quick brown fox jumps over the lazy dog, and nobody knows why it does so on 19 May 2024. ".repeat(20);
const BUDGET = new URL("cost-budget.json", import.meta.url);

interface Cost {
  /** Processor time relative to the loop. */
  main: number;
  model: number;
  recordCalls: number;
  indexCalls: number;
  writtenKib: number;
  p50: number;
}

const files = locomoFiles();
if (files.length === 0) skip(NO_LOCOMO);
else await measure(files.map((file) => readConversation(file)));

async function measure(conversations: Conversation[]): Promise<void> {
  const turns = conversations.flatMap((conversation) => {
    const times = timesOf(conversation);
    return conversation.turns.map((turn) => ({ turn, at: times.get(turn) ?? 0, name: conversation.name }));
  });
  const memories = turns.map(({ turn, at, name }) => ({
    content: contentOf(turn),
    user_id: USER,
    occurred_at: new Date(at).toISOString(),
    metadata: { session_id: `${name}-${turn.session}`, speaker: turn.speaker },
  }));
  const questions = conversations.flatMap((conversation) => conversation.questions.map(({ question }) => question));
  const service = await openService({ EMBEDDER: "onnx" }, undefined, { around: countingCalls });
  // A busy machine must not fail searches, nor make them do without the query's vector.
  await demand(service, "PUT", "/search/config", { body: { settings: { timeout_ms: 25_000 } } });
  const ids: string[] = [];
  for (let from = 0; from < MEMORIES; from += BATCH) {
    const body = { memories: memories.slice(from, from + BATCH) };
    const { created } = await demand(service, "POST", "/memories/batch", { body });
    ids.push(...created.map(({ id }: { id: string }) => id));
  }
  await settle(service);
  let asked = 0;
  let added = MEMORIES;
  const question = () => questions[asked++ % questions.length] ?? "";
  const memory = () => memories[added++ % memories.length];
  const requests: Record<string, (run: number) => Promise<unknown>> = {
    "GET /search": () => demand(service, "GET", `/search?${new URLSearchParams({ q: question(), user_id: USER })}`),
    "POST /search": () => demand(service, "POST", "/search", { body: { query: question() } }),
    "POST /search/hybrid": () => demand(service, "POST", "/search/hybrid", { body: { query: question() } }),
    "POST /search/enhanced": () => demand(service, "POST", "/search/enhanced", { body: { query: question() } }),
    "POST /v3/memories/search": () =>
      demand(service, "POST", "/v3/memories/search", { body: { query: question(), filters: { user_id: USER } } }),
    "POST /recall": () =>
      demand(service, "POST", "/recall", { body: { query: question(), user_id: USER, max_tokens: MAX_TOKENS } }),
    "GET /profiles/{user_id}": () => demand(service, "GET", `/profiles/${USER}`),
    "GET /memories": (run) => demand(service, "GET", `/memories?user_id=${USER}&limit=20&offset=${run}`),
    "GET /memories/{id}": (run) => demand(service, "GET", `/memories/${ids[run]}`),
    "POST /memories": () => demand(service, "POST", "/memories", { body: memory() }),
    "POST /memories/batch (10)": () =>
      demand(service, "POST", "/memories/batch", { body: { memories: Array.from({ length: 10 }, memory) } }),
    "DELETE /memories/{id}": (run) => demand(service, "DELETE", `/memories/${ids[RUNS + WARM_UP + run]}`),
  };
  const costs: Record<string, Cost> = {};
  for (const [name, request] of Object.entries(requests)) {
    costs[name] = await costOf(request, () => settle(service));
  }
  await service.close();
  if (process.env.WRITE_BUDGET !== undefined) writeFileSync(BUDGET, `${JSON.stringify(costs, null, 2)}\n`);
  const budget: Record<string, Cost> = JSON.parse(readFileSync(BUDGET, "utf8"));
  report(Object.entries(costs).map(([name, cost]) => toFigure(name, cost, budget[name])));
}

function toFigure(name: string, cost: Cost, budget: Cost | undefined): Figure {
  const { main, model, recordCalls, indexCalls, writtenKib, p50 } = cost;
  const parts = [
    `main ${readable(main)}, model ${readable(model)}`,
    `calls: ${readable(recordCalls)} of records, ${readable(indexCalls)} of the index`,
    `${readable(writtenKib)} KiB written`,
    `p50 ${readable(p50)} ms`,
  ];
  return {
    what: `Processor of ${name} at ${MEMORIES} memories`,
    baseline: "a fixed loop",
    value: main + model,
    unit: "x",
    ...(budget && { limit: { atMost: MAX_GROWTH * (budget.main + budget.model) } }),
    from: parts.join("; "),
  };
}

/** The loop runs before each request, so that a busy machine slows both alike; `end` waits for vectors. */
async function costOf(request: (run: number) => Promise<unknown>, end: () => Promise<void>): Promise<Cost> {
  for (let run = 0; run < WARM_UP; run++) await request(run);
  await end();
  const times: number[] = [];
  const loops: number[] = [];
  const main: number[] = [];
  const sum = { records: 0, index: 0, written: 0 };
  const modelBefore = modelCpu();
  for (let run = 0; run < RUNS; run++) {
    loops.push(mainCpu(loop));
    const before = { written: writtenBytes(), own: process.cpuUsage() };
    const startedAt = performance.now();
    const { records, index } = await callsOf(() => request(WARM_UP + run));
    times.push(performance.now() - startedAt);
    const { user, system } = process.cpuUsage(before.own);
    main.push((user + system) / 1000);
    sum.records += records;
    sum.index += index;
    sum.written += writtenBytes() - before.written;
  }
  await end();
  // The median, because the first runs are slow and other work of the process falls into some.
  const oneLoop = percentile(loops, 0.5);
  return {
    main: round(percentile(main, 0.5) / oneLoop),
    model: round((modelCpu() - modelBefore) / RUNS / oneLoop),
    recordCalls: round(sum.records / RUNS),
    indexCalls: round(sum.index / RUNS),
    writtenKib: round(sum.written / RUNS / 1024),
    p50: round(percentile(times, 0.5)),
  };
}

function round(value: number): number {
  return Number(value.toFixed(2));
}

/** The model runs in a child process. */
function modelCpu(): number {
  return useOfTree(process.pid).cpuMs.children;
}

function mainCpu(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Some milliseconds of the kind of work that requests do: words, maps, sorting and JSON. */
function loop(): number {
  let size = 0;
  for (let round = 0; round < 10; round++) {
    const counts = new Map<string, number>();
    for (const [word] of LOOP_TEXT.matchAll(/\p{L}+/gu)) counts.set(word, (counts.get(word) ?? 0) + round);
    const sorted = [...counts].sort(([, one], [, other]) => other - one);
    size += JSON.stringify(JSON.parse(JSON.stringify({ sorted, text: LOOP_TEXT }))).length;
  }
  return size;
}

function writtenBytes(): number {
  return Number(/^write_bytes: (\d+)$/m.exec(readFileSync("/proc/self/io", "utf8"))?.[1]);
}

/** Waits until every memory has its vector. */
async function settle(service: Service): Promise<void> {
  for (;;) {
    const { index } = await demand(service, "GET", "/status");
    if (index.pending === 0) return;
    await sleep(100);
  }
}
