import { queueWorker } from "../../../shared/entry/lambda/worker.ts";
import { createIngester } from "./service.ts";
import { worker } from "./worker.ts";

export const entry = queueWorker(worker, createIngester);
export const { handler } = entry;
