import type { Clock } from "../../shared/kernel/clock.ts";
import type { LanguageModel, LanguageModels } from "../../shared/ports/language-model.ts";
import type { PortName, Ports } from "../../shared/ports/ports.ts";
import type { QueueMessage } from "../../shared/ports/queue.ts";
import type { RecordPage, RecordQuery, RecordStore, Write } from "../../shared/ports/record-store.ts";
import type { BrowseAnswer, IndexRebuild, SearchAnswer, SearchDocument } from "../../shared/ports/search-index.ts";
import { type Fault, type FaultPlan, fail } from "./fault-plan.ts";
import { RecentDocuments, RecentRecords, recordIndexOf } from "./lagging.ts";

const READ = ["timeout", "throttle", "failure", "reset"] as const satisfies Fault[];
const WRITE = [...READ, "lost"] as const satisfies Fault[];
/** For verbs that write several items one by one. */
const WRITE_SOME = [...WRITE, "partial"] as const satisfies Fault[];
/** An index may lag behind the writes by less than a second. */
const READ_INDEX = [...READ, "stale"] as const satisfies Fault[];

/** How a verb may fail. Verbs that are not listed cannot, because they do not call a backend. */
interface Verb {
  faults: readonly Fault[];
  /** Its arguments with only some of their items. */
  some?: (args: unknown[]) => unknown[];
}

/** Keeps the first half of the list at this position of the arguments. */
const half = (place: number) => (args: unknown[]) =>
  args.map((arg, index) => (index === place && Array.isArray(arg) ? arg.slice(0, Math.ceil(arg.length / 2)) : arg));

const WRITES_OF_INDEX: { [verb: string]: Verb } = {
  upsert: { faults: WRITE_SOME, some: half(0) },
  remove: { faults: WRITE_SOME, some: half(0) },
  versions: { faults: READ },
  list: { faults: READ },
};

/**
 * The verbs of each port and their faults. A table's own reads are never stale, nor are a search index's `versions` and `list`,
 * which return the current state, nor reads of blobs, queues and secrets.
 */
const VERBS: { [Name in PortName]: { [verb: string]: Verb } } = {
  records: {
    get: { faults: READ },
    getMany: { faults: READ },
    query: { faults: READ_INDEX },
    count: { faults: READ_INDEX },
    write: { faults: WRITE },
    ping: { faults: READ },
  },
  inventory: { list: { faults: READ }, fill: { faults: WRITE_SOME, some: half(0) } },
  search: {
    ...WRITES_OF_INDEX,
    search: { faults: READ_INDEX },
    neighbours: { faults: READ },
    count: { faults: READ },
    browse: { faults: READ_INDEX },
    aggregate: { faults: READ },
    rebuild: { faults: WRITE },
    purge: { faults: WRITE },
    ping: { faults: READ },
  },
  blobs: {
    put: { faults: WRITE },
    write: { faults: WRITE },
    get: { faults: READ },
    open: { faults: READ },
    delete: { faults: WRITE },
    list: { faults: READ },
    space: { faults: READ },
    ping: { faults: READ },
  },
  queue: { send: { faults: WRITE_SOME, some: half(1) }, depth: { faults: READ }, ping: { faults: READ } },
  embedder: { embed: { faults: READ } },
  reranker: { rerank: { faults: READ } },
  reader: { read: { faults: READ } },
  models: {},
  mailer: { send: { faults: WRITE } },
  secrets: { get: { faults: READ }, putIfAbsent: { faults: WRITE }, remove: { faults: WRITE } },
  logs: { find: { faults: READ }, prune: { faults: WRITE } },
};

type Call = (...args: unknown[]) => unknown;

/** Ports whose calls fail according to the plan, before or after the adapter has done its work. */
export function faultyPorts(ports: Ports, plan: FaultPlan, clock: Clock): Ports {
  const records = new RecentRecords(ports.records, clock);
  const documents = new RecentDocuments(ports.search, clock);
  const stale: { [call: string]: (args: never, answer: never) => unknown } = {
    "records.count": ([query, upTo]: Parameters<RecordStore["count"]>) => records.count(query, upTo),
    "records.query": ([query]: [RecordQuery], page: RecordPage) => records.page(query, page),
    "search.search": (_args, answer: SearchAnswer) => documents.answer(answer),
    "search.browse": (_args, answer: BrowseAnswer) => documents.browsed(answer),
  };
  const noting: { [call: string]: (args: never) => Promise<void> } = {
    "records.write": (writes: Write[]) => records.note(writes),
    "search.upsert": ([given]: [SearchDocument[]]) => documents.note(given),
  };

  function faulty<Port extends object>(name: PortName, port: Port): Port {
    return wrapped(name, port, VERBS[name]);
  }

  function wrapped<Port extends object>(name: PortName, port: Port, verbs: { [verb: string]: Verb }): Port {
    return new Proxy(port, {
      get(target, member) {
        const value: unknown = Reflect.get(target, member, target);
        if (typeof value !== "function" || typeof member !== "string") return value;
        const call: Call = value.bind(target);
        const verb = verbs[member];
        return verb ? (...args: unknown[]) => meet(name, member, verb, call, args) : call;
      },
    });
  }

  async function meet(port: PortName, member: string, verb: Verb, call: Call, args: unknown[]): Promise<unknown> {
    const name = `${port}.${member}`;
    const fault = plan.draw(port, member, possible(verb, port, member, args));
    if (plan.isOn) await noting[name]?.(args as never);
    switch (fault) {
      case undefined:
        return above(member, await call(...args));
      case "stale":
        return stale[name]?.(args as never, (await call(...args)) as never);
      case "partial":
        await call(...(verb.some?.(args) ?? args));
        return fail(port, fault);
      case "lost":
        await call(...args);
        return fail(port, fault);
      default:
        return fail(port, fault);
    }
  }

  /** An index rebuild that the search port opens fails like the port itself. */
  const above = (member: string, answer: unknown) =>
    member === "rebuild" ? wrapped("search", answer as IndexRebuild, WRITES_OF_INDEX) : answer;

  return {
    records: faulty("records", ports.records),
    inventory: faulty("inventory", ports.inventory),
    search: faulty("search", ports.search),
    blobs: faulty("blobs", ports.blobs),
    queue: faulty("queue", ports.queue),
    embedder: faulty("embedder", ports.embedder),
    reranker: ports.reranker && faulty("reranker", ports.reranker),
    reader: ports.reader && faulty("reader", ports.reader),
    models: faultyModels(ports.models, plan),
    mailer: faulty("mailer", ports.mailer),
    secrets: faulty("secrets", ports.secrets),
    logs: faulty("logs", ports.logs),
  };
}

/** Only reads of an index can be stale, and only writes of several items can be partial. */
function possible({ faults }: Verb, port: PortName, member: string, args: unknown[]): readonly Fault[] {
  const isOfIndex = port === "search" || recordIndexOf(args[0]) !== undefined;
  const list = args.find((arg): arg is QueueMessage[] => Array.isArray(arg));
  const isOfSeveral = list !== undefined && list.length > 1;
  const canBe = (fault: Fault) =>
    fault === "stale" ? isOfIndex : fault === "partial" ? isOfSeveral && member !== "write" : true;
  return faults.filter(canBe);
}

/** If a model fails, its task is answered by rule and the answer says so; the port never rejects. */
function faultyModels(models: LanguageModels, plan: FaultPlan): LanguageModels {
  const faulty = (model: LanguageModel): LanguageModel => ({
    async run(task, input, limits) {
      const answer = await model.run(task, input, limits);
      if (plan.draw("models", "run", READ) === undefined) return answer;
      return { ...answer, value: await task.builtIn(input), fallback: true };
    },
  });
  return {
    default: models.default,
    providers: models.providers,
    open: async (choice) => faulty(await models.open(choice)),
  };
}
