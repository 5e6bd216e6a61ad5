/** Descriptions of fields that only this group has; see shared/entry/openapi/fields.ts. */
export const FIELDS = {
  "UserProfile.type": "Whose profile it is.",
  "ErasureBegun.user_id": "User whose data is erased.",
  sections: "The profile by topic.",
  lines: "Statements of the section.",
  "RecalledWhy.score": "Relevance of the item, 0 to 1.",
  why: "Why the item is in the answer.",
  confident: "Whether the items answer the query.",
  "Explained.max_tokens": "Maximum number of tokens of `context` in the recall.",
};
