import { DAY_SECONDS } from "../../../kernel/durations.ts";
import { excerpt } from "../../../kernel/strings.ts";
import { fromItem, toItem } from "../../../ports/item.ts";
import { queryAll } from "../../../ports/pages.ts";
import type { RecordKey, RecordStore, Write } from "../../../ports/record-store.ts";
import type { LeftOut } from "../../memory/conversation.ts";
import { type ContentFields, contentFieldsOf, type EventResult } from "../../memory/memory-results.ts";
import { findMemories, type MemoryReader } from "../../memory/records.ts";
import { type CompatEvent, KEPT_SECONDS } from "./events.ts";

/** Results in an event's own record, which lists of events include; further ones have separate records. */
const MAX_INLINE_RESULTS = 100;
/** More than the time from the first page to the event's end, so that pages are kept as long as the event. */
const MARGIN_SECONDS = 7 * DAY_SECONDS;
const PAGE_PREFIX = "results#";
/** Pages per read. */
const PAGES_AT_ONCE = 1000;

const pageKey = ({ org, id }: Pick<CompatEvent, "org" | "id">, page: number): RecordKey => ({
  pk: `${org}#${id}`,
  sk: PAGE_PREFIX + String(page).padStart(6, "0"),
});

/** The event with further results, and the writes for those that do not fit its own record. */
export function addResults(
  event: CompatEvent,
  results: EventResult[],
  now: number,
): { event: CompatEvent; pages: Write[] } {
  const free = MAX_INLINE_RESULTS - event.results.length;
  const updated = { ...event, results: [...event.results, ...results.slice(0, free)] };
  const others = results.slice(free);
  if (others.length === 0) return { event: updated, pages: [] };
  const { result_pages = 0 } = event;
  const ttl = Math.ceil(now / 1000) + KEPT_SECONDS + MARGIN_SECONDS;
  const put = toItem(pageKey(event, result_pages), "compat_results", { results: others }, { ttl });
  return { event: { ...updated, result_pages: result_pages + 1 }, pages: [{ put }] };
}

/** Limits of the left-out sentences of an event, and of their length. */
const MAX_LEFT_OUT = 100;
const LEFT_OUT_CHARACTERS = 200;

/** The event with further left-out sentences. */
export function addLeftOut(event: CompatEvent, further: LeftOut[]): CompatEvent {
  if (further.length === 0) return event;
  const added = further.map(({ text, reason }) => ({ text: excerpt(text, LEFT_OUT_CHARACTERS), reason }));
  const all = [...(event.left_out ?? []), ...added];
  const left_out_total = (event.left_out_total ?? event.left_out?.length ?? 0) + added.length;
  return {
    ...event,
    left_out: all.slice(0, MAX_LEFT_OUT),
    ...(left_out_total > MAX_LEFT_OUT && { left_out_total }),
  };
}

/** All results of an event in order. */
export async function listResults(records: RecordStore, event: CompatEvent): Promise<EventResult[]> {
  if (event.result_pages === undefined) return event.results;
  const { pk } = pageKey(event, 0);
  const pages = await queryAll(records, { pk, sk: { beginsWith: PAGE_PREFIX }, limit: PAGES_AT_ONCE });
  return [...event.results, ...pages.flatMap((page) => fromItem<{ results: EventResult[] }>(page).results)];
}

/** Limits of the memories read for one response, and of their JSON characters. */
const MAX_READ = 500;
const MAX_CHARACTERS = 500_000;
/** Memories per read. */
const READ_AT_ONCE = 100;

/** A result with the current content of its memory; without it if the memory was deleted or exceeds the response. */
export type ResultWithContent = EventResult & Partial<ContentFields>;

/** Reads the memories of results, as many as fit in a response; returns how to present each. */
export async function readResults(
  ctx: MemoryReader,
  results: EventResult[],
): Promise<(result: EventResult) => ResultWithContent> {
  const allIds = results.flatMap(({ id, previous_memory_id }) => [id, previous_memory_id ?? id]);
  const ids = [...new Set(allIds)].slice(0, MAX_READ);
  const contents = new Map<string, ContentFields>();
  let remaining = MAX_CHARACTERS;
  for (let start = 0; start < ids.length && remaining > 0; start += READ_AT_ONCE) {
    for (const memory of await findMemories(ctx, ids.slice(start, start + READ_AT_ONCE))) {
      const content = contentFieldsOf(memory);
      remaining -= JSON.stringify(content).length;
      if (remaining < 0) break;
      contents.set(memory.id, content);
    }
  }
  return (result) => {
    const previous = result.previous_memory_id === undefined ? undefined : contents.get(result.previous_memory_id);
    return { ...result, ...contents.get(result.id), ...(previous && { previous_memory: previous.memory }) };
  };
}
