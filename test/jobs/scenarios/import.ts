import { strToU8, zipSync } from "fflate";
import { expect } from "vitest";
import { beginFileImport, beginImport, importRows } from "../../../shared/domain/integration/transfers/import.ts";
import { listMemoriesAfter } from "../../../shared/domain/memory/memory-lists.ts";
import type { Context } from "../../../shared/runtime/context.ts";
import type { Job } from "../../../shared/runtime/jobs/job.ts";
import type { JobScenario } from "../scenario.ts";
import { contentsOf, eventOf, expectFailedEvent, newCaller } from "./events.ts";
import { formerTransfer } from "./former-events.ts";

/** More than one transaction takes, and more than one batch. */
const ROWS = 60;
const COMPRESSION = { original_tokens: 5, compressed_tokens: 5, reduction_percentage: 0 };
const CONTENTS = Array.from({ length: ROWS }, (_, position) => `Berth ${position} is free.`);

/** An import of whole memories of the caller. */
export function beginRows(caller: Context, contents: string[]): Promise<Job<"import">> {
  const whole = {
    user_id: caller.principal.id,
    entities: [{ name: "Berth", type: "place" }],
    facts: [],
    compression: COMPRESSION,
  };
  return beginImport(
    caller,
    contents.map((content) => ({ content, ...whole })),
  );
}

export const importing: JobScenario<"import"> = {
  handlers: [importRows],
  begin: (stage) => beginRows(newCaller(stage), [...CONTENTS, " "]),
  former: formerTransfer,
  async expectDone(stage, job) {
    expect(await contentsOf(stage, job.submitted_by)).toEqual(CONTENTS.toSorted());
    expect(await eventOf(stage, job)).toMatchObject({
      status: "COMPLETED",
      progress: { total: ROWS + 1, done: ROWS, failed: 1 },
      errors: [{ index: ROWS, code: "VALIDATION_ERROR" }],
    });
  },
  expectFailed: expectFailedEvent,
};

/** Imports of files are a later input: no earlier release stored one. */
const { former: _, ...forFiles } = importing;

/** A file that is read into parts first, with a line that is damaged. */
export const importingFile: JobScenario<"import"> = {
  ...forFiles,
  begin: (stage) => {
    const caller = newCaller(stage);
    const whole = { entities: [], facts: [], compression: COMPRESSION };
    const rows = CONTENTS.map((content) => JSON.stringify({ content, ...whole }));
    const bytes = Buffer.from([...rows, "{"].join("\n"));
    return beginFileImport(caller, bytes, { user_id: caller.principal.id });
  },
};

const SAID = ["I live in Zurich.", "My cat is called Molly.", "I work at the harbour office."];

/** Conversations, whose messages are read like those that are added. */
export const importingConversations: JobScenario<"import"> = {
  ...forFiles,
  begin: (stage) => {
    const caller = newCaller(stage);
    const chat_messages = SAID.flatMap((text, position) => [
      { sender: "human", text, created_at: `2024-05-0${position + 1}T10:00:00Z` },
      { sender: "assistant", text: "I like Paris." },
    ]);
    const conversations = [{ uuid: "c-1", name: "Home", chat_messages }];
    const file = zipSync({ "conversations.json": strToU8(JSON.stringify(conversations)) });
    return beginFileImport(caller, file, { user_id: caller.principal.id });
  },
  async expectDone(stage, job) {
    const { runtime, org } = stage;
    const viewer = undefined;
    const { memories } = await listMemoriesAfter(
      { ...runtime, org, viewer },
      { user_id: job.submitted_by },
      { limit: 100 },
    );
    const times = memories.map(({ occurred_at }) => occurred_at?.slice(0, 10)).sort();
    expect(times).toEqual(["2024-05-01", "2024-05-02", "2024-05-03"]);
    expect(await eventOf(stage, job)).toMatchObject({
      status: "COMPLETED",
      progress: { total: 3, done: 3, failed: 0 },
    });
  },
};
