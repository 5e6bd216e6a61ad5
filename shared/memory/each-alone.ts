import { compressionConfig } from "../compression/stored-settings.ts";
import { toServiceError } from "../http/envelope.ts";
import { inParallel } from "../kernel/parallel.ts";
import type { Context } from "../platform/context.ts";

/** One of several things that were asked for at once, which failed by itself. */
export interface ItemFailure {
  /** Its place among them, from 0. */
  index: number;
  /** What it names, if it does. */
  id?: string | undefined;
  error: { code: string; message: string; details: Record<string, unknown> };
}

type Outcome<T> = { done: T } | { failure: ItemFailure };

/** Runs each item by itself, some at once; what one throws is that item's failure and nobody else's. */
export async function eachAlone<Item, T>(
  ctx: Context,
  items: Item[],
  act: (item: Item, index: number) => Promise<T>,
): Promise<{ done: T[]; failed: ItemFailure[] }> {
  const attempt = async (item: Item, index: number): Promise<Outcome<T>> => {
    try {
      return { done: await act(item, index) };
    } catch (error) {
      const { code, message, details } = toServiceError(error, ctx.logger);
      const id = (item as { id?: unknown } | null)?.id ?? item;
      return { failure: { index, id: typeof id === "string" ? id : undefined, error: { code, message, details } } };
    }
  };
  const { performance } = await ctx.settings.read(compressionConfig);
  const outcomes = await inParallel(items, performance.batch_size, attempt);
  return {
    done: outcomes.flatMap((outcome) => ("done" in outcome ? [outcome.done] : [])),
    failed: outcomes.flatMap((outcome) => ("failure" in outcome ? [outcome.failure] : [])),
  };
}
