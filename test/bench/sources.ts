/**
 * Measures ingestion on one core relative to counting the tokens of the same text, in CPU time, because wall-clock time
 * on a shared machine depends on its other users; the additional memory of large files until they are searchable; and
 * how well questions find the chunks that answer them. `node test/bench/source-quality.ts` measures only the last.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { openLocalPorts } from "../../shared/adapters/local/ports.ts";
import { loadTokenCounter } from "../../shared/domain/compression/condensing/tokens.ts";
import { ingest } from "../../shared/domain/knowledge/sources/ingest.ts";
import { sourceHandlers } from "../../shared/domain/knowledge/sources/work.ts";
import { loadConfig } from "../../shared/entry/config.ts";
import { createBaseRuntime, createRuntime } from "../../shared/entry/runtime.ts";
import { INGEST_QUEUE } from "../../shared/ports/queues.ts";
import type { OrgRuntime } from "../../shared/runtime/context.ts";
import { messageOf } from "../../shared/runtime/jobs/queue.ts";
import { runJob } from "../../shared/runtime/jobs/run.ts";
import { pdfOf } from "../fixtures/documents.ts";
import { createOrganization, type LocalService, openService } from "../support/service.ts";
import { Generator } from "./corpus.ts";
import { type Figure, ratio, readable, report } from "./report.ts";
import { watch } from "./resident.ts";
import { sized } from "./sizes.ts";
import { measureSourceQuality, type SourceQuality } from "./source-quality.ts";
import { summarize, type Timings } from "./timing.ts";

const MEGABYTE = 1_000_000;
const RUNS = sized(10, 3);
/** Minimum ingestion speed, in MB per second. */
const MIN_SPEED = 2;
/** Maximum additional memory for a large file, in MB. */
const MAX_MEMORY = 150;
const UPLOAD_BYTES = sized(100, 5) * MEGABYTE;
const PDF_BYTES = sized(4.5, 1) * MEGABYTE;
const PDF_PAGE_PARAGRAPHS = 18;
const POLL_EVERY_MS = 100;

/** Plain prose, like most of a document. */
const PLAIN = [
  "the harbour was built when the town began to trade with the islands, and grew with each of its quays.",
  "most of what is written about it was taken from the logs of those who kept the light through the winter.",
  "since then the cranes have been replaced twice, which made the work of the night shift a good deal safer.",
  "whoever comes from the station sees the masts first, and only then the roofs of the market behind them.",
];

/** Yields a Markdown document of `bytes` bytes: headings, lists, prose, and occasional paragraphs with many names. */
function* markdown(seed: number, bytes: number): Iterable<string> {
  const text = new Generator(seed);
  for (let written = 0, part = 0; written < bytes; part++) {
    const plain = Array.from({ length: 20 }, (_, n) => `In part ${part + n} ${PLAIN[(part + n) % PLAIN.length]}`);
    const list = [1, 2, 3].map((n) => `- ${text.thing()} ${n} of the ${text.quality()} kind`).join("\n");
    const section = `## ${text.place()}, part ${part} of ${seed}\n\n${plain.join(" ")}\n\n${text.memory()}\n\n${list}\n\n`;
    const kept = section.slice(0, bytes - written);
    written += kept.length;
    yield kept;
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Returns the CPU milliseconds of each run, each with another document of 1 MB. */
async function timesOf(takeOne: (content: string) => unknown): Promise<Timings> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const content = [...markdown(run, MEGABYTE)].join("");
    const began = cpuMs();
    await takeOne(content);
    times.push(cpuMs() - began);
  }
  return summarize(times);
}

async function counting(): Promise<Timings> {
  const tokens = await loadTokenCounter();
  return timesOf((content) => tokens.count(content));
}

/** Measures until the source is active: every chunk is stored and visible. */
async function storing(): Promise<Timings> {
  const folder = mkdtempSync(path.join(tmpdir(), "memory-service-"));
  const base = createBaseRuntime(loadConfig({ DATA_DIR: folder, EMBEDDER: "lexical", LOG_LEVEL: "error" }));
  const queues = [{ name: INGEST_QUEUE, maxReceives: 5, visibilitySeconds: 600 }];
  const { ports, close } = await openLocalPorts(base, { streams: [], queues, baseUrl: () => "" });
  const runtime: OrgRuntime = { ...createRuntime(base, ports), org: "org_bench" };
  const times = await timesOf(async (text) => {
    const { source } = await ingest(runtime, { type: "text", content: { text }, created_by: "user_bench" });
    const job = messageOf({ org: runtime.org, id: source.ingestion_id ?? "" });
    await runJob(runtime, sourceHandlers, job, Number.POSITIVE_INFINITY);
  });
  close();
  rmSync(folder, { recursive: true, force: true });
  return times;
}

interface Tenant {
  service: LocalService;
  key: string;
}

async function untilFound({ service, key }: Tenant, id: string): Promise<{ status: string; chunks_created: number }> {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS));
    const { body } = await service.request("GET", `/sources/${id}`, { key });
    if (body.status === "processing") continue;
    if (body.status !== "active") throw new Error(`the source is ${body.status}: ${body.error}`);
    await service.runtime.drainChangeFeed();
    return body;
  }
}

/** Measures the whole service until the chunks are searchable. */
function finding(tenant: Tenant): Promise<Timings> {
  return timesOf(async (content) => {
    const { body } = await tenant.service.request("POST", "/sources/ingest", { key: tenant.key, body: { content } });
    await untilFound(tenant, body.source_id);
  });
}

async function uploadByLink({ service, key }: Tenant): Promise<void> {
  const { body: link } = await service.request("POST", "/sources/upload-url", { key, body: { filename: "large.md" } });
  const body = ReadableStream.from(encoded(markdown(RUNS, UPLOAD_BYTES)));
  const sent = await service.host.app.fetch(new Request(link.upload_url, { method: "PUT", body, duplex: "half" }));
  if (sent.status !== 200) throw new Error(`the upload answered ${sent.status}`);
  await service.request("POST", link.complete_path, { key });
  const { chunks_created } = await untilFound({ service, key }, link.source_id);
  console.log(`${UPLOAD_BYTES / 1e6} MB of text: ${chunks_created} chunks`);
}

async function* encoded(parts: Iterable<string>): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield Buffer.from(part);
}

/** Returns a PDF just below the maximum size of an upload. */
async function largePdf(): Promise<Buffer<ArrayBuffer>> {
  const text = new Generator(RUNS + 1);
  const page = () => Array.from({ length: PDF_PAGE_PARAGRAPHS }, () => text.memory()).join("\n");
  const sample = await pdfOf(Array.from({ length: 20 }, page));
  const pages = Math.floor((PDF_BYTES * 20) / sample.length);
  return pdfOf(Array.from({ length: pages }, page));
}

async function uploadPdf({ service, key }: Tenant, pdf: Buffer<ArrayBuffer>): Promise<void> {
  const form = new FormData();
  form.set("file", new File([pdf], "large.pdf"));
  const { body } = await service.request("POST", "/sources/upload", { key, body: form });
  const { chunks_created } = await untilFound({ service, key }, body.source_id);
  console.log(`${(pdf.length / 1e6).toFixed(1)} MB of PDF: ${chunks_created} chunks`);
}

const counted = await counting();
const stored = await storing();
const service = await openService();
const tenant: Tenant = { service, ...(await createOrganization(service)) };
const found = await finding(tenant);
const pdf = await largePdf();
const pdfRead = await watch(() => uploadPdf(tenant, pdf));
const linkRead = await watch(() => uploadByLink(tenant));
await service.close();
const quality = await measureSourceQuality();

report([
  ...qualityFigures("paraphrased questions about a manual of 60 pages", quality.paraphrased, { five: 0.75 }),
  ...qualityFigures("exact questions about it", quality.exact, { five: 1 }),
  ...qualityFigures("questions about the README", quality.readme, { first: 0.55, five: 0.85 }),
  ...qualityFigures("questions about the pages for operators", quality.operators, {}),
  ...metricsOf("until its chunks are stored and in view", stored, { atLeast: MIN_SPEED }),
  ...metricsOf("over the whole service, until search finds them", found),
  memoryFigure(`${(pdf.length / 1e6).toFixed(1)} MB of PDF are read`, pdfRead.megabytes),
  {
    ...memoryFigure(`${UPLOAD_BYTES / 1e6} MB of text, sent to a link, are read and indexed`, linkRead.megabytes),
    from: `${readable(UPLOAD_BYTES / 1e6 / linkRead.seconds)} MB/s`,
  },
]);

function qualityFigures(
  questions: string,
  { chunks, all, keptApart }: SourceQuality,
  least: { first?: number; five?: number },
): Figure[] {
  const figure = (name: "first" | "five", what: string): Figure => ({
    what: `${what} of ${questions}`,
    value: all[name],
    unit: "",
    from: `${chunks} chunks; ${readable(keptApart[name])} of the half kept apart`,
    ...(least[name] !== undefined && { limit: { atLeast: least[name] } }),
  });
  return [figure("first", "hit@1"), figure("five", "hit@5")];
}

function metricsOf(until: string, times: Timings, limit?: Figure["limit"]): Figure[] {
  const what = `1 MB of Markdown, ${until}, by processor time`;
  return [
    ratio(what, "counting its o200k tokens", [times, counted]),
    { what, value: 1000 / times.p50, p95: 1000 / times.p95, unit: "MB/s", ...(limit && { limit }) },
  ];
}

function memoryFigure(meanwhile: string, value: number): Figure {
  return { what: `memory while ${meanwhile}`, value, unit: "MB", limit: { atMost: MAX_MEMORY } };
}
