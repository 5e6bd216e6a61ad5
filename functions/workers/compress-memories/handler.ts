import { queueWorker } from "../../../shared/entry/lambda/worker.ts";
import { createCompressor } from "./service.ts";
import { worker } from "./worker.ts";

export const entry = queueWorker(worker, createCompressor);
export const { handler } = entry;
