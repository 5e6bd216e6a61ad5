import { workerHandler } from "../../../shared/entry/lambda/worker.ts";
import * as worker from "./worker.ts";

export const handler = await workerHandler(worker);
