import { inParallel } from "../../kernel/parallel.ts";
import { takeTurn } from "../../kernel/turns.ts";
import type { Context } from "../../runtime/context.ts";
import { toServiceError } from "../../runtime/service-error.ts";
import { compressionConfig } from "../compression/stored-settings.ts";

export interface ItemFailure {
  /** Index of the item, from 0. */
  index: number;
  /** Id of the item, if it has one. */
  id?: string | undefined;
  error: { code: string; message: string; details: Record<string, unknown> };
}

/** Processes each item independently with limited concurrency. Returns the results and the failed items. */
export async function runBatch<Item, T>(
  ctx: Context,
  items: Item[],
  processItem: (item: Item, index: number) => Promise<T>,
) {
  const attempt = async (item: Item, index: number) => {
    try {
      await takeTurn(ctx.org);
      return { done: [await processItem(item, index)], failed: [] };
    } catch (error) {
      const { code, message, details } = toServiceError(error, ctx.logger);
      const idOrItem = (item as { id?: unknown } | null)?.id ?? item;
      const id = typeof idOrItem === "string" ? idOrItem : undefined;
      return { done: [], failed: [{ index, id, error: { code, message, details } } satisfies ItemFailure] };
    }
  };
  const { performance } = await ctx.settings.read(compressionConfig);
  const outcomes = await inParallel(items, performance.batch_size, attempt);
  return { done: outcomes.flatMap(({ done }) => done), failed: outcomes.flatMap(({ failed }) => failed) };
}
