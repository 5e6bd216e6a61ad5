import type { Belongings } from "../identity/belongings.ts";
import { giveSession, sessionsOfUser, toSession } from "./records.ts";

/** Conversations that were a user's. */
export const sessionsOwned: Belongings = {
  name: "sessions",
  listing: sessionsOfUser,
  handOn(_home, record, { from, to }) {
    const session = toSession(record);
    return session.user_id === from && to !== undefined ? giveSession(session, to) : undefined;
  },
};
