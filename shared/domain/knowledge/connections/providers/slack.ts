import { ErrorCode, LogLevel, WebClient } from "@slack/web-api";
import * as z from "zod";
import { dateOf } from "../../../../kernel/clock.ts";
import { sha256 } from "../../../../kernel/digest.ts";
import { DAY_SECONDS } from "../../../../kernel/durations.ts";
import { excerpt } from "../../../../kernel/strings.ts";
import type { Json } from "../../../../ports/json.ts";
import { CredentialsRefusedError, innermost, isFault, ProviderError } from "../../../../ports/provider-faults.ts";
import { slackFileOrigins } from "../../../../runtime/fetching/secret-destinations.ts";
import type { FoundDocument } from "../connection.ts";
import type { SettingsOf } from "../settings.ts";
import type { Listing, Position, ProviderSession, ReadResult, SessionTools } from "./provider.ts";
import { asFetch, fileOf, type ProviderFetch, parsed } from "./requests.ts";
import { lineOf, Message, readable, SharedFile } from "./slack-messages.ts";

const PAGE = 200;
/** Maximum pages per day and channel; later ones are left out. */
const MAX_PAGES_PER_DAY = 25;
/** Slack's error codes for an unusable token (documentation of each method, "Errors"). */
const TOKEN_ERRORS = new Set(["invalid_auth", "not_authed", "token_expired", "token_revoked", "account_inactive"]);
/** Error codes for a deleted channel, or one that the token's owner has left. */
const CHANNEL_ERRORS = new Set(["channel_not_found", "not_in_channel", "is_archived", "thread_not_found"]);
/** Error codes for a deleted file. */
const FILE_ERRORS = new Set(["file_not_found", "file_deleted"]);
const MAX_TITLE = 80;

const Workspace = z.object({ url: z.string() });
const FileInfo = z.object({ file: SharedFile });

const Metadata = z.object({ next_cursor: z.string().optional() }).optional();
const History = z.object({
  messages: z.array(Message),
  has_more: z.boolean().default(false),
  response_metadata: Metadata,
});
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

/** Channels that remain to be listed, and the time (seconds) from which the first one continues backwards. */
const Checkpoint = z.object({
  channels: z.array(z.object({ id: z.string(), name: z.string() })),
  before: z.number().optional(),
  /** Start of the run in seconds. */
  begun: z.number(),
});
type Checkpoint = z.infer<typeof Checkpoint>;

type Call = <T>(schema: z.ZodType<T>, method: string, parameters: Record<string, unknown>) => Promise<T>;

interface Page {
  /** Only lists of messages have it. */
  has_more?: boolean;
  response_metadata?: z.infer<typeof Metadata>;
}

/** The pages of a list, at most `maxPages`. */
async function* pagesOf<P extends Page>(
  call: Call,
  schema: z.ZodType<P>,
  method: string,
  parameters: Record<string, unknown>,
  maxPages = Number.POSITIVE_INFINITY,
): AsyncGenerator<P & { hasNext: boolean }, void> {
  let cursor: string | undefined;
  for (let count = 1; count <= maxPages; count++) {
    const page = await call(schema, method, { ...parameters, limit: PAGE, ...(cursor !== undefined && { cursor }) });
    cursor = (page.has_more !== false && page.response_metadata?.next_cursor) || undefined;
    yield { ...page, hasNext: cursor !== undefined };
    if (cursor === undefined) return;
  }
}

type Settings = SettingsOf<"team_chat">;

/**
 * The messages of a Slack workspace's channels: one document per day and channel, one per thread that started on it and
 * one per file. From the second run on, only recent days are read again for answers, edits and deletions.
 */
export function openSlack(settings: Settings, tools: SessionTools, now: number): ProviderSession {
  const client = new WebClient(undefined, {
    slackApiUrl: `${settings.base_url}/`,
    fetch: asFetch(tools.fetch),
    retryConfig: { retries: 0 },
    allowAbsoluteUrls: false,
    logger: SILENT_LOGGER,
  });
  const call: Call = async (schema, method, parameters) => {
    const response = await client.apiCall(method, parameters).catch(throwTranslated);
    return parsed(schema, response, `Slack to ${method}`);
  };
  let reading: Promise<Reading> | undefined;
  return {
    list: (position) => listPart(call, settings, position, now),
    async read(document) {
      if (typeof document.hint.file === "string") return readFile(call, tools.fetch, settings, document);
      reading ??= Promise.all([listUsers(call), siteOf(call)]).then(([names, site]) => ({ names, site }));
      const { hint } = document;
      return typeof hint.thread === "string"
        ? readThread(call, document, await reading)
        : readDay(call, document, await reading);
    },
  };
}

/** Data for reading any document. */
interface Reading {
  /** User names by id. */
  names: Map<string, string>;
  /** The workspace's URL; undefined if the token may not read it. */
  site: string | undefined;
}

async function siteOf(call: Call): Promise<string | undefined> {
  try {
    return (await call(Workspace, "auth.test", {})).url;
  } catch (error) {
    if (error instanceof ProviderError) return undefined;
    throw error;
  }
}

/** The URL of a message, as Slack's "Copy link" returns it. */
function permalinkOf({ site }: Reading, channel: string, ts: string): { url?: string } {
  const url = site === undefined ? null : URL.parse(`archives/${channel}/p${ts.replace(".", "")}`, site);
  return url === null ? {} : { url: url.href };
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

/** Throws Slack's errors as those of sessions. */
function throwTranslated(error: unknown): never {
  const code = slackError(error);
  if (code !== undefined && TOKEN_ERRORS.has(code)) throw new CredentialsRefusedError();
  if (code !== undefined && (CHANNEL_ERRORS.has(code) || FILE_ERRORS.has(code))) throw new ChannelClosedError();
  if (code !== undefined) throw new ProviderError(`Slack answers ${code}.`);
  const inner = innermost(error);
  if (isFault(inner)) throw inner;
  throw new ProviderError("Slack is not reachable.");
}

function slackError(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error) || error.code !== ErrorCode.PlatformError) return undefined;
  return "data" in error ? (error.data as { error?: string }).error : undefined;
}

class ChannelClosedError extends Error {}

// ---------------------------------------------------------------- listing

async function listPart(call: Call, settings: Settings, { cursor, place }: Position, now: number): Promise<Listing> {
  const stored = Checkpoint.safeParse(place);
  const checkpoint: Checkpoint = stored.success
    ? stored.data
    : { channels: await listChannels(call, settings), begun: Math.floor(now / 1000) };
  const [channel, ...others] = checkpoint.channels;
  if (!channel) return { found: [], cursor: checkpoint.begun };
  const since = typeof cursor === "number" ? dayOf(cursor) - settings.lookback_days * DAY_SECONDS : 0;
  const seen = await unlessClosed(listDays(call, channel.id, since, checkpoint.before));
  const { days, below } = seen ?? { days: new Map<number, Message[]>(), below: undefined };
  const found = [...days].map(([day, messages]) => toFound(channel, day, messages));
  // A channel that refuses access was not read, so its documents are kept.
  const gone = seen && since > 0 ? emptyDays(channel.id, below ?? since, checkpoint, days) : [];
  if (below !== undefined) return { found, gone, next: { ...checkpoint, before: below } as Json };
  if (others.length === 0) return { found, gone, cursor: checkpoint.begun };
  return { found, gone, next: { channels: others, begun: checkpoint.begun } as Json };
}

/** The configured channels by id or name; otherwise all that the token's owner has joined. */
async function listChannels(call: Call, { channels: wanted }: Settings): Promise<Checkpoint["channels"]> {
  const all: Channel[] = [];
  const kind = { types: "public_channel,private_channel", exclude_archived: true };
  for await (const { channels } of pagesOf(call, Channels, "conversations.list", kind)) all.push(...channels);
  const names = wanted?.map((name) => name.replace(/^#/, ""));
  return all
    .filter(({ id, name = "", is_member }) => (names ? names.includes(id) || names.includes(name) : is_member))
    .map(({ id, name = id }) => ({ id, name }));
}

/**
 * The next complete days of a channel, backwards in time: the last day of a page may continue, so it is left for the
 * next part unless it is the only one. `below`: where that part starts; absent at the end.
 */
async function listDays(call: Call, channel: string, since: number, before: number | undefined) {
  const days = new Map<number, Message[]>();
  let last = 0;
  for await (const { messages, hasNext } of historyOf(call, channel, since, before)) {
    for (const message of messages) {
      const day = dayOf(Number(message.ts));
      days.set(day, [...(days.get(day) ?? []), message]);
    }
    if (!hasNext) return { days, below: undefined };
    last = Math.min(...days.keys());
    if (days.size === 1) continue;
    days.delete(last);
    return { days, below: last + DAY_SECONDS };
  }
  return { days, below: last };
}

function historyOf(call: Call, channel: string, since: number, before: number | undefined) {
  const range = { oldest: String(since), ...(before !== undefined && { latest: String(before) }) };
  return pagesOf(call, History, "conversations.history", { channel, ...range }, MAX_PAGES_PER_DAY);
}

/** The result of a request; undefined if the channel or file was deleted or is not accessible. */
async function unlessClosed<T>(request: Promise<T>): Promise<T | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof ChannelClosedError) return undefined;
    throw error;
  }
}

function dayOf(seconds: number): number {
  return Math.floor(seconds / DAY_SECONDS) * DAY_SECONDS;
}

function nameOf(channel: string, day: number): string {
  return `${channel}/${dateOf(day * 1000)}`;
}

function toFound({ id, name }: { id: string; name: string }, day: number, messages: Message[]): FoundDocument {
  const states = messages.map(({ ts, edited, reply_count, latest_reply, attachments, files }) => [
    ts,
    edited?.ts,
    reply_count,
    latest_reply,
    ...(attachments || files ? [attachments, files?.map(({ id }) => id)] : []),
  ]);
  const version = sha256(JSON.stringify(states));
  return { external_id: nameOf(id, day), version, hint: { channel: id, name, day } };
}

/** Document ids of the days from `first` on that this part read again and that no longer have messages. */
function emptyDays(
  channel: string,
  first: number,
  { begun, before = Number.POSITIVE_INFINITY }: Checkpoint,
  days: Map<number, unknown>,
): string[] {
  const last = Math.min(begun, before - DAY_SECONDS);
  const empty: string[] = [];
  for (let day = first; day <= last; day += DAY_SECONDS) if (!days.has(day)) empty.push(nameOf(channel, day));
  return empty;
}

// ---------------------------------------------------------------- reading

async function readDay(call: Call, { hint }: FoundDocument, reading: Reading): Promise<ReadResult> {
  const [channel, name, day] = [String(hint.channel), String(hint.name), Number(hint.day)];
  const found = await unlessClosed(messagesOf(call, channel, day));
  const messages = (found ?? []).toSorted((a, b) => Number(a.ts) - Number(b.ts));
  const [first] = messages;
  if (!first) return "gone";
  const lines = messages.flatMap((message) => lineOf(message, reading.names));
  if (lines.length === 0) return "no_text";
  const date = dateOf(day * 1000);
  return {
    title: `#${name}, ${date}`,
    ...permalinkOf(reading, channel, first.ts),
    content: { text: lines.join("\n") },
    metadata: { channel: name, date },
    attachments: messages.flatMap((message) => [
      ...(message.reply_count ? [threadOf(message, channel, name)] : []),
      ...filesOf(message),
    ]),
  };
}

function threadOf(message: Message, channel: string, name: string): FoundDocument {
  const { ts, text, edited, reply_count, latest_reply } = message;
  const version = sha256(JSON.stringify([text, edited?.ts, reply_count, latest_reply]));
  return { external_id: `thread/${ts}`, version, hint: { channel, name, thread: ts } };
}

function filesOf({ files = [] }: Message): FoundDocument[] {
  return files.flatMap(({ id, name, title, timestamp, url_private_download }) =>
    url_private_download === undefined
      ? []
      : { external_id: `file/${id}`, version: String(timestamp ?? ""), hint: { file: id, name: name ?? title ?? id } },
  );
}

/** A thread from its first to its last message as one text. */
async function readThread(call: Call, { hint }: FoundDocument, reading: Reading): Promise<ReadResult> {
  const [channel, name, ts] = [String(hint.channel), String(hint.name), String(hint.thread)];
  const messages = await unlessClosed(messagesOfThread(call, channel, ts));
  const [first] = messages ?? [];
  if (!messages || !first) return "gone";
  const lines = messages.flatMap((message) => lineOf(message, reading.names, true));
  if (lines.length === 0) return "no_text";
  const date = dateOf(Number(ts) * 1000);
  return {
    title: `#${name}, ${date}: ${excerpt(readable(first.text ?? "", reading.names), MAX_TITLE)}`,
    ...permalinkOf(reading, channel, ts),
    content: { text: lines.join("\n") },
    metadata: { channel: name, date, thread_ts: ts },
    attachments: messages.filter((message) => message.ts !== ts).flatMap(filesOf),
  };
}

/** Downloads a file by its current link, and only from Slack's hosts, because the request includes the token. */
async function readFile(
  call: Call,
  fetch: ProviderFetch,
  { base_url }: Settings,
  { hint }: FoundDocument,
): Promise<ReadResult> {
  const found = await unlessClosed(call(FileInfo, "files.info", { file: String(hint.file) }));
  const { name, title, mimetype, mode, permalink, url_private_download: link } = found?.file ?? {};
  if (!found || mode === "tombstone" || link === undefined) return "gone";
  if (!slackFileOrigins(base_url).includes(URL.parse(link)?.origin ?? "")) return "no_text";
  const fileName = name ?? title ?? String(hint.file);
  const content = await fileOf(await fetch(link), { name: fileName, content_type: mimetype });
  return content === "gone" ? "gone" : { title: title || fileName, content, ...(permalink && { url: permalink }) };
}

async function messagesOf(call: Call, channel: string, day: number): Promise<Message[]> {
  const found: Message[] = [];
  for await (const { messages } of historyOf(call, channel, day, day + DAY_SECONDS)) {
    found.push(...messages.filter(({ ts }) => dayOf(Number(ts)) === day));
  }
  return found;
}

async function messagesOfThread(call: Call, channel: string, ts: string): Promise<Message[]> {
  const found = new Map<string, Message>();
  const pages = pagesOf(call, History, "conversations.replies", { channel, ts }, MAX_PAGES_PER_DAY);
  // Each page repeats the first message.
  for await (const { messages } of pages) for (const message of messages) found.set(message.ts, message);
  return [...found.values()].sort((a, b) => Number(a.ts) - Number(b.ts));
}

/** User names by id; empty if the token may not read them. */
async function listUsers(call: Call): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  try {
    for await (const { members } of pagesOf(call, Users, "users.list", {})) {
      for (const { id, name, profile } of members) {
        names.set(id, profile?.display_name || profile?.real_name || name || id);
      }
    }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
  }
  return names;
}
