import { readdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { ARCHIVE_FORMAT, ArchiveEntry, ArchiveHeader, ClosingLine } from "../../shared/backups/format.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import { INDEX_FORMAT, indexDefinition } from "../../shared/platform/aws/search-mapping.ts";
import { TABLE_INDEXES, TABLE_KEY, TTL_ATTRIBUTE } from "../../shared/platform/aws/table.ts";
import { itemVersion } from "../../shared/platform/item-upgrade.ts";
import { LocalBlobStore } from "../../shared/platform/local/blobs.ts";
import { FOLDER_FORMATS } from "../../shared/platform/local/data-manifest.ts";
import { LocalLogStore } from "../../shared/platform/local/logs.ts";
import { LocalMailer } from "../../shared/platform/local/mailer.ts";
import { Database } from "../../shared/platform/local/sqlite.ts";
import { SECRET_PURPOSES } from "../../shared/platform/secret-names.ts";
import { EXPORT_FORMAT, MemoryRow } from "../../shared/transfers/row.ts";
import { storeContent } from "../fixtures/folders/content.ts";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";
import { type LocalService, openService } from "../support/service.ts";
import { MIGRATIONS } from "./migrations.ts";

/** A kept format: its version, and everything of it that a change can be told by. */
export interface KeptFormat {
  version: number;
  shape: unknown;
}

/** Every format that this release keeps data in. */
export async function keptFormats(): Promise<Record<string, KeptFormat>> {
  return {
    ...databases(),
    items: { version: itemVersion(), shape: await itemsByKind() },
    table: { version: itemVersion(), shape: { TABLE_KEY, TABLE_INDEXES, TTL_ATTRIBUTE } },
    search_index: { version: INDEX_FORMAT, shape: mapping() },
    archives: { version: ARCHIVE_FORMAT, shape: [ArchiveHeader, ArchiveEntry, ClosingLine].map(schemaOf) },
    exports: { version: EXPORT_FORMAT, shape: schemaOf(MemoryRow) },
    secrets: { version: FOLDER_FORMATS.secrets ?? 0, shape: Object.keys(SECRET_PURPOSES) },
    ...(await files()),
  };
}

const schemaOf = (schema: z.ZodType) => z.toJSONSchema(schema, { unrepresentable: "any" });

function databases(): Record<string, KeptFormat> {
  const formats = Object.entries(MIGRATIONS).map(([name, migrations]) => {
    const file = path.join(temporaryFolder(), "kept.sqlite");
    new Database({ file, migrations }).close();
    const connection = new DatabaseSync(file);
    const rows = connection.prepare("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name").all();
    connection.close();
    return [name, { version: migrations.length, shape: rows.map(({ sql }) => onOneLine(String(sql))) }] as const;
  });
  return Object.fromEntries(formats);
}

const onOneLine = (sql: string): string => sql.replace(/\s+/g, " ");

function mapping() {
  const { settings, mappings: { _meta, ...mappings } = {} } = indexDefinition(1024);
  return { settings, mappings };
}

/** Kinds whose records have the same attributes in every run. */
const KINDS = [
  ...["agent", "api_key", "credential", "edge", "entity", "feedback", "memory", "message", "organization", "person"],
  ...["session", "skill", "source", "user", "user_claim", "version", "webhook"],
];

/** Stores records that lack what only some of their kind have. */
async function storeWithoutOptional(service: LocalService): Promise<void> {
  const session = { agent_id: "guide", user_id: "ada", title: "Tea", config: { memory: "off" } };
  const { body } = await service.request("POST", "/sessions", { body: session });
  await service.request("POST", `/sessions/${body.data.id}/messages`, { body: { role: "user", content: "Tea." } });
}

/** Attributes that every record of a kind has, and their types: what reading code relies on. */
async function itemsByKind(): Promise<Record<string, Record<string, string>>> {
  const service = await openService();
  try {
    await storeContent(service, service.dataDir);
    await storeWithoutOptional(service);
    const shapes: Record<string, Record<string, string>> = {};
    for await (const records of service.home.ports.inventory.snapshot().pages) {
      for (const record of records.filter(({ kind }) => KINDS.includes(kind))) {
        const types = Object.entries(record).map(([name, value]) => [
          name,
          Array.isArray(value) ? "array" : typeof value,
        ]);
        const known = shapes[record.kind];
        shapes[record.kind] = Object.fromEntries(
          types.filter(([name = ""]) => known === undefined || name in known).sort(),
        );
      }
    }
    return Object.fromEntries(KINDS.map((kind) => [kind, shapes[kind] ?? {}]));
  } finally {
    await service.close();
  }
}

/** Where blobs, mails and logs are. */
async function files(): Promise<Record<string, KeptFormat>> {
  const folder = temporaryFolder();
  const within = (name: string) => ({ folder: path.join(folder, name), scratch: path.join(folder, "scratch") });
  const clock = () => Date.UTC(2026, 0, 1);
  const blobs = new LocalBlobStore({ ...within("blobs"), clock, baseUrl: () => "", signingKey: "key" });
  for (const key of ["a", "b/c.json", "b/c"])
    await blobs.put(key, { bytes: Buffer.from("x"), contentType: "text/plain" });
  await new LocalMailer({ ...within("outbox"), clock, logger: silentLogger }).send({
    to: "a@b.c",
    subject: "s",
    text: "t",
  });
  const logs = new LocalLogStore({ ...within("logs"), clock, retentionDays: 1 });
  logs.append("{}");
  logs.close();
  const ID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
  const namesOf = (name: string) =>
    readdirSync(within(name).folder, { recursive: true, encoding: "utf8" })
      .map((file) => file.replace(ID, "UUID"))
      .sort();
  return Object.fromEntries(
    ["blobs", "outbox", "logs"].map((name) => [name, { version: FOLDER_FORMATS[name] ?? 0, shape: namesOf(name) }]),
  );
}
