import { PROVIDERS } from "../../domain/knowledge/connections/connection.ts";
import { derivedId, type IdKind } from "../../kernel/ids.ts";
import { kindOf } from "./kinds.ts";

/** Descriptions by one or several names of fields, with blanks between the names. */
export type FieldDescriptions = Readonly<Record<string, string>>;

/**
 * Descriptions of fields that several groups have; those of one group are in its `fields.ts`. By field name, or by `owner.field` if the field has another meaning there. The owner is a schema, the
 * field that holds the object, an operation, or a kind of resource that occurs in the owner's name (see `kindOf`).
 */
export const SHARED_FIELDS: FieldDescriptions = {
  // The envelope and lists
  success: "Whether the request succeeded.",
  data: "Result of the operation.",
  "ErrorAnswer.meta": "Request id, and when the error occurred.",
  request_id: "Identifies the request in the log.",
  processing_time_ms: "Time that the service took, in milliseconds.",
  error: "What went wrong, and how to correct it.",
  code: "Stable error code for programs, such as `VALIDATION_ERROR`.",
  message: "Human-readable explanation.",
  details: "Facts about the error, such as the refused fields.",
  pagination: "The page of the list that this answer holds.",
  total: "Number of items that match, on all pages.",
  "progress.total": "Items to process; 0 until the input is read.",
  limit: "Maximum number of items in the answer.",
  "query.user_id query.agent_id query.org_id query.type": "Only items with this value.",
  "query.status": "Only items with this value.",
  offset: "Number of items to skip before the first one in the answer.",
  has_next: "Whether more items follow.",
  cursor: "The `next_cursor` of the page before, instead of `offset`: items that come or go meanwhile shift nothing.",
  next_cursor: "Where the next page starts, as `cursor`; absent on the last page.",
  sort: "Field and direction, such as `created_at desc`.",
  count: "Number of items.",
  "ratings.count": "Number of ratings.",
  results: "The items of this page, best or newest first.",
  index: "Position of the item in the request, from 0.",
  has_more: "Whether more items match than one request deletes; repeat it to delete them.",

  // Identity and ownership
  id: "Unique id that the service assigned; it never changes.",
  name: "Name.",
  "skill.name": "Name, unique within the organization.",
  description: "What it is for, in a few words.",
  type: "Kind of memory, a label of the client's choice, such as `preference` or `fact`.",
  "entities.type": "Kind of entity, such as `person` or `place`.",
  user_id: "User that it belongs to: an id of the organization or a name of the client's own.",
  agent_id: "Agent that it belongs to: an id of the organization or a name of the client's own.",
  app_id: "Application that it belongs to, a name of the client's own.",
  run_id: "Run or session that it belongs to, a name of the client's own.",
  memory_ids: "Memories that were stored.",
  fact_ids: "Facts that the line states.",
  skill_ids: "Skills, each once.",
  event_id: "Id of the job, such as `evt_…`; `GET /events/{event_id}` returns its progress.",
  job_id: "Id of the job that does the work, such as `job_…`.",
  external_id: "Id of the item at its provider.",
  resource: "Kind of resource that the job is about.",
  resource_id: "Resource that the job is about.",
  metadata: "Free-form JSON object of at most 16 KB.",
  status: "State of the item.",
  version: "Version number; each change increases it by one.",
  versions: "Versions, oldest first.",
  completed_at: "When it ended (ISO 8601, UTC); null while it runs.",
  expires_at: "When it expires (ISO 8601, UTC).",
  "memory.expires_at": "When the share ends (ISO 8601, UTC); absent: never.",
  expire_at: "When it expires and disappears from every answer (ISO 8601).",
  expiration_date: "When it expires (ISO 8601); null: never.",
  timestamp: "When it happened (ISO 8601, UTC).",
  at: "When it happened; of a series, the start of the interval (ISO 8601, UTC).",
  occurred_at: "When it happened or was said, past or future (ISO 8601 with offset).",
  occurred_after: "Only what happened at or after this time (ISO 8601).",
  occurred_before: "Only what happened at or before this time (ISO 8601).",
  created_after: "Only what was created at or after this time (ISO 8601).",
  created_before: "Only what was created at or before this time (ISO 8601).",
  start_time: "Start of the period (ISO 8601).",
  end_time: "End of the period (ISO 8601); the default is now.",
  created_by: "User or API key that created it.",
  reason: "Why, in words.",
  "left_out.reason": "Why it was not stored.",
  department: "Department, a label of the client's choice.",
  category: "Category, a label of the client's choice.",
  "query.category": "Only memories of this category.",
  "facts.category": "Kind of statement, such as `preference`.",
  title: "Title to display.",
  url: "Address (http or https).",
  "webhook.url": "Address that receives the deliveries (http or https).",
  filename: "Name of the file; its extension determines the format.",
  timezone: "IANA time zone, such as `Europe/Berlin`.",

  // Memories
  content: "The text.",
  "facts.content": "The fact in words; in English texts, in the third person where the grammar allows.",
  content_missing: "Present if the stored content is lost or damaged; `content` is then empty.",
  memory: "Text of the memory.",
  "files.memories": "Memories in the file.",
  facts: "Facts that the text states.",
  entities: "Entities that the text names.",
  relationship_type: "How the memory relates to the entity, such as `related_to`.",
  strength: "Strength of the relation, 0 to 1.",
  compression: "Effect of compression on the text.",
  processing: "How the text was read.",
  confidence: "How certain it is, 0 to 1.",
  "skill.confidence": "Expected share of successful uses, 0 to 1.",
  options: "How to treat this request.",
  extract_facts: "Extract facts from the text; the default is the stored setting.",
  extract_entities: "Extract entities from the text; the default is the stored setting.",
  compress: "Compress the text; the default is the stored setting.",
  compression_mode: "How far to compress; `conservative` is an alias of `extract`.",
  compression_options: "How to process the memory; defaults come from the stored settings.",
  facts_extracted: "Number of facts found.",
  entities_extracted: "Number of entities found.",
  fallback: "Whether the built-in rules answered in place of a model.",
  provider: "Provider of the model.",
  model: "Name of the language model.",
  prompt: "Question to answer from the memories.",
  context_used: "Parts of the context that were used.",
  failed: "Items that failed, each with its error.",
  "progress.failed": "Number of failures.",
  filters: "Conditions that a memory must meet, all of them.",
  confirm: "Must be true, because this cannot be undone.",
  deleted_count: "Number of deleted memories.",
  by_category: "Number of memories by category.",
  by_user: "Number of memories by user.",
  compression_stats: "Effect of compression.",
  original_tokens: "Tokens before compression.",
  compressed_tokens: "Tokens after compression.",
  compression_ratio: "Tokens after compression over tokens before, 0 to 1.",
  "ratings.sum": "Sum of the ratings.",
  q: "Text to search for.",
  query: "Text to search for, in natural language.",

  // Facts and profiles
  subject: "What the fact is about: `user`, `assistant`, or the name of an entity.",
  attribute: "Property of the subject that the fact states, such as `lives_in`.",
  value: "Value of the property.",
  act: "What the statement does: asserts, ends, plans, cancels or corrects.",
  valid_from: "Since when it holds (ISO 8601).",
  valid_to: "Until when it holds, exclusive (ISO 8601); absent or null while it holds.",
  span: "Range of the words in the memory's content, in UTF-16 units.",
  "span.start": "First unit of the range.",
  "span.end": "First unit after the range.",
  cardinality:
    "`single`: the property has one value at a time; `multiple`: several; `open`: a statement of an earlier release that fits no property.",
  replaces: "For a correction, the value that it says is wrong.",
  decision: "Decision of a user that is in effect.",
  dates: "Dates that the text names, resolved.",
  "dates.kind": "Form of the date.",
  "dates.precision": "Unit that the date is exact to.",
  text: "The words.",

  // Search
  threshold: "Minimum score of a result, 0 to 1.",
  "budget initial_budget": "Maximum activation to spread, as a multiple of the initial activation.",
  "include_path include_paths": "Return how activation reached each result.",
  include_explanation: "Explain the result in words.",
  parameters: "How activation spreads.",
  max_hops: "Maximum number of relations between a result and the query's own matches.",
  decay_factor: "Share of the activation that remains after each hop, 0 to 1.",
  score: "Relevance, 0 to 1; comparable within one answer.",
  rank: "Position in the answer, from 1.",
  explanation: "Reason in words.",
  activation_score: "Strength of the activation of the result, 0 to 1.",
  activation: "Activation that arrived at the node.",
  hop: "Number of relations between the start and the node.",
  hop_distance: "Number of relations between the query's own matches and the result.",
  node: "Memory or entity on the path.",
  activation_path: "Strongest path to the result, node by node.",
  spreading_stats: "How far activation spread.",
  initial_nodes: "Nodes at the start that could pass activation on.",
  activated_nodes: "Nodes that became active.",
  total_hops: "Hops over which activation spread.",
  propagation_efficiency: "Share of the passed activation that reached returned nodes, 0 to 1.",
  source: "Source that the item comes from.",
  default_settings: "Values that a search uses if it names none.",
  settings: "Values to use if a request names none.",
  timeout_ms: "Time limit in milliseconds.",
  success_rate: "Share that succeeded, 0 to 1; null without measurements.",
  documents: "Sources that the results come from.",
  include: "Parts to add to the answer.",

  // Sessions
  messages: "Messages, oldest first.",
  role: "Who speaks.",
  config: "Settings.",
  compression_enabled: "Whether texts are compressed.",
  tokens: "Number of tokens (o200k_base).",
  summary: "Summary in words.",
  context: "Situation to act in, a free-form JSON object.",
  changed: "Statements that changed lately.",
  sessions_started: "Sessions that began.",
  avg_session_duration: "Mean length of ended sessions in seconds; null without any.",

  // Skills and chains
  trigger: "Situation that calls for it, in words.",
  action: "What to do; slots such as `{customer.name}` are filled from the context.",
  "usage_count total_usage": "Number of uses.",
  last_used: "When it was last used (ISO 8601, UTC); null: never.",
  evidence: "Outcomes that the confidence is based on.",
  superseded_by: "Item that replaced it; null if none.",
  execution_time_ms: "Execution time in milliseconds.",
  problem: "What is wrong.",
  truncated: "Whether it was cut at its limit.",
  "options.max_tokens": "Maximum tokens of the output.",
  performance: "Cost of the execution.",
  tokens_processed: "Tokens of the input and output.",
  cost_estimate: "Cost in US dollars by the stored prices; 0 for the built-in rules.",
  confidence_threshold: "Minimum confidence, 0 to 1.",
  skipped: "Number of items that were left out.",
  attempts: "Number of attempts.",
  result: "The result.",
  path: "Path of the file within the folder, with `/` as separator.",

  // Agents and groups
  usage_stats: "How much it is used.",
  avg_confidence: "Mean confidence, 0 to 1; null without any.",

  // Sources, connections, imports and exports
  bytes: "Size in bytes.",
  file: "The uploaded file.",
  deleted: "The item was deleted.",
  upload_url: "Link to send the file to; it needs no credential.",
  method: "HTTP method of the upload.",
  max_bytes: "Maximum size of the file in bytes.",
  complete_path: "Path to POST to after the upload; it starts the import.",
  expires_in: "Seconds until the token expires.",
  format: "Format of the file.",
  download_url: "Link to the file that needs no credential.",
  progress: "How far the work is.",
  done: "Items that are processed.",
  errors: "Items that failed.",
  event: "Kind of event.",

  // mem0's interface
  categories: "Labels of the memory.",

  // Webhooks
  time_series: "Figures over time.",
  hourly: "Figures by hour, oldest first.",
  daily: "Figures by day, oldest first.",

  // Accounts, keys and organizations
  email: "E-mail address.",
  password: "Password, 12 to 128 characters.",
  email_verified: "Whether the user confirmed the address.",
  organization: "Label of the organization.",
  permissions: "Permissions, such as `memory:read`.",
  access_token: "Bearer token for the `Authorization` header.",
  refresh_token: "Token for `POST /auth/refresh`; it works once.",
  token_type: "Scheme of the `Authorization` header.",
  user: "The user.",
  two_factor_enabled: "Whether sign-ins need a second factor.",
  security: "State of the account.",
  last_login: "When the user last signed in (ISO 8601, UTC); null: never.",
  token: "Token from the mailed link.",
  authorization_url: "Address of the provider to send the browser to.",
  redirect_uri: "Address of the client that gets the result.",
  scope: "Data that the figures cover.",
  state: "Value that the client gets back unchanged.",
  requests: "Number of requests.",
  memories_created: "Number of stored memories.",
  plan: "Plan, which sets the rate limits.",
  successful_requests: "Requests that succeeded.",
  failed_requests: "Requests that failed.",

  // Compression and tiers
  error_rate: "Share of failures above which an alert is raised, 0 to 1.",
  reduction_percentage: "Share of tokens saved, in percent.",
  fallbacks: "Texts that the built-in rules read in place of a model.",
  input_tokens: "Tokens sent to models.",
  output_tokens: "Tokens received from models.",
  policy: "How early memories move to colder tiers.",
  pending: "Planned moves that wait for the next sweep.",
  queue: "Queue that holds the job.",
  queues: "State of each queue.",
  waiting: "Messages that wait; null if unknown.",
  in_flight: "Messages in work; null if unknown.",
  delayed: "Messages that wait for their time; null if unknown.",
  dead_letters: "Messages that no worker could process.",

  // Administration
  uptime_seconds: "Seconds since the process started.",
  components: "Parts of the service.",
};

/** Descriptions of fields whose names say what they hold, if `FIELDS` has none; `$1` is that part of the name. */
const PATTERNS: readonly (readonly [name: RegExp, text: string])[] = [
  [/^(\w+ed)_at$/, "When it was $1 (ISO 8601, UTC)."],
  [/^total_(\w+)$/, "Number of $1."],
  [/^(executions|chains|reviews|groups|sources|connections|webhooks)$/, "The $1, newest first."],
  [/^(users|invites|organizations|jobs|backups)$/, "The $1, newest first."],
  [/^(\w+)_count$/, "Number of $1s."],
  [/^include_(\w+)$/, "Return the $1."],
  [/^avg_(\w+_time)_ms$/, "Mean $1 in milliseconds; null without measurements."],
  [/^p50_(\w+_time)_ms$/, "Median $1 in milliseconds; null without measurements."],
  [/^p95_(\w+_time)_ms$/, "95th percentile of the $1 in milliseconds; null without measurements."],
];

const KIND_WORDS: { readonly [kind in IdKind]?: string } = {
  apiKey: "API key",
  deadLetter: "dead letter",
  event: "job",
  invite: "invitation",
};

/** The description of an id of a kind of resource. */
export function idWords(kind: IdKind): string {
  return `Id of the ${KIND_WORDS[kind] ?? kind}, such as \`${derivedId(kind, "…")}\`.`;
}

/** What a field's name alone says; undefined if that is not enough. */
export function nameWords(name: string): string | undefined {
  const kind = name.endsWith("_id") ? kindOf(name) : undefined;
  if (kind !== undefined) return idWords(kind);
  const [pattern, text = ""] = PATTERNS.find(([each]) => each.test(name)) ?? [];
  return pattern && name.replace(pattern, text).replaceAll("_", " ");
}

/** Descriptions of schemas that fields refer to. */
export const SCHEMAS: Record<string, string> = {
  ActivationFilters: "Conditions on the memories at the start and on those activated from them.",
  CreateOptions: "How to process the text; the defaults are the stored settings.",
  DeletionFilter: "Conditions that a memory must meet, all of them; at least one.",
  ExportFilters: "Conditions that a memory must meet, all of them; none: all memories.",
  Meta: "Request id and processing time.",
  Pagination: "The page of the list that this answer holds.",
  Processing: "How the text was read.",
  SearchFilters: "Conditions that a memory must meet, all of them.",
  SpreadingParameters: "How activation spreads.",
  Suggested: "Suggested labels; no filter, list or count uses them.",
  User: "A user of the organization.",
  CompatEventKind: "Kind of job.",
};

/** Descriptions of path parameters by `segment/name`, with the preceding path segment, or by name; not of most ids. */
export const PATH_PARAMETERS: Record<string, string> = {
  "entities/entity_type": "Kind of owner: `user`, `agent`, `app` or `run`.",
  entity_name: "Name of the owner.",
  "connections/provider": `Kind of provider to connect: ${PROVIDERS.join(", ")}.`,
  provider: "Sign-in provider: `google` or `github`.",
  file: "Name of a view of the console, or of a file that it loads.",
  section: "Section of the console, such as `settings`.",
  view: "Name of a view of the section.",
  "grants/id": "Id of the grant.",
  "docs/file": "Name of the page, such as `recall.md`; `GET /llms.txt` lists all.",
  project_id: "Id of the project, which is that of the organization.",
  user_id: "User, agent or entity whose profile it is, as `type` says.",
};
