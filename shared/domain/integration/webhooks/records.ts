import { LRUCache } from "lru-cache";
import { validFor } from "../../../kernel/clock.ts";
import type { PageRequest } from "../../../kernel/pagination.ts";
import { finderOf, fromItem, setOrRemove, toItem } from "../../../ports/item.ts";
import { filterBy, type Listing, listObjects } from "../../../ports/listing.ts";
import { queryAll } from "../../../ports/pages.ts";
import type { AttributeTests, RecordKey, RecordStore, Write } from "../../../ports/record-store.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import type { OwnedKind } from "../../identity/owned-counts.ts";
import { createdResources, type OwnedResource } from "../../identity/owned-resources.ts";
import type { Webhook, WebhookEventName, WebhookState } from "./webhook.ts";

const WEBHOOK_KIND = "webhook";
/** Webhooks per read. */
const PAGE = 1000;
/** Cache lifetime of an organization's webhooks, which another process may change. */
const CACHE_MS = 2_000;
const MAX_CACHED = 10_000;

type Reader = Pick<OrgRuntime, "ports" | "org" | "clock">;

/** An organization's webhooks are one item collection, so their list is consistent. */
export const webhooksOf = (org: string): string => `${org}#webhooks`;
export const webhookKey = (org: string, id: string): RecordKey => ({ pk: webhooksOf(org), sk: id });

export const WEBHOOKS: OwnedKind = { name: "webhooks", listing: (org) => ({ pk: webhooksOf(org) }) };

/** The write of a new webhook; refused if its id exists. */
export function insertWebhook(webhook: Webhook): Write {
  return { put: toItem(webhookKey(webhook.org, webhook.id), WEBHOOK_KIND, webhook), condition: "absent" };
}

/** The client's changes of a webhook; undefined removes an optional field. */
export type WebhookChange = Partial<
  Omit<Webhook, "id" | "org" | "created_at" | "created_by" | "version" | "failing_since">
>;

/** The write of a new version; refused if a newer one exists. Activation resets the failure state. */
export function changeWebhook({ org, id, version, status }: Webhook, change: WebhookChange): Write {
  const isStatusChange = change.status !== undefined && change.status !== status;
  const outdated = {
    ...(isStatusChange && { pause_reason: undefined }),
    ...(isStatusChange && change.status === "active" && { failing_since: undefined }),
  };
  const values = setOrRemove({ ...outdated, ...change, version: version + 1 });
  return { update: webhookKey(org, id), ...values, condition: { version } };
}

/** The write that deletes a webhook; refused if its version changed. */
export function deleteWebhook({ org, id, version }: Webhook): Write {
  return { delete: webhookKey(org, id), condition: { version } };
}

/** The write of a webhook's delivery state, without a new version; refused if it was deleted. */
export function updateDeliveryState(
  { org, id }: Pick<Webhook, "org" | "id">,
  state: Pick<Webhook, "failing_since">,
): Write {
  return { update: webhookKey(org, id), ...setOrRemove(state), condition: "present" };
}

/** The write with which the service pauses an active webhook, as a new version, so that concurrent edits conflict. */
export function pauseWebhook(
  { org, id, version }: Webhook,
  reason: { pause_reason: NonNullable<Webhook["pause_reason"]>; updated_at: string },
): Write {
  const set = { ...reason, status: "paused", version: version + 1 };
  return { update: webhookKey(org, id), set, condition: { status: "active", version } };
}

/** Returns undefined if the id is missing or belongs to another organization. */
export const findWebhook = finderOf<Webhook>(webhookKey);

/** One page of an organization's webhooks, newest first. */
export function listWebhooks(
  records: RecordStore,
  org: string,
  { status, event }: { status?: WebhookState | undefined; event?: WebhookEventName | undefined },
  page: PageRequest,
): Promise<Listing<Webhook>> {
  const where = filterBy(status && { status }, event && { events: { containsAny: [event] } });
  return listObjects(records, { pk: webhooksOf(org), where, descending: true }, page);
}

/** All webhooks of an organization, oldest first. */
export async function readWebhooks(records: RecordStore, org: string, where?: AttributeTests): Promise<Webhook[]> {
  return (await queryAll(records, { pk: webhooksOf(org), where, limit: PAGE })).map(fromItem<Webhook>);
}

/** Users' webhooks as transferable resources. */
export const createdWebhooks: OwnedResource = {
  ...createdResources("webhooks", webhooksOf),
  listing: (org) => ({ pk: webhooksOf(org) }),
};

/** By store, then by organization. */
const caches = new WeakMap<RecordStore, LRUCache<string, Webhook[]>>();

function cacheOf({ ports: { records }, clock }: Reader): LRUCache<string, Webhook[]> {
  const fetchMethod = (org: string) => readWebhooks(records, org, { status: "active" });
  // Dropping an organization's webhooks must not fail their current reader.
  const options = { max: MAX_CACHED, fetchMethod, ignoreFetchAbort: true, ...validFor(CACHE_MS, clock) };
  const cache = caches.get(records) ?? new LRUCache(options);
  caches.set(records, cache);
  return cache;
}

/** Drops an organization's webhooks from this process's cache after a change. */
export function forgetWebhooks(reader: Reader): void {
  cacheOf(reader).delete(reader.org);
}

/** The organization's active webhooks, up to two seconds old: for hints, not decisions. */
export function activeWebhooks(reader: Reader): Promise<Webhook[]> {
  return cacheOf(reader).forceFetch(reader.org);
}
