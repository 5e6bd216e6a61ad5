/**
 * Finds the patterns of six people's years (test/fixtures/patterns: two written for development, four for the test).
 * `node test/bench/patterns.ts` prints them, so that a reader can judge them.
 */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createOrganization, openService } from "../support/service.ts";
import { report } from "./report.ts";

const FOLDER = fileURLToPath(new URL("../fixtures/patterns", import.meta.url));
const LINE = /^(\d{4}-\d\d-\d\d) (user|assistant) (.*)$/;
const MIN_PATTERNS = 5;
const WAIT_MS = 300;

interface Turn {
  day: string;
  role: string;
  content: string;
}

/** Reads a person's turns: a line each, and the further lines of a message. */
function turnsOf(file: string): Turn[] {
  const turns: Turn[] = [];
  for (const line of readFileSync(`${FOLDER}/${file}`, "utf8").split("\n")) {
    const [, day, role, content] = LINE.exec(line) ?? [];
    const last = turns.at(-1);
    if (day !== undefined && role !== undefined && content !== undefined) turns.push({ day, role, content });
    else if (last !== undefined && line !== "") last.content += `\n${line}`;
  }
  return turns;
}

const service = await openService();
const counts: number[] = [];
let memories = 0;
let storing = 0;
let finding = 0;

/** Returns the processor time of some work, in milliseconds. */
async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

for (const file of readdirSync(FOLDER)) {
  const { key } = await createOrganization(service);
  const turns = turnsOf(file);
  memories += turns.length;
  storing += await processorTime(async () => {
    for (const { day, role, content } of turns) {
      const metadata = role === "user" ? {} : { role };
      const body = { content, user_id: "somebody", occurred_at: `${day}T09:00:00Z`, metadata };
      await service.request("POST", "/memories", { key, body });
    }
    await service.runtime.drainChangeFeed();
  });
  let found: { text: string; type: string }[] = [];
  finding += await processorTime(async () => {
    await service.request("POST", "/patterns/find", { key, body: { user_id: "somebody" } });
    for (let before = -1; found.length === 0 || found.length > before; ) {
      before = found.length;
      await sleep(WAIT_MS);
      found = (await service.request("GET", "/patterns?user_id=somebody&limit=100", { key })).body.data.patterns;
    }
  });
  counts.push(found.length);
  if (!process.send) for (const { type, text } of found) console.log(`${file}\t${type}\t${text}`);
}
await service.close();
report([
  {
    what: `patterns of a year, fewest of ${counts.length} people`,
    value: Math.min(...counts),
    unit: "",
    limit: { atLeast: MIN_PATTERNS },
  },
  { what: "processor time of finding patterns, for each memory of a year", value: finding / memories, unit: "ms" },
  {
    what: "the same, of that of storing the memory",
    baseline: "storing a memory",
    value: finding / storing,
    unit: "x",
  },
]);
