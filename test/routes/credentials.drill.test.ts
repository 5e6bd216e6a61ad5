import { describeCredentials, GUARDED_ROWS } from "./credentials.ts";

describeCredentials(GUARDED_ROWS);
