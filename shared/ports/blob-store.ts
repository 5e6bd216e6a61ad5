export interface Blob {
  bytes: Uint8Array;
  contentType: string;
}

/** A blob that is read in chunks. */
export interface BlobStream {
  /** In bytes. */
  size: number;
  contentType: string;
  /** Can be iterated once; opens nothing before that. Rejects if the blob was deleted meanwhile. */
  parts: AsyncIterable<Uint8Array>;
}

/** A blob in a listing. */
export interface BlobEntry {
  key: string;
  /** In bytes. */
  size: number;
  /** When it was last written, in epoch milliseconds. */
  modifiedAt: number;
}

export interface BlobListing {
  /** In bytewise order of their keys. */
  blobs: BlobEntry[];
  /** Absent on the last page. */
  cursor?: string;
}

/** Keys are `/`-separated and consist of letters, digits and `._-`; adapters refuse others. */
export interface BlobStore {
  put(key: string, blob: Blob): Promise<void>;
  /** Writes in chunks with few in memory. The blob appears when it resolves; if chunks fail, the former one stays. */
  write(key: string, blob: Omit<BlobStream, "size">): Promise<void>;
  get(key: string): Promise<Blob | undefined>;
  /** Reads with only one chunk in memory, for blobs of any size. */
  open(key: string): Promise<BlobStream | undefined>;
  /** Missing keys are ignored. */
  delete(key: string): Promise<void>;
  /** Walks through the blobs with a key prefix, for maintenance and backups; `limit` is 1..1000. */
  list(request: { prefix?: string; limit: number; after?: string }): Promise<BlobListing>;
  /** A temporary link that reads or writes the blob without a credential. */
  presign(key: string, verb: "get" | "put", expiresInSeconds: number): Promise<string>;
  /** The usage of the disk that holds the blobs; undefined if there is no disk that could fill up. */
  space(): Promise<DiskSpace | undefined>;
  ping(): Promise<void>;
}

/** In bytes. */
export interface DiskSpace {
  used: number;
  total: number;
}
