import { queueWorker } from "../../../shared/lambda/worker.ts";
import { createHandOver } from "./service.ts";
import { worker } from "./worker.ts";

export const entry = queueWorker(worker, createHandOver);
export const { handler } = entry;
