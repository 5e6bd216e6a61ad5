import type { BlobStore } from "./blob-store.ts";
import type { Embedder } from "./embedder.ts";
import type { FactReader } from "./fact-reader.ts";
import type { LanguageModels } from "./language-model.ts";
import type { LogStore } from "./log-store.ts";
import type { Mailer } from "./mailer.ts";
import type { Queue } from "./queue.ts";
import type { SendCapability } from "./queues.ts";
import type { RecordInventory } from "./record-inventory.ts";
import type { RecordStore } from "./record-store.ts";
import type { Reranker } from "./reranker.ts";
import type { SearchIndex } from "./search-index.ts";
import type { SecretPurpose } from "./secret-names.ts";
import type { Secrets } from "./secrets.ts";

export interface Ports {
  records: RecordStore;
  inventory: RecordInventory;
  search: SearchIndex;
  blobs: BlobStore;
  queue: Queue;
  embedder: Embedder;
  /** Absent if searches have only one stage. */
  reranker?: Reranker | undefined;
  /** Absent if rules alone read facts. */
  reader?: FactReader | undefined;
  models: LanguageModels;
  mailer: Mailer;
  secrets: Secrets;
  logs: LogStore;
}

export type PortName = keyof Ports;

/**
 * A port, sending to one queue, or the secrets of one purpose: what a function may use and is granted. `queue` alone reads
 * the state of all queues.
 */
export type Capability =
  | Exclude<PortName, "secrets">
  | "inventory:export"
  | SendCapability
  | `secrets:${SecretPurpose}`;
