export type LogLevel = "debug" | "info" | "warn" | "error";

/** Structured log: a message code a person can search for, and fields. Never contents of memories, never secrets. */
export type Logger = Record<LogLevel, (message: string, fields?: Record<string, unknown>) => void>;

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
