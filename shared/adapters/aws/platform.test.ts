import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { loadConfig } from "../../entry/config.ts";
import { systemClock } from "../../kernel/clock.ts";
import { silentLogger } from "../../kernel/logger.ts";
import type { Capability } from "../../ports/ports.ts";
import { openAwsPlatform } from "./platform.ts";

const HERE = new URL("./platform.ts", import.meta.url).href;
const environment = { TABLE_NAME: "table", SECRET_PREFIX: "x/", BUCKET_NAME: "bucket", AWS_REGION: "us-east-1" };

const options = { config: loadConfig({}), clock: systemClock, logger: silentLogger, environment };

/** The environment variables of all adapters. */
const everything = {
  ...environment,
  SEARCH_ENDPOINT: "http://localhost",
  SEARCH_INDEX: "x",
  LOG_GROUP_PREFIX: "/aws/lambda/x",
  MAIL_FROM: "service@example.com",
};

/** Packages of the AWS SDK and of OpenSearch that a fresh process loads to open these capabilities. */
function clientsLoaded(capabilities: Capability[]): string[] {
  const script = `
    const { registerHooks } = await import("node:module");
    const seen = new Set();
    registerHooks({ load: (url, context, next) => {
      const found = /node_modules\\/(@aws-sdk\\/client-[^/]+|@opensearch-project\\/opensearch)\\//.exec(url);
      if (found) seen.add(found[1]);
      return next(url, context);
    } });
    const { openAwsPlatform } = await import(${JSON.stringify(HERE)});
    const config = { EMBEDDER: "lexical", LANGUAGE_MODEL: "built-in" };
    const environment = ${JSON.stringify(everything)};
    await openAwsPlatform({ config, environment, capabilities: ${JSON.stringify(capabilities)} });
    console.log(JSON.stringify([...seen].sort()));
  `;
  const env = { ...process.env, AWS_REGION: "us-east-1" };
  return JSON.parse(execFileSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8", env }));
}

it.each<{ capabilities: Capability[]; clients: string[] }>([
  { capabilities: [], clients: [] },
  { capabilities: ["embedder", "models"], clients: [] },
  { capabilities: ["records"], clients: ["@aws-sdk/client-dynamodb"] },
  { capabilities: ["inventory"], clients: ["@aws-sdk/client-dynamodb"] },
  { capabilities: ["search"], clients: ["@opensearch-project/opensearch"] },
  { capabilities: ["blobs", "queue"], clients: ["@aws-sdk/client-s3", "@aws-sdk/client-sqs"] },
  { capabilities: ["secrets:sealing"], clients: ["@aws-sdk/client-secrets-manager"] },
  { capabilities: ["logs"], clients: ["@aws-sdk/client-cloudwatch-logs"] },
  // SES is loaded with the first mail.
  { capabilities: ["mailer"], clients: [] },
])("loads only the clients $clients for $capabilities", ({ capabilities, clients }) => {
  expect(clientsLoaded(capabilities)).toEqual(clients);
});

it("returns ports that were not requested, which refuse any use", async () => {
  const { secrets, records } = await openAwsPlatform({ ...options, capabilities: ["secrets:sealing"] });
  expect(typeof secrets.get).toBe("function");
  expect(() => records.get({ pk: "p", sk: "s" })).toThrow("'records' is not among this function's capabilities");
});

it("names a missing variable", async () => {
  const opening = openAwsPlatform({ ...options, environment: {}, capabilities: ["blobs"] });
  await expect(opening).rejects.toThrow("BUCKET_NAME is not set");
});

it("opens without a sender, but sends no mail", async () => {
  const { mailer } = await openAwsPlatform({ ...options, capabilities: ["mailer"] });
  const sending = mailer.send({ to: "ada@example.com", subject: "Hello", text: "Hello" });
  await expect(sending).rejects.toThrow("MAIL_FROM is not set");
});

it.each([{ RERANKER: "llm" }, { OCR: "tesseract" }])("refuses %j, which is for one machine", async (environment) => {
  const config = loadConfig(environment);
  const opening = openAwsPlatform({ config, clock: systemClock, logger: silentLogger, capabilities: [] });
  await expect(opening).rejects.toThrow(`${Object.keys(environment)} is for one machine`);
});
