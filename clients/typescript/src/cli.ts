#!/usr/bin/env node
import { parseArgs } from "node:util";
import { MemoryClient } from "./client.ts";
import { bridge } from "./stdio.ts";

const USAGE = `Usage: memory <command> [options]

  memory remember TEXT          store a memory
  memory recall QUERY           what is known for a question, as a block for a prompt
  memory search QUERY           memories that a query finds
  memory mcp                    the Model Context Protocol over stdin and stdout

  --user ID       the user it is about; required by recall
  --max-tokens N  most tokens of a recall, 500 by default
  --json          the whole answer as JSON

The service and the key come from MEMORY_URL (http://127.0.0.1:3000 by default) and MEMORY_API_KEY.
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    user: { type: "string" },
    "max-tokens": { type: "string", default: "500" },
    json: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});
const { MEMORY_URL: baseUrl = "http://127.0.0.1:3000", MEMORY_API_KEY: apiKey } = process.env;
const [command, ...words] = positionals;
const text = words.join(" ");

try {
  if (values.help || command === undefined) process.stdout.write(USAGE);
  else if (apiKey === undefined) throw new Error("Set MEMORY_API_KEY to an API key of the service.");
  else await run(command, apiKey);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

async function run(name: string, key: string): Promise<void> {
  const client = new MemoryClient({ baseUrl, apiKey: key });
  const user = values.user === undefined ? {} : { user_id: values.user };
  switch (name) {
    case "remember":
      return print(await client.remember({ content: text, ...user }), ({ id }) => id);
    case "recall": {
      const recalled = await client.recall(text, { ...user, max_tokens: Number(values["max-tokens"]) });
      return print(recalled, ({ context, confident }) => (confident ? context : `(nothing answers this)\n${context}`));
    }
    case "search": {
      const found = await client.search(text, { filters: user });
      return print(found, ({ results }) =>
        results.map(({ id, score, content }) => `${score.toFixed(2)} ${id} ${content}`).join("\n"),
      );
    }
    case "mcp":
      return bridge({ baseUrl, apiKey: key, userId: values.user, input: process.stdin, output: process.stdout });
    default:
      throw new Error(`There is no command '${name}'.\n\n${USAGE}`);
  }
}

function print<Answer>(answer: Answer, inWords: (answer: Answer) => string): void {
  process.stdout.write(`${values.json ? JSON.stringify(answer) : inWords(answer)}\n`);
}
