import { queueWorker } from "../../../shared/lambda/worker.ts";
import { openBucket } from "../../../shared/platform/aws/lazy-bucket.ts";
import { createSynchronizer } from "./service.ts";
import { worker } from "./worker.ts";

export const entry = queueWorker(worker, (home) => createSynchronizer(home, openBucket));
export const { handler } = entry;
