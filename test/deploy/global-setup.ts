import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { TestProject, Vitest } from "vitest/node";
import { startEngines } from "../engines/engines.ts";
import { type Deployed, deploy } from "./deployment.ts";
import { EMULATED_ACCOUNT, startEmulator } from "./emulator.ts";
import { type DeployedFunction, listFunctions } from "./functions.ts";
import { MAIL_SENDER, verifyMailSender } from "./mail.ts";

declare module "vitest" {
  export interface ProvidedContext {
    deployment: Deployed & { emulator: string; functions: DeployedFunction[] };
  }
}

type Stop = () => Promise<void> | void;

/**
 * Starts OpenSearch and the emulator of AWS, bootstraps it and deploys all stacks, once for all test files; what is
 * returned stops everything. Says how long each stage took.
 */
export default async function setup(project: TestProject): Promise<Stop> {
  const folder = mkdtempSync(path.join(tmpdir(), "deployment-"));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  // Also where nobody gets to what is returned.
  process.once("exit", remove);
  const stops: Stop[] = [remove];
  const stop = async () => {
    for (const each of stops.reverse()) await each();
  };
  try {
    const search = await timed(project.vitest, "OpenSearch", () => startEngines(["opensearch"]));
    stops.push(search.stop);
    const emulator = await timed(project.vitest, "the emulator", () => startEmulator(folder, search.urls.opensearch));
    stops.push(emulator.stop);
    Object.assign(process.env, EMULATED_ACCOUNT, { AWS_ENDPOINT_URL: emulator.url });
    await verifyMailSender();
    const context = {
      searchEndpoint: search.urls.opensearch,
      searchFineGrainedAccess: "false",
      embedder: "lexical",
      languageModel: "built-in",
      mailSender: MAIL_SENDER,
      trustedProxies: "1",
    };
    const deployed = await timed(project.vitest, "the deployment", () => deploy(folder, context));
    project.provide("deployment", { ...deployed, emulator: emulator.url, functions: await listFunctions() });
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

async function timed<T>({ logger }: Vitest, what: string, act: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await act();
  logger.log(`${what}: ${Math.round((performance.now() - begun) / 1000)} s`);
  return result;
}
