import { setImmediate as nextTurn } from "node:timers/promises";
import { inBatches } from "../kernel/parallel.ts";
import { runRule } from "../models/built-in-model.ts";
import { fromItem, toItem } from "../platform/item.ts";
import type { LanguageAnswer, LanguageTask, RecordKey, RecordStore, TaskLimits, Write } from "../platform/ports.ts";
import { bucketOf, percentile } from "../stats/histogram.ts";
import { collectionOf, ttlOf } from "./records.ts";
import { isSure, polarityOfSentiment, type Sentiment, sentimentOf, sentimentTask } from "./sentiment.ts";
import type { Session, SessionMessage } from "./session.ts";
import { topicsTask } from "./topic-task.ts";

/** Mean polarity, -1..1, of `count` messages from an instant (ISO) on. */
interface TimelinePoint {
  at: string;
  sum: number;
  count: number;
}

/**
 * What a session's messages come to, up to one of them: read on with the messages since, each message is looked at once
 * however often it is asked for. Small: nothing in it grows without bound.
 */
export interface Digest {
  /** Position of the newest message that is in it. */
  through: number;
  first_message_at?: string;
  characters: number;
  /** Of the messages as JSON, in UTF-8. */
  bytes: number;
  /** Users' messages that were answered right away, and how long that took in all. */
  responses: number;
  response_ms: number;
  /** The longest of these times, longest first; and all of them in a histogram. */
  slowest: number[];
  histogram: Record<string, number>;
  /** What was talked about, by its name in lower case, and how much. */
  topics: { name: string; weight: number }[];
  /** Users' messages per point; doubles when there are too many points. */
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

/** The 95th percentile of up to twenty times as many is exact. */
const MOST_SLOWEST = 1_000;
const MOST_TOPICS = 100;
/** Points of a timeline; each stands for as many messages as keep it within this. */
export const MOST_POINTS = 100;
/** Messages that a model judges, or the rules read for topics, at a time. */
const CHUNK = 50;
const TOPICS_A_CHUNK = 30;
/** Messages that one reading looks for topics in: of more an even sample. */
const MOST_READ_FOR_TOPICS = 1_000;

/** How a digest goes on: whom to ask, until when (of `performance.now()`; the rules judge the rest), and how many are to be read. */
export interface Reading {
  ask<Input, Output>(
    task: LanguageTask<Input, Output>,
    input: Input,
    limits: TaskLimits,
  ): Promise<LanguageAnswer<Output>>;
  deadline: number;
  /** Organization that it is read for. */
  org: string;
  unread: number;
}

/** The digest with messages (in order, each with its session's next position) that are not in it yet; others get their turn meanwhile. */
export async function readOn(before: Digest, messages: SessionMessage[], reading: Reading): Promise<Digest> {
  let digest = before;
  const every = Math.max(1, Math.ceil(reading.unread / MOST_READ_FOR_TOPICS));
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
  // A model may have lost count.
  return sentiments.length === messages.length
    ? sentiments
    : (await runRule(sentimentTask, question, reading.org)).sentiments;
}

async function findTopics(messages: SessionMessage[], reading: Reading): Promise<Digest["topics"]> {
  return (await askInTime(reading, topicsTask, { messages, most: TOPICS_A_CHUNK })).topics;
}

async function askInTime<Input, Output>(
  { ask, deadline, org }: Reading,
  task: LanguageTask<Input, Output>,
  input: Input,
): Promise<Output> {
  const timeoutMs = deadline - performance.now();
  return timeoutMs > 0 ? (await ask(task, input, { timeoutMs })).value : runRule(task, input, org);
}

function withChunk(
  before: Digest,
  messages: SessionMessage[],
  sentiments: Sentiment[],
  topics: Digest["topics"],
): Digest {
  const times = messages.flatMap(({ response_ms }) => response_ms ?? []);
  const histogram = { ...before.histogram };
  for (const time of times) histogram[bucketOf(time)] = (histogram[bucketOf(time)] ?? 0) + 1;
  const users = messages.filter(isUsers);
  const points = sentiments.flatMap((each, place) => {
    const at = users[place]?.created_at ?? "";
    return isSure(each) ? { at, sum: polarityOfSentiment(each), count: 1 } : [];
  });
  return {
    through: messages.at(-1)?.position ?? before.through,
    first_message_at: before.first_message_at ?? messages[0]?.created_at,
    characters: before.characters + messages.reduce((sum, { content }) => sum + content.length, 0),
    bytes: before.bytes + messages.reduce((sum, message) => sum + Buffer.byteLength(JSON.stringify(message)), 0),
    responses: before.responses + times.length,
    response_ms: before.response_ms + times.reduce((sum, time) => sum + time, 0),
    slowest: [...before.slowest, ...times].sort((one, other) => other - one).slice(0, MOST_SLOWEST),
    histogram,
    topics: mergedTopics(before.topics, topics),
    ...withPoints(before, points),
  };
}

/** The weightiest of both, a topic that is spelled in two ways once. */
function mergedTopics(one: Digest["topics"], other: Digest["topics"]): Digest["topics"] {
  const weights = new Map(one.map((topic) => [topic.name.toLowerCase(), topic]));
  for (const { name, weight } of other) {
    const key = name.toLowerCase();
    const known = weights.get(key);
    weights.set(key, { name: known?.name ?? name, weight: (known?.weight ?? 0) + weight });
  }
  return [...weights.values()].sort((a, b) => b.weight - a.weight).slice(0, MOST_TOPICS);
}

/** Messages fill a point after the other; when there are too many points, each takes in the next and as many messages again. */
function withPoints(
  before: Pick<Digest, "messages_per_point" | "timeline">,
  messages: TimelinePoint[],
): Pick<Digest, "messages_per_point" | "timeline"> {
  let { messages_per_point } = before;
  let timeline = [...before.timeline];
  for (const message of messages) {
    const last = timeline.at(-1);
    if (last && last.count < messages_per_point) timeline[timeline.length - 1] = joined(last, message);
    else timeline.push(message);
    if (timeline.length <= MOST_POINTS) continue;
    messages_per_point *= 2;
    timeline = inPairs(timeline);
  }
  return { messages_per_point, timeline };
}

function joined(one: TimelinePoint, other: TimelinePoint): TimelinePoint {
  return { at: one.at, sum: one.sum + other.sum, count: one.count + other.count };
}

function inPairs(points: TimelinePoint[]): TimelinePoint[] {
  return points.flatMap((point, place) => {
    const next = points[place + 1];
    if (place % 2 === 1) return [];
    return next === undefined ? point : joined(point, next);
  });
}

// ---------------------------------------------------------------- what it tells

/** The 95th percentile of the response times (nearest rank): exact up to 20,000 of them, then up to 9.1 % above; null where there is none. */
export function slowResponse({ responses, slowest, histogram }: Digest): number | null {
  if (responses === 0) return null;
  const fromTop = responses - Math.ceil(0.95 * responses);
  return slowest[fromTop] ?? percentile(histogram, 0.95);
}

export interface MoodOfSession {
  overall: Sentiment;
  timeline: (Sentiment & { timestamp: string })[];
}

/** Of the users' messages whose mood is sure; where there is none, neutral. */
export function moodOf({ timeline }: Digest): MoodOfSession {
  const sum = timeline.reduce((total, point) => total + point.sum, 0);
  const count = timeline.reduce((total, point) => total + point.count, 0);
  return {
    overall: sentimentOf(count === 0 ? 0 : sum / count),
    timeline: timeline.map((point) => ({ timestamp: point.at, ...sentimentOf(point.sum / point.count) })),
  };
}

// ---------------------------------------------------------------- its record

const digestKey = (org: string, id: string): RecordKey => ({ pk: collectionOf(org, id), sk: "digest" });

/** The digest as far as it was kept; of a session that nobody has asked about, an empty one. */
export async function findDigest(records: RecordStore, org: string, id: string): Promise<Digest> {
  const record = await records.get(digestKey(org, id));
  return record ? fromItem<Digest>(record) : NOTHING_READ;
}

/** Keeps a digest, refused when it was read further since `before`. */
export function replaceDigest(session: Session, before: Digest, after: Digest): Write {
  const { org, id } = session;
  const put = toItem(digestKey(org, id), "session_digest", after, { ttl: ttlOf(session) });
  return { put, condition: before.through === 0 ? "absent" : { through: before.through } };
}
