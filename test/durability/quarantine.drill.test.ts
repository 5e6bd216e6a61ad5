import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";
import { type ServiceProcess, startService } from "../support/service-process.ts";

const TIMEOUT_MS = 120_000;
/** Long enough for the start-up sweep, which runs at once. */
const AFTER_START_MS = 1_500;
/** Time until a worker has taken a message, long before it has processed the long text. */
const TAKEN_MS = 300;
const SENTENCE = "Ada Byron moved to Zurich and prefers tea. ";
/** A worker needs a second or more for it. */
const LONG_TEXT_BYTES = 1_500_000;

/** A website that never responds while `hangs` is true, and counts its requests. */
async function openSite() {
  const site = { url: "", asked: 0, hangs: true };
  const server = createServer((_request, response) => {
    site.asked++;
    if (!site.hangs) response.writeHead(404).end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  site.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return site;
}

test("work that ran when the process was killed is quarantined, reported to the operator, and runs on request", {
  timeout: TIMEOUT_MS,
}, async () => {
  const dataDir = temporaryFolder();
  const lines: string[] = [];
  const site = await openSite();
  let service = await start(dataDir, lines);
  const connection = await service.request("POST", "/connections/web_crawler", { body: { config: { url: site.url } } });
  const { id } = connection.body;
  const cutOff = [
    service.request("POST", `/connections/${id}/sync`, { body: {} }).catch(() => undefined),
    vi.waitFor(() => expect(site.asked).toBeGreaterThan(0), { timeout: 10_000 }),
  ];
  await cutOff[1];
  const source = await uploadLongText(service);
  await sleep(TAKEN_MS);
  await service.kill();
  await Promise.all(cutOff);
  const asked = site.asked;

  service = await start(dataDir, lines);
  await sleep(AFTER_START_MS);
  expect(site.asked).toBe(asked);
  const works = await quarantineOf(service);
  expect(works).toMatchObject([
    { queue: "sync-connections", work: { org: "org_operator", job: expect.any(String) } },
    { queue: "ingest-sources", work: { org: "org_operator", job: expect.any(String) } },
  ]);
  expect(lines.filter((line) => line.includes("WORK_QUARANTINED"))).toHaveLength(2);

  site.hangs = false;
  const [, ingestion] = works;
  const run = (work: string) => service.request("POST", "/admin/quarantine/run", { body: { id: work } });
  expect((await run(ingestion.id)).status).toBe(202);
  expect((await run(ingestion.id)).status).toBe(404);
  await service.request("POST", `/connections/${id}/sync`, { body: {} });
  expect(await quarantineOf(service)).toEqual([]);
  await vi.waitFor(
    async () => expect((await service.request("GET", `/sources/${source}`)).body.status).toBe("active"),
    { timeout: 60_000, interval: 200 },
  );
  await service.stop();

  service = await start(dataDir, lines);
  expect(await quarantineOf(service)).toEqual([]);
  await service.stop();
});

async function start(dataDir: string, lines: string[]): Promise<ServiceProcess> {
  const service = await startService(dataDir, { ALLOW_PRIVATE_TARGETS: "1" }, (line) => lines.push(line));
  onTestFinished(() => service.kill());
  return service;
}

async function uploadLongText(service: ServiceProcess): Promise<string> {
  const form = new FormData();
  const text = SENTENCE.repeat(Math.floor(LONG_TEXT_BYTES / SENTENCE.length));
  form.set("file", new Blob([text], { type: "text/plain" }), "long.txt");
  const { body } = await service.request("POST", "/sources/upload", { body: form });
  return body.source_id;
}

async function quarantineOf(service: ServiceProcess) {
  const { status, body } = await service.request("GET", "/admin/quarantine");
  expect(status).toBe(200);
  return body.data.works;
}
