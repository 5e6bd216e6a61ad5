/** The settings of a process. Each owner of some adds them in its `config.ts`; shared/entry/config.ts reads them. */
// biome-ignore lint/suspicious/noEmptyInterface: the owners add its properties.
export interface Config {}

/** Returns the service's public URL without a trailing slash. */
export function publicUrlOf({ PUBLIC_URL, HOST, PORT }: Pick<Config, "PUBLIC_URL" | "HOST" | "PORT">): string {
  return PUBLIC_URL ?? `http://${HOST.includes(":") ? `[${HOST}]` : HOST}:${PORT}`;
}

/** The error of an invalid environment; it names each invalid variable. */
export class InvalidConfigError extends Error {
  constructor(problems: string[]) {
    super(`The environment is not valid. ${problems.join("; ")}`);
    this.name = "InvalidConfigError";
  }
}
