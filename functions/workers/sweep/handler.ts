import { scheduleWorker } from "../../../shared/entry/lambda/worker.ts";
import { createSweep } from "./service.ts";
import { worker } from "./worker.ts";

export const entry = scheduleWorker(worker, createSweep);
export const { handler } = entry;
