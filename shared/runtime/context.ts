import type { Authenticator } from "../domain/identity/authenticate.ts";
import type { AccessTokens } from "../domain/identity/tokens.ts";
import { type Clock, timestamp } from "../kernel/clock.ts";
import type { Config } from "../kernel/config.ts";
import type { IdKind, Ids } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { OpenBucket } from "../ports/foreign-bucket.ts";
import { portOf, queueSentTo, secretPurposeOf } from "../ports/manifest.ts";
import { isOfMemories } from "../ports/partitions.ts";
import type { Capability, PortName, Ports } from "../ports/ports.ts";
import type { Queue, QueueMessage } from "../ports/queue.ts";
import { deadLettersOf } from "../ports/queues.ts";
import type { RecordStore } from "../ports/record-store.ts";
import type { SearchIndex, SearchScope } from "../ports/search-index.ts";
import { restrictSecrets } from "../ports/secret-names.ts";
import type { LimitedOperation } from "./access/plans.ts";
import type { Principal } from "./access/principal.ts";
import type { Settings } from "./settings.ts";
import type { Rollups } from "./stats/rollups.ts";

/** The request that is being processed. */
export interface RequestOrigin {
  id: string;
  /** Network address of the client; absent if unknown. */
  address?: string;
  /** The path as requested, with its trailing slash if it has one; absent outside of HTTP. */
  readonly path?: string;
  /** Aborted when the client closes the connection; absent where that cannot be noticed. */
  readonly signal?: AbortSignal;
}

/** The properties of an agent that authentication and storage need. */
export interface ActingAgent {
  id: string;
  memory_settings: { retention_days?: number; compression_enabled: boolean };
}

/** Finds an agent. Resolves to undefined both for an absent id and for an id of another organization. */
export type FindAgent = (records: RecordStore, org: string, id: string) => Promise<ActingAgent | undefined>;

/** The parts of a running process on either platform. */
export interface Runtime {
  config: Config;
  ports: Ports;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  authenticator: Authenticator;
  findAgent: FindAgent;
  openBucket: OpenBucket;
  tokens: AccessTokens;
  rollups: Rollups;
  settings: Settings;
  /** The current request; absent in workers. */
  request?: RequestOrigin;
  /** Whether the disk is nearly full, so that requests may only read and delete; absent if that cannot happen. */
  isShortOfRoom?: () => boolean;
  /** Whether an organization has too many documents without vectors to add more; absent if vectors are immediate. */
  isBacklogged?: (org: string) => boolean;
  /** Whether the embedder's model is being loaded, so that queries get no vector; absent if that is part of the start. */
  isModelLoading?: () => boolean;
  /** Epoch milliseconds at which the process became ready. */
  startedAt: number;
  /** Resolves when consumers have processed all writes so far. On AWS it resolves at once, without waiting for them. */
  drainChangeFeed(): Promise<void>;
}

/** The context of a request or a worker on behalf of one organization. Every key and query starts with `org`. */
export interface OrgRuntime extends Runtime {
  org: string;
}

export type HasPorts = Pick<Runtime, "ports">;

/** The part of the context that reads an organization's records. */
export type OrgReader = Pick<OrgRuntime, "ports" | "org">;

/** The context of work on an organization's memories and sessions. */
export interface MemoryScope extends OrgRuntime {
  /**
   * The agent on whose behalf memories are read: only memories that it may see exist. Undefined for all other callers.
   */
  viewer: string | undefined;
}

/** The context of a verb. `org` is the credential's. */
export interface Context extends MemoryScope {
  principal: Principal;
  /**
   * Counts an operation of the request, besides that of its route, against the plan's limits; throws RATE_LIMITED.
   * Absent in workers.
   */
  countOperation?(operation: LimitedOperation): Promise<void>;
}

/** The fields of a new resource that its caller does not choose. */
export function newResource({ ids, clock, org, principal }: Context, kind: IdKind) {
  const now = timestamp(clock());
  return { id: ids(kind), org, created_at: now, updated_at: now, created_by: principal.id, version: 1 };
}

/**
 * Returns the ports; a port that is not in `capabilities` throws when used, so that tests fail where IAM would refuse.
 */
export function restrictPorts(ports: Ports, capabilities: readonly Capability[], who: string): Ports {
  const declared = new Set<PortName>(capabilities.map(portOf));
  const purposes = capabilities.flatMap((capability) => secretPurposeOf(capability) ?? []);
  const secrets = purposes.length > 0 ? restrictSecrets(ports.secrets, purposes, who) : undefined;
  const queues = new Set(capabilities.flatMap((capability) => queueSentTo(capability) ?? []));
  const queue = declared.has("queue") ? restrictSending(ports, queues, who) : undefined;
  const restricted: Partial<Ports> = { ...(secrets && { secrets }), ...(queue && { queue }) };
  return new Proxy(ports, {
    get(target, name: PortName) {
      if (declared.has(name)) return restricted[name] ?? target[name];
      throw new Error(`'${who}' uses the port '${name}' without declaring it`);
    },
  });
}

/** The queues, of which a function may send only to those that it declares, and to their dead-letter queues. */
function restrictSending(ports: Ports, queues: ReadonlySet<string>, who: string): Queue {
  const mayReceive = new Set([...queues].flatMap((name) => [name, deadLettersOf(name)]));
  return new Proxy({} as Queue, {
    get(_empty, name: keyof Queue) {
      if (name === "send") {
        return async (queue: string, messages: QueueMessage[]) => {
          if (!mayReceive.has(queue)) throw new Error(`'${who}' sends to the queue '${queue}' without declaring it`);
          await ports.queue.send(queue, messages);
        };
      }
      const own = ports.queue[name];
      return typeof own === "function" ? own.bind(ports.queue) : own;
    },
  });
}

/** Returns the context on behalf of an agent: records and search contain only memories that it may see. */
export function onBehalfOf<Caller extends MemoryScope>(caller: Caller, viewer: string): Caller {
  const seen = <Scope extends SearchScope>(scope: Scope) => (isOfMemories(scope.org) ? { ...scope, viewer } : scope);
  const ports = withSearch(caller.ports, (index) => ({
    search: (request) => index.search(seen(request)),
    neighbours: (request) => index.neighbours(seen(request)),
    count: (scope) => index.count(seen(scope)),
    browse: (request) => index.browse(seen(request)),
    aggregate: (scope, terms) => index.aggregate(seen(scope), terms),
  }));
  return { ...caller, viewer, ports };
}

/** Returns the ports with some methods of the search index replaced. */
export function withSearch(ports: Ports, verbsOf: (index: SearchIndex) => Partial<SearchIndex>): Ports {
  let search: SearchIndex | undefined;
  return new Proxy(ports, {
    get(target, name: PortName) {
      if (name !== "search") return target[name];
      search ??= replacing(target.search, verbsOf(target.search));
      return search;
    },
  });
}

/** Returns the index with these methods in place of its own. */
function replacing(index: SearchIndex, verbs: Partial<SearchIndex>): SearchIndex {
  return new Proxy(index, {
    get(target, name: keyof SearchIndex) {
      if (name in verbs) return verbs[name];
      const original = target[name];
      return typeof original === "function" ? original.bind(target) : original;
    },
  });
}
