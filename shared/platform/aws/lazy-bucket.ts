import type { OpenBucket } from "../../connections/providers/provider.ts";

/** Loads the cloud's client when a bucket is first opened: most connections lead to none. */
export const openBucket: OpenBucket = async (...given) =>
  (await import("./foreign-bucket.ts")).openForeignBucket(...given);
