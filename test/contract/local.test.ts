import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { pollQueue } from "../../infra/local/queue-loop.ts";
import { LocalBlobStore } from "../../shared/adapters/local/blobs.ts";
import { LocalMailer } from "../../shared/adapters/local/mailer.ts";
import { LocalQueue, MAX_RECEIVE } from "../../shared/adapters/local/queue.ts";
import { LocalRecordStore } from "../../shared/adapters/local/records.ts";
import { LocalSecrets } from "../../shared/adapters/local/secrets.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import type { Mail } from "../../shared/ports/mailer.ts";
import { deadLettersOf } from "../../shared/ports/queues.ts";
import { describeBlobStore } from "./blob-store.ts";
import { describeMailer } from "./mailer.ts";
import { movableClock } from "./movable-clock.ts";
import { describeQueue } from "./queue.ts";
import { describeRecordInventory } from "./record-inventory.ts";
import { describeRecordStore } from "./record-store.ts";
import { describeSecrets } from "./secrets.ts";

function temporaryFolder() {
  const folder = mkdtempSync(path.join(tmpdir(), "contract-"));
  return {
    within: (name: string) => path.join(folder, name),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

describeRecordStore("local", async (clock) => {
  const { within, remove } = temporaryFolder();
  const store = new LocalRecordStore({ file: within("records.sqlite"), clock, streams: [] });
  return {
    store,
    drainChangeFeed: async () => {},
    close: async () => {
      store.close();
      remove();
    },
  };
});

describeRecordInventory("local", async (clock) => {
  const { within, remove } = temporaryFolder();
  const store = new LocalRecordStore({ file: within("records.sqlite"), clock, streams: [] });
  const close = async () => {
    store.close();
    remove();
  };
  return { inventory: store, store, close };
});

describeBlobStore("local", async () => {
  const { within, remove } = temporaryFolder();
  const time = movableClock();
  const blobs = new LocalBlobStore({
    folder: within("blobs"),
    scratch: within("unfinished"),
    clock: time.now,
    baseUrl: () => "http://127.0.0.1:3000",
    signingKey: "a key of tests",
  });
  return {
    blobs,
    request: (link, init) => blobs.respond(new Request(link, init)),
    pass: async (seconds) => time.advance(seconds * 1000),
    close: async () => remove(),
  };
});

describeQueue("local", async () => {
  const { within, remove } = temporaryFolder();
  const time = movableClock();
  const settings = { name: "main", maxReceives: 3, visibilitySeconds: 60 };
  const queue = new LocalQueue({ file: within("queues.sqlite"), clock: time.now, queues: [settings] });
  return {
    queue,
    main: settings.name,
    deadLetters: deadLettersOf(settings.name),
    maxReceives: settings.maxReceives,
    visibilitySeconds: settings.visibilitySeconds,
    poll: (name, handler) => pollQueue({ queue, name, batchSize: MAX_RECEIVE, handler, logger: silentLogger }),
    pass: async (seconds) => time.advance(seconds * 1000),
    close: async () => {
      queue.close();
      remove();
    },
  };
});

describeMailer("local", async () => {
  const { within, remove } = temporaryFolder();
  const folder = within("outbox");
  const mailer = new LocalMailer({
    folder,
    scratch: within("unfinished"),
    clock: movableClock().now,
    logger: silentLogger,
  });
  return {
    mailer,
    delivered: async () =>
      readdirSync(folder)
        .sort()
        .map((file) => parseEml(readFileSync(path.join(folder, file), "utf8"))),
    close: async () => remove(),
  };
});

describeSecrets("local", async () => {
  const { within, remove } = temporaryFolder();
  const file = within("secrets.json");
  return { secrets: new LocalSecrets(file), other: new LocalSecrets(file), close: async () => remove() };
});

function parseEml(eml: string): Mail {
  const end = eml.indexOf("\n\n");
  const headers = new Map(
    eml
      .slice(0, end)
      .split("\n")
      .map((line) => line.split(/: (.*)/s, 2) as [string, string]),
  );
  return { to: headers.get("To")!, subject: headers.get("Subject")!, text: eml.slice(end + 2) };
}
