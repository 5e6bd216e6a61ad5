import { describeKills } from "./jobs.ts";

describeKills();
