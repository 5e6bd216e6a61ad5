/** Sends the requests to a bucket; provided by the caller that knows which hosts are allowed. */
export type BucketFetch = (
  url: string | URL,
  request?: { method?: string | undefined; headers?: Record<string, string> | undefined },
) => Promise<Response>;

export interface BucketAddress {
  bucket: string;
  region: string;
  endpoint?: string | undefined;
  /** Requests are not signed if absent. */
  credentials?: { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined };
}

export interface BucketObject {
  key: string;
  etag: string;
  bytes: number;
}

/** A third-party bucket, read only. Rejects with CredentialsRefusedError, RetryLaterError or ProviderError. */
export interface ForeignBucket {
  list(given: { prefix?: string | undefined; after?: string | undefined }): Promise<{
    objects: BucketObject[];
    /** Position of the next page; absent on the last page. */
    next?: string;
  }>;
  /** Undefined if the object does not exist, or no longer exists. */
  get(key: string): Promise<{ bytes: Uint8Array; contentType?: string } | undefined>;
}

/** Opens a bucket whose requests are sent with `fetch`. Implemented by code that may import the cloud's client. */
export type OpenBucket = (address: BucketAddress, fetch: BucketFetch) => Promise<ForeignBucket>;
