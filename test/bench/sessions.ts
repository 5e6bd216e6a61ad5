/**
 * Adding a message to a session of 10,000 beside adding one to an empty session, with all that is summed up on the way,
 * and reading the context of it beside that of a session of 100.
 */
import { openService } from "../support/service.ts";
import { Generator } from "./corpus.ts";
import { type Figure, readable, report } from "./report.ts";
import { type Timings, timeTogether } from "./timing.ts";

const LONG = 10_000;
const SHORT = 100;
const ROUNDS = 20;
/** More than leave a window at once, so that each round sums some up. */
const MESSAGES_A_ROUND = 100;
const READS = 200;

const service = await openService();
const text = new Generator(5);
const long = await begin();
const short = await begin();
await fill(long, LONG);
await fill(short, SHORT);
const figures = [...(await additions()), ...(await readings()), await firstReadings()];
await service.close();
report(figures);

async function demand(method: string, path: string, body?: object) {
  const answer = await service.request(method, path, { body });
  if (answer.status >= 300)
    throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
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

async function additions(): Promise<Figure[]> {
  const empty = await Promise.all(Array.from({ length: 2 * ROUNDS * MESSAGES_A_ROUND }, begin));
  const aRound = async (sessionOf: (turn: number) => string) => {
    for (let turn = 0; turn < MESSAGES_A_ROUND; turn++) await add(sessionOf(turn), turn);
  };
  const times = await timeTogether(ROUNDS, {
    long: () => aRound(() => long),
    empty: () => aRound(() => empty.pop() ?? ""),
  });
  const figure = {
    what: `adding ${MESSAGES_A_ROUND} messages to a session of ${LONG} : to empty ones, folds included`,
    value: times.long.p50 / times.empty.p50,
    unit: "x" as const,
    limit: { atMost: 1.3 },
    from: `${readable(times.long.p50)} : ${readable(times.empty.p50)} ms`,
  };
  return [figure];
}

async function readings(): Promise<Figure[]> {
  const read = (session: string) => demand("GET", `/sessions/${session}/context`);
  const times = await timeTogether(READS, { long: () => read(long), short: () => read(short) });
  return (["p50", "p95"] as const).map((share) => readFigure(share, "", times));
}

/** As agents do: a message comes in, then the context is read. */
async function firstReadings(): Promise<Figure> {
  const addAndRead = async (session: string, turn: number) => {
    await add(session, turn);
    await demand("GET", `/sessions/${session}/context`);
  };
  const times = await timeTogether(ROUNDS, {
    long: (turn) => addAndRead(long, turn),
    short: (turn) => addAndRead(short, turn),
  });
  return readFigure("p50", "adding a message and ", times);
}

function readFigure(share: "p50" | "p95", before: string, times: Record<"long" | "short", Timings>): Figure {
  return {
    what: `${before}GET context of a session of ${LONG} messages : of ${SHORT}, ${share}`,
    value: times.long[share] / times.short[share],
    unit: "x",
    limit: { atMost: 3 },
    from: `${readable(times.long[share])} : ${readable(times.short[share])} ms`,
  };
}
