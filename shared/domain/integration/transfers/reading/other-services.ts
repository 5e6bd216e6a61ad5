import * as z from "zod";
import { sha256 } from "../../../../kernel/digest.ts";
import { toEventTime } from "../../../../kernel/event-time.ts";
import { isObject } from "../../../../kernel/objects.ts";
import { damagedRow, type ImportEntry } from "./entry.ts";

/** Text of a field that other services may leave out. */
const optional = z.string().nullish();
const times = { created_at: optional, updated_at: optional };

/** What a service stores, as one kind of JSON object. */
interface Shape {
  isOne(value: Record<string, unknown>): boolean;
  read(value: Record<string, unknown>): ImportEntry[];
}

/** A shape with the fields that it needs; another object of this kind is refused by the name of the field. */
function shapeOf<Schema extends z.ZodType>(
  what: string,
  isOne: Shape["isOne"],
  schema: Schema,
  read: (value: z.output<Schema>) => ImportEntry[],
): Shape {
  return {
    isOne,
    read: (value) => {
      const { success, data, error } = schema.safeParse(value);
      if (success) return read(data);
      const [issue] = error.issues;
      return [damagedRow(`is no ${what}: ${issue?.path.join(".")} ${issue?.message}`)];
    },
  };
}

const has = (value: Record<string, unknown>, ...names: string[]) => names.every((name) => name in value);

/** The row of a memory. Its id is derived from where it comes from, so that it is stored once. */
export function foreignRow(
  service: string,
  identity: unknown[],
  { content, created_at, updated_at, ...fields }: Record<string, unknown> & { content: string },
): ImportEntry {
  const { metadata = {}, ...others } = fields;
  const times = { created_at: timeOf(created_at), updated_at: timeOf(updated_at) };
  const given = Object.entries({ ...others, ...times }).filter(([, value]) => value !== undefined && value !== null);
  const row = {
    ...{ id: `${service}:${sha256(JSON.stringify(identity))}`, content },
    ...Object.fromEntries(given),
    metadata: { imported_from: service, ...withoutEmpty(metadata as object) },
  };
  return { row };
}

function timeOf(value: unknown): string | undefined {
  return typeof value === "string" ? toEventTime(value) : undefined;
}

function withoutEmpty(fields: object): object {
  const isEmpty = (value: unknown) =>
    value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)));
}

// ---------------------------------------------------------------- the reference server of MCP

const McpEntity = z.object({ name: z.string(), entityType: z.string(), observations: z.array(z.string()) });
const McpRelation = z.object({ from: z.string(), to: z.string(), relationType: z.string() });
const MCP = "mcp-memory";

function readMcpEntity({ name, entityType, observations }: z.output<typeof McpEntity>): ImportEntry[] {
  if (observations.length === 0)
    return [damagedRow(`has no observations about ${name}, so there is nothing to remember`)];
  return observations.map((observation) => {
    const content = observation.includes(name) ? observation : `${name}: ${observation}`;
    return foreignRow(MCP, [name, observation], { content, entities: [{ name, type: entityType }] });
  });
}

function readMcpRelation({ from, to, relationType }: z.output<typeof McpRelation>): ImportEntry[] {
  const content = `${from} ${relationType.replaceAll("_", " ")} ${to}`;
  return [foreignRow(MCP, [from, relationType, to], { content })];
}

// ---------------------------------------------------------------- Zep, supermemory, Letta, LangGraph

/** Zep names the user in the address of a list; `memory migrate` adds it to each row. */
const zepUser = { user_id: optional };
const ZepFact = z.object({
  ...zepUser,
  uuid: z.string(),
  fact: z.string(),
  name: optional,
  valid_at: optional,
  invalid_at: optional,
  expired_at: optional,
  ...times,
});
const ZepNode = z.object({ ...zepUser, uuid: z.string(), name: z.string(), summary: z.string(), ...times });
const SupermemoryDocument = z.object({
  id: z.string(),
  title: optional,
  content: optional,
  memory: optional,
  summary: optional,
  url: optional,
  containerTags: z.array(z.string()).nullish(),
  createdAt: optional,
  updatedAt: optional,
});
const LettaPassage = z.object({ id: z.string(), text: z.string(), tags: z.array(z.string()).nullish(), ...times });
const LettaBlock = z.object({ id: optional, label: z.string(), value: z.string(), ...times });
const LangGraphItem = z.object({
  namespace: z.array(z.string()),
  key: z.string(),
  value: z.record(z.string(), z.unknown()),
  ...times,
});
/** Members of a LangGraph value that hold its text. */
const TEXT_MEMBERS = ["content", "text", "memory", "data"];

function readZepFact({
  uuid,
  user_id,
  fact,
  name,
  valid_at,
  invalid_at,
  expired_at,
  created_at,
}: z.output<typeof ZepFact>): ImportEntry[] {
  const ended = invalid_at ?? expired_at;
  if (ended) return [damagedRow(`is a fact that ended at ${ended}; only facts that hold are imported`)];
  return [
    foreignRow("zep", [uuid], {
      content: fact,
      user_id,
      created_at,
      occurred_at: timeOf(valid_at),
      metadata: { relation: name },
    }),
  ];
}

function readZepNode({ uuid, user_id, name, summary, created_at }: z.output<typeof ZepNode>): ImportEntry[] {
  if (summary.trim() === "") return [damagedRow(`is the node ${name} without a summary`)];
  return [
    foreignRow("zep", [uuid], {
      content: summary.includes(name) ? summary : `${name}: ${summary}`,
      user_id,
      created_at,
    }),
  ];
}

function readSupermemory(document: z.output<typeof SupermemoryDocument>): ImportEntry[] {
  const { id, title, url, containerTags, createdAt: created_at, updatedAt: updated_at } = document;
  const content = [document.memory, document.content, document.summary].find((text) => text && text.trim() !== "");
  if (!content) return [damagedRow("has neither content nor a summary")];
  const metadata = { title, url, container_tags: containerTags };
  return [foreignRow("supermemory", [id], { content, created_at, updated_at, metadata })];
}

function readLettaBlock({ id, label, value, created_at, updated_at }: z.output<typeof LettaBlock>): ImportEntry[] {
  if (value.trim() === "") return [damagedRow(`is the block ${label} without text`)];
  return [
    foreignRow("letta", [id ?? label, value], { content: value, created_at, updated_at, metadata: { block: label } }),
  ];
}

function readLangGraph({
  namespace,
  key,
  value,
  created_at,
  updated_at,
}: z.output<typeof LangGraphItem>): ImportEntry[] {
  const text = TEXT_MEMBERS.map((name) => value[name]).find(
    (member) => typeof member === "string" && member.trim() !== "",
  );
  const content = typeof text === "string" ? text : JSON.stringify(value);
  return [
    foreignRow("langgraph", [namespace, key], {
      content,
      created_at,
      updated_at,
      metadata: { namespace: namespace.join("/"), key },
    }),
  ];
}

// ---------------------------------------------------------------- Claude beside its conversations

const ClaudeProject = z.object({
  uuid: z.string(),
  name: z.string(),
  description: optional,
  prompt_template: optional,
  created_at: optional,
  docs: z.array(z.object({ uuid: optional, filename: optional, content: z.string(), created_at: optional })).nullish(),
});
const ClaudeMemories = z.object({
  conversations_memory: optional,
  project_memories: z.record(z.string(), z.string()).nullish(),
});

/** The texts of a project are those of documents: not the person's own words. */
function readClaudeProject({
  uuid,
  name,
  description,
  prompt_template,
  created_at,
  docs,
}: z.output<typeof ClaudeProject>): ImportEntry[] {
  const texts = [
    { content: description, kind: "description" },
    { content: prompt_template, kind: "instructions" },
    ...(docs ?? []).map((document) => ({ ...document, kind: document.filename ?? "document" })),
  ];
  const entries = texts.flatMap(({ content, kind, ...document }) => {
    if (!content || content.trim() === "") return [];
    const at = "created_at" in document ? (document.created_at ?? created_at) : created_at;
    return [
      foreignRow("claude", [uuid, kind, content], {
        content,
        created_at: at,
        speaker: kind,
        metadata: { project: name, document: kind },
      }),
    ];
  });
  return entries.length === 0 ? [damagedRow(`is the project ${name} without texts`)] : entries;
}

/** What Claude wrote down about a person, a paragraph each. */
function readClaudeMemories({
  conversations_memory,
  project_memories,
}: z.output<typeof ClaudeMemories>): ImportEntry[] {
  const texts = [["", conversations_memory ?? ""], ...Object.entries(project_memories ?? {})] as const;
  const entries = texts.flatMap(([project, text]) =>
    text.split(/\n{2,}/).flatMap((paragraph) => {
      const content = paragraph.trim();
      if (content === "" || /^(?:#{1,6} .*|\*\*[^*]*\*\*)$/.test(content)) return [];
      return [
        foreignRow("claude", ["memories", project, content], { content, speaker: "Claude", metadata: { project } }),
      ];
    }),
  );
  return entries.length === 0 ? [damagedRow("has no memories of Claude's")] : entries;
}

const SHAPES: readonly Shape[] = [
  shapeOf(
    "entity of MCP's memory server",
    (v) => v.type === "entity" && has(v, "entityType"),
    McpEntity,
    readMcpEntity,
  ),
  shapeOf(
    "relation of MCP's memory server",
    (v) => v.type === "relation" && has(v, "relationType"),
    McpRelation,
    readMcpRelation,
  ),
  shapeOf("fact of Zep", (v) => has(v, "uuid", "fact"), ZepFact, readZepFact),
  shapeOf("node of Zep", (v) => has(v, "uuid", "name", "summary") && !has(v, "docs"), ZepNode, readZepNode),
  shapeOf(
    "document of supermemory",
    (v) => has(v, "id", "createdAt") && ["content", "memory", "summary"].some((name) => name in v),
    SupermemoryDocument,
    readSupermemory,
  ),
  shapeOf(
    "passage of Letta",
    (v) => has(v, "id", "text") && !has(v, "content"),
    LettaPassage,
    ({ id, text, tags, created_at }) => [foreignRow("letta", [id], { content: text, created_at, metadata: { tags } })],
  ),
  shapeOf("block of Letta", (v) => has(v, "label", "value"), LettaBlock, readLettaBlock),
  shapeOf("item of a LangGraph store", (v) => has(v, "namespace", "key", "value"), LangGraphItem, readLangGraph),
  shapeOf("project of Claude's", (v) => has(v, "uuid", "docs", "prompt_template"), ClaudeProject, readClaudeProject),
  shapeOf(
    "memory of Claude's",
    (v) => has(v, "conversations_memory") || has(v, "project_memories"),
    ClaudeMemories,
    readClaudeMemories,
  ),
];

/** The rows of an object that another service stores or exports; undefined for other values. */
export function rowsOfOtherService(value: unknown): ImportEntry[] | undefined {
  if (!isObject(value)) return undefined;
  return SHAPES.find(({ isOne }) => isOne(value))?.read(value);
}

/** Whether a JSON value is an object of another service that becomes rows of its own. */
export function isOfOtherService(value: unknown): boolean {
  return isObject(value) && SHAPES.some(({ isOne }) => isOne(value));
}
