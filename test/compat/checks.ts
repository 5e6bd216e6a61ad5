import assert from "node:assert/strict";

/** Where a client finds the service. */
export interface Access {
  host: string;
  apiKey: string;
}

/** Checks of one client, in their order: each may build on those before it. */
export type Checks = Record<string, () => Promise<void>>;

/** Runs all of them, also behind one that fails. */
export async function runChecks(checks: Checks): Promise<{ passed: number; failed: string[] }> {
  const failed: string[] = [];
  for (const [name, check] of Object.entries(checks)) {
    await check().catch((error: Error) => failed.push(`${name}: ${error.message}`));
  }
  return { passed: Object.keys(checks).length - failed.length, failed };
}

const SOON_MS = 30_000;

/** Repeats a check until it passes: what is stored comes into view a moment later, on a busy machine some seconds. */
export async function soon<T>(ask: () => Promise<T>, isRight: (answer: T) => boolean): Promise<T> {
  const until = performance.now() + SOON_MS;
  for (;;) {
    const answer = await ask();
    if (isRight(answer)) return answer;
    assert(performance.now() < until, `still answers ${JSON.stringify(answer).slice(0, 300)}`);
    await new Promise((done) => setTimeout(done, 100));
  }
}
