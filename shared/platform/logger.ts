import { Logger as PowertoolsLogger } from "@aws-lambda-powertools/logger";
import type { Logger, LogLevel } from "../kernel/logger.ts";

/** Name of the service in each line. */
export const SERVICE = "memory-service";

/** One JSON line a message on standard output, with level, time and service; CloudWatch reads the same lines. */
export function createLogger(level: LogLevel): Logger {
  const lines = new PowertoolsLogger({ serviceName: SERVICE, logLevel: level.toUpperCase() as Uppercase<LogLevel> });
  const write =
    (at: LogLevel) =>
    (message: string, fields: Record<string, unknown> = {}): void =>
      lines[at](message, fields);
  return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
}
