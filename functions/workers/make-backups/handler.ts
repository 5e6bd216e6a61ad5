import { queueWorker } from "../../../shared/entry/lambda/worker.ts";
import { createBackupMaker } from "./service.ts";
import { worker } from "./worker.ts";

export const entry = queueWorker(worker, createBackupMaker);
export const { handler } = entry;
