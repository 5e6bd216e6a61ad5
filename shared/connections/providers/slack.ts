import { ErrorCode, LogLevel, WebClient } from "@slack/web-api";
import * as z from "zod";
import { sha256 } from "../../kernel/digest.ts";
import type { Json } from "../../platform/ports.ts";
import type { FoundDocument } from "../connection.ts";
import type { SettingsOf } from "../settings.ts";
import { CredentialsRefused, innermost, isFault, ProviderFailed } from "./faults.ts";
import type { Listing, Position, ProviderSession, ReadDocument, SessionTools } from "./provider.ts";
import type { ProviderFetch } from "./requests.ts";

const PAGE = 200;
const DAY_SECONDS = 86_400;
/** Pages of one day of one channel; what is beyond is left out. */
const MOST_PAGES_A_DAY = 25;
/** Errors by which Slack says that a token is no use (its documentation of each method, "Errors"). */
const TOKEN_ERRORS = new Set(["invalid_auth", "not_authed", "token_expired", "token_revoked", "account_inactive"]);
/** A channel that is no more, or that the token's owner is in no longer. */
const CHANNEL_ERRORS = new Set(["channel_not_found", "not_in_channel", "is_archived"]);

const Message = z.object({
  ts: z.string(),
  text: z.string().optional(),
  user: z.string().optional(),
  username: z.string().optional(),
  subtype: z.string().optional(),
  thread_ts: z.string().optional(),
  reply_count: z.number().optional(),
  latest_reply: z.string().optional(),
  edited: z.object({ ts: z.string() }).optional(),
});
type Message = z.infer<typeof Message>;

const Metadata = z.object({ next_cursor: z.string().optional() }).optional();
const History = z.object({ messages: z.array(Message), has_more: z.boolean().optional(), response_metadata: Metadata });
const Channel = z.object({ id: z.string(), name: z.string().optional(), is_member: z.boolean().optional() });
type Channel = z.infer<typeof Channel>;
const Channels = z.object({ channels: z.array(Channel), response_metadata: Metadata });
const Users = z.object({
  members: z.array(
    z.object({
      id: z.string(),
      name: z.string().optional(),
      profile: z.object({ display_name: z.string().optional(), real_name: z.string().optional() }).optional(),
    }),
  ),
  response_metadata: Metadata,
});

/** Joins and leaves are no conversation. */
const SILENT = new Set(["channel_join", "channel_leave", "channel_topic", "channel_purpose", "channel_name"]);

/** Channels that are still to be listed, and from which time (seconds) down the first of them. */
const Place = z.object({
  channels: z.array(z.object({ id: z.string(), name: z.string() })),
  before: z.number().optional(),
  /** When the run began, in seconds. */
  begun: z.number(),
});
type Place = z.infer<typeof Place>;

type Ask = <T>(schema: z.ZodType<T>, method: string, given: Record<string, unknown>) => Promise<T>;
type Settings = SettingsOf<"team_chat">;

/**
 * What was said in the channels of a Slack workspace, a document a day and channel, with the threads that began on it. From
 * the second run on only the last days are looked at again, for answers, changes and deletions.
 */
export function openSlack(settings: Settings, tools: SessionTools, now: number): ProviderSession {
  const client = new WebClient(undefined, {
    slackApiUrl: `${settings.base_url}/`,
    fetch: toSlackFetch(tools.fetch),
    retryConfig: { retries: 0 },
    allowAbsoluteUrls: false,
    logger: SILENT_LOGGER,
  });
  const ask: Ask = async (schema, method, given) => {
    const answer = schema.safeParse(await client.apiCall(method, given).catch(explain));
    if (!answer.success) throw new ProviderFailed(`Slack's answer to ${method} is not what it is documented to be.`);
    return answer.data;
  };
  let names: Promise<Map<string, string>> | undefined;
  return {
    list: (position) => listPart(ask, settings, position, now),
    async read(document) {
      names ??= listUsers(ask);
      return readDay(ask, document, await names);
    },
  };
}

const SILENT_LOGGER = {
  debug() {},
  info() {},
  warn() {},
  error() {},
  setLevel() {},
  getLevel: () => LogLevel.ERROR,
  setName() {},
};

type SlackFetch = NonNullable<NonNullable<ConstructorParameters<typeof WebClient>[1]>["fetch"]>;

/** Calls without files have a text for a body. */
function toSlackFetch(fetch: ProviderFetch): SlackFetch {
  return async (url, { method, headers, body } = {}) => {
    const response = await fetch(url, { method, headers, body });
    return { ...pick(response), headers: response.headers };
  };
}

function pick(response: Response) {
  const { ok, status, statusText, url } = response;
  return {
    ok,
    status,
    statusText,
    url,
    arrayBuffer: () => response.arrayBuffer(),
    json: () => response.json(),
    text: () => response.text(),
  };
}

function explain(error: unknown): never {
  const code = slackError(error);
  if (code !== undefined && TOKEN_ERRORS.has(code)) throw new CredentialsRefused();
  if (code !== undefined && CHANNEL_ERRORS.has(code)) throw new ChannelClosed();
  if (code !== undefined) throw new ProviderFailed(`Slack answers ${code}.`);
  const inner = innermost(error);
  if (isFault(inner)) throw inner;
  throw new ProviderFailed("Slack cannot be asked now.");
}

function slackError(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error) || error.code !== ErrorCode.PlatformError) return undefined;
  return "data" in error ? (error.data as { error?: string }).error : undefined;
}

class ChannelClosed extends Error {}

// ---------------------------------------------------------------- listing

async function listPart(ask: Ask, settings: Settings, { cursor, place }: Position, now: number): Promise<Listing> {
  const known = Place.safeParse(place);
  const at: Place = known.success
    ? known.data
    : { channels: await listChannels(ask, settings), begun: Math.floor(now / 1000) };
  const [channel, ...others] = at.channels;
  if (!channel) return { found: [], cursor: at.begun };
  const since = typeof cursor === "number" ? dayOf(cursor) - settings.lookback_days * DAY_SECONDS : 0;
  const seen = await unlessClosed(listDays(ask, channel.id, since, at.before));
  const { days, below } = seen ?? { days: new Map<number, Message[]>(), below: undefined };
  const found = [...days].map(([day, messages]) => toFound(channel, day, messages));
  // A channel that keeps us out was not looked at: what it had stays.
  const gone = seen && since > 0 ? emptyDays(channel.id, below ?? since, at, days) : [];
  if (below !== undefined) return { found, gone, next: { ...at, before: below } as Json };
  if (others.length === 0) return { found, gone, cursor: at.begun };
  return { found, gone, next: { channels: others, begun: at.begun } as Json };
}

/** Those that were asked for, by id or name; else all that the token's owner is in. */
async function listChannels(ask: Ask, { channels: wanted }: Settings): Promise<Place["channels"]> {
  const all: Channel[] = [];
  let cursor: string | undefined;
  do {
    const page = await ask(Channels, "conversations.list", {
      types: "public_channel,private_channel",
      exclude_archived: true,
      limit: PAGE,
      ...(cursor !== undefined && { cursor }),
    });
    all.push(...page.channels);
    cursor = page.response_metadata?.next_cursor || undefined;
  } while (cursor !== undefined);
  const names = wanted?.map((name) => name.replace(/^#/, ""));
  return all
    .filter(({ id, name = "", is_member }) => (names ? names.includes(id) || names.includes(name) : is_member))
    .map(({ id, name = id }) => ({ id, name }));
}

/**
 * The next days of a channel downwards in time, each of them whole: the last day of a page may go on, so it is left for
 * the next part unless it is all there is of the page. `below`: where that begins; absent at the end.
 */
async function listDays(ask: Ask, channel: string, since: number, before: number | undefined) {
  const days = new Map<number, Message[]>();
  let cursor: string | undefined;
  for (let page = 1; ; page++) {
    const { messages, has_more, response_metadata } = await historyOf(ask, channel, { since, before, cursor });
    for (const message of messages) {
      const day = dayOf(Number(message.ts));
      days.set(day, [...(days.get(day) ?? []), message]);
    }
    cursor = (has_more && response_metadata?.next_cursor) || undefined;
    if (cursor === undefined) return { days, below: undefined };
    const last = Math.min(...days.keys());
    if (days.size > 1) {
      days.delete(last);
      return { days, below: last + DAY_SECONDS };
    }
    if (page === MOST_PAGES_A_DAY) return { days, below: last };
  }
}

function historyOf(
  ask: Ask,
  channel: string,
  { since, before, cursor }: { since: number; before: number | undefined; cursor: string | undefined },
): Promise<z.infer<typeof History>> {
  return ask(History, "conversations.history", {
    channel,
    limit: PAGE,
    oldest: String(since),
    ...(before !== undefined && { latest: String(before) }),
    ...(cursor !== undefined && { cursor }),
  });
}

async function unlessClosed<T>(look: Promise<T>): Promise<T | undefined> {
  try {
    return await look;
  } catch (error) {
    if (error instanceof ChannelClosed) return undefined;
    throw error;
  }
}

function dayOf(seconds: number): number {
  return Math.floor(seconds / DAY_SECONDS) * DAY_SECONDS;
}

function nameOf(channel: string, day: number): string {
  return `${channel}/${new Date(day * 1000).toISOString().slice(0, 10)}`;
}

function toFound({ id, name }: { id: string; name: string }, day: number, messages: Message[]): FoundDocument {
  const states = messages.map(({ ts, edited, reply_count, latest_reply }) => [
    ts,
    edited?.ts,
    reply_count,
    latest_reply,
  ]);
  const version = sha256(JSON.stringify(states));
  return { external_id: nameOf(id, day), version, hint: { channel: id, name, day } };
}

/** Days that this very part looked at again, from `first` up to where it began, and that have no message (any more). */
function emptyDays(
  channel: string,
  first: number,
  { begun, before = Number.POSITIVE_INFINITY }: Place,
  days: Map<number, unknown>,
): string[] {
  const last = Math.min(begun, before - DAY_SECONDS);
  const empty: string[] = [];
  for (let day = first; day <= last; day += DAY_SECONDS) if (!days.has(day)) empty.push(nameOf(channel, day));
  return empty;
}

// ---------------------------------------------------------------- reading

async function readDay(
  ask: Ask,
  { hint }: FoundDocument,
  names: Map<string, string>,
): Promise<ReadDocument | "gone" | "unfit"> {
  const [channel, name, day] = [String(hint.channel), String(hint.name), Number(hint.day)];
  const messages = await unlessClosed(messagesOf(ask, channel, day));
  if (!messages || messages.length === 0) return "gone";
  const lines: string[] = [];
  for (const message of messages.toSorted((a, b) => Number(a.ts) - Number(b.ts))) {
    lines.push(...lineOf(message, names, ""));
    if (!message.reply_count) continue;
    const thread = await repliesTo(ask, channel, message.ts);
    lines.push(...thread.flatMap((reply) => lineOf(reply, names, "  ")));
  }
  if (lines.length === 0) return "unfit";
  const date = new Date(day * 1000).toISOString().slice(0, 10);
  return { title: `#${name}, ${date}`, content: { text: lines.join("\n") }, metadata: { channel: name, date } };
}

async function messagesOf(ask: Ask, channel: string, day: number): Promise<Message[]> {
  const messages: Message[] = [];
  let cursor: string | undefined;
  for (let page = 1; page <= MOST_PAGES_A_DAY; page++) {
    const part = await historyOf(ask, channel, { since: day, before: day + DAY_SECONDS, cursor });
    messages.push(...part.messages.filter(({ ts }) => dayOf(Number(ts)) === day));
    cursor = (part.has_more && part.response_metadata?.next_cursor) || undefined;
    if (cursor === undefined) break;
  }
  return messages;
}

async function repliesTo(ask: Ask, channel: string, ts: string): Promise<Message[]> {
  const replies: Message[] = [];
  let cursor: string | undefined;
  for (let page = 1; page <= MOST_PAGES_A_DAY; page++) {
    const part = await ask(History, "conversations.replies", {
      channel,
      ts,
      limit: PAGE,
      ...(cursor !== undefined && { cursor }),
    });
    replies.push(...part.messages.filter((message) => message.ts !== ts));
    cursor = (part.has_more && part.response_metadata?.next_cursor) || undefined;
    if (cursor === undefined) break;
  }
  return replies;
}

function lineOf(
  { ts, text = "", user, username, subtype }: Message,
  names: Map<string, string>,
  indent: string,
): string[] {
  const said = readable(text, names);
  if (said.trim() === "" || (subtype !== undefined && SILENT.has(subtype))) return [];
  const who = (user !== undefined && (names.get(user) ?? user)) || username || "somebody";
  const time = new Date(Number(ts) * 1000).toISOString().slice(11, 16);
  return [`${indent}${time} ${who}: ${said.replaceAll("\n", `\n${indent}  `)}`];
}

/** Slack's own notation of people, channels, links and signs as it is shown (its documentation, "Formatting text"). */
function readable(text: string, names: Map<string, string>): string {
  return text
    .replace(/<@(\w+)(?:\|([^>]*))?>/g, (_, id: string, label?: string) => `@${names.get(id) ?? label ?? id}`)
    .replace(/<#\w+\|([^>]*)>/g, "#$1")
    .replace(/<!(\w+)[^>]*>/g, "@$1")
    .replace(/<([^|>]+)\|([^>]*)>/g, "$2 ($1)")
    .replace(/<([^>]+)>/g, "$1")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
}

/** Names of people by their ids; none where the token may not ask for them. */
async function listUsers(ask: Ask): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  let cursor: string | undefined;
  try {
    do {
      const page = await ask(Users, "users.list", { limit: PAGE, ...(cursor !== undefined && { cursor }) });
      for (const { id, name, profile } of page.members) {
        names.set(id, profile?.display_name || profile?.real_name || name || id);
      }
      cursor = page.response_metadata?.next_cursor || undefined;
    } while (cursor !== undefined);
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error;
  }
  return names;
}
