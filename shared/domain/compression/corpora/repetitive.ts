/** Returns pseudorandom numbers below a bound, the same in every run (the Park-Miller generator). */
type Draw = (bound: number) => number;

const SAMPLES_PER_KIND = 6;
const LINES_PER_SAMPLE = 24;
const START = Date.UTC(2025, 2, 14, 6, 0, 0);
const MODULUS = 2_147_483_647;
const MULTIPLIER = 48_271;

const WORDS = ["orders", "billing", "search", "catalog", "mailer", "reports", "identity", "inventory"];
const CITIES = ["Oslo", "Porto", "Leeds", "Lyon", "Graz", "Turku"];
const PEOPLE = ["Anna Berg", "Luis Ortega", "Mei Tan", "Paul Novak", "Sara Lind", "Omar Aziz"];
const PATHS = ["/api/v1/customers", "/api/v1/orders", "/api/v1/invoices", "/healthz", "/static/app.js"];

/** One line of each kind of repetitive text that machines write. */
const KINDS: ((draw: Draw, line: number) => string)[] = [
  (draw, line) =>
    `${time(line)} INFO [${pick(WORDS, draw)}-worker-${draw(4)}] request completed in ${draw(900)} ms, status=200, retries=0, region=eu-north-1`,
  (draw, line) =>
    `10.0.${draw(4)}.${draw(255)} - - [${time(line)}] "GET ${pick(PATHS, draw)}?page=${draw(40)} HTTP/1.1" 200 ${draw(9000)} "-" "Mozilla/5.0 (X11; Linux x86_64)"`,
  (draw, line) =>
    `{"timestamp":"${time(line)}","level":"warn","service":"${pick(WORDS, draw)}","message":"connection pool is nearly exhausted","active":${90 + draw(10)},"max":100}`,
  (draw) =>
    `Dear ${pick(PEOPLE, draw)}, your order ${10_000 + draw(90_000)} has left our warehouse in ${pick(CITIES, draw)} and will arrive within two to three working days.`,
  (draw, line) =>
    `Sensor ${line % 8} in the cold store in ${pick(CITIES, draw)}: temperature ${draw(6)}.${draw(9)} degrees, humidity ${70 + draw(20)} percent, door closed, battery ok.`,
  (draw, line) =>
    `    at ${pick(WORDS, draw)}.Handler.process(Handler.java:${100 + draw(80)})\nCaused by: java.net.SocketTimeoutException: Read timed out after 30000 ms (attempt ${line % 5})`,
  (draw, line) =>
    `- [x] Step ${line + 1}: run the migration of the ${pick(WORDS, draw)} database, check the row count (${draw(5_000)} rows), and tell the owner that it is done.`,
  (draw, line) =>
    `${line + 1};${pick(PEOPLE, draw)};${pick(CITIES, draw)};active;2025-0${1 + draw(9)}-1${draw(9)};newsletter=yes;plan=professional;seats=${1 + draw(20)}`,
  (draw) =>
    `User: What is the status of my ticket? Assistant: Thank you for your message. Your ticket ${2_000 + draw(900)} is still being worked on by our team in ${pick(CITIES, draw)}.`,
];

export const samples: readonly string[] = KINDS.flatMap((lineOf, kind) =>
  Array.from({ length: SAMPLES_PER_KIND }, (_, sample) => {
    const draw = createDraw(1 + kind * SAMPLES_PER_KIND + sample);
    return Array.from({ length: LINES_PER_SAMPLE }, (_, line) => lineOf(draw, line)).join("\n");
  }),
);

function createDraw(seed: number): Draw {
  let state = seed * MULTIPLIER;
  return (bound) => {
    state = (state * MULTIPLIER) % MODULUS;
    return state % bound;
  };
}

function pick(list: readonly string[], draw: Draw): string {
  return list[draw(list.length)] ?? "";
}

function time(line: number): string {
  return new Date(START + line * 1_700).toISOString();
}
