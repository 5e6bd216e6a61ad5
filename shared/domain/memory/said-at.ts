import { hasOffset, inTimeZone } from "../../kernel/event-time.ts";
import { looksLike } from "../../kernel/ids.ts";
import type { OrgRuntime } from "../../runtime/context.ts";
import { findUser } from "../identity/users.ts";

const UTC = "UTC";

/**
 * Returns a moment with the offset for relative dates: its own, otherwise the offset of the author's time zone. The
 * author is the user that the text is about, otherwise the user who stored it; UTC if neither is a known user.
 */
export async function withOffset(
  runtime: Pick<OrgRuntime, "org"> & { ports: Pick<OrgRuntime["ports"], "records"> },
  { user_id, created_by }: { user_id?: string; created_by?: string },
  moment: string,
): Promise<string> {
  if (hasOffset(moment)) return moment;
  const author = [user_id, created_by].find((id) => id !== undefined && looksLike("user", id));
  const user = author === undefined ? undefined : await findUser(runtime.ports.records, runtime.org, author);
  return inTimeZone(moment, user?.preferences.timezone ?? UTC);
}
