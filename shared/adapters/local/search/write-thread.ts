import { serveTasks } from "../../../runtime/text-work/serve.ts";
import { longWriteTask } from "./long-writes.ts";

// One reader of the change feed writes for all organizations, and each write request waits for it.
serveTasks(async () => longWriteTask, { isUrgent: true });
