import * as z from "zod";
import { workOn } from "../../../shared/maintenance/run.ts";
import type { Home } from "../../../shared/platform/context.ts";
import type { MessageConsumer } from "../../../shared/platform/messages.ts";

const Message = z.object({ job_id: z.string() });

/** How long one job is worked on before the next one has its turn. */
const TURN_MS = 60_000;

/** Does the clean-ups and syncs that were asked for. */
export function createMaintainer(home: Home): MessageConsumer {
  return {
    width: async () => 1,
    consume: ({ body }) => workOn(home, Message.parse(body).job_id, TURN_MS),
  };
}
