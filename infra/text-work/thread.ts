import { serveTasks } from "../../shared/runtime/text-work/serve.ts";
import { findTask } from "./tasks.ts";

serveTasks(findTask);
