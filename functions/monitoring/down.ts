import type { Context } from "../../shared/platform/context.ts";

/** What a part of the deployment tells; undefined where it fails, which is when an operator asks for all the rest. */
export async function unlessDown<T>(
  { logger }: Pick<Context, "logger">,
  part: string,
  ask: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await ask();
  } catch (error) {
    logger.error("CHECK_FAILED", { store: part, error });
    return undefined;
  }
}
