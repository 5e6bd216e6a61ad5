import { createOrganization, type LocalService } from "../support/service.ts";
import { makeThing, THINGS } from "./samples/index.ts";

/** An organization with `size` of everything, and the resource of each kind of thing that has the most within it. */
export interface Filled {
  key: string;
  org: string;
  size: number;
  /** By the names of `THINGS`. */
  ids: Record<string, string>;
}

/**
 * Things of which one suffices: each write reads the webhooks, of which a plan allows 100 at most; others need a host
 * that does not exist, or are in the same collection as another thing.
 */
const ONCE = new Set(["webhook", "dead_letter", "unreachable_webhook", "groupWithMember"]);

const BATCH = 50;

type Send = (method: string, path: string, body?: object) => Promise<unknown>;

/** What each resource contains, or is counted by: one more of it. */
const WITHIN: Record<string, (send: Send, ids: Record<string, string>, index: number) => Promise<unknown>> = {
  "versions of a memory": (send, { memory }, index) =>
    send("PUT", `/memories/${memory}`, { content: `Ada visited town ${index}.` }),
  "versions of a skill": (send, { skill }, index) => send("PUT", `/skills/${skill}`, { action: `Serve cup ${index}.` }),
  "uses of a skill": (send, { skill }) => send("POST", `/skills/${skill}/use`, { success: true }),
  "executions of a chain": (send, { chain }) => send("POST", `/chains/${chain}/execute`, { context: { guest: "Ada" } }),
  "executions of an agent": (send, { agent }) => send("POST", `/agents/${agent}/execute`, { input: "What is it?" }),
  "messages of a session": (send, { session }, index) =>
    send("POST", `/sessions/${session}/messages`, { role: "user", content: `The kettle is number ${index}.` }),
  "logged changes": (send, { user }, index) => send("PUT", `/admin/users/${user}`, { department: `room ${index}` }),
};

/** Creates an organization that has `size` of each thing, within one parent, and of all that `WITHIN` names. */
export async function fill(service: LocalService, size: number): Promise<Filled> {
  const { org, key } = await createOrganization(service);
  const send: Send = async (method, path, body) => {
    const answer = await service.request(method, path, { key, body });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const ids: Record<string, string> = {};
  for (const thing of Object.keys(THINGS)) ids[thing] = await makeThing(service, key, thing, "Zurich");
  // Each memory would be sent to it.
  await send("DELETE", `/webhooks/${ids.unreachable_webhook}`, undefined);
  for (const [thing, { params = {} }] of Object.entries(THINGS)) {
    if (ONCE.has(thing)) continue;
    const parent = params.id === undefined ? undefined : ids[params.id];
    for (let index = 1; index < size; index++) {
      const known: Record<string, string> = parent === undefined || thing === "archived_session" ? {} : { id: parent };
      await makeThing(service, key, thing, `Town ${index}`, known);
    }
  }
  for (const addOne of Object.values(WITHIN)) {
    for (let index = 0; index < size; index++) await addOne(send, ids, index);
  }
  await addMemories(send, size);
  return { org, key, size, ids };
}

/** Facts of one slot and of several, entities, and memories of one user. */
async function addMemories(send: Send, size: number): Promise<void> {
  const memories = Array.from({ length: 5 * size }, (_, index) => ({
    content: `I live in Town${index}. My cousin Ida Person${index} drinks tea ${index}.`,
    user_id: "ada",
    category: "tea",
  }));
  for (let first = 0; first < memories.length; first += BATCH) {
    await send("POST", "/memories/batch", { memories: memories.slice(first, first + BATCH) });
  }
}
