import { setImmediate as nextTurn } from "node:timers/promises";
import { inBatches } from "../../kernel/parallel.ts";
import { fromItem, toItem } from "../../ports/item.ts";
import type { LanguageAnswer, LanguageTask, TaskLimits } from "../../ports/language-model.ts";
import type { RecordKey, RecordStore, Write } from "../../ports/record-store.ts";
import { bucketOf, percentile } from "../../runtime/stats/histogram.ts";
import { runRule } from "../models/built-in-model.ts";
import { collectionOf, ttlOf } from "./records.ts";
import { isSure, polarityOfSentiment, type Sentiment, sentimentOf, sentimentTask } from "./sentiment.ts";
import type { Session, SessionMessage } from "./session.ts";
import { topicsTask } from "./topics.ts";

/** Mean polarity, -1..1, of `count` messages from an instant (ISO 8601) on. */
interface TimelinePoint {
  at: string;
  sum: number;
  count: number;
}

/** Aggregates of a session's messages up to a position, extended with later ones; bounded in size. */
export interface Digest {
  /** Position of the newest processed message. */
  through: number;
  first_message_at?: string;
  characters: number;
  /** Size of the messages as JSON in UTF-8. */
  bytes: number;
  /** User messages that were answered directly, and the total response time. */
  responses: number;
  response_ms: number;
  /** The longest response times, in milliseconds, in descending order. */
  slowest: number[];
  /** Of all response times. */
  histogram: Record<string, number>;
  /** The heaviest topics first; names that differ only in case are one topic. */
  topics: { name: string; weight: number }[];
  /** User messages per point; doubles when there are too many points. */
  messages_per_point: number;
  timeline: TimelinePoint[];
}

const NOTHING_READ: Digest = {
  through: 0,
  characters: 0,
  bytes: 0,
  responses: 0,
  response_ms: 0,
  slowest: [],
  histogram: {},
  topics: [],
  messages_per_point: 1,
  timeline: [],
};

/** Maximum number of the longest response times: the 95th percentile is exact for up to twenty times as many. */
const MAX_SLOWEST = 1_000;
const MAX_TOPICS = 100;
/** Maximum points of a timeline; each point covers enough messages to stay within it. */
export const MAX_POINTS = 100;
/** Messages per call of the model, or of the rules for topics. */
const CHUNK = 50;
const TOPICS_PER_CHUNK = 30;
/** Maximum messages searched for topics per reading; of more messages, an even sample is searched. */
const MAX_READ_FOR_TOPICS = 1_000;

/** How to extend a digest. */
export interface Reading {
  ask<Input, Output>(
    task: LanguageTask<Input, Output>,
    input: Input,
    limits: TaskLimits,
  ): Promise<LanguageAnswer<Output>>;
  /** In milliseconds of `performance.now()`; from then on the built-in rules replace the model. */
  deadline: number;
  org: string;
  /** Number of messages that the digest lacks. */
  unread: number;
}

/** Returns the digest extended with the next messages, which are in order and without gaps. Yields to other work. */
export async function readOn(before: Digest, messages: SessionMessage[], reading: Reading): Promise<Digest> {
  let digest = before;
  const every = Math.max(1, Math.ceil(reading.unread / MAX_READ_FOR_TOPICS));
  for (const chunk of inBatches(messages, CHUNK)) {
    const isSampled = Math.floor((chunk[0]?.position ?? 0) / CHUNK) % every === 0;
    const [sentiments, topics] = await Promise.all([
      judge(chunk.filter(isUsers), reading),
      isSampled ? findTopics(chunk, reading) : [],
    ]);
    digest = withChunk(digest, chunk, sentiments, topics);
    await nextTurn();
  }
  return digest;
}

function isUsers({ role }: SessionMessage): boolean {
  return role === "user";
}

async function judge(messages: SessionMessage[], reading: Reading): Promise<Sentiment[]> {
  if (messages.length === 0) return [];
  const question = { texts: messages.map(({ content }) => content) };
  const { sentiments } = await askInTime(reading, sentimentTask, question);
  // A model may miscount.
  return sentiments.length === messages.length
    ? sentiments
    : (await runRule(sentimentTask, question, reading.org)).sentiments;
}

async function findTopics(messages: SessionMessage[], reading: Reading): Promise<Digest["topics"]> {
  return (await askInTime(reading, topicsTask, { messages, most: TOPICS_PER_CHUNK })).topics;
}

async function askInTime<Input, Output>(
  { ask, deadline, org }: Reading,
  task: LanguageTask<Input, Output>,
  input: Input,
): Promise<Output> {
  const timeoutMs = deadline - performance.now();
  return timeoutMs > 0 ? (await ask(task, input, { timeoutMs })).value : runRule(task, input, org);
}

function withChunk(before: Digest, messages: SessionMessage[], sentiments: Sentiment[], topics: Digest["topics"]) {
  const times = messages.flatMap(({ response_ms }) => response_ms ?? []);
  const histogram = { ...before.histogram };
  for (const time of times) histogram[bucketOf(time)] = (histogram[bucketOf(time)] ?? 0) + 1;
  const users = messages.filter(isUsers);
  const points = sentiments.flatMap((sentiment, index) => {
    const at = users[index]?.created_at ?? "";
    return isSure(sentiment) ? { at, sum: polarityOfSentiment(sentiment), count: 1 } : [];
  });
  return {
    through: messages.at(-1)?.position ?? before.through,
    first_message_at: before.first_message_at ?? messages[0]?.created_at,
    characters: before.characters + messages.reduce((sum, { content }) => sum + content.length, 0),
    bytes: before.bytes + messages.reduce((sum, message) => sum + Buffer.byteLength(JSON.stringify(message)), 0),
    responses: before.responses + times.length,
    response_ms: before.response_ms + times.reduce((sum, time) => sum + time, 0),
    slowest: [...before.slowest, ...times].sort((one, other) => other - one).slice(0, MAX_SLOWEST),
    histogram,
    topics: mergedTopics(before.topics, topics),
    ...withPoints(before, points),
  };
}

/** Returns the heaviest topics of both lists; merges names that differ only in case. */
function mergedTopics(one: Digest["topics"], other: Digest["topics"]): Digest["topics"] {
  const weights = new Map(one.map((topic) => [topic.name.toLowerCase(), topic]));
  for (const { name, weight } of other) {
    const key = name.toLowerCase();
    const known = weights.get(key);
    weights.set(key, { name: known?.name ?? name, weight: (known?.weight ?? 0) + weight });
  }
  return [...weights.values()].sort((a, b) => b.weight - a.weight).slice(0, MAX_TOPICS);
}

/**
 * Adds messages to the last point until it is full; when there are too many points, pairs merge and the size doubles.
 */
function withPoints(before: Pick<Digest, "messages_per_point" | "timeline">, messages: TimelinePoint[]) {
  let { messages_per_point } = before;
  let timeline = [...before.timeline];
  for (const message of messages) {
    const last = timeline.at(-1);
    if (last && last.count < messages_per_point) timeline[timeline.length - 1] = joined(last, message);
    else timeline.push(message);
    if (timeline.length <= MAX_POINTS) continue;
    messages_per_point *= 2;
    timeline = inPairs(timeline);
  }
  return { messages_per_point, timeline };
}

function joined(one: TimelinePoint, other: TimelinePoint): TimelinePoint {
  return { at: one.at, sum: one.sum + other.sum, count: one.count + other.count };
}

function inPairs(points: TimelinePoint[]): TimelinePoint[] {
  return points.flatMap((point, index) => {
    const next = points[index + 1];
    if (index % 2 === 1) return [];
    return next === undefined ? point : joined(point, next);
  });
}

/**
 * Returns the 95th percentile of the response times (nearest rank) in milliseconds: exact for up to 20,000 times,
 * otherwise up to 9.1 % too high; null if there are none.
 */
export function slowResponse({ responses, slowest, histogram }: Digest): number | null {
  if (responses === 0) return null;
  const fromTop = responses - Math.ceil(0.95 * responses);
  return slowest[fromTop] ?? percentile(histogram, 0.95);
}

/**
 * Returns the sentiment of the user messages whose sentiment is certain, in total and over time; neutral without any.
 */
export function moodOf({ timeline }: Digest) {
  const sum = timeline.reduce((total, point) => total + point.sum, 0);
  const count = timeline.reduce((total, point) => total + point.count, 0);
  return {
    overall: sentimentOf(count === 0 ? 0 : sum / count),
    timeline: timeline.map((point) => ({ timestamp: point.at, ...sentimentOf(point.sum / point.count) })),
  };
}

const digestKey = (org: string, id: string): RecordKey => ({ pk: collectionOf(org, id), sk: "digest" });

/** Returns the stored digest, or an empty one if nobody has queried the session yet. */
export async function findDigest(records: RecordStore, org: string, id: string): Promise<Digest> {
  const record = await records.get(digestKey(org, id));
  return record ? fromItem<Digest>(record) : NOTHING_READ;
}

/** Returns the write that stores a digest; refused if the stored one was extended since `before` was read. */
export function replaceDigest(session: Session, before: Digest, after: Digest): Write {
  const { org, id } = session;
  const put = toItem(digestKey(org, id), "session_digest", after, { ttl: ttlOf(session) });
  return { put, condition: before.through === 0 ? "absent" : { through: before.through } };
}
