import type { Home } from "../../../shared/platform/context.ts";
import type { MessageConsumer } from "../../../shared/platform/messages.ts";
import { TransferMessage } from "../../../shared/transfers/queue.ts";
import { workOn } from "../../../shared/transfers/work.ts";

/** How long rows of one import, or files of one export, are written before the next one has its turn. */
const TURN_MS = 30_000;

/** Makes memories of the rows of imports, and files of what exports ask for. */
export function createCarrier(home: Home): MessageConsumer {
  return {
    width: async () => 1,
    async consume({ body }) {
      const { org, id } = TransferMessage.parse(body);
      await workOn({ ...home, org }, id, TURN_MS);
    },
  };
}
