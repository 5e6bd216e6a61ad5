import { queueWorker } from "../../../shared/entry/lambda/worker.ts";
import { createMaintainer } from "./service.ts";
import { worker } from "./worker.ts";

export const entry = queueWorker(worker, createMaintainer);
export const { handler } = entry;
