import * as z from "zod";
import { continueHandOver } from "../../../shared/identity/ownership.ts";
import type { Home } from "../../../shared/platform/context.ts";
import type { MessageConsumer } from "../../../shared/platform/messages.ts";

const Message = z.object({ org: z.string(), job_id: z.string() });

/** Hands on what deleted users owned, as far as the request that deleted them did not. */
export function createHandOver(home: Home): MessageConsumer {
  return {
    width: async () => 1,
    consume: ({ body }) => continueHandOver(home, Message.parse(body)),
  };
}
