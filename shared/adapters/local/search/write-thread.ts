import { serveTasks } from "../../../runtime/text-work/serve.ts";
import { longWriteTask } from "./long-writes.ts";

serveTasks(async () => longWriteTask);
