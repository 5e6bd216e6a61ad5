import { serveTasks } from "../../shared/runtime/text-work/serve.ts";
import { findTask } from "./tasks.ts";

// Requests wait for short tasks, as they do for the thread that hands them over.
serveTasks(findTask, { isUrgent: true });
