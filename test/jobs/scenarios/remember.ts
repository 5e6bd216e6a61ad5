import { expect } from "vitest";
import { rememberConversation } from "../../../shared/domain/integration/compat/remember.ts";
import { beginConversation, isRequested } from "../../../shared/domain/integration/compat/requests.ts";
import type { Conversation } from "../../../shared/domain/memory/conversation.ts";
import type { Context } from "../../../shared/runtime/context.ts";
import { enqueueJob } from "../../../shared/runtime/jobs/queue.ts";
import type { JobScenario } from "../scenario.ts";
import { contentsOf, eventOf, expectFailedEvent, jobOf, newCaller } from "./events.ts";
import { formerRequest } from "./former-events.ts";

const TOWNS = ["Boston", "Lisbon"];
/** Each is long enough to be read on its own. */
const MESSAGES = TOWNS.map((town) => ({ role: "user", content: `I lived in ${town} for years.${" ".repeat(2500)}` }));

/** Has memories extracted from a conversation in the background. */
export async function submitConversation(ctx: Context, conversation: Conversation) {
  const { event, job } = await beginConversation(ctx, conversation);
  await enqueueJob(ctx, job);
  return event;
}

export const remember: JobScenario<"remember"> = {
  handlers: [rememberConversation],
  async begin(stage) {
    const caller = newCaller(stage);
    const { id } = await submitConversation(caller, { messages: MESSAGES, draft: { user_id: caller.principal.id } });
    return jobOf(stage, id, "remember");
  },
  former: (job) => [formerRequest(job, { remember: { messages: MESSAGES, draft: { user_id: job.submitted_by } } })],
  async expectDone(stage, job) {
    const { status, results, by } = await eventOf(stage, job);
    const stored = await contentsOf(stage, by.id);
    for (const town of TOWNS) expect(stored.filter((content) => content.includes(town))).toHaveLength(1);
    expect(status).toBe("COMPLETED");
    expect(results.map(({ event }) => event)).toEqual(stored.map(() => "ADD"));
    expect(await isRequested(stage.runtime.ports.records, job.org, job.id)).toBe(false);
  },
  async expectFailed(stage, job) {
    await expectFailedEvent(stage, job);
    expect(await isRequested(stage.runtime.ports.records, job.org, job.id)).toBe(false);
  },
};
