/**
 * Measures the default embedder: memories stored over HTTP while a separate process computes their vectors, the lag of
 * the vectors, the CPU time of a stored memory and of a query, and the memory of all processes. MEMORIES sets their
 * number.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { AS_IT_IS, Generator } from "./corpus.ts";
import { useOfTree } from "./process-tree.ts";
import { type Figure, readable, report, skip } from "./report.ts";
import { serve } from "./served.ts";
import { sized } from "./sizes.ts";

const MEMORIES = Number(process.env.MEMORIES ?? sized(10_000, 1_000));
const BATCH_SIZE = 100;
const QUESTIONS = 200;
const POLL_MS = 250;

if (process.platform === "linux") await measure();
else skip("memory and processor time of child processes are read from /proc, which Linux has");

async function measure(): Promise<void> {
  const service = await serve(undefined, { EMBEDDER: "onnx" });
  const text = new Generator(1);
  const pending = async () => (await service.request("GET", "/status")).body.data.index.pending as number;
  const use = () => useOfTree(service.pid);

  const before = use();
  const began = performance.now();
  for (let stored = 0; stored < MEMORIES; stored += BATCH_SIZE) {
    const memories = Array.from({ length: BATCH_SIZE }, () => ({ content: text.memory(), user_id: "bench" }));
    const { status, body } = await service.request("POST", "/memories/batch", {
      body: { memories, options: AS_IT_IS },
    });
    if (status !== 201) throw new Error(JSON.stringify(body));
  }
  const storedSeconds = (performance.now() - began) / 1000;
  const waiting = await pending();
  while ((await pending()) > 0) await sleep(POLL_MS);
  const lagSeconds = (performance.now() - began) / 1000 - storedSeconds;
  const stored = use();

  let most = 0;
  for (let i = 0; i < QUESTIONS; i++) {
    await service.request("GET", `/search?q=${encodeURIComponent(text.question())}`);
    most = Math.max(most, use().residentBytes);
  }
  const searched = use();
  await service.close();

  const children = (from: typeof before, to: typeof before) => to.cpuMs.children - from.cpuMs.children;
  const among = `${MEMORIES.toLocaleString("en")} memories, onnx`;
  const lag = `${waiting.toLocaleString("en")} vectors were missing then, the last came ${readable(lagSeconds)} s later`;
  const figures: Figure[] = [
    { what: `${among}: stored`, value: MEMORIES / storedSeconds, unit: "/s", limit: { atLeast: 400 }, from: lag },
    { what: `${among}: processor time of a stored memory, service`, ...costOf(stored.cpuMs.own - before.cpuMs.own) },
    { what: `${among}: processor time of a stored memory, vector`, ...costOf(children(before, stored)) },
    {
      what: `${among}: processor time of a query's vector`,
      value: children(stored, searched) / QUESTIONS,
      unit: "ms",
      limit: { atMost: 10 },
      from: `${readable((searched.cpuMs.own - stored.cpuMs.own) / QUESTIONS)} ms more in the service`,
    },
    { what: `${among}: resident, all processes`, value: most / 1e6, unit: "MB", limit: { atMost: 800 } },
  ];
  report(figures);
}

function costOf(cpuMs: number): Pick<Figure, "value" | "unit"> {
  return { value: cpuMs / MEMORIES, unit: "ms" };
}
