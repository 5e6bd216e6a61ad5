import { step as organizationsOfEntities } from "./01-organizations-of-entities.ts";
import { step as tiersAndOrganizations } from "./02-tiers-and-organizations.ts";
import { step as jobsOfSources } from "./03-jobs-of-sources.ts";
import { step as maintenanceAsJobs } from "./04-maintenance-as-jobs.ts";
import { step as requestsAsJobs } from "./05-requests-as-jobs.ts";
import { step as sourcesAsJobs } from "./06-sources-as-jobs.ts";
import { step as listsOfChains } from "./07-lists-of-chains.ts";
import { step as readersOfSources } from "./08-readers-of-sources.ts";
import { step as logOfReads } from "./09-log-of-reads.ts";
import { step as provenance } from "./10-provenance.ts";
import { step as provenanceOfFacts } from "./11-provenance-of-facts.ts";
import { step as guessesOfFacts } from "./12-guesses-of-facts.ts";
import type { ItemStep } from "./step.ts";

/** The steps by which work of releases before the job engine becomes jobs. */
export const WORK_STEPS = [maintenanceAsJobs, requestsAsJobs, sourcesAsJobs];

/**
 * All steps in order. The steps of one release share a version, so that a release can read items of the next one. Items
 * without a version, which releases before 0.2.0 wrote, have version 1.
 */
export const ITEM_STEPS: ItemStep[] = [
  organizationsOfEntities,
  tiersAndOrganizations,
  jobsOfSources,
  ...WORK_STEPS,
  listsOfChains,
  readersOfSources,
  logOfReads,
  provenance,
  provenanceOfFacts,
  guessesOfFacts,
];
