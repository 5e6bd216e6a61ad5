import { ENVIRONMENT } from "../../shared/adapters/aws/environment.ts";
import { openLogs } from "../../shared/adapters/aws/logs.ts";
import { describeLogStore } from "../contract/log-store.ts";
import { openLogGroup } from "./log-writer.ts";

describeLogStore(
  "CloudWatch Logs",
  async () => {
    const group = await openLogGroup();
    return {
      logs: openLogs({ [ENVIRONMENT.logGroupPrefix]: group.prefix }),
      write: async (lines) => void (await group.write(lines.join("\n"))),
      close: group.drop,
    };
  },
  // The emulator of Logs Insights supports no conditions and returns no statistics.
  { countsBeyondLimit: false },
);
