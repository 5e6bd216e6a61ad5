/** Descriptions of fields that only this group has; see shared/entry/openapi/fields.ts. */
export const FIELDS = {
  "query.subject query.attribute": "Only items with this value.",
  "fact.status":
    "`superseded`: another fact replaced it; `retracted`: it never held; `planned`: it holds later; `past`: it is over.",
  "FactList.facts": "Facts grouped by property, each group in the order of time.",
  history: "Earlier and later facts about the same property, oldest first.",
  decisions: "Decisions of users about the fact, oldest first.",
  "decisions.action": "What the user decided.",
  "decisions.by": "User who decided.",
  before: "Values of the corrected fields before the decision.",
  "before.subject": "Value before the decision.",
};
