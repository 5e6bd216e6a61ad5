import { streamWorker } from "../../../shared/lambda/worker.ts";
import { createMemoryIndexer } from "./service.ts";
import { worker } from "./worker.ts";

export const entry = streamWorker(worker, createMemoryIndexer);
export const { handler } = entry;
