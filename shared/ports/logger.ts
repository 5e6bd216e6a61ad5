import { Logger as PowertoolsLogger } from "@aws-lambda-powertools/logger";
import { errorsAsObjects, type Logger, type LogLevel } from "../kernel/logger.ts";

/** Service name of log lines that no endpoint group and no worker writes. */
export const SERVICE = "memory-service";

/**
 * Creates a logger that prints one JSON line per message with level, time and service; CloudWatch reads these lines.
 */
export function createLogger(level: LogLevel): Logger {
  const lines = new PowertoolsLogger({
    serviceName: SERVICE,
    logLevel: level.toUpperCase() as Uppercase<LogLevel>,
    jsonReplacerFn: errorsAsObjects,
  });
  const children = new Map<unknown, PowertoolsLogger>();
  /** The service name is a reserved key in Powertools: it belongs to the logger, not to a line. */
  const loggerOf = (service: unknown): PowertoolsLogger => {
    if (typeof service !== "string") return lines;
    const child = children.get(service) ?? lines.createChild({ serviceName: service });
    children.set(service, child);
    return child;
  };
  const write =
    (at: LogLevel) =>
    (message: string, { service, ...fields }: Record<string, unknown> = {}): void =>
      loggerOf(service)[at](message, fields);
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}
