import type { Authenticator } from "../identity/authenticate.ts";
import type { Principal } from "../identity/principal.ts";
import type { AccessTokens } from "../identity/tokens.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Config } from "../kernel/config.ts";
import type { Ids } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import { isOfMemories } from "../retrieval/partitions.ts";
import type { Rollups } from "../stats/rollups.ts";
import { portOf, secretPurposeOf } from "./capabilities.ts";
import type { Capability, PortName, Ports, SearchIndex, SearchScope } from "./ports.ts";
import { restrictSecrets } from "./secret-names.ts";
import type { Settings } from "./settings.ts";

/** Which request something is done for. */
export interface RequestOrigin {
  id: string;
  /** Network address of whoever sent it; absent where none can be told. */
  address?: string;
}

/** What a running process is made of, whichever home it lives in. */
export interface Home {
  config: Config;
  ports: Ports;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  authenticator: Authenticator;
  tokens: AccessTokens;
  rollups: Rollups;
  settings: Settings;
  /** The request that is served; absent in workers. */
  request?: RequestOrigin;
  /** Whether there is so little room that requests may only read and delete; absent where that cannot be. */
  isShortOfRoom?: () => boolean;
  /** Whether so many documents of an organization wait for their vectors that it may add none; absent where none wait. */
  isBacklogged?: (org: string) => boolean;
  /** Epoch milliseconds at which the process was ready. */
  startedAt: number;
  /** Resolves when consumers of what was written so far have run: at once on AWS, after draining the change feed locally. */
  settle(): Promise<void>;
}

/** What works for one organization: a request, or a worker on its behalf. Every key and query starts with `org`. */
export interface OrgHome extends Home {
  org: string;
}

/** What works on an organization's memories and sessions. */
export interface ViewerHome extends OrgHome {
  /** Agent on whose behalf: there are none but those that it may see. Undefined for everybody else. */
  viewer: string | undefined;
}

/** What a verb may use besides its input. `org` is the credential's. */
export interface Context extends ViewerHome {
  principal: Principal;
}

/** The same ports, but one that is not among `capabilities` throws on use: what tests see is what IAM grants. */
export function confine(ports: Ports, capabilities: readonly Capability[], who: string): Ports {
  const declared = new Set<PortName>(capabilities.map(portOf));
  const purposes = capabilities.flatMap((each) => secretPurposeOf(each) ?? []);
  const secrets = purposes.length > 0 ? restrictSecrets(ports.secrets, purposes, who) : undefined;
  return new Proxy(ports, {
    get(target, name: PortName) {
      if (declared.has(name)) return name === "secrets" ? secrets : target[name];
      throw new Error(`'${who}' uses the port '${name}' without declaring it`);
    },
  });
}

/** The same, on behalf of an agent: neither records nor search have memories but those that it may see. */
export function onBehalfOf<Caller extends ViewerHome>(caller: Caller, viewer: string): Caller {
  const ports = new Proxy(caller.ports, {
    get: (target, name: PortName) => (name === "search" ? seenBy(viewer, target.search) : target[name]),
  });
  return { ...caller, viewer, ports };
}

function seenBy(viewer: string, index: SearchIndex): SearchIndex {
  const seen = <Scope extends SearchScope>(scope: Scope) => (isOfMemories(scope.org) ? { ...scope, viewer } : scope);
  return {
    get embedsLater() {
      return index.embedsLater;
    },
    get isCatchingUp() {
      return index.isCatchingUp;
    },
    vectorState: (orgs) => index.vectorState(orgs),
    searchableVersion: (reference) => index.searchableVersion(reference),
    vectorsOf: (contents) => index.vectorsOf(contents),
    upsert: (documents) => index.upsert(documents),
    remove: (references) => index.remove(references),
    search: (request) => index.search(seen(request)),
    neighbours: (request) => index.neighbours(seen(request)),
    count: (scope) => index.count(seen(scope)),
    browse: (request) => index.browse(seen(request)),
    aggregate: (scope, terms) => index.aggregate(seen(scope), terms),
    versions: (references) => index.versions(references),
    list: (request) => index.list(request),
    rebuild: (name) => index.rebuild(name),
    purge: (before) => index.purge(before),
    ping: () => index.ping(),
  };
}
