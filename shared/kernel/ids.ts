import { getRandomValues } from "node:crypto";
import { monotonicFactory } from "ulid";

/** Id prefixes of the contract. An id is a prefix and a ULID, so ids of one kind sort by creation time. */
const PREFIXES = {
  apiKey: "ak_",
  user: "user_",
  organization: "org_",
  session: "sess_",
  message: "msg_",
  memory: "mem_",
  entity: "ent_",
  fact: "fact_",
  feedback: "fb_",
  inference: "inf_",
  skill: "skill_",
  chain: "chain_",
  review: "rev_",
  execution: "exec_",
  agent: "agent_",
  group: "group_",
  webhook: "whk_",
  delivery: "dlv_",
  deliveryLog: "dl_",
  deadLetter: "dlq_",
  invite: "inv_",
  source: "src_",
  connection: "conn_",
  event: "evt_",
  request: "req_",
  test: "test_",
  backup: "bak_",
  job: "job_",
  recall: "rec_",
  pattern: "pat_",
  log: "log_",
} as const;

/** The ids in a text. */
export const IDS_IN_TEXT = /\b[a-z]+_[0-9A-Za-z]{26}(?:_\d+)*\b/g;

export type IdKind = keyof typeof PREFIXES;

export const ID_KINDS = Object.keys(PREFIXES) as IdKind[];

/** Creates an id of a kind, e.g. `ids("memory")` -> `mem_01J…`. Injected so that tests can make ids predictable. */
export type Ids = (kind: IdKind) => string;

/** Returns a function that creates ids, which also sort correctly within one millisecond of one process. */
export function createIds(): Ids {
  const ulid = monotonicFactory(createRandom());
  return (kind) => PREFIXES[kind] + ulid();
}

const RANDOM_BATCH = 1024;

/** Returns a generator of cryptographic random numbers in 0..1. Batches save single calls, the main cost of an id. */
function createRandom(): () => number {
  const batch = new Uint32Array(RANDOM_BATCH);
  let next = RANDOM_BATCH;
  return () => {
    if (next === RANDOM_BATCH) {
      getRandomValues(batch);
      next = 0;
    }
    return (batch[next++] ?? 0) / 2 ** 32;
  };
}

/** Returns an id derived from content: equal inputs give equal ids without a lookup. `digest` is hex. */
export function derivedId(kind: IdKind, digest: string): string {
  return PREFIXES[kind] + digest.slice(0, 26);
}

/** Whether this service could have issued the id: a ULID or a derived id. */
export function couldBeIssued(kind: IdKind, id: string): boolean {
  return looksLike(kind, id) && /^([0-7][0-9A-HJKMNP-TV-Z]{25}|[0-9a-f]{26})$/.test(id.slice(PREFIXES[kind].length));
}

/** Whether a text starts like an id of the kind; clients' own names do not. */
export function looksLike(kind: IdKind, text: string): boolean {
  return text.startsWith(PREFIXES[kind]);
}
