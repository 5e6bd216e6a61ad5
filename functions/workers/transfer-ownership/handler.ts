import { queueWorker } from "../../../shared/entry/lambda/worker.ts";
import { createOwnershipTransfer } from "./service.ts";
import { worker } from "./worker.ts";

export const entry = queueWorker(worker, createOwnershipTransfer);
export const { handler } = entry;
