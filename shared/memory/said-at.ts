import { findUser } from "../identity/users.ts";
import { hasOffset, inTimeZone } from "../kernel/event-time.ts";
import { looksLike } from "../kernel/ids.ts";
import type { OrgHome } from "../platform/context.ts";

const UTC = "UTC";

/** Whose text it is: the user that it is about, by any name that clients give users, and who stored it. */
export interface Author {
  user_id?: string | undefined;
  created_by?: string | undefined;
}

/**
 * A moment with the offset by which relative dates count: its own, else that of the author's time zone then. The author is
 * the user that the text is about, else who stored it; one that is no user of the organization counts by UTC.
 */
export async function withOffset(
  home: Pick<OrgHome, "org"> & { ports: Pick<OrgHome["ports"], "records"> },
  { user_id, created_by }: Author,
  moment: string,
): Promise<string> {
  if (hasOffset(moment)) return moment;
  const author = [user_id, created_by].find((id) => id !== undefined && looksLike("user", id));
  const user = author === undefined ? undefined : await findUser(home.ports.records, home.org, author);
  return inTimeZone(moment, user?.preferences.timezone ?? UTC);
}
