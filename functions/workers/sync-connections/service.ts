import * as z from "zod";
import { workOnConnection } from "../../../shared/connections/background.ts";
import type { OpenBucket } from "../../../shared/connections/providers/provider.ts";
import type { Home } from "../../../shared/platform/context.ts";
import type { MessageConsumer } from "../../../shared/platform/messages.ts";

const Message = z.object({ org: z.string(), connection_id: z.string() });

/** Brings what connections have to bring, as far as the requests that asked for it did not, and whenever it is due. */
export function createSynchronizer(home: Home, openBucket: OpenBucket): MessageConsumer {
  return {
    width: async () => 1,
    consume: ({ body }) => workOnConnection(home, Message.parse(body), { openBucket }),
  };
}
