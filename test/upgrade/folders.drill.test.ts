import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { restoreFile } from "../../infra/restore.ts";
import { loadConfig } from "../../shared/entry/config.ts";
import { PURPOSES } from "../../shared/ports/secret-names.ts";
import type { FolderContent } from "../fixtures/folders/content.ts";
import { openFolder, releases } from "../fixtures/folders/folders.ts";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";
import type { LocalService } from "../support/service.ts";
import { eventually } from "../support/target.ts";
import { callerOf, done, expectContent, start } from "./opened.ts";

const SLOW = 120_000;
/** The last release with items of version 6: it stored who wrote a memory, and its sessions extracted memories. */
const VERSION_6 = "648aa6c";

/** Work that was requested before the release was killed is done now. */
async function expectPending(service: LocalService, { pending }: FolderContent): Promise<void> {
  await service.host.drain();
  for (const text of pending) {
    await eventually(async () => {
      const { results } = await done(callerOf(service).get(`/search?q=${encodeURIComponent(text)}&limit=50`));
      expect(results.map((hit: { content: string }) => hit.content)).toContain(text);
    });
  }
}

/** Memories of releases without facts get theirs in the background. */
async function expectFacts(service: LocalService): Promise<void> {
  await eventually(async () => {
    const { facts } = await done(callerOf(service).get("/facts?subject=Ada%20Lovelace&attribute=lives_in"));
    expect(facts).not.toEqual([]);
  });
}

/** Nobody knows who made the versions of releases that did not store it. */
async function expectVersions(service: LocalService, { memories }: FolderContent): Promise<void> {
  for (const { id } of memories) {
    const { versions } = await done(callerOf(service).get(`/memories/${id}/versions`));
    expect(versions[0].changed_by).toBe("unknown");
  }
}

/** The door of a memory is kept, or nobody knows it. */
async function expectDoors(service: LocalService, { memories }: FolderContent, door: string): Promise<void> {
  for (const { id } of memories) {
    expect((await done(callerOf(service).get(`/memories/${id}`))).provenance).toMatchObject({ door });
  }
}

/** Sessions of a release that did not extract memories do so only if a client requests it. */
async function expectNoMemories(service: LocalService, { sessions }: FolderContent): Promise<void> {
  const caller = callerOf(service);
  for (const { id } of sessions) {
    expect((await done(caller.get(`/sessions/${id}`))).config.memory).toBe("off");
    await done(caller.post(`/sessions/${id}/messages`, { role: "user", content: "I moved to Lisbon." }));
    await service.host.drain();
    expect((await done(caller.post("/v3/memories", { filters: { run_id: id } }))).results).toEqual([]);
  }
}

/** Changes existing resources of every kind and creates new ones. */
async function writeAll(service: LocalService, content: FolderContent): Promise<void> {
  const caller = callerOf(service);
  for (const { id } of content.memories) {
    await done(caller.put(`/memories/${id}`, { content: `Changed: ${id}`, metadata: { project: "after" } }));
    await done(caller.post(`/memories/${id}/feedback`, { rating: 4 }));
  }
  const made = await done(caller.post("/memories", { content: "Made after the upgrade, about walnuts." }));
  await done(caller.delete(`/memories/${made.id}`));
  for (const { id } of content.sessions) {
    await done(caller.post(`/sessions/${id}/messages`, { role: "user", content: "More tea, please." }));
  }
  const begun = await done(caller.post("/sessions", { agent_id: "guide", user_id: "ada", title: "After" }));
  expect(begun.config.memory).toBe("as_they_come");
  await done(caller.post("/sources/ingest", { content: "A source after the upgrade.", title: "After" }));
  for (const { id } of content.sources) await done(caller.delete(`/sources/${id}`));
  for (const { id } of content.skills) await done(caller.put(`/skills/${id}`, { action: "boil much water" }));
  for (const { id } of content.agents) await done(caller.put(`/agents/${id}`, { description: "after the upgrade" }));
  for (const { id } of content.webhooks) await done(caller.put(`/webhooks/${id}`, { description: "after" }));
  for (const { id } of content.connections) await done(caller.delete(`/connections/${id}`));
  await done(caller.post("/api-keys", { name: "after", permissions: ["memory:read"] }));
  await done(caller.post("/agents", { name: "After", model: "gpt-4o-mini" }));
  await done(caller.post("/imports", { memories: [{ content: "Imported after the upgrade." }] }));
  await done(caller.post("/exports", {}));
  await done(caller.post("/admin/backup", { components: ["memories", "users"] }));
  await done(caller.post("/admin/sync", { components: ["memories", "search_index"] }));
  for (const { id } of content.memories.slice(1)) await done(caller.delete(`/memories/${id}`));
  await service.host.drain();
}

describe.each(releases())("the data folder of release %s", (release) => {
  it(
    "has everything after the upgrade, works off what was pending and takes every write",
    async () => {
      const folder = openFolder(release);
      const service = await start(folder);
      expect((await callerOf(service).get("/ready")).status).toBe(200);
      await expectContent(service, folder.content);
      await expectPending(service, folder.content);
      await expectFacts(service);
      await expectVersions(service, folder.content);
      await expectDoors(service, folder.content, release === VERSION_6 ? "memories" : "unknown");
      if (release !== VERSION_6) await expectNoMemories(service, folder.content);
      await writeAll(service, folder.content);
    },
    SLOW,
  );

  it("keeps its secrets, under names that begin with their purpose", async () => {
    const { dataDir, clock, content } = openFolder(release);
    const secretsOf = () => JSON.parse(readFileSync(path.join(dataDir, "secrets.json"), "utf8"));
    const before = secretsOf();
    await start({ dataDir, clock, content });
    expect(Object.values(secretsOf())).toEqual(expect.arrayContaining(Object.values(before)));
    const names = Object.keys(secretsOf());
    expect(names.filter((name) => !PURPOSES.some((purpose) => name.startsWith(`${purpose}/`)))).toEqual([]);
  });

  it("has backups that are restored into a new folder", async () => {
    const folder = openFolder(release);
    const former = await start(folder);
    for (const { id } of folder.content.backups) {
      const archive = await callerOf(former).get("/admin/backup/latest");
      const file = path.join(temporaryFolder(), `${id}.jsonl.gz`);
      writeFileSync(file, archive.bytes);
      const dataDir = path.join(temporaryFolder(), "restored");
      await restoreFile(loadConfig({ DATA_DIR: dataDir, EMBEDDER: "lexical" }), { file, withoutSecrets: true });
      const restored = await start({ ...folder, dataDir });
      for (const { id: memory, content } of folder.content.memories) {
        expect(await done(callerOf(restored).get(`/memories/${memory}`))).toMatchObject({ content });
      }
    }
  });
});
