import { queueWorker } from "../../../shared/entry/lambda/worker.ts";
import { createDeliverer } from "./service.ts";
import { worker } from "./worker.ts";

export const entry = queueWorker(worker, createDeliverer);
export const { handler } = entry;
