import { findEntity } from "../../shared/domain/memory/entities.ts";
import type { PlacedFact } from "../../shared/domain/memory/fact-reader.ts";
import { countFacts, eachFact } from "../../shared/domain/memory/list-facts.ts";
import type { Memory } from "../../shared/domain/memory/memory.ts";
import { findMemoryRecords, type MemoryReader } from "../../shared/domain/memory/records.ts";
import { notFound } from "../../shared/kernel/errors.ts";
import { couldBeIssued } from "../../shared/kernel/ids.ts";
import type { Input } from "../../shared/kernel/schema-input.ts";
import { createSlices } from "../../shared/kernel/slices.ts";
import { normalizedName } from "../../shared/kernel/text/normalized-name.ts";
import { annotateDates } from "../../shared/language/dates/annotate.ts";
import { type FactStatus, USER } from "../../shared/language/slots/fact.ts";
import { ENTITY_TYPES } from "../../shared/language/statements/schemas.ts";
import { fromItem } from "../../shared/ports/item.ts";
import { COUNT_CEILING } from "../../shared/ports/listing.ts";
import type * as schemas from "./schemas.ts";

export const MAX_NODES = 300;
/** Facts of a user that are read for a graph; the others are counted. */
export const MAX_GRAPH_FACTS = 3000;
export const MAX_FOCUS_LENGTH = 300;

const ENTITY_KINDS = ENTITY_TYPES.filter((type) => type !== "date");
export const NODE_KINDS = ["user", ...ENTITY_KINDS, "value"] as const;
type NodeKind = (typeof NODE_KINDS)[number];

/** What a fact adds to the relevance of its nodes, for its state; a retracted one was never true and is not shown. */
const WEIGHTS: Partial<Record<FactStatus, number>> = { current: 1, planned: 0.8, superseded: 0.3, past: 0.3 };
/** What is left of a node's relevance with each edge further from the focus. */
const PER_EDGE = 0.5;
/** Longer values are no dates. */
const MAX_DATE_LENGTH = 40;
/** The relation after the name of a relative: "Mia (sister)". */
const RELATION = / \([^()]*\)$/;
/** The user's own names are the name of its node, not a fact about another. */
const NAME = "name";

interface Edge {
  fact: PlacedFact;
  source: string;
  target: string;
  statements: number;
}

interface Node {
  id: string;
  name: string;
  edges: Edge[];
}

interface ShownNode {
  node: Node;
  relevance: number;
}

/** The facts of a user around a focus: nodes are the user and what its facts name, edges are facts. */
export async function factGraph(
  ctx: MemoryReader,
  { user_id, focus, depth, limit, as_of }: Input<typeof schemas.ReadGraph>,
  signal: AbortSignal,
) {
  const moment = as_of === undefined ? {} : { as_of: Date.parse(as_of) };
  const [{ facts, isComplete }, centre] = await Promise.all([
    readFacts(ctx, { user_id, ...moment }, signal),
    focus === undefined ? USER : nodeOfFocus(ctx, focus),
  ]);
  const nextSlice = createSlices({ org: ctx.org });
  const pause = async () => {
    await nextSlice();
    signal.throwIfAborted();
  };
  const all = await graphOf(facts, user_id, pause);
  if (!all.has(centre)) throw notFound("entity", focus ?? centre);
  const near = depthsFrom(all, centre, depth);
  const shown = await mostRelevant(all, near, { centre, limit }, pause);
  const edges = edgesAmong(shown);
  const entities = await entitiesOf(ctx, edges);
  const unread = isComplete ? 0 : (await countFacts(ctx, { user_id }, COUNT_CEILING)) - facts.length;
  return {
    user_id,
    focus: centre,
    nodes: shown.map(({ node, relevance }) => ({
      id: node.id,
      name: node.name,
      ...kindOf(node, entities),
      depth: near.get(node.id) ?? 0,
      relevance,
    })),
    edges: edges.map(presentEdge),
    left_out: { nodes: near.size - shown.length, facts: Math.max(0, unread) },
  };
}

/** The first facts of a user, slot by slot. */
async function readFacts(ctx: MemoryReader, filter: { user_id: string; as_of?: number }, signal: AbortSignal) {
  const facts: PlacedFact[] = [];
  for await (const fact of eachFact(ctx, filter, signal)) {
    if (facts.length === MAX_GRAPH_FACTS) return { facts, isComplete: false };
    facts.push(fact);
  }
  return { facts, isComplete: true };
}

/** The node of an entity, or the id itself if it is that of a node. */
async function nodeOfFocus(ctx: MemoryReader, focus: string): Promise<string> {
  if (!couldBeIssued("entity", focus)) return focus;
  const entity = await findEntity(ctx, focus);
  if (entity === undefined) throw notFound("entity", focus);
  return nodeIdOf(entity.name);
}

/** The id of the node of a name, whose spellings are one node. */
function nodeIdOf(name: string): string {
  return name === USER ? USER : `name:${normalizedName(name)}`;
}

/** Called after each step of a long loop: lets others use the thread, and rejects if nobody waits for the answer. */
type Pause = () => Promise<void>;

/** All nodes by id, each with its edges; the user's node is there even without a fact. */
export async function graphOf(facts: PlacedFact[], user_id: string, pause: Pause): Promise<Map<string, Node>> {
  const nodes = new Map<string, Node>([[USER, { id: USER, name: user_id, edges: [] }]]);
  const edges = new Map<string, Edge>();
  const nodeOf = (text: string): Node => {
    const name = text.replace(RELATION, "");
    const id = nodeIdOf(name);
    const node = nodes.get(id) ?? { id, name, edges: [] };
    nodes.set(id, node);
    return node;
  };
  // The current and the latest of several facts that state the same comes first.
  for (const fact of facts.toSorted((one, other) => weightOf(other) - weightOf(one) || byTime(other, one))) {
    await pause();
    const { subject, attribute, value, status } = fact;
    if (subject === USER && attribute === NAME) {
      const user = nodeOf(USER);
      if (status === "current") user.name = value;
      continue;
    }
    if (WEIGHTS[status] === undefined || normalizedName(value) === "" || isDate(fact)) continue;
    const [source, target] = [nodeOf(subject), nodeOf(value)];
    if (source === target) continue;
    const key = JSON.stringify([source.id, attribute, target.id]);
    const known = edges.get(key);
    if (known !== undefined) {
      known.statements++;
      continue;
    }
    const edge = { fact, source: source.id, target: target.id, statements: 1 };
    edges.set(key, edge);
    source.edges.push(edge);
    target.edges.push(edge);
  }
  return nodes;
}

/** Whether a value is a date or a time: such values are no nodes. */
function isDate({ value, observed_at }: PlacedFact): boolean {
  if (value.length > MAX_DATE_LENGTH) return false;
  const dates = annotateDates(value, { instant: new Date(observed_at) });
  return dates.some(({ start, end }) => end - start > value.length / 2);
}

function byTime(one: PlacedFact, other: PlacedFact): number {
  return Date.parse(one.valid_from) - Date.parse(other.valid_from);
}

function weightOf({ status, confidence }: PlacedFact): number {
  return (WEIGHTS[status] ?? 0) * confidence;
}

/** The number of edges from a node to each node within `max` of them. */
function depthsFrom(all: Map<string, Node>, from: string, max: number): Map<string, number> {
  const depths = new Map([[from, 0]]);
  for (const [id, depth] of depths) {
    if (depth === max) continue;
    for (const other of neighboursOf(all.get(id))) if (!depths.has(other)) depths.set(other, depth + 1);
  }
  return depths;
}

function neighboursOf(node: Node | undefined): string[] {
  return node?.edges.map(({ source, target }) => (source === node.id ? target : source)) ?? [];
}

/** The most relevant nodes, each connected with the focus by shown ones. */
async function mostRelevant(
  all: Map<string, Node>,
  depths: Map<string, number>,
  { centre, limit }: { centre: string; limit: number },
  pause: Pause,
): Promise<ShownNode[]> {
  const strengthOf = (node: Node) => node.edges.reduce((sum, { fact }) => sum + weightOf(fact), 0);
  const near = [...all.values()].filter(({ id }) => id !== centre && depths.has(id));
  const most = Math.max(Number.MIN_VALUE, ...near.map(strengthOf));
  const relevanceOf = (node: Node) => (strengthOf(node) / most) * PER_EDGE ** ((depths.get(node.id) ?? 1) - 1);
  const shown = new Map<string, ShownNode>();
  /** Nodes beside shown ones. */
  const reached = new Map<string, ShownNode>();
  const first = all.get(centre);
  let next: ShownNode | undefined = first && { node: first, relevance: 1 };
  while (next !== undefined && shown.size < limit) {
    await pause();
    shown.set(next.node.id, next);
    reached.delete(next.node.id);
    for (const id of neighboursOf(next.node)) {
      const node = all.get(id);
      if (node && depths.has(id) && !shown.has(id)) reached.set(id, { node, relevance: relevanceOf(node) });
    }
    next = undefined;
    for (const entry of reached.values()) if (entry.relevance > (next?.relevance ?? 0)) next = entry;
  }
  return [...shown.values()];
}

function edgesAmong(shown: ShownNode[]): Edge[] {
  const ids = new Set(shown.map(({ node }) => node.id));
  const edges = new Set(shown.flatMap(({ node }) => node.edges));
  return [...edges].filter(({ source, target }) => ids.has(source) && ids.has(target));
}

/** The entities that have the name of a node, by the node's id, as the memories of the facts mention them. */
async function entitiesOf(ctx: MemoryReader, edges: Edge[]) {
  const ids = [...new Set(edges.map(({ fact }) => fact.memory_id))];
  const memories = ids.length === 0 ? [] : (await findMemoryRecords(ctx, ids)).map(fromItem<Memory>);
  const entities = memories.flatMap((memory) => memory.entities);
  return new Map(entities.map(({ id, name, type }) => [nodeIdOf(name), { id, type }]));
}

function kindOf(
  { id }: Node,
  entities: Awaited<ReturnType<typeof entitiesOf>>,
): { kind: NodeKind; entity_id?: string } {
  if (id === USER) return { kind: "user" };
  const entity = entities.get(id);
  if (entity === undefined) return { kind: "value" };
  return { kind: ENTITY_KINDS.find((kind) => kind === entity.type) ?? "other", entity_id: entity.id };
}

function presentEdge({ fact, source, target, statements }: Edge) {
  const { id, attribute, status, valid_from, valid_to, observed_at, confidence, memory_id } = fact;
  const former = status === "superseded" || status === "past";
  const verb = attribute.replaceAll("_", " ");
  const times = { valid_from, valid_to, observed_at };
  return { fact_id: id, source, target, verb, attribute, status, former, ...times, confidence, memory_id, statements };
}
