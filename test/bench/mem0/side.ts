/**
 * Runs one side of the comparison in its own process, for `mem0.ts`. SIDE selects mem0's library, the service's
 * handlers in this process, or the service over HTTP. Fills it to each of SIZES and measures it there; then reports its
 * recall on a store that holds only one conversation.
 */
import { createLexicalEmbedder } from "../../../shared/domain/models/lexical-embedder.ts";
import { openService, type Service } from "../../support/service.ts";
import { AS_IT_IS, Generator } from "../corpus.ts";
import { answerable, contentOf, evidenceRecall, type Question, readConversation } from "../locomo.ts";
import { locomoFiles } from "../locomo-files.ts";
import { serve } from "../served.ts";
import { sized } from "../sizes.ts";
import { type Timings, timeTogether } from "../timing.ts";
import { openMem0 } from "./library.ts";

export type SideName = "library" | "in process" | "over HTTP";

export interface AtSize {
  size: number;
  /** Adds with facts and entities; adds without either; and searches in each mode that the side has. */
  times: Record<string, Timings>;
  residentBytes: number;
}

export interface SideReport {
  sizes: AtSize[];
  /** Mean evidence recall@10 by search mode; empty without LoCoMo. */
  recall: Record<string, number>;
  questions: number;
}

interface Side {
  fill(texts: string[]): Promise<void>;
  /** Adds a text with facts and entities. */
  add(text: string, user: string, metadata?: object): Promise<void>;
  /** Adds a text unchanged, without a model. */
  addPlain(text: string): Promise<void>;
  /** Returns the `dia_id` of each of the first ten hits. */
  searches: Record<string, (query: string, user: string) => Promise<unknown[]>>;
  residentBytes(): Promise<number>;
  close(): Promise<void>;
}

const SIZES = sized([1_000, 10_000], [50, 200]);
/**
 * Maximum number of memories that mem0 stores with linked entities. It compares each new entity with all existing ones,
 * which would take hours at 10,000; further memories are added without entities, which favours mem0.
 */
const LINKED = sized(1_000, 50);
const RUNS = sized(30, 5);
const BATCH_SIZE = 100;
const USER = "bench";
const SPEAKER = "locomo";
const DEPTH = 10;

const OPENERS: Record<SideName, () => Promise<Side>> = {
  library: openLibrary,
  "in process": openInProcess,
  "over HTTP": openOverHttp,
};

process.on("disconnect", () => process.exit());
const name = process.env.SIDE as SideName;
const side = await OPENERS[name]();
const text = new Generator(3);
const questions = new Generator(11);
const sizes: AtSize[] = [];
let stored = 0;
for (const size of SIZES) {
  await side.fill(Array.from({ length: size - stored }, () => text.memory()));
  stored = size;
  const searches = Object.entries(side.searches).map(([mode, search]) => [
    mode,
    () => search(questions.question(), USER),
  ]);
  const times = await timeTogether(RUNS, {
    add: () => side.add(text.memory(), USER),
    "add plain": () => side.addPlain(text.memory()),
    ...Object.fromEntries(searches),
  });
  sizes.push({ size, times, residentBytes: await side.residentBytes() });
}
await side.close();
const answer: SideReport = { sizes, ...(await measureRecall()) };
process.send?.(answer);

/** Skipped over HTTP, where search finds the same turns as in process, and in quick runs, because it takes too long. */
async function measureRecall(): Promise<Pick<SideReport, "recall" | "questions">> {
  const [file] = sized(locomoFiles(), []);
  if (file === undefined || name === "over HTTP") return { recall: {}, questions: 0 };
  const conversation = readConversation(file);
  const asked = answerable(conversation);
  const own = await OPENERS[name]();
  for (const turn of conversation.turns) {
    await own.add(contentOf(turn), SPEAKER, { dia_id: turn.dia_id, session_id: turn.session });
  }
  const recall: Record<string, number> = {};
  for (const [mode, search] of Object.entries(own.searches)) recall[mode] = await recallOf(asked, search);
  await own.close();
  return { recall, questions: asked.length };
}

async function recallOf(asked: Question[], search: Side["searches"][string]): Promise<number> {
  let sum = 0;
  for (const question of asked) {
    const found = await search(question.question, SPEAKER);
    sum += evidenceRecall(question, new Set(found.map(String)));
  }
  return sum / asked.length;
}

async function openLibrary(): Promise<Side> {
  const { memory, add } = await openMem0(createLexicalEmbedder());
  const demand = async (text: string, config: Parameters<typeof add>[1]) => {
    const count = await add(text, config);
    if (count !== 1) throw new Error(`mem0 made ${count} memories of a text`);
  };
  const addPlain = (text: string) => demand(text, { userId: USER, infer: false });
  return {
    fill: async (texts) => {
      for (const [index, each] of texts.entries()) {
        if (index < LINKED && stored < LINKED) await demand(each, { userId: USER });
        else await addPlain(each);
      }
    },
    add: (text, userId, metadata = {}) => demand(text, { userId, metadata: { ...metadata } }),
    addPlain,
    searches: {
      search: async (query, user_id) => {
        const { results } = await memory.search(query, { filters: { user_id }, topK: DEPTH, threshold: 0 });
        return results.map(({ metadata }) => metadata?.dia_id);
      },
    },
    residentBytes: async () => process.memoryUsage.rss(),
    close: async () => {},
  };
}

async function openInProcess(): Promise<Side> {
  const service = await openService();
  return sideOf(service, { residentBytes: async () => process.memoryUsage.rss(), close: service.close });
}

async function openOverHttp(): Promise<Side> {
  const service = await serve();
  return sideOf(service, { residentBytes: async () => (await service.use()).residentBytes, close: service.close });
}

function sideOf({ request }: Service, process: Pick<Side, "residentBytes" | "close">): Side {
  const demand = async (method: string, url: string, body?: object) => {
    const answer = await request(method, url, { body });
    if (answer.status >= 300) throw new Error(`${method} ${url} answered ${answer.status}`);
    return answer.body.data;
  };
  const idsOf = ({ results }: { results: { metadata: { dia_id?: unknown } }[] }) =>
    results.map(({ metadata }) => metadata.dia_id);
  return {
    fill: async (texts) => {
      for (let start = 0; start < texts.length; start += BATCH_SIZE) {
        const memories = texts.slice(start, start + BATCH_SIZE).map((content) => ({ content, user_id: USER }));
        await demand("POST", "/memories/batch", { memories });
      }
    },
    add: (content, user_id, metadata = {}) => demand("POST", "/memories", { content, user_id, metadata }),
    addPlain: (content) => demand("POST", "/memories", { content, user_id: USER, options: AS_IT_IS }),
    searches: {
      search: async (q, user_id) =>
        idsOf(
          await demand("GET", `/search?${new URLSearchParams({ q, user_id, threshold: "0", limit: String(DEPTH) })}`),
        ),
      spreading: async (query, user_id) =>
        idsOf(await demand("POST", "/search/enhanced", { query, filters: { user_id }, options: { limit: DEPTH } })),
    },
    ...process,
  };
}
