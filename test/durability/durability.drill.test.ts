import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";
import type { Service } from "../support/service.ts";
import { type ServiceProcess, startService } from "../support/service-process.ts";
import { Audit } from "./audit.ts";
import type { Ledger } from "./ledger.ts";
import { Writer } from "./writer.ts";

const KILLS = 50;
/** Services that are killed concurrently, each with its own folder, because most of a round is waiting for a start. */
const LANES = 2;
const WRITERS = 4;
const MAX_ROUND_MS = 400;
const TIMEOUT_MS = 300_000;
const LINKED_ENTITIES = ["harvest", "voyage"];

test(`${KILLS} kills lose no acknowledged write and leave none incomplete`, { timeout: TIMEOUT_MS }, async () => {
  const folder = temporaryFolder();
  // A process stores its compiled code when it exits, which a killed one never does.
  await (await start(`${folder}/first`)).stop();
  const lanes = Array.from({ length: LANES }, (_, lane) => killRepeatedly(`${folder}/${lane}`, KILLS / LANES));
  // If one lane fails, the other one still runs to its end, so that no process is left behind.
  await Promise.allSettled(lanes);
  const ledgers = await Promise.all(lanes);
  expect(sumOf(ledgers.map(({ ids }) => ids.length)), "memories").toBeGreaterThan(KILLS);
  expect(sumOf(ledgers.map(({ unanswered }) => unanswered)), "requests cut off").toBeGreaterThan(KILLS);
});

/** Kills a service repeatedly while clients write to it, and checks it after each restart. Returns the ledger of all writes. */
async function killRepeatedly(dataDir: string, kills: number): Promise<Ledger> {
  const audit = new Audit();
  const ownership = Array.from({ length: WRITERS }, (): string[] => []);
  let service = await start(dataDir);
  const entityIds = await makeEntities(service);
  await audit.writeFirst(service);
  for (let kill = 0; kill < kills; kill++) {
    const startedAt = new Date().toISOString();
    const writers = ownership.map((own) => new Writer(service, audit.ledger, own, entityIds).run());
    await Promise.race([Promise.all(writers), wait(Math.random() * MAX_ROUND_MS)]);
    await service.kill();
    await Promise.all(writers);
    service = await start(dataDir);
    await audit.writeFirst(service);
    const adopted = await audit.adoptUnanswered(service, startedAt);
    ownership[kill % WRITERS]!.push(...adopted);
    await audit.checkMemories(service, audit.ledger.touched);
    await audit.checkTotals(service);
  }
  await audit.checkMemories(service, audit.ledger.ids);
  await service.stop();
  return audit.ledger;
}

const sumOf = (numbers: number[]): number => numbers.reduce((sum, number) => sum + number, 0);

async function start(dataDir: string): Promise<ServiceProcess> {
  const service = await startService(dataDir);
  onTestFinished(() => service.kill());
  return service;
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

async function makeEntities(service: Service): Promise<string[]> {
  const make = (name: string) => service.request("POST", "/entities", { body: { name, type: "topic" } });
  const answers = await Promise.all(LINKED_ENTITIES.map(make));
  return answers.map(({ body }) => body.data.id);
}
