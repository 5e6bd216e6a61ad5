import { queueWorker } from "../../../shared/entry/lambda/worker.ts";
import { createRememberer } from "./service.ts";
import { worker } from "./worker.ts";

export const entry = queueWorker(worker, createRememberer);
export const { handler } = entry;
