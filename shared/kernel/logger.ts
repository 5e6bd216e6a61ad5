export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** Structured log: a searchable message code and fields. Never contents of memories, never secrets. */
export type Logger = Record<LogLevel, (message: string, fields?: Record<string, unknown>) => void>;

/** Returns the logger with additional fields in each line. `service` names the component. */
export function withFields(logger: Logger, common: Record<string, unknown>): Logger {
  const at = (level: LogLevel) => (message: string, fields?: Record<string, unknown>) =>
    logger[level](message, { ...common, ...fields });
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** A replacer for JSON.stringify: keeps only these fields of an error, because others may contain secrets. */
export function errorsAsObjects(_name: string, value: unknown): unknown {
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  return { name, message, stack, cause };
}
