import { setTimeout as sleep } from "node:timers/promises";
import { openBlobs } from "../../shared/adapters/aws/blobs.ts";
import { ENVIRONMENT } from "../../shared/adapters/aws/environment.ts";
import { silentLogger } from "../../shared/kernel/logger.ts";
import { describeBlobStore } from "../contract/blob-store.ts";
import { createBucket } from "./resources.ts";

describeBlobStore("S3", async () => {
  const blobs = openBlobs({ ...process.env, [ENVIRONMENT.bucketName]: await createBucket() }, silentLogger);
  return { blobs, request: fetch, pass: (seconds) => sleep(seconds * 1000), close: async () => {} };
});
