/**
 * Compares the service with mem0's open-source library for Node on the same texts and vectors, each side in its own
 * process, sequentially: mem0 as a library on its in-memory vector store; the service in process and over HTTP, both
 * durable.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { AtSize, SideName, SideReport } from "./mem0/side.ts";
import { type Figure, ratio, readable, report } from "./report.ts";
import type { Timings } from "./timing.ts";

const SIDE = fileURLToPath(new URL("mem0/side.ts", import.meta.url));
/** The operations compared, by their names on each side. */
const COMPARED = [
  { own: "add", theirs: "add", what: "add with facts and entities" },
  { own: "add plain", theirs: "add plain", what: "add of a text as it is" },
  { own: "search", theirs: "search", what: "plain search" },
  { own: "spreading", theirs: "search", what: "spreading search" },
];

const theirs = await measure("library");
const figures: Figure[] = [];
for (const name of ["in process", "over HTTP"] as const) {
  const own = await measure(name);
  for (const [index, at] of own.sizes.entries()) figures.push(...figuresAt(name, at, theirs.sizes[index]));
  if (name === "in process") figures.push(...recallFigures(own));
}
report(figures);

async function measure(name: SideName): Promise<SideReport> {
  const child = fork(SIDE, { env: { ...process.env, SIDE: name } });
  const ended = once(child, "exit");
  const early = ended.then(([code]) => Promise.reject(new Error(`${name} ended with ${code}`)));
  const [answer] = await Promise.race([once(child, "message"), early]);
  child.disconnect();
  await ended;
  return answer as SideReport;
}

function figuresAt(name: SideName, own: AtSize, other: AtSize | undefined): Figure[] {
  if (!other) throw new Error(`mem0 was not measured at ${own.size}`);
  const headline = name === "in process" && { headline: true as const };
  const memory = { own: own.residentBytes / 2 ** 20, theirs: other.residentBytes / 2 ** 20 };
  return [
    ...COMPARED.map((compared) => {
      const [ours, mem0s] = [own.times[compared.own], other.times[compared.theirs]];
      if (!ours || !mem0s) throw new Error(`${compared.what} was not measured`);
      const from = `${perSecond(ours)} : ${perSecond(mem0s)} /s`;
      return ratio(`${compared.what} ${name}, at ${own.size}`, `mem0's ${compared.theirs}`, [ours, mem0s], {
        from,
        ...headline,
      });
    }),
    {
      what: `resident memory ${name}, at ${own.size}`,
      baseline: "mem0's process",
      value: memory.own / memory.theirs,
      unit: "x",
      from: `${readable(memory.own)} : ${readable(memory.theirs)} MB`,
      ...headline,
    },
  ];
}

/** Returns the operations per second of one sequential caller. */
function perSecond({ mean }: Timings): number {
  return readable(1000 / mean);
}

function recallFigures({ recall, questions }: SideReport): Figure[] {
  const { search = Number.NaN } = theirs.recall;
  return Object.entries(recall).map(([mode, own]) => ({
    what: `evidence recall@10, ${mode === "search" ? "plain search" : mode}, ${questions} questions of a LoCoMo conversation`,
    baseline: "mem0's search",
    value: own / search,
    unit: "x" as const,
    from: `${own.toFixed(3)} : ${search.toFixed(3)}`,
    headline: true as const,
  }));
}
