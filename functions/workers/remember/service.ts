import { deleteByNames } from "../../../shared/compat/forget.ts";
import { rememberConversation } from "../../../shared/compat/remember.ts";
import { jobConsumer } from "../../../shared/jobs/consumer.ts";
import type { Home } from "../../../shared/platform/context.ts";
import type { MessageConsumer } from "../../../shared/platform/messages.ts";
import { rememberSession } from "../../../shared/sessions/remember.ts";

/** Conversations that one worker reads at a time. */
const WIDTH = 2;
/** How long one conversation is read before the next one has its turn. */
const TURN_MS = 30_000;

/** Remembers what conversations and sessions tell, and deletes what is too much for a request. */
export function createRememberer(home: Home): MessageConsumer {
  return jobConsumer(home, [rememberConversation, rememberSession, deleteByNames], {
    turnMs: TURN_MS,
    width: async () => WIDTH,
  });
}
