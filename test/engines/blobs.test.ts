import { setTimeout as sleep } from "node:timers/promises";
import { silentLogger } from "../../shared/kernel/logger.ts";
import { openBlobs } from "../../shared/platform/aws/blobs.ts";
import { ENVIRONMENT } from "../../shared/platform/aws/environment.ts";
import { describeBlobStore } from "../contract/blob-store.ts";
import { createBucket, useEngines } from "./resources.ts";

describeBlobStore("S3", async () => {
  useEngines();
  const blobs = openBlobs({ ...process.env, [ENVIRONMENT.bucketName]: await createBucket() }, silentLogger);
  return { blobs, request: fetch, pass: (seconds) => sleep(seconds * 1000), close: async () => {} };
});
