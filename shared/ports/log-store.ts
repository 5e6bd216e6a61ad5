import type { LogLevel } from "../kernel/logger.ts";
import type { JsonObject } from "./json.ts";

/** One log line of the service. */
export interface LogLine {
  id: string;
  /** ISO 8601. */
  at: string;
  level: LogLevel;
  /** The endpoint group or worker that wrote it, or the service. */
  service: string;
  /** Its message code. */
  message: string;
  /** All other fields. */
  fields: JsonObject;
}

/** Both ends of the range are ISO 8601 and inclusive. */
export interface LogFilter {
  level?: LogLevel;
  service?: string;
  from: string;
  to: string;
}

/** Recent log lines of all processes. Lines arrive some seconds late on AWS, at most one second locally. */
export interface LogStore {
  /** The newest `limit` (1..10000) matching lines, newest first, with the number of all matches. */
  find(filter: LogFilter, limit: number): Promise<{ lines: LogLine[]; total: number }>;
  /** Deletes (or only counts) lines before epoch milliseconds. Undefined on AWS, where log groups have a retention. */
  prune(before: number, dryRun: boolean): Promise<{ lines: number; bytes: number } | undefined>;
}
