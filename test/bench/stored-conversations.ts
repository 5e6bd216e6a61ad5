import { Presets, SingleBar } from "cli-progress";
import { createClient, openService, type RequestOptions, type Service } from "../support/service.ts";
import { type Conversation, contentOf, type SpokenTurn, timesOf } from "./locomo.ts";

const BATCH_SIZE = 100;

export interface ReachedService {
  service: Service;
  close(): Promise<void>;
}

/**
 * Connects to the service at BASE_URL with API_KEY if both are set, else starts its own in a temporary folder; uses
 * HTTP in both cases.
 */
export async function reachService(): Promise<ReachedService> {
  const { BASE_URL, API_KEY } = process.env;
  if (BASE_URL && API_KEY) return { service: createClient(BASE_URL, API_KEY), close: async () => {} };
  const { host, adminKey, close } = await openService({ LOG_LEVEL: "warn" });
  return { service: createClient(await host.listen(), adminKey), close };
}

/** Returns the data of an answer; throws if it is not a success. */
export async function demand(service: Service, method: string, url: string, options?: RequestOptions) {
  const { status, body } = await service.request(method, url, options);
  if (status >= 300) throw new Error(`${method} ${url} answered ${status}: ${JSON.stringify(body)}`);
  return body.data;
}

/** Returns the user who owns the memories of a conversation. */
export function userOf(conversationName: string): string {
  return `locomo-${conversationName}`;
}

/** Stores each turn once: a conversation that is present from an earlier run is not stored again. */
export async function storeConversation(service: Service, { name, turns }: Conversation): Promise<void> {
  const listed = await demand(service, "GET", `/memories?user_id=${userOf(name)}&limit=1`);
  const { total } = listed.pagination;
  if (total === turns.length) return console.log(`${total} memories of ${userOf(name)} are there already`);
  if (total > 0) throw new Error(`${userOf(name)} has ${total} memories of something else; delete them first`);
  const bar = new SingleBar(
    { format: "storing {bar} {value}/{total} memories, {duration_formatted}", noTTYOutput: !process.stdout.isTTY },
    Presets.shades_classic,
  );
  bar.start(turns.length, 0);
  const times = timesOf({ turns });
  for (let start = 0; start < turns.length; start += BATCH_SIZE) {
    const memories = turns.slice(start, start + BATCH_SIZE).map((turn) => toMemory(name, turn, times.get(turn)));
    const { created, failed } = await demand(service, "POST", "/memories/batch", { body: { memories } });
    if (failed.length > 0) throw new Error(`memories were refused: ${JSON.stringify(failed)}`);
    bar.increment(created.length);
  }
  bar.stop();
}

function toMemory(name: string, turn: SpokenTurn, saidAt = 0) {
  const { dia_id, speaker, session, sessionDateTime } = turn;
  return {
    content: contentOf(turn),
    user_id: userOf(name),
    occurred_at: new Date(saidAt).toISOString(),
    metadata: { session_id: session, dia_id, speaker, session_date_time: sessionDateTime },
  };
}
