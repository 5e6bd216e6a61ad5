/**
 * `npm run preflight [-- -c key=value …]`: checks what a deployment with these options needs of the account and region of
 * the AWS credentials in the environment. Exits with 1 if something is missing without which the service does not work.
 */
import { parseArgs } from "node:util";
import { InvalidDeploymentError, readDeployment } from "./config.ts";
import { runCommand } from "./operator-errors.ts";
import { CHECKS, findingOf } from "./preflight/checks.ts";

const WIDTH = Math.max(...CHECKS.map(({ name }) => name.length));

await runCommand(
  "The preflight did not start.",
  async () => {
    const { context } = parseArgs({
      options: { context: { type: "string", short: "c", multiple: true, default: [] } },
    }).values;
    const options = Object.fromEntries(context.map(keyAndValue));
    const deployment = readDeployment({ tryGetContext: (key) => options[key], getAllContext: () => options });
    for (const check of CHECKS) {
      const { result, text } = await findingOf(check, deployment);
      console.log(`${result.padEnd("warning".length)}  ${check.name.padEnd(WIDTH)}  ${text}`);
      if (result === "failed") process.exitCode = 1;
    }
  },
  (error) =>
    error instanceof InvalidDeploymentError || String((error as { code?: string }).code).startsWith("ERR_PARSE"),
);

function keyAndValue(given: string): [string, string] {
  const [key = "", ...value] = given.split("=");
  return [key, value.join("=")];
}
