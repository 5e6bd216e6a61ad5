import { queueWorker } from "../../../shared/entry/lambda/worker.ts";
import { createSynchronizer } from "./service.ts";
import { worker } from "./worker.ts";

export const entry = queueWorker(worker, createSynchronizer);
export const { handler } = entry;
