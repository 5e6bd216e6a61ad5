import * as z from "zod";
import { CORRECTABLE, DECISIONS } from "../../shared/domain/memory/facts/decisions.ts";
import { MAX_NAME_LENGTH } from "../../shared/domain/memory/facts/records.ts";
import { correctionFields, Fact } from "../../shared/domain/memory/facts/wire.ts";
import { PATTERN_TYPES } from "../../shared/domain/patterns/pattern.ts";
import { PATTERN_STATES } from "../../shared/domain/patterns/read-patterns.ts";
import { Observed, Pattern } from "../../shared/domain/patterns/wire.ts";
import { FACT_STATES, USER } from "../../shared/language/slots/fact.ts";
import {
  filledText,
  inQuery,
  label,
  moment,
  Pagination,
  page,
  pageWithCursor,
  storedUserId,
} from "../../shared/runtime/schemas/fields.ts";
import { MAX_FOCUS_LENGTH, MAX_GRAPH_FACTS, MAX_NODES, NODE_KINDS } from "./graph.ts";

export { Fact, Pattern };

const name = filledText(MAX_NAME_LENGTH);

export const ListFacts = z.object({
  user_id: label.optional(),
  subject: name.optional(),
  attribute: name.optional(),
  status: z.enum(FACT_STATES).optional(),
  as_of: moment.optional().describe("Facts that were true at this time, as known now."),
  memory_id: z.string().optional().describe("Facts that this memory states."),
  entity_id: z.string().optional().describe("Facts whose subject or value names this entity, newest memory first."),
  ...pageWithCursor(20, 100),
});

export const FactList = z.object({ facts: z.array(Fact), pagination: Pagination });

export const ReadGraph = z.object({
  user_id: label.describe("The user whose facts are shown."),
  focus: filledText(MAX_FOCUS_LENGTH)
    .optional()
    .describe("The node in the middle: an entity, or the id of a node of an earlier answer. The default is the user."),
  depth: inQuery(z.int().min(1).max(4)).default(2).describe("The most edges between the focus and a node."),
  limit: inQuery(z.int().min(1).max(MAX_NODES)).default(100).describe("The most nodes, by relevance."),
  as_of: moment.optional().describe("Only facts that were true at this time, as known now."),
});

const nodeId = z.string().meta({ examples: ["name:berlin"] });
const userNode = z.string().meta({ examples: [USER] });

const GraphNode = z.object({
  id: nodeId.describe("`user`, or the name in one spelling."),
  name: z.string().meta({ examples: ["Berlin"] }),
  kind: z.enum(NODE_KINDS).describe("`user`, the type of the entity, or `value` if it is no entity."),
  entity_id: z.string().optional().describe("The entity with this name."),
  depth: z.int().describe("The number of edges between it and the focus."),
  relevance: z.number().describe("Its share of the facts of the focus: more for current, certain and near ones."),
});

const GraphEdge = Fact.pick({
  attribute: true,
  status: true,
  valid_from: true,
  valid_to: true,
  observed_at: true,
  confidence: true,
  memory_id: true,
}).extend({
  fact_id: z.string().describe("The fact, or the latest one if several state the same."),
  source: userNode.describe("The node that the fact is about."),
  target: nodeId.describe("The node of its value."),
  verb: z
    .string()
    .meta({ examples: ["lives in"] })
    .describe("The property in words."),
  former: z.boolean().describe("Whether it no longer holds."),
  statements: z.int().describe("The number of facts that state it."),
});

export const Graph = z.object({
  user_id: z.string(),
  focus: userNode.describe("The id of the node in the middle."),
  nodes: z.array(GraphNode).describe("Most relevant first, the focus before all. Dates are no nodes."),
  edges: z.array(GraphEdge).describe("The facts between the shown nodes."),
  left_out: z
    .object({
      nodes: z.int().describe("The number of nodes within `depth` that are less relevant than the shown ones."),
      facts: z
        .int()
        .describe(`The number of the user's facts beyond the first ${MAX_GRAPH_FACTS}, which are not read.`),
    })
    .describe("What is not shown."),
});

/** A fact with its decisions, and all facts of its slot in order. */
export const FactWithHistory = Fact.extend({
  decisions: z.array(
    z.object({
      action: z.enum(DECISIONS),
      by: z.string(),
      at: z.string(),
      before: z.partialRecord(z.enum(CORRECTABLE), z.string()).optional(),
    }),
  ),
  history: z.array(Fact),
});

export const CorrectFact = z
  .object(correctionFields)
  .refine(
    (given) => Object.values(given).some((value) => value !== undefined),
    `give ${CORRECTABLE.slice(0, -1).join(", ")} or ${CORRECTABLE.at(-1)}`,
  );

export const ListPatterns = z.object({
  user_id: storedUserId,
  type: z.enum(PATTERN_TYPES).optional(),
  status: z.enum(PATTERN_STATES).default("active"),
  ...page(20, 100),
});

export const PatternList = z.object({
  patterns: z.array(Pattern).describe("Strongest first."),
  observed: Observed.optional(),
  pagination: Pagination,
});

export const FindPatterns = z.object({ user_id: storedUserId });

export const FindingPatterns = z.object({ user_id: z.string(), job_id: z.string(), status: z.literal("finding") });
