import type { JsonObject } from "../../ports/json.ts";
import type { Context } from "../../runtime/context.ts";
import { admit, recordDetection, takeOut } from "../memory/admit-text.ts";

/**
 * Returns the free-form fields of a session with placeholders in place of secrets. No memory comes from them, so what
 * the placeholders stand for is not kept under `mask` either. The user is asked for only if there are any. Throws
 * VALIDATION_ERROR under `block`.
 */
export async function admitTexts<Texts extends object>(
  ctx: Context,
  given: Texts,
  userOf: () => Promise<string>,
  target?: string,
): Promise<Texts> {
  const text = { content: "", metadata: given as JsonObject };
  if (takeOut(text).types.length === 0) return given;
  const { text: admitted, detection } = await admit(ctx, { ...text, user_id: await userOf() });
  await recordDetection(ctx, detection, target);
  return admitted.metadata as Texts;
}
