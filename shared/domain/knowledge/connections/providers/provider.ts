import type { OpenBucket } from "../../../../ports/foreign-bucket.ts";
import type { Json, JsonObject } from "../../../../ports/json.ts";
import type { GivenContent } from "../../sources/source.ts";
import type { FoundDocument } from "../connection.ts";
import type { ProviderFetch } from "./requests.ts";

/** The position of a listing: the last run's cursor and this run's progress. Both are absent at first. */
export interface Position {
  cursor?: Json | undefined;
  place?: Json | undefined;
}

/** A part of a provider's documents, or of its changes since the last run. */
export interface Listing {
  found: FoundDocument[];
  /** Ids of deleted documents; some may be unknown. */
  gone?: string[];
  /** Where the listing continues; absent in its last part. */
  next?: Json;
  /** In the last part, the cursor for the next run. */
  cursor?: Json;
  /** In the last part, whether the run listed everything, so that other documents were deleted. */
  isInventory?: boolean;
}

export interface ReadDocument {
  title?: string;
  url?: string;
  content: GivenContent;
  metadata?: JsonObject;
  /**
   * Documents that belong to this one, such as its files: read after it if they changed, and deleted with it or when it
   * no longer lists them. Their ids are unique within it.
   */
  attachments?: FoundDocument[];
}

/** A document's content; `gone`: it was deleted; `no_text`: it has no text. */
export type ReadResult = ReadDocument | "gone" | "no_text";

/** A provider with a connection's credentials. Methods reject with errors of provider-faults.ts or a ServiceError. */
export interface ProviderSession {
  list(position: Position): Promise<Listing>;
  read(document: FoundDocument): Promise<ReadResult>;
  /** Called for documents missing from an inventory, if the provider's inventories are unreliable. */
  isGone?(document: FoundDocument): Promise<boolean>;
}

/** The tools of a session. */
export interface SessionTools {
  /** The connection's organization. */
  org: string;
  /** Adds the connection's access token to requests, so that sessions do not handle it. */
  fetch: ProviderFetch;
  /** The same without the token, for signed links. */
  fetchWithoutToken: ProviderFetch;
  /** The documents of the last run by id. */
  known(external_ids: string[]): Promise<Map<string, FoundDocument>>;
  /** Waits, unless that exceeds the turn. Throws RetryLaterError. */
  pause(milliseconds: number): Promise<void>;
  openBucket: OpenBucket;
}
