import type { OwnedResource } from "../identity/owned-resources.ts";
import { giveSession, sessionsOfUser, toSession } from "./records.ts";

/** A user's conversations. */
export const sessionsOwned: OwnedResource = {
  name: "sessions",
  listing: sessionsOfUser,
  reassign(_runtime, record, { from, to }) {
    const session = toSession(record);
    return session.user_id === from && to !== undefined ? giveSession(session, to) : undefined;
  },
};
