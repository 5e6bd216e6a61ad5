import { streamWorker } from "../../../shared/entry/lambda/worker.ts";
import { createIndexer } from "./indexer.ts";
import { worker } from "./worker.ts";

export const entry = streamWorker(worker, createIndexer);
export const { handler } = entry;
