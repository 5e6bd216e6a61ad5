/** Descriptions of fields that only this group has; see shared/entry/openapi/fields.ts. */
export const FIELDS = {
  "apiKey.agent_id": "Agent that the key is restricted to; absent for a key of the organization.",
  "CreateApiKey.agent_id": "Limits the key to this agent: it reads only the agent's memories and those shared with it.",
  "apiKey.status": "Only `active` keys are accepted.",
  api_keys: "API keys, newest first.",
  rate_limit: "Limits of the key; the tighter of these and the plan's applies.",
  requests_per_minute: "Rate at which the limit refills, in requests per minute.",
  burst_limit: "Maximum number of requests at once.",
  current_usage: "Requests of the burst limit that are used up.",
  reset_time: "When the limit is full again (ISO 8601, UTC).",
  prefix: "First 12 characters of the key.",
  key: "The key; only this answer contains it.",
  revoked_reason: "Why the key was revoked.",
  old_key: "The revoked key.",
  new_key: "The key that replaces it.",
};
