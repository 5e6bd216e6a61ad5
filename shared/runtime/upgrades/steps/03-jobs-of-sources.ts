import type { StoredRecord } from "../../../ports/record-store.ts";
import { type AddingStep, type Attributes, adding } from "./step.ts";

export const step: AddingStep = {
  version: 2,
  name: "store the jobs that read sources and wait for their uploads",
  kinds: ["source"],
  upgrade: adding(jobsOfSource),
};

/**
 * Returns the ids of a source's jobs as the step for background work creates them. Ids of missing jobs are harmless.
 */
function jobsOfSource(record: StoredRecord): Attributes | undefined {
  const { id, status, generation = 0, last_generation = 0, ingestion_id, upload_id } = record;
  const isRead = status === "processing" && ingestion_id === undefined;
  const mayBeUploaded = Number(last_generation) > Number(generation) && upload_id === undefined;
  if (!isRead && !mayBeUploaded) return undefined;
  return {
    ...(isRead && { ingestion_id: `job_ingestion_${id}` }),
    ...(mayBeUploaded && { upload_id: `job_upload_${id}` }),
  };
}
