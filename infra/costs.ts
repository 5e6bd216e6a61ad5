import { readFileSync } from "node:fs";

/** Backends by latency, slowest first. A language task and an embedded text are each a call of Bedrock. */
export const BACKENDS = ["model", "embedder", "search", "s3", "secrets", "sqs", "dynamodb"] as const;

export type Backend = (typeof BACKENDS)[number];

/** Calls by backend, round trips (`search_trips`), DynamoDB's capacity units and milliseconds of processor time. */
export type Amounts = Record<string, number>;

/** The columns of costs.csv after the name of the request. */
export const COLUMNS = [...BACKENDS.map((name) => `${name}_trips`), ...BACKENDS, "read_units", "write_units", "cpu_ms"];
/** Suffix of the name of a row with the work after a request's response: counters and workers. */
export const AFTERWARDS = " afterwards";
export const FIGURES_FILE = new URL("costs.csv", import.meta.url);

/** Milliseconds of a round trip within a region; an estimate. */
const TRIP_MS: Record<Backend, number> = {
  model: 1200,
  embedder: 60,
  search: 25,
  s3: 40,
  secrets: 20,
  sqs: 10,
  dynamodb: 6,
};
/** Dollars per million units: list prices of us-east-1 in 2025; an estimate. */
const PRICES: Amounts = {
  // A task of 1,500 tokens in and 250 out of Nova Lite, and a text of 50 tokens for Titan Text Embeddings v2.
  model: 150,
  embedder: 1,
  s3: 5,
  // A message is sent, received and deleted.
  sqs: 1.2,
  read_units: 0.125,
  write_units: 0.625,
  // HTTP API 1, Lambda 0.2, a KB of logs 0.5.
  request: 1.7,
  gbMs: 0.0133334,
};
/** Share of a core that a function of 1 GB has. */
const CORE_SHARE = 1024 / 1769;
/** What an agent sends in one turn of a conversation, and the turns of a month. */
const TURN: Amounts = { "GET /sessions/{id}/context": 1, "POST /search": 1, "POST /sessions/{id}/messages": 2 };
const TURNS = 300_000;

/** The figures by request, as `npm run costs` measured them. */
export function readFigures(): Map<string, Amounts> {
  const rows = readFileSync(FIGURES_FILE, "utf8").trim().split("\n").slice(1);
  return new Map(
    rows.map((row) => {
      const [name = "", ...values] = row.split(",");
      return [name, Object.fromEntries(COLUMNS.map((column, index) => [column, Number(values[index])]))];
    }),
  );
}

/** The table of infra/README.md. */
export function costLines(): string[] {
  const figures = readFigures();
  const dollars: Amounts = {};
  const rows = [...figures].flatMap(([name, now]) => {
    if (name.endsWith(AFTERWARDS)) return [];
    const later = figures.get(`${name}${AFTERWARDS}`) ?? {};
    dollars[name] = dollarsAMillion(name.includes("/") ? { ...now, request: 1 } : now) + dollarsAMillion(later);
    const trips = BACKENDS.filter((backend) => now[`${backend}_trips`]).map(
      (backend) => `${shown(now[`${backend}_trips`])} ${backend}`,
    );
    const calls = BACKENDS.reduce((sum, backend) => sum + (now[backend] ?? 0), 0);
    const units = [now, later].map(({ read_units, write_units }) => `${shown(read_units)} / ${shown(write_units)}`);
    const bedrock = (now.model ?? 0) + (now.embedder ?? 0) + (later.model ?? 0) + (later.embedder ?? 0);
    const cells = [trips.join(", "), shown(calls), ...units, shown(bedrock), shown(msOf(now)), shown(dollars[name])];
    return [`| ${[`\`${name}\``, ...cells].join(" | ")} |`];
  });
  const turn = Object.entries(TURN).reduce((sum, [name, times]) => sum + times * (dollars[name] ?? 0), 0);
  const sent = Object.entries(TURN).map(([name, times]) => `${times} \`${name}\``);
  return [
    "| Request | Round trips | Calls | Units read / written | and afterwards | Bedrock calls | ms | $ a million |",
    "|---|---|---|---|---|---|---|---|",
    ...rows,
    "",
    `${shown(TURNS)} turns of conversations a month, each with ${sent.join(", ")}, cost ${shown((turn * TURNS) / 1e6)} dollars.`,
  ];
}

function dollarsAMillion(amounts: Amounts): number {
  const priced: Amounts = { ...amounts, gbMs: msOf(amounts) };
  return Object.entries(PRICES).reduce((sum, [name, price]) => sum + price * (priced[name] ?? 0), 0);
}

/** Milliseconds that a function of 1 GB takes. */
function msOf(amounts: Amounts): number {
  const waiting = BACKENDS.reduce((sum, name) => sum + (amounts[`${name}_trips`] ?? 0) * TRIP_MS[name], 0);
  return waiting + (amounts.cpu_ms ?? 0) / CORE_SHARE;
}

/** Three significant digits. */
function shown(value = 0): string {
  return Number(value.toPrecision(3)).toLocaleString("en-US", { maximumFractionDigits: 2 });
}
