/** Descriptions of fields that only this group has; see shared/entry/openapi/fields.ts. */
export const FIELDS = {
  jsonrpc: "Version of JSON-RPC.",
};
