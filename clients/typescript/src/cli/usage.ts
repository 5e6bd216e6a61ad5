import { OPTIONS } from "./command.ts";
import { COMMANDS } from "./commands.ts";

const WIDTH = 22;

/** Returns the text of `--help`, generated from the tables of commands and options. */
export function usage(): string {
  const commands = Object.entries(COMMANDS).map(([name, { argument = "", summary, options }]) => {
    const takes = options.length === 0 ? "" : ` [${options.map((option) => `--${option}`).join(" ")}]`;
    return `  memory ${`${name} ${argument}`.padEnd(WIDTH - 7)} ${summary}${takes}`;
  });
  const options = Object.entries(OPTIONS).map(([name, option]) => {
    const value = "value" in option ? ` ${option.value}` : "";
    return `  ${`--${name}${value}`.padEnd(WIDTH)} ${option.summary}`;
  });
  return `Usage: memory <command> [options]

${commands.join("\n")}

${options.join("\n")}

The service and the key come from MEMORY_URL and MEMORY_API_KEY, else from what \`memory login\` stored; the address is
http://127.0.0.1:3000 by default. Exit codes: 0 done, 1 refused or failed, 2 wrong usage.
`;
}
