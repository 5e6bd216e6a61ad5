import { readdirSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { INDEX_FORMAT, indexDefinition } from "../../shared/adapters/aws/search-mapping.ts";
import { TABLE_INDEXES, TABLE_KEY, TTL_ATTRIBUTE } from "../../shared/adapters/aws/table.ts";
import { LocalBlobStore } from "../../shared/adapters/local/blobs.ts";
import { FOLDER_FORMATS } from "../../shared/adapters/local/data-manifest.ts";
import { LocalLogStore } from "../../shared/adapters/local/logs.ts";
import { LocalMailer } from "../../shared/adapters/local/mailer.ts";
import { Database } from "../../shared/adapters/local/storage/sqlite.ts";
import { EXPORT_FORMAT, MemoryRow } from "../../shared/domain/integration/transfers/rows/row.ts";
import {
  ARCHIVE_FORMAT,
  ArchiveEntry,
  ArchiveHeader,
  ClosingLine,
} from "../../shared/domain/operations/backups/format.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import { PACKS } from "../../shared/language/languages/packs.ts";
import { SECRET_PURPOSES } from "../../shared/ports/secret-names.ts";
import { itemVersion } from "../../shared/runtime/upgrades/item-upgrade.ts";
import { storeContent } from "../fixtures/folders/content.ts";
import { temporaryFolder } from "../fixtures/temporary-folder.ts";
import { type LocalService, openService } from "../support/service.ts";
import { MIGRATIONS } from "./migrations.ts";

/** A stored format: its version, and everything that shows a change of it. */
export interface KeptFormat {
  version: number;
  shape: unknown;
}

/** Every format in which this release stores data. */
export async function keptFormats(): Promise<Record<string, KeptFormat>> {
  return {
    ...databases(),
    items: { version: itemVersion(), shape: await itemsByKind() },
    table: { version: itemVersion(), shape: { TABLE_KEY, TABLE_INDEXES, TTL_ATTRIBUTE } },
    search_index: { version: INDEX_FORMAT, shape: mapping() },
    // Keywords depend on the language that is detected, so one more is a step of both indexes.
    languages_of_search: { version: FOLDER_FORMATS.search ?? 0, shape: Object.keys(PACKS) },
    languages_of_search_index: { version: INDEX_FORMAT, shape: Object.keys(PACKS) },
    archives: { version: ARCHIVE_FORMAT, shape: [ArchiveHeader, ArchiveEntry, ClosingLine].map(schemaOf) },
    exports: { version: EXPORT_FORMAT, shape: schemaOf(MemoryRow) },
    secrets: { version: FOLDER_FORMATS.secrets ?? 0, shape: Object.keys(SECRET_PURPOSES) },
    ...(await files()),
  };
}

/** The JSON Schema without descriptions, which do not affect data. */
function schemaOf(schema: z.ZodType) {
  return z.toJSONSchema(schema, {
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      delete jsonSchema.description;
    },
  });
}

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
  ...[
    "agent",
    "api_key",
    "credential",
    "edge",
    "entity",
    "fact",
    "feedback",
    "memory",
    "message",
    "organization",
    "person",
  ],
  ...["session", "skill", "source", "user", "user_claim", "version", "webhook"],
];

/** Stores records without attributes that only some records of their kind have. */
async function storeWithoutOptional(service: LocalService): Promise<void> {
  const session = { agent_id: "guide", user_id: "ada", title: "Tea", config: { memory: "off" } };
  const { body } = await service.request("POST", "/sessions", { body: session });
  await service.request("POST", `/sessions/${body.data.id}/messages`, { body: { role: "user", content: "Tea." } });
  const webhook = { name: "never called", url: "https://receiver.example.com/never", events: ["skill.deleted"] };
  await service.request("POST", "/webhooks", { body: webhook });
  await service.runtime.drainChangeFeed();
}

/** The attributes that every record of a kind has, with their types: reading code relies on them. */
async function itemsByKind(): Promise<Record<string, Record<string, string>>> {
  const service = await openService();
  try {
    await storeContent(service, service.dataDir);
    await storeWithoutOptional(service);
    const shapes: Record<string, Record<string, string>> = {};
    for await (const records of service.runtime.ports.inventory.snapshot().pages) {
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

/** The paths of blobs, mails and logs. */
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
