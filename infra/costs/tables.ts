import { readDeployment } from "../config.ts";
import { discoverGroups, discoverWorkers } from "../discover.ts";
import { LOG_KB, MIX, PRICES, RATES, WAIT_MS } from "./assumptions.ts";
import { type Amounts, addTraffic, type RouteFigures, readFigures, type Traffic, total } from "./figures.ts";
import { costOf, type Deployables, type Load, loadAt, type Strain, strainOf, strains } from "./model.ts";

/** The deployment whose limits are shown: prod with defaults. */
const PROD: Record<string, unknown> = { stage: "prod", alarmEmail: "operator@example.com" };

/** The part of infra/README.md that follows from counts and assumptions. */
export async function costTables(): Promise<string> {
  const figures = readFigures();
  const functions = await readFunctions();
  const deployed = readDeployment({ tryGetContext: (key: string) => PROD[key] });
  const loads = RATES.map((rate) => loadAt(rate, figures, functions));
  const strained = loads.map((load) => strains(load, deployed, functions));
  return [
    requestTable(figures.routes, functions),
    "Besides, whatever the request:",
    [
      `- a process adds its own counters every few seconds: ${told(figures.flush)};`,
      `- a plan with limits adds the limiter's update: ${told(figures.limiter)};`,
      `- a credential that a process has not met for ten seconds: ${told(figures.credential)}.`,
    ].join("\n"),
    assumptions(),
    loadTable(loads),
    strainTable(strained),
    strained.map((those, place) => firstLimits(RATES[place] ?? 0, those)).join("\n"),
  ].join("\n\n");
}

async function readFunctions(): Promise<Deployables> {
  const [groups, workers] = await Promise.all([discoverGroups(), discoverWorkers()]);
  return new Map([
    ...groups.map(({ manifest: { name, memoryMb } }) => [name, { memoryMb }] as const),
    ...workers.map(({ manifest: { name, memoryMb, source } }) => {
      const batchesAtOnce = "stream" in source ? (source.stream.batchesAtOnce ?? 1) : undefined;
      return [name, { memoryMb, batchesAtOnce }] as const;
    }),
  ]);
}

function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function requestTable(routes: RouteFigures[], functions: Deployables): string {
  const rows = routes.map((route) => {
    const later = addTraffic(...[route.counted, ...route.after].map((traffic) => ({ traffic, times: 1 })));
    const { all, answerMs, busyMs, messages, dollarsAMillion } = costOf(route, functions);
    const bedrock = (all.calls.embedder ?? 0) + (all.calls.model ?? 0);
    return [
      `\`${route.route}\``,
      Object.entries(route.waits)
        .map(([backend, times]) => `${shown(times)} ${backend}`)
        .join(", "),
      units(route),
      units(later),
      shown(all.calls.search ?? 0),
      shown(bedrock),
      shown(messages),
      shown(answerMs),
      shown(total(busyMs)),
      shown(dollarsAMillion),
    ];
  });
  return table(
    [
      "Request",
      "Round trips",
      "Units read/written",
      "and afterwards",
      "Search calls",
      "Bedrock calls",
      "Messages",
      "ms to answer",
      "Lambda ms",
      "$ a million",
    ],
    rows,
  );
}

function units({ read, written }: Pick<Traffic, "read" | "written">): string {
  return `${shown(total(read))} / ${shown(total(written))}`;
}

function told(traffic: Traffic): string {
  const { read, written, waits } = traffic;
  return `${shown(total(waits))} round trips, ${shown(total(read))} units read and ${shown(total(written))} written`;
}

function assumptions(): string {
  const { region, asOf, ...prices } = PRICES;
  const waits = Object.entries(WAIT_MS).map(([backend, ms]) => `${backend} ${ms}`);
  const dollars = Object.values(prices).map((price) => `${price.of} $${price.dollars}`);
  return [
    `Estimated, not counted: waits in milliseconds (${waits.join(", ")}); list prices of ${region}, ${asOf} (${dollars.join(
      "; ",
    )}); ${LOG_KB} KB of logs a request.`,
    `The mix: ${Object.entries(MIX)
      .map(([route, share]) => `${shown(share * 100)} % \`${route}\``)
      .join(", ")}.`,
  ].join("\n");
}

function loadTable(loads: Load[]): string {
  const row = (what: string, of: (load: Load) => number) => [what, ...loads.map((load) => shown(of(load)))];
  const indexes = [...new Set(loads.flatMap(({ written }) => Object.keys(written)))].sort();
  const at = (amounts: Amounts, name: string) => amounts[name] ?? 0;
  return table(
    ["A second, of the mix", ...RATES.map((rate) => `${shown(rate)} requests`)],
    [
      row("Units read", ({ read }) => total(read)),
      ...indexes.map((index) => row(`Units written, ${index}`, ({ written }) => at(written, index))),
      row("Search calls", ({ calls }) => at(calls, "search")),
      row("Texts embedded", ({ calls }) => at(calls, "embedder")),
      row("Tasks for a language model", ({ calls }) => at(calls, "model")),
      row("Functions at work at a time", ({ busy }) => total(busy)),
      row("$ a month, without search nodes", ({ dollarsAMonth }) => dollarsAMonth),
    ],
  );
}

function strainTable(strained: Strain[][]): string {
  const [, middle = []] = strained;
  const rows = middle.map(({ limit, available, unit, remedy }) => [
    limit,
    `${shown(available)} ${unit}`,
    ...strained.map((those) => cell(those.find((each) => each.remedy === remedy))),
    remedy,
  ]);
  return table(["Limit", "There is", ...RATES.map((rate) => `needed at ${shown(rate)}/s`), "What moves it"], rows);
}

function cell(strain: Strain | undefined): string {
  if (strain === undefined) return "";
  const needed = shown(strain.needed);
  return strainOf(strain) > 1 ? `**${needed}**` : needed;
}

function firstLimits(rate: number, those: Strain[]): string {
  const exceeded = those.filter((strain) => strainOf(strain) > 1);
  const named = (exceeded.length > 0 ? exceeded : those.slice(0, 1)).map(
    (strain) => `${strain.limit} (${shown(strainOf(strain) * 100)} %)`,
  );
  const verdict = exceeded.length > 0 ? "exceeds, the worst first" : "stays within all of them; nearest";
  return `- ${shown(rate)} requests a second ${verdict}: ${named.join("; ")}.`;
}

/** Three significant digits with thousands separators. */
function shown(value: number): string {
  return Number(value.toPrecision(3)).toLocaleString("en-US", { maximumFractionDigits: 2 });
}
