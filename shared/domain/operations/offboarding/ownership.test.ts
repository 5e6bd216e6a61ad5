import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { replaced } from "../../../../test/support/replaced.ts";
import { createOrganization, openService } from "../../../../test/support/service.ts";
import { signInUser } from "../../../../test/support/users.ts";
import { ConditionFailedError } from "../../../ports/errors.ts";
import type { QueueMessage } from "../../../ports/queue.ts";
import type { RecordStore } from "../../../ports/record-store.ts";
import type { OrgRuntime } from "../../../runtime/context.ts";
import { messageOf } from "../../../runtime/jobs/queue.ts";
import { runJob } from "../../../runtime/jobs/run.ts";
import { createdResources } from "../../identity/owned-resources.ts";
import { apiKeysOf } from "../../identity/records.ts";
import { changeUser, type User } from "../../identity/users.ts";
import { claimContent, findClaimant } from "../../memory/claims.ts";
import type { Memory } from "../../memory/memory.ts";
import { memoryKey } from "../../memory/memory-keys.ts";
import { insertMemory } from "../../memory/records.ts";
import {
  beginOwnershipTransfer,
  findOwnershipTransfer,
  isTransferred,
  type OwnershipTransfer,
  ownershipTransfer,
  transferOwnershipNow,
} from "./ownership.ts";

const AT = "2026-01-31T12:00:00.000Z";
const SECOND = 1000;

let runtime: OrgRuntime;
let now = Date.parse(AT);
/** Messages for the worker; the service's own loops receive none of them. */
let sent: QueueMessage[];

const service = await openService({}, () => now);
afterAll(() => service.close());

beforeEach(async () => {
  const { org } = await createOrganization(service);
  sent = [];
  const queue = { send: async (_name: string, messages: QueueMessage[]) => void sent.push(...messages) };
  runtime = {
    ...service.runtime,
    org,
    ports: { ...service.runtime.ports, queue: { ...service.runtime.ports.queue, ...queue } },
  };
});

/** Stores memories about or by a user in the form in which the service stores them. */
async function store(count: number, given: Partial<Memory>): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index++) {
    const memory: Memory = {
      id: runtime.ids("memory"),
      org: runtime.org,
      content: `content ${index}`,
      metadata: {},
      created_at: AT,
      updated_at: AT,
      created_by: "ak_other",
      entities: [],
      facts: [],
      compression: { original_tokens: 2, compressed_tokens: 2, reduction_percentage: 0 },
      processing: { status: "done" },
      processing_ms: 0,
      tier: "cold",
      version: 1,
      revision: 1,
      feedback_count: 0,
      feedback_sum: 0,
      ...given,
    };
    const { content } = memory;
    const claims = memory.is_claimant ? [claimContent(memory, now)] : [];
    await runtime.ports.records.write(...insertMemory(memory, { content }), ...claims);
    ids.push(memory.id);
  }
  return ids;
}

async function ownersOf(ids: string[]): Promise<Set<unknown>> {
  const records = await runtime.ports.records.getMany(ids.map((id) => memoryKey(runtime.org, id)));
  expect(records).toHaveLength(ids.length);
  return new Set(records.map((record) => record.user_id));
}

async function begin(from: string, to?: string): Promise<OwnershipTransfer> {
  const { transfer, write } = beginOwnershipTransfer({ ...runtime, principal: { id: "ak_test" } }, { from, to });
  await runtime.ports.records.write(write);
  return transfer;
}

/** Runs a transfer like the worker, for at most `turnMs`. */
const work = (transfer: OwnershipTransfer, by: OrgRuntime = runtime, turnMs = 60_000) =>
  runJob(by, [ownershipTransfer], messageOf(transfer), turnMs);
const read = async ({ id }: OwnershipTransfer) =>
  (await findOwnershipTransfer(runtime.ports.records, runtime.org, id)) as OwnershipTransfer;
/** Deletes a user, with a successor if named. */
async function deleteUser(user: User, transferred_to?: string): Promise<void> {
  const deletion = { reason: "test", by: "ak_1", at: AT, hand_over: "job_1", transferred_to };
  await runtime.ports.records.write(...changeUser(user, { status: "deleted", deletion }, AT).writes);
}

const makeUser = async () => (await signInUser(service, { org: runtime.org, role: "user" })).user;

describe("transferring a user's resources", () => {
  it("is done in the request if it is small, with a second pass when lists have caught up", async () => {
    const [from, to] = [await makeUser(), await makeUser()];
    const ids = await store(5, { user_id: from.id });
    const transfer = await begin(from.id, to.id);
    await transferOwnershipNow(runtime, transfer);
    const reached = await read(transfer);
    expect([isTransferred(reached), reached.state, reached.checkpoint.handed_on]).toEqual([true, "running", 5]);
    expect(await ownersOf(ids)).toEqual(new Set([to.id]));
    expect(sent).toEqual([{ body: messageOf(transfer), delaySeconds: 15 }]);
    const late = await store(1, { user_id: from.id });
    await work(transfer);
    expect(await ownersOf(late)).toEqual(new Set([from.id]));
    now += 15 * SECOND;
    await work(transfer);
    expect(await ownersOf(late)).toEqual(new Set([to.id]));
    expect(await read(transfer)).toMatchObject({ state: "completed", checkpoint: { handed_on: 6 } });
    expect(sent).toHaveLength(1);
  });

  it("is left to the worker if it is large, page by page", async () => {
    const [from, to] = [await makeUser(), await makeUser()];
    const ids = await store(450, { user_id: from.id });
    const transfer = await begin(from.id, to.id);
    await work(transfer, runtime, 0);
    const reached = await read(transfer);
    expect([isTransferred(reached), reached.state]).toEqual([false, "running"]);
    expect(sent).toHaveLength(1);
    for (let turn = 0; turn < 30 && !isTransferred(await read(transfer)); turn++) await work(transfer, runtime, 0);
    expect(await ownersOf(ids)).toEqual(new Set([to.id]));
    expect((await read(transfer)).checkpoint.handed_on).toBe(450);
  });

  it("does not affect a later owner", async () => {
    const key = { pk: `${runtime.org}#thing_1`, sk: "thing" };
    const listed = { ...key, kind: "thing", created_by: "user_1" };
    const things = createdResources("things", (org) => `${org}#things`);
    const writes = await things.reassign(runtime, listed, { from: "user_1", to: "user_2" });
    await runtime.ports.records.write({ put: { ...listed, created_by: "user_3" } });
    await expect(runtime.ports.records.write(...(writes ?? []))).rejects.toThrow(ConditionFailedError);
    expect(await things.reassign(runtime, listed, { from: "user_1" })).toBeUndefined();
    expect(await things.reassign(runtime, listed, { from: "user_3", to: "user_2" })).toBeUndefined();
  });

  it("follows a successor who is deleted meanwhile to that user's successor", async () => {
    const [from, to, last] = [await makeUser(), await makeUser(), await makeUser()];
    const ids = await store(3, { user_id: from.id });
    const transfer = await begin(from.id, to.id);
    await deleteUser(to, last.id);
    await transferOwnershipNow(runtime, transfer);
    expect(await ownersOf(ids)).toEqual(new Set([last.id]));
  });

  it("ends if two users who are deleted at once are each other's successors", async () => {
    const [one, other] = [await makeUser(), await makeUser()];
    const ids = await store(1, { user_id: one.id });
    await deleteUser(one, other.id);
    await deleteUser(other, one.id);
    await transferOwnershipNow(runtime, await begin(one.id, other.id));
    expect(await ownersOf(ids)).toEqual(new Set([one.id]));
  });

  it("releases unique contents of the user", async () => {
    const [from, to] = [await makeUser(), await makeUser()];
    const [kept = ""] = await store(1, { user_id: to.id, is_claimant: true });
    const [moved = ""] = await store(1, { user_id: from.id, is_claimant: true });
    await transferOwnershipNow(runtime, await begin(from.id, to.id));
    expect(await ownersOf([moved])).toEqual(new Set([to.id]));
    const claimantOf = (user_id: string) =>
      findClaimant(runtime.ports.records, { org: runtime.org, user_id, content: "content 0" });
    expect([await claimantOf(to.id), await claimantOf(from.id)]).toEqual([kept, undefined]);
  });

  it("does not change memories without a successor, nor other users' resources", async () => {
    const from = await makeUser();
    const ids = [...(await store(2, { user_id: from.id })), ...(await store(2, { user_id: "bob" }))];
    await transferOwnershipNow(runtime, await begin(from.id));
    expect(await ownersOf(ids)).toEqual(new Set([from.id, "bob"]));
  });

  it("reads only API keys without a successor", async () => {
    const from = await makeUser();
    await store(5, { user_id: from.id, created_by: from.id });
    const { records } = runtime.ports;
    const asked: string[] = [];
    const query: RecordStore["query"] = (page) => {
      asked.push(page.pk);
      return records.query(page);
    };
    const watching = { ...runtime, ports: { ...runtime.ports, records: replaced(records, { query }) } };
    const transfer = await begin(from.id);
    await transferOwnershipNow(watching, transfer);
    now += 15 * SECOND;
    await work(transfer, watching);
    expect((await read(transfer)).state).toBe("completed");
    expect(asked).toEqual([apiKeysOf(runtime.org), apiKeysOf(runtime.org)]);
  });

  it("starts again if the successor is deleted in the middle of a list without a successor", async () => {
    const [from, to] = [await makeUser(), await makeUser()];
    const ids = await store(210, { user_id: from.id });
    const transfer = await begin(from.id, to.id);
    for (let turn = 0; turn < 2; turn++) await work(transfer, runtime, 0);
    expect((await read(transfer)).checkpoint).toMatchObject({ place: 1, after: expect.any(String) });
    await deleteUser(to);
    await work(transfer);
    const { checkpoint } = await read(transfer);
    expect(checkpoint).toEqual({ look: 2, place: 0, handed_on: 200 });
    expect(await ownersOf(ids)).toEqual(new Set([from.id, to.id]));
  });
});
