import type { JsonObject } from "../../ports/json.ts";
import type { Context } from "../../runtime/context.ts";
import { admit, recordDetection, takeOut } from "../memory/admit-text.ts";

/**
 * Returns the free-form fields of a session with placeholders in place of secrets, which are not kept, even under the
 * policy `mask`: no memory comes from these fields. `userOf` is called only if there are secrets. Throws
 * VALIDATION_ERROR under the policy `block`.
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
