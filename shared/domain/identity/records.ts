import type * as z from "zod";
import { timestamp } from "../../kernel/clock.ts";
import type { PageRequest } from "../../kernel/pagination.ts";
import { finderOf, fromItem, getObject, setOrRemove, toItem } from "../../ports/item.ts";
import { filterBy, type Listing, listObjects } from "../../ports/listing.ts";
import { queryPages } from "../../ports/pages.ts";
import type { AttributeTests, RecordKey, RecordQuery, RecordStore, Write } from "../../ports/record-store.ts";
import type { Permission } from "../../runtime/access/permissions.ts";
import type { Plan } from "../../runtime/access/plans.ts";
import type { OrgReader, Runtime } from "../../runtime/context.ts";
import type { OwnedKind } from "./owned-counts.ts";
import type * as wire from "./wire.ts";

/** An organization. Its plan limits each of its credentials. */
export interface Organization {
  id: string;
  label: string;
  plan: Plan;
  operator: boolean;
  created_at: string;
  /** The number of its entities, at least; absent until they are counted. */
  counted_entities?: number;
}

/** An API key as stored, without its secret. */
export interface ApiKey extends Omit<z.output<typeof wire.ApiKey>, "permissions" | "status" | "last_used"> {
  org: string;
  /** SHA-256 of the secret. */
  hash: string;
  permissions: Permission[];
  status: "active" | "revoked";
  /** The principal that created it. */
  created_by: string;
  /** The responsible user, even if a key created it: the key stops with the user and cannot do more than the user. */
  owner?: string;
  /** Counts changes; absent before the first one. */
  revision?: number;
}

export type ApiKeyState = (typeof wire.API_KEY_STATES)[number];

/** The use counts of a key, stored separately so that counting does not conflict with edits. */
export type KeyUsage = z.output<typeof wire.KeyUsage>;

export const NO_USE: KeyUsage = { total_requests: 0, successful_requests: 0, failed_requests: 0, last_used: null };

export const organizationKey = (org: string): RecordKey => ({ pk: org, sk: "organization" });
const apiKeyKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: "api_key" });
export const usageKey = (org: string, id: string): RecordKey => ({ pk: `${org}#${id}`, sk: "usage" });
/** A request's credential is looked up by its hash; the item repeats the key, so one consistent read authenticates. */
const credentialKey = (hash: string): RecordKey => ({ pk: `credential#${hash}`, sk: "credential" });
export const apiKeysOf = (org: string): string => `${org}#api_keys`;
const apiKeysOfAgent = (org: string, agent: string): string => `${org}#${agent}#api_keys`;
const ORGANIZATIONS = "organizations";
const PAGE = 1000;

export function putOrganization(organization: Organization): Write {
  const listing = { gsi1pk: ORGANIZATIONS, gsi1sk: `${organization.created_at}#${organization.id}` };
  return { put: toItem(organizationKey(organization.id), "organization", organization, listing), condition: "absent" };
}

/** Every organization of the deployment, oldest first; only for maintenance. */
export async function* listOrganizations(records: RecordStore): AsyncGenerator<Organization> {
  const query: RecordQuery = { index: "gsi1", pk: ORGANIZATIONS, limit: PAGE };
  for await (const items of queryPages(records, query)) yield* items.map(fromItem<Organization>);
}

/** One page of the deployment's organizations, newest first, with the total. */
export function listOrganizationPage(records: RecordStore, page: PageRequest): Promise<Listing<Organization>> {
  const listing = { index: "gsi1" as const, pk: ORGANIZATIONS, descending: true };
  return listObjects(records, listing, page);
}

export const API_KEYS: OwnedKind = {
  name: "keys",
  listing: (org, now) => ({ index: "gsi1", pk: apiKeysOf(org), where: STATE_TESTS.active(now) }),
};

/** The write that sets an organization's plan; refused if the organization does not exist. */
export function changePlan(org: string, plan: Plan): Write {
  return { update: organizationKey(org), set: { plan }, condition: "present" };
}

export function findOrganization(records: RecordStore, org: string): Promise<Organization | undefined> {
  return getObject(records, organizationKey(org));
}

/** The display name of the organization. */
export async function labelOf({ ports, org }: OrgReader): Promise<string> {
  return (await findOrganization(ports.records, org))?.label ?? "an organization";
}

/** The writes that store a new key; refused if its id or secret exists. */
export function putApiKey(key: ApiKey): Write[] {
  const { org, agent_id } = key;
  const byCreation = `${key.created_at}#${key.id}`;
  const ofAgent = agent_id === undefined ? {} : { gsi2pk: apiKeysOfAgent(org, agent_id), gsi2sk: byCreation };
  const listing = { gsi1pk: apiKeysOf(org), gsi1sk: byCreation, ...ofAgent };
  return [
    { put: toItem(apiKeyKey(key.org, key.id), "api_key", key, listing), condition: "absent" },
    { put: toItem(credentialKey(key.hash), "credential", key), condition: "absent" },
  ];
}

/** The writes that change fields of an active key; with `seen`, also refused if the key changed since it was read. */
export function changeApiKey(
  { org, id, hash, revision }: ApiKey,
  change: Partial<ApiKey>,
  { seen = false }: { seen?: boolean } = {},
): Write[] {
  const condition: AttributeTests = { status: "active", ...(seen && { revision: revision ?? { absent: true } }) };
  const { set } = setOrRemove(change);
  if (Object.keys(set).length === 0) return [{ check: apiKeyKey(org, id), condition }];
  return [
    { update: apiKeyKey(org, id), set, add: { revision: 1 }, condition },
    { update: credentialKey(hash), set },
  ];
}

export const findApiKey = finderOf<ApiKey>(apiKeyKey);

/** The keys of an organization with these ids, in any order; missing ones are left out. */
export async function findApiKeys(records: RecordStore, org: string, ids: string[]): Promise<ApiKey[]> {
  return (await records.getMany(ids.map((id) => apiKeyKey(org, id)))).map(fromItem<ApiKey>);
}

export function findApiKeyByHash(records: RecordStore, hash: string): Promise<ApiKey | undefined> {
  return getObject(records, credentialKey(hash));
}

const STATE_TESTS: Record<ApiKeyState, (now: string) => AttributeTests> = {
  active: (now) => ({ status: "active", expires_at: { greaterThan: now, orAbsent: true } }),
  expired: (now) => ({ status: "active", expires_at: { atMost: now } }),
  revoked: () => ({ status: "revoked" }),
};

export interface ApiKeyFilter {
  state?: ApiKeyState;
  /** Only keys that this principal created. */
  createdBy?: string;
  /** ISO 8601; decides what has expired. */
  now: string;
}

/** One page of an organization's keys, newest first, with the total. */
export function listApiKeys(records: RecordStore, org: string, filter: ApiKeyFilter, page: PageRequest) {
  const where = filterBy(filter.state && STATE_TESTS[filter.state](filter.now), { created_by: filter.createdBy });
  const listing = { index: "gsi1" as const, pk: apiKeysOf(org), where, descending: true };
  return listObjects<ApiKey>(records, listing, page);
}

/** The first keys of an agent that are not revoked; an expired one may work again. */
export async function listKeysOfAgent(records: RecordStore, org: string, agent: string): Promise<ApiKey[]> {
  const query = { index: "gsi2" as const, pk: apiKeysOfAgent(org, agent), where: { status: "active" }, limit: PAGE };
  const { items } = await records.query(query);
  return items.map(fromItem<ApiKey>);
}

/** Counts one request of a key. */
export function countUse(
  { rollups, clock }: Pick<Runtime, "rollups" | "clock">,
  key: { org: string; id: string },
  succeeded: boolean,
): void {
  const add = { total_requests: 1, [succeeded ? "successful_requests" : "failed_requests"]: 1 };
  rollups.count(usageKey(key.org, key.id), { add, set: { kind: "usage", last_used: timestamp(clock()) } });
}

/** The use of each key or user in the order of `ids`; `none` if it was never used. */
export async function readUsage<Use extends object>(records: RecordStore, org: string, ids: string[], none: Use) {
  const found = await records.getMany(ids.map((id) => usageKey(org, id)));
  const byPartition = new Map(found.map((record) => [record.pk, fromItem<Use>(record)]));
  return ids.map((id): Use => ({ ...none, ...byPartition.get(usageKey(org, id).pk) }));
}
