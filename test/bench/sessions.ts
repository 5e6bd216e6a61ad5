/**
 * Measures adding a message to a session relative to a bare route that writes as much; adding to a session of 10,000,
 * including all compaction on the way, relative to adding to an empty one; and reading its context relative to that of
 * a session of 100.
 */
import { inParallel } from "../../shared/kernel/parallel.ts";
import { createClient, openService } from "../support/service.ts";
import { bareApp } from "./bare.ts";
import { Generator } from "./corpus.ts";
import { type Figure, ratio, report } from "./report.ts";
import { sized } from "./sizes.ts";
import { type Timings, timeTogether } from "./timing.ts";

const LONG = sized(10_000, 1000);
const SHORT = 100;
const ROUNDS = sized(20, 5);
/** More than leave the window at once, so that each round compacts some. */
const MESSAGES_A_ROUND = 100;
/** Fewer than the service allows to queue. */
const BEGUN_AT_ONCE = 50;
const READS = sized(200, 50);
const APPENDS = sized(500, 100);

const service = await openService();
const bare = bareApp({}, service.dataDir);
const bareClient = createClient("http://localhost", "", (request) => bare.fetch(request));
const text = new Generator(5);
const long = await begin();
const short = await begin();
await fill(long, LONG);
await fill(short, SHORT);
const figures = [await appends(), await additions(), await readings(), await firstReadings()];
await service.close();
report(figures);

async function demand(method: string, path: string, body?: object) {
  const answer = await service.request(method, path, { body });
  if (answer.status >= 300) {
    throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }
  return answer.body.data;
}

async function begin(): Promise<string> {
  const { id } = await demand("POST", "/sessions", { agent_id: "bench", user_id: "bench" });
  return id;
}

async function add(session: string, turn: number): Promise<void> {
  const role = turn % 2 === 0 ? "user" : "assistant";
  await demand("POST", `/sessions/${session}/messages`, { role, content: text.memory() });
}

async function fill(session: string, messages: number): Promise<void> {
  for (let turn = 0; turn < messages; turn++) await add(session, turn);
}

async function appends(): Promise<Figure> {
  const session = await begin();
  const times = await timeTogether(APPENDS, {
    service: (turn) => add(session, turn),
    bare: async (turn) => {
      const rows = [
        { session, role: "user", content: text.memory() },
        { session, messages: turn },
      ];
      const { status } = await bareClient.request("POST", "/rows", { body: { rows } });
      if (status !== 201) throw new Error(`the bare route answered ${status}`);
    },
  });
  const baseline = "bare Hono route that writes a message and a counter in one SQLite transaction (WAL, FULL)";
  return ratio("POST /sessions/{id}/messages, the handlers in process", baseline, [times.service, times.bare], {
    headline: true,
  });
}

async function additions(): Promise<Figure> {
  const empty = await inParallel(Array.from({ length: 2 * ROUNDS * MESSAGES_A_ROUND }), BEGUN_AT_ONCE, begin);
  const aRound = async (sessionOf: (turn: number) => string) => {
    for (let turn = 0; turn < MESSAGES_A_ROUND; turn++) await add(sessionOf(turn), turn);
  };
  const times = await timeTogether(ROUNDS, {
    long: () => aRound(() => long),
    empty: () => aRound(() => empty.pop() ?? ""),
  });
  const what = `adding ${MESSAGES_A_ROUND} messages to a session of ${LONG}, folds included`;
  return ratio(what, "to empty ones", [times.long, times.empty], {
    limit: { atMost: 1.3 },
    headline: true,
  });
}

async function readings(): Promise<Figure> {
  const read = (session: string) => demand("GET", `/sessions/${session}/context`);
  const times = await timeTogether(READS, { long: () => read(long), short: () => read(short) });
  return readFigure("", times);
}

/** Measures the pattern of agents: a message is added, then the context is read. */
async function firstReadings(): Promise<Figure> {
  const addAndRead = async (session: string, turn: number) => {
    await add(session, turn);
    await demand("GET", `/sessions/${session}/context`);
  };
  const times = await timeTogether(ROUNDS, {
    long: (turn) => addAndRead(long, turn),
    short: (turn) => addAndRead(short, turn),
  });
  return readFigure("adding a message and ", times);
}

function readFigure(before: string, times: Record<"long" | "short", Timings>): Figure {
  const what = `${before}GET context of a session of ${LONG} messages`;
  return ratio(what, `of ${SHORT}`, [times.long, times.short], { limit: { atMost: 3 } });
}
