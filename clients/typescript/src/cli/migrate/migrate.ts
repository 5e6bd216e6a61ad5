import { writeFile } from "node:fs/promises";
import type * as api from "../../api.ts";
import { call } from "../../call.ts";
import type { Transport } from "../../transport.ts";
import { CLI_OPERATIONS } from "../operations.ts";
import type { Output } from "../output.ts";
import { SetupError } from "../setup-error.ts";
import { importFile } from "../transfers.ts";
import { fetchRows } from "./fetch-rows.ts";
import type { ForeignService } from "./foreign-api.ts";
import { MEM0_URL, mem0Service } from "./mem0.ts";
import { ZEP_URL, zepService } from "./zep.ts";

/** The services from which memories are migrated, with the variables of their address and key. */
const SOURCES = {
  mem0: { open: mem0Service, url: MEM0_URL, urlVariable: "MEM0_URL", keyVariable: "MEM0_API_KEY" },
  zep: { open: zepService, url: ZEP_URL, urlVariable: "ZEP_API_URL", keyVariable: "ZEP_API_KEY" },
} as const;
export const SOURCE_NAMES = Object.keys(SOURCES) as (keyof typeof SOURCES)[];

interface Migration {
  source: keyof typeof SOURCES;
  /** Where the rows and, beside them, the progress and the report are kept. */
  file: string;
  user: string | undefined;
  /** Only fetches. */
  isDryRun: boolean;
}

/** What a migration did. `reasons`: how many rows were not imported, by why. */
export interface Report {
  source: string;
  file: string;
  fetched: number;
  event_id?: string;
  imported?: number;
  skipped?: number;
  failed?: number;
  reasons?: Record<string, number>;
  report?: string;
}

/** Fetches the memories of another service into a file, imports it, and writes a report of the rows that failed. */
export async function migrate(transport: () => Transport, migration: Migration, output: Output): Promise<Report> {
  const { source, file, user, isDryRun } = migration;
  const { service, url } = openSource(source);
  const from = JSON.stringify({ source, url, ...(user !== undefined && { user }) });
  const fetched = await fetchRows(service, { file, from, user }, output);
  if (isDryRun || fetched === 0) return { source, file, fetched };
  const event = await importFile(transport(), file, { format: "jsonl" }, output);
  const failures = await failuresOf(transport(), event.id);
  const report = `${file}.report.json`;
  const { imported = 0, skipped = 0, status, errors } = event;
  const reasons = countReasons(failures);
  const summary = { source, file, fetched, event_id: event.id, imported, skipped, failed: failures.length, reasons };
  await writeFile(report, `${JSON.stringify({ ...summary, failures }, null, 1)}\n`, { mode: 0o600 });
  if (status === "FAILED") throw new Error(`The import failed: ${errors.map(({ message }) => message).join("; ")}`);
  return { ...summary, report };
}

function openSource(name: keyof typeof SOURCES): { service: ForeignService; url: string } {
  const { open, urlVariable, keyVariable, ...source } = SOURCES[name];
  const key = process.env[keyVariable];
  if (!key) throw new SetupError(`There is no key of ${name}.`, `Set ${keyVariable} to one that may read memories.`);
  const url = process.env[urlVariable] ?? source.url;
  return { service: open(url, key), url };
}

type Failure = api.ListImportFailuresAnswer["failures"][number];
const PAGE = 1_000;

async function failuresOf(transport: Transport, id: string): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const query = { limit: PAGE, offset };
    const page = await call<api.ListImportFailuresAnswer>(transport, CLI_OPERATIONS.listImportFailures, { id, query });
    failures.push(...page.failures);
    if (!page.pagination.has_next) return failures;
  }
}

/** Counts reasons without what differs by row: dates and what is quoted. */
function countReasons(failures: Failure[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { fields } of failures) {
    const said = fields.map(({ field, problem }) => (field === "row" ? problem : `${field}: ${problem}`)).join("; ");
    const reason = said.replace(/\d{4}-\d\d-\d\d[T\d:.Z+-]*/g, "…").replace(/^(is the node) .* (without)/, "$1 … $2");
    counts[reason] = (counts[reason] ?? 0) + 1;
  }
  return counts;
}

/** The report in words. */
export function inWords({ source, file, fetched, imported, skipped, failed, reasons, report }: Report): string {
  const found = `${fetched} rows of ${source} in ${file}`;
  if (imported === undefined) return `${found}; nothing was imported`;
  const lines = Object.entries(reasons ?? {}).map(([reason, count]) => `  ${count} × ${reason}`);
  return [`${found}: ${imported} imported, ${skipped} skipped, ${failed} failed (${report})`, ...lines].join("\n");
}
