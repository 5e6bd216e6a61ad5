/**
 * Measures recalls relative to searches for the same question, at growing sizes of one user, with the facts that the
 * memories state. Everything runs in this process, sequentially and in turns.
 */
import { MINUTE_MS } from "../../shared/kernel/durations.ts";
import { openService } from "../support/service.ts";
import { Generator } from "./corpus.ts";
import { type Figure, ratio, report } from "./report.ts";
import { sized } from "./sizes.ts";
import { demand } from "./stored-conversations.ts";
import { timeTogether } from "./timing.ts";

const SIZES = sized([100, 10_000], [100, 1_000]);
const QUESTIONS = sized(200, 40);
const BATCH = 100;
const MAX_TOKENS = 1000;
const USER = "bench";
const MAX_OVER_SEARCH = { atMost: 1.5 };
const STARTED_AT = Date.UTC(2024, 0, 1);
const SESSION_LENGTH = 20;

const service = await openService();
const text = new Generator(11);
const figures: Figure[] = [];
let stored = 0;
for (const size of SIZES) {
  for (; stored < size; stored += BATCH) await storeBatch(stored);
  figures.push(await measureAt(size));
}
await service.close();
report(figures);

async function storeBatch(from: number): Promise<void> {
  const memories = Array.from({ length: BATCH }, (_, index) => ({
    content: text.memory(),
    user_id: USER,
    occurred_at: new Date(STARTED_AT + (from + index) * MINUTE_MS).toISOString(),
    metadata: { session_id: `session_${Math.floor((from + index) / SESSION_LENGTH)}`, speaker: "user" },
  }));
  await demand(service, "POST", "/memories/batch", { body: { memories } });
}

async function measureAt(size: number): Promise<Figure> {
  const asked = new Generator(size);
  const questions = Array.from({ length: QUESTIONS * 2 }, () => asked.question());
  const question = (run: number) => questions[run] ?? "";
  const times = await timeTogether(QUESTIONS, {
    search: (run) => demand(service, "GET", `/search?${new URLSearchParams({ q: question(run), user_id: USER })}`),
    recall: (run) =>
      demand(service, "POST", "/recall", { body: { query: question(run), user_id: USER, max_tokens: MAX_TOKENS } }),
  });
  return ratio(`POST /recall at ${size} memories of a user`, "GET /search", [times.recall, times.search], {
    limit: MAX_OVER_SEARCH,
    headline: true,
  });
}
