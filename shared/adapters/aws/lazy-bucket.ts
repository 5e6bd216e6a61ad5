import type { OpenBucket } from "../../ports/foreign-bucket.ts";

/** Loads the cloud's client when a bucket is first opened, because most connections have none. */
export const openBucket: OpenBucket = async (...given) =>
  (await import("./foreign-bucket.ts")).openForeignBucket(...given);
