import { timestamp } from "../kernel/clock.ts";
import { sha256 } from "../kernel/digest.ts";
import { derivedId } from "../kernel/ids.ts";
import { LOG_LEVELS } from "../kernel/logger.ts";
import { isObject, parseJsonIfValid } from "../kernel/objects.ts";
import type { JsonObject } from "./json.ts";
import type { LogFilter, LogLine } from "./log-store.ts";

/** A parsed line whose other fields are read on demand. */
export interface ParsedLine extends Omit<LogLine, "id"> {
  text: string;
}

/** Parses a log line; undefined for lines that are not the service's, such as the platform's. */
export function parseLine(text: string): ParsedLine | undefined {
  const line = parseJsonIfValid(text);
  // A line that a crash cut off, or that another program wrote.
  if (!isObject(line)) return undefined;
  const { level, message, timestamp: at, service, ...fields } = line as JsonObject;
  const known = typeof level === "string" ? LOG_LEVELS.find((name) => name === level.toLowerCase()) : undefined;
  if (known === undefined || typeof message !== "string" || typeof service !== "string") return undefined;
  if (typeof at !== "string" || Number.isNaN(Date.parse(at))) return undefined;
  return { at: timestamp(Date.parse(at)), level: known, service, message, fields, text };
}

/** Returns the line with an id derived from its content, so that the same line always has the same id. */
export function identified({ text, ...line }: ParsedLine): LogLine {
  return { id: derivedId("log", sha256(text)), ...line };
}

/** Whether a line passes the filter. */
export function matches({ level, service, from, to }: LogFilter, line: Omit<LogLine, "id">): boolean {
  if (level !== undefined && line.level !== level) return false;
  if (service !== undefined && line.service !== service) return false;
  return line.at >= from && line.at <= to;
}
