import { streamWorker } from "../../../shared/entry/lambda/worker.ts";
import { createFollower } from "./service.ts";
import { worker } from "./worker.ts";

export const entry = streamWorker(worker, createFollower);
export const { handler } = entry;
