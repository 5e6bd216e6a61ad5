import type { JobPolicy } from "../../../runtime/jobs/kinds.ts";
import { defineJob } from "../../../runtime/jobs/kinds.ts";
import { MAINTENANCE_JOBS } from "../../../runtime/jobs/policies.ts";
import type { EraseOrganizationInput } from "./erase-organization.ts";
import type { EraseUserInput } from "./erase-user.ts";
import type { ErasureCheckpoint } from "./steps.ts";

declare module "../../../runtime/jobs/kinds.ts" {
  interface JobTypes {
    erase_user: { input: EraseUserInput; checkpoint: ErasureCheckpoint };
    erase_organization: { input: EraseOrganizationInput; checkpoint: ErasureCheckpoint };
  }
}

/** An erasure must complete: more than a day of attempts. Its record names the user or organization, and proves the erasure. */
const ERASURES: JobPolicy = { ...MAINTENANCE_JOBS, maxAttempts: 30 };

export const ERASE_USER_JOB = defineJob("erase_user", ERASURES);

export const ERASE_ORGANIZATION_JOB = defineJob("erase_organization", ERASURES);
