import { describeJobs } from "./jobs.ts";

describeJobs();
