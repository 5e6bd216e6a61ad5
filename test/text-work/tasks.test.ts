import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findTask, TASKS } from "../../infra/text-work/tasks.ts";
import { DEFAULT_EXTRACTION_SETTINGS } from "../../shared/domain/memory/extraction.ts";
import type { SessionMessage } from "../../shared/domain/sessions/session.ts";
import { NOTHING_SAID } from "../../shared/domain/sessions/state.ts";
import { budgetOf } from "../../shared/domain/sessions/summary.ts";
import { readPassage } from "../../shared/language/statements/passage.ts";
import { TextPool } from "../../shared/runtime/text-work/pool.ts";
import type { TextTask } from "../../shared/runtime/text-work/task.ts";
import { pdfOf, pngOf, wavOf } from "../fixtures/documents.ts";

const MEGABYTE = 1024 * 1024;
const ROOT = path.join(import.meta.dirname, "../..");
const TEXT =
  "Ada moved to Zurich last spring and prefers tea. She works with Bob on the Orion project. The printer in Berlin does not work. ".repeat(
    30,
  );

const MESSAGES = Array.from(
  { length: 40 },
  (_, index): SessionMessage => ({
    id: `msg_${index}`,
    org: "org_1",
    session_id: "sess_1",
    position: index + 1,
    role: index % 2 === 0 ? "user" : "assistant",
    content: `${index}: ${TEXT.slice(index * 7, index * 7 + 300)}`,
    metadata: {},
    tokens: 70,
    tokens_before: index * 70,
    created_at: new Date(1.7e12 + index * 1000).toISOString(),
    created_by: "ak_1",
  }),
);

const SESSION = {
  id: "sess_1",
  status: "active",
  message_count: MESSAGES.length,
  total_tokens: 2_800,
  metadata: {},
  created_at: "2026-01-02T03:04:05.000Z",
};
const SKILLS = [
  { id: "skill_1", name: "brew", trigger: "someone wants tea", action: "Boil water. Wait four minutes." },
  { id: "skill_2", name: "pour", trigger: "tea is ready", action: "Pour it into a cup." },
];
const OPTIONS = { algorithm: "smart_hybrid", min_retention: 0.9 } as const;
const HTML = Buffer.from(`<html><body><h1>Pier</h1><p>${TEXT}</p><a href="/next">on</a></body></html>`);
const SITEMAP = Buffer.from("<urlset><url><loc>https://a.example/1</loc></url></urlset>");
const WAV = wavOf(2);
const MEMORY = { content: TEXT.slice(0, 300), facts: [], entities: [] };

/** What each task is tried with. */
const EXAMPLES: { [task: string]: () => unknown } = {
  extract: () => ({ text: { content: TEXT, metadata: {} }, settings: DEFAULT_EXTRACTION_SETTINGS }),
  mentions: () => ({
    text: { content: TEXT, metadata: {}, stored_at: "2026-01-02T03:04:05.000Z" },
    message: { before: "", text: TEXT },
    mentions: [{ part: "text", start: 0, end: 3, slot: "lives_in", act: "state", confidence: 0.9 }],
  }),
  compress: () => ({ text: TEXT, options: OPTIONS }),
  measure_compression: () => ({ text: TEXT, options: OPTIONS, iterations: 1 }),
  benchmark_compression: () => ({ samples: [TEXT], algorithms: ["radix"], iterations: 1, min_retention: 0.9 }),
  fold_messages: () => ({ segments: [], messages: MESSAGES, budget: budgetOf(2_000) }),
  compress_context: () => ({ segments: [], messages: MESSAGES, options: OPTIONS, most: 300 }),
  read_state_by_rule: () => ({ previous: NOTHING_SAID, messages: MESSAGES }),
  session_gist: () => ({ messages: MESSAGES, context_window: 8_000 }),
  session_outline: () => ({ messages: MESSAGES, topics: 5, points: 5 }),
  session_pdf: () => ({
    heading: { session: SESSION, context: {}, includeMetadata: true, exportedAt: "2026-01-02T03:04:05.000Z" },
    messages: MESSAGES.slice(0, 3),
    timeMs: 20_000,
  }),
  read_html: () => ({ kind: "html", bytes: HTML, declared: "", page: true }),
  read_pdf: async () => ({ kind: "pdf", bytes: await pdfOf(["First page."]) }),
  read_document: () => ({
    kind: "document",
    bytes: Buffer.from("a,b\n1,2\n"),
    content_type: "text/csv",
    declared: "",
  }),
  read_image: () => ({ kind: "image", bytes: pngOf(3, 2) }),
  read_audio: () => ({ kind: "audio", bytes: WAV, content_type: "audio/wav", size: WAV.length }),
  read_links: () => ({ kind: "links", bytes: HTML, declared: "", url: "https://a.example/" }),
  read_sitemap: () => ({ kind: "sitemap", bytes: SITEMAP, declared: "application/xml" }),
  "rule:extract_memory": async () => {
    const passage = await readPassage({ content: TEXT });
    return { passage, focus: passage.sentences, known: [], attempt: 1 };
  },
  "rule:verify_facts": async () => ({
    passage: await readPassage({ content: TEXT }),
    facts: [{ content: "Ada prefers tea", confidence: 0.9, category: "preference" }],
  }),
  "rule:infer_from_memories": () => ({ memory: MEMORY, related: [MEMORY], facts: [], prompt: "What does Ada prefer?" }),
  "rule:summarize_source": () => ({ title: "Ada", lead: TEXT, headings: ["One"] }),
  "rule:read_session_state": () => ({ previous: NOTHING_SAID, earlier: [], messages: MESSAGES }),
  "rule:judge_sentiment": () => ({ texts: ["This is great!", "This is terrible."] }),
  "rule:find_topics": () => ({ messages: MESSAGES, most: 5 }),
  "rule:sum_up_session": () => ({
    messages: 2,
    topics: ["tea"],
    points: ["Ada prefers tea."],
    outcome: ["The refund was approved."],
    known: [],
    changed: ["lives in Rome"],
    transcript: TEXT,
  }),
  "rule:answer_as_agent": () => ({
    agent: { name: "Helper", config: {} },
    input: "What does Ada prefer?",
    context: {},
    memories: [{ id: "mem_1", ...MEMORY }],
    skills: SKILLS,
    maxTokens: 500,
  }),
  "rule:draft_skills": () => ({ trigger: "someone wants tea", context: TEXT, known: SKILLS, limit: 3 }),
  "rule:execute_skill": () => ({ skill: SKILLS[0], context: { cup: "blue" }, maxTokens: 500 }),
  "rule:extract_skills": () => ({ content: `When someone wants tea, boil water. ${TEXT}`, domain: "kitchen" }),
  "rule:synthesize_skill": () => ({ name: "tea", skills: SKILLS }),
};

const pool = new TextPool({
  threads: 1,
  maxWaiting: 1,
  idleMs: 60_000,
  file: new URL("../../infra/text-work/thread.ts", import.meta.url),
  limits: { heapBytes: 192 * MEGABYTE, bufferBytes: 96 * MEGABYTE, timeMs: 30_000, waitMs: 10_000 },
});

afterAll(() => pool.close());

describe("text tasks", () => {
  it.each(Object.keys(TASKS))("give the same result in a thread as inline: %s", async (name) => {
    const input = await EXAMPLES[name]?.();
    const task = (await findTask(name)) as TextTask<unknown, unknown>;
    expect(task.name).toBe(name);
    const inline = await task.run(structuredClone(input));
    expect(inline).toBeDefined();
    expect(comparable(await pool.run(task, input, { org: "a" }))).toEqual(comparable(inline));
  });

  it("are all listed for the threads", async () => {
    const files = globSync(["shared/**/*.ts", "functions/**/*.ts"], { cwd: ROOT }).filter(
      (file) => !file.endsWith(".test.ts"),
    );
    const named = files.flatMap((file) => namesIn(readFileSync(path.join(ROOT, file), "utf8")));
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !(name in TASKS))).toEqual([]);
  });

  it("name themselves where a thread does not know one", async () => {
    const unknown: TextTask<string, string> = { name: "unheard_of", inlineSize: 0, run: (text) => text };
    await expect(pool.run(unknown, "", { org: "a" })).rejects.toThrow(/no text task 'unheard_of'/);
  });
});

/** Names of the tasks that a module makes, as the table would list them. */
function namesIn(source: string): string[] {
  const made = source.matchAll(/: (?<kind>Text|Language)Task<[^=]*= \{\s*(?:\/\/.*\s*)?name: "(?<name>[^"]+)"/g);
  return [...made].map(({ groups }) => (groups?.kind === "Language" ? `rule:${groups.name}` : String(groups?.name)));
}

/** Without what differs from run to run: times, and the ids within a PDF. */
function comparable(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value.subarray(0, 5)).toString();
  return JSON.parse(
    JSON.stringify(value, (key, member) => (/latenc|throughput|_ms$/.test(key) ? undefined : member)) ?? "null",
  );
}
