import { queueWorker } from "../../../shared/entry/lambda/worker.ts";
import { createCollector } from "./service.ts";
import { worker } from "./worker.ts";

export const entry = queueWorker(worker, createCollector);
export const { handler } = entry;
