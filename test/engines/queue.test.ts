import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { openQueue } from "../../shared/adapters/aws/queue.ts";
import { describeQueue } from "../contract/queue.ts";
import { createQueuePoller } from "./queue-poller.ts";
import { createQueues, deleteQueues, queueEnvironment } from "./resources.ts";

describeQueue("SQS", async () => {
  const id = randomUUID();
  const [main, deadLetters] = [`main-${id}`, `dead-${id}`];
  const [visibilitySeconds, maxReceives] = [2, 2];
  const urls = await createQueues([
    { name: deadLetters, visibilitySeconds },
    { name: main, visibilitySeconds, redrive: { deadLetters, maxReceives } },
  ]);
  return {
    queue: openQueue(queueEnvironment(urls)),
    main,
    deadLetters,
    maxReceives,
    visibilitySeconds,
    poll: createQueuePoller(urls),
    pass: (seconds) => sleep(seconds * 1000),
    close: () => deleteQueues(urls.values()),
  };
});
