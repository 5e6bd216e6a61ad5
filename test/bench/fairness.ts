/**
 * Sends five searches a second for one organization, alone and beside each kind of heavy work of another. Prints the 99th
 * percentile of both, and on Linux the processor time of the request thread between a question and its answer, which
 * does not depend on what else the machine does. Each new kind of heavy work is a row of WORK. `node
 * test/bench/fairness.ts ROW` measures only the rows whose names contain ROW.
 */
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { strToU8, zipSync } from "fflate";
import { createTenant } from "../load/tenants.ts";
import { Generator } from "./corpus.ts";
import { type Figure, readable, report } from "./report.ts";
import { serve } from "./served.ts";
import { sized } from "./sizes.ts";
import { percentile } from "./timing.ts";

const EVERY_MS = 200;
const SEARCHES = sized(100, 20);
const STRANGERS_MEMORIES = sized(1000, 100);
const SECOND_MS = 1000;
const MAX_SETTLING_SECONDS = 120;
/** The processor time of a second in which there is little to do. */
const IDLE_MS = 100;
const MAX_RATIO = 3;
const MAX_MS = 250;
/** What the service answers to work that it refuses because it has too much; the time until then counts. */
const OVERLOADED = new Set([429, 503, 504]);
const WARM_UP = 10;
const BATCH = 100;
const CLIENTS = 4;
const LONG_TEXT = 90_000;
const CHINESE_TEXT = 20_000;
const ENHANCED = 32;
const ONE_SLOT = sized(5_000, 500);
const GRAPH = sized(3_000, 300);
const ROWS = sized(400, 40);
const WEBHOOKS = 20;
const REMARKS = sized(8_000, 800);
const CELLS = sized(10_000, 1_000);
const NAMES = sized(400_000, 200_000);

const text = new Generator(7);
const served = await serve(undefined, { DEFAULT_PLAN: "enterprise", ALLOW_PRIVATE_TARGETS: "1", LOG_LEVEL: "error" });
const [stranger, heavy] = [await createTenant(served, 1, STRANGERS_MEMORIES), await createTenant(served, 2, 100)];
const queries = Array.from({ length: 20 }, () => text.memory().split(" ").slice(0, 4).join(" "));

const SCHEDULED = `/proc/${served.pid}/task/${served.pid}/schedstat`;

let refused = 0;

async function ask(method: string, path: string, body?: unknown): Promise<void> {
  const answer = await served.request(method, path, { key: heavy.key, body });
  if (OVERLOADED.has(answer.status)) refused++;
  else if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
}

const times = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const longText = () =>
  times(LONG_TEXT / 50, () => text.memory())
    .join(" ")
    .slice(0, LONG_TEXT);
/** Each character and each pair of them is a term of the index. */
const chineseText = () =>
  times(CHINESE_TEXT, () => String.fromCharCode(0x4e00 + Math.floor(Math.random() * 5_000))).join("");
const batch = () => ({ memories: times(BATCH, () => ({ content: text.memory(), user_id: "heavy" })) });
const formOf = (file: Blob, name: string) => {
  const form = new FormData();
  form.set("file", file, name);
  return form;
};
const upload = () =>
  formOf(new Blob([times(2_000, () => text.memory()).join("\n\n")], { type: "text/plain" }), "long.txt");

/** A workbook whose cells all name shared strings. */
function sheet(): Blob {
  const [ns, cell] = ["http://schemas.openxmlformats.org", (at: number) => `<c t="s"><v>${at % 1_000}</v></c>`];
  const rows = times(CELLS / 10, (row) => `<row>${times(10, (column) => cell(row * 10 + column)).join("")}</row>`);
  const link = `<Relationship Id="r1" Type="${ns}/officeDocument/2006/relationships/worksheet" Target="worksheets/a.xml"/>`;
  const files = {
    "xl/workbook.xml": '<workbook><sheets><sheet name="A" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${ns}/package/2006/relationships">${link}</Relationships>`,
    "xl/worksheets/a.xml": `<worksheet><sheetData>${rows.join("")}</sheetData></worksheet>`,
    "xl/sharedStrings.xml": `<sst>${times(1_000, () => `<si><t>${text.memory()}</t></si>`).join("")}</sst>`,
  };
  const zipped = zipSync(Object.fromEntries(Object.entries(files).map(([name, xml]) => [name, strToU8(xml)])));
  return new Blob([zipped], { type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" });
}

/** One row of an import with many names: with all of them, it is too long for a row. */
const rowOfNames = () =>
  formOf(new Blob([JSON.stringify([{ content: "Met.", entities: times(NAMES, (at) => `na${at}`) }])]), "row.json");

interface Work {
  /** What exists before the searches begin. */
  prepare?(): Promise<void>;
  /** One request of each client, repeated as long as searches are sent. */
  send(): Promise<void>;
  clients: number;
}

const WORK: Record<string, Work> = {
  "batches of 100 by four clients": { clients: CLIENTS, send: () => ask("POST", "/memories/batch", batch()) },
  "texts of 90,000 characters": {
    clients: CLIENTS,
    send: () => ask("POST", "/memories", { content: longText(), user_id: "long" }),
  },
  "texts of 20,000 Chinese characters": {
    clients: CLIENTS,
    send: () => ask("POST", "/memories", { content: chineseText(), user_id: "long" }),
  },
  "32 enhanced searches at once": {
    clients: ENHANCED,
    send: () => ask("POST", "/search/enhanced", { query: text.memory().slice(0, 100) }),
  },
  "uploads of text files": { clients: CLIENTS, send: () => ask("POST", "/sources/upload", upload()) },
  "imports of long rows": {
    clients: 1,
    send: () =>
      ask("POST", "/imports", {
        memories: times(ROWS, () => ({
          content: times(30, () => text.memory())
            .join(" ")
            .slice(0, 2_000),
        })),
      }),
  },
  [`pages of ${ONE_SLOT.toLocaleString("en")} facts of one slot`]: {
    clients: CLIENTS,
    async prepare() {
      for (let first = 0; first < ONE_SLOT; first += BATCH) {
        const memories = times(BATCH, (at) => ({ content: `I live in Town${first + at}.`, user_id: "mover" }));
        await ask("POST", "/memories/batch", { memories });
      }
    },
    send: () => ask("GET", "/facts?user_id=mover&limit=1"),
  },
  [`graphs of ${GRAPH.toLocaleString("en")} facts`]: {
    clients: CLIENTS,
    async prepare() {
      for (let first = 0; first < GRAPH; first += BATCH) {
        const memories = times(BATCH, (at) => ({ content: `I visited Town${first + at}.`, user_id: "traveller" }));
        await ask("POST", "/memories/batch", { memories });
      }
    },
    send: () => ask("GET", "/graph?user_id=traveller"),
  },
  [`profiles of ${REMARKS.toLocaleString("en")} remarks`]: {
    clients: CLIENTS,
    async prepare() {
      for (let first = 0; first < REMARKS; first += BATCH) {
        const memories = times(BATCH, (at) => ({ content: `I like the number ${first + at}.`, user_id: "talker" }));
        await ask("POST", "/memories/batch", { memories });
      }
    },
    send: () => ask("GET", "/profiles/talker"),
  },
  "uploads of sheets of shared strings": {
    clients: CLIENTS,
    send: () => ask("POST", "/sources/upload", formOf(sheet(), "sheet.xlsx")),
  },
  [`imports of a row of ${NAMES.toLocaleString("en")} names`]: {
    clients: 1,
    send: () => ask("POST", "/imports/upload", rowOfNames()),
  },
  [`batches of 100 with ${WEBHOOKS} webhooks`]: {
    clients: 1,
    async prepare() {
      for (const index of times(WEBHOOKS, (at) => at)) {
        const url = `http://127.0.0.1:9/${index}`;
        await ask("POST", "/webhooks", { name: `hook ${index}`, url, events: ["memory.created"] });
      }
    },
    send: () => ask("POST", "/memories/batch", batch()),
  },
};

/** Milliseconds of one search: the time that passed, and the processor time of the request thread. */
interface Waited {
  passed: number;
  busy: number;
}

/** The processor time of the request thread in milliseconds; 0 where the system does not tell. */
function busyTime(): number {
  if (!existsSync(SCHEDULED)) return 0;
  const [nanoseconds] = readFileSync(SCHEDULED, "utf8").split(" ");
  return Number(nanoseconds) / 1e6;
}

/** Waits until the request thread has little to do, so that no work continues in the background beside the next. */
async function settle(): Promise<void> {
  for (let second = 0; second < MAX_SETTLING_SECONDS; second++) {
    const before = busyTime();
    await delay(SECOND_MS);
    if (busyTime() - before < IDLE_MS) return;
  }
}

/** Sends searches at a fixed rate, whether or not earlier ones were answered. */
async function searchSteadily(): Promise<Waited[]> {
  const pending: Promise<Waited>[] = [];
  for (let sent = 0; sent < WARM_UP + SEARCHES; sent++) {
    pending.push(search(queries[sent % queries.length] ?? ""));
    await delay(EVERY_MS);
  }
  return (await Promise.all(pending)).slice(WARM_UP);
}

async function search(query: string): Promise<Waited> {
  const [startedAt, busyAt] = [performance.now(), busyTime()];
  const { status } = await served.request("GET", `/search?q=${encodeURIComponent(query)}`, { key: stranger.key });
  if (status !== 200 && !OVERLOADED.has(status)) throw new Error(`a search answered ${status}`);
  return { passed: performance.now() - startedAt, busy: busyTime() - busyAt };
}

async function searchBeside({ prepare, send, clients }: Work): Promise<Waited[]> {
  await prepare?.();
  await settle();
  const work = { isOver: false };
  const working = times(clients, async () => {
    while (!work.isOver) await send();
  });
  const found = await searchSteadily();
  work.isOver = true;
  await Promise.all(working);
  return found;
}

function figuresOf(name: string, alone: Waited[], beside: Waited[]): Figure[] {
  const what = `another organization's searches beside ${name}`;
  const of = (kind: keyof Waited, waited: Waited[]) => waited.map((each) => each[kind]);
  const [one, other] = [percentile(of("passed", beside), 0.99), percentile(of("passed", alone), 0.99)];
  const busy = of("busy", beside);
  const [half, longest] = [percentile(busy, 0.5), Math.max(...busy)];
  return [
    {
      what: `p99 of ${what}`,
      baseline: "alone",
      value: one / other,
      unit: "x",
      limit: { atMost: MAX_RATIO },
      from: `${readable(one)} : ${readable(other)} ms, longest ${readable(Math.max(...of("passed", beside)))} ms`,
    },
    {
      what: `longest processor time of ${what}`,
      value: longest,
      unit: "ms",
      limit: { atMost: MAX_MS },
      from: `p50 ${readable(half)} ms, alone ${readable(percentile(of("busy", alone), 0.5))} ms, ${refused} refused`,
    },
  ];
}

try {
  await settle();
  const alone = await searchSteadily();
  const figures: Figure[] = [];
  const [only = ""] = process.argv.slice(2);
  for (const [name, work] of Object.entries(WORK)) {
    if (!name.includes(only)) continue;
    refused = 0;
    figures.push(...figuresOf(name, alone, await searchBeside(work)));
  }
  report(figures);
} finally {
  await served.close();
}
