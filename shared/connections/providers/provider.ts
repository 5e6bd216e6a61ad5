import type { Json, JsonObject } from "../../platform/ports.ts";
import type { GivenContent } from "../../sources/source.ts";
import type { FoundDocument } from "../connection.ts";
import type { ProviderFetch } from "./requests.ts";

/** Where a listing is: what the last run ended with, and how far this one has come. Neither at the very first. */
export interface Position {
  cursor?: Json | undefined;
  place?: Json | undefined;
}

/** A part of what a provider has, or of what changed there since the last run. */
export interface Listing {
  found: FoundDocument[];
  /** Documents that the provider says are no more; some of them may never have been known. */
  gone?: string[];
  /** Where the listing goes on; absent on its last part. */
  next?: Json;
  /** On the last part: what the next run is to begin with. */
  cursor?: Json;
  /** On the last part: the run listed everything there is, so what it did not list is no more. */
  isInventory?: boolean;
}

export interface ReadDocument {
  title?: string;
  url?: string;
  content: GivenContent;
  metadata?: JsonObject;
  /**
   * Documents that belong to this one, such as its files: read after it where they changed, and removed with it or when it
   * lists them no more. Their ids need to be unique within it alone.
   */
  attachments?: FoundDocument[];
}

/** One provider, opened with the credentials of one connection. All of it rejects with one of faults.ts, or a ServiceError. */
export interface ProviderSession {
  list(position: Position): Promise<Listing>;
  /** `gone`: it is no more. `unfit`: it has nothing to be read. */
  read(document: FoundDocument): Promise<ReadDocument | "gone" | "unfit">;
  /** Asked of documents that an inventory misses, where a provider's inventories are not to be relied on. */
  isGone?(document: FoundDocument): Promise<boolean>;
}

/** What a session works with. */
export interface SessionTools {
  /** The connection's organization. */
  org: string;
  /** Adds the connection's access token to requests, so that no session handles it. */
  fetch: ProviderFetch;
  /** The same without the token, for links that hold their own signature. */
  fetchWithoutToken: ProviderFetch;
  /** What was known of documents by the last run, by their names. */
  known(external_ids: string[]): Promise<Map<string, FoundDocument>>;
  /** Waits, unless that is longer than the run may take. Throws Postponed. */
  pause(milliseconds: number): Promise<void>;
  openBucket: OpenBucket;
}

// ---------------------------------------------------------------- object stores

export interface BucketAddress {
  bucket: string;
  region: string;
  endpoint?: string | undefined;
  /** Requests go unsigned without. */
  credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined };
}

export interface BucketObject {
  key: string;
  etag: string;
  bytes: number;
}

/** A bucket of somebody else's, read only. Rejects as sessions do. */
export interface ForeignBucket {
  list(given: { prefix?: string | undefined; after?: string | undefined }): Promise<{
    objects: BucketObject[];
    /** Where the next page begins; absent on the last. */
    next?: string;
  }>;
  /** Undefined where there is no such object (any more). */
  get(key: string): Promise<{ bytes: Uint8Array; contentType?: string } | undefined>;
}

/** Opens a bucket whose requests go through `fetch`. Given by whoever may know the cloud's own client. */
export type OpenBucket = (address: BucketAddress, fetch: ProviderFetch) => Promise<ForeignBucket>;
