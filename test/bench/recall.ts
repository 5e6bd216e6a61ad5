/**
 * `npm run bench:recall [-- FILES…]`: stores LoCoMo conversations (by default all in ../shared/bench), asks their
 * questions in each search mode over HTTP and reports evidence recall compared with SQLite's BM25 on the same texts.
 * Uses the service at BASE_URL with API_KEY if both are set, else its own instance.
 */

import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { DAY_MS } from "../../shared/kernel/durations.ts";
import { termOf, words } from "../../shared/kernel/text/text.ts";
import type { Service } from "../support/service.ts";
import {
  ANSWERABLE,
  answerable,
  type Conversation,
  contentOf,
  evidenceRecall,
  type Question,
  readConversation,
  type SpokenTurn,
  timesOf,
} from "./locomo.ts";
import { locomoFiles, NO_LOCOMO } from "./locomo-files.ts";
import { type Figure, ratio, report, skip } from "./report.ts";
import { sized } from "./sizes.ts";
import { demand, reachService, storeConversation, userOf } from "./stored-conversations.ts";
import { summarize } from "./timing.ts";

const DEPTHS = [5, 10, 20] as const;
const DEEPEST = Math.max(...DEPTHS);
/** The depth that the suite reports. */
const DEPTH = 10;
const BASELINE = "BM25 of SQLite FTS5";
const SPREADING = "spreading";
const MULTI_HOP = 1;
/** Minimum recall of spreading: of all questions, and of those that need several turns. */
const AIMS = { all: 0.72, multiHop: 0.42 };
/** Returns all hits, however irrelevant, up to the deepest measured depth. */
const WIDELY = { limit: String(DEEPEST), threshold: "0" };

/** Returns the turns found for a question, best first. */
type Search = (conversation: Conversation, question: string) => Promise<string[]>;

interface Asked {
  question: Question;
  found: string[];
  milliseconds: number;
}

const { positionals } = parseArgs({ allowPositionals: true });
const all = locomoFiles();
const files = positionals.length > 0 ? positionals : all.slice(0, sized(all.length, 1));
const conversations = files.map(readConversation);
/** The baseline's tables, one per conversation. */
const tables = new Map<SpokenTurn[], DatabaseSync>();
if (conversations.length === 0) skip(NO_LOCOMO);
else await measure();

async function measure(): Promise<void> {
  const { service, close } = await reachService();
  try {
    for (const conversation of conversations) await storeConversation(service, conversation);
    const results = new Map<string, Asked[]>();
    for (const [mode, search] of modesOf(service)) results.set(mode, await askAll(search));
    if (!process.send) for (const depth of DEPTHS) showRecall(results, depth);
    report(metricsOf(results));
  } finally {
    await close();
  }
}

function modesOf(service: Service): Map<string, Search> {
  const weighed =
    (semantic_weight: number): Search =>
    ({ name, ...conversation }, query) =>
      ask(service, "/search/hybrid", {
        query,
        now: askedAt(conversation),
        semantic_weight,
        keyword_weight: 1 - semantic_weight,
        filters: { user_id: userOf(name) },
        options: { limit: DEEPEST, threshold: 0, include_explanation: false },
      });
  return new Map<string, Search>([
    [BASELINE, searchByBm25],
    ["semantic", weighed(1)],
    ["keyword", weighed(0)],
    ["hybrid 0.8 : 0.2", weighed(0.8)],
    [
      "plain search (spreading off)",
      ({ name, ...conversation }, query) => {
        const asked = { q: query, now: askedAt(conversation), user_id: userOf(name), ...WIDELY };
        return readTurns(demand(service, "GET", `/search?${new URLSearchParams(asked)}`));
      },
    ],
    [
      SPREADING,
      ({ name, ...conversation }, query) =>
        ask(service, "/search/enhanced", {
          query,
          now: askedAt(conversation),
          filters: { user_id: userOf(name) },
          options: { limit: DEEPEST },
        }),
    ],
  ]);
}

function askedAt(conversation: Pick<Conversation, "turns">): string {
  return new Date(Math.max(...timesOf(conversation).values()) + DAY_MS).toISOString();
}

function ask(service: Service, url: string, body: object): Promise<string[]> {
  return readTurns(demand(service, "POST", url, { body }));
}

async function readTurns(answer: ReturnType<typeof demand>): Promise<string[]> {
  const { results } = await answer;
  return results.map(({ metadata }: { metadata: { dia_id: string } }) => metadata.dia_id);
}

async function askAll(search: Search): Promise<Asked[]> {
  const asked: Asked[] = [];
  for (const conversation of conversations) {
    for (const question of answerable(conversation)) {
      const startedAt = performance.now();
      const found = await search(conversation, question.question);
      asked.push({ question, found, milliseconds: performance.now() - startedAt });
    }
  }
  return asked;
}

/** The baseline: Porter stems, any of the question's words except stop words, ranked by bm25. */
async function searchByBm25({ turns }: Conversation, question: string): Promise<string[]> {
  const contentWords = words(question).filter(({ folded }) => termOf(folded) !== undefined);
  const match = contentWords.map(({ folded }) => `"${folded}"`).join(" OR ");
  const rows = tableOf(turns)
    .prepare("SELECT dia_id FROM turns WHERE turns MATCH ? ORDER BY rank LIMIT ?")
    .all(match, DEEPEST);
  return rows.map(({ dia_id }) => String(dia_id));
}

function tableOf(turns: SpokenTurn[]): DatabaseSync {
  const known = tables.get(turns);
  if (known) return known;
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE VIRTUAL TABLE turns USING fts5 (dia_id UNINDEXED, content, tokenize = 'porter unicode61')");
  const insert = database.prepare("INSERT INTO turns (dia_id, content) VALUES (?, ?)");
  for (const turn of turns) insert.run(turn.dia_id, contentOf(turn));
  tables.set(turns, database);
  return database;
}

function showRecall(results: Map<string, Asked[]>, depth: number): void {
  console.log(
    `\nEvidence recall@${depth}: share of the turns with the answer among the first ${depth}, mean over questions`,
  );
  const rows = [...results].map(([mode, asked]) => {
    const categories = [...ANSWERABLE].map(([category, name]) => {
      const part = asked.filter(({ question }) => question.category === category);
      return [`${name} (${part.length})`, meanRecall(part, depth)];
    });
    return { mode, ...Object.fromEntries(categories), [`all (${asked.length})`]: meanRecall(asked, depth) };
  });
  console.table(rows);
}

function meanRecall(asked: Asked[], depth: number): string {
  return asked.length === 0 ? "-" : recallOf(asked, depth).toFixed(3);
}

/** Returns the mean evidence recall, 0..1. */
function recallOf(asked: Asked[], depth: number): number {
  const shares = asked.map(({ question, found }) => evidenceRecall(question, new Set(found.slice(0, depth))));
  return shares.reduce((sum, share) => sum + share, 0) / shares.length;
}

/** Returns recall and query time of each mode relative to the baseline, and whether spreading reaches its targets. */
function metricsOf(results: Map<string, Asked[]>): Figure[] {
  const bm25 = results.get(BASELINE) ?? [];
  const figures = [...results].flatMap(([mode, asked]) => (mode === BASELINE ? [] : modeFigures(mode, asked, bm25)));
  const spreading = results.get(SPREADING) ?? [];
  const multiHop = spreading.filter(({ question }) => question.category === MULTI_HOP);
  return [
    ...figures,
    aimFigure(`of ${spreading.length} questions`, recallOf(spreading, DEPTH), AIMS.all),
    aimFigure(`of the ${multiHop.length} multi-hop ones`, recallOf(multiHop, DEPTH), AIMS.multiHop),
  ];
}

function modeFigures(mode: string, asked: Asked[], bm25: Asked[]): Figure[] {
  const [recall, baseline] = [recallOf(asked, DEPTH), recallOf(bm25, DEPTH)];
  const times = [asked, bm25].map((each) => summarize(each.map(({ milliseconds }) => milliseconds)));
  const [own, theirs] = times;
  if (!own || !theirs) throw new Error("nothing was asked");
  return [
    {
      what: `evidence recall@${DEPTH}, ${mode}, LoCoMo`,
      baseline: BASELINE,
      value: recall / baseline,
      unit: "x",
      from: `${recall.toFixed(3)} : ${baseline.toFixed(3)}`,
      headline: true,
    },
    ratio(`time of such a query over HTTP, ${mode}`, `${BASELINE}, in process`, [own, theirs]),
  ];
}

function aimFigure(of: string, value: number, atLeast: number): Figure {
  return { what: `evidence recall@${DEPTH}, ${SPREADING}, ${of}`, value, unit: "", limit: { atLeast }, headline: true };
}
