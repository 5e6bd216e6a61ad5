import * as z from "zod";
import type { Home } from "../../../shared/platform/context.ts";
import type { MessageConsumer } from "../../../shared/platform/messages.ts";
import { workOn } from "../../../shared/sources/work.ts";

const Message = z.object({ org: z.string(), source_id: z.string() });

/** How long chunks of one source are stored before the next one has its turn. */
const TURN_MS = 30_000;

/** Reads the sources that are too long for a request, and removes what is left of those that went. */
export function createIngester(home: Home): MessageConsumer {
  return {
    width: async () => 1,
    async consume({ body }) {
      const message = Message.parse(body);
      await workOn({ ...home, org: message.org }, message, { turnMs: TURN_MS });
    },
  };
}
