import { queueWorker } from "../../../shared/entry/lambda/worker.ts";
import { createCarrier } from "./service.ts";
import { worker } from "./worker.ts";

export const entry = queueWorker(worker, createCarrier);
export const { handler } = entry;
