import { sha256 } from "../../../kernel/digest.ts";
import type { PageRequest } from "../../../kernel/pagination.ts";
import { finderOf, fromItem, setOrRemove, toItem } from "../../../ports/item.ts";
import { type Listing, listObjects } from "../../../ports/listing.ts";
import { queryPages } from "../../../ports/pages.ts";
import type {
  AttributeTests,
  Condition,
  RecordKey,
  RecordStore,
  StoredRecord,
  Write,
} from "../../../ports/record-store.ts";
import type { OwnedKind } from "../../identity/owned-counts.ts";
import type { OwnedResource } from "../../identity/owned-resources.ts";
import type { Connection, ConnectionSync, KnownDocument } from "./connection.ts";

const CONNECTION_KIND = "connection";

const PAGE = 500;

const connectionKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: "connection" });
const syncKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: "sync" });
const documentsOf = (org: string, id: string): string => `${org}#${id}#documents`;
export const connectionsOf = (org: string): string => `${org}#connections`;
export const CONNECTIONS: OwnedKind = {
  name: "connections",
  listing: (org) => ({ index: "gsi1", pk: connectionsOf(org) }),
};
export const connectionsOfUser = (org: string, user: string): string => `${org}#connections#${user}`;

/** A user's connections, for a change of the user's name. */
export const connectionsOwned: OwnedResource = {
  name: "connections",
  listing: (org, from) => ({ index: "gsi2", pk: connectionsOfUser(org, from) }),
  reassign(_runtime, record, { to }) {
    const connection = fromItem<Connection>(record);
    return to === undefined ? undefined : [replaceConnection(connection, { ...connection, user_id: to })];
  },
};

// ---------------------------------------------------------------- connections

export function putConnection(connection: Connection, condition: Condition): Write {
  const { org, id, user_id, created_at } = connection;
  const byCreation = `${created_at}#${id}`;
  const ofUser = user_id === undefined ? {} : { gsi2pk: connectionsOfUser(org, user_id), gsi2sk: byCreation };
  const listing = { gsi1pk: connectionsOf(org), gsi1sk: byCreation, ...ofUser };
  return { put: toItem(connectionKey(org, id), CONNECTION_KIND, connection, listing), condition };
}

/** The write of a changed connection; refused if its credentials or settings changed since it was read. */
export function replaceConnection(before: Connection, after: Connection): Write {
  const revision = before.revision + 1;
  return putConnection({ ...after, revision }, { revision: before.revision });
}

/** Sets a connection's sync fields; refused if it was deleted. */
export function updateSyncState(
  { org, id }: Pick<Connection, "org" | "id">,
  fields: Partial<Pick<Connection, "status" | "last_sync" | "last_sync_at">>,
): Write {
  const { set } = setOrRemove(fields);
  return { update: connectionKey(org, id), set, condition: "present" };
}

/** Asserts that the connection exists. */
export function checkConnection({ org, id }: Pick<Connection, "org" | "id">): Write {
  return { check: connectionKey(org, id), condition: "present" };
}

/** Stores renewed secrets unless the connection changed meanwhile. */
export function replaceSecrets(
  { org, id, revision }: Pick<Connection, "org" | "id" | "revision">,
  { sealed, secret_names }: Pick<Connection, "sealed" | "secret_names">,
): Write {
  const set = { secret_names, ...(sealed !== undefined && { sealed }) };
  return { update: connectionKey(org, id), set, condition: { revision } };
}

/** Returns undefined if the id is missing or belongs to another organization. */
export const findConnection = finderOf<Connection>(connectionKey);

/** One page of an organization's or a user's connections, newest first. */
export function listConnections(
  records: RecordStore,
  org: string,
  { user_id }: { user_id?: string | undefined },
  page: PageRequest,
): Promise<Listing<Connection>> {
  const list =
    user_id === undefined
      ? { index: "gsi1" as const, pk: connectionsOf(org) }
      : { index: "gsi2" as const, pk: connectionsOfUser(org, user_id) };
  return listObjects(records, { ...list, descending: true }, page);
}

/** The writes that delete a connection and its sync state; refused if either changed since it was read. */
export function removeConnection({ org, id, revision }: Connection, sync: ConnectionSync): Write[] {
  return [
    { delete: connectionKey(org, id), condition: { revision } },
    { delete: syncKey(org, id), condition: ifSameRun(sync) },
  ];
}

// ---------------------------------------------------------------- synchronizations

/** The stored form of the state between syncs. */
export function toSyncRecord(sync: ConnectionSync): StoredRecord {
  return toItem(syncKey(sync.org, sync.connection_id), "connection_sync", sync);
}

/** Deletes the sync state of a deleted connection. */
export function deleteSync(org: string, connection_id: string): Write {
  return { delete: syncKey(org, connection_id) };
}

export const findSync = finderOf<ConnectionSync>(syncKey);

/** The write of a new sync state; refused if another sync was started since `before` was read. */
export function replaceSync(before: ConnectionSync, after: ConnectionSync): Write {
  return { put: toSyncRecord(after), condition: ifSameRun(before) };
}

const ifSameRun = ({ run, sync_id }: ConnectionSync): Condition => ({ run, sync_id: sync_id ?? { absent: true } });

// ---------------------------------------------------------------- known documents

function documentKey(org: string, connection: string, external_id: string): RecordKey {
  return { pk: documentsOf(org, connection), sk: sha256(external_id) };
}

export function putDocument(document: KnownDocument): Write {
  const { org, connection_id, external_id } = document;
  return { put: toItem(documentKey(org, connection_id, external_id), "connection_document", document) };
}

export function removeDocument({ org, connection_id, external_id }: KnownDocument): Write {
  return { delete: documentKey(org, connection_id, external_id) };
}

/** The known documents with these ids, by id. */
export async function findDocuments(
  records: RecordStore,
  { org, id }: Pick<Connection, "org" | "id">,
  external_ids: string[],
): Promise<Map<string, KnownDocument>> {
  const keys = [...new Set(external_ids)].map((external_id) => documentKey(org, id, external_id));
  const found = await records.getMany(keys);
  return new Map(found.map((record) => [String(record.external_id), fromItem<KnownDocument>(record)]));
}

/** Known documents of a connection page by page; those of a page may be deleted before the next is read. */
export async function* listDocuments(
  records: RecordStore,
  { org, id }: Pick<Connection, "org" | "id">,
  where?: AttributeTests,
): AsyncGenerator<KnownDocument[]> {
  for await (const items of queryPages(records, { pk: documentsOf(org, id), limit: PAGE, where })) {
    yield items.map((item) => fromItem<KnownDocument>(item));
  }
}
