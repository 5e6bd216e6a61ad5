import * as z from "zod";

const description = "Accepted for mem0 clients; has no effect.";
const ignored = z.unknown().optional().meta({ description });
const ignoredText = z.string().optional().meta({ description });

function shapeWith<Name extends string>(...names: Name[]): Record<Name, typeof ignored> {
  return Object.fromEntries(names.map((name) => [name, ignored])) as Record<Name, typeof ignored>;
}

/** The client, and its organization and project: a key belongs to one of each. */
const inQuery = {
  source: ignoredText,
  org_id: ignoredText,
  project_id: ignoredText,
  org_name: ignoredText,
  project_name: ignoredText,
};
const ofAnyRequest = shapeWith("source", "org_id", "project_id", "org_name", "project_name");
/** Response versions and features that older clients name. */
const ofOlderClients = shapeWith("version", "api_version", "output_format", "enable_graph");

/**
 * Fields that mem0's published clients (Python, Node, command line, plugins) send and this service ignores. Other
 * unknown fields are refused. docs/mem0.md lists the same.
 */
export const TOLERATED = {
  query: inQuery,
  body: ofAnyRequest,
  add: {
    ...ofAnyRequest,
    ...ofOlderClients,
    ...shapeWith("structured_data_schema", "immutable", "async_mode"),
  },
  search: {
    ...ofAnyRequest,
    ...ofOlderClients,
    ...shapeWith("latest_only", "keyword_search", "reference_date", "filter_memories", "only_metadata_based_search"),
  },
  list: { ...ofAnyRequest, ...ofOlderClients, ...shapeWith("latest_only", "reference_date") },
  deletion: { ...inQuery, ...shapeWith("delete_linked") },
  /** In the query of a list, where every value is text. */
  listQuery: { ...inQuery, version: ignoredText, api_version: ignoredText, enable_graph: ignoredText },
  project: { ...ofAnyRequest, ...shapeWith("version", "enable_graph") },
  /** Fields besides text that a model's message may have; the event does not name them. */
  message: shapeWith(
    "tool_calls",
    "tool_call_id",
    "function_call",
    "refusal",
    "annotations",
    "audio",
    "reasoning_content",
  ),
};

/** The query of a route without parameters of its own. */
export const CompatQuery = z.object(TOLERATED.query);
