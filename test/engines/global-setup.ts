import type { TestProject } from "vitest/node";
import { ALL_ENGINES, type EngineUrls, startEngines } from "./engines.ts";

declare module "vitest" {
  export interface ProvidedContext {
    engines: EngineUrls;
  }
}

/** Starts the engines once for all test files; the returned function stops them. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const engines = await startEngines(ALL_ENGINES);
  project.provide("engines", engines.urls);
  return engines.stop;
}
