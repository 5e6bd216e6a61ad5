import { scheduleWorker } from "../../../shared/entry/lambda/worker.ts";
import { createAnnouncer } from "./service.ts";
import { worker } from "./worker.ts";

export const entry = scheduleWorker(worker, createAnnouncer);
export const { handler } = entry;
