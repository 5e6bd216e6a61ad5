import { queueWorker } from "../../../shared/lambda/worker.ts";
import { createCompressor } from "./service.ts";
import { worker } from "./worker.ts";

export const entry = queueWorker(worker, createCompressor);
export const { handler } = entry;
