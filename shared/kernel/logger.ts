export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** Structured log: a message code a person can search for, and fields. Never contents of memories, never secrets. */
export type Logger = Record<LogLevel, (message: string, fields?: Record<string, unknown>) => void>;

/** The same log, with these fields in each line besides its own. `service` names who speaks. */
export function withFields(logger: Logger, common: Record<string, unknown>): Logger {
  const at = (level: LogLevel) => (message: string, fields?: Record<string, unknown>) =>
    logger[level](message, { ...common, ...fields });
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * For JSON.stringify, which knows nothing of errors: what one says, and where. Whatever else clients' errors carry stays
 * out of the log: what was sent and what was met, contents and secrets among it.
 */
export function errorsAsObjects(_name: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  return { name, message, stack, cause };
}
