import * as z from "zod";
import { workOn } from "../../../shared/compat/work.ts";
import type { Home } from "../../../shared/platform/context.ts";
import type { MessageConsumer } from "../../../shared/platform/messages.ts";

const Message = z.object({ org: z.string(), event_id: z.string() });

/** Conversations that one worker reads at a time. */
const WIDTH = 2;
/** How long one conversation is read before the next one has its turn. */
const TURN_MS = 30_000;

/** Remembers what conversations tell, and deletes what is too much for a request. */
export function createRememberer(home: Home): MessageConsumer {
  return {
    width: async () => WIDTH,
    consume: ({ body }) => workOn(home, Message.parse(body), TURN_MS),
  };
}
