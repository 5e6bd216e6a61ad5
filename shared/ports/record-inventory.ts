import type { RecordPage, StoredRecord } from "./record-store.ts";

/** The request of a walk through all records. */
export interface InventoryRequest {
  /** Only records of these kinds. */
  kinds?: string[];
  /** Maximum number of records that one page examines, 1..1000; it may return fewer or none. */
  limit: number;
  /**
   * Number of parts of the records that the whole walk reads concurrently, up to `limit` records of each in a page. A
   * backend without parts ignores it.
   */
  segments?: number;
  /** The previous page's `cursor`; opaque. */
  after?: string;
}

/**
 * All records of all organizations, for maintenance and backups: its cost grows with the table, so no request may use
 * it. A record that exists during the whole walk is returned once; one written meanwhile may or may not be.
 */
export interface RecordInventory {
  list(request: InventoryRequest): Promise<RecordPage>;
  /** Everything stored, including expired rows that are not deleted yet, because their deletion has effects. */
  snapshot(): RecordSnapshot;
  /**
   * The same, prepared by the backend if reading all records would take too long: undefined while it is being prepared.
   * Call again with the same `id` (letters, digits, `_`, `-`), which names one snapshot until it is discarded.
   */
  requestSnapshot(id: string): Promise<RecordSnapshot | undefined>;
  /** Deletes what the backend prepared for a requested snapshot, if anything. */
  discardSnapshot(id: string): Promise<void>;
  /**
   * Stores any number of records, replacing what is under their keys, without notifying readers of the change feed; for
   * a restore. Records of an earlier version are upgraded. Not atomic; repeating it changes nothing.
   */
  fill(records: StoredRecord[]): Promise<void>;
  /**
   * Removes what deleted data left in the backend's files; false if a reader prevents it at the moment. Absent where the
   * backend does this by itself.
   */
  scrub?(): Promise<boolean>;
  /** Upgrades a page of former items. Loses no concurrent write, notifies no reader of changes, and can be repeated. */
  upgrade(request: UpgradeRequest): Promise<UpgradePage>;
}

export type UpgradeRequest = Omit<InventoryRequest, "kinds" | "segments">;

/** The numbers of examined and upgraded items of a page; the last page has no cursor. */
export interface UpgradePage {
  checked: number;
  upgraded: number;
  cursor?: string;
}

export interface RecordSnapshot {
  /** `moment`: everything is as of one moment, so no transaction is partial. `pages`: each page is as of its read. */
  consistency: "moment" | "pages";
  /** Can be iterated once. The moment, if any, is that of the first page. */
  pages: AsyncIterable<StoredRecord[]>;
}
