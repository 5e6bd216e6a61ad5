import * as compat from "../../../shared/domain/integration/compat/job-kinds.ts";
import * as transfers from "../../../shared/domain/integration/transfers/job-kinds.ts";
import * as connections from "../../../shared/domain/knowledge/connections/job-kinds.ts";
import * as sources from "../../../shared/domain/knowledge/sources/job-kinds.ts";
import * as memory from "../../../shared/domain/memory/job-kinds.ts";
import * as backups from "../../../shared/domain/operations/backups/job-kinds.ts";
import * as erasure from "../../../shared/domain/operations/erasure/job-kinds.ts";
import * as maintenance from "../../../shared/domain/operations/maintenance/job-kinds.ts";
import * as offboarding from "../../../shared/domain/operations/offboarding/job-kinds.ts";
import * as patterns from "../../../shared/domain/patterns/job-kinds.ts";
import * as sessions from "../../../shared/domain/sessions/job-kinds.ts";
import type { JobDefinition } from "../../../shared/runtime/jobs/kinds.ts";

const DEFINITIONS = {
  ...memory,
  ...sessions,
  ...patterns,
  ...compat,
  ...transfers,
  ...sources,
  ...connections,
  ...maintenance,
  ...backups,
  ...erasure,
  ...offboarding,
};

/** All kinds of jobs. */
export const JOBS = Object.values<JobDefinition>(DEFINITIONS as never);
