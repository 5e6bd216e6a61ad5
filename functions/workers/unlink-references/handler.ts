import { streamWorker } from "../../../shared/lambda/worker.ts";
import { createUnlinker } from "./service.ts";
import { worker } from "./worker.ts";

export const entry = streamWorker(worker, createUnlinker);
export const { handler } = entry;
