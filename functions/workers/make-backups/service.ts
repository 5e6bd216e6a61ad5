import * as z from "zod";
import { makeBackup } from "../../../shared/backups/make.ts";
import type { Home } from "../../../shared/platform/context.ts";
import type { MessageConsumer } from "../../../shared/platform/messages.ts";

const Message = z.object({ backup_id: z.string() });

/** Makes the backups that were asked for, one after the other. */
export function createBackupMaker(home: Home): MessageConsumer {
  return {
    width: async () => 1,
    consume: ({ body }) => makeBackup(home, Message.parse(body).backup_id),
  };
}
