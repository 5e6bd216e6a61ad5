import { inParallel } from "../../kernel/parallel.ts";
import type { Context } from "../../runtime/context.ts";
import { toServiceError } from "../../runtime/service-error.ts";
import { compressionConfig } from "../compression/stored-settings.ts";

/** A failed item of a batch. */
export interface ItemFailure {
  /** Its index, from 0. */
  index: number;
  /** Its id, if it has one. */
  id?: string | undefined;
  error: { code: string; message: string; details: Record<string, unknown> };
}

type Outcome<T> = { done: T } | { failure: ItemFailure };

/** Runs each item independently with limited concurrency; an item's error affects only that item. */
export async function runBatch<Item, T>(ctx: Context, items: Item[], act: (item: Item, index: number) => Promise<T>) {
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
