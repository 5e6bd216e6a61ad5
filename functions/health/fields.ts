/** Descriptions of fields that only this group has; see shared/entry/openapi/fields.ts. */
export const FIELDS = {
  "Status.index": "State of the search index.",
  "Health.status": "The process answers requests.",
  "Status.status": "`degraded` if a part of the service fails.",
  "Health.version Status.version": "Release of the service.",
  "reranker.model": "Name of the model that reranks.",
  "reranker.failed": "Searches that kept their first order.",
  "reranker.succeeded": "Searches whose results were reranked.",
  "checks.queue": "State of the queues.",
  ready: "Whether the service can answer requests.",
  checks: "State of each part.",
  "checks.records": "The record store.",
  "checks.search": "The search index.",
  "checks.blobs": "The blob store.",
  ok: "Whether the part answers.",
  latency_ms: "Time that the part took to answer, in milliseconds.",
};
